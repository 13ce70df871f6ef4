package ui_test

import (
	"strings"
	"testing"

	"reprise/ui"
)

func TestTheClipboardGoesToThePersonsTerminal(t *testing.T) {
	runOn(t, 2, nil, func(*ui.Config) {}, func(c *client) {
		c.programs[1].out <- []byte("\x1b]52;c;aGVsbG8=\x07")
		c.settle()
		const told = "\x1b]52;c;aGVsbG8=\x07"
		if n := strings.Count(string(c.out.all), told); n != 1 {
			t.Errorf("the clipboard was set %d times in %q", n, c.out.all)
		}
		c.programs[1].out <- []byte("more")
		c.programs[0].out <- []byte("\x1b]52;c;?\x07") // programs may not ask
		c.settle()
		if n := strings.Count(string(c.out.all), "\x1b]52;"); n != 1 {
			t.Errorf("the clipboard was touched %d times", n)
		}
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("a program that asked for the clipboard was told %q", got)
		}
	})
}
