package agent

import (
	"context"
	"errors"
	"fmt"

	"reprise/panes"
)

// Namer is a Kind with a rule of its own for the ids of its sessions.
type Namer interface {
	// Named is a word as such an id, "" if it is none.
	Named(word string) SessionID
}

// Errors of pins.
var (
	// ErrNoAgent: no agent of ours is in the pane.
	ErrNoAgent = errors.New("no agent runs in this pane")
	// ErrNotPinned: there is nothing to take back.
	ErrNotPinned = errors.New("no session is pinned here")
)

// Pinned is what a pane holds after a pin was set or taken back.
type Pinned struct {
	Kind    string
	Label   string
	Session SessionID // "": it is not known again
	// Empty: the agent's own store has no conversation of this session.
	Empty bool
	// Held is who has the session, if that is why nothing was changed.
	Held *Holder
}

// Pin binds the session that a person names to the agent of a pane: what no hook
// tells. The agent runs, or has died there. From then on only a hook of that very
// launch changes it, fired later, that tells of a session that starts or is spoken to:
// that is the agent's own word, as after /clear. A resume makes it a session as any
// other. An error says, as a sentence for the person, why it was not done; with
// Pinned.Held set there is none, and nothing was done.
func (c *Coordinator) Pin(ctx context.Context, p panes.PaneID, word string) (Pinned, error) {
	return c.pin(ctx, p, func(b Binding, k Kind) (rebinding, error) {
		f := k.Facts()
		if f.NoResume != "" {
			return nil, errors.New(unsupportedWords(f.Label, f.NoResume))
		}
		r := PinRequest{Terminal: b.Terminal, Session: named(k, word), At: c.cfg.Now()}
		if r.Session == "" {
			return nil, fmt.Errorf("%q is no session id of %s: reprise sessions --json lists them", word, f.Label)
		}
		r.Prompted = k.Transcript(b.Home, b.Origin.Dir, r.Session) == HasTranscript
		return func(ctx context.Context) (PinOutcome, error) { return c.cfg.Store.Pin(ctx, r) }, nil
	})
}

// Unpin takes a pin back: the pane's agent has the session that was known before, if
// one was. ErrNotPinned. Errors and Pinned.Held as Pin's.
func (c *Coordinator) Unpin(ctx context.Context, p panes.PaneID) (Pinned, error) {
	return c.pin(ctx, p, func(b Binding, _ Kind) (rebinding, error) {
		if !b.Pinned {
			return nil, ErrNotPinned
		}
		r := PinRequest{Terminal: b.Terminal, At: c.cfg.Now()}
		return func(ctx context.Context) (PinOutcome, error) { return c.cfg.Store.Unpin(ctx, r) }, nil
	})
}

// named reads a session's id as its kind writes them.
func named(k Kind, word string) SessionID {
	id := SessionID(word)
	if n, ok := k.(Namer); ok {
		id = n.Named(word)
	}
	if !id.Valid() {
		return ""
	}
	return id
}

// rebinding changes what a binding says of its session.
type rebinding func(context.Context) (PinOutcome, error)

// pin changes what the binding of a pane says of its session. A resume that waits is
// kept out of the way meanwhile.
func (c *Coordinator) pin(ctx context.Context, p panes.PaneID, plan func(Binding, Kind) (rebinding, error)) (Pinned, error) {
	if err := c.admit(ctx); err != nil {
		return Pinned{}, err
	}
	moved := c.moved(p)
	defer c.underWay()()
	c.mu.Unlock()
	if moved {
		return Pinned{}, ErrMoved
	}
	ctx, cancel := durable(ctx)
	defer cancel()
	rec, err := c.cfg.Store.Pane(ctx, p)
	if err != nil {
		return Pinned{}, fmt.Errorf("read pane: %w", err)
	}
	b := rec.Binding
	if b == nil || b.Reason != Live && b.Reason != TerminalExited && b.Reason != Resuming {
		return Pinned{}, ErrNoAgent
	}
	k, ok := c.kind(b.Kind)
	switch {
	case !ok:
		return Pinned{}, errors.New(unsupportedWords(b.Kind, "no agent of this name is configured"))
	case b.Reason == Resuming:
		return Pinned{}, ErrBusy
	}
	change, err := plan(*b, k)
	if err != nil {
		return Pinned{}, err
	}
	if b.Reason == TerminalExited {
		lift, ok := c.grounded(b.Terminal)
		if !ok {
			return Pinned{}, ErrBusy
		}
		defer lift()
	}
	out, err := change(ctx)
	if err != nil {
		return Pinned{}, err
	}
	res := Pinned{Kind: b.Kind, Label: k.Facts().Label, Session: out.Session, Held: out.Held}
	if !out.Done {
		if out.Held == nil { // it changed meanwhile
			return Pinned{}, ErrBusy
		}
		return res, nil
	}
	res.Empty = out.Session != "" && k.Transcript(b.Home, b.Origin.Dir, out.Session) == NoTranscript
	c.mu.Lock()
	delete(c.failures, b.Terminal)
	l := c.lives[b.Terminal]
	if l == nil {
		l = &life{id: b.Terminal, pane: p} // it died under another process
	}
	l.turn = true // it is no first launch with a wrong flag
	c.soilTwins(l, out.Session)
	c.placeOf(p).dirty = true
	c.mu.Unlock()
	c.cfg.Log.Info("pin", "terminal", b.Terminal, "agent", b.Kind, "session", out.Session.Short())
	c.nudge()
	return res, c.refresh(ctx, p)
}

// grounded takes a candidate that waits for its resume out of the queue; lift puts it
// there again. false: its resume is under way.
func (c *Coordinator) grounded(t panes.TerminalID) (lift func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.flights[t]
	if !c.ground(t) {
		return nil, false
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if f != nil && !c.stopping {
			c.enqueue(f.req)
			c.dispatch()
		}
	}, true
}
