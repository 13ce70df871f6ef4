package panes

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// Reexec makes this process the program at path, as exec(2) does: it keeps its pid,
// its children and, of its descriptors, 0 to 2 and those in keep. No other process
// that is started meanwhile inherits them. It returns only if that failed, with
// everything as it was.
func Reexec(path string, argv, env []string, keep []int) error {
	// Every start of a process in this program takes this lock.
	syscall.ForkLock.Lock()
	defer syscall.ForkLock.Unlock()
	for _, fd := range keep {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil {
			_, err = unix.FcntlInt(uintptr(fd), unix.F_SETFD, flags&^unix.FD_CLOEXEC)
		}
		if err != nil {
			return fmt.Errorf("pass descriptor %d to %s: %w", fd, path, err)
		}
		defer func() { _, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFD, flags) }()
	}
	return fmt.Errorf("become %s: %w", path, syscall.Exec(path, argv, env))
}
