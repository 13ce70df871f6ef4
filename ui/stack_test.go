package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// rows are the rows of the screen.
func (c *client) rows() []string {
	return strings.Split(strings.TrimSuffix(c.screen(), "\n"), "\n")
}

// titles says in which rows titles stand, with the pane of which each tells.
func (c *client) titles() string {
	var all []string
	for y, row := range c.rows() {
		for i := range c.programs {
			if strings.Contains(row, fmt.Sprintf("  job %d ", i)) {
				all = append(all, fmt.Sprintf("%d at %d", i, y))
			}
		}
	}
	return strings.Join(all, ", ")
}

func stacked(t *testing.T, n int, f func(c *client)) {
	run(t, n, func(c *client) {
		c.press("ctrl+b", "alt+6")
		for i, p := range c.programs {
			p.out <- fmt.Appendf(nil, "title job %d\nscreen %d\n", i, i)
		}
		c.settle()
		f(c)
	})
}

func TestStack(t *testing.T) {
	stacked(t, 3, func(c *client) {
		ids := c.host.Layout().Panes()
		open := panes.Size{Cols: 120, Rows: 30} // 33 rows, and a title each
		check := func(what, titles string, focus int) {
			t.Helper()
			c.at(what, ids[focus])
			if got := c.titles(); got != titles {
				t.Errorf("%s: titles stand %s, want %s", what, got, titles)
			}
			for i := range c.programs {
				if seen := strings.Contains(c.screen(), fmt.Sprintf("screen %d", i)); seen != (i == focus) {
					t.Errorf("%s: the screen of pane %d is seen: %v", what, i, seen)
				}
			}
			if got := c.programs[focus].size; got != open {
				t.Errorf("%s: the open pane is %v", what, got)
			}
			look := c.agents.looks[len(c.agents.looks)-1]
			if !slices.Equal(look.Visible, ids[focus:focus+1]) {
				t.Errorf("%s: visible are %d panes", what, len(look.Visible))
			}
		}
		check("at first", "0 at 0, 1 at 31, 2 at 32", 0)
		c.press("ctrl+b", "o")
		check("the next one", "0 at 0, 1 at 1, 2 at 32", 1)
		c.press("ctrl+b", "down")
		check("down", "0 at 0, 1 at 1, 2 at 2", 2)
		c.press("ctrl+b", "down")
		check("round", "0 at 0, 1 at 31, 2 at 32", 0)
		c.event(pump.Event{Ev: uv.MouseClickEvent{X: 50, Y: 31, Button: uv.MouseLeft}})
		c.event(pump.Event{Ev: uv.MouseMotionEvent{X: 50, Y: 20, Button: uv.MouseLeft}})
		c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: 50, Y: 20, Button: uv.MouseLeft}})
		check("a click at a title, and a drag", "0 at 0, 1 at 1, 2 at 32", 1)
		// What a program calls itself is seen of a closed one too.
		c.programs[2].out <- []byte("title other\n")
		c.sees("  other ")
		// Two beside one another are in sight, the stack where the person was in it.
		c.press("ctrl+b", "%")
		c.settle()
		c.press("ctrl+b", "left")
		c.at("back in the stack", ids[1])
		c.press("ctrl+b", "right", "k")
		c.were("the pane beside it", "", "", "", "k")
		c.press("ctrl+b", "space")
		if got := c.host.Layout().Tabs[0]; got.Stacked() || len(got.Panes()) != 4 {
			t.Errorf("after the next layout there are %v", got.Panes())
		}
	})
}

// The screen of a closed pane costs nothing, and comes back whole.
func TestClosedPanesAreNotDrawn(t *testing.T) {
	stacked(t, 2, func(c *client) {
		c.screen()
		writes := c.out.writes
		for i := range 10 {
			c.programs[1].out <- fmt.Appendf(nil, "news %d\n", i)
			c.settle()
		}
		if n := c.out.writes - writes; n != 0 {
			t.Errorf("%d writes for a pane that is closed", n)
		}
		c.press("ctrl+b", "o")
		c.sees("screen 1", "news 9")
	})
}

// Each client has its own pane open, and the size of who shows it.
func TestStacksOfTwoClients(t *testing.T) {
	stacked(t, 2, func(c *client) {
		d := c.beside("other", func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 60, Rows: 20} })
		defer d.m.Close()
		d.press("ctrl+b", "o")
		c.settle()
		d.settle()
		c.sees("screen 0")
		d.sees("screen 1")
		for i, want := range []panes.Size{{Cols: 120, Rows: 31}, {Cols: 60, Rows: 17}} {
			if got := c.programs[i].size; got != want {
				t.Errorf("pane %d is %v, want %v", i, got, want)
			}
		}
	})
}
