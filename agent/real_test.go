package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
	"reprise/panes/gate"
	"reprise/testdata/lab"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "gate" {
		os.Exit(gate.Run())
	}
	os.Exit(m.Run())
}

// script is an agent written for sh: it logs its start, and stays.
const script = `#!/bin/sh
trap '%s' HUP TERM
echo "$PWD $*" >>"$SCRIPT_LOG"
while :; do sleep 0.05; done
`

// scripted is the kind of that agent.
type scripted struct{ path string }

func (s scripted) Facts() agent.Facts {
	return agent.Facts{Name: "scripted", Label: "scripted", Program: s.path, OwnProcesses: 1, PresetsID: true}
}

func (s scripted) Launch(in agent.LaunchInput) (agent.Command, error) {
	return agent.Command{Argv: []string{s.path, "--session-id", string(in.Session)}, Session: in.Session}, nil
}

func (s scripted) Resume(in agent.LaunchInput) (agent.Command, error) {
	return agent.Command{Argv: []string{s.path, "--resume", string(in.Session)}, Session: in.Session}, nil
}

func (s scripted) Hook(string, map[string]json.RawMessage) agent.HookFacts { return agent.HookFacts{} }

func (s scripted) Transcript(string, string, agent.SessionID) agent.Transcript {
	return agent.HasTranscript
}

// realWorld has real ptys, processes and times.
type realWorld struct {
	*testing.T
	dir  string
	log  string
	kind scripted
	pane panes.PaneID
	host *panes.Host
	db   *db.DB
	c    *agent.Coordinator
	end  context.CancelFunc
}

func newRealWorld(t *testing.T, onHangup string) *realWorld {
	t.Helper()
	dir := t.TempDir()
	w := &realWorld{T: t, dir: dir, log: filepath.Join(dir, "log"), kind: scripted{filepath.Join(dir, "robot")}, pane: panes.NewPaneID()}
	lab.WriteProgram(t, w.kind.path, fmt.Appendf(nil, script, onHangup), 0o700)
	w.start()
	t.Cleanup(func() {
		w.crash()
		for _, t := range w.host.Terminals() {
			_ = panes.EndProcess(context.Background(), t.Process(), t.Spec().Nonce, 100*time.Millisecond)
		}
	})
	return w
}

func (w *realWorld) start() {
	w.Helper()
	exe, err := os.Executable()
	if err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.end = cancel
	w.host = panes.NewHost(panes.HostOptions{
		Shim:     func() []string { return []string{exe, "gate"} },
		Emulator: func(panes.Size, func([]byte)) panes.Emulator { return emulator{} },
	})
	w.host.SetLayout(panes.Layout{Tabs: []panes.Tab{{ID: "tab", Root: &panes.Node{Pane: w.pane, Weight: 1}}}})
	if w.db, err = db.Open(ctx, w.dir, db.Options{Alive: panes.ProcessID.Alive}); err != nil {
		w.Fatal(err)
	}
	inst, err := w.db.Register(ctx, "test")
	if err != nil {
		w.Fatal(err)
	}
	p := agent.DefaultPolicy()
	p.HookEvery, p.SweepEvery, p.TermGrace = 20*time.Millisecond, 50*time.Millisecond, 300*time.Millisecond
	w.c = agent.NewCoordinator(agent.Config{
		Store: w.db, Host: w.host, Registry: registry{w.kind}, Instance: inst, Policy: p, Shell: []string{"/bin/sh"},
	})
	w.c.View(w.pane)
	go w.c.Run(ctx)
}

// crash leaves processes and ptys as a killed server does, as far as one process
// can: the ptys stay open.
func (w *realWorld) crash() {
	w.end()
	_ = w.db.Close()
	w.c.Abandon()
}

type registry struct{ scripted }

func (r registry) Kind(name string) (agent.Kind, bool) { return r.scripted, name == "scripted" }
func (r registry) All() []agent.Kind                   { return []agent.Kind{r.scripted} }

func (w *realWorld) launch() agent.SessionID {
	w.Helper()
	err := w.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.pane, Kind: "scripted", Dir: w.dir, Env: []string{"SCRIPT_LOG=" + w.log}})
	if err != nil {
		w.Fatal(err)
	}
	w.until("it runs", func() bool { return len(w.starts()) == 1 })
	return w.c.View(w.pane).Session
}

func (w *realWorld) starts() []string {
	b, _ := os.ReadFile(w.log)
	return strings.FieldsFunc(string(b), func(r rune) bool { return r == '\n' })
}

func (w *realWorld) until(what string, ok func() bool) {
	w.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	w.Fatalf("not reached: %s; view %+v, starts %q", what, w.c.View(w.pane), w.starts())
}

func (w *realWorld) due() agent.PaneView {
	w.Helper()
	w.until("it is due", func() bool { return w.c.View(w.pane).State == agent.PaneDue })
	return w.c.View(w.pane)
}

func (w *realWorld) resume() agent.ResumeResult {
	v := w.due()
	return w.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: w.pane})
}

func TestRealKill(t *testing.T) {
	w := newRealWorld(t, "exit 1")
	id := w.launch()
	old := w.host.Shown(w.pane).Process()
	if err := syscall.Kill(-old.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if r := w.resume(); !r.Resumed {
		t.Fatalf("got %+v", r)
	}
	w.until("it runs again", func() bool { return len(w.starts()) == 2 })
	if want := w.dir + " --resume " + string(id); w.starts()[1] != want {
		t.Errorf("started %q, want %q", w.starts()[1], want)
	}
	if p := w.host.Shown(w.pane).Process(); p == old || !p.Alive() {
		t.Error("the pane does not show the living successor")
	}
}

// An agent that ignores HUP and TERM outlives its server: the next one ends it
// before it resumes.
func TestRealSurvivor(t *testing.T) {
	w := newRealWorld(t, "")
	w.launch()
	old := w.host.Shown(w.pane).Process()
	w.crash()
	w.start()
	v := w.due()
	if old.Alive() {
		t.Fatal("a candidate while its agent lives")
	}
	if r := w.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: w.pane}); !r.Resumed {
		t.Fatalf("got %+v", r)
	}
}

// A process that is not ours and has the session open.
func TestRealForeignHolder(t *testing.T) {
	w := newRealWorld(t, "exit 1")
	id := w.launch()
	if err := w.host.Shown(w.pane).Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.due()
	cmd := exec.Command(w.kind.path, "--resume", string(id))
	cmd.Env = append(os.Environ(), "SCRIPT_LOG="+w.log)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	w.until("the stranger runs", func() bool { return len(w.starts()) == 2 })
	r := w.resume()
	if r.Failure != agent.FailHeld || !strings.Contains(fmt.Sprint(r.Err), fmt.Sprintf("process %d", cmd.Process.Pid)) {
		t.Fatalf("got %+v", r)
	}
	v := w.c.View(w.pane)
	if v.State != agent.PaneFailed {
		t.Errorf("view %+v", v)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if r := w.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: w.pane, ByPerson: true}); !r.Resumed {
		t.Errorf("retry: %+v", r)
	}
}

func TestRealClose(t *testing.T) {
	w := newRealWorld(t, "")
	w.launch()
	p := w.host.Shown(w.pane).Process()
	if err := w.c.End(context.Background(), w.pane); err != nil {
		t.Fatal(err)
	}
	w.until("it is gone", func() bool { return !p.Alive() })
	rec, err := w.db.Pane(context.Background(), w.pane)
	if err != nil || rec.Candidate {
		t.Errorf("candidate %v, %v", rec.Candidate, err)
	}
}
