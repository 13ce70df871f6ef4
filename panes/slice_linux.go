package panes

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// slice is how long a thread of ours may run before others get their turn. The kernel's
// own is 1.4 ms with two processors, and more with more.
const slice = 300 * time.Microsecond

// ShortSlices asks for short turns on the processor for this process, threads to come
// too. A thread that wakes with one need not wait until the one that runs there has had
// its own: what a key does passes several of our threads while a flooding program and
// its reader keep the processors (Linux 6.12, EEVDF; kernels before that, and other
// classes of scheduling, leave all as it is). It takes no larger share.
func ShortSlices() {
	starting.Lock() // a program that is being started must not inherit them
	defer starting.Unlock()
	for range 3 { // one that is not told yet may have begun another meanwhile
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		for _, task := range tasks {
			if tid, err := strconv.Atoi(task.Name()); err == nil {
				setSlice(tid, slice)
			}
		}
	}
}

// usualSlices lets what this thread becomes have the kernel's own slices: a program is
// not to inherit ours.
func usualSlices() { setSlice(0, 0) }

// starting is held for reading while a program is started.
var starting sync.RWMutex

// startUsual starts a program with the kernel's own slices: it would inherit those of the
// thread that starts it.
func startUsual(cmd *exec.Cmd) error {
	starting.RLock()
	defer starting.RUnlock()
	runtime.LockOSThread() // threads that begin meanwhile are not made from one that is locked
	defer runtime.UnlockOSThread()
	if a, err := unix.SchedGetAttr(0, 0); err == nil && a.Runtime == uint64(slice) {
		usualSlices()
		defer setSlice(0, slice)
	}
	return cmd.Start()
}

// setSlice sets the slice of a thread; 0 is the kernel's own. That it cannot be set is
// no fault (sched_setattr(2); sched_runtime is the slice of fair threads).
func setSlice(tid int, d time.Duration) {
	a, err := unix.SchedGetAttr(tid, 0)
	if err != nil || a.Policy != unix.SCHED_NORMAL && a.Policy != unix.SCHED_BATCH {
		return
	}
	a.Runtime = uint64(d.Nanoseconds())
	_ = unix.SchedSetAttr(tid, a, 0)
}
