package panes_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A terminal at which nothing happens has its reader, and nobody else waits for it.
func TestAQuietTerminalHasOneGoroutine(t *testing.T) {
	fd, err := unix.PidfdOpen(os.Getpid(), unix.PIDFD_NONBLOCK)
	if err != nil {
		t.Skip("no pidfd here: ", err)
	}
	_ = unix.Close(fd)
	const terminals = 20
	h := newHost(t)
	first := start(t, h, "cat")
	settled := func(want int) {
		t.Helper()
		waitFor(t, fmt.Sprintf("no more than %d goroutines", want), func() bool { return runtime.NumGoroutine() <= want })
	}
	// Whatever the start of the first took: reader, and who waits for all ends.
	for last := -1; last != runtime.NumGoroutine(); time.Sleep(50 * time.Millisecond) {
		last = runtime.NumGoroutine()
	}
	before := runtime.NumGoroutine()
	for range terminals {
		term := start(t, h, "cat")
		term.AfterDone(func() {})
		if err := term.Send([]byte("x")); err != nil { // a writer comes and goes
			t.Fatal(err)
		}
	}
	settled(before + terminals)
	told := make(chan struct{}, 2)
	first.AfterDone(func() { told <- struct{}{} })
	if err := first.Signal(unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if exit := waitDone(t, first); exit.Signal != int(unix.SIGKILL) {
		t.Errorf("it ended with %+v", exit)
	}
	waitFor(t, "word of its end", func() bool { return len(told) == 1 })
	first.AfterDone(func() { told <- struct{}{} })
	if len(told) != 2 {
		t.Error("it has ended, and who asks is not told")
	}
	settled(before + terminals - 1)
}
