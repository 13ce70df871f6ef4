package server_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"reprise/server"
)

// Every way to end leaves the terminal as it was found.
func TestTerminalIsPutRight(t *testing.T) { bothWays(t, testTerminalIsPutRight) }

func testTerminalIsPutRight(t *testing.T) {
	signal := func(sig syscall.Signal) func(s *station, srv *exec.Cmd) {
		return func(s *station, _ *exec.Cmd) { s.cmd.Process.Signal(sig) }
	}
	keys := func(k string) func(s *station, srv *exec.Cmd) {
		return func(s *station, _ *exec.Cmd) { s.keys(k) }
	}
	for _, c := range []struct {
		name   string
		end    func(s *station, srv *exec.Cmd)
		says   string // empty: the client says nothing
		status int
	}{
		{"the handler quits", keys("q"), "[quit]", 7},
		{"the handler fails", keys("e"), "[the handler failed]", 1},
		{"the handler panics", keys("p"), "[detached because of a fault", 1},
		{"detached by another", keys("x"), "[another client wanted to be alone]", 0},
		{"SIGTERM", signal(syscall.SIGTERM), "", 128 + 15},
		{"SIGHUP", signal(syscall.SIGHUP), "", 128 + 1},
		{"SIGINT", signal(syscall.SIGINT), "", 128 + 2},
		{"SIGKILL of the client", signal(syscall.SIGKILL), "", -1},
		{"SIGTERM of the server", func(_ *station, srv *exec.Cmd) { srv.Process.Signal(syscall.SIGTERM) }, "[the server was ended", 0},
		{"SIGKILL of the server", func(_ *station, srv *exec.Cmd) { srv.Process.Kill() }, "[error: the server is gone]", 1},
		{"SIGTERM in a flood", func(s *station, _ *exec.Cmd) {
			s.keys("f")
			s.await("flood flood")
			s.cmd.Process.Signal(syscall.SIGTERM)
		}, "", 128 + 15},
		{"SIGKILL of the client in a flood", func(s *station, _ *exec.Cmd) {
			s.keys("f")
			s.await("flood flood")
			s.cmd.Process.Kill()
		}, "", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			socket := socketIn(t)
			srv := startServer(t, socket)
			s := attach(t, socket)
			s.keys("bcd")
			s.await("D")
			if s.modes() == s.before || left(s.output()) == "" {
				t.Fatal("the terminal was not taken")
			}
			c.end(s, srv)
			if got := s.exit(); got != c.status {
				t.Errorf("status %d, want %d", got, c.status)
			}
			if c.says != "" {
				s.await(c.says)
			}
			s.isRight()
		})
	}
}

// Modes that stack or count must not be put back twice where the handler did it.
func TestTidyEndIsNotReset(t *testing.T) { bothWays(t, testTidyEndIsNotReset) }

func testTidyEndIsNotReset(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	s.keys("q")
	s.exit()
	s.await("[quit]")
	if n := strings.Count(s.output(), "\x1b[<u"); n != 1 {
		t.Errorf("the keyboard protocol was popped %d times", n)
	}
}

// A window that closes is no fault, whether its SIGHUP or its end of input is seen
// first, or only the one.
func TestHungUpTerminal(t *testing.T) { bothWays(t, testHungUpTerminal) }

func testHungUpTerminal(t *testing.T) {
	socket, _ := serve(t, newServer())
	for round := range 10 {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		type end struct {
			server.Farewell
			error
		}
		ended := make(chan end, 1)
		go func() {
			farewell, err := server.Attach(t.Context(), socket, server.Attachment{In: tty, Out: tty})
			ended <- end{farewell, err}
		}()
		if _, err := master.Read(make([]byte, 1)); err != nil { // it is shown
			t.Fatal(err)
		}
		_ = master.Close()
		if round%2 == 1 { // the kernel wakes whoever it hangs up, and that may be seen first
			_ = syscall.Kill(os.Getpid(), syscall.SIGCONT)
		}
		if e := <-ended; e.error != nil || e.Status != 128+int(syscall.SIGHUP) {
			t.Errorf("%+v, %v", e.Farewell, e.error)
		}
		_ = tty.Close()
	}
}

func TestResize(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	if err := pty.Setsize(s.master, &pty.Winsize{Cols: 120, Rows: 44}); err != nil {
		t.Fatal(err)
	}
	s.await("SIZE 120x44")
	if strings.Contains(s.output(), "SIZE 90x30") {
		t.Error("a size was told that it did not change to")
	}
}

// A size that went and came back before it was asked for is told: the terminal has cut
// its rows meanwhile.
func TestResizeThereAndBack(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	if err := s.cmd.Process.Signal(syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	s.await("SIZE 90x30")
}

func TestRefusedBeforeTheTerminalIsTaken(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := newStation(t).run(play("client", socket, "refuse"))
	if got := s.exit(); got != 1 {
		t.Errorf("status %d", got)
	}
	s.await("[error: no session of that name: see reprise ls]")
	if strings.Contains(s.output(), "\x1b[") {
		t.Errorf("the terminal was sent %q", s.output())
	}
	s.isRight()
}

func TestNoServer(t *testing.T) {
	s := newStation(t).run(play("client", socketIn(t)))
	if got := s.exit(); got != 1 {
		t.Errorf("status %d", got)
	}
	s.await("[error: no server is running")
	s.isRight()
}

// Answers that come after the end do not reach the shell.
func TestLateAnswersAreDrained(t *testing.T) { bothWays(t, testLateAnswersAreDrained) }

func testLateAnswersAreDrained(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	s.keys("a")
	s.await("\x1b[?25h\x1b[?1049l")    // asked, and the handler is gone
	time.Sleep(100 * time.Millisecond) // as over a slow line: it is waited for longer, whatever the machine does
	s.keys("\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;4;22c")
	s.exit()
	s.isRight()
	if n := s.waiting(); n != 0 {
		t.Errorf("%d bytes would be typed into the shell", n)
	}
}

func startServer(t testing.TB, socket string) *exec.Cmd {
	t.Helper()
	srv := play("server", socket)
	log := &lockedBuffer{}
	srv.Stderr = log
	if err := srv.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		srv.Process.Kill()
		srv.Wait()
		if t.Failed() {
			t.Logf("server's log:\n%s", log.String())
		}
	})
	awaitServer(t, socket)
	return srv
}
