package ui_test

import (
	"context"
	"regexp"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui"
	"reprise/ui/pump"
)

var mouseModes = regexp.MustCompile(`\x1b\[\?100[0-3][hl]`)

// mouseIs checks which mode of the mouse the terminal was told last; "" for none.
func (c *client) mouseIs(what, want string) {
	c.t.Helper()
	c.settle()
	got := ""
	if all := mouseModes.FindAll(c.out.all, -1); len(all) > 0 {
		if last := all[len(all)-1]; last[len(last)-1] == 'h' {
			got = string(last[3 : len(last)-1])
		}
	}
	if got != want {
		c.t.Errorf("%s: the terminal tells of the mouse by mode %q, want %q", what, got, want)
	}
}

// Without the mouse the terminal keeps it, but where the focused program asks for it.
func TestMouseOff(t *testing.T) {
	runWith(t, 2, func(cfg *ui.Config) { cfg.NoMouse = true }, func(c *client) {
		click := func(x int) {
			c.event(pump.Event{Ev: uv.MouseClickEvent{X: x, Y: 5, Button: uv.MouseLeft}})
			c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: x, Y: 5, Button: uv.MouseLeft}})
		}
		first := c.m.Focus()
		c.mouseIs("at first", "")
		click(100)
		c.at("a click at the other pane", first)
		c.were("a click that nobody asked for", "", "")
		c.programs[0].out <- []byte("mouse\n")
		c.mouseIs("the program asks for it", "1003")
		click(100)
		c.at("a click at the other pane", first)
		c.were("a click beside", "", "")
		click(3)
		c.were("a click", "\x1b[<0;4;5M\x1b[<0;4;5m", "")
		c.press("ctrl+b", "o")
		c.mouseIs("the focus is at the other one", "")
	})
}

// The setting is in force at once.
func TestMouseIsTurnedOffWhileItRuns(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) {
		cfg.Reload = func(context.Context, bool) ui.Reloaded {
			return ui.Reloaded{Changed: true, Settings: ui.Settings{NoMouse: true}}
		}
	}, func(c *client) {
		c.mouseIs("at first", "1002")
		c.press("ctrl+b", "esc")
		c.mouseIs("when it was read", "")
	})
}
