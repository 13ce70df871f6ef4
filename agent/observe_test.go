package agent_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes/vt"
)

// passes lets time pass.
func (s *server) passes(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *robot) writes(p *proc, doing agent.Doing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrote == nil {
		r.wrote = map[int]agent.Evidence{}
	}
	r.wrote[p.id.PID] = agent.Evidence{Doing: doing, Since: time.Now()}
}

// The screen is asked where nothing else tells, counts when it has settled, and is a
// guess.
func TestAScreenIsAGuess(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.screens = true
		s := w.start()
		p := s.agent(0)
		p.prints("\x1b[2J\x1b[HMay I?\r\n(yes/no)")
		s.passes(200 * time.Millisecond)
		s.does(0, "", 0) // it may be in the midst of drawing
		s.passes(3 * time.Second)
		if got := s.does(0, agent.AsksPermission, agent.ByScreen); !got.Guess() {
			t.Error("it is no guess")
		}
		for _, anyway := range []bool{false, true} {
			err := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "yes", Anyway: anyway}).ended(t)
			if err == nil || !strings.Contains(err.Error(), "waits for an answer of yours") {
				t.Errorf("a prompt, anyway %v: %v", anyway, err)
			}
		}
		p.prints("\r\nYes.")
		s.passes(3 * time.Second)
		s.does(0, "", 0)
		p.prints("\x1b[2J\x1b[HMay I?\r\n(yes/no)")
		s.passes(3 * time.Second)
		s.does(0, agent.AsksPermission, agent.ByScreen)
		// A title tells more, and a hook most: the screen is not asked any more.
		s.tells(0, "* build", vt.Status{})
		s.does(0, agent.Working, agent.ByTitle)
		s.tells(0, "", vt.Status{})
		s.told(p, agent.HookStop)
		s.passes(time.Minute)
		s.does(0, agent.TurnDone, agent.ByHook)
		p.prints("\r\nMay I?\r\n(yes/no)")
		s.passes(time.Minute)
		s.does(0, agent.TurnDone, agent.ByHook)
	})
}

// A refused permission is told by no hook of some agents, but written down by them.
func TestWhatAnAgentWritesDown(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		w.robot.writes(p, agent.Working)
		s.passes(time.Minute)
		s.does(0, agent.Working, agent.ByHook)
		s.told(p, agent.HookAsk)
		s.passes(time.Minute)
		s.does(0, agent.AsksPermission, agent.ByHook) // what is written down is older
		w.robot.writes(p, agent.AsksPermission)
		s.passes(time.Minute)
		s.does(0, agent.AsksPermission, agent.ByHook)
		w.robot.writes(p, agent.Idle)
		s.passes(time.Second)
		s.does(0, agent.AsksPermission, agent.ByHook)
		s.passes(3 * time.Second)
		s.does(0, agent.Idle, agent.ByRecord)
		s.told(p, agent.HookPrompt)
		s.passes(time.Minute)
		s.does(0, agent.Working, agent.ByHook)
		// Without hooks it is all that tells.
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		p = s.revived(0, p.session)
		w.robot.writes(p, agent.AsksAnswer)
		s.passes(2 * time.Second)
		s.does(0, agent.AsksAnswer, agent.ByRecord)
	})
}

// A turn that was interrupted, of which neither a hook nor a title tells: the screen no
// longer looks like work. That is a guess, on which no prompt is typed.
func TestAnInterruptedTurnIsGuessedByTheScreen(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.screens = true
		s := w.start()
		p := s.spoken(0)
		p.prints("\x1b[2J\x1b[Hthinking")
		s.passes(time.Minute)
		s.does(0, agent.Working, agent.ByHook) // how its work looks was never seen
		p.prints("\r\n(esc)")
		s.passes(3 * time.Second)
		p.prints("\x1b[2J\x1b[H> ")
		s.passes(3 * time.Second)
		s.does(0, agent.Working, agent.ByHook)
		s.passes(5 * time.Second)
		if got := s.does(0, agent.Idle, agent.ByScreen); !got.Guess() {
			t.Error("it is no guess")
		}
		s.queues(0, "go on")
		s.passes(time.Minute)
		if p.got() != "" {
			t.Errorf("typed %q", p.got())
		}
		p.prints("\x1b[2J\x1b[H(esc)")
		s.passes(3 * time.Second)
		s.does(0, agent.Working, agent.ByHook)
		p.prints("\x1b[2J\x1b[H> ")
		s.passes(time.Minute)
		s.does(0, agent.Idle, agent.ByScreen)
		s.told(p, agent.HookStop)
		if s.does(0, agent.TurnDone, agent.ByHook); p.got() != "go on\r" {
			t.Errorf("typed %q", p.got())
		}
		s.told(p, agent.HookPrompt)
		s.does(0, agent.Working, agent.ByHook)
		s.passes(time.Minute)
		s.does(0, agent.Idle, agent.ByScreen)
	})
}
