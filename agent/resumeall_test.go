package agent_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
)

// all asks for all sessions, and waits until they are there.
func (s *server) all(want int) {
	s.w.Helper()
	n, err := s.c.ResumeAll(context.Background())
	s.w.must(err)
	if n != want {
		s.w.Errorf("%d resumes are under way, want %d", n, want)
	}
	time.Sleep(time.Minute)
	synctest.Wait()
}

// What only waits to be shown comes back, never more than the limit at once. What was
// dismissed, has failed or is paused is left.
func TestResumeAll(t *testing.T) {
	bubble(t, 8, func(w *world) {
		w.killed(8)
		s := w.start()
		for i := range w.panes {
			s.wants(i, agent.PaneDue)
		}
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActDismiss))
		w.machine.mu.Lock()
		w.machine.onExec = func(p *proc) { p.ends(1) }
		w.machine.mu.Unlock()
		for range 4 {
			s.resume(1)
			time.Sleep(31 * time.Second)
		}
		s.wants(1, agent.PanePaused)
		w.machine.mu.Lock()
		w.machine.onExec = nil
		w.machine.mu.Unlock()
		w.kinds.remove("robot")
		s.byPerson(2)
		w.kinds.mu.Lock()
		w.kinds.all["robot"] = w.robot
		w.kinds.mu.Unlock()
		time.Sleep(6 * time.Second) // the loop looks at it again
		s.wants(2, agent.PaneFailed)
		w.machine.mu.Lock()
		w.mostGates = 0
		w.machine.mu.Unlock()
		n := len(w.log())
		s.all(5)
		got := w.shows(n)
		slices.Sort(got)
		if !slices.Equal(got, []int{3, 4, 5, 6, 7}) || w.mostGates > 2 {
			t.Errorf("panes %v came back, %d at once; want 3 to 7, at most 2 at once", got, w.mostGates)
		}
		s.all(0)
	})
}

// Asked for by a person, those come back, too, that ask.
func TestResumeAllThatAsk(t *testing.T) {
	bubble(t, 3, func(w *world) {
		w.killed(3)
		s := w.start(func(c *agent.Config) { c.Settings.Mode = agent.ModeAsk })
		for i := range w.panes {
			s.wants(i, agent.PaneAsk)
		}
		s.all(3)
		for i := range w.panes {
			s.wants(i, agent.PaneNormal)
		}
	})
}

// Who asks right after a crash need not wait for the loop's sweep, nor for a look at
// the panes.
func TestResumeAllAtOnce(t *testing.T) {
	bubble(t, 3, func(w *world) {
		s := w.start()
		for i := range w.panes {
			s.spoken(i)
		}
		other := w.start()
		s.crash()
		other.c.Look(agent.Look{Client: "one"})
		other.all(3)
		for i := range w.panes {
			other.wants(i, agent.PaneNormal)
		}
	})
}

// A coordinator that stops begins nothing any more.
func TestResumeAllWhileStopping(t *testing.T) {
	bubble(t, 2, func(w *world) {
		w.killed(2)
		s := w.start()
		s.wants(0, agent.PaneDue)
		n := len(w.log())
		w.must(s.c.Stop(context.Background()))
		s.all(0)
		if got := w.shows(n); len(got) != 0 {
			t.Errorf("panes %v came back", got)
		}
	})
}

// What was asked for and waits for its turn is not forgotten by an upgrade, and comes
// back once.
func TestResumeAllOverAnUpgrade(t *testing.T) {
	bubble(t, 7, func(w *world) {
		w.killed(7)
		s := w.start()
		for i := range w.panes {
			s.wants(i, agent.PaneDue)
		}
		n := len(w.log())
		started, err := s.c.ResumeAll(context.Background())
		w.must(err)
		state, err := s.c.Handover(context.Background())
		w.must(err)
		under := len(w.shows(n))
		if started != 7 || under == 0 || under > 2 {
			t.Fatalf("%d are under way, %d came back before the upgrade; want 7, and 1 or 2", started, under)
		}
		state.Queue = append(state.Queue, agent.ResumeRequest{Terminal: "gone", Pane: "gone"}, agent.ResumeRequest{Pane: w.panes[0]})
		s = s.execed(state, image{})
		s = s.exec(image{}) // and one more, at once
		time.Sleep(time.Minute)
		synctest.Wait()
		got := w.shows(n)
		slices.Sort(got)
		if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6}) || w.mostGates > 2 {
			t.Errorf("panes %v came back, %d at once; want each once, at most 2 at once", got, w.mostGates)
		}
		s.all(0)
	})
}
