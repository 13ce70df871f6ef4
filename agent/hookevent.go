package agent

import "time"

// HookEvent is one row of hook_events: what the hook command saw.
type HookEvent struct {
	ID      int64
	Nonce   string
	Kind    string // the kind whose hook ran, by the hook's argv
	What    HookWhat
	Session SessionID
	Reason  string
	Certain bool
	// FiredAt is when the hook command started.
	FiredAt time.Time
	// Depth counts processes of known agent kinds between the hook and the
	// terminal's recorded process; DepthBroken if the chain does not lead there.
	Depth int
}

// DepthBroken says that the hook's parents do not lead to the terminal's process.
const DepthBroken = -1

// Verdict is what one hook event does to a binding; the zero Verdict does
// nothing. The store writes it with the guards of the table of moves in the
// statement.
type Verdict struct {
	// Ignore: ledger only, with Why.
	Ignore bool
	Why    string
	// Rebind: the binding's session becomes this one (also its first).
	Rebind SessionID
	// Reopen: an ended binding becomes live again.
	Reopen bool
	// Prompted: a message was sent; attempts go back to 0 with it.
	Prompted bool
	// Goodbye: the binding becomes Detached, sure.
	Goodbye bool
	// Unprompt: the new session has no message yet (/clear).
	Unprompt bool
}
