package frame

import (
	"fmt"
	"slices"

	"reprise/panes/vt"
	"reprise/ui/theme"
)

// part is one part of the status bar. Parts with a drop of 0 stay; of the others
// those with the highest drop go first when space runs out.
type part struct {
	runs  []run
	drop  int
	short []run // instead, when its turn comes, and it stays; nil: it goes
	cut   bool  // it may be cut at its end
	tab   int   // the tab that it stands for, from 1
}

// Order in which the status bar's parts go, from first to last. Words that are
// longer than their glyph go last.
const (
	dropClock   = 12
	dropClients = 11
	dropBranch  = 10
	dropWorking = 9
	dropTitle   = 8
	dropHint    = 7
	dropNames   = 6
	dropSession = 5
	dropWords   = 2 // of what needs a person; those of the next parts go before
	dropShown   = 1 // the name of the tab that is shown, for a message
)

func bar(text string, tok theme.Token, bold bool) run {
	return run{text: text, token: tok, bold: bold, on: theme.OnBar}
}

// leftParts and rightParts list the bar's parts in their order (look.md §3).
func (c *Composer) leftParts(s *Scene) []part {
	return c.place(nil, s, s.Bar.Layout.orDefault().Left, " ")
}

func (c *Composer) rightParts(s *Scene) []part {
	b := &s.Bar
	var out []part
	add := func(drop int, runs ...run) { out = append(out, part{runs: runs, drop: drop}) }
	if b.Message != "" {
		var runs []run
		if m := marks[Failed]; b.Failure {
			runs = append(runs, bar(m.show(c.ascii)+" ", m.token, true))
		}
		out = append(out, part{runs: append(runs, bar(prose(b.Message, c.ascii), theme.Text, false)), cut: true})
	}
	waits := "wait"
	if b.Waits == 1 {
		waits = "waits"
	}
	for i, need := range []struct {
		n     int
		state State
		word  string
	}{{b.Waits, Permission, waits}, {b.Failed, Failed, marks[Failed].word}, {b.Resuming, Resuming, marks[Resuming].word}} {
		if need.n > 0 {
			m := marks[need.state]
			short := fmt.Sprintf("%s %d", m.show(c.ascii), need.n)
			out = append(out, part{runs: []run{bar(short+" "+need.word, m.token, m.bold)}, short: []run{bar(short, m.token, m.bold)}, drop: dropWords + i})
		}
	}
	if keys := b.Hint.list(); len(keys) > 0 && b.Message == "" {
		runs := []run{bar(b.Prefix, theme.Accent, true), bar(" then ", theme.Muted, false)}
		turn := dropHint
		if b.Typed > 0 {
			turn = dropShown // how to stop it goes last
		}
		add(turn, append(runs, hintRuns(keys, wideGap, theme.OnBar)...)...)
	}
	if b.Zoomed {
		zoom := []run{bar("zoom", theme.Text, true)}
		if b.Hidden > 0 {
			zoom = append(zoom, bar(fmt.Sprintf(" +%d", b.Hidden), theme.Muted, false))
		}
		add(0, zoom...)
	}
	return c.place(out, s, s.Bar.Layout.orDefault().Right, "")
}

// barTitle is the title of a pane that has no title row, because it is alone or
// zoomed.
func (c *Composer) barTitle(s *Scene) []run {
	if len(s.Panes) != 1 || s.Panes[0].Title.H > 0 {
		return nil
	}
	p := &s.Panes[0]
	t := fitTitle(p, 1<<16, c.ascii)
	if t.name == "" {
		return nil
	}
	runs := []run{bar(t.name, theme.Text, true)}
	if t.dir != "" {
		runs = append(runs, bar(" "+t.dir, theme.Muted, false))
	}
	if t.glyph != "" {
		m := marks[p.State]
		runs = append(runs, bar("  "+t.glyph+" "+t.word, m.token, m.bold))
	}
	return runs
}

func partsWidth(parts []part, gap int) int {
	n := 0
	for i, p := range parts {
		if i > 0 {
			n += gap
		}
		n += runsWidth(p.runs)
	}
	return n
}

func (c *Composer) bar(s *Scene) {
	y, w := s.Size.Rows-1, s.Size.Cols
	c.fill(0, y, w, theme.OnBar)
	x := 0
	if s.Bar.Typed > 0 {
		x = c.chip(0, y, w, fmt.Sprintf("broadcast %d", s.Bar.Typed), theme.Attn)
	}
	if s.Bar.Chip != "" {
		x += c.chip(x, y, w-x, s.Bar.Chip, theme.Accent)
	}
	if c.modeBar(s, x) || c.readerLine(s) {
		return
	}
	l, r := c.leftParts(s), c.rightParts(s)
	need := func() int {
		n := x + partsWidth(l, 0)
		if n > 0 {
			n += narrowGap
		}
		if len(r) > 0 {
			n += partsWidth(r, wideGap) + 1
		}
		return n
	}
	for need() > w && drop(&l, &r) {
	}
	room := partsWidth(l, 0) - max(0, need()-w)
	if s.Bar.Message != "" { // which is cut where both are long
		room = max(room, w/2)
	}
	l = c.fold(l, room)
	r = cut(r, need()-w, c.mark)
	for _, p := range l {
		used := c.runs(x, y, w-x, p.runs)
		if p.tab > 0 {
			c.tabs = append(c.tabs, tabSpan{tab: p.tab - 1, x: x, w: used})
		}
		x += used
	}
	if len(r) == 0 {
		return
	}
	x = max(x, w-1-partsWidth(r, wideGap))
	for i, p := range r {
		if i > 0 {
			x += wideGap
		}
		x += c.runs(x, y, w-x, p.runs)
	}
}

// drop takes the parts away, or shortens them, whose turn it is; false if all that
// is left stays as it is.
func drop(sides ...*[]part) bool {
	turn := 0
	for _, side := range sides {
		for _, p := range *side {
			turn = max(turn, p.drop)
		}
	}
	if turn == 0 {
		return false
	}
	for _, side := range sides {
		*side = slices.DeleteFunc(*side, func(p part) bool { return p.drop == turn && p.short == nil })
		for i := range *side {
			if p := &(*side)[i]; p.drop == turn {
				p.runs, p.short, p.drop = p.short, nil, 0
			}
		}
	}
	return true
}

// leastMessage is how little of a message still says something, in cells.
const leastMessage = 8

// cut shortens the message by over cells: it is the only part that may be cut,
// numbers never are.
func cut(parts []part, over int, mark string) []part {
	if over <= 0 || len(parts) == 0 || !parts[0].cut {
		return parts
	}
	last := &parts[0].runs[len(parts[0].runs)-1]
	n := width(last.text) - over
	if n < leastMessage {
		return parts[1:]
	}
	last.text = Cut(last.text, n, mark)
	return parts
}

// chip is the mode's name, reversed; the colour is lost where it is only weight, the
// reversal is not.
func (c *Composer) chip(x, y, w int, s string, tok theme.Token) int {
	st := c.style(run{token: tok, bold: true, on: theme.OnPane})
	st.Attr |= vt.Reverse
	return c.grid.Text(x, y, min(w, width(s)+2), " "+s+" ", st)
}
