package agent

import (
	"context"

	"reprise/panes"
)

// Host is what the coordinator asks of the process's terminals. *panes.Host
// implements it.
type Host interface {
	// Start starts a program in a new pty behind a closed gate: a shim of our own
	// binary waits there until OpenGate. The terminal is known to the host but
	// no pane shows it yet. The size is that of the pane, if it has one.
	Start(ctx context.Context, spec panes.Spec) (*panes.Terminal, error)
	// Point lets the pane show the terminal. false: there is no such pane.
	Point(p panes.PaneID, t panes.TerminalID) bool
	// Terminal is a terminal of this process, nil if unknown or retired.
	Terminal(t panes.TerminalID) *panes.Terminal
	// Terminals lists the terminals of this process, dead ones until retired.
	Terminals() []*panes.Terminal
	// Retire forgets a dead terminal (its screen goes with it).
	Retire(t panes.TerminalID)
}
