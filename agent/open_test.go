package agent_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

func (f *faulty) BeginSole(ctx context.Context, t agent.Terminal, b agent.Binding) (ok bool, err error) {
	return around(f, "beginsole", func() (bool, error) { return f.Store.BeginSole(ctx, t, b) })
}

// past is a request for a session, in an empty pane of the layout.
func (w *world) past(id agent.SessionID, pane int) agent.OpenRequest {
	return agent.OpenRequest{
		Identity: agent.Identity{Kind: "robot", Session: id}, Dir: w.dir,
		NewPane: func(context.Context) (panes.PaneID, error) { return w.panes[pane], nil },
	}
}

// open picks a past session.
func (s *server) pick(r agent.OpenRequest) agent.OpenResult {
	got := s.c.OpenSession(context.Background(), r)
	s.settle()
	return got
}

func (s *server) opened(r agent.OpenRequest) *proc {
	s.w.Helper()
	got := s.pick(r)
	if !got.Opened || got.Err != nil || got.Held != nil {
		s.w.Fatalf("not opened: %+v", got)
	}
	at := slices.Index(s.w.panes, got.Pane)
	s.wants(at, agent.PaneNormal)
	return s.in(at)
}

// A session that nobody here ever held is opened once, is found by whoever picks it
// again, and comes back like any other.
func TestOpenPastSession(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start(func(c *agent.Config) { c.Panes = func() []panes.PaneID { return w.panes } })
		p := s.opened(w.past("past-1", 0))
		if p.session != "past-1" || !slices.Contains(p.spec.Argv, "--resume") || p.spec.Dir != w.dir {
			t.Fatalf("started %v in %s", p.spec.Argv, p.spec.Dir)
		}
		got := s.pick(w.past("past-1", 1))
		if got.Opened || got.Err != nil || got.Held == nil || got.Held.Terminal.Pane != w.panes[0] || got.Pane != "" {
			t.Errorf("picked again: %+v", got)
		}
		if pane, _, err := s.c.Seat(context.Background(), w.past("past-1", 0).Identity); pane != w.panes[0] || err != nil {
			t.Errorf("it is in %q, %v", pane, err)
		}
		s.hook(p, agent.HookStart, "past-1")
		s.hook(p, agent.HookPrompt, "past-1")
		time.Sleep(time.Second)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		if pane, candidate, err := s.c.Seat(context.Background(), w.past("past-1", 0).Identity); pane != w.panes[0] || candidate != p.spec.ID || err != nil {
			t.Errorf("it is saved in %q, %v", pane, err)
		}
		s.revived(0, "past-1")
		if n := w.starts("past-1"); n != 2 {
			t.Errorf("%d starts, want 2", n)
		}
	})
}

// One that was quit here is opened as it was launched: directory and flags.
func TestOpenWhatWasQuit(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start(func(c *agent.Config) { c.Settings.AfterExit = agent.AfterHold })
		p := s.spoken(0, "--model", "big")
		s.hook(p, agent.HookGoodbye, p.session, certain)
		p.killed(panes.Exit{})
		s.wants(0, agent.PaneEnded)
		r := w.past(p.session, 1)
		r.Dir = "/not/there"
		q := s.opened(r)
		if q.spec.Dir != w.dir || !slices.Contains(q.spec.Argv, "big") {
			t.Errorf("started %v in %s", q.spec.Argv, q.spec.Dir)
		}
	})
}

// A dead pane that could bring the session back says that it is open elsewhere; when
// it is quit there, nothing comes back here.
func TestOpenBesideACandidate(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start(func(c *agent.Config) { c.Settings.AfterExit = agent.AfterHold })
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		q := s.opened(w.past(p.session, 1))
		s.wants(0, agent.PaneElsewhere)
		if r := s.resume(0); r.Resumed {
			t.Error("it was resumed, too")
		}
		s.hook(q, agent.HookGoodbye, p.session, certain)
		q.killed(panes.Exit{})
		w.gone(s, 0)
	})
}

// Two servers, and several clients of each, pick one session that is also a candidate
// of a dead pane, which resumes at the same time: one launch.
func TestOpenRace(t *testing.T) {
	for name, candidate := range map[string]bool{"a past one": false, "a candidate": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 8, func(w *world) {
				a := w.start()
				id, before := agent.SessionID("past-1"), 0
				if candidate {
					p := a.spoken(0)
					id, before = p.session, 1
					p.killed(sigkill)
					a.wants(0, agent.PaneDue)
				}
				b := w.start()
				var wg sync.WaitGroup
				results := make([]agent.OpenResult, 6)
				for i := range results {
					s := []*server{a, b}[i%2]
					wg.Go(func() { results[i] = s.c.OpenSession(context.Background(), w.past(id, i+1)) })
				}
				if candidate {
					wg.Go(func() { a.resume(0) })
				}
				wg.Wait()
				a.settle()
				opened := 0
				for _, r := range results {
					switch {
					case r.Err != nil:
						t.Errorf("%+v", r)
					case r.Opened:
						opened++
					case r.Held == nil:
						t.Errorf("neither opened nor held: %+v", r)
					}
				}
				if n := w.starts(id) - before; n != 1 || opened > 1 || !candidate && opened != 1 {
					t.Errorf("%d launches, %d opened", n, opened)
				}
			})
		})
	}
}

// What stands in the way is named, and nothing is left of the try.
func TestOpenRefused(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(w *world, r *agent.OpenRequest)
		want  agent.FailureKind
		words string
	}{
		"a foreign process": {
			func(w *world, r *agent.OpenRequest) { w.aliens = []panes.Proc{alien(w, r.Session)} },
			agent.FailHeld, "process 4711 on pts/3 has this session open",
		},
		"its folder":       {func(w *world, _ *agent.OpenRequest) { w.must(os.Remove(w.dir)) }, agent.FailDirectory, "is gone. Bring it back"},
		"no folder":        {func(_ *world, r *agent.OpenRequest) { r.Dir = "" }, agent.FailDirectory, "its folder is not known"},
		"its program":      {func(w *world, _ *agent.OpenRequest) { w.robot.facts.Program = "robot-3000" }, agent.FailBinary, "not in PATH"},
		"its home":         {func(_ *world, r *agent.OpenRequest) { r.Home = "/not/there" }, agent.FailHome, "its home /not/there is gone"},
		"an unknown kind":  {func(_ *world, r *agent.OpenRequest) { r.Kind = "marvin" }, agent.FailUnsupported, "marvin cannot be resumed"},
		"an option for id": {func(_ *world, r *agent.OpenRequest) { r.Session = "--help" }, agent.FailUnsupported, "no session's id"},
		"no room": {func(_ *world, r *agent.OpenRequest) {
			r.NewPane = func(context.Context) (panes.PaneID, error) { return "", errors.New("no room") }
		}, agent.FailLaunch, "no room"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start()
				r := w.past("past-1", 0)
				c.spoil(w, &r)
				got := s.pick(r)
				if got.Opened || got.Failure != c.want || got.Err == nil || !strings.Contains(got.Err.Error(), c.words) {
					t.Errorf("%+v", got)
				}
				all, err := s.db.Standings(context.Background())
				if w.must(err); len(all) != 0 || len(w.log()) != 0 {
					t.Errorf("left: %+v, %d launches", all, len(w.log()))
				}
				w.aliens = nil
			})
		})
	}
}

// [P10] A process that came to have the session between the look and the record is
// seen: the launch ends at its gate and leaves no candidate.
func TestOpenLooksAgain(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s, f := w.startFaulty()
		f.set(&f.after, "beginsole", func() error {
			w.machine.mu.Lock()
			defer w.machine.mu.Unlock()
			w.aliens = []panes.Proc{alien(w, "past-1")}
			return nil
		})
		got := s.pick(w.past("past-1", 0))
		if got.Opened || got.Failure != agent.FailHeld {
			t.Fatalf("%+v", got)
		}
		time.Sleep(time.Minute)
		if rec, err := s.db.Pane(context.Background(), w.panes[0]); err != nil || rec.Candidate || len(w.runs()) != 0 {
			t.Errorf("%+v, %v, runs %v", rec, err, w.runs())
		}
		f.set(&f.after, "beginsole", nil)
		r := w.past("past-1", 1)
		r.Override = true
		s.opened(r)
		w.machine.mu.Lock()
		w.aliens = nil
		w.machine.mu.Unlock()
	})
}

// A disk that fails at the record, before or after it was written, lets nothing run,
// and the session can be picked again.
func TestOpenCannotBeRecorded(t *testing.T) {
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				s, f := w.startFaulty()
				hooks := map[string]*map[string]func() error{"before": &f.before, "after": &f.after}[when]
				f.set(hooks, "beginsole", func() error { return errors.New("disk full") })
				if got := s.pick(w.past("past-1", 0)); got.Opened || got.Failure != agent.FailStore {
					t.Fatalf("%+v", got)
				}
				f.set(hooks, "beginsole", nil)
				time.Sleep(time.Minute)
				if len(w.runs()) != 0 {
					t.Errorf("%v run", w.runs())
				}
				s.opened(w.past("past-1", 1))
			})
		})
	}
}

// A server that dies before the gate opens leaves a candidate in the new pane.
func TestOpenerDies(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s, f := w.startFaulty()
		f.set(&f.after, "beginsole", func() error {
			go s.crash()
			time.Sleep(time.Second)
			return nil
		})
		s.c.OpenSession(context.Background(), w.past("past-1", 0))
		next := w.start()
		time.Sleep(20 * time.Second)
		next.revived(0, "past-1")
	})
}

// An upgrade or a move waits for a session that is just being opened, and lets none
// begin to be: it would be handed over to nobody.
func TestUpgradeWaitsForAnOpening(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start(func(c *agent.Config) { c.Panes = func() []panes.PaneID { return w.panes } })
		ctx := context.Background()
		open := func(r agent.OpenRequest) <-chan agent.OpenResult {
			done := make(chan agent.OpenResult, 1)
			go func() { done <- s.c.OpenSession(ctx, r) }()
			return done
		}
		begun, goOn := make(chan struct{}), make(chan struct{})
		r := w.past("past-1", 0)
		r.NewPane = func(context.Context) (panes.PaneID, error) {
			close(begun)
			<-goOn
			return w.panes[0], nil
		}
		first := open(r)
		<-begun
		soon, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if _, err := s.c.Handover(soon); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("handed over in the midst of an opening: %v", err)
		}
		close(goOn)
		if got := <-first; !got.Opened {
			t.Fatalf("not opened: %+v", got)
		}
		s.settle()
		_, err := s.c.Handover(ctx)
		w.must(err)
		n := len(w.log())
		late := open(w.past("past-2", 1))
		time.Sleep(10 * time.Second)
		if started := len(w.log()) - n; started != 0 {
			t.Errorf("%d were started during an upgrade", started)
		}
		s.c.GoOn() // the next image could not be executed
		if got := <-late; !got.Opened {
			t.Errorf("not opened after the upgrade: %+v", got)
		}
		s.settle()
		s.wants(0, agent.PaneNormal)
		s.wants(1, agent.PaneNormal)
	})
}

// A process of ours whose command line still names a session that its agent has left, by
// /clear for example, does not hold it; one that this agent runs itself does.
func TestOpenWhatItsAgentHasLeft(t *testing.T) {
	bubble(t, 3, func(w *world) {
		s := w.start()
		p := s.spoken(0) // by --session-id
		s.hook(p, agent.HookStart, "next")
		s.hook(p, agent.HookPrompt, "next")
		s.passes(2 * time.Second)
		left := p.session
		w.machine.mu.Lock()
		p.session = "next"
		w.machine.mu.Unlock()
		nested := alien(w, left)
		nested.Parent, nested.Nonce = p.id.PID, p.spec.Nonce
		w.machine.mu.Lock()
		w.aliens = []panes.Proc{nested}
		w.machine.mu.Unlock()
		if got := s.pick(w.past(left, 1)); got.Failure != agent.FailHeld {
			t.Errorf("a nested agent has it: %+v", got)
		}
		w.machine.mu.Lock()
		w.aliens = nil
		w.machine.mu.Unlock()
		q := s.opened(w.past(left, 1))
		s.hook(q, agent.HookStart, left)
		if got := s.pick(w.past("next", 2)); got.Held == nil {
			t.Errorf("what it has now: %+v", got)
		}
	})
}
