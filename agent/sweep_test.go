package agent_test

import (
	"context"
	"testing"
	"time"

	"reprise/agent"
)

// An instance may die at any time: whoever lives sweeps it, not only who starts.
func TestSweepWhileRunning(t *testing.T) {
	bubble(t, 1, func(w *world) {
		a := w.start()
		p := a.spoken(0)
		b := w.start()
		time.Sleep(time.Minute)
		if rec, _ := b.db.Pane(context.Background(), w.panes[0]); rec.Binding.Reason != agent.Live {
			t.Fatalf("the sweep touched what a living instance owns: %s", rec.Binding.Reason)
		}
		a.crash()
		time.Sleep(6 * time.Second)
		b.revived(0, p.session)
	})
}

// An agent that outlives its server's death is ended before its session is a
// candidate.
func TestSweepEndsSurvivors(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.stubborn = true
		a := w.start()
		p := a.spoken(0)
		a.crash()
		if len(w.runs()) != 1 {
			t.Fatal("it did not survive")
		}
		b := w.start()
		if v := b.view(0); v.State == agent.PaneDue {
			t.Error("a candidate while its agent lives")
		}
		time.Sleep(12 * time.Second)
		b.revived(0, p.session)
		if got := w.runs(); len(got) != 1 {
			t.Errorf("%v run", got)
		}
	})
}

// What cannot be ended is no candidate, and is tried again.
func TestSweepOfAnUndyingAgent(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.undying = true
		a := w.start()
		p := a.spoken(0)
		a.crash()
		b := w.start()
		time.Sleep(time.Minute)
		if v := b.view(0); v.State == agent.PaneDue {
			t.Fatal("a candidate while its agent lives")
		}
		if n, err := b.c.ResumeAll(context.Background()); n != 0 || err != nil {
			t.Errorf("%d others come back (%v); one that cannot be ended must keep nobody from it", n, err)
		}
		w.machine.mu.Lock()
		w.undying = false
		w.machine.mu.Unlock()
		time.Sleep(30 * time.Second)
		b.revived(0, p.session)
	})
}

// Case 26: a disposal that was stamped, not carried out, by a server that died.
func TestStampedByADeadServer(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.stubborn = true
		a := w.start()
		p := a.spoken(0)
		if _, err := a.db.Dispose(context.Background(), p.spec.ID, time.Now()); err != nil {
			t.Fatal(err)
		}
		a.crash()
		b := w.start()
		time.Sleep(12 * time.Second)
		if got := w.runs(); len(got) != 0 {
			t.Errorf("%v still run", got)
		}
		w.gone(b, 0)
	})
}

// The same of an agent that has exited, but left a process behind.
func TestStampedWithALeftover(t *testing.T) {
	bubble(t, 1, func(w *world) {
		a := w.start()
		p := a.spoken(0)
		p.killed(sigkill)
		a.wants(0, agent.PaneDue)
		w.linger(p)
		if _, err := a.db.Dispose(context.Background(), p.spec.ID, time.Now()); err != nil {
			t.Fatal(err)
		}
		a.crash()
		w.start()
		time.Sleep(time.Second)
		if w.Alive(p.id, "") {
			t.Error("what it left still runs")
		}
	})
}

// A stopping server does not leave its unsure goodbyes to the next one's sweep.
func TestStopTakesUnsureGoodbyesBack(t *testing.T) {
	bubble(t, 1, func(w *world) {
		a := w.start()
		p := a.spoken(0)
		b := w.start(func(c *agent.Config) { c.Policy.SweepEvery = time.Hour })
		p.ends(0)
		a.wants(0, agent.PaneUnsettled)
		a.stop()
		rec, err := b.db.Pane(context.Background(), w.panes[0])
		w.must(err)
		if rec.Binding.Reason != agent.TerminalExited || !rec.Candidate {
			t.Errorf("it is %q, candidate %v", rec.Binding.Reason, rec.Candidate)
		}
	})
}

// The same by another process, while the owner lives: the owner carries it out.
func TestStampedByAnotherProcess(t *testing.T) {
	bubble(t, 1, func(w *world) {
		a := w.start()
		p := a.spoken(0)
		b := w.start()
		if _, err := b.db.Dispose(context.Background(), p.spec.ID, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Second)
		if got := w.runs(); len(got) != 0 {
			t.Errorf("%v still run", got)
		}
		a.wants(0, agent.PaneEnded)
	})
}

// A claim of a dead instance is given back.
func TestSweepGivesClaimsBack(t *testing.T) {
	bubble(t, 1, func(w *world) {
		a := w.start()
		p := a.spoken(0)
		p.killed(sigkill)
		a.wants(0, agent.PaneDue)
		b := w.start()
		_, ok, err := b.db.Claim(context.Background(), agent.ClaimRef{Terminal: p.spec.ID, Owner: b.inst, Token: "t", At: time.Now()})
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		time.Sleep(6 * time.Second)
		a.wants(0, agent.PaneResuming) // by another process
		b.crash()
		time.Sleep(6 * time.Second)
		a.revived(0, p.session)
	})
}

// Process groups of every ended terminal of the session are ended before a
// resume: also of one before the last.
func TestLeftoversOfFormerLives(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		q := s.revived(0, p.session)
		s.hook(q, agent.HookPrompt, q.session)
		time.Sleep(time.Second)
		w.linger(p) // a child of the first life turns out to live on
		q.killed(sigkill)
		w.linger(q)
		s.revived(0, p.session)
		if w.Alive(p.id, "") || w.Alive(q.id, "") {
			t.Error("a process of a former life still runs")
		}
	})
}

// A leftover that cannot be ended: no second process on the session.
func TestLeftoverThatWillNotDie(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		w.undying = true
		p.killed(sigkill)
		w.linger(p)
		s.wants(0, agent.PaneDue)
		if r := s.resume(0); r.Failure != agent.FailHeld {
			t.Fatalf("got %+v", r)
		}
		w.machine.mu.Lock()
		w.undying = false
		w.machine.mu.Unlock()
		s.wants(0, agent.PaneFailed)
		if r := s.byPerson(0); !r.Resumed || w.starts(p.session) != 2 {
			t.Errorf("retry: %+v", r)
		}
	})
}
