package ui_test

import (
	"bytes"
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

// A pane that has a name by its person is called by it, whatever its program says, in
// its title and in the sidebar, until it is taken back.
func TestPaneNames(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("title go test\n")
		c.sees("zsh  go test ")
		c.press("ctrl+b", "T")
		c.sees("Rename the pane", "❯", "Left empty, it is called as its program says.", "enter rename   esc close")
		saved := c.saved
		c.press("h", "e", "a", "r", "t", "enter")
		c.sees("zsh  heart ")
		c.misses("go test")
		if c.saved == saved {
			t.Error("the name was not saved")
		}
		if !bytes.Contains(c.out.all, []byte("\x1b]2;heart - reprise\x1b\\")) {
			t.Errorf("the terminal was not told the title: %q", c.out.last)
		}
		c.programs[0].out <- []byte("title make\n")
		c.settle()
		c.misses("make")
		c.press("ctrl+b", "tab")
		c.lists("━ Sessions ━━━━━━━━━━━━━━━━━━━╸", " reprise", "  1 zsh       ~/w", "▌   heart", "    zsh")
		c.press("q", "ctrl+b", "T", "x", "esc")
		c.sees("zsh  heart ")
		c.press("ctrl+b", "T", "ctrl+u", "enter")
		c.sees("zsh  make ")
		c.misses("heart")
		// Another client, or the command line.
		if err := c.host.RenamePane(c.host.Layout().Panes()[1], "lung"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		c.sees("zsh  lung ")
	})
}

// So it is in the lists of other sessions' clients.
func TestPaneNamesOfOtherSessions(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		if err := s.other.RenamePane(s.other.Layout().Panes()[0], "liver"); err != nil {
			t.Fatal(err)
		}
		c.press("ctrl+b", "tab")
		c.sees("    liver")
	})
}
