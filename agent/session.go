// Package agent knows what an agent session is and brings one back: the kinds
// of agent programs, the table of moves of a binding, the policy of when to
// resume, and the coordinator that does it.
//
// The words: a pane is a place on the screen; a terminal one life of one program
// in a pty; a session a conversation that the agent itself stores; a binding
// says which session lives in which terminal; a candidate is a binding that may
// be resumed; a claim takes a candidate; the successor is the terminal that a
// resume launched.
package agent

import (
	"strings"
	"time"

	"reprise/panes"
)

// SessionID is the name that an agent program gave a conversation. It comes
// from outside: use it only after Valid.
type SessionID string

// Bounds of a session id: [A-Za-z0-9][A-Za-z0-9._:-]{0,127}. Not a regular
// expression: compiling one would be a fifth of the hook command's time.
const (
	sessionMax   = 128
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// Valid reports whether id may stand in an argv: it can be neither an option
// nor a path out of a folder.
func (id SessionID) Valid() bool {
	return id != "" && len(id) <= sessionMax &&
		strings.IndexByte(alphanumeric, id[0]) >= 0 && strings.Trim(string(id), alphanumeric+"._:-") == ""
}

// Short is the last 8 characters, the form that is shown and logged.
func (id SessionID) Short() string {
	if len(id) <= 8 {
		return string(id)
	}
	return string(id[len(id)-8:])
}

// InstanceID names one process that owns terminals.
type InstanceID string

// EndReason says how a binding ended; "" is live.
type EndReason string

// End reasons. Resumed and Disposed are final.
const (
	Live           EndReason = ""
	Detached       EndReason = "detached"        // the agent ended of its own (clean quit)
	TerminalExited EndReason = "terminal-exited" // its terminal died under it
	Resuming       EndReason = "resuming"        // claimed, not yet launched
	Resumed        EndReason = "resumed"         // consumed; the successor is recorded
	Disposed       EndReason = "disposed"        // a person ended it
)

// Terminal is the durable record of one life of one program.
type Terminal struct {
	ID       panes.TerminalID
	Pane     panes.PaneID
	Dir      string
	Argv     []string
	Env      []string // what was added to the environment, KEY=value
	Nonce    string   // proves that a hook comes from this launch
	Process  panes.ProcessID
	Instance InstanceID
	// Shell is the terminal in whose shell a person typed this agent; "": it has a pty
	// of its own.
	Shell    panes.TerminalID
	GateOpen bool
	Status   TerminalStatus
	Exit     *panes.Exit // nil: unknown or still running
	Created  time.Time
	Ended    time.Time // zero: not ended
	// DisposeRequested is when a person asked for its end; zero: never.
	DisposeRequested time.Time
}

// Screen is the terminal in whose pty it runs, or ran.
func (t Terminal) Screen() panes.TerminalID {
	if t.Shell != "" {
		return t.Shell
	}
	return t.ID
}

// TerminalStatus is the state of a terminal's record.
type TerminalStatus string

// Terminal states.
const (
	TerminalActive   TerminalStatus = "active"
	TerminalExit     TerminalStatus = "exited"
	TerminalDisposed TerminalStatus = "disposed"
)

// Origin is what a resume must repeat: launch flags and places.
type Origin struct {
	Kind  string   // kind's name: claude, codex …
	Home  string   // the agent's home (CLAUDE_CONFIG_DIR, CODEX_HOME); part of a session's identity
	Dir   string   // the session's start directory
	Flags []string // argv of the first launch beyond the program, to be replayed
	Env   []string // environment delta, to be replayed
}

// Binding says which session lives, or lived, in which terminal.
type Binding struct {
	Terminal panes.TerminalID
	Origin
	Session  SessionID // "" until known
	Prompted bool      // sticky: a message was sent in this conversation
	// Pinned: a person said the session, and no hook has told another since. BeforePin
	// is what was known of it then.
	Pinned    bool
	BeforePin SessionID
	// FirstFailed: a first launch that ended non-zero before any turn. It is no
	// candidate: a wrong flag must not be repeated behind the person's back.
	FirstFailed bool
	// Predecessor is the terminal whose binding was resumed into this one.
	Predecessor panes.TerminalID
	Started     time.Time
	LastEvent   string
	LastEventAt time.Time
	Ended       time.Time
	Reason      EndReason
	Unsure      bool // only with Detached
	Owner       InstanceID
	Token       string
	ClaimedAt   time.Time
	Successor   panes.TerminalID
	// Attempts counts early deaths in a row (probation); FirstDeath is when the
	// present row of early deaths began.
	Attempts    int
	FirstDeath  time.Time
	NextAttempt time.Time
	Dismissed   time.Time
}

// identity is the session that it has.
func (b *Binding) identity() Identity { return Identity{b.Kind, b.Home, b.Session} }

// Candidate is a binding that holds the predicate, with its terminal's record.
type Candidate struct {
	Binding
	Record Terminal
}
