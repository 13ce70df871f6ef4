package server_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/server"
)

// clog lets a client's terminal take nothing more; what it returns ends that.
func (s *station) clog() (unclog func()) {
	s.t.Helper()
	// The reader sits in a read, which must end for the lock to be had.
	locked := make(chan struct{})
	go func() { s.reading.Lock(); close(locked) }()
	eventually(s.t, func() bool {
		select {
		case <-locked:
			return true
		default:
			s.keys("b") // its echo
			return false
		}
	}, func() string { return "the reader still reads" })
	return s.reading.Unlock
}

// unread is how many bytes of a terminal's output nobody has read.
func (s *station) unread() (n int) {
	s.t.Helper()
	raw, err := s.master.SyscallConn()
	if err == nil {
		err = errors.Join(raw.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), inputWaiting) }), err)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// A terminal that takes nothing costs its client the attachment, tells it why when
// it can, and costs nobody else anything.
func TestStuckClientIsDetached(t *testing.T) {
	for _, c := range []struct {
		name  string
		stick func(s *station) (unstick func())
	}{
		{"its terminal takes nothing", (*station).clog},
		{"its process is stopped", func(s *station) func() {
			s.cmd.Process.Signal(syscall.SIGSTOP)
			return func() { s.cmd.Process.Signal(syscall.SIGCONT) }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			causes := make(chan error, 10)
			srv := newServer()
			srv.StuckAfter = 300 * time.Millisecond
			srv.Attach = func(ctx context.Context, c *server.Conn) error {
				err := attached(ctx, c)
				causes <- context.Cause(ctx)
				return err
			}
			socket, _ := serve(t, srv)
			if strings.Contains(c.name, "stopped") { // one that lends its terminal is never in the way
				t.Setenv(pipeVar, "1")
			}
			stuck, other := attach(t, socket), attach(t, socket)
			unstick := c.stick(stuck)
			stuck.keys("f")
			if strings.Contains(c.name, "stopped") { // then nobody sends its keys
				stuck.cmd.Process.Signal(syscall.SIGCONT)
				stuck.await("flood flood")
				stuck.cmd.Process.Signal(syscall.SIGSTOP)
			}
			other.keys("b")
			other.await("B")
			if err := <-causes; !errors.Is(err, server.ErrStuck) {
				t.Errorf("its handler ended by %v", err)
			}
			other.keys("c")
			other.await("C")
			unstick()
			if got := stuck.exit(); got != 1 {
				t.Errorf("status %d", got)
			}
			stuck.await("[detached because this terminal took no output")
			stuck.isRight()
			other.keys("q")
			other.exit()
		})
	}
}

// A client whose terminal takes nothing can still be ended, and leaves its
// settings right; the rest cannot be written.
func TestStuckClientCanBeEnded(t *testing.T) { bothWays(t, testStuckClientCanBeEnded) }

func testStuckClientCanBeEnded(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	unclog := s.clog()
	s.keys("f")
	before := -1
	eventually(t, func() bool { // the terminal is full: nothing comes to what is there
		was := before
		before = s.unread()
		return before == was && before > 1000
	}, func() string { return "its terminal does not fill up" })
	s.cmd.Process.Signal(syscall.SIGTERM)
	if s.exit(); s.modes() != s.before {
		t.Error("its settings are not as before")
	}
	unclog()
}

// A client that is killed while stuck is gone for the server at once.
func TestStuckClientKilled(t *testing.T) { bothWays(t, testStuckClientKilled) }

func testStuckClientKilled(t *testing.T) {
	gone := make(chan error, 1)
	srv := newServer()
	srv.StuckAfter = time.Hour
	srv.Attach = func(ctx context.Context, c *server.Conn) error {
		c.Accept("")
		_, _ = io.WriteString(c, enter+"READY 90x30 xterm-256color\r\n")
		for {
			if _, err := c.Write(make([]byte, 1000)); err != nil {
				gone <- context.Cause(ctx)
				return err
			}
		}
	}
	socket, _ := serve(t, srv)
	s := attach(t, socket)
	locked := make(chan struct{})
	go func() { s.reading.Lock(); close(locked) }()
	<-locked
	s.cmd.Process.Kill()
	if err := <-gone; !errors.Is(err, server.ErrGone) {
		t.Error(err)
	}
	s.reading.Unlock()
	s.isRight()
}

// Output never waits in large amounts, and comes whole and in order.
func TestOutputIsWhole(t *testing.T) {
	const lines = 20000
	srv := newServer()
	srv.Attach = func(_ context.Context, c *server.Conn) error {
		line := strings.Repeat("0123456789", 10)
		for i := range lines {
			n := i % len(line)
			if m, err := io.WriteString(c, line[:n]); m != n || err != nil {
				return err
			}
		}
		return nil
	}
	socket, _ := serve(t, srv)
	c := rawConn(t, socket)
	c.Write(hello(t, server.Protocol))
	frames, err := server.FramesTo(c, 'X')
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for _, f := range frames {
		if f.Kind == 'O' {
			if want := strings.Repeat("0123456789", 10)[:len(f.Payload)]; string(f.Payload) != want {
				t.Fatalf("a piece became %q", f.Payload)
			}
			got += len(f.Payload)
		}
	}
	want := 0
	for i := range lines {
		want += i % 100
	}
	if got != want {
		t.Errorf("%d bytes came, want %d", got, want)
	}
}
