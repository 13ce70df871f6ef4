package ui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/pump"
)

func TestADueCandidateIsResumedOnce(t *testing.T) {
	run(t, 2, func(c *client) {
		c.agents.hold = make(chan struct{})
		id := c.die(agent.PaneView{State: agent.PaneDue})
		other := c.host.Layout().Panes()[1]
		for range 20 {
			c.press("ctrl+b", "o")
			c.agents.set(agent.PaneView{Pane: other, Label: "zsh"})
			c.update(tea.WindowSizeMsg{Width: 120, Height: 34 + c.agents.resumed()})
			c.settle()
		}
		if n := c.agents.resumed(); n != 1 {
			t.Fatalf("Resume was called %d times", n)
		}
		if r := c.agents.resumes[0]; r.Terminal != "t-1" || r.Pane != id || r.ByPerson || r.Override {
			t.Errorf("Resume was called with %+v", r)
		}
		close(c.agents.hold)
		c.settle()
		// A new candidate in the pane starts clean.
		c.agents.set(agent.PaneView{Pane: id, State: agent.PaneDue, Candidate: "t-2", Kind: "claude", Label: "claude"})
		c.settle()
		c.settle()
		if n := c.agents.resumed(); n != 2 {
			t.Errorf("Resume was called %d times for two candidates", n)
		}
	})
}

func TestAClaimThatIsGivenBackIsFollowedOnce(t *testing.T) {
	run(t, 1, func(c *client) {
		id := c.die(agent.PaneView{State: agent.PaneDue}) // another process has the claim
		due := agent.PaneView{Pane: id, State: agent.PaneDue, Candidate: "t-1", Kind: "claude", Label: "claude"}
		c.agents.set(due)
		c.settle()
		if n := c.agents.resumed(); n != 1 {
			t.Fatalf("Resume was called %d times while nothing changed", n)
		}
		busy := due
		busy.State = agent.PaneResuming
		c.agents.set(busy)
		c.settle()
		c.agents.set(due)
		c.settle()
		if n := c.agents.resumed(); n != 2 {
			t.Errorf("Resume was called %d times after the other process gave the claim back", n)
		}
	})
}

// A split looks at the panes between two frames: what it finds is not lost.
func TestACandidateFoundByASplitIsResumed(t *testing.T) {
	run(t, 2, func(c *client) {
		second := c.host.Layout().Panes()[1]
		c.press("ctrl+b")
		c.settle()
		c.agents.mu.Lock() // and nobody is woken
		c.agents.views[second] = agent.PaneView{Pane: second, State: agent.PaneDue, Candidate: "t-9", Kind: "claude", Label: "claude"}
		c.agents.mu.Unlock()
		c.press("%")
		c.settle()
		if n := c.agents.resumed(); n != 1 {
			t.Errorf("Resume was called %d times", n)
		}
	})
}

func TestHiddenPanesAreNotResumed(t *testing.T) {
	run(t, 2, func(c *client) {
		second := c.host.Layout().Panes()[1]
		c.press("ctrl+b", "z")
		c.settle()
		c.agents.set(agent.PaneView{Pane: second, State: agent.PaneDue, Candidate: "t-9", Kind: "claude", Label: "claude"})
		c.settle()
		if n := c.agents.resumed(); n != 0 {
			t.Fatalf("a hidden pane was resumed")
		}
		c.press("ctrl+b", "z")
		c.settle()
		if n := c.agents.resumed(); n != 1 {
			t.Errorf("Resume was called %d times once the pane was shown", n)
		}
	})
}

func TestLookIsReportedWhenItChanges(t *testing.T) {
	run(t, 2, func(c *client) {
		ids := c.host.Layout().Panes()
		want := func(n int, focused panes.PaneID, visible ...panes.PaneID) {
			t.Helper()
			c.settle()
			if len(c.agents.looks) != n {
				t.Fatalf("%d reports, want %d", len(c.agents.looks), n)
			}
			l := c.agents.looks[n-1]
			if l.Client != "test" || l.Focused != focused || !slices.Equal(l.Visible, visible) {
				t.Errorf("report %d is %+v", n, l)
			}
		}
		want(1, ids[0], ids[0], ids[1])
		c.programs[0].out <- []byte("hello\n")
		want(1, ids[0], ids[0], ids[1])
		c.press("ctrl+b", "o")
		want(2, ids[1], ids[1], ids[0])
		c.press("ctrl+b", "z")
		want(3, ids[1], ids[1])
	})
}

func TestStripKeys(t *testing.T) {
	for _, tt := range []struct {
		name  string
		view  agent.PaneView
		words string
		keys  map[string]string // key → act; "" for none
	}{
		{"queued", agent.PaneView{State: agent.PaneQueued, Ahead: 3}, "Resuming claude… waiting for 3 others", map[string]string{"d": "dismiss", "r": "", "x": ""}},
		{"resuming", agent.PaneView{State: agent.PaneResuming}, "Resuming claude…", map[string]string{"d": "", "r": "", "enter": "", "x": ""}},
		{"waiting", agent.PaneView{State: agent.PaneWaiting}, "claude died; trying again in", map[string]string{"r": "resume", "d": "dismiss"}},
		{"ask", agent.PaneView{State: agent.PaneAsk}, "claude session", map[string]string{"r": "resume", "d": "dismiss", "s": ""}},
		{"elsewhere", agent.PaneView{State: agent.PaneElsewhere, Where: "docs"}, "This session is open in workspace docs", map[string]string{"x": "end", "enter": ""}},
		{"unsettled", agent.PaneView{State: agent.PaneUnsettled}, "claude ended", map[string]string{"enter": "shell", "r": "resume"}},
		{"failed", agent.PaneView{State: agent.PaneFailed, Reason: "Could not resume claude: its folder ~/w is gone. Bring it back, then retry."}, "its folder ~/w is gone", map[string]string{"r": "resume", "d": "dismiss", "s": "shell", "o": ""}},
		{"held", agent.PaneView{State: agent.PaneFailed, Failure: agent.FailHeld, Reason: "Could not resume claude: process 4711 has it."}, "process 4711", map[string]string{"o": "override"}},
		{"paused", agent.PaneView{State: agent.PanePaused, Deaths: 4, Exit: panes.Exit{Status: 1}, LastLine: "no API key"}, "claude died 4 times while resuming (exit 1: no API key)", map[string]string{"r": "resume", "d": "dismiss", "s": "shell"}},
		{"first failed", agent.PaneView{State: agent.PaneFirstFailed, Exit: panes.Exit{Status: 1}}, "claude ended with exit 1", map[string]string{"r": "again", "s": "shell", "x": "end", "d": ""}},
		{"unsupported", agent.PaneView{State: agent.PaneUnsupported}, "claude cannot be resumed", map[string]string{"d": "dismiss", "s": "shell"}},
		{"ended", agent.PaneView{State: agent.PaneEnded, Exit: panes.Exit{Status: 1}, Since: time.Date(2030, 1, 1, 14, 31, 0, 0, time.Local)}, "claude ended with exit 1, 14:31", map[string]string{"enter": "again", "x": "end"}},
		{"not started", agent.PaneView{State: agent.PaneNotStarted}, "claude is not running", map[string]string{"enter": "again", "x": "end"}},
		{"dismissed", agent.PaneView{State: agent.PaneDismissed}, "▻ saved", map[string]string{"d": "", "r": "", "enter": ""}},
	} {
		for key, act := range tt.keys {
			t.Run(tt.name+" "+key, func(t *testing.T) {
				run(t, 2, func(c *client) {
					c.die(tt.view)
					c.sees(tt.words)
					c.press(key)
					c.settle()
					got := strings.Join(c.agents.taken(), " ")
					for _, r := range c.agents.resumes {
						if r.Terminal != "t-1" || !r.ByPerson {
							t.Errorf("resumed by %+v", r)
						}
						got += map[bool]string{false: "resume", true: "override"}[r.Override]
					}
					if got != act {
						t.Errorf("%q does %q, want %q", key, got, act)
					}
				})
			})
		}
	}
}

func TestStripTakesNoKeyOfATypist(t *testing.T) {
	run(t, 1, func(c *client) {
		c.press("h")
		c.die(agent.PaneView{State: agent.PaneFailed, Reason: "Could not resume claude."})
		c.press("z")
		for range 20 { // typing goes on: no gap is long enough
			c.press("d", "r", "s")
			c.wait(690 * time.Millisecond)
		}
		c.did()
		if n := c.agents.resumed(); n != 0 {
			t.Fatalf("typing resumed %d times", n)
		}
		c.wait(15 * time.Millisecond) // 705 ms since the last key
		c.press("d")
		c.did("dismiss")
	})
}

func TestStripTakesNoKeyOfAnotherClientsTypist(t *testing.T) {
	run(t, 1, func(c *client) {
		term := c.host.Shown(c.m.Focus())
		if err := term.Send([]byte("x")); err != nil {
			t.Fatal(err)
		}
		c.programs[0].end <- panes.Exit{Status: 1}
		c.wait(300 * time.Millisecond)
		c.agents.set(agent.PaneView{Pane: c.m.Focus(), State: agent.PaneAsk, Candidate: "t-1", Label: "claude", Kind: "claude"})
		c.settle()
		c.press("d")
		c.did()
		c.wait(time.Second)
		c.press("d")
		c.did("dismiss")
	})
}

func TestAPasteIsNeverACommand(t *testing.T) {
	run(t, 1, func(c *client) {
		c.die(agent.PaneView{State: agent.PaneFailed, Reason: "Could not resume claude."})
		for _, s := range []string{"d", "r", "s", "x"} {
			c.event(pump.Event{Paste: true, Start: true})
			c.event(pump.Event{Paste: true, Raw: []byte(s)})
			c.event(pump.Event{Paste: true, End: true})
			c.wait(time.Second)
		}
		c.event(pump.Event{Ev: uv.KeyPressEvent{Code: uv.KeyExtended, Text: "drs"}}) // pasted without marks
		c.did()
		if n := c.agents.resumed(); n != 0 {
			t.Errorf("a paste resumed %d times", n)
		}
		c.event(pump.Event{Paste: true, Start: true})
		c.event(pump.Event{Paste: true, Raw: []byte("text")})
		c.event(pump.Event{Paste: true, End: true})
		c.press("d") // right behind a paste: typing
		c.did()
	})
}

func TestHeldKeyIsNoCommand(t *testing.T) {
	run(t, 1, func(c *client) {
		c.die(agent.PaneView{State: agent.PaneAsk})
		c.event(pump.Event{Ev: uv.KeyPressEvent{Code: 'd', Text: "d", IsRepeat: true}})
		c.did()
	})
}

func TestAnActIsDoneOnceUntilItIsOver(t *testing.T) {
	run(t, 1, func(c *client) {
		c.agents.hold = make(chan struct{})
		c.die(agent.PaneView{State: agent.PanePaused})
		for range 3 {
			c.press("r")
			c.wait(time.Second)
		}
		if n := c.agents.resumed(); n != 1 {
			t.Errorf("three presses resumed %d times", n)
		}
		close(c.agents.hold)
		c.settle()
		c.press("r")
		c.settle()
		if n := c.agents.resumed(); n != 2 {
			t.Errorf("a retry after a failure: %d calls", n)
		}
	})
}

func TestGoToTheOtherPane(t *testing.T) {
	run(t, 2, func(c *client) {
		other := c.host.Layout().Panes()[1]
		c.die(agent.PaneView{State: agent.PaneElsewhere, Other: other})
		c.sees("This session is open in another pane", "enter go   x close")
		c.press("enter")
		c.settle()
		if c.m.Focus() != other {
			t.Error("enter does not go there")
		}
	})
}

func TestResumeActionBringsADismissedSessionBack(t *testing.T) {
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "R")
		c.sees("This pane has no saved session to resume.")
		c.die(agent.PaneView{State: agent.PaneDismissed})
		c.press("ctrl+b", "R")
		c.settle()
		if n := c.agents.resumed(); n != 1 || !c.agents.resumes[0].ByPerson {
			t.Errorf("R resumed %d times", n)
		}
	})
}
