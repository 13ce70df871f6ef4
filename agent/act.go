package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"reprise/panes"
	"reprise/panes/disk"
)

// Errors of Do.
var (
	// ErrBusy: the pane's session is being resumed.
	ErrBusy = errors.New("its session is being resumed")
	// ErrNothing: there is nothing in the pane that this could be done to.
	ErrNothing = errors.New("there is nothing to do this to")
)

// Do does what a person asks of a dead pane.
func (c *Coordinator) Do(ctx context.Context, p panes.PaneID, a Act) error {
	rec, err := c.cfg.Store.Pane(ctx, p)
	if err != nil {
		return fmt.Errorf("read pane: %w", err)
	}
	if err := c.quiet(p, rec); err != nil {
		return err
	}
	defer c.soil(p)
	switch a {
	case ActDismiss:
		return c.dismiss(ctx, rec)
	case ActShell:
		return c.shellHere(ctx, p, rec)
	case ActRunAgain:
		return c.runAgain(ctx, p, rec)
	}
	return ErrNothing
}

// quiet makes sure that nothing else is being done to the pane. A resume that
// only waits in the queue is taken out of it.
func (c *Coordinator) quiet(p panes.PaneID, rec PaneRecord) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved(p) {
		return ErrMoved
	}
	if c.placeOf(p).launching > 0 {
		return ErrBusy
	}
	if rec.Terminal == nil {
		return nil
	}
	if l := c.lives[rec.Terminal.ID]; l != nil && !l.ended {
		return fmt.Errorf("its program runs: %w", ErrNothing)
	}
	if !c.ground(rec.Terminal.ID) {
		return ErrBusy
	}
	return nil
}

func (c *Coordinator) dismiss(ctx context.Context, rec PaneRecord) error {
	if rec.Binding == nil {
		return ErrNothing
	}
	if err := c.cfg.Store.Dismiss(ctx, rec.Binding.Terminal, c.cfg.Now()); err != nil {
		return err
	}
	id := rec.Binding.identity()
	all, err := c.cfg.Store.Holders(ctx, id)
	if err != nil {
		c.cfg.Log.Warn("prompts of a dismissed session", "terminal", rec.Binding.Terminal, "err", err) // they stay
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.failures, rec.Binding.Terminal)
	if err == nil && !slices.ContainsFunc(all, Holder.has) { // else it was a dead duplicate
		twin := slices.ContainsFunc(all, func(h Holder) bool { return h.Kept && !h.Dismissed && h.Terminal.ID != rec.Binding.Terminal })
		c.forgo(id, rec.Pane, !twin)
	}
	return nil
}

// shellHere gives the pane to the person's shell. What was there stays in the
// history: a candidate as dismissed, an unsure goodbye as a sure one.
func (c *Coordinator) shellHere(ctx context.Context, p panes.PaneID, rec PaneRecord) error {
	dir := ""
	if rec.Terminal != nil {
		dir = rec.Terminal.Dir
	} else if r := c.refusedIn(p); r != nil {
		dir = r.Dir
	}
	if b := rec.Binding; b != nil {
		dir = b.Origin.Dir
		switch {
		case b.Reason == TerminalExited && b.Dismissed.IsZero():
			if err := c.dismiss(ctx, rec); err != nil {
				return err
			}
		case b.Reason == Detached && b.Unsure:
			if err := c.settleNow(ctx, p, b.Terminal); err != nil {
				return err
			}
		}
	}
	return c.Launch(ctx, LaunchRequest{Pane: p, Dir: existing(dir)})
}

// settleNow: the person says that the goodbye was one. The shell that follows is
// started by the caller.
func (c *Coordinator) settleNow(ctx context.Context, p panes.PaneID, t panes.TerminalID) error {
	if _, err := c.cfg.Store.Settle(ctx, t, c.cfg.Now()); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lives[t]; l != nil {
		l.settleAt = time.Time{}
	}
	c.placeOf(p).after = t
	return nil
}

func (c *Coordinator) refusedIn(p panes.PaneID) *LaunchRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.placeOf(p).refused
}

// runAgain starts what the pane ran once more, as it was first launched.
func (c *Coordinator) runAgain(ctx context.Context, p panes.PaneID, rec PaneRecord) error {
	b := rec.Binding
	// What could not even begin is what the pane shows, unless an agent's end is.
	if r := c.refusedIn(p); r != nil && b == nil {
		return c.Launch(ctx, *r)
	}
	if rec.Terminal == nil {
		return ErrNothing
	}
	if b == nil {
		return c.Launch(ctx, LaunchRequest{Pane: p, Argv: rec.Terminal.Argv, Dir: rec.Terminal.Dir, Env: rec.Terminal.Env})
	}
	if rec.Candidate && !b.FirstFailed {
		return fmt.Errorf("its session can be resumed: %w", ErrNothing)
	}
	return c.Launch(ctx, LaunchRequest{Pane: p, Kind: b.Kind, Argv: b.Flags, Dir: b.Origin.Dir, Env: b.Origin.Env})
}

// existing is dir, or the person's home if dir is gone: a shell must come up.
func existing(dir string) string {
	if disk.IsDir(dir, disk.Glance) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "/"
	}
	return home
}
