package server

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// maxSocketPath is what sun_path holds besides its NUL (<sys/un.h>).
const maxSocketPath = 103

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA // at once: waiting for output could wait for ever
)

// discardInput throws away what the terminal has sent and nobody has read; 1 is
// FREAD (<sys/fcntl.h>).
func discardInput(fd int) {
	_ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 1)
}

// reopen opens a terminal once more: a file description of its own, whose
// O_NONBLOCK is not that of the shell it is shared with. /dev/tty would not do:
// it means another terminal to the server. 16 is the major of the
// pseudo-terminals' slaves (xnu, bsd/kern/tty_ptmx.c).
func reopen(f *os.File) (int, error) {
	number := device(int(f.Fd()))
	major, minor := number>>24, number&0xffffff
	if major != 16 {
		return -1, unix.ENOTTY
	}
	return unix.Open(fmt.Sprintf("/dev/ttys%03d", minor), unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// canLend: no terminal can be polled there, and no process's state be read cheaply.
const canLend = false

// inputQueued is FIONREAD (<sys/filio.h>).
const inputQueued = 0x4004667f

func openState(int) (*os.File, error) { return nil, errors.ErrUnsupported }

func stopped(*os.File) bool { return false }

// device is a terminal's device number; 0: not known.
func device(fd int) uint64 {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return 0
	}
	return uint64(uint32(st.Rdev))
}

// credentials asks the kernel who connected (unix(4), LOCAL_PEERCRED and
// LOCAL_PEERPID).
func credentials(fd int) (peer, error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return peer{}, fmt.Errorf("ask who connected: %w", err)
	}
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		pid = 0
	}
	return peer{uid: int(c.Uid), pid: pid}, nil
}
