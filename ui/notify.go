package ui

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// form writes a notification as a terminal knows it. title may be empty; neither
// has controls. n numbers the client's notifications.
type form func(title, body string, n int) string

// forms are the notifications that terminals know, where it can be told from the
// environment; of those that it cannot be told of, most know OSC 9 and the others
// swallow it. A multiplexer or console that knows none is rung instead.
var forms = []struct {
	name, has string // a variable and what its value contains
	form      form
}{
	{"TERM", "screen", nil},
	{"TERM", "tmux", nil},
	{"TERM", "linux", nil},
	{"TERM", "kitty", osc99},
	{"TERM", "foot", osc777},
	{"TERM", "rxvt", osc777},
	{"TERM", "contour", osc777},
	{"TERM", "ghostty", osc777},
	{"TERM_PROGRAM", "ghostty", osc777},
	{"TERM_PROGRAM", "WezTerm", osc777},
	{"TERM_PROGRAM", "iTerm.app", osc9},
	{"VTE_VERSION", "", osc777},
	{"KONSOLE_VERSION", "", osc777},
}

// formOf is the form that a client's terminal knows; nil: none.
func formOf(env environ) form {
	for _, f := range forms {
		if v, ok := env.lookup(f.name); ok && strings.Contains(v, f.has) {
			return f.form
		}
	}
	return osc9
}

// osc9 is iTerm2's. It has no title. What begins with a number is a command of
// ConEmu's there, so it must not.
func osc9(title, body string, _ int) string {
	if title != "" {
		body = title + ": " + body
	}
	if digits := strings.TrimLeft(body, "0123456789"); len(digits) < len(body) && strings.HasPrefix(digits, ";") {
		body = " " + body
	}
	return "\x1b]9;" + body + "\x1b\\"
}

// osc777 is urxvt's. A semicolon ends its title.
func osc777(title, body string, _ int) string {
	return "\x1b]777;notify;" + strings.ReplaceAll(title, ";", ",") + ";" + body + "\x1b\\"
}

// osc99 is kitty's: the title, then the body, as one by their number. A
// notification must have a title.
func osc99(title, body string, n int) string {
	if title == "" {
		title, body = body, ""
	}
	piece := func(meta, text string) string {
		return fmt.Sprintf("\x1b]99;i=reprise-%d:e=1:%s;%s\x1b\\", n, meta, base64.StdEncoding.EncodeToString([]byte(text)))
	}
	if body == "" {
		return piece("d=1", title)
	}
	return piece("d=0", title) + piece("d=1:p=body", body)
}

// sendNotice sends a notification to the client's terminal; the text was cleaned.
func (m *Model) sendNotice(title, body string) {
	n := &m.status.notices
	n.sent++
	if m.outer.ascii { // the terminal may take no UTF-8, whose bytes are controls there
		title, body = asciiOnly(title), asciiOnly(body)
	}
	f := formOf(m.cfg.Env)
	if f == nil {
		m.outer.pending += "\a"
		return
	}
	m.outer.pending += f(title, body, n.sent)
}

// asciiOnly is s with a question mark for whatever is not ASCII.
func asciiOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		return '?'
	}, s)
}
