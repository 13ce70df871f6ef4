package ui_test

import (
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// were checks what the programs were sent since the last call.
func (c *client) were(what string, want ...string) {
	c.t.Helper()
	c.drain()
	for i, w := range want {
		if got := c.programs[i].typed(); got != w {
			c.t.Errorf("%s: program %d was sent %q, want %q", what, i, got, w)
		}
	}
}

func TestBroadcast(t *testing.T) {
	run(t, 3, func(c *client) {
		ids := c.host.Layout().Panes()
		c.more(1)
		c.programs[1].out <- []byte("kitty\n")
		c.settle()
		c.press("ctrl+b", "E")
		c.sees(" broadcast 3 ", "» typing here", "ctrl+b then E stops it")
		if n := strings.Count(c.screen(), "» typing here"); n != 3 {
			t.Errorf("%d panes say that they are typed into", n)
		}
		c.press("l", "s", "enter", "ctrl+c")
		c.were("keys", "ls\r\x03", "ls\r\x1b[99;5u", "ls\r\x03", "") // as each program asked for them
		c.press("ctrl+b", "ctrl+b")
		c.were("the prefix twice", "\x02", "\x1b[98;5u", "\x02", "")
		c.event(pump.Event{Ev: uv.KeyReleaseEvent{Code: 'x', Mod: uv.ModCtrl}})
		c.were("a release", "", "\x1b[120;5:3u", "", "")
		// Another tab is typed into alone, and in copy mode nothing is typed.
		c.press("ctrl+b", "2", "a")
		c.were("another tab", "", "", "", "a")
		c.sees(" broadcast 3 ")
		c.press("ctrl+b", "1", "ctrl+b", "E")
		c.sees("Keys go to the focused pane alone again.")
		c.misses("broadcast", "typing here")
		c.press("b")
		c.were("off", "b", "", "", "")
		// Panes that end go from the set, and with the last but one it ends.
		c.press("ctrl+b", "E")
		c.host.Close(ids[2])
		c.sees(" broadcast 2 ")
		c.host.Close(ids[1])
		c.sees("One pane is left: keys go to the focused pane alone again.")
		c.misses(" broadcast ")
	})
}

func TestBroadcastToMarkedPanes(t *testing.T) {
	run(t, 3, func(c *client) {
		c.more(1)
		c.press("ctrl+b", "E", "ctrl+b", "E")
		c.press("ctrl+b", "m")
		c.sees("marked")
		c.press("ctrl+b", "m")
		c.misses("marked")
		c.press("ctrl+b", "m", "ctrl+b", "E")
		c.sees("There is but one pane to type into")
		c.press("ctrl+b", "2", "ctrl+b", "m", "ctrl+b", "1", "ctrl+b", "o", "ctrl+b", "E")
		c.sees(" broadcast 2 ")
		c.press("a")
		c.were("the marked ones", "a", "", "", "a")
		c.press("ctrl+b", "o", "b")
		c.were("one that is not marked", "", "b", "", "")
		c.misses("typing here") // no key goes to the marked ones now
		c.press("ctrl+b", "m", "c")
		c.were("added", "c", "c", "", "c")
		c.sees(" broadcast 3 ")
		c.press("ctrl+b", "m", "ctrl+b", "o", "d")
		c.were("taken out", "", "", "d", "")
		c.press("ctrl+b", "E", "ctrl+b", "M", "ctrl+b", "E")
		c.sees(" broadcast 3 ")
		c.press("e")
		c.were("no marks", "e", "e", "e", "")
	})
}

func TestPastesAreBroadcast(t *testing.T) {
	run(t, 3, func(c *client) {
		for _, p := range c.programs[:2] {
			p.out <- []byte("paste\n")
		}
		c.settle()
		c.press("ctrl+b", "E")
		c.pastes("one\ntwo")
		c.sees("Paste 2 lines?", "zsh takes each line")
		c.were("before the answer", "", "", "")
		c.press("y")
		c.were("a paste", "\x1b[200~one\ntwo\x1b[201~", "\x1b[200~one\ntwo\x1b[201~", "one\rtwo")
		c.programs[2].out <- []byte("paste\n")
		c.settle()
		c.pastes("one\n", "two")
		c.were("unasked", "\x1b[200~one\ntwo\x1b[201~", "\x1b[200~one\ntwo\x1b[201~", "\x1b[200~one\ntwo\x1b[201~")
		c.programs[2].end <- panes.Exit{}
		c.wait(time.Second)
		c.press("x")
		c.were("one is dead", "x", "x", "")
	})
}

// A person who looks back through a pane does not see what would be typed there.
func TestBroadcastLeavesOutPanesInCopyMode(t *testing.T) {
	reading(t, 2, 500, func(c *client) {
		c.press("ctrl+b", "E", "ctrl+b", "[", "k")
		c.misses("typing here")
		c.press("ctrl+b", "o", "x")
		c.were("one is in copy mode", "", "x")
		c.press("ctrl+b", "o", "q", "y")
		c.were("it was left", "y", "y")
	})
}

// Nobody else's keys are shared, and who only looks on shares none.
func TestBroadcastIsOneClientsOwn(t *testing.T) {
	run(t, 2, func(c *client) {
		c.press("ctrl+b", "E")
		d := c.beside("other", func(*ui.Config) {})
		defer d.m.Close()
		d.misses("broadcast", "typing here")
		d.press("x")
		c.were("the other client's key", "x", "")
		e := c.beside("onlooker", onlooker)
		defer e.m.Close()
		e.press("ctrl+b", "E")
		e.sees("This client only looks on")
	})
}
