package agent

import (
	"context"

	"reprise/panes"
)

// HistoryRequest asks what stands in a new terminal before its program prints
// anything (Config.History).
type HistoryRequest struct {
	Pane panes.PaneID
	// Old is the terminal that the pane showed before, perhaps in an earlier life
	// of the server; "": none.
	Old panes.TerminalID
	// Kind is the agent that will run; "" for a shell or another command. An agent
	// draws its own screen: the history has to be above it.
	Kind string
}

// history asks for the history of a terminal that is about to be started. No lock
// is held.
func (c *Coordinator) history(r HistoryRequest) []byte {
	if c.cfg.History == nil {
		return nil
	}
	defer c.recovered("history") // what is only shown must not keep a session down
	return c.cfg.History(r)
}

// before is the terminal that a pane showed last; "" if none, or if that cannot be
// told: then there is nothing to show above the new one.
func (c *Coordinator) before(ctx context.Context, p panes.PaneID) panes.TerminalID {
	if c.cfg.History == nil {
		return ""
	}
	rec, err := c.cfg.Store.Pane(ctx, p)
	if err != nil {
		c.cfg.Log.Warn("look for what a pane showed", "pane", p, "err", err)
	}
	if rec.Terminal == nil {
		return ""
	}
	return rec.Terminal.ID
}
