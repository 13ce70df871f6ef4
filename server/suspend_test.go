package server_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"reprise/server"
)

// inShell starts a shell with job control in a terminal.
func inShell(t *testing.T, socket string) *station {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	cmd := exec.Command(bash, "--norc", "--noprofile", "--noediting", "-i")
	cmd.Env = append(os.Environ(), "PS1=$ ", "SERVER_TEST_ROLE=client", "SOCKET="+socket, "CLIENT="+os.Args[0])
	s := newStation(t).run(cmd)
	s.await("$ ")
	return s
}

// after is what was shown since the last appearance of mark.
func (s *station) after(mark string) string {
	out := s.output()
	return out[strings.LastIndex(out, mark)+len(mark):]
}

func (s *station) awaitAfter(mark, text string) {
	s.t.Helper()
	eventually(s.t, func() bool {
		out := s.output()
		at := strings.LastIndex(out, mark)
		return at >= 0 && strings.Contains(out[at+len(mark):], text)
	}, func() string { return fmt.Sprintf("%q does not come after %q: %q", text, mark, tail(s.output())) })
}

// child is the pid of the client that the shell runs.
func (s *station) child() int {
	s.t.Helper()
	pid := 0
	eventually(s.t, func() bool {
		b, _ := exec.Command("pgrep", "-P", strconv.Itoa(s.cmd.Process.Pid)).Output()
		pid, _ = strconv.Atoi(strings.TrimSpace(string(b)))
		return pid > 0
	}, func() string { return "the shell runs nothing" })
	return pid
}

func TestSuspend(t *testing.T) { bothWays(t, testSuspend) }

func testSuspend(t *testing.T) {
	stopped := func(s *station, sig syscall.Signal) { syscall.Kill(s.child(), sig) }
	for _, c := range []struct {
		name string
		stop func(s *station)
	}{
		{"by its key", func(s *station) { s.keys("z") }},
		{"by SIGTSTP", func(s *station) { stopped(s, syscall.SIGTSTP) }},
		{"in a flood", func(s *station) { s.keys("f"); s.await("flood flood"); stopped(s, syscall.SIGTSTP) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			socket, _ := serve(t, newServer())
			s := inShell(t, socket)
			cooked := s.modes()
			s.keys("$CLIENT $SOCKET\n")
			s.await("READY 90x30")
			c.stop(s)
			s.await("Stopped")
			if s.modes() != cooked || left(s.output()) != "" {
				t.Errorf("suspended, the terminal has modes %q", left(s.output()))
			}
			s.keys("echo in the sh''ell\n")
			s.awaitAfter("Stopped", "in the shell")
			if strings.Contains(s.output(), "NEVER SEEN") {
				t.Error("output came after the suspension")
			}
			if strings.Contains(c.name, "flood") {
				syscall.Kill(s.child(), syscall.SIGKILL)
				s.keys("fg\n")
				return
			}
			s.keys("fg\n")
			s.awaitAfter("in the shell", "RESUMED")
			s.keys("b")
			s.awaitAfter("RESUMED", "B")
			s.keys("q")
			s.awaitAfter("RESUMED", "[quit]")
			s.keys("echo status $?\n")
			s.awaitAfter("[quit]", "status 7")
			if s.modes() != cooked || left(s.output()) != "" {
				t.Errorf("at the end the terminal has modes %q", left(s.output()))
			}
		})
	}
}

// A script that runs the client is stopped with it.
func TestSuspendInScript(t *testing.T) { bothWays(t, testSuspendInScript) }

func testSuspendInScript(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := inShell(t, socket)
	s.keys("sh -c '$CLIENT $SOCKET; echo the script goes on'\n")
	s.await("READY 90x30")
	s.keys("z")
	s.await("Stopped")
	s.keys("fg\n")
	s.await("RESUMED")
	s.keys("q")
	s.awaitAfter("[quit]", "the script goes on")
}

// A suspended client that is killed, or continued in the background, leaves the
// shell's terminal alone.
func TestSuspendedElsewhere(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := inShell(t, socket)
	cooked := s.modes()
	s.keys("$CLIENT $SOCKET\n")
	s.await("READY 90x30")
	s.keys("z")
	s.await("Stopped")
	s.keys("bg; wait; echo back''ground\n")
	s.awaitAfter("bg", "background")
	s.keys("jobs; echo job''s\n")
	s.awaitAfter("background", "jobs")
	if strings.Contains(s.output(), "RESUMED") || s.modes() != cooked {
		t.Error("it took the terminal from the shell")
	}
	s.keys("kill %1; echo sig''nalled\n")
	s.awaitAfter("kill", "signalled")
	eventually(t, func() bool { return clients(t, socket) == "0" }, func() string { return "it was killed, and lives" })
	if s.modes() != cooked || strings.Contains(s.after("signalled"), "\x1b") {
		t.Errorf("it spoiled the terminal: %q", s.after("signalled"))
	}
	// Nor does the server, when it is killed.
	s.keys("echo sec''ond; $CLIENT $SOCKET\n")
	s.awaitAfter("second", "READY 90x30")
	s.keys("z")
	s.awaitAfter("second", "Stopped")
	s.keys("echo kil''ling; kill -9 %%; wait; echo kil''led\n")
	s.awaitAfter("killing", "killed")
	eventually(t, func() bool { return clients(t, socket) == "0" }, func() string { return fmt.Sprintf("the client is still attached: %q", tail(s.output())) })
	if strings.Contains(s.after("killed"), "\x1b[?1049l") {
		t.Error("the server reset the shell's terminal")
	}
}

// clients is how many are attached.
func clients(t *testing.T, socket string) string {
	t.Helper()
	b, err := server.Request(context.Background(), socket, "clients", nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Stopped from outside, a client finds back when it is continued.
func TestStoppedFromOutside(t *testing.T) { bothWays(t, testStoppedFromOutside) }

func testStoppedFromOutside(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := inShell(t, socket)
	s.keys("$CLIENT $SOCKET\n")
	s.await("READY 90x30")
	syscall.Kill(s.child(), syscall.SIGSTOP)
	s.await("Stopped")
	s.keys("fg\n")
	s.await("RESUMED")
	s.keys("b")
	s.awaitAfter("RESUMED", "B")
	s.keys("q")
	s.await("[quit]")
	eventually(t, func() bool { return left(s.output()) == "" }, func() string { return left(s.output()) })
}

// Without a shell that could continue it, a client does not stop.
func TestSuspendWithoutShell(t *testing.T) { bothWays(t, testSuspendWithoutShell) }

func testSuspendWithoutShell(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	s.keys("z")
	s.await("RESUMED")
	s.keys("q")
	s.exit()
	s.isRight()
}

// A killed client's terminal is the shell's again before the server can do
// anything: the server resets modes and does not touch the shell's settings.
func TestRescueLeavesTheShellAlone(t *testing.T) { bothWays(t, testRescueLeavesTheShellAlone) }

func testRescueLeavesTheShellAlone(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := newStation(t)
	s.run(play("client", socket))
	s.await("READY")
	// As a shell would, which is faster.
	s.cmd.Process.Signal(syscall.SIGSTOP)
	mine := s.modes()
	mine.Lflag |= syscall.ECHO
	mine.Cc[syscall.VMIN] = 3
	s.setModes(mine)
	s.cmd.Process.Kill()
	eventually(t, func() bool { return left(s.output()) == "" }, func() string { return "not rescued" })
	if s.modes() != mine {
		t.Error("the shell's settings were changed")
	}
}

// Another client that took over the terminal is not disturbed by the rescue of the
// one before.
func TestRescueLeavesTheNextAlone(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := inShell(t, socket)
	s.keys("$CLIENT $SOCKET\n")
	s.await("READY 90x30")
	first := s.child()
	syscall.Kill(first, syscall.SIGSTOP)
	s.await("Stopped")
	s.keys("echo sec''ond; $CLIENT $SOCKET\n")
	s.awaitAfter("second", "READY 90x30")
	syscall.Kill(first, syscall.SIGKILL)
	eventually(t, func() bool { return clients(t, socket) == "1" }, func() string { return "both are attached" })
	s.keys("b")
	s.awaitAfter("second", "B")
	if strings.Contains(s.after("second"), "\x1b[?1049l") {
		t.Error("its screen was reset")
	}
	s.keys("q")
	s.awaitAfter("second", "[quit]")
}

// A handler that ends while its client sleeps tells it when it wakes.
func TestDetachedWhileSuspended(t *testing.T) { bothWays(t, testDetachedWhileSuspended) }

func testDetachedWhileSuspended(t *testing.T) {
	detach := make(chan struct{})
	srv := newServer()
	srv.Attach = func(ctx context.Context, c *server.Conn) error {
		go func() { <-detach; c.Detach(errors.New("while you slept")) }()
		return attached(ctx, c)
	}
	socket, _ := serve(t, srv)
	s := inShell(t, socket)
	s.keys("$CLIENT $SOCKET\n")
	s.await("READY 90x30")
	s.keys("z")
	s.await("Stopped")
	close(detach) // before or after it goes on: either order is right
	s.keys("fg\n")
	s.awaitAfter("Stopped", "[while you slept]")
	eventually(t, func() bool { return left(s.output()) == "" }, func() string { return left(s.output()) })
}

// A server that dies while its client sleeps leaves nothing to reset.
func TestServerDiesWhileSuspended(t *testing.T) { bothWays(t, testServerDiesWhileSuspended) }

func testServerDiesWhileSuspended(t *testing.T) {
	socket := socketIn(t)
	srv := startServer(t, socket)
	s := inShell(t, socket)
	s.keys("$CLIENT $SOCKET\n")
	s.await("READY 90x30")
	s.keys("z")
	s.await("Stopped")
	srv.Process.Kill()
	srv.Wait()
	s.keys("echo in the sh''ell; fg\n")
	s.awaitAfter("in the shell", "[error: the server is gone]")
	if strings.Contains(s.after("in the shell"), "\x1b[") {
		t.Errorf("modes that were not set were reset: %q", s.after("in the shell"))
	}
}
