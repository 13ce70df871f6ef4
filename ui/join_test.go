package ui_test

import (
	"testing"
	"time"

	"reprise/panes"
	"reprise/ui"
)

func TestMarkedPanesAreBroughtHere(t *testing.T) {
	run(t, 2, func(c *client) {
		here := c.m.Focus()
		far := c.more(2)
		c.press("ctrl+b", "J")
		c.sees("No pane is marked (ctrl+b m).")
		c.press("ctrl+b", "m", "ctrl+b", "J")
		c.sees("Only this pane is marked: go where it is to be, then bring it there.")
		c.press("ctrl+b", "m")
		for _, tab := range []string{"2", "3"} {
			c.press("ctrl+b", tab, "ctrl+b", "m")
		}
		c.press("ctrl+b", "1", "ctrl+b", "J")
		c.settle()
		c.at("brought", far[1])
		if got := c.tabs(); got != "4" {
			t.Errorf("the tabs have %q panes", got)
		}
		c.did() // nothing was started or ended
		c.press("a")
		c.were("what ran there runs on", "", "", "", "a")
		c.press("ctrl+b", "J")
		c.sees("No pane is marked (ctrl+b m).")
		if tab := c.host.Layout().Tabs[0]; tab.Panes()[0] != here {
			t.Errorf("the tab is %v", tab.Panes())
		}
	})
}

func TestMarkedPanesStayWithoutRoom(t *testing.T) {
	runWith(t, 2, func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 45, Rows: 8} }, func(c *client) {
		c.more(1)
		c.press("ctrl+b", "2", "ctrl+b", "m", "ctrl+b", "1", "ctrl+b", "J")
		c.sees("No room to move the pane")
		if got := c.tabs(); got != "2 1" {
			t.Errorf("the tabs have %q panes", got)
		}
		c.wait(10 * time.Second)
		c.misses("No room to move the pane")
		c.press("ctrl+b", "J") // it is marked still
		c.sees("No room to move the pane")
	})
}
