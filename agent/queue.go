package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"reprise/panes"
)

// flight is one resume of one candidate, shared by all who asked for it. Guarded
// by Coordinator.mu but for done and result: result is written before done is
// closed.
type flight struct {
	req     ResumeRequest
	asked   time.Time
	running bool
	result  ResumeResult
	done    chan struct{}
}

// Resume brings a candidate's session back. Callers that ask for the same
// candidate share one attempt and its result; the end of one caller's ctx ends
// only its own wait. A result that is neither Resumed nor a Failure says that
// there was nothing to resume (any more): ask again what the pane shows.
func (c *Coordinator) Resume(ctx context.Context, r ResumeRequest) ResumeResult {
	c.mu.Lock()
	if c.stopping || c.moved(r.Pane) {
		c.mu.Unlock()
		return ResumeResult{}
	}
	if f, failed := c.failures[r.Terminal]; failed && !r.ByPerson {
		c.mu.Unlock() // only a person's retry tries again
		return ResumeResult{Failure: f.kind, Err: f.err}
	}
	f := c.enqueue(r)
	c.dispatch()
	c.mu.Unlock()
	select {
	case <-f.done:
		return f.result
	case <-ctx.Done():
		return ResumeResult{Err: fmt.Errorf("wait for resume of %s: %w", r.Terminal, ctx.Err())}
	}
}

// enqueue joins the candidate's flight, or makes one. mu is held.
func (c *Coordinator) enqueue(r ResumeRequest) *flight {
	if f := c.flights[r.Terminal]; f != nil {
		if !f.running {
			f.req.ByPerson = f.req.ByPerson || r.ByPerson
			f.req.Override = f.req.Override || r.Override
		}
		return f
	}
	f := &flight{req: r, asked: c.cfg.Now(), done: make(chan struct{})}
	c.flights[r.Terminal] = f
	c.queue = append(c.queue, f)
	delete(c.failures, r.Terminal)
	return f
}

// dispatch starts what may start and publishes where the others stand. mu is
// held.
func (c *Coordinator) dispatch() {
	for {
		f := c.ready()
		if f == nil {
			c.limit.leave(c)
			break
		}
		if !c.limit.take(c, c.urgency(f.req.Pane)) {
			break
		}
		c.start(f)
	}
	for _, f := range c.flights {
		if pl := c.places[f.req.Pane]; pl != nil {
			c.publish(pl)
		}
	}
}

// serve uses a slot that the limit has passed on; false: there is no use for it.
func (c *Coordinator) serve() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.ready()
	if f != nil {
		c.start(f)
	}
	c.dispatch()
	return f != nil
}

// start lets a flight begin, with a slot taken for it. mu is held.
func (c *Coordinator) start(f *flight) {
	c.dequeue(f)
	f.running = true
	c.spawn("resume", func() { c.fly(f) })
}

// ready is the best of the queue that may start now; nil: none. mu is held.
func (c *Coordinator) ready() *flight {
	if c.stopping || c.held != nil {
		return nil
	}
	now := c.cfg.Now()
	for _, f := range c.ordered() {
		if !c.early(f, now) {
			return f
		}
	}
	return nil
}

// early reports whether a flight waits because what a person looks at may still be
// asked for: first when no client has said what it shows, then when the pane that
// has the focus is due and not in the queue yet. The wait is short: a client may
// never say. mu is held.
func (c *Coordinator) early(f *flight, now time.Time) bool {
	if f.req.ByPerson || !now.Before(f.asked.Add(c.cfg.Policy.LookWithin)) {
		return false
	}
	if !c.beat.looked {
		return true
	}
	for _, l := range c.looks {
		pl := c.places[l.Focused]
		if pl != nil && pl.view.State == PaneDue && c.flights[pl.view.Candidate] == nil {
			return true
		}
	}
	return false
}

func (c *Coordinator) dequeue(f *flight) {
	c.queue = slices.DeleteFunc(c.queue, func(o *flight) bool { return o == f })
}

// ordered is the queue, best first: focused panes, visible ones in their order,
// the rest by last use. mu is held.
func (c *Coordinator) ordered() []*flight {
	rank := map[panes.PaneID]int{}
	for _, l := range c.looks {
		for i, p := range l.Visible {
			if old, ok := rank[p]; !ok || i+1 < old {
				rank[p] = i + 1
			}
		}
	}
	for _, l := range c.looks {
		rank[l.Focused] = 0
	}
	of := func(p panes.PaneID) int {
		if r, ok := rank[p]; ok {
			return r
		}
		return len(rank) + 1 // hidden
	}
	out := slices.Clone(c.queue)
	slices.SortStableFunc(out, func(a, b *flight) int {
		if ra, rb := of(a.req.Pane), of(b.req.Pane); ra != rb {
			return ra - rb
		}
		return c.lastUse(b.req.Pane).Compare(c.lastUse(a.req.Pane))
	})
	return out
}

// urgency is a pane's rank among those of other workspaces. mu is held.
func (c *Coordinator) urgency(p panes.PaneID) urgency {
	u := urgentHidden
	for _, l := range c.looks {
		switch {
		case l.Focused == p:
			return urgentFocused
		case slices.Contains(l.Visible, p):
			u = urgentVisible
		}
	}
	return u
}

func (c *Coordinator) lastUse(p panes.PaneID) time.Time {
	pl := c.places[p]
	if pl == nil {
		return time.Time{}
	}
	if b := pl.rec.Binding; b != nil && b.Sign().After(pl.used) {
		return b.Sign()
	}
	return pl.used
}

// ahead counts who runs or waits before f. mu is held.
func (c *Coordinator) ahead(f *flight) int {
	return c.limit.taken() + max(slices.Index(c.ordered(), f), 0)
}

// fly runs one flight to its end, and keeps its slot until what it started is up.
func (c *Coordinator) fly(f *flight) {
	defer c.limit.give()
	a := &attempt{c: c, ctx: c.ctx, req: f.req}
	c.try(f, a)
	a.awaitSign()
}

// try runs one attempt and tells its outcome to all who wait for it.
func (c *Coordinator) try(f *flight, a *attempt) {
	result := ResumeResult{Failure: FailStore, Err: fmt.Errorf("resume of %s broke off", f.req.Terminal)}
	var words string
	defer func() { // also after a fault: whoever waits must get an answer
		ctx, cancel := durable(c.ctx)
		defer cancel()
		c.mu.Lock()
		if result.Failure != FailNone {
			c.failures[f.req.Terminal] = failure{kind: result.Failure, words: words, err: result.Err}
			c.refused(f.req.Pane, a.kindName(), words)
		}
		c.mu.Unlock()
		// Before the flight is over, so that no old state is shown in between.
		if err := c.refresh(ctx, f.req.Pane); err != nil {
			c.cfg.Log.Warn("refresh", "pane", f.req.Pane, "err", err)
		}
		c.mu.Lock()
		c.land(f, result)
		c.dispatch()
		c.mu.Unlock()
		c.nudge()
	}()
	result = a.run()
	if words = a.words; words == "" && result.Err != nil {
		words = because(couldNot(a.label(), "the database does not answer", "See that its disk has room"), result.Err)
	}
	if result.Failure == FailStore {
		c.Saved(result.Err)
	}
	if result.Failure != FailNone {
		c.cfg.Log.Warn("resume failed", "failure", string(result.Failure), "terminal", f.req.Terminal, "agent", a.kindName(),
			"session", a.cand.Session.Short(), "attempt", a.cand.Attempts, "err", result.Err)
		c.note(Note{Terminal: f.req.Terminal, Session: a.cand.Session, What: "refusal", Why: string(result.Failure) + ": " + fmt.Sprint(result.Err)})
	}
}

// land ends a flight. mu is held.
func (c *Coordinator) land(f *flight, r ResumeResult) {
	f.result = r
	delete(c.flights, f.req.Terminal)
	c.dequeue(f)
	close(f.done)
	if pl := c.places[f.req.Pane]; pl != nil {
		c.publish(pl)
	}
}

// ground takes a flight that has not started out of the queue, because a person
// wants something else; false: it runs. mu is held.
func (c *Coordinator) ground(t panes.TerminalID) bool {
	f := c.flights[t]
	if f == nil {
		return true
	}
	if f.running {
		return false
	}
	c.land(f, ResumeResult{})
	c.dispatch()
	return true
}
