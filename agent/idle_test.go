package agent_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// looks counts how often panes are read from the store, all or one of them.
type looks struct {
	agent.Store
	of panes.PaneID // "": all
	n  atomic.Int64
}

func (l *looks) Pane(ctx context.Context, p panes.PaneID) (agent.PaneRecord, error) {
	if l.of == "" || l.of == p {
		l.n.Add(1)
	}
	return l.Store.Pane(ctx, p)
}

// While nobody writes, panes are not read again and again; what another process
// writes is seen all the same.
func TestQuietPanesAreNotReadAgain(t *testing.T) {
	bubble(t, 3, func(w *world) {
		a := w.start()
		session := a.spoken(0).session
		l := new(looks)
		b := w.start(func(c *agent.Config) { l.Store, c.Store = c.Store, l })
		a.crash()
		time.Sleep(time.Minute)
		b.revived(0, session)
		time.Sleep(10 * time.Minute) // it has proved itself
		before := l.n.Load()
		time.Sleep(10 * time.Minute)
		if n := l.n.Load() - before; n > 0 {
			t.Errorf("%d times panes were read while nothing happened", n)
		}
		other := w.start()
		if _, err := other.db.Dispose(context.Background(), b.host.Shown(w.panes[0]).ID(), time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if got := w.runs(); len(got) != 0 {
			t.Errorf("%v run on, though another process has disposed them", got)
		}
	})
}

// Shells that are opened in one pane do not have all others read again, but what happens
// to a session does.
func TestOtherPanesAreNotReadAgain(t *testing.T) {
	bubble(t, 2, func(w *world) {
		l := &looks{of: w.panes[0]}
		a := w.start(func(c *agent.Config) { l.Store, c.Store = c.Store, l })
		a.spoken(0)
		a.shell(1)
		time.Sleep(10 * time.Minute)
		before := l.n.Load()
		for range 5 {
			a.shell(1)
			time.Sleep(10 * time.Second)
		}
		if n := l.n.Load() - before; n > 0 {
			t.Errorf("a pane was read %d times while shells were opened in another one", n)
		}
		a.agent(1)
		time.Sleep(10 * time.Second)
		if n := l.n.Load() - before; n == 0 {
			t.Error("a pane was not read again though an agent was launched in another one")
		}
	})
}
