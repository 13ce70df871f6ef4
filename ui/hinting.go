package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/frame"
	"reprise/ui/hints"
)

// hinting puts labels on what a pane shows that is worth copying or opening: links,
// paths, hashes, addresses. Typing a label copies what it is on, with shift it is
// opened. What is shown meanwhile stands still.
type hinting struct {
	plain
	pane   panes.PaneID
	source string    // names what screen shows, for the frame
	shown  vt.Screen // as the pane showed it
	screen vt.Screen // with the labels
	all    []hints.Hint
	labels []string // of all
	typed  string
	open   bool // one of the letters typed was a capital
	drawn  uint64
}

const hintChip = "hints"

var hintKeys = [6]frame.Hint{{Key: "a-z", Verb: "copy"}, {Key: "A-Z", Verb: "open"}, {Key: "esc", Verb: "close"}}

func (*hinting) chip() string { return hintChip }

// showHints puts labels on what the focused pane shows.
func showHints(m *Model) tea.Cmd {
	p := m.view.focused()
	if p == nil || p.term == nil || p.hold.on() {
		return m.say("This pane has no text to look at.", false)
	}
	h := &hinting{pane: m.view.focus, source: "hints of " + string(p.term.ID())}
	copyScreen(&h.shown, p.seen())
	if h.all = hints.Find(&h.shown); len(h.all) == 0 {
		return m.say("No link, path, hash or address is in sight in this pane.", false)
	}
	h.labels = hints.Labelled(h.all)
	h.draw(m)
	m.hush()
	return m.enter(h, 0)
}

// copyScreen makes a screen that changes no more.
func copyScreen(dst, src *vt.Screen) {
	dst.Cols, dst.Rows, dst.Links, dst.Clusters = src.Cols, src.Rows, src.Links, src.Clusters
	dst.Cells, dst.Wrapped, dst.Gen = slices.Clone(src.Cells), slices.Clone(src.Wrapped), slices.Clone(src.Gen)
}

// draw marks what can still be meant, and writes the rest of its label on it.
func (h *hinting) draw(m *Model) {
	s := &h.screen
	copyScreen(s, &h.shown)
	h.drawn++
	for y := range s.Gen {
		s.Gen[y] = h.drawn
	}
	for i, hint := range h.all {
		rest, can := strings.CutPrefix(h.labels[i], h.typed)
		if !can {
			continue
		}
		for _, r := range hint.Runs {
			frame.Hit.Paint(s.Row(r.Row)[r.From:r.To], m.outer.palette)
		}
		at := hint.Runs[0]
		for n := range min(len(rest), at.To-at.From) {
			put(s.Row(at.Row), at.From+n, rune(rest[n]))
		}
		frame.Label.Paint(s.Row(at.Row)[at.From:min(at.From+len(rest), at.To)], m.outer.palette)
	}
	m.draws.dirty = true
}

// put puts a letter into a cell of a row; of a wide character that it cuts nothing
// stays.
func put(row []vt.Cell, x int, r rune) {
	switch {
	case row[x].Rune == 0 && x > 0:
		row[x-1].Rune, row[x-1].Attr = ' ', row[x-1].Attr&^vt.Wide
	case row[x].Attr&vt.Wide != 0 && x+1 < len(row):
		row[x+1].Rune = ' '
	}
	row[x].Rune, row[x].Attr, row[x].Link = r, row[x].Attr&^vt.Wide, 0
}

// show takes the place of a pane's screen in a frame.
func (h *hinting) show(fp *frame.Pane) {
	fp.Screen, fp.Source = &h.screen, h.source
	fp.Dead, fp.Strip = false, frame.Strip{}
}

func (h *hinting) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	switch {
	case name == "":
		return nil
	case name == m.keys.prefix:
		m.enter(passThrough{}, 0)
		return m.prefixed()
	case name == "esc" || name == "ctrl+c" || m.view.panes[h.pane] == nil:
		return m.enter(passThrough{}, 0)
	case name == "backspace":
		h.typed, h.open = h.typed[:max(0, len(h.typed)-1)], false
		h.draw(m)
		return nil
	case len(name) > 1:
		return nil
	}
	typed := h.typed + strings.ToLower(name)
	capital := h.open || name != strings.ToLower(name)
	if i := slices.Index(h.labels, typed); i >= 0 {
		return both(m.enter(passThrough{}, 0), m.pick(h.pane, h.all[i], capital))
	}
	if slices.ContainsFunc(h.labels, func(l string) bool { return strings.HasPrefix(l, typed) }) {
		h.typed, h.open = typed, capital
		h.draw(m)
	}
	return nil
}

// pick copies or opens what was found. What cannot be opened is copied.
func (m *Model) pick(id panes.PaneID, h hints.Hint, open bool) tea.Cmd {
	if open && (h.Kind == hints.Link || h.Kind == hints.Path) {
		return m.openHint(id, h)
	}
	return m.copyOut([]byte(h.Text), false)
}
