package agent_test

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// shell starts a person's shell in a pane.
func (s *server) shell(pane int) *proc {
	s.w.Helper()
	s.w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: s.w.panes[pane], Dir: s.w.dir}))
	return s.in(pane)
}

// types types an agent in the shell of a pane: a child of it.
func (s *server) types(pane int, shell *proc) *proc {
	s.w.Helper()
	p := s.child()
	s.asks(pane, shell, p)
	return p
}

// child is a process that a shell starts without us.
func (s *server) child() *proc {
	s.w.machine.mu.Lock()
	defer s.w.machine.mu.Unlock()
	n := len(s.w.procs)
	p := &proc{m: s.w.machine, gate: 1, over: make(chan struct{}), id: panes.ProcessID{PID: 1000 + n, Start: uint64(n) + 1, Boot: s.w.boot}}
	s.w.procs = append(s.w.procs, p)
	return p
}

// asks lets the process of an agent ask how it is to be run.
func (s *server) asks(pane int, shell, p *proc) {
	s.w.Helper()
	cmd, err := s.c.Typed(context.Background(), agent.TypedRequest{
		Shell: s.host.Shown(s.w.panes[pane]).ID(), Kind: "robot", Dir: s.w.dir, Env: os.Environ(), Process: p.id, Above: []panes.Proc{{ID: shell.id}},
	})
	s.w.must(err)
	p.session = sessionIn(cmd.Args)
	for _, kv := range cmd.Env {
		if nonce, ok := strings.CutPrefix(kv, "REPRISE_NONCE="); ok {
			p.spec.Nonce = nonce
		}
	}
	s.hook(p, agent.HookStart, p.session)
	time.Sleep(time.Second)
	synctest.Wait()
}

// holdsIn waits until a pane holds that session, "" for a shell.
func (s *server) holdsIn(pane int, id agent.SessionID) agent.PaneView {
	s.w.Helper()
	time.Sleep(time.Minute)
	synctest.Wait()
	v := s.view(pane)
	if v.Session != id || (v.Kind == "") != (id == "") {
		s.w.Errorf("pane %d holds %+v, want session %q", pane, v, id)
	}
	return v
}

// How a typed agent ends decides what becomes of it: who quits is done; who dies alone
// is left to a person; who dies with the shell comes back.
func TestEndsOfTypedAgents(t *testing.T) {
	for name, c := range map[string]struct {
		turn bool
		end  func(s *server, shell, p *proc)
		left bool // to a person
		due  bool
	}{
		"dies alone": {true, func(_ *server, _, p *proc) { p.killed(sigkill) }, true, false},
		"quits": {true, func(s *server, _, p *proc) {
			s.hook(p, agent.HookGoodbye, p.session, func(e *agent.HookEvent) { e.Certain = true })
			p.ends(0)
		}, false, false},
		"dies before a turn":     {false, func(_ *server, _, p *proc) { p.ends(1) }, false, false},
		"dies with its shell":    {true, func(_ *server, shell, p *proc) { p.killed(sigkill); shell.killed(sigkill) }, false, true},
		"its shell's exit 0":     {true, func(_ *server, shell, p *proc) { p.ends(0); shell.ends(0) }, false, false},
		"dies in a dying server": {true, func(s *server, shell, p *proc) { p.killed(sigkill); time.Sleep(time.Second); s.stop() }, false, true},
	} {
		bubble(t, 1, func(w *world) {
			s := w.start()
			shell := s.shell(0)
			p := s.types(0, shell)
			if c.turn {
				s.hook(p, agent.HookPrompt, p.session)
				time.Sleep(time.Second)
				synctest.Wait()
			}
			if v := s.view(0); v.Session != p.session || v.Kind != "robot" {
				t.Fatalf("%s: while it runs the pane holds %+v", name, v)
			}
			c.end(s, shell, p)
			time.Sleep(time.Minute)
			synctest.Wait()
			if s.down {
				s = w.start()
				time.Sleep(time.Minute)
				synctest.Wait()
			}
			v := s.view(0)
			if (v.Left.Session == p.session) != c.left || (v.State == agent.PaneDue && v.Session == p.session) != c.due {
				t.Errorf("%s: the pane says %+v", name, v)
			}
		})
	}
}

// Of two in one shell (one suspended, another typed) the pane holds the last; none is
// lost: after the server's death both may be resumed, the last comes back by itself.
func TestTwoTypedInOneShell(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		shell := s.shell(0)
		first := s.types(0, shell)
		second := s.types(0, shell)
		for _, p := range []*proc{first, second} {
			s.hook(p, agent.HookPrompt, p.session)
		}
		s.holdsIn(0, second.session)
		third := s.types(0, shell)
		third.killed(sigkill)
		s.holdsIn(0, second.session) // the last of those that run
		s.crash()
		s = w.start()
		if v := s.holdsIn(0, second.session); v.State != agent.PaneDue {
			t.Errorf("the last one: %+v", v)
		}
		all, err := s.db.Candidates(context.Background())
		w.must(err)
		kept := map[agent.SessionID]bool{}
		for _, one := range all {
			kept[one.Session] = one.Dismissed.IsZero()
		}
		if !kept[first.session] || !kept[second.session] {
			t.Errorf("candidates: %v, want %s and %s", kept, first.session, second.session)
		}
	})
}

// An agent whose answer was lost asks again, and is one all the same.
func TestTypedAsksAgain(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		shell := s.shell(0)
		p := s.types(0, shell)
		lost := p.session
		s.asks(0, shell, p)
		if p.session == lost {
			t.Fatal("it has the same session")
		}
		s.hook(p, agent.HookPrompt, p.session)
		s.holdsIn(0, p.session)
		s.crash()
		s = w.start()
		s.holdsIn(0, p.session)
		all, err := s.db.Candidates(context.Background())
		w.must(err)
		if len(all) != 1 || all[0].Session != p.session {
			t.Errorf("candidates: %+v", all)
		}
	})
}

// Several who take one agent in at once have the same one.
func TestTakenInAtOnce(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		shell := s.shell(0)
		p := s.child()
		r := agent.TypedRequest{
			Shell: s.host.Shown(w.panes[0]).ID(), Kind: "robot", Dir: w.dir, Env: os.Environ(), Process: p.id, Above: []panes.Proc{{ID: shell.id}},
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if err := s.c.TakeIn(context.Background(), r); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		for _, id := range []string{"one", "two"} {
			if got, err := s.c.Pin(context.Background(), w.panes[0], id); err != nil || got.Held != nil {
				t.Errorf("pin: %+v, %v", got, err)
			}
			w.must(s.c.TakeIn(context.Background(), r))
			s.holdsIn(0, agent.SessionID(id))
		}
		s.crash()
		s = w.start()
		s.holdsIn(0, "two")
		all, err := s.db.Candidates(context.Background())
		w.must(err)
		if len(all) != 1 || all[0].Session != "two" {
			t.Errorf("candidates: %+v", all)
		}
	})
}

// Of a pane that a person closed nothing is kept, nor of the agent that was typed there.
func TestTypedAgentOfAClosedPaneIsForgotten(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.types(0, s.shell(0))
		s.told(p, agent.HookPrompt)
		w.must(s.c.End(context.Background(), w.panes[0]))
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := s.c.Lives(); n != 0 {
			t.Errorf("%d terminals are known", n)
		}
	})
}
