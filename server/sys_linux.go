package server

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxSocketPath is what sun_path holds besides its NUL (unix(7)).
const maxSocketPath = 107

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS // at once: waiting for output could wait for ever
)

// discardInput throws away what the terminal has sent and nobody has read.
func discardInput(fd int) {
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH)
}

// reopen opens a terminal once more: a file description of its own, whose
// O_NONBLOCK is not that of the shell it is shared with.
func reopen(f *os.File) (int, error) {
	return unix.Open("/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// device is a terminal's device number; 0: not known.
func device(fd int) uint64 {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return 0
	}
	return st.Rdev
}

// credentials asks the kernel who connected (unix(7), SO_PEERCRED).
func credentials(fd int) (peer, error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return peer{}, fmt.Errorf("ask who connected: %w", err)
	}
	return peer{uid: int(c.Uid), pid: int(c.Pid)}, nil
}
