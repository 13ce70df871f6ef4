package server

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// peer is who stands at the other end of a connection.
type peer struct {
	uid int
	pid int // 0: not known
}

// errForeign says that the other end is another user's.
var errForeign = errors.New("it belongs to another user")

// checkPeer tells who is at the other end; errForeign unless it is this user.
func checkPeer(c *net.UnixConn) (peer, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return peer{}, fmt.Errorf("ask who connected: %w", err)
	}
	var p peer
	var asked error
	if err := raw.Control(func(fd uintptr) { p, asked = credentials(int(fd)) }); err != nil {
		return peer{}, fmt.Errorf("ask who connected: %w", err)
	}
	if asked == nil && p.uid != os.Geteuid() {
		asked = errForeign
	}
	return p, asked
}

// ended reports whether a connection's error says that the other end closed it,
// with or without having read everything.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, unix.ECONNRESET)
}

// sendWithFile writes b with a descriptor beside its first byte (SCM_RIGHTS).
func sendWithFile(c *net.UnixConn, b []byte, fd int) error {
	n, _, err := c.WriteMsgUnix(b, unix.UnixRights(fd), nil)
	if err == nil && n < len(b) {
		_, err = c.Write(b[n:])
	}
	return err
}

// maxRights bounds how many descriptors one message is read with; the kernel
// closes the others.
const maxRights = 4

// firstRead is a connection whose first read also takes the descriptors that came
// with it. Later ones are thrown away by the kernel.
type firstRead struct {
	*net.UnixConn
	done bool
	file int // the first descriptor; -1: none
}

func (f *firstRead) Read(p []byte) (int, error) {
	if f.done {
		return f.UnixConn.Read(p)
	}
	f.done, f.file = true, -1
	oob := make([]byte, unix.CmsgSpace(4*maxRights))
	n, oobn, _, _, err := f.ReadMsgUnix(p, oob) // sets close-on-exec
	if fds := descriptors(oob[:oobn]); len(fds) > 0 {
		f.file = fds[0]
		for _, fd := range fds[1:] {
			_ = unix.Close(fd)
		}
	}
	return n, err
}

func descriptors(oob []byte) []int {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil
	}
	var fds []int
	for _, m := range messages {
		if got, err := unix.ParseUnixRights(&m); err == nil {
			fds = append(fds, got...)
		}
	}
	return fds
}
