package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Errors of finding a server.
var (
	// ErrNoServer: nobody listens at the socket.
	ErrNoServer = errors.New("no server is running")
	// ErrRunning: another process serves the socket.
	ErrRunning = errors.New("a server is running already")
	// ErrLost: the server ended without a word.
	ErrLost = errors.New("the server is gone")
	// ErrUnanswered is an ErrLost that came before the client was accepted: nothing
	// was shown yet.
	ErrUnanswered = errors.New("it ended before it answered")
)

// retryTime is between two looks at a lock that another process holds.
const retryTime = 10 * time.Millisecond

// Folder makes dir, for sockets of this user alone: it must be a folder of ours
// that nobody else may enter. Missing parents are made likewise. It should outlast
// a logout: what is in XDG_RUNTIME_DIR is removed when the user's last login ends,
// and a server that survives it could not be found any more.
func Folder(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("the socket folder %q is no absolute path", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the socket folder cannot be made: %w", err)
	}
	// Not through a link, which another user could change where the parent is his.
	st, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at the socket folder: %w", err)
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	switch {
	case !st.IsDir():
		return fmt.Errorf("the socket folder %s is no folder: move it away", dir)
	case !ok || int(sys.Uid) != os.Geteuid():
		return fmt.Errorf("the socket folder %s belongs to another user: move it away", dir)
	case st.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("others may enter the socket folder %s: run chmod 700 %s", dir, dir)
	}
	return nil
}

// SocketPath is the socket of that name in dir, which need not exist. Names are
// letters, digits, "-", "_" and "."; the system bounds the path's length (107 bytes
// on Linux, 103 on macOS).
func SocketPath(dir, name string) (string, error) {
	ok := name != "" && !strings.HasPrefix(name, ".")
	for _, r := range name {
		ok = ok && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r))
	}
	if !ok {
		return "", fmt.Errorf("%q cannot name a socket: take letters, digits, - and _", name)
	}
	path := filepath.Join(dir, name)
	if len(path) > maxSocketPath {
		return "", fmt.Errorf("the socket's path %s has %d bytes and the system allows %d: choose a shorter folder", path, len(path), maxSocketPath)
	}
	return path, nil
}

// Listener is the one claim to a socket.
type Listener struct {
	path   string
	socket *net.UnixListener
	lock   *os.File
	ours   os.FileInfo // the socket's file
	once   sync.Once   // for stop: a late one could remove the next server's socket
}

// lockFile is locked by the process that serves a socket, for its life. It stays:
// to remove it would race with who opens it.
func lockFile(socket string) string { return socket + ".lock" }

// Listen claims a socket and listens at it.
func Listen(ctx context.Context, path string) (*Listener, error) {
	l, err := Reserve(ctx, path)
	if err == nil {
		err = l.Listen()
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Reserve claims a socket in a folder that passed Folder, and does not listen yet: what
// belongs to the one server can begin beside that. While another process holds the
// socket but takes no clients (it is starting, or ending) it waits, until ctx ends.
// ErrRunning: another one serves it.
func Reserve(ctx context.Context, path string) (*Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("the socket's path %s is longer than the %d bytes that the system allows", path, maxSocketPath)
	}
	if err := Folder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	lock, err := acquire(ctx, lockFile(path), func() error {
		if found, err := probe(ctx, path); found && err == nil {
			return ErrRunning
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &Listener{path: path, lock: lock}, nil
}

// Listen listens at a socket that was reserved, once; it removes what a dead server left.
// If it fails the claim is given up.
func (l *Listener) Listen() error {
	err := l.listen()
	if err != nil {
		_ = l.lock.Close()
	}
	return err
}

func (l *Listener) listen() error {
	if st, err := os.Lstat(l.path); err == nil {
		if st.Mode().Type() != os.ModeSocket {
			return fmt.Errorf("%s is there and no socket: move it away", l.path)
		}
		if err := os.Remove(l.path); err != nil {
			return fmt.Errorf("remove the socket of a server that died: %w", err)
		}
	}
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: l.path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("listen at %s: %w", l.path, err)
	}
	socket.SetUnlinkOnClose(false) // only what is ours, see stop
	l.socket = socket
	err = os.Chmod(l.path, 0o600) // the folder keeps others out already
	if err == nil {
		l.ours, err = os.Lstat(l.path)
	}
	if err != nil {
		_ = socket.Close()
		_ = os.Remove(l.path)
		return fmt.Errorf("listen at %s: %w", l.path, err)
	}
	return nil
}

// Path is the socket's.
func (l *Listener) Path() string { return l.path }

// stop ends listening and removes the socket; the claim is kept.
func (l *Listener) stop() {
	l.once.Do(func() {
		if st, err := os.Lstat(l.path); err == nil && os.SameFile(st, l.ours) {
			_ = os.Remove(l.path)
		}
		_ = l.socket.Close()
	})
}

// Close gives up the socket. What must be over before another server starts is
// over before it.
func (l *Listener) Close() error {
	l.stop()
	if err := l.lock.Close(); err != nil {
		return fmt.Errorf("unlock the socket: %w", err)
	}
	return nil
}

// Claim is a Listener on its way to the program that goes on in this process
// (execve(2)). Its descriptors are close-on-exec: whoever executes that program lets
// them through.
type Claim struct {
	Path         string
	Socket, Lock int // file descriptors
}

// Claim returns copies of the descriptors. If they are not needed in the end, Drop
// them; the Listener serves on meanwhile.
func (l *Listener) Claim() (Claim, error) {
	socket, err := l.socket.File()
	if err != nil {
		return Claim{}, fmt.Errorf("hand the socket over: %w", err)
	}
	defer func() { _ = socket.Close() }()
	c := Claim{Path: l.path, Socket: -1, Lock: -1}
	if c.Socket, err = unix.FcntlInt(socket.Fd(), unix.F_DUPFD_CLOEXEC, 3); err == nil {
		c.Lock, err = unix.FcntlInt(l.lock.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	}
	if err != nil {
		c.Drop()
		return Claim{}, fmt.Errorf("hand the socket over: %w", err)
	}
	return c, nil
}

// Drop closes the descriptors.
func (c Claim) Drop() {
	for _, fd := range []int{c.Socket, c.Lock} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}

// Listener takes a claim over, in the program that goes on. Clients that came
// meanwhile wait at the socket.
func (c Claim) Listener() (*Listener, error) {
	if c.Socket < 0 || c.Lock < 0 {
		return nil, errors.New("take the socket over: no descriptors")
	}
	unix.CloseOnExec(c.Socket)
	unix.CloseOnExec(c.Lock)
	file := os.NewFile(uintptr(c.Socket), c.Path)
	defer func() { _ = file.Close() }() // FileListener copies it
	ln, err := net.FileListener(file)
	if err != nil {
		return nil, fmt.Errorf("take the socket over: %w", err)
	}
	socket, ok := ln.(*net.UnixListener)
	if !ok {
		_ = ln.Close()
		return nil, fmt.Errorf("take the socket over: descriptor %d is none of a unix socket", c.Socket)
	}
	socket.SetUnlinkOnClose(false)
	l := &Listener{path: c.Path, socket: socket, lock: os.NewFile(uintptr(c.Lock), lockFile(c.Path))}
	if l.ours, err = os.Lstat(c.Path); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("take the socket over: %w", err)
	}
	return l, nil
}

// acquire locks a file for as long as the one that it returns is open. While
// another process has it, look is asked whether to go on waiting.
func acquire(ctx context.Context, path string, look func() error) (*os.File, error) {
	for {
		lock, err := tryLock(path)
		if lock != nil || err != nil {
			return lock, err
		}
		if err := look(); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another process holds %s: %w", path, context.Cause(ctx))
		case <-time.After(retryTime):
		}
	}
}

// tryLock locks a file if nobody else has it locked; else it returns nil. The lock
// belongs to the descriptor (flock(2)), and so can be handed over with it.
func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if errors.Is(err, unix.EINTR) {
			continue
		}
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, nil
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
}

// dial connects to the server of a socket, if it is this user's. ErrNoServer: there
// is none.
func dial(ctx context.Context, socket string) (*net.UnixConn, error) {
	for {
		c, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
		switch {
		case err == nil:
			u := c.(*net.UnixConn)
			if _, err := checkPeer(u); err != nil {
				_ = c.Close()
				return nil, fmt.Errorf("the server at %s: %w", socket, err)
			}
			return u, nil
		case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ECONNREFUSED):
			return nil, fmt.Errorf("%w at %s", ErrNoServer, socket)
		case !errors.Is(err, unix.EAGAIN): // its queue is full
			return nil, fmt.Errorf("connect to the server: %w", err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("connect to the server at %s: %w", socket, context.Cause(ctx))
		case <-time.After(retryTime):
		}
	}
}

// passing reports whether an accept may succeed later.
func passing(err error) bool {
	for _, e := range []error{unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM, unix.ECONNABORTED, unix.EINTR} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
