package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/frame"
)

const (
	// searchRest is how long nothing must be typed before panes are searched.
	searchRest = 150 * time.Millisecond
	// searchTime is how long a search may take; what is found by then is shown.
	searchTime = 2 * time.Second
	// leastText is how many letters of a text are looked for at least: fewer are
	// everywhere.
	leastText = 3
	// Most lines that are found, in one pane and in all: the newest.
	linesOfPane = 5
	linesOfAll  = 50
	// beforeHit is how much of a line stands before what was found, in letters.
	beforeHit = 24
)

// textMark begins what is looked for in the panes' text alone.
const textMark = "/"

// textSearch is the search in the panes' text. One runs at a time.
type textSearch struct {
	serial int // an older one means nothing
	cancel context.CancelFunc
	waits  bool
}

func (s *textSearch) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel, s.waits = nil, false
	s.serial++
}

// under reports whether one is under way, or about to be.
func (s *textSearch) under() bool { return s.waits || s.cancel != nil }

// textOnly reports whether only the panes' text is looked through.
func (p *palette) textOnly() bool { return p.only == "" && strings.HasPrefix(p.line.text, textMark) }

// wanted is the text that is looked for; "": none.
func (p *palette) wanted() string {
	text := strings.TrimSpace(strings.TrimPrefix(p.line.text, textMark))
	if p.only != "" || utf8.RuneCountInString(text) < leastText {
		return ""
	}
	return text
}

// searchLater searches once nothing was typed for a while.
func (p *palette) searchLater(m *Model) tea.Cmd {
	if p.wanted() == "" {
		return nil
	}
	p.search.waits = true
	return m.after(searchRest, searchMsg{p, p.search.serial})
}

// searchMsg comes when it is time to search.
type searchMsg struct {
	palette *palette
	serial  int
}

func (s searchMsg) apply(m *Model) tea.Cmd {
	p := s.palette
	if m.mode != mode(p) || p.search.serial != s.serial {
		return nil
	}
	pattern, err := vt.NewPattern(p.wanted(), false)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(m.ctx, searchTime)
	p.search.cancel, p.search.waits = cancel, false
	look := textLook{typed: p.wanted(), pattern: pattern, in: m.searched()}
	return m.run(func(context.Context) tea.Msg {
		defer cancel()
		return textsMsg{p, s.serial, look.all(ctx)}
	})
}

// searched is one pane whose text is looked through.
type searched struct {
	place
	term       *panes.Terminal
	name, note string
}

// searched are all panes of all sessions, the focused one first.
func (m *Model) searched() (list []searched) {
	for _, c := range m.cards() {
		if c.term != nil {
			list = append(list, searched{place{session: c.host, pane: c.pane}, c.term, c.name, c.where})
		}
	}
	at := slices.IndexFunc(list, func(s searched) bool { return s.pane == m.view.focus })
	if at > 0 {
		list[0], list[at] = list[at], list[0]
	}
	return list
}

// textLook looks through panes, one after the other.
type textLook struct {
	typed   string
	pattern *vt.Pattern
	in      []searched
	page    vt.Screen
}

// textLine is a line that was found.
type textLine struct {
	typed   string
	pattern *vt.Pattern
	term    *panes.Terminal
	at      vt.Pos
	cuts    uint64 // a line's number means nothing once this is another
	last    int    // the how manieth match from the end it is, from 1
}

// foundLine is a line as it is shown.
type foundLine struct {
	searched
	textLine
	number uint64 // from 1
	text   string
	hit    int // where it begins in text, in bytes
	length int
}

// all are the lines that were found in the time that there was.
func (l *textLook) all(ctx context.Context) (lines []foundLine) {
	for _, in := range l.in {
		if len(lines) >= linesOfAll || ctx.Err() != nil {
			break
		}
		lines = append(lines, l.pane(ctx, in)...)
	}
	return lines[:min(len(lines), linesOfAll)]
}

// pane are the newest lines that were found in a pane, the newest first.
func (l *textLook) pane(ctx context.Context, in searched) (lines []foundLine) {
	type match struct {
		vt.Span
		number int
	}
	var kept []match
	n := 0
	f := in.term.Find(ctx, l.pattern, 0, func(s vt.Span) {
		n++
		if k := len(kept); k > 0 && kept[k-1].From.Line == s.From.Line {
			return
		}
		if len(kept) == linesOfPane {
			kept = append(kept[:0], kept[1:]...)
		}
		kept = append(kept, match{s, n})
	})
	for _, s := range slices.Backward(kept) {
		x, first, ok := in.term.Window(&l.page, s.From.Line)
		row := int(s.From.Line - first)
		if !ok || x.Cuts != f.Cuts || s.From.Line < first || row >= l.page.Rows {
			continue
		}
		line := foundLine{searched: in, textLine: textLine{l.typed, l.pattern, in.term, s.From, f.Cuts, n - s.number + 1}, number: s.From.Line - x.First + 1}
		line.take(&l.page, row, s.Span)
		lines = append(lines, line)
	}
	return lines
}

// take reads the text of a row, from a little before what was found.
func (f *foundLine) take(page *vt.Screen, row int, s vt.Span) {
	cells := page.Row(row)
	var b []byte
	hit, end := -1, -1
	from := max(0, s.From.Col-beforeHit)
	if from < 2*beforeHit/3 {
		from = 0
	}
	for x := from; x < len(cells); x++ {
		if x == s.From.Col {
			hit = len(b)
		}
		if s.To.Line == s.From.Line && x == s.To.Col+1 {
			end = len(b)
		}
		b = page.AppendText(b, cells[x])
	}
	if end < 0 {
		end = len(b)
	}
	text := string(b)
	if hit < 0 {
		hit, end = 0, 0
	}
	lead := len(text) - len(strings.TrimLeft(text, " "))
	if lead > hit {
		lead = hit
	}
	text = strings.TrimRight(text[lead:], " ")
	f.text, f.hit, f.length = text, hit-lead, max(0, min(end-lead, len(text))-(hit-lead))
	if from > 0 {
		f.text, f.hit = "…"+f.text, f.hit+len("…")
	}
}

// textsMsg brings what was found in the panes' text.
type textsMsg struct {
	palette *palette
	serial  int
	lines   []foundLine
}

func (t textsMsg) apply(m *Model) tea.Cmd {
	p := t.palette
	if m.mode != mode(p) || p.search.serial != t.serial {
		return nil
	}
	p.search.cancel = nil
	p.texts = nil
	for _, f := range t.lines {
		p.texts = append(p.texts, f.choice())
	}
	p.show(m, p.rows.Selected)
	return nil
}

func (f *foundLine) choice() choice {
	head := fmt.Sprintf("%s :%d ", f.name, f.number)
	text := clean(f.text)
	c := choice{Choice: frame.Choice{Kind: "text", Text: head + text, Note: f.note}, text: f.text}
	if text == f.text { // else places in it mean nothing
		for i := range f.length {
			c.Hits = append(c.Hits, len(head)+f.hit+i)
		}
	}
	to, line := f.place, f.textLine
	to.line = &line
	c.do = func(m *Model) tea.Cmd { return m.goTo(to) }
	return c
}

// showLine shows a line in copy mode, as a search for it would. Where the lines were
// cut anew since it was found, it is the same match counted from the end.
func (m *Model) showLine(id panes.PaneID, l *textLine) tea.Cmd {
	p := m.view.panes[id]
	if p == nil || p.term != l.term {
		return m.say("That text is gone.", false)
	}
	c := m.copyMode(p)
	if c == nil {
		return nil
	}
	c.find.stop()
	c.find.text, c.find.plain, c.find.step, c.find.jump = l.typed, true, -1, false
	c.Look(l.pattern)
	if x, ok := l.term.Extent(); ok && (x.Cuts != l.cuts || l.at.Line < x.First) {
		c.find.origin, c.find.jump, c.find.nth = vt.Pos{Line: x.End}, true, l.last
	} else {
		c.Return(l.at)
	}
	return m.searchOn(id, p)
}
