package agent

import (
	"context"
	"time"

	"reprise/panes"
)

// Store keeps what must survive: terminals, bindings, claims, the ledger. Every
// method is atomic and durable when it returns; a move is one conditional
// UPDATE, so that callers may race. Package db implements it.
type Store interface {
	Claims
	Lives
	Marks
	Panes
	Instances
}

// Identity names a session: the same one in all kinds and homes that have one store
// (StoreOf).
type Identity struct {
	Kind    string
	Home    string
	Session SessionID
}

// ClaimRef names one claim: the candidate's terminal and the claim's token.
type ClaimRef struct {
	Terminal panes.TerminalID
	Owner    InstanceID
	Token    string
	At       time.Time
}

// Confirmation consumes a claim: the old binding becomes Resumed, the successor
// is recorded with a live binding.
type Confirmation struct {
	Claim     ClaimRef
	Successor Terminal
	Binding   Binding // Terminal, Predecessor and Started are set; Reason is Live
}

// ClaimOutcome is what became of a claim, read back by its token.
type ClaimOutcome int

// Outcomes of a claim.
const (
	ClaimLost      ClaimOutcome = iota // the token is not on the row, or the row is neither resuming nor resumed
	ClaimHeld                          // still resuming under this token
	ClaimConfirmed                     // resumed under this token
)

// Holder is one terminal whose binding holds, or held, a session.
type Holder struct {
	Terminal Terminal
	Reason   EndReason
	Kept     bool // it may be resumed, or its unsure goodbye may turn out to be none
	// Dismissed: a person wants it to be resumed by hand alone.
	Dismissed bool
	// Workspace is where its pane stands, for words on the screen.
	Workspace string
}

// has reports whether it has the session now, or is about to.
func (h Holder) has() bool { return h.Reason == Live || h.Reason == Resuming }

// Claims takes candidates and gives them back.
type Claims interface {
	// Claim moves a candidate from TerminalExited to Resuming, guarded by the
	// candidate predicate. ok is false, without an error, if it is none (any more).
	Claim(ctx context.Context, c ClaimRef) (cand Candidate, ok bool, err error)
	// Confirm moves Resuming to Resumed where the token still matches, and
	// records the successor, in one transaction. ok is false if a person ended
	// the session meanwhile. After an error the outcome is unknown: ask Outcome.
	Confirm(ctx context.Context, c Confirmation) (ok bool, err error)
	// Unclaim moves Resuming back to TerminalExited where the token matches; it
	// does nothing if a person ended the session meanwhile.
	Unclaim(ctx context.Context, c ClaimRef, why string) error
	// Outcome reads a claim back.
	Outcome(ctx context.Context, c ClaimRef) (ClaimOutcome, error)
	// Holders lists every terminal whose binding has this session, ended ones
	// too, newest first.
	Holders(ctx context.Context, id Identity) ([]Holder, error)
}

// Ending tells how a terminal's process ended, and what is asked of its binding.
type Ending struct {
	Terminal panes.TerminalID
	At       time.Time
	Exit     *panes.Exit // nil: not known
	// Asked is Detached or TerminalExited, Unsure only with Detached.
	Asked  EndReason
	Unsure bool
	// FirstFailed, Attempts, FirstDeath and NextAttempt are written with the move.
	FirstFailed bool
	Attempts    int
	FirstDeath  time.Time
	NextAttempt time.Time
	// Alone: only an agent that a person typed has ended, its shell lives on. The pane
	// goes back to the shell, and the session does not resume by itself.
	Alone bool
	Why   string // for the ledger
}

// Lives records the lives of terminals.
type Lives interface {
	Launches
	// GateOpened records that the program was let run, and reports whether a
	// person asked for its end meanwhile.
	GateOpened(ctx context.Context, t panes.TerminalID) (disposed bool, err error)
	// End records a terminal's end and asks its binding to move, in one
	// transaction. It reports the binding's reason afterwards (Live if the
	// terminal has no binding). A terminal that a person disposed becomes
	// TerminalDisposed.
	End(ctx context.Context, e Ending) (EndReason, error)
	// Dispose stamps, durably, that a person ended what terminal t is or was
	// resumed into: it follows the successors to the live one, stamps
	// dispose_requested_at, moves the binding to Disposed and gives dead twins
	// the same end; so it does for the shell that an agent was typed in, and for
	// agents that were typed in a shell. It returns the terminals whose process may still run. It
	// must return before any signal is sent.
	Dispose(ctx context.Context, t panes.TerminalID, at time.Time) ([]Terminal, error)
	// Sweep gives back what a dead instance left of terminal t: see SweepRequest.
	Sweep(ctx context.Context, r SweepRequest) error
}

// Launches record what is started and is no candidate's successor.
type Launches interface {
	// Begin records a first launch: the terminal, its live binding (nil for a
	// shell or another command) and the pane's pointer, in one transaction. Of an
	// agent that was typed in a shell: ErrNoShell if the pane is not that shell's.
	Begin(ctx context.Context, t Terminal, b *Binding) error
	// Origin is how the session was held last: the newest binding's; false: none is
	// recorded.
	Origin(ctx context.Context, id Identity) (Origin, bool, error)
	// Told is the process of the launch that has a nonce, and the session which a hook of its
	// agent told last, after another one or as the first; "": none did, a person has said
	// another since, a later word waits to be taken in, or it does not run.
	Told(ctx context.Context, nonce string) (panes.ProcessID, SessionID, error)
	// BeginSole is Begin, unless another binding of the same session lives or is being
	// resumed: then ok is false and nothing is recorded. After an error the outcome is
	// unknown.
	BeginSole(ctx context.Context, t Terminal, b Binding) (ok bool, err error)
}

// SweepRequest mends one terminal of a dead instance. Its process was seen gone:
// an active terminal becomes exited, and its binding moves live → TerminalExited,
// Resuming → TerminalExited, or Detached unsure → TerminalExited.
type SweepRequest struct {
	Terminal panes.TerminalID
	Instance InstanceID // the dead one; the row is left alone if it is not its owner (claims: their owner)
	At       time.Time
}

// Note is one row of the ledger.
type Note struct {
	At       time.Time
	Terminal panes.TerminalID
	Session  SessionID
	What     string // claim, lost, refusal, unclaim, launch, confirm, early-death, pause, sweep, dispose, hook, goodbye, message …
	Why      string
}

// Marks changes what stands beside the end reason.
type Marks interface {
	// Settle makes an unsure goodbye sure and ends its dead twins. moved is
	// false if it is not Detached and unsure (any more).
	Settle(ctx context.Context, t panes.TerminalID, at time.Time) (moved bool, err error)
	// Unsettle turns the unsure goodbyes of a stopping instance into
	// TerminalExited and counts them.
	Unsettle(ctx context.Context, owner InstanceID, at time.Time) (int, error)
	// Proven sets the attempts back to 0: the resume has held.
	Proven(ctx context.Context, t panes.TerminalID) error
	// Dismiss marks or, with a zero time, unmarks a candidate as dismissed.
	Dismiss(ctx context.Context, t panes.TerminalID, at time.Time) error
	// AddNote appends to the ledger.
	AddNote(ctx context.Context, n Note) error
}

// PaneRecord is what the store knows of a pane: what its pointer leads to.
type PaneRecord struct {
	Pane panes.PaneID
	// Terminal is the end of the chain of successors from the pane's pointer;
	// nil if the pane points nowhere.
	Terminal *Terminal
	// Binding is that terminal's binding; nil for a shell or another command.
	Binding *Binding
	// Candidate: the binding holds the candidate predicate.
	Candidate bool
	// Left, of a shell's pane, is the last agent that was typed there, has died alone and
	// may be resumed; nil: there is none.
	Left *Binding
	// HeldBy is another terminal that is live or resuming with the same session.
	HeldBy *Holder
}

// PinRequest is what a person says of the session that the agent of a terminal has.
type PinRequest struct {
	Terminal panes.TerminalID
	Session  SessionID
	Prompted bool // it has a conversation
	At       time.Time
}

// PinOutcome is what became of it.
type PinOutcome struct {
	Done    bool
	Session SessionID // that the binding has now
	Held    *Holder   // not done: who has the session, alive or claimed; nil: the binding cannot be changed
}

// Pins let a person say a session that no hook tells.
type Pins interface {
	// Pin binds a session to a terminal whose agent runs, or whose terminal died under
	// it, unless another one has it. Hooks that were fired before do not change it.
	Pin(ctx context.Context, p PinRequest) (PinOutcome, error)
	// Unpin gives the binding the session that it had before, under the same
	// conditions. Not done, nobody has it: nothing is pinned.
	Unpin(ctx context.Context, p PinRequest) (PinOutcome, error)
}

// Panes reads and moves the panes' pointers, and applies what hooks told.
type Panes interface {
	Pins
	// Pane follows the pane's pointer.
	Pane(ctx context.Context, p panes.PaneID) (PaneRecord, error)
	// Repoint lets a pane point at terminal to, if it points at a terminal whose
	// chain of successors leads there. ok is false if it points elsewhere.
	Repoint(ctx context.Context, p panes.PaneID, to panes.TerminalID) (ok bool, err error)
	// ApplyHooks takes in the hook events of the terminals that the given
	// instance owns (spooled ones too), in the order of fired_at, each judged by
	// Judge. It returns the terminals that changed.
	ApplyHooks(ctx context.Context, owner InstanceID) ([]Applied, error)
}

// Applied is one hook event and what it did.
type Applied struct {
	Event   HookEvent
	Verdict Verdict
}

// Orphan is what a dead instance left: a terminal to be swept.
type Orphan struct {
	Terminal Terminal
	Binding  *Binding
}

// Instances tells living owners from dead ones by their lock files.
type Instances interface {
	// Dead lists the instances whose lock can be taken and that left something
	// to sweep. The locks taken are held until release is called.
	Dead(ctx context.Context) (dead []InstanceID, release func(), err error)
	// Orphans lists what a dead instance left: active terminals, claims it holds,
	// unsure goodbyes, disposed terminals whose process may live.
	Orphans(ctx context.Context, dead InstanceID) ([]Orphan, error)
	// Version is that of all that is kept. It costs little.
	Version(ctx context.Context) (Version, error)
}

// Version tells states of a store apart that one handle sees: as long as it is the
// same nothing was written, by whomever, on which any pane depends but the one that it
// was written for.
type Version struct{ Own, Others int64 }
