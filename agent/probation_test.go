package agent_test

import (
	"context"
	"testing"
	"time"

	"reprise/agent"
)

// Case 14: dies at once on each resume, or after its start hook but before a turn.
func TestEarlyDeathsWaitAndPause(t *testing.T) {
	for name, greets := range map[string]bool{"at once": false, "after its start hook": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start()
				p := s.spoken(0)
				id := p.session
				w.onExec = func(p *proc) {
					if greets {
						s.hook(p, agent.HookStart, p.session)
					}
					time.Sleep(100 * time.Millisecond)
					p.ends(1)
				}
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				for i, wait := range []time.Duration{time.Second, 5 * time.Second, 30 * time.Second} {
					if r := s.resume(0); !r.Resumed {
						t.Fatalf("try %d: %+v", i, r)
					}
					time.Sleep(200 * time.Millisecond)
					v := s.wants(0, agent.PaneWaiting)
					if r := s.resume(0); r.Resumed {
						t.Fatalf("try %d: resumed before its time", i)
					}
					if got := v.RetryAt.Sub(v.Since); got != wait {
						t.Errorf("try %d: waits %v, want %v", i, got, wait)
					}
					time.Sleep(time.Until(v.RetryAt) - time.Millisecond)
					if s.view(0).State != agent.PaneWaiting {
						t.Errorf("try %d: due too early", i)
					}
					time.Sleep(2 * time.Millisecond)
					s.wants(0, agent.PaneDue)
				}
				s.resume(0)
				time.Sleep(200 * time.Millisecond)
				v := s.wants(0, agent.PanePaused)
				if v.Deaths != 4 || v.Reason != "robot died 4 times while resuming (exit 1)" || v.Session != id {
					t.Errorf("paused view: %+v", v)
				}
				time.Sleep(agent.DefaultPolicy().PauseWithin + time.Minute)
				s.wants(0, agent.PanePaused)
				s.crash()
				s = w.start()
				s.wants(0, agent.PanePaused)
				if n := w.starts(id); n != 5 {
					t.Errorf("%d launches, want 5", n)
				}
				w.machine.mu.Lock()
				w.onExec = nil
				w.machine.mu.Unlock()
				if r := s.byPerson(0); !r.Resumed {
					t.Fatalf("explicit retry: %+v", r)
				}
				s.wants(0, agent.PaneNormal)
				if s.in(0).session != id {
					t.Error("the session was lost")
				}
			})
		})
	}
}

func TestAPersonsRetryThatDiesStaysPaused(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		w.onExec = func(p *proc) { p.ends(1) }
		p.killed(sigkill)
		for range 4 {
			time.Sleep(31 * time.Second)
			s.settle()
			s.resume(0)
		}
		s.wants(0, agent.PanePaused)
		time.Sleep(time.Hour)
		if r := s.byPerson(0); !r.Resumed {
			t.Fatalf("retry: %+v", r)
		}
		if v := s.wants(0, agent.PanePaused); v.Deaths != 5 {
			t.Errorf("%d deaths, want 5", v.Deaths)
		}
	})
}

// Case 13: attempts are inherited only within probation, and the session dies and
// comes back as often as it likes.
func TestProbationEnds(t *testing.T) {
	for name, prove := range map[string]func(*server, *proc){
		"by a turn": func(s *server, p *proc) {
			s.hook(p, agent.HookPrompt, p.session)
			time.Sleep(30 * time.Second)
		},
		"by a key and a minute": func(s *server, _ *proc) {
			s.key(0)
			time.Sleep(61 * time.Second)
		},
		"by five minutes": func(*server, *proc) { time.Sleep(5*time.Minute + time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start(calm)
				p := s.spoken(0)
				p.killed(sigkill)
				q := s.revived(0, p.session)
				time.Sleep(time.Second)
				q.killed(sigkill)
				s.wants(0, agent.PaneWaiting)
				time.Sleep(time.Second)
				for range 5 {
					q = s.revived(0, p.session)
					prove(s, q)
					time.Sleep(time.Second)
					s.settle()
					rec, err := s.db.Pane(context.Background(), w.panes[0])
					w.must(err)
					if rec.Binding.Attempts != 0 {
						t.Fatalf("%d attempts after it was proven", rec.Binding.Attempts)
					}
					q.killed(sigkill)
				}
			})
		})
	}
}

// Not proven yet: attempts stay.
func TestAttemptsAreInheritedInProbation(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		q := s.revived(0, p.session)
		q.killed(sigkill)
		s.wants(0, agent.PaneWaiting)
		time.Sleep(time.Second)
		q = s.revived(0, p.session)
		s.crash() // no early death: the server died, not the agent
		s = w.start()
		q = s.revived(0, q.session)
		time.Sleep(time.Second)
		q.killed(sigkill)
		v := s.wants(0, agent.PaneWaiting)
		if got := v.RetryAt.Sub(v.Since); got != 5*time.Second {
			t.Errorf("waits %v, want 5 s: the second early death", got)
		}
	})
}

// A person who quits a resumed agent at once means it.
func TestQuitInProbation(t *testing.T) {
	for name, quit := range map[string]func(*server, *proc){
		"certain goodbye": func(s *server, p *proc) {
			s.hook(p, agent.HookGoodbye, p.session, certain)
			p.ends(0)
		},
		"exit 0 after a key": func(s *server, p *proc) {
			s.key(0)
			p.ends(0)
			time.Sleep(3 * time.Second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start()
				p := s.spoken(0)
				p.killed(sigkill)
				quit(s, s.revived(0, p.session))
				w.gone(s, 0)
			})
		})
	}
}

// Exit 0 without a key is no goodbye right after a resume: copilot exits 0 for a
// session that it does not know.
func TestExitZeroInProbation(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.revived(0, p.session).ends(0)
		s.wants(0, agent.PaneWaiting)
	})
}

// Case 11: an agent that was idle, or resumed and never prompted since.
func TestIdleSessionsComeBack(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start(calm)
		p := s.spoken(0)
		id := p.session
		time.Sleep(time.Hour)
		p.killed(sigkill)
		q := s.revived(0, id)
		time.Sleep(10 * time.Minute) // resumed, never prompted since
		q.killed(sigkill)
		q = s.revived(0, id)
		s.hook(q, agent.HookStart, id) // after compaction: a start of the same session
		time.Sleep(10 * time.Minute)
		q.killed(sigkill)
		s.revived(0, id)
	})
}

// Case 12: started is not resumable.
func TestNeverPrompted(t *testing.T) {
	for name, c := range map[string]struct {
		store agent.Transcript
		fresh bool
	}{
		"the store has it":         {store: agent.HasTranscript},
		"the store has none":       {store: agent.NoTranscript, fresh: true},
		"the store cannot be read": {store: agent.CannotTell},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start()
				p := s.agent(0, "--model", "x")
				time.Sleep(time.Minute)
				p.killed(sigkill)
				w.robot.says(p.session, c.store)
				s.wants(0, agent.PaneDue)
				r := s.resume(0)
				if !r.Resumed || r.Fresh != c.fresh {
					t.Fatalf("got %+v", r)
				}
				q := s.in(0)
				if !c.fresh {
					if q.session != p.session || !w.log()[1].resume {
						t.Errorf("got %v", q.spec.Argv)
					}
					return
				}
				if q.session == p.session || q.session == "" || w.log()[1].resume || !has(q.spec.Argv, "--model") {
					t.Errorf("got %v", q.spec.Argv)
				}
				if v := s.wants(0, agent.PaneFresh); v.Reason != "robot had no saved conversation; started fresh" {
					t.Errorf("shows %q", v.Reason)
				}
				time.Sleep(5 * time.Second)
				s.wants(0, agent.PaneNormal)
				// The fresh one's conversation comes back in its turn.
				s.hook(q, agent.HookPrompt, q.session)
				time.Sleep(time.Second)
				q.killed(sigkill)
				s.revived(0, q.session)
			})
		})
	}
}

// Case 10: the session of a pane is the one that its agent last said it has.
func TestSessionMoves(t *testing.T) {
	const next = agent.SessionID("the-next-one")
	for name, c := range map[string]struct {
		hook  func(*server, *proc)
		moved bool
	}{
		"/clear":              {func(s *server, p *proc) { s.hook(p, agent.HookStart, next) }, true},
		"goodbye, then start": {func(s *server, p *proc) { s.hook(p, agent.HookGoodbye, p.session); s.hook(p, agent.HookStart, next) }, true},
		"certain goodbye, then a start in the same process": {func(s *server, p *proc) {
			s.hook(p, agent.HookGoodbye, p.session, certain)
			time.Sleep(time.Second)
			s.hook(p, agent.HookStart, next)
		}, true},
		"nested": {func(s *server, p *proc) { s.hook(p, agent.HookStart, next, func(e *agent.HookEvent) { e.Depth = 2 }) }, false},
		"wrong kind": {func(s *server, p *proc) {
			s.hook(p, agent.HookStart, next, func(e *agent.HookEvent) { e.Kind = "other" })
		}, false},
		"wrong nonce": {func(s *server, p *proc) { s.hook(p, agent.HookStart, next, func(e *agent.HookEvent) { e.Nonce = "x" }) }, false},
		"broken parents": {func(s *server, p *proc) {
			s.hook(p, agent.HookStart, next, func(e *agent.HookEvent) { e.Depth = agent.DepthBroken })
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				w.robot.says(next, agent.HasTranscript)
				s := w.start()
				p := s.spoken(0)
				c.hook(s, p)
				time.Sleep(time.Second)
				p.killed(sigkill)
				want := p.session
				if c.moved {
					want = next
				}
				s.revived(0, want)
			})
		})
	}
}

// Step 9: the first hook of a resumed agent settles which session it is.
func TestResumedIntoAnotherSession(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		q := s.revived(0, p.session)
		s.hook(q, agent.HookPrompt, "forked-1")
		time.Sleep(time.Second)
		if v := s.wants(0, agent.PaneNormal); v.Session != "forked-1" {
			t.Errorf("session %s", v.Session)
		}
		q.killed(sigkill)
		s.revived(0, "forked-1")
	})
}

// A first launch that fails is not repeated behind the person's back.
func TestFirstLaunchFails(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		w.onExec = func(p *proc) { p.ends(2) }
		s.agent(0, "--wrong")
		v := s.wants(0, agent.PaneFirstFailed)
		if v.Reason != "robot ended with exit 2" || v.Exit.Status != 2 {
			t.Errorf("view %+v", v)
		}
		if r := s.resume(0); r.Resumed {
			t.Error("resumed by itself")
		}
		w.onExec = nil
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActRunAgain))
		s.wants(0, agent.PaneNormal)
		if l := w.log(); len(l) != 2 || l[1].resume || !has(l[1].argv, "--wrong") || l[1].session == l[0].session {
			t.Errorf("launches %+v", l)
		}
	})
}
