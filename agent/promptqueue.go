package agent

import (
	"errors"
	"fmt"

	"reprise/panes"
)

// WaitingPrompt is a message that waits, and for whom: one conversation.
type WaitingPrompt struct {
	Text    string    `json:"text"`
	Kind    string    `json:"kind"`
	Session SessionID `json:"session,omitempty"` // "": it was not known
	// Terminal is where the agent ran. Without a session only there it is the same one.
	Terminal panes.TerminalID `json:"terminal"`
}

// sessionOf is the session of a pane's agent, "" if it is not known. mu is held.
func (pl *place) sessionOf(l *life) SessionID {
	if b := pl.rec.Binding; b != nil && b.Terminal == l.id {
		return b.Session
	}
	return ""
}

// holds reports whether a pane was last read to hold this life. mu is held.
func (pl *place) holds(l *life) bool { return pl.rec.Terminal != nil && pl.rec.Terminal.ID == l.id }

// isFor reports whether a message was meant for the conversation that an agent has.
func (w *WaitingPrompt) isFor(l *life, s SessionID) bool {
	if w.Kind != l.kind {
		return false
	}
	if w.Session == "" && w.Terminal == l.id {
		w.Session = s // known by now
	}
	if w.Session == "" || s == "" {
		return w.Terminal == l.id
	}
	return w.Session == s
}

// sendQueued sends what waits to agents that are idle now, one to each, and drops what
// was meant for a conversation that is over.
func (c *Coordinator) sendQueued() {
	c.mu.Lock()
	var waits []panes.PaneID
	for id, pl := range c.places {
		if len(pl.talk.prompts) > 0 && !pl.talk.sending {
			waits = append(waits, id)
		}
	}
	c.mu.Unlock()
	for _, id := range waits {
		c.bars(id)
		c.sendOne(id)
	}
}

func (c *Coordinator) sendOne(p panes.PaneID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pl := c.placeOf(p)
	// What is not read anew yet says nothing of who is there.
	if c.held != nil || c.stopping || pl.talk.sending || pl.dirty || pl.launching > 0 || len(pl.talk.prompts) == 0 {
		return
	}
	l := c.agentIn(p)
	if over, why := pl.overtaken(l); len(over) > 0 {
		c.dropped(pl, p, over, why)
	}
	if len(pl.talk.prompts) == 0 || l == nil || !pl.holds(l) || !c.takes(pl, l) {
		return
	}
	text := pl.talk.prompts[0].Text
	pl.talk.prompts = pl.talk.prompts[1:]
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

// overtaken takes what is for nobody any more out of what waits in a pane, and says
// why. mu is held.
func (pl *place) overtaken(l *life) (over []WaitingPrompt, why string) {
	b := pl.rec.Binding
	switch {
	case pl.closed:
		why = "its pane was closed"
	case l != nil && !pl.holds(l): // it is just being brought back
		return nil, ""
	case l != nil:
		session, all := pl.sessionOf(l), pl.talk.prompts
		pl.talk.prompts = nil
		for _, w := range all {
			if w.isFor(l, session) {
				pl.talk.prompts = append(pl.talk.prompts, w)
			} else {
				over = append(over, w)
			}
		}
		return over, "another conversation is in its pane now"
	case pl.rec.Terminal == nil:
		return nil, ""
	case b == nil, b.Reason == Detached && !b.Unsure, b.Reason == Disposed:
		why = "its agent has ended"
	default:
		return nil, ""
	}
	over, pl.talk.prompts = pl.talk.prompts, nil
	return over, why
}

// dropped says that what waited in a pane was dropped. mu is held.
func (c *Coordinator) dropped(pl *place, p panes.PaneID, over []WaitingPrompt, why string) {
	n, label := len(over), c.label(over[0].Kind, nil)
	words := "A prompt that waited for " + label + " was dropped: " + why
	if n > 1 {
		words = fmt.Sprintf("%d prompts that waited for %s were dropped: %s", n, label, why)
	}
	c.publish(pl)
	if !pl.closed {
		c.happened(Event{Pane: p, What: EventFailed, Label: label, Words: words, At: c.cfg.Now()})
	}
}

// Prompts are those that wait for the agent of a pane, the oldest first.
func (c *Coordinator) Prompts(p panes.PaneID) (texts []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.placeOf(p).talk.prompts {
		texts = append(texts, w.Text)
	}
	return texts
}

// CancelPrompts drops the prompts that wait for the agent of a pane, and tells how
// many.
func (c *Coordinator) CancelPrompts(p panes.PaneID) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pl := c.placeOf(p)
	n = len(pl.talk.prompts)
	pl.talk.prompts = nil
	c.publish(pl)
	return n
}
