package panes

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hangupEnds lets SIGHUP end this process by the kernel's own hand. The runtime's
// handler may have taken it in when exec ends its thread, and then it is lost; ignored,
// as under nohup, it is lost in any case.
func hangupEnds() error {
	// struct sigaction of sigaction(2), as the kernel has it on any machine: SIG_DFL,
	// no flags and an empty mask are all zero.
	var action [64]byte
	const setSize = 8 // bytes of a signal set
	if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGHUP), uintptr(unsafe.Pointer(&action)), 0, setSize, 0, 0); errno != 0 {
		return fmt.Errorf("take the hangup as it is meant: %w", errno)
	}
	return nil
}
