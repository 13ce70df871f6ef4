package agent_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

func certain(e *agent.HookEvent) { e.Certain, e.Reason = true, "prompt_input_exit" }

// Cases 6, 7, 9, 18, 19: what is a goodbye and what is a gasp. Each way of ending
// either comes back once, or never, also after a restart.
func TestEnds(t *testing.T) {
	sighup := bySignal(syscall.SIGHUP)
	for name, c := range map[string]struct {
		end  func(w *world, s *server, p *proc) *server // a server it was restarted to, or s
		back bool
	}{
		"killed": {back: true, end: func(_ *world, s *server, p *proc) *server {
			p.killed(sigkill)
			return s
		}},
		"gasp, then SIGHUP 2 s later": {back: true, end: func(_ *world, s *server, p *proc) *server {
			s.hook(p, agent.HookGoodbye, p.session)
			time.Sleep(2 * time.Second)
			p.killed(sighup)
			return s
		}},
		"gasp, then SIGHUP 40 s later": {back: true, end: func(_ *world, s *server, p *proc) *server {
			s.hook(p, agent.HookGoodbye, p.session)
			time.Sleep(40 * time.Second)
			p.killed(sighup)
			return s
		}},
		"gasp that comes after the death": {back: true, end: func(_ *world, s *server, p *proc) *server {
			p.killed(sighup)
			s.hook(p, agent.HookGoodbye, p.session)
			return s
		}},
		"certain goodbye, then the pty's end": {end: func(_ *world, s *server, p *proc) *server {
			s.hook(p, agent.HookGoodbye, p.session, certain)
			p.killed(sighup)
			return s
		}},
		"certain goodbye taken in after the death only": {end: func(_ *world, s *server, p *proc) *server {
			// The loop learns of both at once: the hook is drained first.
			s.hook(p, agent.HookGoodbye, p.session, certain)
			p.ends(1)
			return s
		}},
		"certain goodbye, then the server is killed": {end: func(w *world, s *server, p *proc) *server {
			s.hook(p, agent.HookGoodbye, p.session, certain)
			s.crash()
			return w.start()
		}},
		"exit 0 with a key, settled": {end: func(_ *world, s *server, p *proc) *server {
			s.key(0)
			time.Sleep(time.Second)
			p.ends(0)
			s.wants(0, agent.PaneUnsettled)
			time.Sleep(3 * time.Second)
			return s
		}},
		"exit 0 without a key, settled": {end: func(_ *world, s *server, p *proc) *server {
			p.ends(0)
			time.Sleep(29 * time.Second)
			s.wants(0, agent.PaneUnsettled)
			time.Sleep(2 * time.Second)
			return s
		}},
		"exit 0, made sure by a late certain hook": {end: func(w *world, s *server, p *proc) *server {
			p.ends(0)
			s.wants(0, agent.PaneUnsettled)
			s.hook(p, agent.HookGoodbye, p.session, certain)
			time.Sleep(time.Second)
			s.stop()
			return w.start()
		}},
		"exit 0 with a key, the server stops within 2 s": {back: true, end: func(w *world, s *server, p *proc) *server {
			s.key(0)
			p.ends(0)
			s.wants(0, agent.PaneUnsettled)
			time.Sleep(time.Second)
			s.stop()
			return w.start()
		}},
		"exit 0 without a key, the server stops within 30 s": {back: true, end: func(w *world, s *server, p *proc) *server {
			p.ends(0)
			s.wants(0, agent.PaneUnsettled)
			time.Sleep(20 * time.Second)
			s.stop()
			return w.start()
		}},
		"exit 0 without a key, the server dies within 30 s": {back: true, end: func(w *world, s *server, p *proc) *server {
			p.ends(0)
			s.wants(0, agent.PaneUnsettled)
			time.Sleep(20 * time.Second)
			s.crash()
			time.Sleep(time.Hour)
			return w.start()
		}},
		"exit 0, seen by the stopping server only": {back: true, end: func(w *world, s *server, p *proc) *server {
			s.cancel() // its loop looks no more
			<-s.over
			p.ends(0)
			time.Sleep(time.Second)
			s.stop()
			return w.start()
		}},
		"exit 0, the person resumes it": {back: true, end: func(_ *world, s *server, p *proc) *server {
			p.ends(0)
			s.wants(0, agent.PaneUnsettled)
			return s
		}},
		"crash": {back: true, end: func(_ *world, s *server, p *proc) *server {
			p.ends(1)
			return s
		}},
		"reboot: SIGHUP, exit 1, then SIGTERM to the server": {back: true, end: func(w *world, s *server, p *proc) *server {
			s.hook(p, agent.HookGoodbye, p.session)
			p.ends(1)
			time.Sleep(200 * time.Millisecond)
			s.stop()
			w.reboot()
			return w.start()
		}},
		"power cut": {back: true, end: func(w *world, s *server, _ *proc) *server {
			w.reboot()
			s.crash()
			return w.start()
		}},
		"SIGTERM to the server": {back: true, end: func(w *world, s *server, _ *proc) *server {
			s.stop()
			return w.start()
		}},
		"its pane is closed": {end: func(w *world, s *server, _ *proc) *server {
			w.must(s.c.End(context.Background(), w.panes[0]))
			return s
		}},
		"gasp, then its pane is closed": {end: func(w *world, s *server, p *proc) *server {
			s.hook(p, agent.HookGoodbye, p.session)
			w.must(s.c.End(context.Background(), w.panes[0]))
			return s
		}},
		"certain goodbye, then its pane is closed": {end: func(w *world, s *server, p *proc) *server {
			s.hook(p, agent.HookGoodbye, p.session, certain)
			w.must(s.c.End(context.Background(), w.panes[0]))
			return s
		}},
		"dead, then its pane is closed": {end: func(w *world, s *server, p *proc) *server {
			p.killed(sigkill)
			s.wants(0, agent.PaneDue)
			w.must(s.c.End(context.Background(), w.panes[0]))
			return s
		}},
		"unsettled, then its pane is closed": {end: func(w *world, s *server, p *proc) *server {
			p.ends(0)
			s.wants(0, agent.PaneUnsettled)
			w.must(s.c.End(context.Background(), w.panes[0]))
			return s
		}},
		"stragglers after the death": {back: true, end: func(_ *world, s *server, p *proc) *server {
			p.killed(sigkill)
			s.wants(0, agent.PaneDue)
			s.hook(p, agent.HookStop, p.session)
			s.hook(p, agent.HookStart, p.session)
			s.hook(p, agent.HookStart, "another")
			s.hook(p, agent.HookGoodbye, p.session, certain)
			return s
		}},
		"stragglers after the disposal": {end: func(w *world, s *server, p *proc) *server {
			w.must(s.c.End(context.Background(), w.panes[0]))
			s.hook(p, agent.HookStart, p.session)
			s.hook(p, agent.HookStart, "another")
			return s
		}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start()
				p := s.spoken(0)
				s = c.end(w, s, p)
				s.settle()
				if !c.back {
					w.gone(s, 0)
					return
				}
				if s.view(0).State == agent.PaneUnsettled {
					if r := s.byPerson(0); !r.Resumed {
						t.Fatalf("not resumed: %+v", r)
					}
					if n := w.starts(p.session); n != 2 {
						t.Fatalf("%d launches, want 2", n)
					}
					return
				}
				s.revived(0, p.session)
				time.Sleep(time.Minute)
				if got := w.runs(); len(got) != 1 {
					t.Errorf("%v run, want one", got)
				}
			})
		})
	}
}

// Exit 0 is a goodbye only if the program was ever let run.
func TestGateNeverOpened(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		// The shim dies with status 0 as soon as it is asked to go on.
		w.machine.mu.Lock()
		w.gateFails = true
		w.machine.mu.Unlock()
		s.resume(0)
		w.machine.mu.Lock()
		w.gateFails = false
		w.machine.mu.Unlock()
		if v := s.wants(0, agent.PaneWaiting); v.Session != p.session {
			t.Fatalf("session %s, want %s", v.Session, p.session)
		}
		time.Sleep(2 * time.Second)
		s.revived(0, p.session)
	})
}

// What follows a clean end.
func TestAfterExit(t *testing.T) {
	for _, after := range []agent.AfterExit{agent.AfterShell, agent.AfterHold, agent.AfterClose} {
		t.Run(string(after), func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				closed := 0
				s := w.start(func(c *agent.Config) {
					c.Settings.AfterExit = after
					c.ClosePane = func(panes.PaneID) { closed++ }
				})
				p := s.spoken(0)
				p.ends(0)
				s.wants(0, agent.PaneUnsettled)
				if s.in(0) != p {
					t.Fatal("the last screen went away before the end was sure")
				}
				time.Sleep(31 * time.Second)
				s.settle()
				switch after {
				case agent.AfterShell:
					s.wants(0, agent.PaneNormal)
					if q := s.in(0); q == p || q.spec.Argv[0] != "/bin/sh" || q.spec.Dir != w.dir {
						t.Errorf("the pane shows %v in %s", q.spec.Argv, q.spec.Dir)
					}
					if n := len(w.log()); n != 2 {
						t.Errorf("%d launches, want 2", n)
					}
				case agent.AfterHold:
					if v := s.wants(0, agent.PaneEnded); v.Reason != "robot ended" {
						t.Errorf("shows %q", v.Reason)
					}
				case agent.AfterClose:
					if closed != 1 {
						t.Errorf("closed %d times", closed)
					}
				}
			})
		})
	}
}

// The person need not wait until an unsure end has settled.
func TestEnterSettles(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.ends(0)
		s.wants(0, agent.PaneUnsettled)
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActShell))
		s.wants(0, agent.PaneNormal)
		time.Sleep(time.Minute)
		if n := len(w.log()); n != 2 {
			t.Errorf("%d launches, want the agent and one shell", n)
		}
		w.gone(s, 0)
	})
}
