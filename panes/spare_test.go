package panes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"reprise/panes"
)

func newSpare(t *testing.T) *panes.Spare {
	t.Helper()
	s := panes.NewSpare([]string{os.Args[0], "gate"})
	t.Cleanup(s.Close)
	return s
}

// A spare shim becomes what any other does: with its folder, arguments, environment
// and size, in a session of its own, and only when the gate opens.
func TestSpareShim(t *testing.T) {
	t.Parallel()
	const script = `{ pwd; stty size; printf '%s\n' "$#" "$@"; ps -o sid= -p $$ | tr -d ' '; env | grep -v '^_=' | LC_ALL=C sort; } >out`
	h := hostWith(t, panes.HostOptions{
		Spare: newSpare(t), Environ: append(os.Environ(), "TMUX=outer", "LONG="+strings.Repeat("x", 100_000)),
	})
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	var said [2]string
	for i := range said { // the first one takes it
		term := startClosed(t, h, panes.Spec{
			ID: panes.TerminalID(fmt.Sprint("terminal-", i)), Argv: []string{"sh", "-c", script, "sh", "an arg\nument", "\xff", ""},
			Dir: dir, Nonce: "n-1", Env: []string{"ODD=\xff\n=", "GONE"}, Size: panes.Size{Cols: 90, Rows: 11},
		})
		if _, err := os.Stat(out); err == nil {
			t.Error("it ran before the gate opened")
		}
		if err := term.OpenGate(); err != nil {
			t.Fatal(err)
		}
		waitDone(t, term)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatalf("%v: %s", err, screenText(term))
		}
		said[i] = strings.NewReplacer(fmt.Sprint(term.Process().PID), "PID", "terminal-1", "terminal-0").Replace(string(b))
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
	if said[0] != said[1] {
		t.Errorf("a spare shim became something else than others do:%s", difference(said[0], said[1]))
	}
	if want := dir + "\n11 90\n3\nan arg\nument\n\xff\n\nPID\n"; !strings.HasPrefix(said[0], want) {
		t.Errorf("it is %.300q, want %q", said[0], want)
	}
}

// difference is the lines that are only in one of two texts.
func difference(a, b string) (all string) {
	for _, l := range strings.Split(a, "\n") {
		if !strings.Contains(b, l) {
			all += fmt.Sprintf("\n-%.200q", l)
		}
	}
	for _, l := range strings.Split(b, "\n") {
		if !strings.Contains(a, l) {
			all += fmt.Sprintf("\n+%.200q", l)
		}
	}
	return all
}

func TestSpareShimThatDied(t *testing.T) {
	t.Parallel()
	s := newSpare(t)
	id, err := panes.Identify(panes.SparePID(s))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(id.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); id.Alive(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not die")
		}
	}
	h := hostWith(t, panes.HostOptions{Spare: s})
	term := start(t, h, "echo", "started all the same")
	waitDone(t, term)
	if got := screenText(term); !strings.Contains(got, "all the same") {
		t.Errorf("the screen: %q", got)
	}
}

// What cannot be ordered is refused like by any other shim.
func TestSpareShimRefuses(t *testing.T) {
	t.Parallel()
	h := hostWith(t, panes.HostOptions{Spare: newSpare(t)})
	if term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"echo", "a\x00b"}, Dir: "/"}); err == nil {
		end(t, term)
		t.Error("an argument with a NUL was taken")
	}
}

func TestSpareShimEnds(t *testing.T) {
	t.Parallel()
	s := panes.NewSpare([]string{os.Args[0], "gate"})
	pid := panes.SparePID(s)
	s.Close()
	s.Close()
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("process %d: %v", pid, err)
	}
	panes.NewSpare([]string{"/nowhere/to/be/found", "gate"}).Close()
}
