package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui/frame"
	"reprise/ui/fuzzy"
)

// paletteRows is how many rows the palette has, room permitting.
const paletteRows = 10

// choice is one thing that the palette finds.
type choice struct {
	frame.Choice
	also  string                 // more words by which it is found, not shown
	do    func(m *Model) tea.Cmd // what enter does
	other func(m *Model) tea.Cmd // what tab does; nil: nothing
	verb  string                 // what that is called
	text  string                 // what is copied of it; "": Text
}

// source is where choices come from. The order of the table is theirs where they fit
// equally well (look.md §5).
type source struct {
	kind string
	list func(m *Model, s Starts) []choice
}

// palette finds what a person types in all that can be gone to, started or done. Text
// in panes is looked for beside the event loop; the next key ends that.
type palette struct {
	plain
	line   prompt // what is typed
	only   string // the one kind that is shown; "": all
	starts Starts
	asking bool // what can be started
	all    []choice
	found  []choice // those of all that fit, the best first
	texts  []choice // found in panes
	search textSearch
	rows   *frame.Choices
	sheets frame.Sheet
}

// showPalette opens the palette; only is the one kind that it shows, "" for all.
func showPalette(only string) func(m *Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		p := &palette{only: only, line: prompt{limit: maxQuery}, asking: m.cfg.Sessions != nil}
		p.gather(m)
		cmd := m.enter(p, 0)
		if m.cfg.Sessions == nil {
			return cmd
		}
		starts := m.cfg.Sessions.Starts
		return both(cmd, m.run(func(ctx context.Context) tea.Msg { return startsMsg{p, starts(ctx)} }))
	}
}

// startsMsg brings what can be started.
type startsMsg struct {
	palette *palette
	Starts
}

func (s startsMsg) apply(m *Model) tea.Cmd {
	if m.mode != mode(s.palette) {
		return nil
	}
	p := s.palette
	p.starts, p.asking = s.Starts, false
	was := p.rows
	p.gather(m)
	p.show(m, p.again(was)) // enter, which may be on its way, does what it was pressed for
	return nil
}

// again is where the row is now that was selected in earlier rows: of several that read
// the same, the same one in their order.
func (p *palette) again(was *frame.Choices) int {
	if was.Selected >= len(was.Rows) {
		return 0
	}
	row := &was.Rows[was.Selected]
	same := func(c frame.Choice) bool { return c.Kind == row.Kind && c.Text == row.Text }
	before := 0
	for _, c := range was.Rows[:was.Selected] {
		if same(c) {
			before++
		}
	}
	for i, c := range p.rows.Rows {
		if !same(c) {
			continue
		}
		if before == 0 {
			return i
		}
		before--
	}
	return was.Selected
}

// gather lists all that there is.
func (p *palette) gather(m *Model) {
	p.all = nil
	for _, s := range sources {
		if p.only == "" || p.only == s.kind {
			for _, c := range s.list(m, p.starts) {
				c.Kind, c.Text, c.Note = s.kind, clean(c.Text), clean(c.Note)
				p.all = append(p.all, c)
			}
		}
	}
	p.find(m)
}

// find sorts out what fits, the best first.
func (p *palette) find(m *Model) {
	type scored struct {
		choice
		score int
	}
	var fit []scored
	if !p.textOnly() {
		matcher := fuzzy.New(p.line.text)
		for _, c := range p.all {
			score, hits, ok := matcher.Match(c.Text, c.Note+" "+c.also)
			if ok {
				c.Hits = hits
				fit = append(fit, scored{c, score})
			}
		}
	}
	slices.SortStableFunc(fit, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	p.found = p.found[:0]
	for _, f := range fit {
		p.found = append(p.found, f.choice)
	}
	p.show(m, 0)
}

// show makes the rows anew, with one of them selected.
func (p *palette) show(m *Model, selected int) {
	rows := &frame.Choices{High: paletteRows, Empty: p.empty()}
	for _, list := range [][]choice{p.found, p.texts} {
		for i := range list {
			rows.Rows = append(rows.Rows, list[i].Choice)
		}
	}
	rows.Selected = max(0, min(selected, len(rows.Rows)-1))
	p.rows = rows
	n, of := len(rows.Rows), len(p.all)+len(p.texts)
	p.sheets = frame.Sheet{Title: p.title(), Count: fmt.Sprintf("%s of %s", grouped(uint64(n)), grouped(uint64(of))), Choices: rows, Keys: p.keys()}
	p.sheets.Input = frame.Input{On: true, Text: p.line.text, Cursor: p.line.cursor}
	m.draws.dirty = true
}

// empty is what stands where nothing is found.
func (p *palette) empty() string {
	switch {
	case p.search.under():
		return "Looking through the panes' text…"
	case p.only == "start" && p.asking:
		return "Looking for agents…"
	case p.only == "start" && len(p.all) == 0:
		return "No agent is in PATH: install one, or name yours in config.toml."
	}
	return "Nothing matches."
}

func (p *palette) title() string {
	if p.only == "start" {
		return "Start an agent"
	}
	return "Palette"
}

// keys are those that do something with what is selected.
func (p *palette) keys() (h frame.Hints) {
	n := 0
	add := func(key, verb string) { h[n] = frame.Hint{Key: key, Verb: verb}; n++ }
	if c := p.selected(); c != nil {
		add("enter", "go")
		if c.other != nil {
			add("tab", c.verb)
		}
		add("ctrl+y", "copy")
	}
	add("esc", "close")
	return h
}

// selected is the choice that is selected; nil: there is none.
func (p *palette) selected() *choice {
	switch i := p.rows.Selected; {
	case i < len(p.found):
		return &p.found[i]
	case i < len(p.found)+len(p.texts):
		return &p.texts[i-len(p.found)]
	}
	return nil
}

func (*palette) chip() string         { return "palette" }
func (p *palette) sheet() frame.Sheet { return p.sheets }

func (p *palette) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	if step, moves := paletteMoves[name]; moves {
		p.show(m, p.rows.Selected+step)
		return nil
	}
	c := p.selected()
	switch {
	case name == "esc" || name == "ctrl+c":
		return p.leave(m, nil)
	case name == "enter" && c != nil:
		return p.leave(m, c.do)
	case name == "tab" && c != nil && c.other != nil:
		return p.leave(m, c.other)
	case name == "ctrl+y" && c != nil:
		text := c.text
		if text == "" {
			text = c.Text
		}
		return both(p.leave(m, nil), m.copyOut([]byte(text), false))
	case name == "enter" || name == "tab" || name == "ctrl+y":
		return nil
	}
	was := p.line.text
	p.line.edit(name, k)
	return p.typed(m, was)
}

// leave closes the palette, and does what was chosen.
func (p *palette) leave(m *Model, do func(*Model) tea.Cmd) tea.Cmd {
	p.search.stop()
	cmd := m.enter(passThrough{}, 0)
	if do == nil {
		return cmd
	}
	return both(cmd, do(m))
}

// paletteMoves is how far a key moves the selection.
var paletteMoves = map[string]int{
	"up": -1, "ctrl+p": -1, "down": 1, "ctrl+n": 1, "pgup": -paletteRows, "pgdown": paletteRows,
}

// typed takes another text.
func (p *palette) typed(m *Model, was string) tea.Cmd {
	if p.line.text == was { // only its cursor moved
		p.show(m, p.rows.Selected)
		return nil
	}
	p.search.stop()
	p.texts = nil
	cmd := p.searchLater(m)
	p.find(m)
	return cmd
}

// insert takes a paste.
func (p *palette) insert(m *Model, text string) tea.Cmd {
	was := p.line.text
	p.line.insert(text)
	return p.typed(m, was)
}
