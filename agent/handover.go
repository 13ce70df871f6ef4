package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"reprise/panes"
)

// State is what a coordinator knows and the store does not, on its way to the next
// image of this process (an upgrade in place). It can be written as JSON. Nothing
// that matters depends on it: see Adopt.
type State struct {
	Lives    []LifeState    `json:"lives,omitempty"`
	Failures []FailureState `json:"failures,omitempty"`
	Refused  []RefusedState `json:"refused,omitempty"`
	Talks    []TalkState    `json:"talks,omitempty"`
	// Queue are resumes that were asked for and wait for their turn.
	Queue []ResumeRequest `json:"queue,omitempty"`
}

// TalkState are the prompts that wait for an agent.
type TalkState struct {
	Pane    panes.PaneID    `json:"pane"`
	Waiting []WaitingPrompt `json:"waiting"`
}

// LifeState is what is kept of a terminal beside its record.
type LifeState struct {
	Terminal   panes.TerminalID `json:"terminal"`
	Pane       panes.PaneID     `json:"pane"`
	Kind       string           `json:"kind,omitempty"`
	Notice     string           `json:"notice,omitempty"`
	Started    time.Time        `json:"started"`
	First      bool             `json:"first,omitempty"`
	Turn       bool             `json:"turn,omitempty"`
	Probation  bool             `json:"probation,omitempty"`
	Attempts   int              `json:"attempts,omitempty"`
	FirstDeath time.Time        `json:"first_death"`
	FirstKey   time.Time        `json:"first_key"`
	FreshUntil time.Time        `json:"fresh_until"`
	Ended      bool             `json:"ended,omitempty"`
	Exit       panes.Exit       `json:"exit"`
	Exited     time.Time        `json:"exited"`
	LastLine   string           `json:"last_line,omitempty"`
	SettleAt   time.Time        `json:"settle_at"` // zero: nothing to settle
	Evidence   Evidences        `json:"evidence"`
}

// FailureState is why the resume of a candidate failed.
type FailureState struct {
	Terminal panes.TerminalID `json:"terminal"`
	Kind     FailureKind      `json:"kind"`
	Words    string           `json:"words"`
	Err      string           `json:"err"`
}

// RefusedState is a first launch that could not begin.
type RefusedState struct {
	Request LaunchRequest `json:"request"`
	Words   string        `json:"words"`
}

// Handover finishes what is under way, lets nothing else begin, and returns what
// the next image of this process is to be given. What is asked for meanwhile waits;
// hooks and deaths are left for that image. GoOn takes it back, when that image
// cannot be executed. ctx bounds the wait: after an error everything goes on.
func (c *Coordinator) Handover(ctx context.Context) (State, error) {
	if err := c.hold(ctx); err != nil {
		return State{}, fmt.Errorf("hand over: %w", err)
	}
	c.turns.Lock() // the turn under way is the last one
	defer c.turns.Unlock()
	return c.state(), nil
}

// hold finishes what is being started and lets nothing else begin until GoOn. The
// turn under way may go on, those after it do nothing.
func (c *Coordinator) hold(ctx context.Context) error {
	c.mu.Lock()
	if c.held != nil || c.stopping {
		c.mu.Unlock()
		return errors.New("an upgrade or a move is under way already, or it stops; try again")
	}
	c.held = make(chan struct{})
	c.mu.Unlock()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !c.idle() {
		select {
		case <-ctx.Done():
			c.GoOn()
			return fmt.Errorf("a program is just being started; try again: %w", ctx.Err())
		case <-tick.C:
		}
	}
	return nil
}

// GoOn ends what Handover began.
func (c *Coordinator) GoOn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil {
		return
	}
	close(c.held)
	c.held = nil
	c.dispatch()
	c.nudge()
}

// idle reports whether nothing is being started.
func (c *Coordinator) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opens > 0 {
		return false
	}
	for _, f := range c.flights {
		if f.running {
			return false
		}
	}
	for _, pl := range c.places {
		if pl.launching > 0 || pl.talk.typing {
			return false
		}
	}
	return true
}

// admit waits until nothing holds launches back. On success mu is held.
func (c *Coordinator) admit(ctx context.Context) error {
	c.mu.Lock()
	for c.held != nil && !c.stopping {
		held := c.held
		c.mu.Unlock()
		select {
		case <-held:
		case <-c.ctx.Done():
		case <-ctx.Done():
			return fmt.Errorf("wait for the upgrade: %w", ctx.Err())
		}
		c.mu.Lock()
	}
	if c.stopping {
		c.mu.Unlock()
		return ErrStopping
	}
	return nil
}

func (c *Coordinator) state() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	var s State
	for _, l := range c.lives {
		s.Lives = append(s.Lives, LifeState{
			Terminal: l.id, Pane: l.pane, Kind: l.kind, Notice: l.notice, Started: l.started, First: l.first, Turn: l.turn,
			Probation: l.probation, Attempts: l.attempts, FirstDeath: l.firstDeath, FirstKey: l.firstKey,
			FreshUntil: l.freshUntil, Ended: l.ended, Exit: l.exit, Exited: l.exited, LastLine: l.lastLine, SettleAt: l.settleAt,
			Evidence: l.evidence,
		})
	}
	for _, f := range c.queue {
		s.Queue = append(s.Queue, f.req)
	}
	for t, f := range c.failures {
		said := ""
		if f.err != nil {
			said = f.err.Error()
		}
		s.Failures = append(s.Failures, FailureState{Terminal: t, Kind: f.kind, Words: f.words, Err: said})
	}
	for id, pl := range c.places {
		if t := pl.talk; len(t.prompts) > 0 {
			s.Talks = append(s.Talks, TalkState{Pane: id, Waiting: slices.Clone(t.prompts)})
		}
		if pl.refused != nil {
			s.Refused = append(s.Refused, RefusedState{Request: *pl.refused, Words: pl.refusal})
		}
	}
	return s
}
