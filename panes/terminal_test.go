package panes_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"reprise/panes"
	"reprise/panes/gate"
	"reprise/panes/vt"
)

func TestProgramsEnd(t *testing.T) {
	tests := []struct {
		name string
		argv []string
		exit panes.Exit
		text string
	}{
		{"0", []string{"sh", "-c", "echo fine"}, panes.Exit{}, "fine"},
		{"7", []string{"sh", "-c", "echo bad; exit 7"}, panes.Exit{Status: 7}, "bad"},
		{"HUP", []string{"sh", "-c", "kill -HUP $$"}, panes.Exit{Status: 129, Signal: 1}, ""},
		{"KILL", []string{"sh", "-c", "kill -KILL $$"}, panes.Exit{Status: 137, Signal: 9}, ""},
		{"no shell", []string{os.Args[0], "argv", "a b", "$HOME", "; echo x", "--flag", ""}, panes.Exit{}, `argv=["a b" "$HOME" "; echo x" "--flag" ""]`},
		{"unknown", []string{"no-such-program"}, panes.Exit{Status: 127}, "reprise: cannot run no-such-program: not in PATH"},
		{"no file", []string{"/no/such/file"}, panes.Exit{Status: 127}, "reprise: cannot run /no/such/file: no such file"},
		{"directory", []string{"/"}, panes.Exit{Status: 126}, "reprise: cannot run /: not executable: it is a directory"},
		{"not executable", []string{"/etc/passwd"}, panes.Exit{Status: 126}, "reprise: cannot run /etc/passwd: not executable: no permission"},
	}
	h := newHost(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term := start(t, h, tt.argv...)
			if got := waitDone(t, term); got != tt.exit {
				t.Errorf("exit %+v, want %+v", got, tt.exit)
			}
			waitText(t, term, tt.text)
			if got := term.LastLine(); got != tt.text {
				t.Errorf("last line %q, want %q", got, tt.text)
			}
			if !term.GateOpen() {
				t.Error("gate is not open")
			}
			if err := term.Send([]byte("x")); !errors.Is(err, panes.ErrEnded) {
				t.Errorf("send to the dead: %v", err)
			}
			if err := term.Signal(syscall.SIGTERM); !errors.Is(err, panes.ErrEnded) {
				t.Errorf("signal to the dead: %v", err)
			}
		})
	}
}

func TestRoundTrip(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", "stty raw -echo; echo ready; exec cat")
	waitText(t, term, "ready")
	if err := term.Report([]byte("focus\r\n")); err != nil {
		t.Fatal(err)
	}
	waitText(t, term, "focus")
	if !term.LastKey().IsZero() {
		t.Error("a report counts as a key")
	}
	var sent strings.Builder
	for i := range 2000 {
		line := fmt.Sprintf("line %d\r\n", i)
		sent.WriteString(line)
		if err := term.Send([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	waitText(t, term, "line 1999")
	if age := time.Since(term.LastKey()); age < 0 || age > patience {
		t.Errorf("last key %v ago", age)
	}
}

func TestEnvironment(t *testing.T) {
	for _, kv := range []string{
		"TMUX=/tmp/x", "CLAUDECODE=1", "CLAUDE_CODE_USE_BEDROCK=1", "COLUMNS=3", "REPRISE_HOME=/h", "REPRISE_PANE=outer",
		"REPRISE_NONCE=outer", "REPRISE_X=1", "ZELLIJ_PANE_ID=1", "GIVEN=outer", "KITTY_WINDOW_ID=1", "REPRISE_PID=1", "UNSET=outer",
	} {
		key, value, _ := strings.Cut(kv, "=")
		t.Setenv(key, value)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "env")
	term := startClosed(t, newHost(t), panes.Spec{
		Argv: []string{"sh", "-c", "env > env; echo $$ > pid"}, Dir: dir, Pane: "p1", Nonce: "n1",
		Env: []string{"GIVEN=1", "GIVEN=2", "UNSET", "TERM=dumb", "REPRISE_HOOK=hook", "REPRISE_NONCE=forged"},
	})
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	waitDone(t, term)
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if _, twice := got[key]; twice {
			t.Errorf("%s stands there twice", key)
		}
		got[key] = value
	}
	want := map[string]string{
		"TERM": "xterm-256color", "COLORTERM": "truecolor", "TERM_PROGRAM": "Reprise", "REPRISE": "1", "REPRISE_PANE": "p1",
		"REPRISE_TERMINAL": string(term.ID()), "REPRISE_NONCE": "n1", "REPRISE_HOME": "/h", "REPRISE_HOOK": "hook",
		"GIVEN": "2", "CLAUDE_CODE_USE_BEDROCK": "1", "PWD": dir, "REPRISE_PID": strconv.Itoa(term.Process().PID),
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s=%q, want %q", key, got[key], value)
		}
	}
	for _, key := range []string{"TMUX", "CLAUDECODE", "COLUMNS", "REPRISE_X", "ZELLIJ_PANE_ID", "KITTY_WINDOW_ID", "UNSET"} {
		if value, ok := got[key]; ok {
			t.Errorf("%s=%q was inherited", key, value)
		}
	}
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil || strings.TrimSpace(string(pid)) != strconv.Itoa(term.Process().PID) {
		t.Errorf("the program's pid is %s (%v), the terminal says %d", pid, err, term.Process().PID)
	}
}

// A program starts with a terminal as it should be, and with signals as they
// should be, even if we were started with some ignored.
func TestCleanStart(t *testing.T) {
	ignored := []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTSTP, syscall.SIGTTOU, syscall.SIGUSR1, syscall.SIGPIPE}
	signal.Ignore(ignored...)
	defer signal.Reset(ignored...)
	term := start(t, newHost(t), "sh", "-c", "stty -a; grep Sig[BI] /proc/self/status")
	waitDone(t, term)
	text := screenText(term)
	if !strings.Contains(text, " iutf8") || !strings.Contains(text, "erase = ^?") {
		t.Errorf("tty:\n%s", text)
	}
	if !regexp.MustCompile(`SigBlk:\s+0+\nSigIgn:\s+0+\n`).MatchString(text) {
		t.Errorf("ignored signals:\n%s", text)
	}
}

// The gate: nothing runs unless it was opened, and nobody else's death opens it.
func TestGateClosed(t *testing.T) {
	h := newHost(t)
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	term := startClosed(t, h, panes.Spec{Argv: []string{"touch", ran}, Dir: dir})
	id := term.Process()
	if !id.Alive() {
		t.Fatal("the shim does not wait")
	}
	if term.GateOpen() {
		t.Error("gate is open")
	}
	if err := term.CloseGate(); err != nil {
		t.Fatal(err)
	}
	if got := waitDone(t, term); got.Status != gate.Closed {
		t.Errorf("exit %+v, want status %d", got, gate.Closed)
	}
	if err := term.OpenGate(); !errors.Is(err, panes.ErrGate) {
		t.Errorf("open a closed gate: %v", err)
	}
	if _, err := os.Stat(ran); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the program ran (%v)", err)
	}
}

// The owner dies by SIGKILL with the gate closed: the shim sees the pipe's end,
// although another child of the owner lives on, and nothing runs.
func TestGateOwnerKilled(t *testing.T) {
	dir := t.TempDir()
	owner := exec.Command(os.Args[0], "owner", dir)
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var ids []panes.ProcessID
	if err != nil || json.Unmarshal(line, &ids) != nil || len(ids) != 2 {
		t.Fatalf("%s (%v)", line, err)
	}
	waits, runs := ids[0], ids[1]
	defer func() {
		if err := panes.EndProcess(t.Context(), runs, "runs", 100*time.Millisecond); err != nil {
			t.Error(err)
		}
	}()
	if !waits.Alive() || !runs.Alive() {
		t.Fatal("they do not run")
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait()
	waitFor(t, "the shim's end", func() bool { return !waits.Alive() })
	if !runs.Alive() {
		t.Error("the other one died too: the test shows nothing")
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the program ran (%v)", err)
	}
}

func TestGateShimGone(t *testing.T) {
	term := startClosed(t, newHost(t), panes.Spec{Argv: []string{"true"}})
	if err := term.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	waitDone(t, term)
	if err := term.OpenGate(); err == nil {
		t.Error("the gate of a dead shim opens")
	}
	if term.GateOpen() {
		t.Error("gate is open")
	}
}

func TestGateOnce(t *testing.T) {
	term := start(t, newHost(t), "sleep", "60")
	if err := term.CloseGate(); !errors.Is(err, panes.ErrGate) {
		t.Errorf("close an open gate: %v", err)
	}
	if !term.GateOpen() || !term.Process().Alive() {
		t.Error("the program is gone")
	}
}

func TestStartRefuses(t *testing.T) {
	h := newHost(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	sh := []string{"sh"}
	tests := []struct {
		name string
		ctx  context.Context
		spec panes.Spec
		want error
	}{
		{"directory gone", t.Context(), panes.Spec{Argv: sh, Dir: "/no/such/dir"}, panes.ErrNoDirectory},
		{"directory is a file", t.Context(), panes.Spec{Argv: sh, Dir: file}, panes.ErrNoDirectory},
		{"relative directory", t.Context(), panes.Spec{Argv: sh, Dir: "."}, panes.ErrNoDirectory},
		{"no program", t.Context(), panes.Spec{Dir: "/"}, nil},
		{"cancelled", done, panes.Spec{Argv: sh, Dir: "/"}, context.Canceled},
		{"NUL", t.Context(), panes.Spec{Argv: []string{"a\x00b"}, Dir: "/"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term, err := h.Start(tt.ctx, tt.spec)
			if err == nil || term != nil {
				t.Fatalf("started %v", term)
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of several lines: %q", err)
			}
		})
	}
	if n := len(h.Terminals()); n != 0 {
		t.Errorf("%d terminals are left", n)
	}
}

// A grandchild that ignores SIGHUP and holds the pty does not keep its dead
// parent's terminal alive.
func TestGrandchildHoldsPTY(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", `trap "" HUP; sleep 60 & echo child $!; exit 3`)
	if got := waitDone(t, term); got.Status != 3 {
		t.Errorf("exit %+v", got)
	}
	waitText(t, term, "child ")
	pid, err := strconv.Atoi(strings.TrimPrefix(term.LastLine(), "child "))
	if err != nil {
		t.Fatal(err)
	}
	kin := panes.Group(term.Process(), term.Spec().Nonce)
	if len(kin) != 1 || kin[0].PID != pid {
		t.Fatalf("kin of the dead: %v, want %d", kin, pid)
	}
	// Without the nonce there is no proof that they are ours.
	if kin := panes.Group(term.Process(), "other"); len(kin) != 0 {
		t.Errorf("kin by a wrong nonce: %v", kin)
	}
	if kin := panes.Group(term.Process(), ""); len(kin) != 0 {
		t.Errorf("kin by no nonce: %v", kin)
	}
	if err := panes.EndProcess(t.Context(), term.Process(), term.Spec().Nonce, time.Second); err != nil {
		t.Fatal(err)
	}
	if kin[0].Alive() {
		t.Error("it lives on")
	}
}

func TestOutputBeforeDeathIsKept(t *testing.T) {
	h := newHost(t)
	for i := range 20 {
		want := fmt.Sprintf("last words %d", i)
		term := start(t, h, "sh", "-c", "seq 1 500; printf '"+want+"'")
		waitDone(t, term)
		if got := term.LastLine(); got != want {
			t.Fatalf("last line %q, want %q", got, want)
		}
		h.Retire(term.ID())
	}
}

// A flood with a subscriber that never looks costs no memory and loses nothing.
func TestFlood(t *testing.T) {
	h := fakeHost(t)
	wake, cancel := h.Subscribe()
	defer cancel()
	before := fakeBytes.Load()
	const size = 10 << 20
	term := start(t, h, "sh", "-c", fmt.Sprintf("head -c %d /dev/zero; printf 'the end'", size))
	waitDone(t, term)
	if got := fakeBytes.Load() - before; got < size {
		t.Errorf("%d bytes arrived, want at least %d", got, size)
	}
	if !strings.HasSuffix(term.LastLine(), "the end") {
		t.Errorf("last line %q", term.LastLine())
	}
	select {
	case <-wake:
	default:
		t.Error("the subscriber was not woken")
	}
	select {
	case <-wake:
		t.Error("wakes queue up")
	default:
	}
}

func TestInputFull(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", "stty raw -echo; echo ready; exec sleep 60")
	waitText(t, term, "ready")
	piece := make([]byte, 64<<10)
	for i := range piece {
		piece[i] = 'x'
	}
	var err error
	taken := 0
	for err == nil && taken < 4<<20 {
		if err = term.Send(piece); err == nil {
			taken += len(piece)
		}
	}
	if !errors.Is(err, panes.ErrInputFull) {
		t.Fatalf("after %d bytes: %v", taken, err)
	}
	if taken < 15*(64<<10) {
		t.Errorf("full after %d bytes", taken)
	}
	if err := term.Send(make([]byte, 1<<20+1)); !errors.Is(err, panes.ErrInputFull) {
		t.Errorf("more than fits at all: %v", err)
	}
	// A writer that hangs in the pty does not keep the terminal from ending.
	if err := term.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	waitDone(t, term)
}

// Replies reach the program through the queue; one that asks without end and
// never reads is not answered without end, and does not block.
func TestReplies(t *testing.T) {
	h := fakeHost(t)
	term := start(t, h, "sh", "-c", `stty raw -echo min 6; printf '\033[c'; dd bs=1 count=6 2>/dev/null | od -An -c; printf done`)
	waitDone(t, term)
	if text := screenText(term); !strings.Contains(text, "033   [   ?   6   2   c") {
		t.Errorf("no reply:\n%s", text)
	}
	deaf := start(t, h, "sh", "-c", `stty raw -echo; i=0; while [ $i -lt 30000 ]; do printf '\033[c'; i=$((i+1)); done; echo asked`)
	waitDone(t, deaf)
	waitText(t, deaf, "asked")
}

func TestResize(t *testing.T) {
	h := newHost(t)
	term := startClosed(t, h, panes.Spec{
		Argv: []string{"sh", "-c", `trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done`},
		Size: panes.Size{Cols: 60, Rows: 11},
	})
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	waitText(t, term, "11 60")
	seq := term.Seq()
	if err := term.Resize(panes.Size{Cols: 90, Rows: 12}); err != nil {
		t.Fatal(err)
	}
	if term.Seq() == seq {
		t.Error("seq did not move")
	}
	waitText(t, term, "12 90")
	var screen vt.Screen
	if term.Snapshot(&screen); screen.Cols != 90 || screen.Rows != 12 {
		t.Errorf("the screen is %d×%d", screen.Cols, screen.Rows)
	}
	if err := term.Resize(panes.Size{Cols: -3, Rows: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	if got, want := term.Size(), (panes.Size{Cols: 1, Rows: panes.MaxSide}); got != want {
		t.Errorf("size %v, want %v", got, want)
	}
	end(t, term)
	if err := term.Resize(panes.Size{Cols: 40, Rows: 4}); err != nil {
		t.Errorf("resize of a dead one's screen: %v", err)
	}
	if got, want := term.Size(), (panes.Size{Cols: 40, Rows: 4}); got != want {
		t.Errorf("size %v, want %v", got, want)
	}
}

// A program that closes its terminal and opens it again goes on being heard.
func TestReopenedTTY(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", `T=$(tty); exec <&- >&- 2>&-; sleep 0.3; echo back > "$T"; sleep 60`)
	waitText(t, term, "back")
	if !term.Process().Alive() {
		t.Error("it is gone")
	}
}

// A fault of the emulator costs the screen, not the program.
func TestEmulatorPanics(t *testing.T) {
	term := start(t, fakeHost(t), "sh", "-c", "echo PANIC; read x; echo got $x; sleep 60")
	waitFor(t, "a broken terminal", func() bool { return term.Broken() != nil })
	if err := term.Send([]byte("on\n")); err != nil {
		t.Fatal(err)
	}
	waitText(t, term, "got on")
}

func TestSnapshotDoesNotAllocate(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", "seq 1 100; exec sleep 60")
	waitText(t, term, "100")
	var s vt.Screen
	term.Snapshot(&s)
	if n := testing.AllocsPerRun(100, func() { term.Snapshot(&s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if term.State().Bells != 0 {
		t.Error("a bell")
	}
}

// BenchmarkFlood is the whole way of a program's output: pty, reader, emulator.
func BenchmarkFlood(b *testing.B) {
	h := panes.NewHost(panes.HostOptions{Shim: func() []string { return []string{os.Args[0], "gate"} }})
	const size = 16 << 20
	b.SetBytes(size)
	for b.Loop() {
		term, err := h.Start(b.Context(), panes.Spec{
			Argv: []string{"sh", "-c", fmt.Sprintf("yes 'a line of forty characters, more or less' | head -c %d", size)}, Dir: "/",
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := term.OpenGate(); err != nil {
			b.Fatal(err)
		}
		<-term.Done()
		h.Retire(term.ID())
	}
}

// BenchmarkProcesses is what one look for foreign holders of a session costs.
func BenchmarkProcesses(b *testing.B) {
	for b.Loop() {
		if _, err := panes.Processes(); err != nil {
			b.Fatal(err)
		}
	}
}
