package agent

import (
	"context"
	"fmt"
	"time"

	"reprise/panes"
)

// End ends what a pane runs because a person closed it: stamped durably before
// any signal. It returns once the stamp is down; the process is ended behind it.
// After an error nothing was signalled and the pane must stay.
func (c *Coordinator) End(ctx context.Context, p panes.PaneID) error {
	c.ends.RLock()
	defer c.ends.RUnlock()
	c.mu.Lock()
	moved := c.moved(p)
	c.mu.Unlock()
	if moved {
		return fmt.Errorf("the pane cannot be closed from here: %w", ErrMoved)
	}
	// First, so that a launch or a resume that is under way finds it.
	c.setClosed(p, true)
	rec, err := c.cfg.Store.Pane(ctx, p)
	if err == nil && rec.Terminal != nil {
		c.mu.Lock()
		c.ground(rec.Terminal.ID)
		c.mu.Unlock()
		_, err = c.dispose(ctx, rec.Terminal.ID)
	}
	if err != nil {
		c.setClosed(p, false)
		return fmt.Errorf("the pane cannot be closed now, try again: %w", err)
	}
	c.clear(p, "")
	c.soil(p)
	return nil
}

func (c *Coordinator) setClosed(p panes.PaneID, closed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pl := c.placeOf(p)
	pl.closed = closed
	c.publish(pl)
}

// dispose is the one place that ends processes on a person's behalf. The stamp is
// durable before any signal; from then on nothing brings the session back, and
// whoever comes next carries it out.
func (c *Coordinator) dispose(ctx context.Context, t panes.TerminalID) ([]Terminal, error) {
	if err := failpoint("dispose.stamp"); err != nil {
		return nil, err
	}
	doomed, err := c.cfg.Store.Dispose(ctx, t, c.cfg.Now())
	if err == nil {
		err = failpoint("dispose.stamped")
	}
	if err != nil {
		c.Saved(err)
		return nil, err
	}
	for _, d := range doomed {
		c.mu.Lock()
		l := c.lives[d.ID]
		if l != nil {
			l.settleAt = time.Time{}
			c.placeOf(l.pane).dirty = true
		}
		running := l != nil && !l.ended
		c.mu.Unlock()
		switch {
		case running:
			c.carryOut(l)
		case d.Instance == c.cfg.Instance:
			c.finish(d)
		default: // its owner ends it, or, if that is dead, the sweep
			c.mu.Lock()
			c.beat.sweep = time.Time{}
			c.mu.Unlock()
		}
	}
	c.nudge()
	return doomed, nil
}

// carryOut ends a running terminal that is stamped as disposed. It may be asked
// again and again.
func (c *Coordinator) carryOut(l *life) {
	c.mu.Lock()
	if l.ended || l.ending {
		c.mu.Unlock()
		return
	}
	l.disposed, l.ending = true, true
	c.mu.Unlock()
	c.spawn("end", func() {
		err := failpoint("dispose.signal")
		if err == nil {
			err = c.cfg.Processes.End(c.ctx, l.process, l.nonce, c.cfg.Policy.TermGrace)
		}
		if err != nil && c.ctx.Err() == nil {
			c.cfg.Log.Error("end", "terminal", l.id, "agent", l.kind, "err", err)
		}
		c.mu.Lock()
		l.ending = false
		c.mu.Unlock()
		c.nudge()
	})
}

// finish ends what may be left of a disposed terminal that has exited, and
// records that it was seen gone.
func (c *Coordinator) finish(t Terminal) {
	c.spawn("end", func() {
		if err := c.cfg.Processes.End(c.ctx, t.Process, t.Nonce, c.cfg.Policy.TermGrace); err != nil {
			if c.ctx.Err() == nil {
				c.cfg.Log.Error("end", "terminal", t.ID, "err", err)
			}
			return
		}
		ctx, cancel := durable(c.ctx)
		defer cancel()
		_, err := c.cfg.Store.End(ctx, Ending{Terminal: t.ID, At: c.cfg.Now(), Asked: TerminalExited, Why: "ended by a person"})
		if err != nil {
			c.cfg.Log.Warn("record end", "terminal", t.ID, "err", err)
		}
	})
}

// afterExit does what the settings say about a pane whose agent has quit.
func (c *Coordinator) afterExit(p panes.PaneID, rec PaneRecord) {
	if c.cfg.Settings.AfterExit == AfterClose {
		if c.cfg.ClosePane != nil {
			c.setClosed(p, true)
			c.clear(p, "")
			c.spawn("close pane", func() { c.cfg.ClosePane(p) })
		}
		return
	}
	c.spawn("shell", func() {
		if err := c.Launch(c.ctx, LaunchRequest{Pane: p, Dir: existing(rec.Binding.Origin.Dir)}); err != nil {
			c.cfg.Log.Warn("shell after a clean end", "pane", p, "err", err)
		}
	})
}
