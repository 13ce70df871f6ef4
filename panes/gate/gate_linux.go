package gate

import (
	"syscall"
	"unsafe"
)

// Of sigaction(2) and ioctl(2), as the kernel has them on any machine that Go knows: a
// struct sigaction of zeros is SIG_DFL without flags and mask, and neither is larger than
// this, in bytes; nor is a struct termios.
const (
	structSize = 64
	setSize    = 8 // of a signal set
)

// defaultSignals undoes what was inherited as ignored (from nohup, or from a shell that
// started us in the background): exec resets what a program catches, but not what it
// ignores. It also lets SIGHUP end this process by the kernel's own hand: the runtime's
// handler may have taken it in when exec ends its thread, and then it is lost.
func defaultSignals() error {
	var action [structSize]byte
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU} {
		_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, setSize, 0, 0)
		if errno != 0 {
			return errno
		}
	}
	return nil
}

// hungUp reports whether a descriptor was a terminal whose other side is closed.
func hungUp(fd int) bool {
	var termios [structSize]byte
	_, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TCGETS, uintptr(unsafe.Pointer(&termios)))
	return errno != 0 && errno != syscall.ENOTTY
}
