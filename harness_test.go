package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"reprise/panes/vt"
	"reprise/testdata/lab"
)

// patience is how long a test waits for something that must happen. Nothing is
// measured by it; it only ends a test that hangs.
const patience = 60 * time.Second

// bin holds the binaries that the tests run, built once: reprise with failpoints
// compiled in, and the stand-in agent.
var bin struct{ dir, reprise, standin string }

// testsAtOnce is how many of these tests run at a time, unless -parallel says
// otherwise: each waits most of its time, for processes that wait for each other. On
// two cores the whole takes two thirds of what it takes with two at a time.
const testsAtOnce = 5

func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		if err := flag.Set("test.parallel", strconv.Itoa(max(testsAtOnce, runtime.GOMAXPROCS(0)))); err != nil {
			panic(err)
		}
	}
	code, err := withBinaries(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func withBinaries(run func() int) (int, error) {
	dir, err := os.MkdirTemp("", "reprise-test-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	bin.dir, bin.reprise, bin.standin = dir, filepath.Join(dir, "reprise"), filepath.Join(dir, "standin")
	if err := errors.Join(lab.Build(bin.reprise, ".", "-tags", "failpoint"), lab.Build(bin.standin, "./testdata/standin")); err != nil {
		return 1, err
	}
	return run(), nil
}

// home is one person's machine: a state folder, a config file with the stand-in
// as an agent, a project directory, the stand-in's conversations and launch log.
type home struct {
	t                       *testing.T
	root, project, launches string
	env                     []string
}

func newHome(t *testing.T) *home {
	t.Helper()
	root := t.TempDir()
	h := &home{t: t, root: root, project: filepath.Join(root, "proj"), launches: filepath.Join(root, "launches.jsonl")}
	for _, d := range []string{h.project, filepath.Join(root, "config"), filepath.Join(root, "standin")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.env = []string{
		"HOME=" + root, "REPRISE_HOME=" + root, "PATH=" + bin.dir + ":" + os.Getenv("PATH"), "SHELL=/bin/sh", "PS1=$ ", "LANG=C.UTF-8",
		"TERM=xterm-256color", "COLORTERM=truecolor", "STANDIN_HOME=" + filepath.Join(root, "standin"), "STANDIN_LOG=" + h.launches,
	}
	h.config("")
	t.Cleanup(func() {
		h.clear()
		if log, err := os.ReadFile(filepath.Join(root, "state", "reprise.log")); err == nil && t.Failed() {
			t.Logf("reprise.log:\n%s", log[max(0, len(log)-8<<10):])
		}
	})
	return h
}

// clear ends whatever still runs on this machine (agents that survive their
// server, late hooks), so that the next test finds nothing of it.
func (h *home) clear() {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		left := 0
		dirs, _ := filepath.Glob("/proc/[0-9]*")
		for _, d := range dirs {
			env, err := os.ReadFile(filepath.Join(d, "environ"))
			pid, _ := strconv.Atoi(filepath.Base(d))
			if err == nil && pid != os.Getpid() && strings.Contains(string(env), "REPRISE_HOME="+h.root+"\x00") {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				left++
			}
		}
		if left == 0 {
			return
		}
	}
	h.t.Error("processes of this test cannot be ended")
}

// config writes config.toml: the stand-in agent, and more.
func (h *home) config(more string) {
	h.t.Helper()
	text := more + fmt.Sprintf(`
[agents.standin]
command = %q
new_args = ["--session-id", "{session_id}"]
resume_args = ["--resume", "{session_id}"]
fork_args = ["--fork", "{session_id}"]
`, bin.standin)
	if err := os.WriteFile(filepath.Join(h.root, "config", "config.toml"), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// launched reads the stand-in's launch log.
func (h *home) launched() []lab.Start {
	h.t.Helper()
	starts, err := lab.Starts(h.launches)
	if err != nil {
		h.t.Fatal(err)
	}
	return starts
}

// client is a running reprise, seen through a terminal that answers queries: our
// own emulator.
type client struct {
	t       *testing.T
	cmd     *exec.Cmd
	tty     *os.File
	mu      sync.Mutex
	emu     *vt.Emulator
	scr     vt.Screen
	sent    time.Time     // when keys were last sent
	answers int           // messages in the conversation at the last answer
	done    chan struct{} // closed when the process has ended
}

const outerCols, outerRows = 120, 34

// start runs reprise with the arguments in the home's project directory, in one
// process: what it runs dies with it.
func (h *home) start(args ...string) *client {
	h.t.Helper()
	return h.startProgram(bin.reprise, h.project, nil, args...)
}

func (h *home) startProgram(program, dir string, env []string, args ...string) *client {
	h.t.Helper()
	cmd := exec.Command(program, append([]string{"--foreground"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(append([]string{}, h.env...), env...)
	return h.startCommand(cmd, outerCols, outerRows)
}

// startSized is start in a terminal of another size.
func (h *home) startSized(cols, rows int, args ...string) *client {
	h.t.Helper()
	cmd := exec.Command(bin.reprise, append([]string{"--foreground"}, args...)...)
	cmd.Dir, cmd.Env = h.project, h.env
	return h.startCommand(cmd, cols, rows)
}

func (h *home) startCommand(cmd *exec.Cmd, cols, rows int) *client {
	h.t.Helper()
	c := &client{t: h.t, cmd: cmd, done: make(chan struct{})}
	tty, err := pty.StartWithSize(c.cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		h.t.Fatal(err)
	}
	c.tty = pollable(h.t, tty)
	replies := make(chan []byte, 1024)
	c.emu = vt.New(vt.Options{Cols: cols, Rows: rows, Reply: func(b []byte) {
		select {
		case replies <- append([]byte(nil), b...):
		default:
		}
	}})
	go func() {
		for b := range replies {
			_, _ = c.tty.Write(b)
		}
	}()
	go func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := c.tty.Read(buf)
			c.mu.Lock()
			_, _ = c.emu.Write(buf[:n])
			c.mu.Unlock()
			if err != nil {
				close(replies)
				return
			}
		}
	}()
	go func() {
		_ = c.cmd.Wait()
		close(c.done)
	}()
	h.t.Cleanup(func() {
		c.kill()
		_ = c.tty.Close()
	})
	return c
}

// pollable is f by a descriptor that the runtime polls: only so does Close end a
// Read that waits, as a closed window must.
func pollable(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := syscall.Dup(int(f.Fd()))
	if err == nil {
		err = syscall.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	return os.NewFile(uintptr(fd), f.Name())
}

// text is the screen, row by row, without trailing blanks.
func (c *client) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.emu.Snapshot(&c.scr)
	var b strings.Builder
	for y := range c.scr.Rows {
		var row []byte
		for _, cell := range c.scr.Row(y) {
			row = c.scr.AppendText(row, cell)
		}
		b.WriteString(strings.TrimRight(string(row), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// wait waits until the screen matches the pattern.
func (c *client) wait(pattern string) { c.t.Helper(); comes(c.t, c.text, pattern) }

func comes(t *testing.T, text func() string, pattern string) {
	t.Helper()
	comesWithin(t, patience, text, pattern)
}

func comesWithin(t *testing.T, d time.Duration, text func() string, pattern string) {
	t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	within(t, d, func() error {
		if s := text(); !re.MatchString(s) {
			return fmt.Errorf("no %q on the screen:\n%s", pattern, s)
		}
		return nil
	})
}

// gone waits until the screen no longer matches the pattern.
func (c *client) gone(pattern string) { c.t.Helper(); goes(c.t, c.text, pattern) }

func goes(t *testing.T, text func() string, pattern string) {
	t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	eventually(t, func() error {
		if s := text(); re.MatchString(s) {
			return fmt.Errorf("%q stays on the screen:\n%s", pattern, s)
		}
		return nil
	})
}

func (c *client) send(keys string) {
	c.t.Helper()
	c.sent = time.Now()
	if _, err := c.tty.WriteString(keys); err != nil {
		c.t.Fatalf("send keys: %v", err)
	}
}

// stripQuiet is how long after the last key a strip takes one (resume.md §5), and
// a bit more.
const stripQuiet = 800 * time.Millisecond

// press presses a strip's key until the strip no longer matches the pattern.
func (c *client) press(key, strip string) {
	c.t.Helper()
	re := regexp.MustCompile("(?m)" + strip)
	c.pressUntil(key, strip, func() bool { return !re.MatchString(c.text()) })
}

// pressUntil presses a strip's key until it has done its work. Mostly that is once;
// a busy machine can make a key come too early.
func (c *client) pressUntil(key, strip string, done func() bool) {
	c.t.Helper()
	c.wait(strip)
	re := regexp.MustCompile("(?m)" + strip)
	next := c.sent.Add(stripQuiet)
	eventually(c.t, func() error {
		if done() {
			return nil
		}
		s := c.text()
		if re.MatchString(s) && time.Now().After(next) {
			c.send(key)
			next = c.sent.Add(3 * stripQuiet)
		}
		return fmt.Errorf("%s does nothing about %q:\n%s", key, strip, s)
	})
}

// types types until the screen matches the pattern: what is typed while a pane's
// program is only about to start is swallowed.
func (c *client) types(keys, pattern string) {
	c.t.Helper()
	re, next := regexp.MustCompile("(?m)"+pattern), time.Time{}
	eventually(c.t, func() error {
		s := c.text()
		if re.MatchString(s) {
			return nil
		}
		if time.Now().After(next) {
			c.send(keys)
			next = c.sent.Add(2 * time.Second)
		}
		return fmt.Errorf("no %q on the screen:\n%s", pattern, s)
	})
}

// resize changes the size of the terminal.
func (c *client) resize(cols, rows int) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.emu.Resize(cols, rows)
	if err := pty.Setsize(c.tty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		c.t.Fatal(err)
	}
}

// kill ends the whole program at once, as a crash does.
func (c *client) kill() {
	_ = c.cmd.Process.Signal(syscall.SIGKILL)
	<-c.done
}

// ended waits until the program has ended by itself.
func (c *client) ended() *os.ProcessState {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(patience):
		c.t.Fatalf("it does not end; the screen:\n%s", c.text())
	}
	return c.cmd.ProcessState
}

// eventually tries until check is content.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	within(t, patience, check)
}

func within(t *testing.T, d time.Duration, check func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(d); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatal(err)
}

// killGroup kills a process group with -9.
func killGroup(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
		t.Fatalf("kill -9 -%d: %v", pid, err)
	}
}
