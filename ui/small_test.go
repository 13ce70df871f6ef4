package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/ui/pump"
)

// resized gives the client's terminal another size.
func (c *client) resized(cols, rows int) {
	c.update(tea.WindowSizeMsg{Width: cols, Height: rows})
	c.settle()
}

// modeKeys are keys that begin a mode in which keys mean something of their own.
var modeKeys = []string{"w", ",", ".", "$", "q", "[", "pgup", "/", "F", "D", "?", "~", ":", "a", "@", "P", "tab"}

// Where only "Too small" is shown no mode begins, and what was begun before is over: keys
// go to the program.
func TestNoModeIsUnseen(t *testing.T) {
	for _, key := range modeKeys {
		t.Run(key, func(t *testing.T) {
			runServer(t, 1, func(c *client, _ *server) {
				p := c.programs[0]
				c.claude(c.host.Layout().Panes()[0], "claude", agent.Idle, 0) // P is for one
				c.resized(20, 5)
				c.sees("Too small")
				c.press("ctrl+b", key)
				c.settle()
				p.typed()
				c.press("x")
				if got := p.typed(); got != "x" {
					t.Errorf("begun there: the program was typed %q", got)
				}
				c.resized(120, 34)
				c.wait(10 * time.Second) // what was said is over
				bare := c.screen()
				c.press("ctrl+b", key)
				c.settle()
				c.resized(20, 5)
				c.press("x")
				if got := p.typed(); got != "x" {
					t.Errorf("begun before: the program was typed %q", got)
				}
				c.resized(120, 34)
				c.wait(10 * time.Second)
				if got := c.screen(); key != "tab" && got != bare { // the sidebar itself stays
					t.Errorf("something of it stays:\n%s", got)
				}
			})
		})
	}
}

// The keys after the prefix go on meaning what they mean, though they are not shown.
func TestPrefixUnseen(t *testing.T) {
	run(t, 2, func(c *client) {
		c.resized(20, 5)
		c.press("ctrl+b")
		c.wait(time.Second) // for which-key
		c.press("pgdown", "ctrl+b", "o", "x")
		if first, second := c.programs[0].typed(), c.programs[1].typed(); first != "" || second != "x" {
			t.Errorf("typed %q and %q, want the second one to have the focus", first, second)
		}
	})
}

// What a strip asks cannot be answered unseen.
func TestStripUnseen(t *testing.T) {
	run(t, 1, func(c *client) {
		c.die(agent.PaneView{State: agent.PaneFailed, Reason: "x"})
		c.resized(20, 5)
		c.did()
		c.wait(time.Second)
		c.press("d", "s", "r")
		c.did()
		c.resized(120, 34)
		c.wait(time.Second)
		c.press("d")
		c.did("dismiss")
	})
}

// A paste that would have been asked about is not made, and that is said later.
func TestPasteUnseen(t *testing.T) {
	run(t, 1, func(c *client) {
		paste := func() {
			c.event(pump.Event{Paste: true, Start: true, Raw: []byte("one\ntwo\n")})
			c.event(pump.Event{Paste: true, End: true})
		}
		c.resized(20, 5)
		paste()
		c.resized(120, 34)
		c.sees("Nothing was pasted: there was no room to ask.")
		paste()
		c.sees("Paste 2 lines?")
		c.resized(20, 5)
		c.press("y")
		if got := c.programs[0].typed(); strings.Contains(got, "one") || got != "y" {
			t.Errorf("the program was typed %q", got)
		}
	})
}
