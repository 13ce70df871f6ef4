package ui_test

import (
	"testing"

	"reprise/agent"
	"reprise/panes"
)

// restoredPane adds a pane whose program called itself "Fix it" before the server was
// started.
func (c *client) restoredPane(v agent.PaneView) panes.PaneID {
	c.t.Helper()
	id, err := c.host.Split(c.m.Focus(), panes.Right, panes.Size{Cols: 120, Rows: 33})
	if err != nil {
		c.t.Fatal(err)
	}
	c.host.SetMeta(id, panes.PaneMeta{Title: "✳ Fix it"})
	v.Pane = id
	c.agents.set(v)
	c.settle()
	return id
}

// A pane that was saved is called as its program was, until one runs that says
// something else.
func TestSavedTitles(t *testing.T) {
	for title, v := range map[string]agent.PaneView{
		"claude  Fix it ": {Kind: "claude", Label: "claude", State: agent.PaneAsk, Candidate: "t-1"},
		"make  Fix it ":   {Label: "make", State: agent.PaneNotStarted},
		"zsh ─":           {Label: "zsh", State: agent.PaneEnded}, // what has ended here does nothing any more
	} {
		run(t, 1, func(c *client) {
			c.restoredPane(v)
			c.sees(title)
		})
	}
	run(t, 1, func(c *client) {
		id := c.restoredPane(agent.PaneView{Kind: "claude", Label: "claude", State: agent.PaneDue, Candidate: "t-1"})
		next := c.resume(id)
		c.sees("claude  Fix it ")
		next.out <- []byte("title Go on\nhere I am\n")
		c.sees("claude  Go on ", "here I am")
		c.misses("Fix it")
	})
}
