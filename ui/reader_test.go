package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"reprise/agent"

	"reprise/panes"
	"reprise/ui"
)

func hearing(cfg *ui.Config) { cfg.Reader = true }

// foot is the line at the foot, its rows joined.
func (c *client) foot() string {
	rows := strings.Split(strings.TrimRight(c.screen(), "\n"), "\n")
	var line string
	for i := len(rows) - 1; i >= 0 && strings.TrimSpace(rows[i]) != ""; i-- {
		line = strings.TrimSpace(rows[i]) + " " + line
	}
	return strings.TrimSpace(line)
}

func (c *client) hears(want string) {
	c.t.Helper()
	if got := c.foot(); got != want {
		c.t.Errorf("the foot says %q, want %q", got, want)
	}
}

func TestReaderTellsWhatChanges(t *testing.T) {
	runWith(t, 2, hearing, func(c *client) {
		c.hears("Session reprise. Pane 1 of 2, zsh.")
		c.misses("━", "─", "=", "14:", ":")
		c.press("ctrl+b", "o")
		c.hears("Pane 2 of 2, zsh.")
		c.press("ctrl+b", "z")
		c.hears("Pane 2 of 2, zsh, zoomed.")
		c.press("ctrl+b", "z", "ctrl+b", "o")
		c.hears("Pane 1 of 2, zsh.")
		c.die(agent.PaneView{State: agent.PaneResuming})
		c.hears("Resuming claude...")
		c.agents.set(agent.PaneView{Pane: c.m.Focus(), Candidate: "t-1", Label: "claude", Kind: "claude", State: agent.PaneFailed, Reason: "Could not resume claude: its folder is gone."})
		c.settle()
		c.hears("Could not resume claude: its folder is gone. r retry, d dismiss, s shell here.")
		// Said once: time does not repeat it, and moving away and back does.
		before := c.out.writes
		c.wait(5 * time.Minute)
		if n := c.out.writes - before; n != 0 {
			t.Errorf("%d writes in five minutes of quiet", n)
		}
		c.press("ctrl+b", "o")
		c.hears("Pane 2 of 2, zsh.")
		c.press("ctrl+b", "o")
		c.hears("Pane 1 of 2, claude. Could not resume claude: its folder is gone. r retry, d dismiss, s shell here.")
		c.press("ctrl+b", "o", "ctrl+b", "c")
		c.settle()
		c.misses(", .")
		c.hears("Tab 2 of 2, zsh. Pane 1 of 1, zsh.")
	})
}

// The screen is said anew for eyes when the setting goes, and for ears when it comes.
func TestReaderIsASetting(t *testing.T) {
	var next ui.Reloaded
	runWith(t, 2, func(cfg *ui.Config) {
		cfg.Reload = func(context.Context, bool) ui.Reloaded { return next }
	}, func(c *client) {
		c.sees("━")
		next = ui.Reloaded{Changed: true, Settings: ui.Settings{Reader: true}}
		c.press("ctrl+b", "esc")
		c.hears("Session reprise. Pane 1 of 2, zsh.")
		next = ui.Reloaded{Changed: true}
		c.press("ctrl+b", "esc")
		c.sees("━")
	})
}

func TestReaderTellsOfModesAndMessages(t *testing.T) {
	runOn(t, 1, nil, hearing, func(c *client) {
		c.press("ctrl+b", "[")
		if got := c.foot(); !strings.HasPrefix(got, "copy. ") || !strings.HasSuffix(got, "q leave.") {
			t.Errorf("in copy mode the foot says %q", got)
		}
		c.press("/")
		c.press("x")
		if got := c.foot(); !strings.HasSuffix(got, "/x") {
			t.Errorf("what is typed is %q", got)
		}
		c.press("esc", "q")
		c.hears("copy ended.")
		c.press("ctrl+b", "?")
		for _, r := range "reload-config" {
			c.press(string(r))
		}
		c.press("enter")
		c.hears("This client has no config.toml to read.")
		c.wait(time.Minute)
		c.hears("This client has no config.toml to read.")
	})
}

// A pane whose program is about to start is told of when it has a name.
func TestReaderWaitsForAName(t *testing.T) {
	runWith(t, 1, hearing, func(c *client) {
		id, err := c.host.Split(c.m.Focus(), panes.Right, panes.Size{Cols: 120, Rows: 33})
		if err != nil {
			t.Fatal(err)
		}
		c.agents.set(agent.PaneView{Pane: id})
		c.settle()
		c.hears("Pane 1 of 2, zsh.")
		c.press("ctrl+b", "o")
		c.hears("Pane 1 of 2, zsh.")
		c.agents.set(agent.PaneView{Pane: id, Label: "zsh"})
		c.settle()
		c.hears("Pane 2 of 2, zsh.")
	})
}
