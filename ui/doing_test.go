package ui_test

import (
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/alert"
)

// acts has an agent in a pane do something since now.
func (c *client) acts(id panes.PaneID, doing agent.Doing, by agent.Source) {
	c.t.Helper()
	v := c.agents.View(id)
	v.Pane, v.Kind, v.Label, v.Candidate = id, "claude", "claude", panes.TerminalID("t-"+id)
	v.Status = agent.Status{Doing: doing, By: by, Since: time.Now()}
	c.agents.set(v)
	c.settle()
}

func TestTitlesSayWhatAgentsDo(t *testing.T) {
	for _, tt := range []struct {
		doing     agent.Doing
		by        agent.Source
		title     string
		tab, need string // "": no mark; nobody is needed
	}{
		{agent.Working, agent.ByHook, "► working", "", ""},
		{agent.AsksPermission, agent.ByHook, "! permission", "!", "! 1 waits"},
		{agent.AsksAnswer, agent.ByProtocol, "? answer", "?", "! 1 waits"},
		{agent.TurnDone, agent.ByHook, "∙ idle", "", ""}, // in sight
		{agent.Idle, agent.ByTitle, "∙ idle", "", ""},
		{agent.TurnFailed, agent.ByHook, "✗ failed", "✗", "✗ 1 failed"},
		{agent.Working, agent.ByScreen, "► working?", "", ""},
		{agent.AsksPermission, agent.ByScreen, "! permission?", "!", ""},
		{agent.AsksAnswer, agent.ByScreen, "? answer?", "?", ""},
		{agent.Idle, agent.ByScreen, "∙ idle?", "", ""},
	} {
		run(t, 2, func(c *client) {
			c.acts(c.host.Layout().Panes()[1], tt.doing, tt.by)
			c.sees(tt.title + " ")
			mark := " 1 zsh "
			if tt.tab != "" {
				mark += tt.tab + " "
			}
			c.barHas(mark)
			for _, need := range []string{"! 1 waits", "✗ 1 failed"} {
				if got := strings.Contains(c.bar(), need); got != (need == tt.need) {
					t.Errorf("%s by %v: %q in the bar: %v", tt.doing, tt.by, need, got)
				}
			}
			if got := strings.Contains(c.bar(), "► 1 working"); got != (tt.doing == agent.Working && tt.by != agent.ByScreen) {
				t.Errorf("%s by %v: the bar has %q", tt.doing, tt.by, c.bar())
			}
		})
	}
}

// Done is what nobody has seen.
func TestDoneIsIdleOnceItIsSeen(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		c.acts(hidden, agent.TurnDone, agent.ByHook)
		c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Done})
		c.sees("2 claude ✓")
		c.press("ctrl+b", "2")
		c.sees("∙ idle")
		c.misses("✓")
	})
}

// Who wants to hear nothing of it sees it in the pane's title, not in its tab.
func TestMarksThatAreOff(t *testing.T) {
	alerted(t, func(cfg *ui.Config) { cfg.Alerts.Off = alert.Waiting.Set() | alert.Done.Set() }, func(c *client, hidden panes.PaneID) {
		c.acts(hidden, agent.AsksPermission, agent.ByHook)
		c.misses("2 claude !")
		c.press("ctrl+b", "2")
		c.sees("! permission")
	})
}

func TestGoToTheAgentThatWaitsLongest(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		first, second := c.host.Layout().Panes()[0], c.host.Layout().Panes()[1]
		at := func(want panes.PaneID) {
			t.Helper()
			if got := c.m.Focus(); got != want {
				t.Errorf("the focus is at %s, want %s", got, want)
			}
		}
		c.press("ctrl+b", "g")
		c.barHas("No agent waits for you.")
		c.acts(second, agent.AsksAnswer, agent.ByScreen)
		c.wait(time.Minute)
		c.acts(hidden, agent.AsksPermission, agent.ByHook)
		c.wait(time.Minute)
		c.acts(first, agent.AsksAnswer, agent.ByHook)
		c.barHas("! 2 wait")
		at(first)
		c.press("ctrl+b", "g")
		at(hidden)
		c.press("ctrl+b", "g")
		at(first) // the one that waits longest is where we are
		c.acts(first, agent.Working, agent.ByHook)
		c.acts(hidden, agent.Idle, agent.ByHook)
		c.press("ctrl+b", "g")
		at(second) // a guess is better than nothing
		c.press("ctrl+b", "g")
		c.barHas("No other agent waits for you.")
		at(second)
	})
}

// An agent of another session counts in the sidebar, and is gone to if none waits here.
func TestAgentsThatWaitInOtherSessions(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.press("ctrl+b", "tab")
		c.sees("━ Sessions ━")
		here, there := c.host.Layout().Panes()[0], s.other.Layout().Panes()[0]
		v := s.agents.View(there)
		v.Pane, v.Kind, v.Label = there, "codex", "codex"
		v.Status = agent.Status{Doing: agent.AsksPermission, By: agent.ByHook, Since: time.Now().Add(-6 * time.Minute)}
		s.agents.set(v)
		c.ring(s)
		c.sees("━ 1 waits, 6m ━")
		c.acts(here, agent.AsksAnswer, agent.ByHook)
		c.sees("━ 2 wait, longest 6m ━", "? answer", "! permission")
		c.wait(time.Minute)
		c.sees("━ 2 wait, longest 7m ━")
	})
}

func TestReaderTellsWhatAgentsDo(t *testing.T) {
	runWith(t, 2, hearing, func(c *client) {
		id := c.host.Layout().Panes()[1]
		for _, step := range []struct {
			doing agent.Doing
			by    agent.Source
			want  string
		}{
			{agent.Working, agent.ByHook, "claude: works."},
			{agent.AsksPermission, agent.ByHook, "claude: waits for permission."},
			{agent.AsksAnswer, agent.ByHook, "claude: waits for an answer."},
			{agent.AsksAnswer, agent.ByScreen, "claude: may wait for an answer."},
			{agent.TurnDone, agent.ByHook, "claude: idle."},
			{agent.TurnFailed, agent.ByHook, "claude: failed."},
		} {
			c.acts(id, step.doing, step.by)
			c.hears(step.want)
		}
	})
}
