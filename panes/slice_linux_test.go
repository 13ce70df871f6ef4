package panes_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/panes"
)

// All threads get short slices, those that come later too; the programs do not.
func TestShortSlicesAreOurs(t *testing.T) {
	of := func(pid int) uint64 {
		t.Helper()
		a, err := unix.SchedGetAttr(pid, 0)
		if err != nil {
			t.Fatal(err)
		}
		return a.Runtime
	}
	usual := of(1)
	panes.ShortSlices()
	short := of(0)
	if a, err := unix.SchedGetAttr(0, 0); err != nil || a.Policy != unix.SCHED_NORMAL && a.Policy != unix.SCHED_BATCH {
		t.Skip("the test has another class of scheduling")
	}
	if short == usual || short == 0 {
		t.Skip("this kernel has no slices of one's own")
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			t.Fatal(err)
		}
		if a, err := unix.SchedGetAttr(tid, 0); err == nil && a.Runtime != short { // else it has ended
			t.Errorf("a thread has %v, another %v", time.Duration(a.Runtime), time.Duration(short))
		}
	}
	term := start(t, newHost(t), "sh", "-c", "echo ready; cat")
	waitFor(t, "the program", func() bool { return strings.Contains(term.LastLine(), "ready") })
	if got := of(term.Process().PID); got != usual {
		t.Errorf("a program has %v, usual is %v", time.Duration(got), time.Duration(usual))
	}
}
