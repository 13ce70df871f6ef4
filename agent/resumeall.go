package agent

import (
	"context"
	"errors"
	"fmt"

	"reprise/panes"
)

// Mend looks at once for what dead instances left, and for what the panes hold then.
// The loop does so too, every Policy.SweepEvery: it is for who asks before that.
//
// What cannot be swept is only logged, as the loop does: it stops nothing else.
func (c *Coordinator) Mend(ctx context.Context) error {
	if err := c.sweep(ctx); err != nil {
		c.cfg.Log.Warn("sweep", "err", err)
	}
	var failed error
	for _, p := range c.stock() {
		failed = errors.Join(failed, c.refresh(ctx, p))
	}
	if failed != nil {
		return fmt.Errorf("look for sessions: %w", failed)
	}
	return nil
}

// ResumeAll starts the resumes of all sessions that wait for nothing but to be shown
// or asked for: those that are due, and those that ask. What a person dismissed, what
// failed, is paused or waits for its next try is left. It returns how many resumes are
// under way then, those that were before too, and does not wait for them.
func (c *Coordinator) ResumeAll(ctx context.Context) (int, error) {
	if err := c.Mend(ctx); err != nil {
		return 0, err
	}
	c.takeAll(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dispatch()
	return len(c.flights), nil
}

// stock are the panes of the workspace, each with a place.
func (c *Coordinator) stock() (all []panes.PaneID) {
	var known []panes.PaneID
	if c.cfg.Panes != nil {
		known = c.cfg.Panes()
	}
	here := c.present()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range known {
		c.placeOf(p)
	}
	for p, pl := range c.places {
		if !pl.closed && here(p) {
			all = append(all, p)
		}
	}
	return all
}

// takeAll enqueues the resumes of all candidates that are due, shown or not; asked
// for by a person also of those that ask.
func (c *Coordinator) takeAll(byPerson bool) {
	all := c.stock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping {
		return
	}
	for _, p := range all {
		v := c.placeOf(p).view
		asks := byPerson && v.State == PaneAsk
		if v.State == PaneDue || asks {
			c.enqueue(ResumeRequest{Terminal: v.Candidate, Pane: p, ByPerson: asks})
		}
	}
}
