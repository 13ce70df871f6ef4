package agent

import (
	"context"
	"errors"
	"fmt"
)

// limbo is a claim of which it is not known what became of it, or that could not
// be given back: the loop goes on until it is.
type limbo struct {
	claim ClaimRef
	life  *life // of the successor, if a confirmation was tried
	why   string
}

// giveBack unclaims. It does nothing if a person ended the session meanwhile, or
// if the claim was confirmed. What fails is tried again by the loop: while this
// process lives nobody else may give the claim back.
func (c *Coordinator) giveBack(ref ClaimRef, why string) {
	ctx, cancel := durable(c.ctx)
	defer cancel()
	err := failpoint("unclaim")
	if err == nil {
		err = c.cfg.Store.Unclaim(ctx, ref, why)
	}
	if err == nil {
		err = failpoint("unclaimed")
	}
	if err != nil {
		c.cfg.Log.Warn("unclaim", "terminal", ref.Terminal, "err", err)
		c.mu.Lock()
		c.limbo = append(c.limbo, limbo{claim: ref, why: why})
		c.mu.Unlock()
		c.nudge()
	}
}

// clearLimbo tries again what could not be decided.
func (c *Coordinator) clearLimbo(ctx context.Context) error {
	c.mu.Lock()
	todo := c.limbo
	c.limbo = nil
	c.mu.Unlock()
	var failed error
	for _, l := range todo {
		if err := c.clearOne(ctx, l); err != nil {
			failed = errors.Join(failed, fmt.Errorf("read back the claim of %s: %w", l.claim.Terminal, err))
			c.mu.Lock()
			c.limbo = append(c.limbo, l)
			c.mu.Unlock()
		}
	}
	return failed
}

func (c *Coordinator) clearOne(ctx context.Context, l limbo) error {
	out, err := c.cfg.Store.Outcome(ctx, l.claim)
	if err != nil {
		return err
	}
	switch out {
	case ClaimHeld:
		err = c.cfg.Store.Unclaim(ctx, l.claim, l.why)
	case ClaimConfirmed:
		// Its gate was closed: it is recorded as one that died without having
		// run, and so is a candidate again.
		if l.life != nil {
			_, err = c.cfg.Store.End(ctx, c.cfg.Policy.Classify(Death{
				Terminal: l.life.id, At: c.cfg.Now(), Stopping: true,
				Probation: true, Attempts: l.life.attempts, FirstDeath: l.life.firstDeath, Started: l.life.started,
			}))
		}
	case ClaimLost:
	}
	if err != nil {
		return err
	}
	c.soilAll()
	return nil
}
