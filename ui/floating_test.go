package ui_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

func TestScratchPane(t *testing.T) {
	run(t, 2, func(c *client) {
		first := c.m.Focus()
		for _, p := range c.programs {
			p.out <- []byte("below\n")
		}
		c.settle()
		c.press("ctrl+b", "`")
		c.settle()
		c.did("launch /")
		over := c.m.Focus()
		if over == first || len(c.programs) != 3 {
			t.Fatalf("no scratch pane:\n%s", c.screen())
		}
		if got, want := c.programs[2].spec.Size, (panes.Size{Cols: 120, Rows: 18}); got != want {
			t.Errorf("its shell was started in %v, want %v", got, want)
		}
		if got, want := c.programs[0].size, (panes.Size{Cols: 60, Rows: 32}); got != want {
			t.Errorf("a pane under it is %v, want %v", got, want)
		}
		c.programs[2].out <- []byte("scratched\n")
		c.sees("scratched", "below")
		c.press("l", "s")
		c.were("while it is shown", "", "", "ls")
		c.press("ctrl+b", "`", "x")
		c.at("hidden", first)
		c.misses("scratched")
		c.were("hidden", "x", "", "")
		if c.agents.acts != nil || c.saved == 0 {
			t.Errorf("acts %v, saved %d times", c.agents.acts, c.saved)
		}
		c.programs[2].out <- []byte("went on\n")
		c.press("ctrl+b", "`")
		c.at("shown again", over)
		c.sees("scratched", "went on")
		// Whoever goes elsewhere hides it.
		c.press("ctrl+b", "o")
		c.at("the next pane", first)
		c.misses("scratched")
		c.press("ctrl+b", "`", "ctrl+b", "up")
		c.at("up", first)
		c.press("ctrl+b", "`")
		click := func(y int) {
			c.event(pump.Event{Ev: uv.MouseClickEvent{X: 100, Y: y, Button: uv.MouseLeft}})
			c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: 100, Y: y, Button: uv.MouseLeft}})
			c.settle()
		}
		click(30)
		c.at("a click into it", over)
		click(5)
		c.at("a click beside it", c.host.Layout().Panes()[1])
		c.misses("scratched")
		// Each tab has its own.
		c.more(1)
		c.press("ctrl+b", "2", "ctrl+b", "`")
		c.settle()
		c.misses("scratched")
		if got := c.tabs(); got != "3 2" {
			t.Errorf("the tabs have %q panes", got)
		}
	})
}

func TestTheScratchPaneFollowsTheTerminal(t *testing.T) {
	run(t, 2, func(c *client) {
		c.press("ctrl+b", "`")
		c.settle()
		c.update(tea.WindowSizeMsg{Width: 60, Height: 15})
		c.settle()
		if got, want := c.programs[2].size, (panes.Size{Cols: 60, Rows: 7}); got != want {
			t.Errorf("it is %v, want %v", got, want)
		}
		c.update(tea.WindowSizeMsg{Width: 30, Height: 8})
		c.settle()
		if got, want := c.programs[2].size, (panes.Size{Cols: 30, Rows: 3}); got != want {
			t.Errorf("it is %v, want %v", got, want)
		}
		c.sees("zoom +1")
	})
}

func TestScratchPanesLeave(t *testing.T) {
	run(t, 2, func(c *client) {
		c.press("ctrl+b", "`")
		c.settle()
		over := c.m.Focus()
		c.press("ctrl+b", "%")
		c.sees("Could not split: the scratch pane cannot be split")
		// It goes into the tab, or into one of its own, with what runs in it.
		c.press("ctrl+b", "w", "m")
		c.settle()
		c.at("in the tab", over)
		if tab := c.host.Layout().Tabs[0]; tab.Floating != "" || len(tab.Panes()) != 3 {
			t.Errorf("the tab is %+v", tab)
		}
		c.press("ctrl+b", "`")
		c.settle()
		c.press("ctrl+b", "!")
		c.settle()
		if got := c.tabs(); got != "3 1" {
			t.Errorf("the tabs have %q panes", got)
		}
		// The shell ends.
		c.press("ctrl+b", "1", "ctrl+b", "`")
		c.settle()
		c.host.Close(c.m.Focus())
		c.settle()
		c.at("it was closed", over)
		c.press("ctrl+b", "`")
		c.settle()
		c.agents.set(agent.PaneView{Pane: c.m.Focus(), Kind: "claude", Label: "claude"})
		c.press("ctrl+b", "`", "ctrl+b", "&")
		c.sees("claude runs in this tab")
		c.press("n")
	})
}

// Each client shows it or not.
func TestScratchPanesOfTwoClients(t *testing.T) {
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "`")
		c.settle()
		c.programs[1].out <- []byte("scratched\n")
		d := c.beside("other", func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 60, Rows: 20} })
		defer d.m.Close()
		c.sees("scratched")
		d.misses("scratched")
		d.press("ctrl+b", "`")
		d.sees("scratched")
		e := c.beside("onlooker", onlooker)
		defer e.m.Close()
		e.press("ctrl+b", "`")
		e.sees("This client only looks on")
	})
}

// What opens beside the focused pane opens beside the one under the scratch pane, or in
// a tab.
func TestScratchPanesOpenThingsBelow(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, tt := range []struct {
		name, tabs string
		do         func(c *client)
	}{
		{"an agent", "4", func(c *client) {
			c.press("ctrl+b", ":")
			c.fill("codex in")
			c.press("tab")
		}},
		{"a pane of another tab", "4", func(c *client) {
			c.press("ctrl+b", "c")
			c.settle()
			c.agents.set(agent.PaneView{Pane: c.m.Focus(), Label: "htop"})
			c.press("ctrl+b", "1")
			c.press("ctrl+b", ":")
			c.fill("htop")
			c.press("tab")
		}},
		{"the pane under it", "3", func(c *client) {
			c.agents.set(agent.PaneView{Pane: c.host.Layout().Panes()[0], Label: "htop"})
			c.press("ctrl+b", ":")
			c.fill("htop")
			c.press("tab")
		}},
		{"the editor", "3 1", func(c *client) { c.press("ctrl+b", "e") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runServer(t, 2, func(c *client, _ *server) {
				c.press("ctrl+b", "`")
				c.settle()
				tt.do(c)
				c.settle()
				c.misses("Could not", "cannot be split", "no such pane")
				if got := c.tabs(); got != tt.tabs {
					t.Errorf("the tabs have %q panes, want %q", got, tt.tabs)
				}
				if over := c.host.Layout().Tabs[0].Floating; c.m.Focus() == over {
					t.Error("the focus is at the scratch pane still")
				}
			})
		})
	}
}
