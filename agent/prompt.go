package agent

import (
	"context"
	"errors"
	"fmt"
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
	// MaxWaiting is how many wait in one pane: for its agent, and for conversations that
	// were there before.
	MaxWaiting = 4 * MaxPrompts
)

const (
	// promptTime is for a turn to begin after a prompt was sent: an agent that starts
	// slowly has its hook by then.
	promptTime = 15 * time.Second
	// typedTime is for a turn to begin of a prompt that was typed while the agent worked.
	typedTime = 2 * time.Second
	// enterTime is for a turn to begin before enter is pressed once more: an agent that
	// is busy drawing a paste may lose the first.
	enterTime = 3 * time.Second
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

// Prompted is what became of a message.
type Prompted uint8

// Outcomes of a message.
const (
	PromptNot    Prompted = iota // it was not typed
	PromptTaken                  // a turn began
	PromptQueued                 // it waits until the agent is idle
	PromptTyped                  // it was typed while the agent worked: it is the agent's to take it up
	PromptSent                   // it was typed, and nothing of this agent tells whether a turn began
)

// talk is what is said to the agent of a pane. Guarded by Coordinator.mu.
type talk struct {
	prompts []WaitingPrompt // wait for it to be idle, the oldest first
	sending bool            // one is being typed, or not yet taken
	typing  bool            // it is being typed: an upgrade waits
	lost    bool            // the last one was not taken, and nothing was heard since: the next would go where it did
	barred  string          // why nothing may be typed in its terminal now; "": nothing is against it
	astray  string          // why what waits is for nobody who is here; "": it is not so
	to      *life           // whom the last one was typed to
	since   time.Time
	taken   chan struct{} // closed when a turn has begun since; nil: nobody waits

	// fates are those of conversations that are not here, as of the pane's reading read.
	fates map[Identity]fate
	read  uint64
}

// heard takes in what a hook of an agent tells. mu is held.
func (t *talk) heard(l *life, e HookEvent) {
	if o := t.to; o != nil && o != l && o.typed != nil && o.typed.gone.IsZero() && !o.ended {
		return // another one, in the background of the same shell
	}
	if _, tells := hookDoings[e.What]; tells {
		t.lost = false
	}
	if l == t.to && e.What == HookPrompt && t.taken != nil && !e.FiredAt.Before(t.since) {
		close(t.taken)
		t.taken = nil
	}
}

// mute reports whether no hook tells when a turn of an agent begins. mu is held.
func (c *Coordinator) mute(l *life) bool {
	k, ok := c.kind(l.kind)
	return ok && !k.Facts().TellsTurns && l.evidence[ByHook].Last.IsZero()
}

// works takes in that something else than a hook tells that an agent works: of a mute
// one, that a turn began. Others may look so while they start. mu is held.
func (c *Coordinator) works(l *life) {
	t := &c.placeOf(l.pane).talk
	if l != t.to || !c.mute(l) {
		return
	}
	for _, e := range l.evidence {
		if e.Doing != Working || !e.Since.After(t.since) {
			continue
		}
		if t.lost = false; t.taken != nil {
			close(t.taken)
			t.taken = nil
		}
		return
	}
}

// Prompt sends a message to the agent of a pane, as one paste and enter, and waits
// until a turn has begun, or, of one that works, whether it does. Once it is typed the
// end of ctx changes nothing any more. An error says, as a sentence for the person, why
// it was not sent; ErrNotTaken that it was, in vain.
func (c *Coordinator) Prompt(ctx context.Context, r PromptRequest) (Prompted, error) {
	text, err := promptText(r.Text)
	if err != nil {
		return PromptNot, err
	}
	if err := c.admit(ctx); err != nil {
		return PromptNot, err
	}
	c.mu.Unlock()
	c.listen(ctx, r.Pane)
	if err := c.admit(ctx); err != nil {
		return PromptNot, err
	}
	pl, l := c.placeOf(r.Pane), c.agentIn(r.Pane)
	if l == nil {
		c.mu.Unlock()
		return PromptNot, ErrNoAgent
	}
	why := c.unready(pl, l, r.Anyway)
	switch {
	case why == "":
	case !r.Queue:
		c.mu.Unlock()
		return PromptNot, errors.New(why)
	case c.waiting(pl, l) >= MaxPrompts:
		c.mu.Unlock()
		return PromptNot, fmt.Errorf("%d prompts wait for %s already: cancel them, or wait", MaxPrompts, c.label(l.kind, nil))
	case len(pl.talk.prompts) >= MaxWaiting:
		c.mu.Unlock()
		return PromptNot, fmt.Errorf("%d prompts wait in this pane already, for agents that are not here, too: cancel them, or wait", MaxWaiting)
	default:
		pl.queue(l, text)
		c.publish(pl)
		c.mu.Unlock()
		c.nudge()
		return PromptQueued, nil
	}
	pl.talk.sending, pl.talk.typing = true, true
	c.work.Add(1)
	c.mu.Unlock()
	defer c.work.Done()
	return c.utter(ctx, pl, l, text)
}

// listen takes in what hooks have told by now, and looks at the terminal of a pane's
// agent: what it did a moment ago does not count.
func (c *Coordinator) listen(ctx context.Context, p panes.PaneID) {
	c.turns.Lock()
	defer c.turns.Unlock()
	c.mu.Lock()
	away := c.held != nil && c.heir == nil // it is being handed over
	c.mu.Unlock()
	if away {
		return
	}
	err := c.takeHooks(ctx)
	if rerr := c.refresh(ctx, p); err != nil || rerr != nil {
		c.cfg.Log.Warn("listen", "pane", p, "err", errors.Join(err, rerr)) // the loop complains of it
	}
	c.bars(p)
}

// bars looks whether anything in the terminal of a pane's agent is against typing
// there: a person's own words, or another program that would read it. While we type there
// what is half typed is ours.
func (c *Coordinator) bars(p panes.PaneID) {
	c.mu.Lock()
	l, typing := c.agentIn(p), c.placeOf(p).talk.typing
	c.mu.Unlock()
	why := ""
	if l != nil {
		why = c.bar(l)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	pl := c.placeOf(p)
	if typing || pl.talk.typing {
		return
	}
	pl.talk.barred = why
	c.publish(pl)
}

func (c *Coordinator) bar(l *life) (why string) {
	label := c.label(l.kind, nil)
	c.mu.Lock()
	s := c.statusOf(l)
	c.mu.Unlock()
	var rests *time.Time
	if k, ok := c.kind(l.kind); ok && k.Facts().EscClears && s.Doing != Working && !s.Doing.Waits() {
		rests = &s.Since // zero if nothing tells what it does
	}
	switch t := c.cfg.Host.Terminal(l.screen()); {
	case t == nil:
	case ended(t): // it is about to be taken in
		why = label + " has ended"
	case l.typed != nil && !(c.cfg.Processes.Runs(l.process) && t.Foreground(l.process)):
		why = label + " is not in the foreground of its shell"
	case t.Drafted(rests):
		why = "text that was typed to " + label + " was not sent yet: send it, or take it back"
	}
	return why
}

// ended reports whether a terminal's program was seen to end.
func ended(t *panes.Terminal) bool {
	_, _, over := t.Exit()
	return over
}

// screen is the terminal in whose pty an agent runs.
func (l *life) screen() panes.TerminalID {
	if l.typed != nil {
		return l.typed.shell
	}
	return l.id
}

// unready says why nothing can be typed to an agent now; "": it can. mu is held.
func (c *Coordinator) unready(pl *place, l *life, anyway bool) string {
	label := c.label(l.kind, nil)
	switch s := c.statusOf(l); {
	case s.Doing.Waits():
		return label + " waits for an answer of yours: a prompt would be taken for it"
	case pl.talk.barred != "":
		return pl.talk.barred
	case pl.talk.sending:
		return label + " is just being sent another prompt"
	case c.waiting(pl, l) > 0:
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
	dialog := s.By == ByTitle && l.evidence[ByTitle].Doing == Quiet // it may be in one
	lost := pl.talk.lost && pl.talk.to == l
	return s.Doing.Rests() && !s.Guess() && !dialog && !lost && pl.talk.barred == ""
}

// agentIn is the agent that runs in a pane: of several that were typed in one shell the
// one that the pane holds; nil: none does. mu is held.
func (c *Coordinator) agentIn(p panes.PaneID) (found *life) {
	pl := c.placeOf(p)
	if pl.closed {
		return nil
	}
	for _, l := range c.lives {
		if l.pane != p || l.kind == "" || !l.gateOpen || l.ended || l.disposed || l.ending || l.typed != nil && !l.typed.gone.IsZero() {
			continue
		}
		if t := pl.rec.Terminal; t != nil && t.ID == l.id {
			return l
		}
		if found == nil || l.started.After(found.started) {
			found = l
		}
	}
	return found
}

// utter types a prompt and waits for the turn. sending is set, and is taken back.
func (c *Coordinator) utter(ctx context.Context, pl *place, l *life, text string) (done Prompted, err error) {
	taken := make(chan struct{})
	defer func() { // after the lock at the end is free again
		c.mu.Lock()
		pl.talk.sending, pl.talk.typing, pl.talk.taken = false, false, nil
		c.publish(pl)
		c.mu.Unlock()
		c.nudge()
	}()
	c.mu.Lock()
	label := c.label(l.kind, nil)
	worked := c.statusOf(l).Doing == Working
	pl.talk.lost = pl.talk.lost && pl.talk.to == l
	pl.talk.to, pl.talk.since, pl.talk.taken = l, c.cfg.Now(), taken
	c.mu.Unlock()
	t := c.cfg.Host.Terminal(l.screen())
	if t == nil {
		return PromptNot, fmt.Errorf("%s has ended", label)
	}
	if ctx.Err() != nil {
		return PromptNot, ctx.Err()
	}
	// From here on whoever asked may go: a paste without its enter is half a prompt.
	err = c.typeIn(l, t, text)
	c.mu.Lock()
	pl.talk.typing = false
	c.mu.Unlock()
	if err != nil {
		return PromptNot, err
	}
	wait := enterTime
	if worked {
		wait = typedTime
	}
	entered := t.LastKey()
	for {
		select {
		case <-taken:
			return PromptTaken, nil
		case <-t.Done():
			return PromptNot, fmt.Errorf("%s ended: %w", label, ErrNotTaken)
		case <-time.After(wait):
		case <-c.ctx.Done():
			return PromptNot, ErrStopping
		}
		if worked || wait != enterTime {
			break
		}
		c.enterAgain(pl, l, t, entered)
		wait = promptTime - enterTime
	}
	if worked { // it has it in a queue of its own
		return PromptTyped, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mute(l) && l.evidence.told() == 0 {
		return PromptSent, nil // what tells otherwise says that it still rests
	}
	pl.talk.lost = true
	return PromptNot, fmt.Errorf("%s did not take the prompt; it may be in a dialog: %w", label, ErrNotTaken)
}

// enterAgain presses enter once more, if all that is known says that the agent rests,
// and nothing was typed there since.
func (c *Coordinator) enterAgain(pl *place, l *life, t *panes.Terminal, entered time.Time) {
	c.listen(c.ctx, l.pane)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held != nil || c.stopping || pl.talk.taken == nil || c.agentIn(l.pane) != l || !c.takes(pl, l) || !t.LastKey().Equal(entered) {
		return
	}
	for _, e := range l.evidence { // a title or a screen may be ahead of its hook
		if e.Doing == Working || e.Doing.Waits() {
			return
		}
	}
	if err := t.Send([]byte("\r")); err != nil { // the wait tells
		c.cfg.Log.Warn("enter", "terminal", l.id, "err", err)
	}
}

// typeIn pastes a text, waits until the program has drawn, and presses enter, unless
// the agent asks something by then.
func (c *Coordinator) typeIn(l *life, t *panes.Terminal, text string) error {
	label := c.label(l.kind, nil)
	modes := t.State().Modes
	if !modes.BracketedPaste && strings.Contains(text, "\n") {
		return fmt.Errorf("%s takes no paste of several lines: send one", label)
	}
	seq := t.Seq()
	err := t.Paste(input.Paste([]byte(text), modes))
	for end := time.Now().Add(drawTime); err == nil && t.Seq() == seq && time.Now().Before(end); {
		err = c.pause(10 * time.Millisecond)
	}
	if err == nil { // it may draw in pieces
		err = c.pause(50 * time.Millisecond)
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

// pause waits, but not beyond our own end.
func (c *Coordinator) pause(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-c.ctx.Done():
		return ErrStopping
	}
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
