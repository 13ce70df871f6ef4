package panes

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"reprise/panes/gate"
)

// ErrNoDirectory says that the directory a program shall run in is gone (or is
// none).
var ErrNoDirectory = errors.New("no such directory")

// Process is a program's process with its pty, as a Terminal needs it. Tests
// have a fake one.
type Process interface {
	ID() ProcessID
	// TTY is the master's side of its pty.
	TTY() TTY
	// Gate lets the shim become the program, or (false) ends it without that.
	Gate(open bool) error
	// Signal signals its process group; ErrEnded once it was reaped.
	Signal(sig os.Signal) error
	// Wait returns when the process has ended. It is called once.
	Wait() Exit
}

// TTY is the master's side of a pty.
type TTY interface {
	// Read waits for output and gives take what is there, which is take's until it
	// returns. An error before the process has ended means only that nobody has the
	// other side open just now.
	Read(take func([]byte)) error
	// Write blocks while the program does not read. It is cut short by Close.
	Write(p []byte) (int, error)
	// StopReading lets Read fail from the given time on.
	StopReading(at time.Time) error
	SetSize(s Size) error
	Close() error
}

// child is a Process of the system: one that this process started, or that an
// earlier image of it did (Host.Adopt).
type child struct {
	id   ProcessID
	tty  *master
	gate *os.File // write end of the pipe; nil if it was adopted

	// reaping is held to keep a dead process a zombie, whose status is not lost.
	// It is taken before mu.
	reaping sync.Mutex
	mu      sync.Mutex
	reaped  bool // guarded by mu: the pid may be anyone's
}

// startChild starts spec behind a closed gate. shim is the argv of the launch shim, env
// the environment before what spec says.
func startChild(shim, env []string, spec Spec) (Process, error) {
	if len(shim) == 0 {
		return nil, errors.New("no launch shim is set")
	}
	env = environment(env, spec)
	// In its environment already, so that a shim, too, can be found by its nonce.
	c, err := startShim(shim, spec.Dir, env, spec.Size)
	if err != nil {
		return nil, err
	}
	if err := c.order(spec, env); err != nil {
		c.discard()
		return nil, err
	}
	return c, nil
}

// order tells a shim what it becomes when its gate opens.
func (c *child) order(spec Spec, env []string) error {
	if err := (gate.Order{Dir: spec.Dir, Argv: spec.Argv, Env: env}).Send(c.gate); err != nil {
		return fmt.Errorf("tell the launch shim what it becomes: %w", err)
	}
	return nil
}

// startShim starts a launch shim in a pty of its own: argv, by a path.
func startShim(argv []string, dir string, env []string, size Size) (_ *child, err error) {
	tty, slave, err := openTTY(size)
	if err != nil {
		return nil, err
	}
	defer func() { _ = slave.Close() }()
	wait, open, err := os.Pipe()
	if err != nil {
		_ = tty.Close()
		return nil, fmt.Errorf("make a gate: %w", err)
	}
	defer func() { _ = wait.Close() }()

	cmd := &exec.Cmd{
		Path:   argv[0],
		Args:   argv,
		Dir:    dir,
		Env:    env,
		Stdin:  slave,
		Stdout: slave,
		Stderr: slave,
		// gate.FD of the child.
		ExtraFiles: []*os.File{wait},
		// A session of its own, whose controlling terminal is the pty.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	c := &child{tty: tty, gate: open}
	if err := startUsual(cmd); err != nil { // the program is not to inherit our slices
		_ = tty.Close()
		_ = open.Close()
		return nil, fmt.Errorf("start the launch shim: %w", err)
	}
	// Not reaped yet, so the pid is the child's even if it has died already.
	c.id, err = Identify(cmd.Process.Pid)
	if err != nil {
		_ = open.Close()
		_ = tty.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, err
	}
	// From here on by pid, as a later image of this process would have it.
	_ = cmd.Process.Release()
	return c, nil
}

func (c *child) ID() ProcessID { return c.id }
func (c *child) TTY() TTY      { return c.tty }

func (c *child) Gate(open bool) error {
	if c.gate == nil {
		return ErrGate
	}
	var err error
	if open {
		_, err = c.gate.Write([]byte{1})
	}
	return errors.Join(err, c.gate.Close())
}

func (c *child) Signal(sig os.Signal) error {
	s, ok := sig.(syscall.Signal)
	if !ok {
		return fmt.Errorf("signal %v: unknown", sig)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reaped {
		return ErrEnded
	}
	err := unix.Kill(-c.id.PID, s)
	if err == unix.ESRCH {
		err = ErrEnded
	}
	return err
}

func (c *child) Wait() Exit {
	var exit Exit
	zombie := awaitExit(c.id.PID)
	if !zombie {
		exit = c.reap() // waits, under no lock
	}
	c.reaping.Lock()
	defer c.reaping.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if zombie {
		exit = c.reap()
	}
	c.reaped = true
	if c.gate != nil {
		_ = c.gate.Close()
	}
	return exit
}

// reap takes the process's status. It was not necessarily started by this image of
// our process, so os/exec does not know it.
func (c *child) reap() Exit {
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(c.id.PID, &status, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil: // somebody else reaped it
			return Exit{Status: -1}
		case status.Signaled():
			return Exit{Status: 128 + int(status.Signal()), Signal: int(status.Signal())}
		default:
			return Exit{Status: status.ExitStatus()}
		}
	}
}

// keep keeps the process from being reaped until letGo; false: it was already.
func (c *child) keep() bool {
	c.reaping.Lock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reaped {
		c.reaping.Unlock()
	}
	return !c.reaped
}

func (c *child) letGo() { c.reaping.Unlock() }

// master is the master's side of a system's pty.
type master struct {
	file *os.File
	raw  syscall.RawConn
}

// openTTY makes a pty of a size.
func openTTY(size Size) (*master, *os.File, error) {
	first, slave, err := pty.Open()
	if err != nil {
		return nil, nil, fmt.Errorf("open a pty: %w", err)
	}
	m, err := pollable(first)
	_ = first.Close()
	if err == nil {
		err = errors.Join(prepare(slave), m.SetSize(size))
		if err != nil {
			_ = m.Close()
		}
	}
	if err != nil {
		_ = slave.Close()
		return nil, nil, fmt.Errorf("open a pty: %w", err)
	}
	return m, slave, nil
}

// pollable takes a pty over from creack/pty, which leaves it in blocking mode:
// a read of such a file cannot be ended while a grandchild holds the other side.
func pollable(f *os.File) (*master, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	return newMaster(fd, f.Name())
}

// newMaster takes over a descriptor in non-blocking mode; it closes it if that
// fails.
func newMaster(fd int, name string) (*master, error) {
	file := os.NewFile(uintptr(fd), name)
	raw, err := file.SyscallConn()
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &master{file: file, raw: raw}, nil
}

// prepare sets what terminals set on a new tty: erase takes whole characters.
func prepare(slave *os.File) error {
	fd := int(slave.Fd())
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return err
	}
	t.Iflag |= unix.IUTF8
	return unix.IoctlSetTermios(fd, setTermios, t)
}

// readers are the buffers of the terminals that are being read: one that waits for
// output needs none.
var readers = sync.Pool{New: func() any { return new([readSize]byte) }}

// shortRead is a read behind which no more is expected at once: an echo, a prompt.
const shortRead = 256

// Read goes on until the buffer is full or nothing more is there: the kernel
// hands out 4 KiB at a time, and each turn costs a lock and a wake.
func (m *master) Read(take func([]byte)) error {
	var buf *[readSize]byte
	var n int
	var fail error
	err := m.raw.Read(func(fd uintptr) bool {
		if buf == nil {
			buf = readers.Get().(*[readSize]byte)
		}
		for n < len(buf) {
			var k int
			k, fail = unix.Read(int(fd), buf[n:])
			switch {
			case fail == unix.EINTR:
				continue
			case fail == unix.EAGAIN && n == 0:
				fail = nil
				readers.Put(buf)
				buf = nil
				return false
			case fail != nil || k <= 0:
				return true
			}
			if n += k; k < shortRead {
				return true
			}
		}
		return true
	})
	if buf != nil {
		defer readers.Put(buf)
	}
	switch {
	case n > 0:
		take(buf[:n]) // an error comes again
		return nil
	case err != nil:
		return err
	case fail != nil:
		return fail
	}
	return errClosedSide
}

// errClosedSide: nobody has the other side open (Linux says EIO instead).
var errClosedSide = errors.New("no program has the terminal open")

// TryWrite writes what is taken at once and returns how much that was.
func (m *master) TryWrite(p []byte) (n int) {
	_ = m.raw.Control(func(fd uintptr) { n, _ = unix.Write(int(fd), p) })
	return max(n, 0)
}

func (m *master) Write(p []byte) (int, error)    { return m.file.Write(p) }
func (m *master) StopReading(at time.Time) error { return m.file.SetReadDeadline(at) }
func (m *master) Close() error                   { return m.file.Close() }

// stop lets Read and Write fail from the given time on; zero: no longer.
func (m *master) stop(at time.Time) error { return m.file.SetDeadline(at) }

// fd is the file descriptor, which m goes on to own.
func (m *master) fd() (fd int, err error) {
	err = m.raw.Control(func(n uintptr) { fd = int(n) })
	return fd, err
}

func (m *master) SetSize(s Size) error {
	ws := &unix.Winsize{Row: uint16(s.Rows), Col: uint16(s.Cols)}
	var fail error
	err := m.raw.Control(func(fd uintptr) {
		fail = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, ws)
	})
	return errors.Join(err, fail)
}
