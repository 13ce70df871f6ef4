package ui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/clipperhouse/displaywidth"

	"reprise/ui/frame"
)

// prompt asks for a line of text.
type prompt struct {
	plain
	title, count string
	comfort      string
	verb         string // what enter does
	limit        int    // of the text, in bytes
	text         string
	cursor       int // in text
	done         func(m *Model, text string) tea.Cmd
}

// prompt opens a sheet that asks for a line.
func (m *Model) prompt(p prompt) tea.Cmd { return m.enter(&p, 0) }

func (p *prompt) chip() string { return p.verb }

func (p *prompt) sheet() frame.Sheet {
	return frame.Sheet{
		Title: p.title, Count: p.count, Comfort: p.comfort,
		Input: frame.Input{On: true, Text: p.text, Cursor: p.cursor},
		Keys:  frame.Hints{{Key: "enter", Verb: p.verb}, {Key: "esc", Verb: "close"}},
	}
}

// promptKeys are the keys that edit the line: a shell's, and an editor's.
var promptKeys = map[string]func(p *prompt){
	"space":     func(p *prompt) { p.insert(" ") },
	"left":      func(p *prompt) { p.cursor = p.before() },
	"ctrl+b":    func(p *prompt) { p.cursor = p.before() },
	"right":     func(p *prompt) { p.cursor = p.behind() },
	"ctrl+f":    func(p *prompt) { p.cursor = p.behind() },
	"home":      func(p *prompt) { p.cursor = 0 },
	"ctrl+a":    func(p *prompt) { p.cursor = 0 },
	"end":       func(p *prompt) { p.cursor = len(p.text) },
	"ctrl+e":    func(p *prompt) { p.cursor = len(p.text) },
	"backspace": func(p *prompt) { p.cut(p.before(), p.cursor) },
	"ctrl+h":    func(p *prompt) { p.cut(p.before(), p.cursor) },
	"delete":    func(p *prompt) { p.cut(p.cursor, p.behind()) },
	"ctrl+d":    func(p *prompt) { p.cut(p.cursor, p.behind()) },
	"ctrl+u":    func(p *prompt) { p.cut(0, p.cursor) },
	"ctrl+k":    func(p *prompt) { p.cut(p.cursor, len(p.text)) },
	"ctrl+w":    func(p *prompt) { p.cut(p.word(), p.cursor) },
}

func (p *prompt) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	m.draws.dirty = true
	switch name := keyName(uv.Key(k)); name {
	case "esc", "ctrl+c":
		return m.enter(passThrough{}, 0)
	case "enter":
		m.lead()
		return both(m.enter(passThrough{}, 0), p.done(m, p.text))
	default:
		p.edit(name, k)
	}
	return nil
}

// edit takes a key that changes the line.
func (p *prompt) edit(name string, k uv.KeyPressEvent) {
	switch {
	case promptKeys[name] != nil:
		promptKeys[name](p)
	case k.Mod&^(uv.ModShift|uv.ModCapsLock|uv.ModNumLock|uv.ModScrollLock) == 0:
		p.insert(k.Text)
	}
}

// insert puts text at the cursor: what can be printed, as much as there is room.
func (p *prompt) insert(text string) {
	for _, r := range text {
		if s := string(r); unicode.IsPrint(r) && r != unicode.ReplacementChar && len(p.text)+len(s) <= p.limit {
			p.text = p.text[:p.cursor] + s + p.text[p.cursor:]
			p.cursor += len(s)
		}
	}
}

func (p *prompt) cut(from, to int) {
	p.text = p.text[:from] + p.text[to:]
	p.cursor = from
}

// before is where the character at the left of the cursor begins, behind where the
// one at its right ends.
func (p *prompt) before() (at int) {
	for g := displaywidth.StringGraphemes(p.text[:p.cursor]); g.Next(); {
		if end := at + len(g.Value()); end < p.cursor {
			at = end
		}
	}
	return at
}

func (p *prompt) behind() int {
	g := displaywidth.StringGraphemes(p.text[p.cursor:])
	if !g.Next() {
		return p.cursor
	}
	return p.cursor + len(g.Value())
}

// word is where the word at the left of the cursor begins.
func (p *prompt) word() int {
	return strings.LastIndexByte(strings.TrimRight(p.text[:p.cursor], " "), ' ') + 1
}
