package agent_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

var errDisk = errors.New("disk full")

// faulty is a store with a person, another process or a broken disk between its
// calls. A nil function passes.
type faulty struct {
	agent.Store
	mu sync.Mutex
	// before runs before a call, after it once it has succeeded; an error is
	// the caller's answer.
	before, after map[string]func() error
}

func (f *faulty) run(when map[string]func() error, name string) error {
	f.mu.Lock()
	fn := when[name]
	f.mu.Unlock()
	if fn == nil {
		return nil
	}
	return fn()
}

func around[T any](f *faulty, name string, call func() (T, error)) (T, error) {
	var zero T
	if err := f.run(f.before, name); err != nil {
		return zero, err
	}
	v, err := call()
	if err != nil {
		return v, err
	}
	if err := f.run(f.after, name); err != nil {
		return zero, err
	}
	return v, nil
}

func (f *faulty) Claim(ctx context.Context, c agent.ClaimRef) (agent.Candidate, bool, error) {
	var ok bool
	cand, err := around(f, "claim", func() (cand agent.Candidate, err error) {
		cand, ok, err = f.Store.Claim(ctx, c)
		return cand, err
	})
	return cand, ok && err == nil, err
}

func (f *faulty) Confirm(ctx context.Context, c agent.Confirmation) (bool, error) {
	return around(f, "confirm", func() (bool, error) { return f.Store.Confirm(ctx, c) })
}

func (f *faulty) Unclaim(ctx context.Context, c agent.ClaimRef, why string) error {
	_, err := around(f, "unclaim", func() (int, error) { return 0, f.Store.Unclaim(ctx, c, why) })
	return err
}

func (f *faulty) Outcome(ctx context.Context, c agent.ClaimRef) (agent.ClaimOutcome, error) {
	return around(f, "outcome", func() (agent.ClaimOutcome, error) { return f.Store.Outcome(ctx, c) })
}

func (f *faulty) Holders(ctx context.Context, id agent.Identity) ([]agent.Holder, error) {
	return around(f, "holders", func() ([]agent.Holder, error) { return f.Store.Holders(ctx, id) })
}

func (f *faulty) Begin(ctx context.Context, t agent.Terminal, b *agent.Binding) error {
	_, err := around(f, "begin", func() (int, error) { return 0, f.Store.Begin(ctx, t, b) })
	return err
}

func (f *faulty) GateOpened(ctx context.Context, t panes.TerminalID) (bool, error) {
	return around(f, "gate", func() (bool, error) { return f.Store.GateOpened(ctx, t) })
}

func (f *faulty) End(ctx context.Context, e agent.Ending) (agent.EndReason, error) {
	return around(f, "end", func() (agent.EndReason, error) { return f.Store.End(ctx, e) })
}

func (f *faulty) Dispose(ctx context.Context, t panes.TerminalID, at time.Time) ([]agent.Terminal, error) {
	return around(f, "dispose", func() ([]agent.Terminal, error) { return f.Store.Dispose(ctx, t, at) })
}

func (f *faulty) Repoint(ctx context.Context, p panes.PaneID, to panes.TerminalID) (bool, error) {
	return around(f, "repoint", func() (bool, error) { return f.Store.Repoint(ctx, p, to) })
}

func (f *faulty) Settle(ctx context.Context, t panes.TerminalID, at time.Time) (bool, error) {
	return around(f, "settle", func() (bool, error) { return f.Store.Settle(ctx, t, at) })
}

func (f *faulty) ApplyHooks(ctx context.Context, owner agent.InstanceID) ([]agent.Applied, error) {
	return around(f, "hooks", func() ([]agent.Applied, error) { return f.Store.ApplyHooks(ctx, owner) })
}

func (f *faulty) AddNote(ctx context.Context, n agent.Note) error {
	_, err := around(f, "note", func() (int, error) { return 0, f.Store.AddNote(ctx, n) })
	return err
}

func (f *faulty) Proven(ctx context.Context, t panes.TerminalID) error {
	_, err := around(f, "proven", func() (int, error) { return 0, f.Store.Proven(ctx, t) })
	return err
}

func (f *faulty) Orphans(ctx context.Context, dead agent.InstanceID) ([]agent.Orphan, error) {
	return around(f, "orphans", func() ([]agent.Orphan, error) { return f.Store.Orphans(ctx, dead) })
}

// set puts a function before or after a call.
func (f *faulty) set(when *map[string]func() error, name string, fn func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if *when == nil {
		*when = map[string]func() error{}
	}
	(*when)[name] = fn
}

// times fails the first n calls.
func times(n int) func() error {
	var mu sync.Mutex
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		if n--; n >= 0 {
			return errDisk
		}
		return nil
	}
}

func (w *world) startFaulty() (*server, *faulty) {
	w.Helper()
	f := &faulty{}
	s := w.start(func(c *agent.Config) {
		f.Store = c.Store
		c.Store = f
	})
	return s, f
}

// Whatever the store answers, no session is lost, none is doubled, and asking
// again brings it back.
func TestStoreFaultsInAResume(t *testing.T) {
	for name, c := range map[string]struct {
		arm     func(*faulty)
		resumed bool // at once, the fault does not show
	}{
		"claim fails":                       {arm: func(f *faulty) { f.set(&f.before, "claim", times(1)) }},
		"claim commits, but says otherwise": {arm: func(f *faulty) { f.set(&f.after, "claim", times(1)) }},
		"the same, and unclaim fails for a while": {arm: func(f *faulty) {
			f.set(&f.after, "claim", times(1))
			f.set(&f.before, "unclaim", times(5))
		}},
		"unclaim commits, but says otherwise": {arm: func(f *faulty) {
			f.set(&f.after, "claim", times(1))
			f.set(&f.after, "unclaim", times(1))
		}},
		"confirm fails":                       {arm: func(f *faulty) { f.set(&f.before, "confirm", times(1)) }},
		"confirm commits, but says otherwise": {resumed: true, arm: func(f *faulty) { f.set(&f.after, "confirm", times(1)) }},
		"confirm fails, the outcome is unknown for a while": {arm: func(f *faulty) {
			f.set(&f.before, "confirm", times(1))
			f.set(&f.before, "outcome", times(4))
		}},
		"confirm commits, the outcome is unknown for a while": {arm: func(f *faulty) {
			f.set(&f.after, "confirm", times(1))
			f.set(&f.before, "outcome", times(4))
		}},
		"confirm fails, nothing works for a while": {arm: func(f *faulty) {
			f.set(&f.before, "confirm", times(1))
			f.set(&f.before, "outcome", times(4))
			f.set(&f.before, "unclaim", times(4))
		}},
		"holders cannot be listed": {arm: func(f *faulty) { f.set(&f.before, "holders", times(1)) }},
		"the second look fails": {arm: func(f *faulty) {
			n := 0
			f.set(&f.before, "holders", func() error {
				if n++; n == 2 {
					return errDisk
				}
				return nil
			})
		}},
		"the open gate is not recorded for a while": {resumed: true, arm: func(f *faulty) { f.set(&f.before, "gate", times(3)) }},
		"repoint fails": {resumed: true, arm: func(f *faulty) { f.set(&f.before, "repoint", times(1)) }},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				p := s.spoken(0)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				c.arm(f)
				r := s.resume(0)
				if r.Resumed != c.resumed {
					t.Fatalf("got %+v, want resumed %v", r, c.resumed)
				}
				time.Sleep(10 * time.Second)
				if !c.resumed {
					if r.Failure == "" {
						t.Errorf("got %+v, want a failure", r)
					}
					if len(w.runs()) != 0 {
						t.Fatal("something runs")
					}
					if r := s.byPerson(0); !r.Resumed {
						t.Fatalf("retry: %+v", r)
					}
				}
				s.wants(0, agent.PaneNormal)
				if n := w.starts(p.session); n != 2 {
					t.Errorf("%d launches, want 2", n)
				}
				time.Sleep(time.Minute)
				if got := w.runs(); len(got) != 1 || got[0] != p.session {
					t.Errorf("%v run", got)
				}
				s.crash()
				s = w.start()
				s.revived(0, p.session)
			})
		})
	}
}

func TestStoreFaultsAtTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		arm  func(*faulty)
		back bool
	}{
		"the end is not recorded for a while":   {arm: func(f *faulty) { f.set(&f.before, "end", times(5)) }},
		"the end is recorded, but not said so":  {arm: func(f *faulty) { f.set(&f.after, "end", times(1)) }},
		"hooks cannot be read for a while":      {arm: func(f *faulty) { f.set(&f.before, "hooks", times(5)) }},
		"hooks cannot be read for long":         {arm: func(f *faulty) { f.set(&f.before, "hooks", times(1000)) }},
		"the goodbye cannot settle for a while": {arm: func(f *faulty) { f.set(&f.before, "settle", times(5)) }},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				p := s.spoken(0)
				c.arm(f)
				p.ends(0)
				time.Sleep(2 * time.Minute)
				s.wants(0, agent.PaneNormal) // the shell that follows a clean end
				w.gone(s, 0)
			})
		})
	}
}

// A turn whose hook was applied, but not said so, still counts.
func TestTurnOfWhichTheAnswerWasLost(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s, f := w.startFaulty()
		p := s.agent(0)
		time.Sleep(time.Second)
		f.set(&f.after, "hooks", times(1))
		s.hook(p, agent.HookPrompt, p.session)
		time.Sleep(time.Second)
		p.ends(1)
		s.revived(0, p.session) // no failed first launch
	})
}

// A quit is one, also if the store hears late that the program ever ran.
func TestQuitBeforeTheGateIsRecorded(t *testing.T) {
	for name, gate := range map[string]func() error{
		"the record fails for a while": times(3),
		"the record takes its time":    func() error { time.Sleep(3 * time.Second); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				f.set(&f.before, "gate", gate)
				w.onExec = func(p *proc) { p.ends(0) }
				s.agent(0)
				time.Sleep(2 * time.Second)
				s.wants(0, agent.PaneUnsettled)
			})
		})
	}
}

// Case 8: a person closes the pane at some step of a resume. Nothing runs in the
// end, and nothing comes back.
func TestPaneClosedDuringAResume(t *testing.T) {
	for name, at := range map[string]func(*faulty, func() error){
		"before the claim":       func(f *faulty, end func() error) { f.set(&f.before, "claim", end) },
		"after the claim":        func(f *faulty, end func() error) { f.set(&f.after, "claim", end) },
		"before the confirm":     func(f *faulty, end func() error) { f.set(&f.before, "confirm", end) },
		"after the confirm":      func(f *faulty, end func() error) { f.set(&f.after, "confirm", end) },
		"before the gate's note": func(f *faulty, end func() error) { f.set(&f.before, "gate", end) },
		"after the gate's note":  func(f *faulty, end func() error) { f.set(&f.after, "gate", end) },
		"before the repoint":     func(f *faulty, end func() error) { f.set(&f.before, "repoint", end) },
		"after the repoint":      func(f *faulty, end func() error) { f.set(&f.after, "repoint", end) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				p := s.spoken(0)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				var once sync.Once
				at(f, func() (err error) {
					once.Do(func() {
						err = s.c.End(context.Background(), w.panes[0])
						s.host.Close(w.panes[0])
					})
					return err
				})
				s.resume(0)
				time.Sleep(20 * time.Second)
				if got := w.runs(); len(got) != 0 {
					t.Fatalf("%v run", got)
				}
				w.gone(s, 0)
			})
		})
	}
}

// Between pre-flight and claim another process may take the session.
func TestLookAgainWithTheClaimHeld(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(*world, *proc)
		want      agent.FailureKind
	}{
		"a foreign process": {func(w *world, p *proc) {
			w.machine.mu.Lock()
			defer w.machine.mu.Unlock()
			w.aliens = append(w.aliens, alien(w, p.session))
		}, agent.FailHeld},
		"a process of its former life": {func(w *world, p *proc) { w.linger(p) }, agent.FailHeld},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				p := s.spoken(0)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				f.set(&f.before, "claim", func() error { c.meanwhile(w, p); return nil })
				if r := s.resume(0); r.Failure != c.want || r.Resumed {
					t.Fatalf("got %+v, want %s", r, c.want)
				}
				if len(w.log()) != 1 {
					t.Fatal("it was launched")
				}
				f.set(&f.before, "claim", nil)
				w.machine.mu.Lock()
				w.aliens = nil
				w.machine.mu.Unlock()
				s.wants(0, agent.PaneFailed) // the claim was given back
				if r := s.byPerson(0); !r.Resumed {
					t.Errorf("retry: %+v", r)
				}
			})
		})
	}
}

// A resume that another server made and lost meanwhile is no failure.
func TestOvertakenByAnotherServer(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s, f := w.startFaulty()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		b := w.start()
		b.wants(0, agent.PaneDue)
		f.set(&f.before, "claim", func() error { b.resume(0); return nil })
		if r := s.resume(0); r.Resumed || r.Failure != "" || r.Err != nil {
			t.Errorf("got %+v, want nothing", r)
		}
		if n := w.starts(p.session); n != 2 {
			t.Errorf("%d launches, want 2", n)
		}
	})
}

// Stopping in the middle of a resume gives the claim back.
func TestStopDuringAResume(t *testing.T) {
	for _, step := range []string{"claim", "holders", "confirm", "gate", "repoint"} {
		t.Run(step, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				p := s.spoken(0)
				p.killed(sigkill)
				v := s.wants(0, agent.PaneDue)
				stopped := make(chan struct{})
				f.set(&f.after, step, func() error {
					f.set(&f.after, step, nil)
					go func() { s.stop(); close(stopped) }()
					time.Sleep(time.Second)
					return nil
				})
				s.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane})
				<-stopped
				s = w.start()
				time.Sleep(time.Second)
				s.wants(0, agent.PaneDue)
				if r := s.resume(0); !r.Resumed {
					t.Fatalf("after the restart: %+v", r)
				}
				if got := w.runs(); len(got) != 1 || got[0] != p.session {
					t.Errorf("%v run", got)
				}
			})
		})
	}
}

// A pane that was made for the result, and that a person closes before there is
// one: no record leads from it to the session.
func TestNewPaneClosedDuringAResume(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		s.spoken(0)
		s.crash()
		made := panes.NewPaneID()
		f := &faulty{}
		s = w.start(func(c *agent.Config) {
			f.Store, c.Store = c.Store, f
			c.Panes = func() []panes.PaneID { return nil }
			c.NewPane = func() (panes.PaneID, bool) { return made, true }
		})
		v := s.wants(0, agent.PaneDue)
		f.set(&f.before, "claim", func() error { return s.c.End(context.Background(), made) })
		s.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane, ByPerson: true})
		time.Sleep(20 * time.Second)
		if got := w.runs(); len(got) != 0 {
			t.Fatalf("%v run", got)
		}
		w.gone(s, 0)
	})
}
