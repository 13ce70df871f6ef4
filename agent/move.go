package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"reprise/panes"
)

// Errors of Move.
var (
	// ErrMoved: the pane went to another coordinator.
	ErrMoved = errors.New("its pane is in another session by now")
	// ErrTyped: an agent that was typed in the pane's shell runs, a life beside the shell's.
	ErrTyped = errors.New("an agent that was typed in its shell runs there: end it first")
	// ErrClosing: the pane is being closed, or what ran in it just ends.
	ErrClosing = errors.New("what runs in it is being ended")
)

// Move gives pane p to another coordinator of this process, with what runs in it and
// what has ended in it: how long a resume has held, what its end still waits for, why
// it failed. Nothing begins in either meanwhile and no end is taken in; commit then
// changes store and hosts, given the terminals of this instance that belong to the
// pane. If it fails, nothing was moved. Whatever hooks tell and whoever dies meanwhile
// is taken in by the other one afterwards. ErrBusy: the pane's session is being
// resumed or waits for it, or a prompt is being sent to it. ErrTyped. ErrClosing. ctx bounds the wait for what just begins.
func (c *Coordinator) Move(ctx context.Context, p panes.PaneID, to *Coordinator, commit func(context.Context, []panes.TerminalID) error) error {
	if c == to {
		return fmt.Errorf("move pane %s: it is there already", p)
	}
	// Only who holds both goes on, so that what is locked then has no order to keep.
	for _, one := range []*Coordinator{c, to} {
		if err := one.hold(ctx); err != nil {
			return fmt.Errorf("move pane %s: %w", p, err)
		}
		defer one.GoOn()
	}
	for _, one := range []*Coordinator{c, to} {
		one.turns.Lock()
		defer one.turns.Unlock()
		one.ends.Lock()
		defer one.ends.Unlock()
	}
	terminals, err := c.settled(p)
	if err != nil {
		return fmt.Errorf("move pane %s: %w", p, err)
	}
	ctx, cancel := durable(ctx) // it is all or nothing
	defer cancel()
	if err := commit(ctx, terminals); err != nil {
		return err
	}
	to.receive(c.part(p))
	return nil
}

// settled lists the terminals of a pane if nothing of it is between two states.
func (c *Coordinator) settled(p panes.PaneID) ([]panes.TerminalID, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pl := c.placeOf(p)
	switch {
	case pl.moved:
		return nil, ErrMoved
	case pl.closed:
		return nil, ErrClosing
	case c.queued(p), pl.talk.sending:
		return nil, ErrBusy
	}
	var all []panes.TerminalID
	for id, l := range c.lives {
		if l.pane != p {
			continue
		}
		if l.typed != nil && !l.ended {
			return nil, ErrTyped
		}
		if !l.begun || l.ending || l.disposed || !l.ended && l.doubtful > 0 {
			return nil, ErrClosing
		}
		all = append(all, id)
	}
	for _, l := range c.limbo {
		if t := pl.rec.Terminal; t != nil && t.ID == l.claim.Terminal || l.life != nil && l.life.pane == p {
			return nil, ErrBusy
		}
	}
	slices.Sort(all)
	return all, nil
}

// queued reports whether a resume is asked for in a pane. mu is held.
func (c *Coordinator) queued(p panes.PaneID) bool {
	for _, f := range c.flights {
		if f.req.Pane == p {
			return true
		}
	}
	return false
}

// parcel is what a coordinator knows of a pane.
type parcel struct {
	place    place
	lives    []life
	failures map[panes.TerminalID]failure
}

// part takes a pane out of what is known. What is asked for it later is refused.
func (c *Coordinator) part(p panes.PaneID) parcel {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := parcel{place: *c.placeOf(p), failures: map[panes.TerminalID]failure{}}
	about := map[panes.TerminalID]bool{}
	if t := x.place.rec.Terminal; t != nil {
		about[t.ID] = true
	}
	for id, l := range c.lives {
		if l.pane == p {
			about[id] = true
			x.lives = append(x.lives, *l) // who still holds the old one changes nothing
			delete(c.lives, id)
		}
	}
	for id := range about {
		if f, ok := c.failures[id]; ok {
			x.failures[id] = f
			delete(c.failures, id)
		}
		c.hear(id) // whoever waits for its first sign would wait in vain
	}
	c.places[p] = &place{view: PaneView{Pane: p}, closed: true, moved: true}
	c.subs.Wake()
	return x
}

// receive adds what another coordinator knew of a pane.
func (c *Coordinator) receive(x parcel) {
	c.mu.Lock()
	pl := x.place
	pl.dirty, pl.ticket = true, 0 // tickets are each coordinator's own
	pl.after = ""                 // what was to follow may have been refused there
	c.places[pl.view.Pane] = &pl
	for _, l := range x.lives {
		c.lives[l.id] = &l
	}
	for id, f := range x.failures {
		c.failures[id] = f
	}
	c.subs.Wake()
	c.mu.Unlock()
	for _, l := range x.lives {
		if t := c.cfg.Host.Terminal(l.id); t != nil && !l.ended {
			c.watch(t)
			c.retold(t)
		}
	}
}

// moved reports whether a pane went to another coordinator. mu is held.
func (c *Coordinator) moved(p panes.PaneID) bool {
	pl := c.places[p]
	return pl != nil && pl.moved
}
