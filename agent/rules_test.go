package agent_test

import (
	"context"
	"testing"
	"time"

	"reprise/agent"
)

// [P10] A stopping server marks only terminals whose process it saw gone: an agent
// that outlives it is the sweep's, which ends it before its session is a candidate.
func TestStopMarksOnlyWhatIsGone(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.stubborn = true
		a := w.start()
		p := a.spoken(0)
		b := w.start(func(c *agent.Config) { c.Policy.SweepEvery = time.Hour })
		a.stop()
		rec, err := b.db.Pane(context.Background(), w.panes[0])
		w.must(err)
		if rec.Binding.Reason != agent.Live || rec.Candidate || !w.Alive(p.id, "") {
			t.Errorf("it is %q, candidate %v, while its agent lives", rec.Binding.Reason, rec.Candidate)
		}
		c := w.start()
		time.Sleep(20 * time.Second)
		c.revived(0, p.session)
	})
}

// [P8] The process that a dead terminal left behind is ended, too, when a person
// closes its pane: gemini outlives its pty, codex can leave a daemon.
func TestClosingADeadPaneEndsWhatItLeft(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		w.linger(p)
		w.must(s.c.End(context.Background(), w.panes[0]))
		time.Sleep(time.Second)
		if w.Alive(p.id, "") {
			t.Error("what it left still runs")
		}
		w.gone(s, 0)
	})
}

// A conversation in which a message was sent is resumed, whatever the agent's store
// seems to say: it may be written late, or in a way that we do not know.
func TestPromptedIsResumed(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		w.robot.says(p.session, agent.NoTranscript)
		p.killed(sigkill)
		s.revived(0, p.session)
		if l := w.log(); !l[1].resume {
			t.Errorf("started with %v", l[1].argv)
		}
	})
}

// [P3] [P4] Stragglers of a dead agent change nothing, also if they are taken in at
// once because another agent runs.
func TestStragglersWhileAnotherAgentRuns(t *testing.T) {
	for name, straggle := range map[string]func(*server, *proc){
		"a turn":            func(s *server, p *proc) { s.hook(p, agent.HookStop, p.session) },
		"a start":           func(s *server, p *proc) { s.hook(p, agent.HookStart, p.session) },
		"another session":   func(s *server, p *proc) { s.hook(p, agent.HookStart, "another") },
		"a certain goodbye": func(s *server, p *proc) { s.hook(p, agent.HookGoodbye, p.session, certain) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				s := w.start()
				p := s.spoken(0)
				s.spoken(1)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				straggle(s, p)
				time.Sleep(time.Minute)
				s.revived(0, p.session)
			})
		})
	}
}

// Another server resumes the session while we look who holds it: what it starts is
// one of ours, not a stranger that a person must end.
func TestOvertakenInPreflight(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s, f := w.startFaulty()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		b := w.start()
		b.wants(0, agent.PaneDue)
		f.set(&f.after, "holders", func() error {
			f.set(&f.after, "holders", nil)
			b.resume(0)
			return nil
		})
		if r := s.resume(0); r.Resumed || r.Failure != "" || r.Err != nil {
			t.Errorf("got %+v, want nothing", r)
		}
		if n := w.starts(p.session); n != 2 {
			t.Errorf("%d launches, want 2", n)
		}
	})
}

// [P8] Another process ends the session while its successor waits at the gate. The
// owner looks for the stamp once it has let it run, also if it can say so only later.
func TestStampedAtTheGate(t *testing.T) {
	for name, faults := range map[string]int{"noted at once": 0, "noted later": 3} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				p := s.spoken(0)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				b := w.start(func(c *agent.Config) { c.Policy.SweepEvery = time.Hour })
				fail, stamped := times(faults), false
				f.set(&f.before, "gate", func() error {
					if !stamped {
						stamped = true
						if _, err := b.db.Dispose(context.Background(), p.spec.ID, time.Now()); err != nil {
							return err
						}
					}
					return fail()
				})
				s.resume(0)
				time.Sleep(20 * time.Second)
				if got := w.runs(); len(got) != 0 || !stamped {
					t.Fatalf("%v run, stamped %v", got, stamped)
				}
				w.gone(s, 0)
			})
		})
	}
}
