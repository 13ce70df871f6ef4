package agent_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// pair is two workspaces of one process: each server knows half of the panes.
func (w *world) pair(n int, limit *agent.Limit) (a, b *server) {
	w.Helper()
	half := func(list []panes.PaneID) func(*agent.Config) {
		return func(c *agent.Config) {
			c.Limit = limit
			c.Panes = func() []panes.PaneID { return list }
		}
	}
	return w.start(half(w.panes[:n])), w.start(half(w.panes[n:]))
}

// Two workspaces of one process start no more agents together than one does, and
// each goes on when the other's slot is free.
func TestLimitIsShared(t *testing.T) {
	bubble(t, 12, func(w *world) {
		w.killed(12)
		w.screens = true
		var a *server
		born := w.slow(func() *server { return a })
		n := len(w.log())
		var b *server
		a, b = w.pair(6, agent.NewLimit(2))
		var done sync.WaitGroup
		for i := range 6 {
			a.wants(i, agent.PaneDue)
			b.wants(6+i, agent.PaneDue)
		}
		for i := range 6 {
			a.ask(&done, i)
			b.ask(&done, 6+i)
		}
		done.Wait()
		time.Sleep(6 * time.Second)
		got := w.shows(n)
		slices.Sort(got)
		if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) || born.peak() != 2 {
			t.Errorf("%v came back, %d at once; want all, 2 at once", got, born.peak())
		}
	})
}

// The pane with the focus is first across workspaces, then what is shown.
func TestLimitKnowsTheFocus(t *testing.T) {
	bubble(t, 8, func(w *world) {
		w.killed(8)
		n := len(w.log())
		a, b := w.pair(4, agent.NewLimit(1))
		var done sync.WaitGroup
		for i := range 4 {
			a.wants(i, agent.PaneDue)
			b.wants(4+i, agent.PaneDue)
		}
		for i := range 3 {
			a.ask(&done, i)
			synctest.Wait()
		}
		a.c.Look(agent.Look{Client: "a", Visible: w.panes[:2]})
		b.c.Look(agent.Look{Client: "b", Focused: w.panes[6], Visible: w.panes[6:7]})
		for _, i := range []int{5, 6} {
			b.ask(&done, i)
			synctest.Wait()
		}
		done.Wait()
		// 0 had begun; then the focused one, what is shown, and the hidden ones by turns.
		if got := w.shows(n); !slices.Equal(got, []int{0, 6, 1, 5, 2}) && !slices.Equal(got, []int{0, 6, 1, 2, 5}) {
			t.Errorf("came back %v", got)
		}
	})
}

// A workspace that stops while it waits, or while its agent starts, keeps no slot
// from the others.
func TestLimitAndStop(t *testing.T) {
	bubble(t, 4, func(w *world) {
		w.killed(4)
		a, b := w.pair(2, agent.NewLimit(1))
		for i := range w.panes {
			a.wants(i, agent.PaneDue)
			b.wants(i, agent.PaneDue)
		}
		var done sync.WaitGroup
		a.ask(&done, 0)
		synctest.Wait()
		a.ask(&done, 1)
		synctest.Wait()
		b.ask(&done, 2)
		synctest.Wait()
		b.ask(&done, 3)
		synctest.Wait()
		a.settle()
		n := len(w.log())
		begun := time.Now()
		a.stop()
		time.Sleep(500 * time.Millisecond) // two processes write: SQLite may let one wait
		if got := w.shows(n); !slices.Equal(got, []int{3}) || time.Since(begun) > time.Second {
			t.Errorf("%v began within %v, want pane 3, the last used, at once", got, time.Since(begun))
		}
		done.Wait()
		if got := w.shows(n); !slices.Equal(got, []int{3, 2}) {
			t.Errorf("%v came back, want 3 and 2", got)
		}
	})
}
