package agent

import (
	"context"
	"errors"
	"time"
)

// Unsaved is an error of a Store which says that nothing can be saved now.
type Unsaved interface {
	error
	// Unsaved says why and what to do, as clauses without a full stop.
	Unsaved() (why, todo string)
}

// Trouble says that nothing is being saved, why and what to do, in sentences for the
// person; "": all is well. What runs runs on, what was saved is kept, and what
// happens meanwhile is written down as soon as that can be done; only a kill of this
// process before then loses it. Whoever subscribed is woken when it changes.
func (c *Coordinator) Trouble() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.beat.trouble
}

// Saved takes note of how something was saved, also by others than the coordinator:
// layouts, for example. An error that is no Unsaved says nothing of the rest; nor does
// one success, for a small thing may fit on a full disk: see probe.
func (c *Coordinator) Saved(err error) {
	var u Unsaved
	if !errors.As(err, &u) {
		return
	}
	words := unsavedWords(u.Unsaved())
	c.mu.Lock()
	changed := words != c.beat.trouble
	if changed {
		c.beat.trouble, c.beat.probed = words, c.cfg.Now()
		c.subs.Wake()
		c.nudge()
	}
	c.mu.Unlock()
	if changed {
		c.cfg.Log.Error("nothing is being saved", "err", err)
	}
}

// probe ends the trouble. It is called after a turn of the loop in which all that
// was to be saved was, and tries a write of its own: there may have been nothing.
func (c *Coordinator) probe(ctx context.Context, now time.Time) {
	c.mu.Lock()
	due := c.beat.trouble != "" && now.Sub(c.beat.probed) >= c.cfg.Policy.SweepEvery
	if due {
		c.beat.probed = now
	}
	c.mu.Unlock()
	if !due {
		return
	}
	if err := c.cfg.Store.AddNote(ctx, Note{At: now, What: "message", Why: "saved again"}); err != nil {
		c.Saved(err)
		return
	}
	c.cfg.Log.Info("saved again")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beat.trouble = ""
	c.subs.Wake()
	c.askAgain()
}

// askAgain takes up the resumes that failed only because nothing could be saved. mu
// is held.
func (c *Coordinator) askAgain() {
	for p, pl := range c.places {
		b := pl.rec.Binding
		if b != nil && c.failures[b.Terminal].kind == FailStore && !pl.closed && !c.stopping {
			c.enqueue(ResumeRequest{Terminal: b.Terminal, Pane: p})
			c.nudge()
		}
	}
}
