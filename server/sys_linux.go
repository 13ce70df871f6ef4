package server

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

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

// canLend: a terminal can be polled, and a process's state be read.
const canLend = true

// inputQueued asks a terminal how many bytes can be read (ioctl_tty(2), FIONREAD).
const inputQueued = unix.TIOCINQ

// openState opens what tells a process's state (proc(5), /proc/PID/stat).
func openState(pid int) (*os.File, error) {
	if pid <= 0 { // of a name space that we do not see
		return nil, os.ErrNotExist
	}
	return os.Open("/proc/" + strconv.Itoa(pid) + "/stat")
}

// stopped reports whether the process is stopped, by a signal, or dead.
func stopped(state *os.File) bool {
	var buf [256]byte
	n, _ := state.ReadAt(buf[:], 0)
	// The name is in parentheses and may hold any of them; the state follows.
	at := bytes.LastIndexByte(buf[:n], ')')
	return at < 0 || at+2 >= n || strings.IndexByte("TZX", buf[at+2]) >= 0
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
