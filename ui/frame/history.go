package frame

import (
	"strings"

	"reprise/panes/vt"
	"reprise/ui/theme"
)

// History is the view of past sessions, in place of the panes: a list that is narrowed
// down by typing and, where there is room, what is selected beside it (look.md §5).
// Another one is another pointer.
type History struct {
	Title, Scope, Count string
	Input               Input
	Rows                []HistoryRow
	Selected            int
	Empty               string // stands in the list if there are no rows
	Preview             Preview
	Alone               bool // the preview takes the place of the list where only one has room
}

// HistoryRow is one session of the list, or the directory over some of them.
type HistoryRow struct {
	Dir  string // with the home as ~; then it is no session
	Kind string
	Text string
	Hits []int // the letters of Text that match, in bytes and ascending
	Note string
	Open bool
}

// Preview is what is known of a session.
type Preview struct {
	Kind, Facts string
	Said        []Said
}

// Said is something that was said: lines are kept.
type Said struct {
	Who, Text string
}

// MinPreviewCols is the least width of a terminal that shows list and preview.
const MinPreviewCols = 90

// historyLabel is the column of the kinds, in cells.
const historyLabel = 8

// historyArea is where list and preview stand: their first column and their width; 0
// wide is not shown.
func historyArea(s *Scene) (list, preview, at int) {
	w := s.Size.Cols
	switch {
	case w >= MinPreviewCols:
		list = w * 45 / 100
		return list, w - list - 1, list + 1
	case s.History.Alone:
		return 0, w, 0
	}
	return w, 0, 0
}

// historyTop is the row of what is typed, and the first of the list.
func historyTop(s *Scene) (input, rows int) {
	if s.Size.Rows < 14 {
		return 1, 2
	}
	return 2, 4
}

// history draws the view over the whole area of the panes.
func (c *Composer) history(s *Scene) {
	h, bottom := s.History, s.Size.Rows-1
	list, preview, at := historyArea(s)
	if list > 0 {
		for x := range list {
			c.rules.arm(x, 0, left, heavy, theme.Accent)
			c.rules.arm(x, 0, right, heavy, theme.Accent)
		}
	}
	if preview > 0 {
		weight, tok := uint8(light), theme.Rule
		if list == 0 {
			weight, tok = heavy, theme.Accent
		}
		for x := at; x < at+preview; x++ {
			c.rules.arm(x, 0, left, weight, tok)
			c.rules.arm(x, 0, right, weight, tok)
		}
	}
	if list > 0 && preview > 0 {
		c.rules.arm(list, 0, left, heavy, theme.Accent)
		c.rules.arm(list, 0, right, light, theme.Rule)
		c.rules.arm(list, 0, down, heavy, theme.Accent)
		for y := 1; y < bottom; y++ {
			c.rules.arm(list, y, up, heavy, theme.Accent)
			if y < bottom-1 {
				c.rules.arm(list, y, down, heavy, theme.Accent)
			}
		}
	}
	c.joints()
	if list > 0 {
		c.historyList(s, list, bottom)
	}
	if preview > 0 {
		c.historyPreview(&h.Preview, at, preview, bottom, list == 0)
	}
}

func (c *Composer) historyList(s *Scene, w, bottom int) {
	h := s.History
	used := c.runs(1, 0, w-2, []run{
		{text: " " + h.Title, token: theme.Text, bold: true}, {text: "  " + h.Scope + " ", token: theme.Muted},
	})
	if n := width(h.Count) + 2; used+n+3 < w {
		c.runs(w-1-n, 0, n, []run{{text: " " + h.Count + " ", token: theme.Muted}})
	}
	y, first := historyTop(s)
	row := c.inputRow(&h.Input, w-4)
	for i := range row.runs {
		row.runs[i].on = theme.OnPane
	}
	c.runs(sheetText, y, w-3, row.runs)
	n := bottom - first
	if len(h.Rows) == 0 {
		c.runs(sheetText, first, w-3, []run{{text: Cut(h.Empty, w-3, c.mark), token: theme.Muted}})
		return
	}
	from := max(0, min(h.Selected-n/2, len(h.Rows)-n))
	for i := from; i < min(from+n, len(h.Rows)); i++ {
		c.historyRow(&h.Rows[i], first+i-from, w, i == h.Selected)
	}
}

// historyRow is one row: agent, first prompt, and at the right when. In narrow lists
// that goes first, then the text is cut, then the agent goes.
func (c *Composer) historyRow(r *HistoryRow, y, w int, selected bool) {
	if r.Dir != "" {
		c.runs(1, y, w-2, []run{{text: CutPath(r.Dir, w-2, c.mark), token: theme.Muted}})
		return
	}
	on := c.row(y, w, selected)
	x, room := sheetText, w-sheetText-1
	if w >= 40 {
		kind := Cut(r.Kind, historyLabel, c.mark)
		c.runs(x, y, historyLabel, []run{{text: kind, token: theme.Muted, on: on}})
		x, room = x+historyLabel+narrowGap, room-historyLabel-narrowGap
	}
	if n := width(r.Note); n > 0 && room-n-narrowGap >= 16 {
		tok := theme.Muted
		if r.Open {
			tok = theme.Text
		}
		c.runs(x+room-n, y, n, []run{{text: r.Note, token: tok, on: on}})
		room -= n + narrowGap
	}
	short, hits := Cut(r.Text, room, c.mark), r.Hits
	for kept := len(short) - len(c.mark); short != r.Text && len(hits) > 0 && hits[len(hits)-1] >= kept; {
		hits = hits[:len(hits)-1] // it is cut off
	}
	c.runs(x, y, room, hitRuns(short, hits, run{token: theme.Text, bold: selected, on: on}))
}

func (c *Composer) historyPreview(p *Preview, at, w, bottom int, alone bool) {
	tok := theme.Muted
	if alone {
		tok = theme.Text
	}
	c.runs(at+1, 0, w-2, []run{{text: " Preview ", token: tok, bold: alone}})
	if p.Kind == "" {
		return
	}
	x, room := at+1, w-2
	c.runs(x, 2, room, []run{{text: p.Kind, token: theme.Text, bold: true}})
	c.runs(x, 3, room, []run{{text: Cut(prose(p.Facts, c.ascii), room, c.mark), token: theme.Muted}})
	y := 5
	for i, s := range p.Said {
		free := bottom - y
		if last := len(p.Said) - 1; i < last { // what was said last is seen, too
			free -= 3
		}
		for k, l := range c.lines(s.Text, room-historyLabel, free) {
			if k == 0 {
				c.runs(x, y, historyLabel, []run{{text: Cut(s.Who, historyLabel-1, c.mark), token: theme.Muted}})
			}
			c.runs(x+historyLabel, y, room-historyLabel, []run{{text: l, token: theme.Text}})
			y++
		}
		y++
	}
}

// lines are the first rows of a text of several lines, wrapped to w cells.
func (c *Composer) lines(text string, w, rows int) (out []string) {
	for l := range strings.Lines(text) {
		if left := rows - len(out); left > 0 {
			out = append(out, Wrap(prose(strings.TrimRight(l, "\n"), c.ascii), w, left, c.mark)...)
		}
	}
	return out
}

// historyCursor stands in what is typed.
func (c *Composer) historyCursor(s *Scene) vt.Cursor {
	list, _, _ := historyArea(s)
	if list == 0 {
		return vt.Cursor{}
	}
	y, _ := historyTop(s)
	left, _ := s.History.Input.parts(list - 4 - width(promptMark) - 1)
	return vt.Cursor{X: min(sheetText+width(promptMark)+1+width(left), list-1), Y: y, Visible: true}
}
