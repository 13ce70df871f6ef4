package agent

import (
	"time"

	"reprise/panes"
)

// PaneState is what a pane's strip shows (resume.md §5).
type PaneState int

// States of a pane, as the coordinator publishes them.
const (
	PaneNormal      PaneState = iota // a living program, or nothing to say
	PaneDue                          // a candidate that resumes by itself when shown: the model fires Resume, once
	PaneQueued                       // its resume waits for others
	PaneResuming                     // its resume runs
	PaneWaiting                      // died early; the next try is at RetryAt
	PaneFresh                        // had no saved conversation; started fresh (5 s)
	PaneAsk                          // a candidate that asks first (mode ask or off, or too old)
	PaneElsewhere                    // the session is open in another pane
	PaneDismissed                    // no strip; the title says saved
	PaneUnsettled                    // ended of its own, not yet sure
	PaneFailed                       // the resume failed: Reason says why and what to do
	PanePaused                       // died too often
	PaneFirstFailed                  // a first launch that failed
	PaneUnsupported                  // the kind cannot be resumed: Reason says why
	PaneEnded                        // a shell or another command that ended (or an agent, with after_exit = hold)
	PaneNotStarted                   // a command of a saved layout that is not running
)

// PaneView is one pane as the coordinator sees it: a value, made anew on every
// transition.
type PaneView struct {
	Pane  panes.PaneID
	State PaneState
	// Candidate is the terminal whose binding the state speaks of. Failure and
	// dismissal belong to it: another candidate starts clean.
	Candidate panes.TerminalID
	Kind      string // agent kind's name; "" for a shell or command
	Label     string // as the screen says it: claude, zsh …
	Session   SessionID
	Pinned    bool // a person said the session
	Dir       string
	Ahead     int       // PaneQueued: how many wait or run before it
	RetryAt   time.Time // PaneWaiting
	Since     time.Time // PaneAsk: the session's last sign of life; PaneEnded: when
	Deaths    int       // PanePaused
	Exit      panes.Exit
	LastLine  string // the dead program's last line of output
	Notice    string // a living agent's: one sentence to be read once; "" mostly
	Failure   FailureKind
	Reason    string       // a whole sentence or two: what happened, what to do
	Other     panes.PaneID // PaneElsewhere: the pane that has it, if it is of this workspace
	Where     string       // PaneElsewhere: that pane's workspace
	Left      Left         // what has died alone in the pane's shell
	Prompts   int          // that wait for it to be idle
	Barred    string       // with Prompts: why nothing may be typed to it now; "": nothing is against it
	Status    Status       // what an agent does; zero: no agent, or it has not told
}

// Left is the session of an agent that a person typed in a pane's shell, and that has
// died alone there. It comes back when a person says so, beside the shell.
type Left struct {
	Identity
	Label string
	Dir   string
}

// FailureKind says why a resume was refused or failed.
type FailureKind string

// Kinds of failure. The candidate stays in all of them.
const (
	FailNone        FailureKind = ""
	FailDirectory   FailureKind = "directory-missing"
	FailBinary      FailureKind = "binary-missing"
	FailHome        FailureKind = "home-missing"
	FailHeld        FailureKind = "held-by-process"
	FailUnsupported FailureKind = "unsupported"
	FailLaunch      FailureKind = "launch"
	FailStore       FailureKind = "store"
)

// ResumeRequest asks for one resume.
type ResumeRequest struct {
	Terminal panes.TerminalID `json:"terminal"`
	Pane     panes.PaneID     `json:"pane"`
	// ByPerson: retry, resume or run: caps, ages and times do not apply.
	ByPerson bool `json:"by_person,omitempty"`
	// Override resumes although a foreign process holds the session.
	Override bool `json:"override,omitempty"`
}

// ResumeResult is the outcome, shared by all who asked at the same time.
type ResumeResult struct {
	// Resumed: a successor was launched.
	Resumed   bool
	Successor panes.TerminalID
	// Fresh: the session had no conversation and was started anew.
	Fresh   bool
	Failure FailureKind
	Err     error // with Failure: what happened and what to do
}
