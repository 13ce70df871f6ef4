package agent

import (
	"context"
	"errors"
	"slices"

	"reprise/panes"
)

// WaitingPrompt is a message that waits, and for whom: one conversation.
type WaitingPrompt struct {
	Text    string    `json:"text"`
	Kind    string    `json:"kind"`
	Home    string    `json:"home,omitempty"`
	Session SessionID `json:"session,omitempty"` // "": it is not known
	// Terminal is where the agent ran. Without a session only there it is the same one.
	Terminal panes.TerminalID `json:"terminal"`

	older bool // its home may be missing: a build before handed it over, which kept none
}

// queue makes a message wait for the conversation that an agent has now. mu is held.
func (pl *place) queue(l *life, text string) {
	w := WaitingPrompt{Text: text, Kind: l.kind, Terminal: l.id}
	w.learn(pl.rec.Binding)
	pl.talk.prompts = append(pl.talk.prompts, w)
}

// learn takes in which conversation the agent had for which a message waits, if that is
// of its terminal.
func (w *WaitingPrompt) learn(b *Binding) {
	if b == nil || b.Kind != w.Kind {
		return
	}
	same := w.Session != "" && w.Session == b.Session
	if b.Terminal == w.Terminal && (w.Session == "" || same) || w.older && same {
		w.Session, w.Home, w.older = b.Session, b.Home, false
	}
}

// sessionOf is the session of a pane's agent, its zero value if it is not known. mu is
// held.
func (pl *place) sessionOf(l *life) (id Identity) {
	if b := pl.rec.Binding; b != nil && b.Terminal == l.id {
		id = b.identity()
	}
	return id
}

// holds reports whether a pane was last read to hold this life. mu is held.
func (pl *place) holds(l *life) bool { return pl.rec.Terminal != nil && pl.rec.Terminal.ID == l.id }

func (w WaitingPrompt) identity() Identity { return Identity{w.Kind, w.Home, w.Session} }

// isFor reports whether a message was meant for the conversation that an agent of a pane
// has. mu is held.
func (c *Coordinator) isFor(w WaitingPrompt, pl *place, l *life) bool {
	id := pl.sessionOf(l)
	if w.Session == "" || id.Session == "" {
		return w.Kind == l.kind && w.Terminal == l.id
	}
	return c.same(w.identity(), id)
}

// ofBinding reports whether a message was meant for the conversation of a binding.
func (c *Coordinator) ofBinding(w WaitingPrompt, b *Binding) bool {
	if w.Session == "" {
		return w.Terminal == b.Terminal
	}
	return c.same(w.identity(), b.identity())
}

// waiting is how many messages wait for an agent of a pane. mu is held.
func (c *Coordinator) waiting(pl *place, l *life) (n int) {
	for _, w := range pl.talk.prompts {
		if c.isFor(w, pl, l) {
			n++
		}
	}
	return n
}

// waitingFor is how many messages wait in a pane for a conversation. mu is held.
func (c *Coordinator) waitingFor(pl *place, id Identity) (n int) {
	for _, w := range pl.talk.prompts {
		if c.same(w.identity(), id) {
			n++
		}
	}
	return n
}

// fate is what has become of a conversation for which messages wait elsewhere than with
// the agent that has it.
type fate struct {
	over     bool         // it ended, and nothing brings it back
	resuming bool         // it is just being brought back, who knows where
	pane     panes.PaneID // where it lives; "": it can be resumed
	where    string       // that pane's workspace
}

// fateOf tells a conversation's fate from who has, or had, it.
func fateOf(all []Holder) fate {
	f := fate{over: true}
	for _, h := range all {
		switch h.Reason {
		case Live:
			return fate{pane: h.Terminal.Pane, where: h.Workspace}
		case Resuming: // its terminal is the dead one
			return fate{resuming: true}
		}
		f.over = f.over && !h.Kept
	}
	return f
}

// sendQueued sends what waits to agents that are idle now, one to each. What waits for a
// conversation that died is kept, and goes where that comes back; what was meant for one
// that is over is dropped.
func (c *Coordinator) sendQueued(ctx context.Context) {
	c.mu.Lock()
	var waits []panes.PaneID
	for id, pl := range c.places {
		if len(pl.talk.prompts) > 0 {
			waits = append(waits, id)
		}
	}
	c.mu.Unlock()
	for _, id := range waits {
		if err := c.follow(ctx, id); err != nil {
			c.cfg.Log.Warn("follow prompts", "pane", id, "err", err)
			continue
		}
		c.bars(id)
		c.sendOne(id)
	}
}

// follow looks what has become of the conversations for which messages wait in a pane
// that has others, or none.
func (c *Coordinator) follow(ctx context.Context, p panes.PaneID) error {
	c.mu.Lock()
	pl := c.placeOf(p)
	l, known := c.readIn(p)
	read := pl.ticket
	asked := map[Identity]fate{}
	for _, w := range pl.talk.prompts {
		if w.Session != "" && !c.has(pl, w, l) {
			asked[w.identity()] = fate{}
		}
	}
	idle := !known || pl.closed || pl.talk.read == read
	c.mu.Unlock()
	if idle {
		return nil
	}
	for id := range asked {
		all, err := c.cfg.Store.Holders(ctx, id)
		if err != nil {
			return err
		}
		asked[id] = fateOf(all)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	pl.talk.read, pl.talk.fates = read, asked
	return nil
}

// readIn is the agent that runs in a pane, if the pane was read since that began: what
// is not read anew yet says nothing of who is there. mu is held.
func (c *Coordinator) readIn(p panes.PaneID) (l *life, known bool) {
	pl := c.placeOf(p)
	l = c.agentIn(p)
	return l, !pl.dirty && pl.launching == 0 && (l == nil || pl.holds(l))
}

// has reports whether a message waits for a conversation that its pane has, or that is
// to be brought back there. mu is held.
func (c *Coordinator) has(pl *place, w WaitingPrompt, l *life) bool {
	if l != nil && c.isFor(w, pl, l) {
		return true
	}
	b := pl.rec.Binding
	return b != nil && c.ofBinding(w, b) && pl.rec.HeldBy == nil && b.Reason != Disposed && (b.Reason != Detached || b.Unsure)
}

func (c *Coordinator) sendOne(p panes.PaneID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pl := c.placeOf(p)
	l, known := c.readIn(p)
	if c.held != nil || c.stopping || !known && !pl.closed {
		return
	}
	c.sort(pl, p, l)
	if l == nil || pl.talk.sending || !c.takes(pl, l) {
		return
	}
	all := pl.talk.prompts
	at := slices.IndexFunc(all, func(w WaitingPrompt) bool { return c.isFor(w, pl, l) })
	if at < 0 {
		return
	}
	text := all[at].Text
	pl.talk.prompts = slices.Concat(all[:at], all[at+1:])
	pl.talk.sending, pl.talk.typing = true, true
	c.publish(pl)
	c.spawn("prompt", func() {
		_, err := c.utter(c.ctx, pl, l, text)
		if err == nil || errors.Is(err, ErrStopping) {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.happened(Event{Pane: p, What: EventFailed, Label: c.label(l.kind, nil), Words: "A prompt that waited was not taken: " + err.Error(), At: c.cfg.Now()})
	})
}

// sort drops what waits in a pane for conversations that are over, and gives what waits
// for those that live in another pane to that. mu is held.
func (c *Coordinator) sort(pl *place, p panes.PaneID, l *life) {
	var stay, over []WaitingPrompt
	away := map[*place][]WaitingPrompt{}
	astray, present := "", false
	for _, w := range pl.talk.prompts {
		f, followed := pl.talk.fates[w.identity()]
		to, other := c.places[f.pane], c.lives[w.Terminal]
		switch {
		case pl.closed:
			over = append(over, w)
		case c.has(pl, w, l):
			stay, present = append(stay, w), true
		case w.Session == "" && (other == nil || other.ended): // it cannot be found again
			over = append(over, w)
		case !followed || pl.talk.read != pl.ticket:
			stay = append(stay, w)
		case f.over:
			over = append(over, w)
		case f.pane != p && to != nil && !to.closed && len(to.talk.prompts)+len(away[to]) < MaxWaiting:
			away[to] = append(away[to], w)
		default:
			stay, astray = append(stay, w), c.astray(w, f, p)
		}
	}
	pl.talk.prompts, pl.talk.astray = stay, astray
	if present {
		pl.talk.astray = ""
	}
	for to, given := range away {
		to.talk.prompts = slices.Concat(given, to.talk.prompts)
		c.publish(to)
		c.nudge()
	}
	if len(over) > 0 {
		why := "its agent has ended"
		switch {
		case pl.closed:
			why = "its pane was closed"
		case l != nil:
			why = "another conversation is in its pane now"
		}
		c.dropped(pl, p, over, why)
	}
	c.publish(pl)
}

// astray says for what a message waits in a pane whose agent does not have its
// conversation. mu is held.
func (c *Coordinator) astray(w WaitingPrompt, f fate, p panes.PaneID) string {
	label, to := c.label(w.Kind, nil), c.places[f.pane]
	switch {
	case f.resuming:
		return "the session of " + label + " is being resumed"
	case f.pane == p:
		return label + " is not in the foreground of its shell"
	case to != nil && !to.closed:
		return "too many prompts wait where the session of " + label + " is open"
	case f.where != "" && (to == nil || to.moved):
		return "the session of " + label + " is open in session " + f.where
	}
	return label + " has ended: what waits for it is sent when its session is back"
}

// takenUp lets what waits for a conversation wait for another that was begun in its
// place.
func (c *Coordinator) takenUp(from Identity, t panes.TerminalID, s SessionID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, pl := range c.places {
		for i, w := range pl.talk.prompts {
			if c.same(w.identity(), from) {
				w.Kind, w.Home, w.Session, w.Terminal = from.Kind, from.Home, s, t
				pl.talk.prompts[i] = w
			}
		}
	}
}

// forgo drops what waits for a conversation that a person wants no more: in the pane where
// they said so, or, if nothing else would bring it back, in all. mu is held.
func (c *Coordinator) forgo(id Identity, in panes.PaneID, all bool) {
	for p, pl := range c.places {
		if p != in && !all {
			continue
		}
		var stay, over []WaitingPrompt
		for _, w := range pl.talk.prompts {
			if w.Session != "" && c.same(w.identity(), id) {
				over = append(over, w)
			} else {
				stay = append(stay, w)
			}
		}
		if pl.talk.prompts = stay; len(over) > 0 {
			c.dropped(pl, p, over, "its session was dismissed")
		}
	}
}

// dropped says that what waited in a pane was dropped. mu is held.
func (c *Coordinator) dropped(pl *place, p panes.PaneID, over []WaitingPrompt, why string) {
	label := c.label(over[0].Kind, nil)
	var labels []string
	for _, w := range over {
		if l := c.label(w.Kind, nil); !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	words := droppedWords(labels, len(over), why)
	c.publish(pl)
	if !pl.closed {
		c.happened(Event{Pane: p, What: EventFailed, Label: label, Words: words, At: c.cfg.Now()})
	}
}

// Prompts are those that wait in a pane, at most MaxWaiting, the oldest first: for its
// agent, and for conversations that were there before.
func (c *Coordinator) Prompts(p panes.PaneID) (texts []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.placeOf(p).talk.prompts {
		texts = append(texts, w.Text)
	}
	return texts
}

// CancelPrompts drops the prompts that wait in a pane, for whomever (see Prompts), and
// tells how many.
func (c *Coordinator) CancelPrompts(p panes.PaneID) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pl := c.placeOf(p)
	n = len(pl.talk.prompts)
	pl.talk.prompts = nil
	c.publish(pl)
	return n
}
