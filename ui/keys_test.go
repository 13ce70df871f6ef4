package ui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/google/go-cmp/cmp"

	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// keymap is one without faults.
func keymap(t *testing.T, s ui.KeySettings) *ui.Keymap {
	t.Helper()
	k, faults := ui.NewKeymap(s)
	if len(faults) > 0 {
		t.Fatalf("%+v: %+v", s, faults)
	}
	return k
}

func TestKeymaps(t *testing.T) {
	for name, c := range map[string]struct {
		set    ui.KeySettings
		after  map[string]string // keys after the prefix; "": none
		bare   map[string]string
		faults []ui.BindFault
	}{
		"tmux's": {
			after: map[string]string{"%": "split-right", "{": "swap-previous", "space": "layout-next", "?": "help", "R": "resume", "ctrl+b": "send-prefix", "alt+5": "layout-tiled", "ctrl+a": ""},
			bare:  map[string]string{"alt+left": "", "ctrl+b": ""},
		},
		"another prefix": {
			set:   ui.KeySettings{Prefix: "ctrl+a"},
			after: map[string]string{"ctrl+a": "send-prefix", "ctrl+b": "", "x": "close"},
		},
		"a prefix that tmux has on something": {
			set:   ui.KeySettings{Prefix: "ctrl+z"},
			after: map[string]string{"ctrl+z": "send-prefix"},
		},
		"keys without prefix": {
			set:   ui.KeySettings{Preset: "alt"},
			after: map[string]string{"%": "split-right", "alt+left": "grow-left-more"},
			bare:  map[string]string{"alt+left": "focus-left", "alt+enter": "split-right", "alt+space": "layout-next"},
		},
		"a preset's key that is the prefix": {
			set:   ui.KeySettings{Preset: "alt", Prefix: "alt+x"},
			after: map[string]string{"alt+x": "send-prefix"},
			bare:  map[string]string{"alt+x": "", "alt+z": "zoom"},
		},
		"bound and unbound": {
			set: ui.KeySettings{Preset: "alt", Binds: []ui.Bind{
				{Key: "prefix v", Action: "split-right"},
				{Key: "prefix x", Action: ""},
				{Key: "alt+X", Action: "close"},
				{Key: "alt+z", Action: ""},
				{Key: "prefix ctrl+b", Action: "focus-last"},
				{Key: "prefix pageup", Action: "zoom"},
				{Key: "f5", Action: "reload-config"},
				{Key: "prefix  G", Action: "detach"},
			}},
			after: map[string]string{"v": "split-right", "%": "split-right", "x": "", "ctrl+b": "focus-last", "pgup": "zoom", "G": "detach"},
			bare:  map[string]string{"alt+shift+x": "close", "alt+z": "", "alt+x": "close", "f5": "reload-config"},
		},
		"one that is wrong leaves the others in force": {
			set: ui.KeySettings{Binds: []ui.Bind{
				{Key: "prefix entr", Action: "zoom"},
				{Key: "prefix v", Action: "split-rihgt"},
				{Key: "x", Action: "close"},
				{Key: "enter", Action: "zoom"},
				{Key: "shift+tab", Action: "zoom"},
				{Key: "ctrl+b", Action: "zoom"},
				{Key: "alt+v", Action: "zoom"},
				{Key: "alt+shift+v", Action: ""},
				{Key: "alt+V", Action: "zoom"},
				{Key: "", Action: "zoom"},
				{Key: "prefix ", Action: "zoom"},
				{Key: "prefix\x1b", Action: "zoom"},
			}},
			after: map[string]string{"v": "", "x": "close"},
			bare:  map[string]string{"alt+v": "zoom", "alt+shift+v": "", "x": "", "enter": ""},
			faults: []ui.BindFault{
				{Key: "prefix entr", What: `"entr" names no key`},
				{Key: "prefix v", What: "unknown action split-rihgt", Unknown: "split-rihgt"},
				{Key: "x", What: "is a key that programs need: put prefix before it, or a modifier"},
				{Key: "enter", What: "is a key that programs need: put prefix before it, or a modifier"},
				{Key: "shift+tab", What: "is a key that programs need: put prefix before it, or a modifier"},
				{Key: "ctrl+b", What: "is the prefix"},
				{Key: "alt+V", What: "is the same key as alt+shift+v"},
				{Key: "", What: `"" names no key`},
				{Key: "prefix ", What: `"" names no key`},
				{Key: "prefix\x1b", What: `"prefix\x1b" names no key`},
			},
		},
		"what is not known is the default": {
			set:   ui.KeySettings{Prefix: "nonsense", Preset: "screen"},
			after: map[string]string{"ctrl+b": "send-prefix"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			k, faults := ui.NewKeymap(c.set)
			if d := cmp.Diff(c.faults, faults); d != "" {
				t.Errorf("faults (-want +got):\n%s", d)
			}
			all := map[string]string{}
			for _, b := range k.Binds() {
				if all[b.Key] != "" {
					t.Errorf("%s is bound twice", b.Key)
				}
				all[b.Key] = b.Action
			}
			for key, action := range c.after {
				if action == "send-prefix" { // not told: it follows from the prefix
					if !k.Bound(key) {
						t.Errorf("the prefix %s twice is bound to nothing", key)
					}
					action = ""
				}
				if got := all["prefix "+key]; got != action {
					t.Errorf("prefix %s is bound to %q, want %q", key, got, action)
				}
			}
			for key, action := range c.bare {
				if got := all[key]; got != action {
					t.Errorf("%s is bound to %q, want %q", key, got, action)
				}
			}
		})
	}
}

// What a keymap lists makes the same keymap.
func TestBindsMakeTheirKeymap(t *testing.T) {
	for _, preset := range ui.Presets() {
		k := keymap(t, ui.KeySettings{Preset: preset})
		again := keymap(t, ui.KeySettings{Preset: preset, Binds: k.Binds()})
		if d := cmp.Diff(k.Binds(), again.Binds()); d != "" {
			t.Errorf("%s:\n%s", preset, d)
		}
		for _, b := range k.Binds() {
			if !slices.Contains(ui.ActionNames(), b.Action) {
				t.Errorf("%s: %s is bound to %q, which is no action", preset, b.Key, b.Action)
			}
		}
	}
}

func TestThePrefixTwiceIsSent(t *testing.T) {
	for prefix, want := range map[string]string{"ctrl+b": "\x02", "ctrl+a": "\x01", "ctrl+z": "\x1a", "alt+x": "\x1bx", "f12": "\x1b[24~", "`": "`"} {
		runWith(t, 1, func(cfg *ui.Config) { cfg.Keys, _ = ui.NewKeymap(ui.KeySettings{Prefix: prefix, Preset: "alt"}) }, func(c *client) {
			c.press(prefix)
			c.sees(" " + prefix + " ")
			if got := c.programs[0].typed(); got != "" {
				t.Errorf("%s alone sends %q", prefix, got)
			}
			c.press(prefix)
			if got := c.programs[0].typed(); got != want {
				t.Errorf("%s twice sends %q, want %q", prefix, got, want)
			}
			c.press(prefix, "%")
			c.settle()
			if n := len(c.host.Layout().Panes()); n != 2 {
				t.Errorf("%s %%: %d panes", prefix, n)
			}
		})
	}
}

func TestKeysWithoutPrefix(t *testing.T) {
	k := keymap(t, ui.KeySettings{Preset: "alt", Binds: []ui.Bind{{Key: "alt+q", Action: "close"}, {Key: "alt+z", Action: ""}}})
	runWith(t, 2, func(cfg *ui.Config) { cfg.Keys = k }, func(c *client) {
		ids := c.host.Layout().Panes()
		c.press("alt+right")
		if c.m.Focus() != ids[1] {
			t.Error("alt+right does not move the focus")
		}
		c.press("alt+left")
		if c.m.Focus() != ids[0] {
			t.Error("alt+left does not move the focus back")
		}
		c.press("alt+z")
		if c.m.Zoomed() {
			t.Error("alt+z zooms, and is bound to nothing")
		}
		if got := c.programs[0].typed(); got != "\x1bz" {
			t.Errorf("the program was sent %q", got)
		}
		c.press("alt+q")
		c.settle()
		if got := c.host.Layout().Panes(); !slices.Equal(got, ids[1:]) {
			t.Errorf("left are %v", got)
		}
	})
	// A program that asks for releases sees none of a key that it did not get.
	runWith(t, 1, func(cfg *ui.Config) { cfg.Keys = k }, func(c *client) {
		c.programs[0].out <- []byte("kitty\n")
		c.settle()
		for _, key := range []string{"alt+left", "alt+z"} {
			c.press(key)
			c.event(pump.Event{Ev: uv.KeyReleaseEvent(keyOf(t, key))})
		}
		if got := c.programs[0].typed(); strings.Contains(got, ":3D") || !strings.Contains(got, ":3u") {
			t.Errorf("the program was sent %q", got)
		}
	})
	runWith(t, 2, func(cfg *ui.Config) { cfg.Keys, cfg.ReadOnly = k, true }, func(c *client) {
		c.press("alt+enter", "alt+q", "alt+right")
		c.settle()
		if n := len(c.host.Layout().Panes()); n != 2 {
			t.Errorf("who only looks on changed the layout: %d panes", n)
		}
		if c.m.Focus() != c.host.Layout().Panes()[1] {
			t.Error("who only looks on cannot move the own focus")
		}
	})
}

func TestWhichKey(t *testing.T) {
	run(t, 1, func(c *client) {
		c.press("ctrl+b")
		c.wait(390 * time.Millisecond)
		c.settled("━ Keys ━", false)
		c.wait(20 * time.Millisecond)
		c.settled("━ Keys ━", true)
		c.sees("esc cancels ━", "%      split right", "ctrl+arrows alt+arrows resize", "arrows ", "{ } ", "alt+1-6 ", " ctrl+b ")
		c.press("%")
		c.settle()
		c.misses("━ Keys ━")
		if n := len(c.host.Layout().Panes()); n != 2 {
			t.Errorf("%d panes", n)
		}
		// Any key cancels, one that is bound to nothing too.
		for _, key := range []string{"esc", "y"} {
			c.press("ctrl+b", key)
			c.wait(time.Second)
			c.misses("━ Keys ━")
			c.press("ctrl+b")
			c.wait(time.Second)
			c.sees("━ Keys ━")
			c.press(key)
			c.misses("━ Keys ━", " ctrl+b ")
		}
		// The time of an earlier prefix is not that of this one.
		c.press("ctrl+b", "esc")
		c.wait(300 * time.Millisecond)
		c.press("ctrl+b")
		c.wait(200 * time.Millisecond)
		c.settled("━ Keys ━", false)
		c.wait(300 * time.Millisecond)
		c.sees("━ Keys ━")
		for _, p := range c.programs {
			if got := p.typed(); got != "" {
				t.Errorf("the program was sent %q", got)
			}
		}
	})
}

// settled looks for something in the frame without letting time pass.
func (c *client) settled(what string, want bool) {
	c.t.Helper()
	c.m.Redraw()
	if got := strings.Contains(c.m.Screen(), what); got != want {
		c.t.Errorf("%q is on the screen: %v", what, got)
	}
}

func TestWhichKeyScrollsWhereItDoesNotFit(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 30, Rows: 12} }, func(c *client) {
		c.press("ctrl+b")
		c.wait(time.Second)
		c.sees("split right", "pgdown scroll")
		c.misses("send prefix")
		seen := c.screen()
		for range 20 {
			c.press("pgdown")
			seen += c.screen()
		}
		for _, verb := range []string{"split right", "close", "zoom", "swap", "layout", "every key", "send prefix", "ctrl+arrows alt+arrows"} {
			if !strings.Contains(seen, verb) {
				t.Errorf("%q is on no page", verb)
			}
		}
		c.press("pgup")
		c.press("pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
		c.sees("split right")
	})
}

func TestHelp(t *testing.T) {
	run(t, 2, func(c *client) {
		n := len(ui.ActionNames())
		c.press("ctrl+b", "?")
		c.sees("━ All keys ━", "❯  type to filter", "▌ ctrl+b %", "Split the pane: a new one at its right", "split-right", "enter run   esc close", " help ")
		c.press("z", "o", "o", "m")
		c.sees("❯ zoom", "ctrl+b z", "━ 1 of ")
		c.misses("Split the pane", "type to filter")
		c.press("enter")
		c.misses("All keys")
		if !c.m.Zoomed() {
			t.Error("enter does not run the action")
		}
		c.press("ctrl+b", "z", "ctrl+b", "?", "q", "q")
		c.sees("No action has these words.", "━ 0 of ")
		c.press("enter")
		c.sees("No action has these words.")
		c.press("backspace", "backspace", "backspace")
		c.sees("▌ ctrl+b %")
		c.press("down", "down")
		c.sees("▌ ctrl+b x")
		c.press("up", "up", "up")
		c.sees("▌ ctrl+b %")
		c.press("end")
		c.misses("▌ ctrl+b %")
		c.press("home", "ctrl+u")
		for range 200 {
			c.press("m")
		}
		c.press("ctrl+u", "c", "l", "o", "s", "e", " ", "p", "a", "n", "e", " ", "e", "n", "d")
		c.sees("▌ ctrl+b x", "━ 1 of ")
		c.press("esc")
		c.misses("All keys")
		for _, p := range c.programs {
			if got := p.typed(); got != "" {
				t.Errorf("the program was sent %q", got)
			}
		}
		if n < 20 {
			t.Errorf("only %d actions", n)
		}
	})
}

// Each action is found in help by its name and runs from there.
func TestHelpFindsEveryAction(t *testing.T) {
	names, helps := ui.Actions()
	k := keymap(t, ui.KeySettings{Preset: "alt"})
	runWith(t, 1, func(cfg *ui.Config) { cfg.Keys, cfg.Size = k, panes.Size{Cols: 160, Rows: 48} }, func(c *client) {
		for i, name := range names {
			c.press("ctrl+b", "?")
			for _, r := range name {
				c.press(string(r))
			}
			c.sees(helps[i], name)
			c.press("esc")
		}
		c.press("alt+?")
		c.sees("ctrl+b % or alt+enter")
	})
}

func TestSpreadAndSwap(t *testing.T) {
	run(t, 3, func(c *client) {
		ids := c.host.Layout().Panes()
		area := panes.Size{Cols: 120, Rows: 33}
		shape := func(what string, want panes.Preset) {
			t.Helper()
			c.settle()
			l := c.host.Layout()
			spread, err := l.Preset(l.Tabs[0].ID, want, area)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(spread.Tabs[0].Arrange(area), l.Tabs[0].Arrange(area)); d != "" {
				t.Errorf("%s (-want +got):\n%s", what, d)
			}
		}
		for key, want := range map[string]panes.Preset{"alt+1": panes.EvenRight, "alt+2": panes.EvenDown, "alt+3": panes.MainTop, "alt+4": panes.MainLeft, "alt+5": panes.Tiled} {
			c.press("ctrl+b", key)
			shape(key, want)
		}
		c.press("ctrl+b", "alt+1")
		c.press("ctrl+b", "space")
		shape("space", panes.EvenDown)
		c.press("ctrl+b", "}")
		c.settle()
		if got, want := c.host.Layout().Panes(), []panes.PaneID{ids[1], ids[0], ids[2]}; !slices.Equal(got, want) {
			t.Errorf("after }: %v, want %v", got, want)
		}
		if c.m.Focus() != ids[0] {
			t.Error("the pane that moved lost the focus")
		}
		c.press("ctrl+b", "{", "ctrl+b", "{")
		c.settle()
		if got, want := c.host.Layout().Panes(), []panes.PaneID{ids[2], ids[1], ids[0]}; !slices.Equal(got, want) {
			t.Errorf("after { twice: %v, want %v", got, want)
		}
	})
	runWith(t, 3, func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 60, Rows: 20} }, func(c *client) {
		c.press("ctrl+b", "alt+1")
		c.sees("No room for that layout: a pane needs 20x")
	})
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "space", "ctrl+b", "{", "ctrl+b", "alt+5")
		c.settle()
		if n := len(c.host.Layout().Panes()); n != 1 {
			t.Errorf("%d panes", n)
		}
	})
}
