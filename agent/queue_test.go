package agent_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// Case 15: never more than parallel at once, the focused pane first, hidden ones
// wait until they are shown.
func TestFortyPanes(t *testing.T) {
	bubble(t, 40, func(w *world) {
		s := w.start()
		for i := range w.panes {
			s.spoken(i)
		}
		s.crash()
		w.machine.mu.Lock()
		w.mostGates = 0
		w.machine.mu.Unlock()
		s = w.start()
		time.Sleep(10 * time.Second)
		visible := w.panes[10:20]
		s.c.Look(agent.Look{Client: "one", Focused: w.panes[15], Visible: visible})
		for i := range visible {
			s.wants(10+i, agent.PaneDue)
		}
		// The panes are asked for in their order; the queue decides.
		var done sync.WaitGroup
		s.c.Hold(true)
		for i := range visible {
			s.ask(&done, 10+i)
			synctest.Wait()
		}
		if v := s.view(12); v.State != agent.PaneQueued || v.Ahead != 5 {
			t.Errorf("pane 12: state %d, %d ahead; want queued behind two that run and three", v.State, v.Ahead)
		}
		n := len(w.log())
		s.c.Hold(false)
		done.Wait()
		w.machine.mu.Lock()
		most := w.mostGates
		w.machine.mu.Unlock()
		if most > 2 {
			t.Errorf("%d launches at once, want at most 2", most)
		}
		l := w.log()[n:]
		if len(l) != len(visible) {
			t.Fatalf("%d launches, want %d", len(l), len(visible))
		}
		first := []panes.PaneID{l[0].pane, l[1].pane}
		if !slices.Contains(first, w.panes[15]) || !slices.Contains(first, w.panes[10]) {
			t.Errorf("the focused pane and the first visible one were not first")
		}
		for i := range w.panes {
			if i < 10 || i >= 20 {
				s.wants(i, agent.PaneDue)
			}
		}
	})
}

func TestScopeAll(t *testing.T) {
	bubble(t, 12, func(w *world) {
		s := w.start()
		var want []agent.SessionID
		for i := range w.panes {
			want = append(want, s.spoken(i).session)
		}
		s.crash()
		w.machine.mu.Lock()
		w.mostGates = 0
		w.machine.mu.Unlock()
		w.start(func(c *agent.Config) { c.Settings.Scope, c.Settings.Parallel = agent.ScopeAll, 3 })
		time.Sleep(time.Minute)
		if got := w.runs(); !slices.Equal(got, sorted(want...)) {
			t.Errorf("%d run, want %d", len(got), len(want))
		}
		if w.mostGates > 3 {
			t.Errorf("%d launches at once, want at most 3", w.mostGates)
		}
	})
}

func TestModesAndAgeAsk(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*agent.Settings)
		wait   time.Duration
	}{
		"ask":     {change: func(s *agent.Settings) { s.Mode = agent.ModeAsk }},
		"off":     {change: func(s *agent.Settings) { s.Mode = agent.ModeOff }},
		"too old": {change: func(*agent.Settings) {}, wait: 8 * 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start()
				p := s.spoken(0)
				s.crash()
				time.Sleep(c.wait)
				s = w.start(func(cfg *agent.Config) { c.change(&cfg.Settings) })
				v := s.wants(0, agent.PaneAsk)
				if v.Since.IsZero() || time.Since(v.Since) < c.wait {
					t.Errorf("since %v", v.Since)
				}
				if r := s.resume(0); r.Resumed {
					t.Error("resumed by itself")
				}
				if r := s.byPerson(0); !r.Resumed || w.starts(p.session) != 2 {
					t.Errorf("by the person: %+v", r)
				}
			})
		})
	}
}

func TestDismissal(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActDismiss))
		s.wants(0, agent.PaneDismissed)
		s.crash()
		s = w.start()
		s.wants(0, agent.PaneDismissed)
		if r := s.resume(0); r.Resumed {
			t.Error("resumed by itself")
		}
		w.kinds.remove("robot")
		s.byPerson(0)
		s.wants(0, agent.PaneUnsupported) // what a person asked for is answered
		w.kinds.mu.Lock()
		w.kinds.all["robot"] = w.robot
		w.kinds.mu.Unlock()
		if r := s.byPerson(0); !r.Resumed || w.starts(p.session) != 2 {
			t.Errorf("by the person: %+v", r)
		}
	})
}

// A dismissal of a queued resume takes it out of the queue.
func TestDismissalInTheQueue(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		v := s.wants(0, agent.PaneDue)
		s.c.Hold(true)
		done := make(chan agent.ResumeResult, 1)
		go func() {
			done <- s.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane})
		}()
		synctest.Wait()
		s.wants(0, agent.PaneQueued)
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActDismiss))
		if r := <-done; r.Resumed || r.Failure != "" {
			t.Errorf("got %+v", r)
		}
		s.c.Hold(false)
		s.wants(0, agent.PaneDismissed)
		if w.starts(p.session) != 1 {
			t.Error("it was launched")
		}
	})
}

func TestShellInADeadPane(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActShell))
		s.wants(0, agent.PaneNormal)
		if q := s.in(0); q.spec.Argv[0] != "/bin/sh" || q.spec.Dir != w.dir {
			t.Errorf("%v in %s", q.spec.Argv, q.spec.Dir)
		}
		time.Sleep(time.Minute)
		if w.starts(p.session) != 1 {
			t.Error("the dismissed session came back")
		}
		all, err := s.db.Candidates(context.Background())
		w.must(err)
		if len(all) != 1 || all[0].Session != p.session || all[0].Dismissed.IsZero() {
			t.Errorf("the session is not kept: %+v", all)
		}
	})
}

// Case 16 and 23: twins.
func TestTwins(t *testing.T) {
	for name, end := range map[string]func(*world, *server, *proc){
		"quit": func(_ *world, s *server, p *proc) { s.hook(p, agent.HookGoodbye, p.session, certain); p.ends(0) },
		"closed": func(w *world, s *server, _ *proc) {
			w.must(s.c.End(context.Background(), w.panes[0]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				s := w.start(func(c *agent.Config) { c.Settings.AfterExit = agent.AfterHold })
				p := s.spoken(0)
				// The second pane's agent goes on with the first one's session.
				q := s.spoken(1)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				s.hook(q, agent.HookStart, p.session)
				s.hook(q, agent.HookPrompt, p.session)
				time.Sleep(time.Second)
				q.killed(sigkill)
				s.wants(0, agent.PaneDue)
				s.wants(1, agent.PaneDue)
				s.show() // both are asked for at once
				if got := w.runs(); len(got) != 1 || got[0] != p.session {
					t.Fatalf("%v run", got)
				}
				dead, alive := 0, 1
				if s.view(0).State == agent.PaneNormal {
					dead, alive = 1, 0
				}
				v := s.wants(dead, agent.PaneElsewhere)
				if v.Other != w.panes[alive] {
					t.Errorf("it is in pane %s, want %s", v.Other, w.panes[alive])
				}
				if alive == 1 {
					w.panes[0], w.panes[1] = w.panes[1], w.panes[0]
				}
				end(w, s, s.in(0))
				w.gone(s, 1)
			})
		})
	}
}

// A dead duplicate that is closed ends only itself.
func TestClosingATwin(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p, q := s.spoken(0), s.spoken(1)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		s.hook(q, agent.HookStart, p.session)
		s.hook(q, agent.HookPrompt, p.session)
		time.Sleep(time.Second)
		q.killed(sigkill)
		s.wants(1, agent.PaneDue)
		w.must(s.c.End(context.Background(), w.panes[0]))
		s.revived(1, p.session)
	})
}

// Case 20: never "the latest".
func TestTenAgentsInOneDirectory(t *testing.T) {
	bubble(t, 10, func(w *world) {
		s := w.start()
		var ids []agent.SessionID
		for i := range w.panes {
			ids = append(ids, s.spoken(i).session)
		}
		s.crash()
		s = w.start()
		for i := range w.panes {
			s.wants(i, agent.PaneDue)
		}
		s.show()
		for i, id := range ids {
			if got := s.in(i).session; got != id {
				t.Errorf("pane %d has session %s, want %s", i, got, id)
			}
		}
	})
}
