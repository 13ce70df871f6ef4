package ui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/ui"
	"reprise/ui/pump"
)

// sideRows are the rows of the sidebar, from its heading on; ▌ is before the one that
// is selected.
func (c *client) sideRows() (rows []string) {
	c.t.Helper()
	for _, line := range strings.Split(c.screen(), "\n") {
		if cells := []rune(line); len(cells) > 31 {
			if row := strings.TrimRight(string(cells[:31]), " "); row != "" {
				rows = append(rows, row)
			}
		}
	}
	return rows[:len(rows)-1] // the status bar
}

func (c *client) lists(want ...string) {
	c.t.Helper()
	if got := c.sideRows(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		c.t.Errorf("the sidebar has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (c *client) ring(s *server) {
	wakeAll(s.wakes)
	c.settle()
}

// The sidebar lists all sessions, takes its columns from the panes, and gives them
// back.
func TestSidebar(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		wide := c.programs[1].size
		c.press("ctrl+b", "tab")
		c.lists(
			"━ Sessions ━━━━━━━━━━━━━━━━━━━╸",
			" reprise",
			"  1 zsh       ~/w",
			"▌   zsh",
			"    zsh",
			" website",
			"  1 vim       ~/site",
			"    vim",
		)
		c.sees(" sidebar ", "enter go   up down move   q close   esc back")
		if now := c.programs[1].size; now.Cols >= wide.Cols || now.Rows != wide.Rows {
			t.Errorf("the pane has %v beside the sidebar, %v without", now, wide)
		}
		c.press("x") // is for no program
		if got := c.programs[0].typed() + c.programs[1].typed(); got != "" {
			t.Errorf("a program got %q", got)
		}
		c.press("down", "enter")
		if id := c.host.Layout().Panes()[1]; c.m.Focus() != id {
			t.Errorf("focus at %s, want %s", c.m.Focus(), id)
		}
		c.sees("─ Sessions ─") // the keyboard is at the pane again
		c.press("x")
		if got := c.programs[1].typed(); got != "x" {
			t.Errorf("the program got %q", got)
		}
		c.press("ctrl+b", "tab", "ctrl+b", "tab")
		c.misses("Sessions")
		if now := c.programs[1].size; now != wide {
			t.Errorf("the pane has %v again, want %v", now, wide)
		}
		c.press("ctrl+b", "tab", "esc", "ctrl+b", "tab", "q")
		c.misses("Sessions")
	})
}

// It goes to panes of other sessions, and along; the list stays as it is.
func TestSidebarGoesToOtherSessions(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.press("ctrl+b", "tab", "end", "enter")
		c.sees("website › 1 vim")
		c.lists("─ Sessions ───────────────────╴", " reprise", "  1 zsh       ~/w", "    zsh", " website", "  1 vim       ~/site", "▌   vim")
		if s.left != 1 {
			t.Errorf("%d sessions were left, want 1", s.left)
		}
		c.press("ctrl+b", "tab", "home", "enter")
		c.sees("reprise › 1 zsh")
		if s.left != 2 {
			t.Errorf("%d sessions were left, want 2", s.left)
		}
		c.press("a")
		if got := c.programs[0].typed(); got != "a" {
			t.Errorf("the program got %q", got)
		}
	})
}

// States are those that coordinators tell, of other sessions too.
func TestSidebarTellsStates(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.press("ctrl+b", "tab")
		own, other := c.host.Layout().Panes()[0], s.other.Layout().Panes()[0]
		c.agents.set(agent.PaneView{Pane: own, Kind: "claude", Label: "claude", State: agent.PaneResuming, Candidate: "t"})
		s.agents.set(agent.PaneView{Pane: other, Kind: "codex", Label: "codex", State: agent.PanePaused, Candidate: "t", Dir: "/srv"})
		c.ring(s)
		c.lists(
			"━ 1 paused, 1 resuming ━━━━━━━╸",
			" reprise", "  1 claude    /", "▌   claude    ▻ resuming",
			" website", "  1 codex     /srv", "    codex     ▮ paused",
		)
	})
}

// A narrow terminal has no sidebar: it says so, and one that was made narrow gives
// the keyboard back.
func TestSidebarNeedsRoom(t *testing.T) {
	runServer(t, 1, func(c *client, _ *server) {
		c.press("ctrl+b", "tab")
		c.update(tea.WindowSizeMsg{Width: 99, Height: 30})
		c.misses("Sessions", " sidebar ")
		c.press("a")
		if got := c.programs[0].typed(); got != "a" {
			t.Errorf("the program got %q", got)
		}
		c.update(tea.WindowSizeMsg{Width: 100, Height: 30})
		c.sees("─ Sessions ─")
		c.update(tea.WindowSizeMsg{Width: 80, Height: 24})
		c.press("ctrl+b", "tab")
		c.sees("The sidebar needs 100 columns: the palette (ctrl+b :) finds panes.")
	})
}

// A click goes where its row leads; the mouse's places in panes are those beside the
// sidebar.
func TestSidebarAndTheMouse(t *testing.T) {
	runServer(t, 2, func(c *client, _ *server) {
		c.press("ctrl+b", "tab", "esc")
		c.settle()
		c.event(pump.Event{Ev: uv.MouseClickEvent{X: 6, Y: 4, Button: uv.MouseLeft}})
		if id := c.host.Layout().Panes()[1]; c.m.Focus() != id {
			t.Errorf("focus at %s, want %s", c.m.Focus(), id)
		}
		c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: 6, Y: 4}})
		c.event(pump.Event{Ev: uv.MouseClickEvent{X: 40, Y: 10, Button: uv.MouseLeft}})
		c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: 40, Y: 10}})
		if id := c.host.Layout().Panes()[0]; c.m.Focus() != id {
			t.Errorf("focus at %s, want %s", c.m.Focus(), id)
		}
		was := c.programs[0].size
		border := strings.Index(string([]rune(strings.Split(c.screen(), "\n")[5])[32:]), "┃")
		if border < 0 {
			t.Fatal("no border:\n" + c.m.Screen())
		}
		x := 32 + was.Cols
		c.event(pump.Event{Ev: uv.MouseClickEvent{X: x, Y: 5, Button: uv.MouseLeft}})
		c.event(pump.Event{Ev: uv.MouseMotionEvent{X: x + 4, Y: 5, Button: uv.MouseLeft}})
		c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: x + 4, Y: 5}})
		c.settle()
		if now := c.programs[0].size; now.Cols != was.Cols+4 {
			t.Errorf("the pane is %d wide, want %d", now.Cols, was.Cols+4)
		}
	})
}

// While nothing changes the sidebar costs nothing.
func TestSidebarAllocatesNothing(t *testing.T) {
	runServer(t, 2, func(c *client, _ *server) {
		c.press("ctrl+b", "tab", "esc")
		c.settle()
		c.m.Redraw()
		if n := testing.AllocsPerRun(100, c.m.Redraw); n > 0 {
			t.Errorf("a frame allocates %v times", n)
		}
	})
}

// What changed while it was closed is there when it is open again.
func TestSidebarIsNewWhenItIsOpenedAgain(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.press("ctrl+b", "tab")
		c.lists("━ Sessions ━━━━━━━━━━━━━━━━━━━╸", " reprise", "  1 zsh       ~/w", "▌   zsh", " website", "  1 vim       ~/site", "    vim")
		c.press("q")
		c.settle()
		s.agents.set(agent.PaneView{Pane: s.other.Layout().Panes()[0], Kind: "codex", Label: "codex", State: agent.PanePaused, Candidate: "t", Dir: "/srv"})
		c.ring(s)
		c.press("ctrl+b", "tab")
		c.lists("━ 1 paused ━━━━━━━━━━━━━━━━━━━╸", " reprise", "  1 zsh       ~/w", "▌   zsh", " website", "  1 codex     /srv", "    codex     ▮ paused")
	})
}

// While it is not shown the others wake nobody's screen; one that comes back because the
// terminal is wide again knows what they told.
func TestSidebarThatHadNoRoomIsNew(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.press("ctrl+b", "tab", "esc")
		c.settle()
		c.update(tea.WindowSizeMsg{Width: 99, Height: 30})
		c.settle()
		s.agents.set(agent.PaneView{Pane: s.other.Layout().Panes()[0], Kind: "codex", Label: "codex", State: agent.PanePaused, Candidate: "t", Dir: "/srv"})
		c.ring(s)
		c.update(tea.WindowSizeMsg{Width: 120, Height: 30})
		c.sees("─ 1 paused ─", "codex     ▮ paused")
	})
}

// A click takes the keyboard out of the sidebar, wherever it is.
func TestAClickLeavesTheSidebar(t *testing.T) {
	click := func(c *client, x, y int) {
		c.event(pump.Event{Ev: uv.MouseClickEvent{X: x, Y: y, Button: uv.MouseLeft}})
		c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: x, Y: y, Button: uv.MouseLeft}})
		c.misses(" sidebar ")
	}
	runServer(t, 2, func(c *client, _ *server) {
		c.press("ctrl+b", "tab")
		c.sees(" sidebar ")
		click(c, 100, 10)
		c.press("a")
		c.were("a click into a pane", "", "a")
		c.press("ctrl+b", "tab")
		c.settle()
		click(c, 6, 3)
		c.press("b")
		c.were("a click at a row", "b", "")
	})
	runOn(t, 1, nil, func(cfg *ui.Config) { cfg.NoMouse = true }, func(c *client) {
		c.press("ctrl+b", "tab")
		c.sees(" sidebar ")
		c.event(pump.Event{Ev: uv.MouseClickEvent{X: 100, Y: 10, Button: uv.MouseLeft}})
		c.sees(" sidebar ")
	})
}
