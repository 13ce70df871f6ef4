package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/server"
	"reprise/server/early"
)

// endServer ends the server of a socket, whoever started it.
func endServer(t testing.TB, socket string) {
	t.Cleanup(func() {
		if pid := serverPID(socket); pid > 0 {
			syscall.Kill(pid, syscall.SIGTERM)
			eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, func() string { return "the server does not end" })
		}
	})
}

func serverPID(socket string) int {
	b, err := server.Request(context.Background(), socket, "pid", nil)
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(string(b))
	return pid
}

// mustServerPID is never 0, which to kill would mean ourselves.
func mustServerPID(t testing.TB, socket string) int {
	t.Helper()
	b, err := server.Request(context.Background(), socket, "pid", nil)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(b))
	if err != nil || pid < 2 {
		t.Fatalf("pid %q", b)
	}
	return pid
}

func TestTenStartsOneServer(t *testing.T) {
	socket := socketIn(t)
	endServer(t, socket)
	var wg sync.WaitGroup
	out := make([]string, 10)
	for i := range out {
		wg.Go(func() {
			b, err := play("ensure", socket).Output()
			out[i] = fmt.Sprint(string(b), err)
		})
	}
	wg.Wait()
	all := strings.Join(out, "")
	if n := strings.Count(all, "started=true err=<nil>"); n != 1 {
		t.Errorf("%d say that they started it, want 1:\n%s", n, all)
	}
	if n := strings.Count(all, "err=<nil>"); n != len(out) {
		t.Errorf("%d of %d found one:\n%s", n, len(out), all)
	}
	log, err := os.ReadFile(socket + ".log")
	if err != nil || len(log) != 0 {
		t.Errorf("a second server was started: %v %s", err, log)
	}
}

// Also when callers do not use Ensure: service units, for example.
func TestTenServersOneServes(t *testing.T) {
	socket := socketIn(t)
	var wg sync.WaitGroup
	cmds := make([]*exec.Cmd, 10)
	var running sync.Map
	for i := range cmds {
		cmds[i] = play("server", socket)
		out := &lockedBuffer{}
		cmds[i].Stderr = out
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
		running.Store(i, true)
		wg.Go(func() {
			cmds[i].Wait()
			running.Delete(i)
			if s := out.String(); s != "" && !strings.Contains(s, server.ErrRunning.Error()) {
				t.Errorf("a server says %q", s)
			}
		})
	}
	left := func() (n int) {
		running.Range(func(_, _ any) bool { n++; return true })
		return n
	}
	eventually(t, func() bool { return left() == 1 }, func() string { return fmt.Sprint(left(), " are running") })
	pid := serverPID(socket)
	for _, c := range cmds {
		if c.Process.Pid == pid {
			c.Process.Signal(syscall.SIGTERM)
		}
	}
	wg.Wait()
	nothingLeft(t, socket)
}

// nothingLeft fails if there is a socket.
func nothingLeft(t *testing.T, socket string) {
	t.Helper()
	if _, err := os.Lstat(socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestEnsure(t *testing.T) {
	socket := socketIn(t)
	endServer(t, socket)
	started, err := server.Ensure(context.Background(), socket, launch(socket, "server"))
	if !started || err != nil {
		t.Fatal(started, err)
	}
	pid := mustServerPID(t, socket)
	if sid, err := unix.Getsid(pid); err != nil || sid != pid {
		t.Errorf("the server is in session %d, want its own, %d", sid, pid)
	}
	if dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && dir != "/" {
		t.Errorf("it keeps %s busy", dir)
	}
	if fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
		for _, fd := range fds {
			to, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name()))
			ours, _ := os.Readlink("/proc/self/fd/" + fd.Name()) // from before the test
			if strings.HasPrefix(to, "pipe:") && to != ours {
				t.Errorf("descriptor %s of the server still is a pipe to its starter", fd.Name())
			}
		}
	}
	if started, err := server.Ensure(context.Background(), socket, launch(socket, "server")); started || err != nil {
		t.Error("second time:", started, err)
	}
	// What a killed server leaves is no obstacle.
	syscall.Kill(pid, syscall.SIGKILL)
	eventually(t, func() bool { return serverPID(socket) == 0 }, func() string { return "it lives" })
	if _, err := os.Lstat(socket); err != nil {
		t.Fatal("a killed server should leave its socket: ", err)
	}
	if started, err := server.Ensure(context.Background(), socket, launch(socket, "server")); !started || err != nil {
		t.Error("after a kill:", started, err)
	}
}

func TestEnsureTellsWhatFailed(t *testing.T) {
	for _, c := range []struct{ role, says string }{
		{"broken", "the database is of tomorrow"},
		{"mute", "panic: nothing works"},
		{"hung", "did not take clients within 300ms"},
	} {
		t.Run(c.role, func(t *testing.T) {
			socket := socketIn(t)
			l := launch(socket, c.role)
			if c.role == "hung" {
				l.Wait = 300 * time.Millisecond
			}
			started, err := server.Ensure(context.Background(), socket, l)
			if started || err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("started %v, %v; want %q", started, err, c.says)
			}
		})
	}
	t.Run("no program", func(t *testing.T) {
		socket := socketIn(t)
		_, err := server.Ensure(context.Background(), socket, server.Launch{Argv: []string{"/nonexistent/program"}, Log: socket + ".log"})
		if !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	})
}

// The report's descriptor is not there for what the server runs.
func TestStartedHidesItsDescriptor(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fd, err := unix.Dup(int(w.Fd())) // inherited, as by exec
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(server.ReadyVar, strconv.Itoa(fd))
	starter := server.Started()
	if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("flags %x, %v", flags, err)
	}
	starter.Tell(errors.New("first"))
	starter.Tell(nil)
	if b, err := io.ReadAll(r); string(b) != "first" || err != nil {
		t.Errorf("told %q, %v", b, err)
	}

	t.Setenv(server.ReadyVar, "0")
	server.Started().Tell(nil) // nobody waits
	if v, ok := os.LookupEnv(server.ReadyVar); ok {
		t.Errorf("%s=%s is left in the environment", server.ReadyVar, v)
	}
}

func TestListen(t *testing.T) {
	ctx := context.Background()
	socket := socketIn(t)
	l, err := server.Listen(ctx, socket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Listen(ctx, socket); !errors.Is(err, server.ErrRunning) {
		t.Errorf("a second one: %v", err)
	}
	for path, want := range map[string]os.FileMode{socket: 0o600, filepath.Dir(socket): 0o700} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, st.Mode(), err, want)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	nothingLeft(t, socket)

	// What another put there is not removed.
	if l, err = server.Listen(ctx, socket); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(socket), os.WriteFile(socket, nil, 0o600), l.Close()); err != nil {
		t.Error(err)
	}
	if err := os.Remove(socket); err != nil {
		t.Errorf("what is not its own was removed: %v", err)
	}

	// While one ends, the next waits for it.
	if l, err = server.Listen(ctx, socket); err != nil {
		t.Fatal(err)
	}
	os.Remove(socket) // as its end would: the lock is still held
	next := make(chan error, 1)
	go func() {
		l, err := server.Listen(ctx, socket)
		if err == nil {
			err = l.Close()
		}
		next <- err
	}()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := <-next; err != nil {
		t.Error("the next: ", err)
	}

	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if l, err = server.Listen(ctx, socket); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	os.Remove(socket)
	if _, err := server.Listen(short, socket); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("locked for ever: %v", err)
	}
}

// What is not ours is not removed.
func TestListenKeepsFiles(t *testing.T) {
	socket := socketIn(t)
	if err := server.Folder(filepath.Dir(socket)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(socket, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Listen(context.Background(), socket); err == nil || !strings.Contains(err.Error(), "no socket") {
		t.Error(err)
	}
	if b, err := os.ReadFile(socket); string(b) != "precious" {
		t.Error(b, err)
	}
}

func TestSocketPath(t *testing.T) {
	dir := "/" + strings.Repeat("d", server.MaxSocketPath-len("//name"))
	for _, c := range []struct {
		dir, name, wrong string
	}{
		{"/run/user/1000/reprise", "default", ""},
		{"/run", "a-B_9.x", ""},
		{dir, "name", ""},
		{dir, "names", "choose a shorter folder"},
		{"/run", "", "cannot name"},
		{"/run", "..", "cannot name"},
		{"/run", "a/b", "cannot name"},
		{"/run", "a b", "cannot name"},
		{"/run", "é", "cannot name"},
	} {
		path, err := server.SocketPath(c.dir, c.name)
		switch {
		case c.wrong == "" && (err != nil || path != c.dir+"/"+c.name):
			t.Errorf("%s in %s: %q, %v", c.name, c.dir, path, err)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%q: %v, want %q", c.name, err, c.wrong)
		}
	}
	if _, err := server.Listen(context.Background(), dir+"/names"); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Error("listen at a path that is too long: ", err)
	}
}

func TestFolder(t *testing.T) {
	base := t.TempDir()
	open := filepath.Join(base, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o750); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ dir, wrong string }{
		{filepath.Join(base, "new", "deep"), ""},
		{open, "chmod 700"},
		{file, "not a directory"},
		{link, "no folder"},
		{"relative", "absolute"},
	}
	if os.Geteuid() == 0 {
		theirs := filepath.Join(base, "theirs")
		if err := os.Mkdir(theirs, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(theirs, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, struct{ dir, wrong string }{theirs, "another user"})
	}
	for _, c := range cases {
		err := server.Folder(c.dir)
		if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%s: %v, want %q", c.dir, err, c.wrong)
		}
	}
}

// A server that was begun before anybody asked for one is the one that is waited for; what
// came of it is not the end if it came to nothing.
func TestEnsureWaitsForWhatWasBegun(t *testing.T) {
	tests := map[string]struct {
		role    string // of what was begun
		running bool   // another server serves already
		started bool
	}{
		"it serves":                  {role: "server", started: true},
		"it ends at once":            {role: "none", started: true},
		"another one serves already": {role: "server", running: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			socket := socketIn(t)
			if err := server.Folder(filepath.Dir(socket)); err != nil {
				t.Fatal(err)
			}
			endServer(t, socket)
			if tt.running {
				if _, err := server.Ensure(t.Context(), socket, launch(socket, "server")); err != nil {
					t.Fatal(err)
				}
			}
			before := serverPID(socket)
			l := launch(socket, tt.role)
			begun, err := early.Begin(l.Argv, (&exec.Cmd{Env: l.Env}).Environ(), l.Log)
			if err != nil {
				t.Fatal(err)
			}
			l = launch(socket, "server")
			l.Begun = &begun
			started, err := server.Ensure(t.Context(), socket, l)
			if err != nil || started != tt.started {
				t.Fatalf("started %v, %v, want %v", started, err, tt.started)
			}
			pid := mustServerPID(t, socket)
			if tt.running && pid != before {
				t.Errorf("process %d serves, want %d", pid, before)
			}
			if ours := pid == begun.PID; ours != (tt.role == "server" && !tt.running) {
				t.Errorf("what was begun serves: %v", ours)
			}
		})
	}
}

// What a server that was begun does not say in time is told as of any other.
func TestBegunThatSaysNothing(t *testing.T) {
	socket := socketIn(t)
	if err := server.Folder(filepath.Dir(socket)); err != nil {
		t.Fatal(err)
	}
	l := launch(socket, "hung")
	begun, err := early.Begin(l.Argv, (&exec.Cmd{Env: l.Env}).Environ(), l.Log)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(begun.PID, syscall.SIGKILL)
	l.Begun, l.Wait = &begun, 300*time.Millisecond
	started, err := server.Ensure(t.Context(), socket, l)
	if started || err == nil || !strings.Contains(err.Error(), "did not take clients within 300ms") || !strings.Contains(err.Error(), l.Log) {
		t.Errorf("started %v, %v", started, err)
	}
}
