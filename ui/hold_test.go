package ui_test

import (
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// resumed lets a dead claude's session go on in a new terminal of its pane.
func (c *client) resume(id panes.PaneID) *program {
	c.t.Helper()
	c.agents.set(agent.PaneView{Pane: id, State: agent.PaneResuming, Candidate: "t-1", Kind: "claude", Label: "claude"})
	c.settle()
	p := c.start(id)
	c.agents.set(agent.PaneView{Pane: id, Candidate: "t-2", Kind: "claude", Label: "claude"})
	c.settle()
	return p
}

// A person who reads when an agent dies goes on reading until the successor has
// something to show.
func TestTheLastScreenStaysUntilTheSuccessorDraws(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("title Fix the test\nthe last words\n")
		c.settle()
		id := c.die(agent.PaneView{State: agent.PaneDue})
		next := c.resume(id)
		c.sees("the last words", "Resuming claude…", "▻ resuming", "Fix the test")
		if strings.Contains(string(c.out.last), "\x1b[?25h") {
			t.Error("the cursor shows in a screen that is over")
		}
		c.press("h", "d", "r")
		if got := next.typed(); got != "hdr" {
			t.Errorf("the successor was sent %q", got)
		}
		c.did()
		next.out <- []byte("\n\nwelcome back\n")
		c.sees("welcome back")
		c.misses("the last words", "Resuming", "resuming")
	})
}

func TestTheLastScreenGoesIfTheSuccessorDrawsNothing(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("the last words\n")
		c.settle()
		c.resume(c.die(agent.PaneView{State: agent.PaneDue}))
		c.wait(2 * time.Second)
		c.sees("the last words")
		c.wait(time.Second)
		was := c.out.writes
		c.misses("the last words", "Resuming")
		c.wait(10 * time.Second)
		if c.out.writes != was {
			t.Error("it is drawn again later")
		}
	})
}

func TestTheLastScreenOutlivesASuccessorThatDiesWithoutAWord(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("the last words\n")
		c.settle()
		id := c.die(agent.PaneView{State: agent.PaneDue})
		for range 3 {
			c.resume(id).end <- panes.Exit{Status: 1}
			c.wait(time.Second)
			c.agents.set(agent.PaneView{Pane: id, State: agent.PanePaused, Candidate: "t-2", Kind: "claude", Label: "claude", Reason: "claude died 4 times while resuming (exit 1)"})
			c.wait(5 * time.Second)
			c.sees("the last words", "claude died 4 times", "▮ paused")
		}
		c.resume(id).out <- []byte("welcome back\n")
		c.sees("welcome back")
		c.misses("the last words")
	})
}

// What does not carry on the session is shown as it is.
func TestTheLastScreenGoesWithTheSession(t *testing.T) {
	for name, was := range map[string]agent.PaneView{
		"shell here": {State: agent.PaneFailed, Reason: "Could not resume claude"},
		"run again":  {State: agent.PaneFirstFailed, Reason: "claude ended with exit 1"},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 2, func(c *client) {
				c.programs[0].out <- []byte("the last words\n")
				c.settle()
				id := c.die(was)
				c.start(id)
				now := agent.PaneView{Pane: id, Label: "zsh"}
				if was.State == agent.PaneFirstFailed {
					now = agent.PaneView{Pane: id, Label: "claude", Kind: "claude", Candidate: "t-2"}
				}
				c.agents.set(now)
				c.misses("the last words", "Resuming")
			})
		})
	}
}

func TestAPaneThatIsOpenedAgainSaysThatItResumes(t *testing.T) {
	run(t, 1, func(c *client) {
		id, err := c.host.Split(c.m.Focus(), panes.Right, panes.Size{Cols: 120, Rows: 33})
		if err != nil {
			t.Fatal(err)
		}
		c.settle()
		next := c.resume(id)
		c.sees("Resuming claude…")
		next.out <- []byte("welcome back\n")
		c.sees("welcome back")
		c.misses("Resuming")
	})
}
