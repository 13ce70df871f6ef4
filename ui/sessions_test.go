package ui_test

import (
	"strings"
	"testing"

	"reprise/ui"
	"reprise/ui/pump"
)

// Who detaches while another session is being entered stays out of it.
func TestDetachedWhileAnotherSessionIsEntered(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.press("ctrl+b", ":")
		c.fill("website")
		for _, k := range []string{"enter", "ctrl+b", "d"} { // nothing is answered in between
			c.update(ui.Input(pump.Event{Ev: keyOf(t, k)}))
		}
		c.settle()
		if !c.quit || s.left != 0 {
			t.Errorf("detached: %v; %d sessions were left", c.quit, s.left)
		}
		if strings.Contains(c.m.Screen(), "website ›") {
			t.Error("the other session is shown")
		}
	})
}
