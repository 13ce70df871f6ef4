package cli

import (
	"reprise/agent"
	"reprise/ui/alert"
)

// guestbook is who is attached to a workspace, and what its clients are told of.
type guestbook struct {
	roster
	happened alert.Log
}

// Happened is what happens in the workspace. It is a ui.Workspace's.
func (h *house) Happened() *alert.Log { return &h.roster.happened }

// agentAlerts says what kind of alert an agent's event is.
var agentAlerts = map[agent.EventKind]alert.Kind{
	agent.EventDone: alert.Done, agent.EventAsks: alert.Waiting, agent.EventExited: alert.Exit, agent.EventFailed: alert.Failure,
}

// happens takes in what became of an agent.
func (h *house) happens(e agent.Event) {
	h.Happened().Add(alert.Alert{Pane: e.Pane, At: e.At, Kind: agentAlerts[e.What], Name: e.Label, Words: e.Words, Guess: e.Guess})
}
