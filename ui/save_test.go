package ui_test

import (
	"testing"

	"reprise/panes"
)

// Every change of the layout is saved, whoever makes it: the client, or the
// coordinator that closes a pane after a clean end.
func TestEveryLayoutIsSaved(t *testing.T) {
	for name, change := range map[string]func(c *client){
		"a split":                 func(c *client) { c.press("ctrl+b", "%") },
		"a border moved":          func(c *client) { c.press("ctrl+b", "ctrl+right") },
		"a pane closed by others": func(c *client) { c.host.Close(c.host.Layout().Panes()[0]) },
		"a pane made by others": func(c *client) {
			if _, err := c.host.Split(c.host.Layout().Panes()[1], panes.Down, panes.Size{Cols: 400, Rows: 100}); err != nil {
				c.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 2, func(c *client) {
				if c.saved != 0 {
					t.Errorf("saved %d times though nothing changed", c.saved)
				}
				change(c)
				c.drain()
				c.settle()
				if c.saved != 1 {
					t.Errorf("saved %d times, want once", c.saved)
				}
				c.settle()
				if c.saved != 1 {
					t.Errorf("saved %d times after one change", c.saved)
				}
			})
		})
	}
}
