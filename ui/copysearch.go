package ui

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/copymode"
	"reprise/ui/frame"
)

// finding is the search of copy mode: one at a time looks through the lines, beside
// the event loop.
type finding struct {
	typing bool // its text is being typed
	plain  bool // the text is no expression
	text   string
	last   string // what the text was before it is typed anew
	step   int    // 1 forward, -1 backward
	origin vt.Pos // the cursor when typing began
	jump   bool   // the first match is to be gone to
	near   bool   // and to be shown before all are counted
	counts bool   // it is shown, the others are being counted
	later  int    // so many matches on one is to go then
	nth    int    // or the one so many matches on; 0: the first
	serial int    // of the search; an older one means nothing
	again  bool   // lines came while it looked
	cancel context.CancelFunc
}

func (f *finding) running() bool { return f.cancel != nil }

func (f *finding) stop() {
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
	f.serial++
	f.again, f.near, f.counts, f.later = false, false, false, 0
}

// sign is what stands before the text.
func (f *finding) sign() string {
	if f.step < 0 {
		return "?"
	}
	return "/"
}

// ask begins the typing of a search.
func (f *finding) ask(c *copying, step int) {
	f.typing, f.step, f.origin = true, step, c.Cursor()
	f.last, f.text = f.text, ""
}

// searchHints are the keys while a search is typed.
func searchHints(plain bool) [6]frame.Hint {
	other := "plain text"
	if plain {
		other = "regexp"
	}
	return [6]frame.Hint{{Key: "enter", Verb: "go"}, {Key: "tab", Verb: other}, {Key: "esc", Verb: "close"}}
}

// searchKey takes a key while a search is typed.
func (m *Model) searchKey(p *pane, name, text string) tea.Cmd {
	c := p.copy
	f := &c.find
	switch name {
	case "enter":
		return m.searchTyped(p)
	case "esc", "ctrl+c", "ctrl+g":
		return m.searchLeft(p)
	case "tab":
		f.plain = !f.plain
		return m.typed(p, f.text)
	case "backspace", "ctrl+h":
		if f.text == "" {
			return m.searchLeft(p)
		}
		_, n := utf8.DecodeLastRuneInString(f.text)
		return m.typed(p, f.text[:len(f.text)-n])
	case "ctrl+w":
		rest := strings.TrimRightFunc(f.text, unicode.IsSpace)
		return m.typed(p, rest[:strings.LastIndexFunc(rest, unicode.IsSpace)+1])
	case "ctrl+u":
		return m.typed(p, "")
	case "up", "ctrl+p":
		return m.typed(p, f.last)
	case "space":
		text = " "
	}
	if text == "" || strings.ContainsFunc(text, unicode.IsControl) {
		return nil
	}
	return m.typed(p, f.text+text)
}

// searchTyped ends the typing of a search; without a text it is the one before.
func (m *Model) searchTyped(p *pane) tea.Cmd {
	f := &p.copy.find
	f.typing = false
	if f.text == "" {
		if f.last == "" {
			return nil
		}
		return m.typed(p, f.last)
	}
	if _, n := p.copy.Matches(); n == 0 && !f.running() {
		return m.noMatch(f.text)
	}
	return nil
}

func (m *Model) noMatch(text string) tea.Cmd {
	return m.say("No match for "+text+" in this pane.", false)
}

// searchLeft gives up a search that is being typed.
func (m *Model) searchLeft(p *pane) tea.Cmd {
	f := &p.copy.find
	f.typing = false
	p.copy.Return(f.origin)
	text := f.last
	cmd := m.typed(p, text)
	f.jump = false
	return cmd
}

// typed searches for another text, from where the typing began.
func (m *Model) typed(p *pane, text string) tea.Cmd {
	c := p.copy
	f := &c.find
	for len(text) > vt.MaxPattern {
		_, n := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-n]
	}
	f.stop()
	f.text, f.jump, f.near, f.nth = text, true, true, 0
	c.Look(nil)
	if text == "" {
		c.Return(f.origin)
		return nil
	}
	pattern, err := vt.NewPattern(text, !f.plain)
	if err != nil { // not finished, or no expression
		pattern, err = vt.NewPattern(text, false)
	}
	if err != nil {
		return nil
	}
	c.Look(pattern)
	return m.searchOn(m.idOf(p), p)
}

// idOf is a pane's id.
func (m *Model) idOf(p *pane) panes.PaneID {
	for id, q := range m.view.panes {
		if p == q {
			return id
		}
	}
	return ""
}

// again goes to the n-th next match in the search's direction.
func (m *Model) again(p *pane, n int) tea.Cmd {
	c := p.copy
	if c.Pattern() == nil {
		return m.say("Nothing is searched for yet: "+m.keys.copy.keyOf("search")+" searches.", false)
	}
	if c.find.counts {
		c.find.later += n * c.find.step
		return nil
	}
	if !c.ToMatch(c.Cursor(), n*c.find.step, false) && !c.find.running() {
		return m.noMatch(c.find.text)
	}
	return nil
}

// foundMsg brings what a search found.
type foundMsg struct {
	pane   panes.PaneID
	serial int
	found  panes.Found
	gather *copymode.Gather
}

// searchOn looks for the pattern in the lines that were not searched yet.
func (m *Model) searchOn(id panes.PaneID, p *pane) tea.Cmd {
	c := p.copy
	f := &c.find
	pattern := c.Pattern()
	if pattern == nil {
		return nil
	}
	if f.running() {
		f.again = true
		return nil
	}
	f.again = false
	ctx, cancel := context.WithCancel(m.ctx)
	f.cancel = cancel
	term, serial, from := c.term, f.serial, c.Unsearched()
	if f.near {
		f.near = false
		at, step := f.origin, f.step
		return m.run(func(context.Context) tea.Msg {
			defer cancel()
			return nearMsg{id, serial, term.Nearest(ctx, pattern, at, step)}
		})
	}
	return m.run(func(context.Context) tea.Msg {
		defer cancel()
		g := new(copymode.Gather)
		return foundMsg{id, serial, term.Find(ctx, pattern, from, g.Take), g}
	})
}

// searchEnded is the pane whose search came to an end; nil: it means nothing any more.
func (m *Model) searchEnded(id panes.PaneID, serial int) *pane {
	p := m.view.panes[id]
	if p == nil || p.copy == nil || p.copy.find.serial != serial {
		return nil
	}
	p.copy.find.cancel = nil
	m.touch(p)
	p.copy.Refresh()
	return p
}

// nearMsg brings the nearest match, if there is one.
type nearMsg struct {
	pane   panes.PaneID
	serial int
	near   panes.Near
}

// apply shows it, and looks for all.
func (r nearMsg) apply(m *Model) tea.Cmd {
	p := m.searchEnded(r.pane, r.serial)
	if p == nil {
		return nil
	}
	c := p.copy
	f := &c.find
	g := new(copymode.Gather)
	switch n := r.near; {
	case !n.OK: // all are looked for, if the pane is still there
	case !n.Found:
		c.Add(g, 0, n.Next, n.Cuts)
	case f.jump:
		g.Take(n.Match)
		if c.Add(g, n.Match.From.Line, 0, n.Cuts) {
			f.jump, f.counts = false, true
			c.Return(n.Match.From)
		}
	}
	return m.searchOn(r.pane, p)
}

func (r foundMsg) apply(m *Model) tea.Cmd {
	p := m.searchEnded(r.pane, r.serial)
	if p == nil {
		return nil
	}
	c := p.copy
	f := &c.find
	f.counts = false
	if !r.found.OK || !c.Add(r.gather, r.found.From, r.found.Next, r.found.Cuts) {
		if _, ok := c.term.Extent(); !ok || m.ctx.Err() != nil {
			return nil
		}
		c.Look(c.Pattern()) // the lines were cut anew
		return m.searchOn(r.pane, p)
	}
	var cmd tea.Cmd
	if f.jump {
		n := max(1, f.nth)
		f.jump, f.nth = false, 0
		if !c.ToMatch(f.origin, n*f.step, false) {
			c.Return(f.origin)
			if !f.typing {
				cmd = m.noMatch(f.text)
			}
		}
	}
	if f.later != 0 {
		c.ToMatch(c.Cursor(), f.later, false)
		f.later = 0
	}
	if f.again {
		cmd = both(cmd, m.searchOn(r.pane, p))
	}
	return cmd
}
