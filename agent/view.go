package agent

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"reprise/panes"
)

// place is what the coordinator knows of a pane. Guarded by Coordinator.mu.
type place struct {
	rec    PaneRecord
	ticket uint64 // of the read that rec came from; an older read never replaces it
	view   PaneView
	dirty  bool // rec must be read again
	closed bool // a person closed it
	moved  bool // it went to another coordinator

	launching int            // first launches under way
	refused   *LaunchRequest // a first launch that could not even begin
	refusal   string
	after     panes.TerminalID // what follows this terminal's clean end was begun
	used      time.Time        // when a person last looked at it
	talk      talk
}

// failure is why the resume of a candidate failed. It belongs to the candidate:
// another one in the pane starts clean.
type failure struct {
	kind  FailureKind
	words string
	err   error
}

// placeOf is the pane's place, made if it is new. mu is held.
func (c *Coordinator) placeOf(p panes.PaneID) *place {
	pl := c.places[p]
	if pl == nil {
		pl = &place{view: PaneView{Pane: p}, dirty: true}
		c.places[p] = pl
		c.nudge()
	}
	return pl
}

// View is what the coordinator last saw of a pane. A pane that it never heard of
// is looked up and published later.
func (c *Coordinator) View(p panes.PaneID) PaneView {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.placeOf(p).view
}

// soil makes a pane be read again by the loop.
func (c *Coordinator) soil(p panes.PaneID) {
	c.mu.Lock()
	c.placeOf(p).dirty = true
	c.mu.Unlock()
	c.nudge()
}

func (c *Coordinator) soilAll() {
	c.mu.Lock()
	for _, pl := range c.places {
		pl.dirty = pl.dirty || !pl.closed
	}
	c.mu.Unlock()
	c.nudge()
}

// soilStale makes the panes be read again for what others may have written: all if
// anything was written since it last did, else those alone that were not read yet or
// in which something is still to be done.
func (c *Coordinator) soilStale() {
	v, err := c.cfg.Store.Version(c.ctx)
	c.mu.Lock()
	same := err == nil && v == c.beat.version
	c.beat.version = v
	some := false
	for _, pl := range c.places {
		t := pl.rec.Terminal
		open := pl.ticket == 0 || c.follows(pl) || t != nil && !t.DisposeRequested.IsZero()
		pl.dirty = pl.dirty || !pl.closed && (open || !same)
		some = some || pl.dirty
	}
	c.mu.Unlock()
	if some {
		c.nudge()
	}
}

// soilTwins makes the panes be read again whose session a terminal had, or has now:
// what becomes of it there decides what they say. mu is held.
func (c *Coordinator) soilTwins(l *life, now SessionID) {
	had := now
	if b := c.placeOf(l.pane).rec.Binding; b != nil {
		had = b.Session
	}
	for _, pl := range c.places {
		held := pl.rec.HeldBy != nil && pl.rec.HeldBy.Terminal.ID == l.id
		b := pl.rec.Binding
		same := b != nil && b.Session != "" && (b.Session == had || b.Session == now)
		left := pl.rec.Left != nil && (pl.rec.Left.Session == had || pl.rec.Left.Session == now)
		waits := slices.ContainsFunc(pl.talk.prompts, func(w WaitingPrompt) bool {
			return w.Session != "" && (w.Session == had || w.Session == now)
		})
		pl.dirty = pl.dirty || (held || same || left || waits) && !pl.closed
	}
}

func (c *Coordinator) refreshDirty(ctx context.Context) error {
	var dirty []panes.PaneID
	c.mu.Lock()
	for p, pl := range c.places {
		// Of a new pane nothing is known before its first launch is over, which reads it.
		if pl.dirty && (pl.launching == 0 || pl.rec.Terminal != nil) {
			dirty = append(dirty, p)
		}
	}
	c.mu.Unlock()
	var failed error
	for _, p := range dirty {
		failed = errors.Join(failed, c.refresh(ctx, p))
	}
	return failed
}

// refresh reads a pane's record, publishes what follows from it, and does what it
// asks for: a disposal that was not carried out, a shell after a clean end.
func (c *Coordinator) refresh(ctx context.Context, p panes.PaneID) error {
	c.mu.Lock()
	c.ticket++
	mine := c.ticket
	c.placeOf(p).dirty = false
	c.mu.Unlock()
	rec, err := c.cfg.Store.Pane(ctx, p)
	c.mu.Lock()
	pl := c.placeOf(p)
	if err != nil {
		pl.dirty = true
		c.mu.Unlock()
		return err
	}
	if mine > pl.ticket {
		pl.rec, pl.ticket = rec, mine
		for i := range pl.talk.prompts {
			pl.talk.prompts[i].learn(rec.Binding)
			pl.talk.prompts[i].learn(rec.Left)
		}
	}
	follow := c.follows(pl)
	if follow {
		pl.after = pl.rec.Terminal.ID
	}
	c.publish(pl)
	var doomed *life
	if t := pl.rec.Terminal; t != nil && !t.DisposeRequested.IsZero() {
		if l := c.lives[t.ID]; l != nil && !l.ended {
			doomed = l // stamped by another process, or before we looked
		}
	}
	c.mu.Unlock()
	if doomed != nil { // [P8]
		c.carryOut(doomed)
	}
	if follow {
		c.afterExit(p, rec)
	}
	return nil
}

// follows reports whether the pane's agent has ended cleanly and surely, and
// nothing was made of that yet. mu is held.
func (c *Coordinator) follows(pl *place) bool {
	t, b := pl.rec.Terminal, pl.rec.Binding
	if c.stopping || c.held != nil || pl.closed || pl.launching > 0 || t == nil || b == nil || pl.after == t.ID {
		return false
	}
	if b.Reason != Detached || b.Unsure || c.cfg.Settings.AfterExit == AfterHold {
		return false
	}
	if l := c.lives[t.ID]; l != nil {
		return l.ended
	}
	// Not of this process: it ended while, or before, no server ran. A pane is
	// not closed for that.
	return t.Status != TerminalActive && c.cfg.Settings.AfterExit == AfterShell
}

func (c *Coordinator) publishAll() {
	for _, pl := range c.places {
		c.publish(pl)
	}
}

// publish makes a pane's view anew and tells whoever subscribed if it changed.
// mu is held.
func (c *Coordinator) publish(pl *place) {
	v := c.viewOf(pl, c.cfg.Now())
	if v == pl.view {
		return
	}
	pl.view = v
	c.subs.Wake()
}

// viewOf says what a pane shows. Pure but for mu, which is held.
func (c *Coordinator) viewOf(pl *place, now time.Time) PaneView {
	v := PaneView{Pane: pl.view.Pane, Prompts: len(pl.talk.prompts)}
	if v.Prompts > 0 {
		v.Barred = cmp.Or(pl.talk.barred, pl.talk.astray)
	}
	t, b := pl.rec.Terminal, pl.rec.Binding
	if t == nil || pl.closed {
		if pl.refused != nil && pl.launching == 0 {
			v.State, v.Kind, v.Dir, v.Reason = PaneFirstFailed, pl.refused.Kind, pl.refused.Dir, pl.refusal
			v.Label = c.label(pl.refused.Kind, pl.refused.Argv)
		}
		return v
	}
	v.Dir, v.Label = t.Dir, c.label("", t.Argv)
	l := c.lives[t.ID]
	if l != nil && l.typed != nil && !l.typed.gone.IsZero() && !l.ended { // its shell has the pane again
		v.Label = c.label("", nil)
		return v
	}
	switch {
	case l != nil && l.ended:
		v.Exit, v.LastLine, v.Since = l.exit, l.lastLine, l.exited
	case t.Status != TerminalActive:
		v.Since = t.Ended
		if t.Exit != nil {
			v.Exit = *t.Exit
		}
	}
	if b == nil {
		if left := pl.rec.Left; left != nil {
			v.Left = Left{left.identity(), c.label(left.Kind, nil), left.Origin.Dir}
		}
		switch {
		case pl.launching > 0 || l != nil && !l.ended:
		case pl.refused != nil:
			v.State, v.Reason = PaneFirstFailed, pl.refusal
		case l != nil:
			v.State, v.Reason = PaneEnded, endedWords(v.Label, l.exit)
		default: // it ran when another process owned this pane
			v.State, v.Reason = PaneNotStarted, idleWords(t.Argv)
		}
		return v
	}
	v.Kind, v.Label, v.Session, v.Dir, v.Candidate = b.Kind, c.label(b.Kind, nil), b.Session, b.Origin.Dir, b.Terminal
	v.Pinned = b.Pinned
	if pl.launching > 0 {
		return v
	}
	switch {
	case l == nil || l.ended:
		v.Status = Status{Doing: Gone, Since: v.Since}
	case b.Reason == Live:
		v.Status = StatusOf(l.evidence, now)
	}
	return c.agentView(v, pl, l, now)
}

// agentView is viewOf for an agent's pane. mu is held.
func (c *Coordinator) agentView(v PaneView, pl *place, l *life, now time.Time) PaneView {
	b := pl.rec.Binding
	if f := c.flights[b.Terminal]; f != nil {
		v.State = PaneResuming
		if !f.running {
			v.State, v.Ahead = PaneQueued, c.ahead(f)
		}
		return v
	}
	switch b.Reason {
	case Live:
		if l != nil {
			v.Notice = l.notice
		}
		if l != nil && now.Before(l.freshUntil) {
			v.State = PaneFresh
			v.Reason = freshWords(v.Label)
		}
	case Resuming:
		v.State = PaneResuming
	case Detached:
		switch {
		case l != nil && !l.ended: // it said goodbye and is on its way out
		case b.Unsure:
			v.State = PaneUnsettled
		case pl.after == b.Terminal && pl.refused == nil: // its shell is coming
		default:
			v.State, v.Reason = PaneEnded, endedWords(v.Label, v.Exit)
			if pl.refused != nil {
				v.Reason = pl.refusal
			}
		}
	case TerminalExited:
		return c.exitedView(v, pl, now)
	case Disposed:
		v.State, v.Reason = PaneEnded, v.Label+" was ended"
	}
	return v
}

// exitedView is viewOf for an agent whose terminal died under it. mu is held.
func (c *Coordinator) exitedView(v PaneView, pl *place, now time.Time) PaneView {
	b := *pl.rec.Binding
	fail, failed := c.failures[b.Terminal]
	k, known := c.kind(b.Kind)
	switch {
	case b.FirstFailed, b.Session == "":
		v.State, v.Reason = PaneFirstFailed, endedWords(v.Label, v.Exit)
	case !b.Dismissed.IsZero():
		v.State = PaneDismissed
	case pl.rec.HeldBy != nil:
		v.State, v.Reason = PaneElsewhere, "This session is open in another pane"
		v.Other, v.Where = pl.rec.HeldBy.Terminal.Pane, pl.rec.HeldBy.Workspace
	case !known:
		v.State, v.Failure, v.Reason = PaneUnsupported, FailUnsupported, unsupportedWords(b.Kind, "no agent of this name is configured")
	case k.Facts().NoResume != "":
		v.State, v.Failure, v.Reason = PaneUnsupported, FailUnsupported, unsupportedWords(v.Label, k.Facts().NoResume)
	case failed:
		v.State, v.Failure, v.Reason = PaneFailed, fail.kind, fail.words
	case !pl.rec.Candidate:
		v.State, v.Reason = PaneEnded, endedWords(v.Label, v.Exit)
	default:
		v.State, v.RetryAt = c.cfg.Policy.Due(b, c.cfg.Settings, now)
		switch v.State {
		case PaneAsk:
			v.Since = b.Sign()
		case PanePaused:
			v.Deaths, v.Reason = b.Attempts, pausedWords(v.Label, b.Attempts, v.Exit, v.LastLine)
		}
	}
	return v
}

func (c *Coordinator) kind(name string) (Kind, bool) {
	if c.cfg.Registry == nil {
		return nil, false
	}
	return c.cfg.Registry.Kind(name)
}

// label is what the screen calls a program.
func (c *Coordinator) label(kind string, argv []string) string {
	if k, ok := c.kind(kind); ok && kind != "" {
		return k.Facts().Label
	}
	switch {
	case kind != "":
		return kind
	case len(argv) > 0:
		return filepath.Base(argv[0])
	}
	return filepath.Base(c.cfg.Shell[0])
}
