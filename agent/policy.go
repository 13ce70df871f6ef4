package agent

import (
	"fmt"
	"time"

	"reprise/panes"
)

// Policy has the times and counts that decide when something happens. Its
// methods are pure: the clock is handed in.
type Policy struct {
	// KeyWindow: a key typed this long before an exit with status 0 makes it
	// likely that a person quit.
	KeyWindow time.Duration
	// SettleTyped and SettleIdle are how long a goodbye that is told by the exit
	// status alone stays unsure, with and without such a key.
	SettleTyped, SettleIdle time.Duration
	// Backoff is the wait after the first, second … early death.
	Backoff []time.Duration
	// PauseDeaths early deaths within PauseWithin end the tries.
	PauseDeaths int
	PauseWithin time.Duration
	// ProvenAlive and ProvenKey end the probation of a resumed agent: alive this
	// long, or alive this long after the first typed key.
	ProvenAlive, ProvenKey time.Duration
	// TermGrace is the time between HUP, TERM and KILL.
	TermGrace time.Duration
	// StripQuiet: a strip takes keys only after this long without one.
	StripQuiet time.Duration
	// FreshShown is how long a pane says that it started fresh.
	FreshShown time.Duration
	// SweepEvery is the time between two looks for dead instances.
	SweepEvery time.Duration
	// HookEvery is the time between two looks for hook events.
	HookEvery time.Duration
	// SignWithin is how long a resume keeps others waiting while its agent gives
	// no sign of life.
	SignWithin time.Duration
	// LookWithin is how long a resume waits until it is known what clients show.
	LookWithin time.Duration
}

// DefaultPolicy is the policy of resume.md §3 and §4.
func DefaultPolicy() Policy {
	return Policy{
		KeyWindow: 10 * time.Second, SettleTyped: 2 * time.Second, SettleIdle: 30 * time.Second,
		Backoff:     []time.Duration{time.Second, 5 * time.Second, 30 * time.Second},
		PauseDeaths: 4, PauseWithin: 10 * time.Minute,
		ProvenAlive: 5 * time.Minute, ProvenKey: time.Minute,
		TermGrace: 5 * time.Second, StripQuiet: 700 * time.Millisecond, FreshShown: 5 * time.Second,
		SweepEvery: 5 * time.Second, HookEvery: 250 * time.Millisecond,
		SignWithin: 5 * time.Second, LookWithin: time.Second,
	}
}

// Mode says whether candidates resume by themselves.
type Mode string

// Modes. Off is meant for one run (--no-resume): it asks, as ModeAsk does.
const (
	ModeAuto Mode = "auto"
	ModeAsk  Mode = "ask"
	ModeOff  Mode = "off"
)

// Scope says which candidates resume by themselves.
type Scope string

// Scopes.
const (
	ScopeVisible Scope = "visible" // those in panes that a client shows
	ScopeAll     Scope = "all"
)

// AfterExit says what follows an agent's clean end in its pane.
type AfterExit string

// What follows a clean end.
const (
	AfterShell AfterExit = "shell" // the person's shell, in the same directory
	AfterHold  AfterExit = "hold"  // the last screen stays
	AfterClose AfterExit = "close" // the pane closes
)

// Settings are the person's.
type Settings struct {
	Mode      Mode
	Scope     Scope
	Parallel  int           // launches at once, at least 1
	MaxAge    time.Duration // since the last sign of life; older candidates ask; 0: none is too old
	AfterExit AfterExit
}

// DefaultSettings hold without a config file.
func DefaultSettings() Settings {
	return Settings{
		Mode: ModeAuto, Scope: ScopeVisible, Parallel: 2, MaxAge: 7 * 24 * time.Hour, AfterExit: AfterShell,
	}
}

// Sign is a binding's last sign of life: its last event, else its end.
func (b Binding) Sign() time.Time {
	if b.LastEventAt.IsZero() {
		return b.Ended
	}
	return b.LastEventAt
}

// Due says what a candidate does now: PaneDue, PaneWaiting (until the time
// returned), PaneAsk, PanePaused or PaneDismissed.
func (p Policy) Due(b Binding, s Settings, now time.Time) (PaneState, time.Time) {
	switch {
	case !b.Dismissed.IsZero():
		return PaneDismissed, time.Time{}
	case b.Attempts >= p.PauseDeaths:
		return PanePaused, time.Time{}
	case s.Mode != ModeAuto:
		return PaneAsk, time.Time{}
	case s.MaxAge > 0 && now.Sub(b.Sign()) > s.MaxAge:
		return PaneAsk, time.Time{}
	case now.Before(b.NextAttempt):
		return PaneWaiting, b.NextAttempt
	}
	return PaneDue, time.Time{}
}

// Death is what is known of a terminal's end when it is classified.
type Death struct {
	Terminal panes.TerminalID
	At       time.Time
	Exit     *panes.Exit // nil: not known
	GateOpen bool        // the program was let run
	Stopping bool        // this process was told to stop
	Disposed bool        // a person ended it
	Started  time.Time
	FirstKey time.Time // the first and the last key typed to it; zero: none
	LastKey  time.Time
	// First: not launched by a resume.
	First bool
	// Turn: a message was sent, in this life or, sticky, before.
	Turn bool
	// Probation: launched by a resume and not proven yet.
	Probation  bool
	Attempts   int
	FirstDeath time.Time
}

// Classify says what a terminal's end asks of its binding (resume.md §3 Goodbye,
// §4 step 9).
func (p Policy) Classify(d Death) Ending {
	e := Ending{
		Terminal: d.Terminal, At: d.At, Exit: d.Exit, Asked: TerminalExited,
		Attempts: d.Attempts, FirstDeath: d.FirstDeath, Why: exitWords(d.Exit),
	}
	proven := p.Proven(d.Started, d.FirstKey, d.At)
	if proven || !d.Probation {
		e.Attempts, e.FirstDeath = 0, time.Time{}
	}
	switch {
	case d.Disposed:
		e.Why = "ended by a person"
	case d.Stopping: // what ends now may have been ended with us [P7]
		e.Why = "stopping: " + e.Why
	case d.Exit == nil:
		e.Why = "how it ended is not known"
	case d.Probation && !proven && !(d.GateOpen && d.Exit.Status == 0 && !d.LastKey.IsZero()):
		e.Attempts, e.FirstDeath, e.NextAttempt = p.earlyDeath(d)
		e.Why = fmt.Sprintf("early death %d: %s", e.Attempts, e.Why)
	case !d.GateOpen: // [P11]
		e.FirstFailed, e.Why = d.First, "never ran: "+e.Why
	case d.Exit.Status == 0:
		e.Asked, e.Unsure = Detached, true
	case d.Exit.Signal == 0 && d.Exit.Status <= 128:
		e.FirstFailed = d.First && !d.Turn && !proven
	}
	return e
}

// earlyDeath counts one more. A row of deaths that began too long ago is
// forgotten, unless it has paused: only a person's retry starts again then.
func (p Policy) earlyDeath(d Death) (attempts int, first, next time.Time) {
	attempts, first = d.Attempts+1, d.FirstDeath
	old := d.At.Sub(first) > p.PauseWithin && d.Attempts < p.PauseDeaths
	if d.Attempts == 0 || first.IsZero() || old {
		first = d.At
		if old {
			attempts = 1
		}
	}
	if n := min(attempts, len(p.Backoff)); n > 0 {
		next = d.At.Add(p.Backoff[n-1])
	}
	return attempts, first, next
}

// Proven reports whether an agent that was started at started, and first typed
// to at firstKey (zero: never), has held by now without a turn.
func (p Policy) Proven(started, firstKey, now time.Time) bool {
	return now.Sub(started) >= p.ProvenAlive ||
		!firstKey.IsZero() && now.Sub(firstKey) >= p.ProvenKey
}

// Settle is how long after its end an unsure goodbye becomes sure.
func (p Policy) Settle(lastKey, ended time.Time) time.Duration {
	if !lastKey.IsZero() && ended.Sub(lastKey) <= p.KeyWindow {
		return p.SettleTyped
	}
	return p.SettleIdle
}
