package ui_test

import (
	"image/color"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"reprise/panes/vt"
	"reprise/ui"
	"reprise/ui/pump"
)

func TestPlainTerminal(t *testing.T) {
	for env, want := range map[string]bool{
		"TERM=xterm LANG=en_GB.UTF-8": false, "TERM=xterm LANG=C.utf8": false, "TERM=xterm": false,
		"TERM=xterm LANG=C": true, "TERM=xterm LANG=de_DE.ISO-8859-1": true, "LANG=C.UTF-8 LC_ALL=POSIX": true,
		"TERM=linux LANG=C.UTF-8": true, "TERM=dumb": true,
	} {
		if got := ui.PlainTerminal(strings.Fields(env)); got != want {
			t.Errorf("%s: %v", env, got)
		}
	}
}

func TestEquipped(t *testing.T) {
	for env, want := range map[string][2]bool{
		"TERM=xterm-256color": {}, "TERM=xterm-kitty": {true, true}, "TERM=xterm-256color VTE_VERSION=7600": {true, true},
		"TERM=tmux-256color VTE_VERSION=7600": {}, "TERM=xterm-256color KONSOLE_VERSION=220401": {false, true},
	} {
		if u, l := ui.Equipped(strings.Fields(env)); u != want[0] || l != want[1] {
			t.Errorf("%s: underlines %v, links %v", env, u, l)
		}
	}
}

func TestWidthOfABoxLineTurnsASCIIOn(t *testing.T) {
	for col, want := range map[int]bool{1: false, 2: true} {
		run(t, 2, func(c *client) {
			if s := c.m.Enter(); !strings.Contains(s, "─\x1b[6n") {
				t.Fatalf("the width of a box line is not asked for: %q", s)
			}
			c.event(pump.Event{Ev: uv.CursorPositionEvent{X: col, Y: 1}})
			if got := strings.Contains(c.screen(), "====="); got != want {
				t.Errorf("answer %d: ASCII is %v", col, got)
			}
			c.event(pump.Event{Ev: uv.CursorPositionEvent{X: 2, Y: 1}}) // unasked
			if got := strings.Contains(c.screen(), "====="); got != want {
				t.Error("an answer that nobody asked for is believed")
			}
		})
	}
}

// What ran in the terminal before may have left modes in which nothing stands where it
// is drawn.
func TestEnterEndsOddModes(t *testing.T) {
	run(t, 1, func(c *client) {
		e := vt.New(vt.Options{Cols: 120, Rows: 34})
		write := func(s string) vt.Screen {
			if _, err := e.Write([]byte(s)); err != nil {
				t.Fatal(err)
			}
			var s2 vt.Screen
			e.Snapshot(&s2)
			return s2
		}
		write("\x1b[4;20h\x1b[?69h\x1b[5;20s\x1b[3;10r\x1b[?6h")
		write(c.m.Enter())
		s := write("\x1b[r\x1b[2J\x1b[1;1Hxxxx\x1b[1;1Hab\ncd\x1b[1;30He")
		for _, at := range []struct {
			x, y int
			r    rune
		}{{0, 0, 'a'}, {2, 0, 'x'}, {2, 1, 'c'}, {29, 0, 'e'}} {
			if got := s.Row(at.y)[at.x].Rune; got != at.r {
				t.Errorf("row %d, column %d: %q, not %q", at.y, at.x, got, at.r)
			}
		}
		if s.Row(0)[4].Rune == 'x' {
			t.Error("text is moved by other text")
		}
	})
}

// There are terminals whose screens have a scroll region and a pen each: both are put
// right, and the cursor stays.
func TestResetOfBothScreens(t *testing.T) {
	alt, main, _ := strings.Cut(ui.Reset, "\x1b[?1049l")
	for screen, s := range map[string]string{"alternate": alt, "main": main} {
		if !strings.Contains(s, "\x1b7\x1b[r\x1b8") || !strings.Contains(s, "\x1b[m") {
			t.Errorf("%s screen: %q", screen, s)
		}
	}
}

func TestTheTerminalFollowsTheFocusedPane(t *testing.T) {
	run(t, 2, func(c *client) {
		said := func() string {
			s := string(c.out.all)
			c.out.all = nil
			return s
		}
		c.event(pump.Event{Ev: uv.KeyboardEnhancementsEvent{Flags: 1}})
		first := said()
		if !strings.Contains(first, "\x1b[?1002h\x1b[?1006h") {
			t.Errorf("clicks and drags are not asked for: %q", first)
		}
		c.programs[1].out <- []byte("mouse\nkitty\ntitle ✳ Fix it\n")
		c.settle()
		said()
		c.press("ctrl+b", "o")
		c.settle()
		got := said()
		for _, want := range []string{"\x1b[?1003h", "\x1b[=3;1u", "\x1b]2;Fix it - reprise\x1b\\"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q was not sent: %q", want, got)
			}
		}
		c.press("ctrl+b", "o")
		c.settle()
		got = said()
		for _, want := range []string{"\x1b[?1002h", "\x1b[=1;1u", "\x1b]2;zsh - reprise\x1b\\"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q was not sent: %q", want, got)
			}
		}
	})
}

func TestColoursAreToldAndFollowed(t *testing.T) {
	run(t, 1, func(c *client) {
		c.event(pump.Event{Ev: uv.ForegroundColorEvent{Color: color.Black}})
		c.event(pump.Event{Ev: uv.BackgroundColorEvent{Color: color.White}})
		c.settle()
		if fg, bg := c.host.Colors(); fg != vt.ColorRGB || bg != vt.ColorRGB|0xffffff {
			t.Errorf("programs are told %x and %x", fg, bg)
		}
		if !strings.Contains(string(c.out.all), "48;2;2") { // a bar near white
			t.Errorf("the bar does not follow the background: %q", c.out.all)
		}
		c.out.all = nil
		c.event(pump.Event{Ev: uv.DarkColorSchemeEvent{}})
		c.settle()
		if !strings.Contains(string(c.out.all), ansi.RequestBackgroundColor) {
			t.Error("a change of the colour scheme is not followed")
		}
	})
}

func TestSynchronizedUpdatesOnlyWhereKnown(t *testing.T) {
	run(t, 1, func(c *client) {
		if strings.Contains(string(c.out.all), "\x1b[?2026h") {
			t.Error("mode 2026 is used before the terminal said that it knows it")
		}
		c.event(pump.Event{Ev: uv.ModeReportEvent{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset}})
		c.programs[0].out <- []byte("a line\r\n")
		c.settle()
		if strings.Contains(string(c.out.all), "\x1b[?2026h") {
			t.Error("mode 2026 is used for a few bytes")
		}
		c.press("ctrl+b", "?")
		c.settle()
		if !strings.Contains(string(c.out.all), "\x1b[?2026h") {
			t.Error("mode 2026 is not used")
		}
	})
}
