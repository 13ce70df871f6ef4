package agent_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
)

// twoKinds lets a second kind, "mine", keep its conversations where robot does.
func (w *world) twoKinds() (mine *robot) {
	mine = newRobot("mine")
	mine.facts.Program = "ls" // another one, that is there
	mine.store, w.robot.store = "/store", "/store"
	w.kinds = newKinds(w.robot, mine)
	return mine
}

// byMine is of a hook of mine's.
func byMine(e *agent.HookEvent) { e.Kind = "mine" }

// mine starts an agent of the second kind, which has a conversation.
func (s *server) mine(pane int) *proc {
	s.w.Helper()
	s.w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: s.w.panes[pane], Kind: "mine", Dir: s.w.dir}))
	p := s.in(pane)
	s.hook(p, agent.HookStart, p.session, byMine)
	s.hook(p, agent.HookPrompt, p.session, byMine)
	time.Sleep(time.Second)
	synctest.Wait()
	return p
}

// A session that is typed by the name of one kind, while a dead pane could bring it back
// as another one's that has the same store, runs once. The dead pane says where it is,
// and that it may come back once both are dead: one of them does.
func TestSessionIsOneForTheKindsOfItsStore(t *testing.T) {
	for name, same := range map[string]bool{"one store": true, "two stores": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				mine := w.twoKinds()
				s := w.start(func(c *agent.Config) { c.Settings.AfterExit = agent.AfterHold })
				p := s.mine(0)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				if !same {
					s.crash()
					mine.store = "/mine"
					s = w.start()
				}
				shell := s.shell(1)
				q := s.types(1, shell)
				s.hook(q, agent.HookStart, p.session)
				s.hook(q, agent.HookPrompt, p.session)
				q.session = p.session
				time.Sleep(time.Second)
				if !same {
					s.wants(0, agent.PaneDue)
					return
				}
				s.wants(0, agent.PaneElsewhere)
				if r := s.resume(0); r.Resumed {
					t.Error("it was resumed while it lives as another kind's")
				}
				if got := s.pick(w.past(p.session, 0)); got.Held == nil || got.Held.Terminal.Pane != w.panes[1] {
					t.Errorf("picked as %s's: %+v", "robot", got)
				}
				q.killed(sigkill)
				shell.killed(sigkill)
				s.wants(0, agent.PaneDue)
				s.wants(1, agent.PaneDue)
				if r := s.resume(0); !r.Resumed {
					t.Errorf("both are dead: %+v", r)
				}
				if r := s.resume(1); r.Resumed {
					t.Error("it was resumed twice")
				}
				s.wants(1, agent.PaneElsewhere)
				// Who quits it where it is has quit it for both.
				back := s.in(0)
				s.hook(back, agent.HookGoodbye, p.session, byMine, certain)
				back.ends(0)
				w.gone(s, 1)
			})
		})
	}
}

// A process of another kind that is none of ours, and holds the session of a candidate
// whose store its kind has, too, stands against its resume.
func TestHeldByAProcessOfAnotherKind(t *testing.T) {
	bubble(t, 1, func(w *world) {
		mine := w.twoKinds()
		s := w.start()
		p := s.mine(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		one := alien(w, p.session) // runs robot's program
		w.machine.mu.Lock()
		w.aliens = append(w.aliens, one)
		w.machine.mu.Unlock()
		if r := s.byPerson(0); r.Failure != agent.FailHeld {
			t.Errorf("its argv names it: %+v", r)
		}
		w.machine.mu.Lock()
		w.aliens[0].Argv = []string{"/usr/bin/sh"}
		w.machine.mu.Unlock()
		w.robot.mu.Lock()
		w.robot.opened = map[int]agent.SessionID{one.ID.PID: p.session}
		w.robot.mu.Unlock()
		if r := s.byPerson(0); r.Failure != agent.FailHeld {
			t.Errorf("it is written down: %+v", r)
		}
		mine.mu.Lock()
		mine.store = "/mine"
		mine.mu.Unlock()
		if r := s.byPerson(0); !r.Resumed {
			t.Errorf("of another store: %+v", r)
		}
	})
}

// What waits for a conversation is sent to it, whichever kind of its store has it.
func TestPromptsOfASessionThatComesBackAsAnotherKinds(t *testing.T) {
	bubble(t, 2, func(w *world) {
		w.twoKinds()
		s := w.start()
		p := s.mine(0)
		s.queues(0, "one")
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		r := w.past(p.session, 1)
		back := s.opened(r)
		s.told(back, agent.HookStart)
		if back.got() != "one\r" || s.view(0).Prompts+s.view(1).Prompts != 0 {
			t.Errorf("typed %q, %d and %d wait: %s", back.got(), s.view(0).Prompts, s.view(1).Prompts, strings.TrimSpace(s.view(1).Barred))
		}
		s.told(back, agent.HookPrompt)
	})
}
