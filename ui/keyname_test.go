package ui_test

import (
	"strings"
	"testing"

	"reprise/panes/input"
	"reprise/panes/vt"
	"reprise/ui"
)

func TestParseKey(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "A": "A", "ä": "ä", "é": "é", "+": "+", "enter": "\r", "tab": "\t", "esc": "\x1b", "space": " ", "backspace": "\x7f",
		"ctrl+c": "\x03", "ctrl+b": "\x02", "alt+x": "\x1bx", "alt+left": "\x1b[1;3D", "up": "\x1b[A", "f5": "\x1b[15~",
		"ctrl+alt+x": "\x1b\x18", "shift+tab": "\x1b[Z", "pagedown": "\x1b[6~", "ctrl++": "",
	} {
		k, err := ui.ParseKey(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := string(input.Encode(k, vt.Modes{})); got != want && want != "" {
			t.Errorf("%s gives %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"", "ctrl+", "entr", "ctrl+entr", "ab", "\x1b", "\xff", "meta+x"} {
		k, err := ui.ParseKey(name)
		if err == nil {
			t.Errorf("%q is taken for %+v", name, k)
			continue
		}
		if !strings.Contains(err.Error(), "names no key") || !strings.Contains(err.Error(), "enter") {
			t.Errorf("%q: %v does not say what to take", name, err)
		}
	}
}
