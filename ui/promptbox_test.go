package ui_test

import (
	"strings"
	"testing"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
)

// claude says that an agent runs in a pane, and what it does.
func (c *client) claude(id panes.PaneID, label string, doing agent.Doing, waits int) {
	c.t.Helper()
	c.agents.set(agent.PaneView{Pane: id, Kind: label, Label: label, Dir: "/home/me/w", Status: agent.Status{Doing: doing}, Prompts: waits})
	c.settle()
}

// prompted is what agents were sent since the last call, with the numbers of their panes.
func (c *client) prompted() string {
	c.drain()
	c.agents.mu.Lock()
	defer c.agents.mu.Unlock()
	var all []string
	for i, id := range c.host.Layout().Panes() {
		for _, r := range c.agents.prompted {
			if r.Pane == id && r.Queue && !r.Anyway {
				all = append(all, string(rune('1'+i))+": "+r.Text)
			}
		}
	}
	c.agents.prompted = nil
	return strings.Join(all, "|")
}

// A prompt goes to the agent of the focused pane, with all its lines.
func TestPromptBox(t *testing.T) {
	run(t, 2, func(c *client) {
		c.press("ctrl+b", "P")
		c.sees("No agent runs in this tab")
		ids := c.host.Layout().Panes()
		c.claude(ids[0], "claude", agent.Idle, 0)
		c.press("ctrl+b", "P")
		c.sees("━ Prompt claude ━", "enter send   ctrl+j new line   esc close")
		c.press("f", "i", "x")
		c.pastes(" it\r", "\nand \x1b[31mtest\x07 i", "t")
		c.sees("line 2 of 2", "  fix it", "❯ and [31mtest it")
		c.press("up", "home", "!", "ctrl+j", "backspace", "down", "end", "ctrl+j", "x")
		c.sees("line 3 of 3", "  !fix it", "❯ x")
		c.press("enter")
		c.settle()
		if got := c.prompted(); got != "1: !fix it\nand [31mtest it\nx" {
			t.Errorf("sent %q", got)
		}
		c.sees("Sent to claude.")
		c.were("the programs themselves", "", "")
		c.press("ctrl+b", "P")
		c.pastes(strings.Repeat("é\n", agent.MaxPrompt/2), "more")
		c.sees("A prompt has at most 64 KiB: the rest was dropped.")
		c.press("enter")
		c.settle()
		if got := c.prompted(); len(got) > agent.MaxPrompt+len("1: ") || !strings.HasPrefix(got, "1: é\né\n") {
			t.Errorf("sent %d bytes", len(got))
		}
		// Nothing is sent of nothing; what was not sent stays.
		c.press("ctrl+b", "P", "enter", "a", "esc", "ctrl+b", "P")
		c.sees("❯ a")
		c.agents.failing = errTest
		c.press("enter")
		c.settle()
		c.sees("Not sent: the disk is full. ctrl+b P has the text.")
		c.agents.failing = nil
		c.press("ctrl+b", "P", "b", "enter", "ctrl+b", "P")
		c.sees("Prompt claude")
		c.misses("❯ a")
		if got := c.prompted(); got != "1: a|1: ab" {
			t.Errorf("sent %q", got)
		}
	})
}

// The same prompt goes to all agents of the tab, or to the marked ones; who works gets
// it later, which shows in its title, and can be taken back.
func TestPromptToMany(t *testing.T) {
	run(t, 3, func(c *client) {
		ids := c.host.Layout().Panes()
		c.claude(ids[0], "claude", agent.Idle, 0)
		c.claude(ids[1], "codex", agent.Working, 0)
		c.press("ctrl+b", "q", "3", "ctrl+b", "P")
		c.sees("━ Prompt 2 agents of this tab ━") // a shell has the focus
		c.press("esc", "ctrl+b", "q", "1")
		c.press("ctrl+b", "P")
		c.sees("━ Prompt claude ━", "tab to 2 agents of this tab")
		c.press("tab", "g", "o", "enter")
		c.settle()
		c.sees("Sent to claude. It waits for the next idle of codex.")
		if got := c.prompted(); got != "1: go|2: go" {
			t.Errorf("sent %q", got)
		}
		c.claude(ids[1], "codex", agent.Working, 1)
		c.sees("1 queued")
		c.misses("held")
		v := c.agents.View(ids[1])
		v.Barred = "text that was typed to codex was not sent yet"
		c.agents.set(v)
		c.settle()
		c.sees("1 queued, held")
		c.press("ctrl+b", "q", "2", "ctrl+b", "m", "ctrl+b", "q", "3", "ctrl+b", "m")
		c.press("ctrl+b", "P")
		c.sees("━ Prompt codex ━", "1 prompt waits already. For codex: \"go\". Text that was typed to codex was not sent yet.", "ctrl+x drop what waits")
		c.press("ctrl+x")
		c.sees("1 prompt dropped.")
		c.misses("ctrl+x")
		if got := c.agents.Prompts(ids[1]); len(got) != 0 {
			t.Errorf("%q wait", got)
		}
	})
}

// closed closes a pane, as somebody else would.
func (c *client) closed(id panes.PaneID) {
	c.t.Helper()
	c.host.Close(id)
	c.settle()
}

// Who it was to go to may go while it is written: it goes to none who was not told, and
// what was written stays.
func TestPromptToWhoIsGone(t *testing.T) {
	for _, key := range []string{"tab", "ctrl+x", "x", "enter"} {
		t.Run(key, func(t *testing.T) {
			run(t, 4, func(c *client) {
				ids := c.host.Layout().Panes()
				c.claude(ids[0], "claude", agent.Idle, 0)
				c.claude(ids[1], "codex", agent.Idle, 0)
				c.claude(ids[2], "pi", agent.Idle, 0)
				c.press("ctrl+b", "q", "1", "ctrl+b", "P", "g", "o", "tab")
				c.sees("━ Prompt 3 agents of this tab ━")
				c.closed(ids[1])
				c.press("tab", "tab")
				c.sees("━ Prompt 2 agents of this tab ━")
				c.press("tab")
				c.sees("━ Prompt claude ━")
				c.closed(ids[0])
				c.press(key)
				c.sees("━ Prompt pi ━", "The agent that the prompt was for runs no more", "❯ go")
				if got := c.prompted(); got != "" {
					t.Errorf("sent %q", got)
				}
				c.closed(ids[2])
				c.press(key)
				c.settle()
				c.were("the programs themselves", "", "", "", "")
			})
		})
	}
	run(t, 2, func(c *client) {
		ids := c.host.Layout().Panes()
		c.claude(ids[0], "claude", agent.Idle, 0)
		c.press("ctrl+b", "q", "1", "ctrl+b", "P", "g", "o")
		c.closed(ids[0])
		c.press("enter")
		c.sees("The agent that the prompt is for runs no more. ctrl+b P has the text.")
		c.claude(ids[1], "codex", agent.Idle, 0)
		c.press("ctrl+b", "P")
		c.sees("━ Prompt codex ━", "❯ go")
	})
}

// What was written stays, however the box is left.
func TestDraftStays(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.claude(c.host.Layout().Panes()[0], "claude", agent.Idle, 0)
		c.press("ctrl+b", "P", "o", "n", "e", "ctrl+j", "t", "w", "o")
		c.resized(20, 5)
		c.resized(120, 34)
		c.press("ctrl+b", "P")
		c.sees("  one", "❯ two")

		s.agents.set(agent.PaneView{Pane: s.other.Layout().Panes()[0], Kind: "codex", Label: "codex", Dir: "/home/me/site"})
		c.agents.failing = errTest
		c.press("enter")
		c.settle()
		c.sees("Not sent: the disk is full. ctrl+b P has the text.")
		c.press("ctrl+b", ":")
		c.fill("website")
		c.press("enter")
		c.settle()
		c.press("ctrl+b", "P")
		c.sees("━ Prompt codex ━", "  one", "❯ two")
		c.press("enter")
		c.settle()
		c.sees("Sent to codex.")
		c.press("ctrl+b", "P")
		c.misses("two")
	})
}

// Who got a prompt that another one did not get has it once.
func TestPromptIsSentAgainToTheMissedOnly(t *testing.T) {
	run(t, 3, func(c *client) {
		ids := c.host.Layout().Panes()
		for i, name := range []string{"claude", "codex", "pi"} {
			c.claude(ids[i], name, agent.Idle, 0)
		}
		c.agents.deaf = ids[1]
		c.press("ctrl+b", "q", "1", "ctrl+b", "P", "tab", "g", "o", "enter")
		c.settle()
		c.sees("Sent to claude, pi. Not sent: the disk is full. ctrl+b P has the text.")
		if got := c.prompted(); got != "1: go|2: go|3: go" {
			t.Errorf("sent %q", got)
		}
		c.agents.deaf = ""
		c.press("ctrl+b", "P", "esc", "ctrl+b", "P")
		c.sees("━ Prompt codex ━", "❯ go", "tab to claude")
		c.press("enter")
		c.settle()
		if got := c.prompted(); got != "2: go" {
			t.Errorf("sent %q", got)
		}
		c.press("ctrl+b", "P")
		c.sees("━ Prompt claude ━")
	})
}

// Who hears the screen is told how many wait, and why.
func TestPromptsAreHeard(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) { cfg.Reader = true }, func(c *client) {
		id := c.host.Layout().Panes()[0]
		c.claude(id, "claude", agent.Working, 0)
		c.claude(id, "claude", agent.Working, 1)
		c.hears("claude: 1 prompt waits.")
		v := c.agents.View(id)
		v.Prompts, v.Barred = 2, "text was not sent yet"
		c.agents.set(v)
		c.settle()
		c.hears("claude: 2 prompts wait. Text was not sent yet.")
		c.claude(id, "claude", agent.Working, 0)
		c.hears("claude: no prompt waits any more.")
	})
}

func TestPromptBoxOfOneWhoOnlyLooksOn(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) { cfg.ReadOnly = true }, func(c *client) {
		c.claude(c.host.Layout().Panes()[0], "claude", agent.Idle, 0)
		c.press("ctrl+b", "P")
		c.sees("This client only looks on")
	})
}
