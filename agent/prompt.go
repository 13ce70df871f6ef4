package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"reprise/panes"
	"reprise/panes/input"
)

// Bounds of prompts.
const (
	MaxPrompt  = 64 << 10 // bytes of one
	MaxPrompts = 16       // that wait for one agent
)

const (
	// promptTime is for a turn to begin after a prompt was sent: an agent that starts
	// slowly has its hook by then.
	promptTime = 15 * time.Second
	// drawTime is for an agent to take a paste in before enter is pressed: a key that
	// comes in one read with it counts to it in some.
	drawTime = 500 * time.Millisecond
)

// Errors of prompts.
var (
	// ErrNotTaken: it was typed, but no turn began.
	ErrNotTaken = errors.New("the prompt was not taken")
	// ErrPromptText: empty, too long, or not text.
	ErrPromptText = fmt.Errorf("a prompt is a text of at most %d KiB", MaxPrompt>>10)
)

// PromptRequest is a message to an agent.
type PromptRequest struct {
	Pane panes.PaneID
	Text string
	// Queue: if it is not idle the prompt waits until it is.
	Queue bool
	// Anyway: it is typed, too, when the agent works or has not said what it does; never
	// when it waits for a person.
	Anyway bool
}

// talk is what is said to the agent of a pane. Guarded by Coordinator.mu.
type talk struct {
	kind    string   // whom the prompts are for
	prompts []string // wait for it to be idle, the oldest first
	sending bool     // one is being typed, or not yet taken
	typing  bool     // it is being typed: an upgrade waits
	lost    bool     // one was not taken, and nothing was heard since: the next would go where it did
	since   time.Time
	taken   chan struct{} // closed when a turn has begun since; nil: nobody waits
}

// heard takes in what a hook tells. mu is held.
func (t *talk) heard(e HookEvent) {
	if _, tells := hookDoings[e.What]; tells {
		t.lost = false
	}
	if e.What == HookPrompt && t.taken != nil && !e.FiredAt.Before(t.since) {
		close(t.taken)
		t.taken = nil
	}
}

// Prompt sends a message to the agent of a pane, as one paste and enter, and waits
// until a turn has begun; queued tells that it waits instead. An error says, as a
// sentence for the person, why it was not sent; ErrNotTaken that it was, in vain.
func (c *Coordinator) Prompt(ctx context.Context, r PromptRequest) (queued bool, err error) {
	text, err := promptText(r.Text)
	if err != nil {
		return false, err
	}
	if err := c.admit(ctx); err != nil {
		return false, err
	}
	pl, l := c.placeOf(r.Pane), c.agentIn(r.Pane)
	if l == nil {
		c.mu.Unlock()
		return false, ErrNoAgent
	}
	why := c.unready(pl, l, r.Anyway)
	switch {
	case why == "":
	case !r.Queue:
		c.mu.Unlock()
		return false, errors.New(why)
	case len(pl.talk.prompts) >= MaxPrompts:
		c.mu.Unlock()
		return false, fmt.Errorf("%d prompts wait for %s already: cancel them, or wait", MaxPrompts, c.label(l.kind, nil))
	default:
		pl.talk.kind = l.kind
		pl.talk.prompts = append(pl.talk.prompts, text)
		c.publish(pl)
		c.mu.Unlock()
		return true, nil
	}
	pl.talk.sending, pl.talk.typing = true, true
	c.work.Add(1)
	c.mu.Unlock()
	defer c.work.Done()
	return false, c.utter(ctx, pl, l, text)
}

// unready says why nothing can be typed to an agent now; "": it can. mu is held.
func (c *Coordinator) unready(pl *place, l *life, anyway bool) string {
	label := c.label(l.kind, nil)
	switch s := c.statusOf(l); {
	case s.Doing.Waits():
		return label + " waits for an answer of yours: a prompt would be taken for it"
	case pl.talk.sending:
		return label + " is just being sent another prompt"
	case len(pl.talk.prompts) > 0:
		return "other prompts wait for " + label
	case anyway || c.takes(pl, l):
		return ""
	case s.Doing == Working:
		return label + " is working"
	}
	return label + " has not said that it is ready: it may be in a dialog"
}

// takes reports whether a prompt would begin a turn, as far as is known for sure. mu is
// held.
func (c *Coordinator) takes(pl *place, l *life) bool {
	s := c.statusOf(l)
	return s.Doing.Rests() && !s.Guess() && !pl.talk.lost
}

// agentIn is the agent that runs in a pane; nil: none does. mu is held.
func (c *Coordinator) agentIn(p panes.PaneID) *life {
	for _, l := range c.lives {
		if l.pane == p && l.kind != "" && l.gateOpen && !l.ended && !l.disposed && !l.ending {
			if pl := c.placeOf(p); !pl.closed {
				return l
			}
		}
	}
	return nil
}

// utter types a prompt and waits for the turn. sending is set, and is taken back.
func (c *Coordinator) utter(ctx context.Context, pl *place, l *life, text string) (err error) {
	taken := make(chan struct{})
	defer func() {
		c.mu.Lock()
		pl.talk.sending, pl.talk.typing, pl.talk.taken = false, false, nil
		c.publish(pl)
		c.mu.Unlock()
		c.nudge()
	}()
	c.mu.Lock()
	label := c.label(l.kind, nil)
	pl.talk.since, pl.talk.taken = c.cfg.Now(), taken
	c.mu.Unlock()
	t := c.cfg.Host.Terminal(l.id)
	if t == nil {
		return fmt.Errorf("%s has ended", label)
	}
	err = c.typeIn(ctx, l, t, text)
	c.mu.Lock()
	pl.talk.typing = false
	c.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-taken:
		return nil
	case <-t.Done():
		return fmt.Errorf("%s ended: %w", label, ErrNotTaken)
	case <-time.After(promptTime):
	case <-ctx.Done():
	case <-c.ctx.Done():
		return ErrStopping
	}
	c.mu.Lock()
	pl.talk.lost = true
	c.mu.Unlock()
	return fmt.Errorf("%s did not take the prompt; it may be in a dialog: %w", label, ErrNotTaken)
}

// typeIn pastes a text, waits until the program has drawn, and presses enter, unless
// the agent asks something by then.
func (c *Coordinator) typeIn(ctx context.Context, l *life, t *panes.Terminal, text string) error {
	label := c.label(l.kind, nil)
	modes := t.State().Modes
	if !modes.BracketedPaste && strings.Contains(text, "\n") {
		return fmt.Errorf("%s takes no paste of several lines: send one", label)
	}
	seq := t.Seq()
	err := t.Paste(input.Paste([]byte(text), modes))
	for end := time.Now().Add(drawTime); err == nil && t.Seq() == seq && time.Now().Before(end); {
		err = c.pause(ctx, 10*time.Millisecond)
	}
	if err == nil { // it may draw in pieces
		err = c.pause(ctx, 50*time.Millisecond)
	}
	c.mu.Lock()
	asks := c.statusOf(l).Doing.Waits()
	c.mu.Unlock()
	switch {
	case err != nil:
	case asks:
		return fmt.Errorf("%s asks something just now, so enter was not pressed", label)
	default:
		err = t.Send([]byte("\r"))
	}
	switch {
	case errors.Is(err, panes.ErrEnded):
		return fmt.Errorf("%s has ended", label)
	case errors.Is(err, panes.ErrInputFull):
		return fmt.Errorf("%s does not read: try again when it does", label)
	}
	return err
}

// pause waits, but not beyond ctx or our own end.
func (c *Coordinator) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return ErrStopping
	}
}

// sendQueued sends what waits to agents that are idle now, one to each.
func (c *Coordinator) sendQueued() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held != nil || c.stopping {
		return
	}
	for id, pl := range c.places {
		if len(pl.talk.prompts) == 0 || pl.talk.sending {
			continue
		}
		l := c.agentIn(id)
		switch {
		case pl.closed, l != nil && l.kind != pl.talk.kind: // they were for another
			pl.talk.prompts = nil
			c.publish(pl)
			continue
		case l == nil || !c.takes(pl, l):
			continue
		}
		text := pl.talk.prompts[0]
		pl.talk.prompts, pl.talk.sending = pl.talk.prompts[1:], true
		pl.talk.typing = true
		c.publish(pl)
		c.spawn("prompt", func() {
			err := c.utter(c.ctx, pl, l, text)
			if err == nil || errors.Is(err, ErrStopping) {
				return
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.happened(Event{Pane: id, What: EventFailed, Label: c.label(l.kind, nil), Words: "A prompt that waited was not taken: " + err.Error(), At: c.cfg.Now()})
		})
	}
}

// Prompts are those that wait for the agent of a pane, the oldest first.
func (c *Coordinator) Prompts(p panes.PaneID) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.placeOf(p).talk.prompts)
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

// promptText is a text as it may be pasted: lines of printable characters.
func promptText(s string) (string, error) {
	if len(s) > MaxPrompt || !utf8.ValidString(s) {
		return "", ErrPromptText
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	s = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, s)
	s = strings.Trim(s, "\n")
	if strings.TrimSpace(s) == "" {
		return "", ErrPromptText
	}
	return s, nil
}
