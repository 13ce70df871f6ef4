package panes_test

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/panes"
)

// All threads get short slices, those that come later too; the programs do not.
func TestShortSlicesAreOurs(t *testing.T) {
	usual := usualSlice(t)
	panes.ShortSlices()
	threads(t)
	term := start(t, newHost(t), "sh", "-c", "echo ready; cat")
	waitFor(t, "the program", func() bool { return strings.Contains(term.LastLine(), "ready") })
	if got := sliceOf(t, term.Process().PID); got != usual {
		t.Errorf("a program has %v, usual is %v", got, usual)
	}
	// What runs beside the terminals.
	before := panes.Helpers()
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		_, _ = panes.Run(ctx, []string{"sleep", "600"}, "/", nil, 1)
	}()
	ended, end := context.WithCancel(ctx)
	end()
	if err := panes.Spawn(ended, []string{"sleep", "600"}, "/", nil); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "two helpers", func() bool { return len(panes.Helpers()) == len(before)+2 })
	for _, id := range panes.Helpers() {
		if slices.Contains(before, id) {
			continue
		}
		if got := sliceOf(t, id.PID); got != usual {
			t.Errorf("a helper has %v, usual is %v", got, usual)
		}
		_ = syscall.Kill(id.PID, syscall.SIGKILL)
	}
	cancel()
	<-ran
	threads(t)
}

// usualSlice is the kernel's own. It skips the test where no thread can have another.
func usualSlice(t *testing.T) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a, err := unix.SchedGetAttr(0, 0)
	if err != nil || a.Policy != unix.SCHED_NORMAL && a.Policy != unix.SCHED_BATCH {
		t.Skip("the test has another class of scheduling")
	}
	set := func(d time.Duration) time.Duration {
		a.Runtime = uint64(d)
		if err := unix.SchedSetAttr(0, a, 0); err != nil {
			t.Skipf("no slice can be asked for: %v", err)
		}
		return sliceOf(t, 0)
	}
	usual := set(0)
	if set(panes.Slice) != panes.Slice || usual == panes.Slice {
		t.Skip("this kernel has no slices of one's own")
	}
	return set(0)
}

func sliceOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	a, err := unix.SchedGetAttr(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(a.Runtime)
}

// threads checks the slices of all of this process.
func threads(t *testing.T) {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			t.Fatal(err)
		}
		if a, err := unix.SchedGetAttr(tid, 0); err == nil && a.Runtime != uint64(panes.Slice) { // else it has ended
			t.Errorf("a thread has %v, not %v", time.Duration(a.Runtime), panes.Slice)
		}
	}
}
