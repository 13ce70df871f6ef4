package panes_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Terminals that wait for their programs take no thread each.
func TestWaitingTakesNoThreads(t *testing.T) {
	fd, err := unix.PidfdOpen(os.Getpid(), unix.PIDFD_NONBLOCK)
	if err != nil {
		t.Skip("no pidfd here: ", err)
	}
	_ = unix.Close(fd)
	threads := func() int {
		all, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	const terminals = 32
	h := newHost(t)
	start(t, h, "sleep", "600")
	before := threads()
	for range terminals {
		start(t, h, "sleep", "600")
	}
	if n := threads() - before; n >= terminals/2 {
		t.Errorf("%d terminals took %d threads", terminals, n)
	}
}
