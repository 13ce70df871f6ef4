package ui_test

import (
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui"
)

// The emacs keys of copy mode do what vi's do, and vi's own then do nothing.
func TestEmacsKeysInCopyMode(t *testing.T) {
	emacs, faults := ui.NewKeymap(ui.KeySettings{Copy: "emacs"})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	runOn(t, 1, nil, func(cfg *ui.Config) { cfg.Size, cfg.Keys = panes.Size{Cols: 80, Rows: 24}, emacs }, func(c *client) {
		c.print(0, 1, 500)
		c.press("ctrl+b", "[")
		c.sees("ctrl+s search   n N next   ctrl+space select   q leave", "line 501 of 501")
		c.press("k", "1", "0", "v") // of vi's
		c.sees("line 501 of 501")
		c.press("n")
		c.sees("Nothing is searched for yet: ctrl+s searches.")
		c.wait(time.Minute) // until it is said no more
		c.press("alt+1", "alt+0", "ctrl+p")
		c.sees("line 491 of 501")
		c.press("ctrl+a", "ctrl+space", "ctrl+n", "ctrl+e", "alt+w")
		if got, want := c.clipboard(), "line 491 of the log\nline 492 of the log"; got != want {
			t.Errorf("copied %q, want %q", got, want)
		}
		c.misses(" copy ")
		c.wait(time.Minute) // until nothing is said any more
		c.press("ctrl+b", "[", "ctrl+r")
		c.write("line 77 ")
		c.press("enter")
		c.sees("1 of 1   line 77 of 501")
		c.press("alt+<")
		c.sees("line 1 of 501")
		c.press("esc")
		c.misses(" copy ")
	})
}

// No key has two meanings, and each is one that a keyboard has.
func TestCopyModeKeys(t *testing.T) {
	rows, helps := ui.CopyActs()
	for set, name := range ui.CopyKeys() {
		seen := map[string]string{}
		for i, row := range rows {
			for _, key := range strings.Fields(row[set]) {
				k, err := ui.ParseKey(key)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				key = ui.KeyName(uv.Key(k))
				if seen[key] != "" {
					t.Errorf("%s: %s is both %q and %q", name, key, seen[key], helps[i])
				}
				seen[key] = helps[i]
			}
		}
	}
}

// What a command printed is selected whole, and again the one before.
func TestSelectOutput(t *testing.T) {
	reading(t, 1, 0, func(c *client) {
		c.programs[0].out <- []byte(strings.Repeat("\x1b]133;A\a$ \x1b]133;B\als\r\n\x1b]133;C\aone\r\ntwo\r\n\x1b]133;D\a", 2) +
			"\x1b]133;A\a$ \x1b]133;B\apwd\r\n\x1b]133;C\a/tmp\r\n\x1b]133;D\a\x1b]133;A\a$ \x1b]133;B\a")
		c.settle()
		c.press("ctrl+b", "[", "O", "y")
		if got := c.clipboard(); got != "/tmp" {
			t.Errorf("copied %q", got)
		}
		c.press("ctrl+b", "[", "O", "O", "y")
		if got := c.clipboard(); got != "one\ntwo" {
			t.Errorf("copied %q", got)
		}
	})
	reading(t, 1, 3, func(c *client) {
		c.press("ctrl+b", "[", "O")
		c.sees("No output of a command here: the shell marks none (OSC 133).")
	})
}
