package agent

import (
	"context"
	"errors"
	"slices"
	"time"

	"reprise/panes"
)

// Run takes in what happened until ctx ends or Stop is called: hooks, deaths,
// goodbyes that settle, resumes that have held, dead instances. It is
// level-triggered: each turn asks for the state, so no event can be lost. A
// failing turn is logged and made again.
func (c *Coordinator) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.ctx.Done():
			return
		case <-c.wake:
		case <-timer.C:
		}
		timer.Reset(c.safeTurn(ctx))
	}
}

// safeTurn survives a fault in a turn: the loop is what brings everybody back.
func (c *Coordinator) safeTurn(ctx context.Context) (wait time.Duration) {
	wait = c.cfg.Policy.SweepEvery
	defer c.recovered("coordinator")
	c.turns.Lock()
	defer c.turns.Unlock()
	c.mu.Lock()
	away := c.held != nil && c.heir == nil // it is being handed over
	c.mu.Unlock()
	if away || c.ctx.Err() != nil {
		return wait
	}
	return c.turn(ctx)
}

// turn looks at everything once and says when to look again at the latest.
func (c *Coordinator) turn(ctx context.Context) time.Duration {
	now := c.cfg.Now()
	failed := errors.Join(
		c.inherit(ctx),
		c.hooksDue(ctx, now),
		c.takeDead(ctx),
		c.takeTyped(ctx, now),
		c.prove(ctx, now),
		c.settle(ctx, now),
		c.clearLimbo(ctx),
		c.gates(ctx),
	)
	c.observe(now)
	c.sweepDue(now)
	failed = errors.Join(failed, c.refreshDirty(ctx))
	c.sendQueued(ctx)                     // by what was just read
	if c.cfg.Settings.Scope == ScopeAll { // nobody else asks for the hidden ones
		c.takeAll(false)
	}
	c.mu.Lock()
	c.dispatch()
	c.publishAll()
	c.noticed(c.cfg.Now())
	wait := c.nextLook(c.cfg.Now())
	c.mu.Unlock()
	c.tell()
	if failed == nil {
		c.probe(ctx, now)
	} else {
		c.Saved(failed)
		c.complain(ctx, failed, now)
		wait = min(wait, c.cfg.Policy.HookEvery)
	}
	return wait
}

// complain logs a failing turn, but not each time: a disk that is full stays full
// for long, and the log is on it.
func (c *Coordinator) complain(ctx context.Context, err error, now time.Time) {
	c.mu.Lock()
	due := ctx.Err() == nil && now.Sub(c.beat.complained) >= c.cfg.Policy.SweepEvery
	if due {
		c.beat.complained = now
	}
	c.mu.Unlock()
	if due {
		c.cfg.Log.Warn("turn", "err", err)
	}
}

// hooksDue drains the hooks if agents run and it is time.
func (c *Coordinator) hooksDue(ctx context.Context, now time.Time) error {
	c.mu.Lock()
	due := now.Sub(c.beat.hooks) >= c.cfg.Policy.HookEvery && c.agentsRun()
	c.mu.Unlock()
	if !due {
		return nil
	}
	return c.takeHooks(ctx)
}

// agentsRun reports whether hooks may come. mu is held. A goodbye may come after
// the end, so unsettled ones count.
func (c *Coordinator) agentsRun() bool {
	for _, l := range c.lives {
		if l.kind != "" && (!l.ended || !l.settleAt.IsZero()) {
			return true
		}
	}
	return false
}

// gates tells the store of gates that it could not be told of.
func (c *Coordinator) gates(ctx context.Context) error {
	c.mu.Lock()
	var all []*life
	for _, l := range c.lives {
		if l.begun && l.gateOpen && !l.gateNoted {
			all = append(all, l)
		}
	}
	c.mu.Unlock()
	var failed error
	for _, l := range all {
		failed = errors.Join(failed, c.noteGate(ctx, l))
	}
	return failed
}

// present tells which panes exist, as one moment's answer.
func (c *Coordinator) present() func(panes.PaneID) bool {
	if c.cfg.Panes == nil {
		return func(panes.PaneID) bool { return true }
	}
	all := map[panes.PaneID]bool{}
	for _, p := range c.cfg.Panes() {
		all[p] = true
	}
	return func(p panes.PaneID) bool { return all[p] }
}

// nextLook is the time until something is due. mu is held.
func (c *Coordinator) nextLook(now time.Time) time.Duration {
	p := c.cfg.Policy
	next := c.beat.sweep.Add(p.SweepEvery)
	at := func(t time.Time) {
		if t.After(now) && t.Before(next) {
			next = t
		}
	}
	if c.beat.observing {
		at(c.beat.observed.Add(observeEvery))
	}
	if c.agentsRun() {
		at(c.beat.hooks.Add(p.HookEvery))
	}
	if len(c.limbo) > 0 {
		at(now.Add(p.HookEvery))
	}
	for _, l := range c.lives {
		if l.typed != nil && !l.typed.gone.IsZero() && !l.ended {
			at(now.Add(p.HookEvery))
		}
		at(l.settleAt)
		at(l.freshUntil)
		at(l.evidence.due())
		if l.probation && !l.ended {
			at(l.started.Add(p.ProvenAlive))
			if !l.firstKey.IsZero() {
				at(l.firstKey.Add(p.ProvenKey))
			}
		}
	}
	for _, f := range c.queue {
		at(f.asked.Add(p.LookWithin))
	}
	for _, pl := range c.places {
		at(pl.view.RetryAt)
		if pl.dirty {
			at(now.Add(p.HookEvery))
		}
	}
	return max(next.Sub(now), time.Millisecond)
}

// Stop ends the coordinator because this process was told to stop: nothing is
// disposed. Resumes under way are finished or given back; terminals whose process
// was seen gone are recorded, none of them as a goodbye; this instance's unsure
// goodbyes become candidates. ctx bounds the wait.
func (c *Coordinator) Stop(ctx context.Context) error {
	var failed error
	c.once.Do(func() {
		c.mu.Lock()
		c.stopping = true
		for _, f := range slices.Clone(c.queue) {
			c.land(f, ResumeResult{})
		}
		c.limit.leave(c)
		c.mu.Unlock()
		c.cancel()
		finished := make(chan struct{})
		go func() {
			defer c.recovered("stop")
			c.work.Wait()
			close(finished)
		}()
		select {
		case <-finished:
		case <-ctx.Done():
			failed = ctx.Err()
		}
		failed = errors.Join(failed, c.lastTurn(ctx))
	})
	return failed
}

func (c *Coordinator) lastTurn(ctx context.Context) error {
	ctx, cancel := durable(ctx)
	defer cancel()
	c.turns.Lock()
	defer c.turns.Unlock()
	failed := errors.Join(c.takeHooks(ctx), c.clearLimbo(ctx), c.takeDead(ctx), c.takeTyped(ctx, c.cfg.Now())) // [P10] only what was seen gone
	// Whatever ended with status 0 shortly before us may have been told to by
	// the same signal.
	_, err := c.cfg.Store.Unsettle(ctx, c.cfg.Instance, c.cfg.Now()) // [P7]
	return errors.Join(failed, err)
}
