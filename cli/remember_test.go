package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

func TestFirstDir(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		candidates []string
		want       string
	}{
		{[]string{dir}, dir},
		{[]string{"", "relative", file, filepath.Join(dir, "gone"), dir}, dir},
		{[]string{file}, "/"},
		{nil, "/"},
	} {
		if got := firstDir(c.candidates...); got != c.want {
			t.Errorf("%q: %s, want %s", c.candidates, got, c.want)
		}
	}
}

// A program that changes its directory without a word is found there, but is not asked at
// each look.
func TestSilentProgramsAreAskedAgain(t *testing.T) {
	p := &silent{gone: make(chan struct{})}
	host := panes.NewHost(panes.HostOptions{Launch: func(panes.Spec) (panes.Process, error) { return p, nil }})
	h := &house{proc: &process{}, host: host, coord: agent.NewCoordinator(agent.Config{})}
	pane, err := host.Split("", panes.Right, panes.Size{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	term, err := host.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { <-term.Done() }()
	defer close(p.gone)
	host.Point(pane, term.ID())

	first, second := folder(t), folder(t)
	now := time.Now()
	t.Chdir(first) // the program's process is this one
	asked := h.takeMeta(nil, now)
	t.Chdir(second)
	for range 10 {
		now = now.Add(silentAfter / 20)
		asked = h.takeMeta(asked, now)
	}
	if dir := h.host.Layout().Meta[pane].Dir; dir != first {
		t.Errorf("asked at each look: it is in %s", dir)
	}
	now = now.Add(silentAfter / 2)
	h.takeMeta(asked, now)
	if dir := h.host.Layout().Meta[pane].Dir; dir != second {
		t.Errorf("it is said to be in %s, and is in %s", dir, second)
	}
}

// folder is a new one, by the name that the system has for it.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// silent is a program that shows nothing until it is gone.
type silent struct{ gone chan struct{} }

func (s *silent) ID() panes.ProcessID         { return panes.ProcessID{PID: os.Getpid()} }
func (s *silent) TTY() panes.TTY              { return s }
func (s *silent) Gate(bool) error             { return nil }
func (s *silent) Signal(os.Signal) error      { return nil }
func (s *silent) Wait() (e panes.Exit)        { <-s.gone; return e }
func (s *silent) Write(b []byte) (int, error) { return len(b), nil }
func (s *silent) StopReading(time.Time) error { return nil }
func (s *silent) SetSize(panes.Size) error    { return nil }
func (s *silent) Close() error                { return nil }

func (s *silent) Read(func([]byte)) error {
	<-s.gone
	return errors.New("it is gone")
}
