package ui

import (
	"strings"

	"reprise/ui/paint"
)

// known is what terminals show beyond what xterm does, where it can be told from
// the environment: kinds and colours of underlines (SGR 4:n, 58), hyperlinks (OSC
// 8). There is no query that all of them answer; what is not known is left out,
// and a plain underline is drawn instead.
var known = []struct {
	name, has         string // a variable and what its value contains
	underlines, links bool
}{
	{"TERM", "kitty", true, true},
	{"TERM", "ghostty", true, true},
	{"TERM", "foot", true, true},
	{"TERM", "alacritty", true, true},
	{"TERM", "contour", true, true},
	{"TERM", "wezterm", true, true},
	{"TERM_PROGRAM", "WezTerm", true, true},
	{"TERM_PROGRAM", "ghostty", true, true},
	{"TERM_PROGRAM", "iTerm.app", true, true},
	{"TERM_PROGRAM", "vscode", true, true},
	{"WT_SESSION", "-", true, true},
	{"VTE_VERSION", "", true, true}, // both since 0.52, of 2018
	{"KONSOLE_VERSION", "", false, true},
}

// environ is a client's environment.
type environ []string

func (e environ) lookup(name string) (value string, ok bool) {
	for _, kv := range e {
		if v, is := strings.CutPrefix(kv, name+"="); is {
			value, ok = v, true // a later entry wins
		}
	}
	return value, ok
}

func (e environ) get(name string) string {
	v, _ := e.lookup(name)
	return v
}

// equip tells the painter what the terminal shows. A multiplexer between us and
// the terminal passes the variables of the terminal on, but not its abilities.
func equip(p *paint.Painter, env environ) {
	term := env.get("TERM")
	if strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux") {
		return
	}
	for _, k := range known {
		if v, ok := env.lookup(k.name); ok && strings.Contains(v, k.has) {
			p.Underlines = p.Underlines || k.underlines
			p.Links = p.Links || k.links
		}
	}
}

// PlainTerminal reports whether the terminal of an environment, or its locale, is one
// that is drawn in ASCII for.
func PlainTerminal(env []string) bool { return plainTerminal(env) }

// plainTerminal reports whether the terminal or its locale cannot show box lines
// and glyphs. A locale that is not set at all says nothing: containers have none.
func plainTerminal(env environ) bool {
	if t := env.get("TERM"); t == "linux" || t == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // POSIX's order
		if v := strings.ToLower(env.get(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}
