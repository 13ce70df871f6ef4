package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"reprise/panes"
)

// life is what this process knows of a terminal that it started. Guarded by
// Coordinator.mu.
type life struct {
	id      panes.TerminalID
	pane    panes.PaneID
	nonce   string
	process panes.ProcessID
	kind    string // "" for a shell or another command
	notice  string // what its kind said of the launch

	// begun: its start is over, one way or the other; before that its end is not
	// classified.
	begun     bool
	started   time.Time // when its gate was opened
	gateOpen  bool
	gateNoted bool // the store knows of the gate

	first      bool // not launched by a resume
	turn       bool // a message was sent, in this life or before
	probation  bool
	attempts   int
	firstDeath time.Time
	firstKey   time.Time

	disposed bool // a person ended it
	ending   bool // its processes are being ended
	doubtful int  // how often its end may still fail to be recorded; 0: always
	over
	typed    *typing   // it was typed in a shell; nil: it has a pty of its own
	evidence Evidences // of what it does
	said     Status    // of which an event was made, if it makes one
	lookout
	later
}

// over is how a life ended.
type over struct {
	ended    bool // it is recorded
	exit     panes.Exit
	exited   time.Time
	lastLine string
}

// later is what a life has still to come.
type later struct {
	settleAt   time.Time // zero: nothing to settle
	freshUntil time.Time // the pane says until then that it started fresh
}

// watch wakes the loop when a terminal's process has ended.
func (c *Coordinator) watch(t *panes.Terminal) { t.AfterDone(c.nudge) }

// takeHooks applies the hook events that came in for this instance's terminals.
func (c *Coordinator) takeHooks(ctx context.Context) error {
	applied, err := c.cfg.Store.ApplyHooks(ctx, c.cfg.Instance)
	if err != nil { // what was applied before it counts
		err = fmt.Errorf("take in hooks: %w", err)
	}
	var told []slog.Attr
	c.mu.Lock()
	c.beat.hooks = c.cfg.Now()
	byNonce := map[string]*life{}
	for _, l := range c.lives {
		byNonce[l.nonce] = l
	}
	for _, a := range applied {
		l := byNonce[a.Event.Nonce]
		if l == nil || a.Verdict.Ignore {
			continue
		}
		c.hear(l.id)
		l.evidence.hooked(a.Event, c.cfg.Now())
		c.placeOf(l.pane).talk.heard(l, a.Event)
		v := a.Verdict
		if v.Prompted {
			l.turn, l.probation, l.attempts, l.firstDeath = true, false, 0, time.Time{}
		}
		if l.typed != nil && (v.Goodbye || v.Reopen) {
			l.typed.goodbye = v.Goodbye
		}
		if v.Rebind != "" || v.Reopen || v.Goodbye || v.Prompted {
			c.placeOf(l.pane).dirty = true
		}
		if v.Rebind != "" || v.Reopen || v.Goodbye {
			c.soilTwins(l, v.Rebind)
		}
		told = append(told, slog.Group(string(a.Event.What), "terminal", l.id, "agent", l.kind,
			"session", a.Event.Session.Short(), "why", v.Why))
	}
	c.mu.Unlock()
	if len(told) > 0 {
		c.cfg.Log.LogAttrs(ctx, slog.LevelDebug, "hooks", told...)
	}
	return err
}

// takeDead records the ends of this process's terminals. The hooks are drained
// first: a goodbye that an agent sent before it ended must be known when its end
// is classified.
func (c *Coordinator) takeDead(ctx context.Context) error {
	var dead []*panes.Terminal
	c.mu.Lock()
	known := map[panes.TerminalID]bool{}
	for id, l := range c.lives {
		known[id] = l.begun && !l.ended
	}
	c.mu.Unlock()
	for _, t := range c.cfg.Host.Terminals() {
		if _, _, ended := t.Exit(); ended && known[t.ID()] {
			dead = append(dead, t)
		}
	}
	if len(dead) == 0 {
		return nil
	}
	failed := c.takeHooks(ctx)
	for _, t := range dead {
		// Hooks that cannot be read must not keep a session down for ever.
		if _, at, _ := t.Exit(); failed != nil && c.cfg.Now().Sub(at) < c.cfg.Policy.SweepEvery {
			continue
		}
		failed = errors.Join(failed, c.recordEnd(ctx, t))
	}
	return failed
}

// recordEnd classifies the end of one terminal and writes it down.
func (c *Coordinator) recordEnd(ctx context.Context, t *panes.Terminal) error {
	c.trackKey(t)
	c.mu.Lock()
	l := c.lives[t.ID()]
	pane := l.pane
	c.mu.Unlock()
	if err := c.noteGate(ctx, l); err != nil {
		return err
	}
	rec, err := c.cfg.Store.Pane(ctx, pane)
	if err != nil {
		return err
	}
	exit, at, _ := t.Exit()
	d := c.death(l, rec, t, exit, at)
	e := c.cfg.Policy.Classify(d)
	reason, err := c.writeEnd(ctx, l, e)
	if err != nil {
		return err
	}
	c.told(l, e, reason, t.LastLine())
	c.mu.Lock()
	l.ended, l.exit, l.exited, l.lastLine = true, exit, at, t.LastLine()
	l.attempts, l.firstDeath = e.Attempts, e.FirstDeath
	if e.Asked == Detached && reason == Detached {
		l.settleAt = at.Add(c.cfg.Policy.Settle(d.LastKey, at))
	}
	c.soilTwins(l, "")
	closed := c.placeOf(pane).closed
	c.mu.Unlock()
	if closed {
		c.forget(l.id)
	}
	err = c.refresh(ctx, pane)
	c.mu.Lock()
	c.exited(l)
	c.mu.Unlock()
	return err
}

// writeEnd writes a life's end down. One of which it is not known whether its beginning
// was is given up in time.
func (c *Coordinator) writeEnd(ctx context.Context, l *life, e Ending) (EndReason, error) {
	err := failpoint("end.record")
	if err != nil {
		return "", err
	}
	reason, err := c.cfg.Store.End(ctx, e)
	if err == nil {
		err = failpoint("end.recorded")
	}
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if l.doubtful--; l.doubtful == 0 { // it was never recorded that it began
			delete(c.lives, l.id)
		}
	}
	return reason, err
}

// death gathers what is known of a terminal's end.
func (c *Coordinator) death(l *life, rec PaneRecord, t *panes.Terminal, exit panes.Exit, at time.Time) Death {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := Death{
		Terminal: l.id, At: at, Exit: &exit, GateOpen: l.gateOpen, Stopping: c.stopping, Disposed: l.disposed,
		Started: l.started, FirstKey: l.firstKey, LastKey: t.LastKey(),
		First: l.first, Turn: l.turn, Probation: l.probation, Attempts: l.attempts, FirstDeath: l.firstDeath,
	}
	// The store knows better than memory: a hook may have been applied whose
	// answer was lost.
	if rec.Terminal != nil && rec.Terminal.ID == l.id {
		d.Disposed = d.Disposed || !rec.Terminal.DisposeRequested.IsZero()
		if b := rec.Binding; b != nil {
			d.Turn = d.Turn || b.Prompted
			d.Attempts, d.FirstDeath = b.Attempts, b.FirstDeath
		}
	}
	return d
}

// told logs an end, as flat fields and without anything that was on the screen
// but the last line.
func (c *Coordinator) told(l *life, e Ending, reason EndReason, last string) {
	c.cfg.Log.Info("ended", "terminal", l.id, "agent", l.kind, "reason", string(reason), "why", e.Why,
		"exit", e.Exit.Status, "signal", e.Exit.Signal, "attempt", e.Attempts, "line", last)
	if e.Attempts >= c.cfg.Policy.PauseDeaths {
		c.note(Note{Terminal: l.id, What: "pause", Why: fmt.Sprintf("died %d times while resuming", e.Attempts)})
	}
}

// noteGate tells the store that a gate was opened, if it could not be told then.
func (c *Coordinator) noteGate(ctx context.Context, l *life) error {
	c.mu.Lock()
	due := l.begun && l.gateOpen && !l.gateNoted
	c.mu.Unlock()
	if !due {
		return nil
	}
	disposed, err := c.cfg.Store.GateOpened(ctx, l.id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	l.gateNoted = true
	c.mu.Unlock()
	if disposed { // [P8]
		c.carryOut(l)
	}
	return nil
}

// trackKey remembers when a terminal was first typed to.
func (c *Coordinator) trackKey(t *panes.Terminal) {
	key := t.LastKey()
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lives[t.ID()]; l != nil && l.firstKey.IsZero() {
		l.firstKey = key
	}
}

// prove ends the probation of resumed agents that have held.
func (c *Coordinator) prove(ctx context.Context, now time.Time) error {
	for _, t := range c.cfg.Host.Terminals() {
		c.trackKey(t)
	}
	var held []*life
	c.mu.Lock()
	for _, l := range c.lives {
		if l.probation && l.gateOpen && !l.ended && c.cfg.Policy.Proven(l.started, l.firstKey, now) {
			held = append(held, l)
		}
	}
	c.mu.Unlock()
	var failed error
	for _, l := range held {
		if err := c.cfg.Store.Proven(ctx, l.id); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		c.mu.Lock()
		l.probation, l.attempts, l.firstDeath = false, 0, time.Time{}
		c.mu.Unlock()
	}
	return failed
}

// settle makes unsure goodbyes sure whose time has come.
func (c *Coordinator) settle(ctx context.Context, now time.Time) error {
	return c.each(func(l *life) bool { return !l.settleAt.IsZero() && !now.Before(l.settleAt) }, func(l *life) error { return c.settleOne(ctx, l, now) })
}

// each does something for the lives of a kind. which is asked under mu.
func (c *Coordinator) each(which func(*life) bool, do func(*life) error) error {
	var all []*life
	c.mu.Lock()
	for _, l := range c.lives {
		if which(l) {
			all = append(all, l)
		}
	}
	c.mu.Unlock()
	var failed error
	for _, l := range all {
		failed = errors.Join(failed, do(l))
	}
	return failed
}

func (c *Coordinator) settleOne(ctx context.Context, l *life, now time.Time) error {
	if err := failpoint("settle"); err != nil {
		return err
	}
	if _, err := c.cfg.Store.Settle(ctx, l.id, now); err != nil {
		return err
	}
	c.mu.Lock()
	l.settleAt = time.Time{}
	pane := l.pane
	c.mu.Unlock()
	if c.cfg.Host.Terminal(l.id) == nil { // its pane went on to something else
		c.forget(l.id)
	}
	return c.refresh(ctx, pane)
}

// forget drops a terminal whose end is recorded and that no pane shows.
func (c *Coordinator) forget(t panes.TerminalID) {
	c.mu.Lock()
	if l := c.lives[t]; l != nil && l.ended && l.settleAt.IsZero() {
		delete(c.lives, t)
	}
	delete(c.failures, t)
	c.mu.Unlock()
	c.cfg.Host.Retire(t)
}
