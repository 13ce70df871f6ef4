package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// sweepers is how many orphans are ended at once: each may take its time to die.
const sweepers = 8

// sweepDue starts a sweep if it is time [P1]: at start, and then again and again,
// for an instance may die at any time. It runs beside the loop.
func (c *Coordinator) sweepDue(now time.Time) {
	c.mu.Lock()
	due := !c.beat.sweeping && now.Sub(c.beat.sweep) >= c.cfg.Policy.SweepEvery && !c.stopping
	if due {
		c.beat.sweeping, c.beat.sweep = true, now
	}
	c.mu.Unlock()
	if !due {
		return
	}
	c.spawn("sweep", func() {
		defer func() {
			c.mu.Lock()
			c.beat.sweeping = false
			c.mu.Unlock()
			// Other processes may have changed what our panes show.
			c.soilStale()
		}()
		if err := c.sweep(c.ctx); err != nil && c.ctx.Err() == nil {
			c.cfg.Log.Warn("sweep", "err", err)
		}
	})
}

// sweep mends what dead instances left. What fails is tried again next time and
// stops nothing else.
func (c *Coordinator) sweep(ctx context.Context) error {
	select {
	case c.sweeps <- struct{}{}:
		defer func() { <-c.sweeps }()
	case <-ctx.Done(): // one may take long: what does not die is signalled three times
		return fmt.Errorf("wait for another sweep: %w", context.Cause(ctx))
	}
	dead, release, err := c.cfg.Store.Dead(ctx)
	if release != nil {
		defer release()
	}
	if err != nil {
		return fmt.Errorf("look for dead instances: %w", err)
	}
	var failed error
	for _, id := range dead {
		if err := c.sweepInstance(ctx, id); err != nil {
			failed = errors.Join(failed, fmt.Errorf("sweep instance %s: %w", id, err))
		}
	}
	return failed
}

func (c *Coordinator) sweepInstance(ctx context.Context, id InstanceID) error {
	if err := failpoint("sweep.hooks"); err != nil {
		return err
	}
	// A goodbye that the dead owner did not take in must be known first.
	if _, err := c.cfg.Store.ApplyHooks(ctx, id); err != nil {
		return fmt.Errorf("take in hooks: %w", err)
	}
	orphans, err := c.cfg.Store.Orphans(ctx, id)
	if err != nil {
		return err
	}
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed error
		slots  = make(chan struct{}, sweepers)
	)
	for _, o := range orphans {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			defer c.recovered("sweep")
			if err := c.sweepOne(ctx, id, o); err != nil {
				mu.Lock()
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

// sweepOne ends what still runs of an orphan and records it as gone. Only then is
// its session a candidate: two processes on one session lose what is said.
func (c *Coordinator) sweepOne(ctx context.Context, dead InstanceID, o Orphan) error {
	t := o.Terminal
	doomed := t.Status == TerminalActive || !t.DisposeRequested.IsZero() // [P8]
	if doomed && t.Instance == dead && c.cfg.Processes.Alive(t.Process, t.Nonce) {
		if err := failpoint("sweep.signal"); err != nil {
			return err
		}
		if err := c.cfg.Processes.End(ctx, t.Process, t.Nonce, c.cfg.Policy.TermGrace); err != nil {
			if ctx.Err() == nil {
				c.note(Note{Terminal: t.ID, What: "sweep", Why: "its process cannot be ended: " + err.Error()})
			}
			return err
		}
	}
	if err := failpoint("sweep.record"); err != nil {
		return err
	}
	if err := c.cfg.Store.Sweep(ctx, SweepRequest{Terminal: t.ID, Instance: dead, At: c.cfg.Now()}); err != nil {
		return err
	}
	c.cfg.Log.Info("swept", "terminal", t.ID, "instance", string(dead))
	c.soil(t.Pane)
	return failpoint("sweep.recorded")
}
