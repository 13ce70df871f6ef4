package frame

import (
	"strings"

	"reprise/panes"
	"reprise/ui/theme"
)

// maxColumns is how many columns of keys a sheet has at most; alignedKeys is the
// widest of what stands before verbs that begin in one place.
const (
	maxColumns  = 4
	alignedKeys = 8
)

// Columns is keys and what they do, in as many columns as there is room for. Only
// a sheet in which not all of them fit shows its own keys: those that scroll.
type Columns struct {
	Hints []Hint
	First int // the first row that is shown, as far as there are more
}

// column is one column of keys: where its verbs begin, and its width.
type column struct {
	hints       []Hint
	keys, whole int
}

func newColumn(hints []Hint) column {
	c := column{hints: hints}
	for _, h := range hints {
		if n := width(h.Key); n <= alignedKeys {
			c.keys = max(c.keys, n)
		}
	}
	for _, h := range hints {
		c.whole = max(c.whole, max(c.keys, width(h.Key))+1+width(h.Verb))
	}
	return c
}

// lay spreads the keys over the most columns that fit in w cells, each read
// downward; one column may be wider than that.
func (c *Columns) lay(w int) (out []column, rows int) {
	for n := maxColumns; n >= 1; n-- {
		rows = (len(c.Hints) + n - 1) / n
		out = out[:0]
		total := 0
		for rest := c.Hints; len(rest) > 0; rest = rest[min(rows, len(rest)):] {
			col := newColumn(rest[:min(rows, len(rest))])
			total += col.whole + wideGap
			out = append(out, col)
		}
		if total-wideGap <= w {
			break
		}
	}
	return out, rows
}

// room is the width of a sheet's text and the most rows that it has.
func room(s panes.Size) (w, most int) { return min(maxText, s.Cols-4), max(1, s.Rows-4) }

// Page is how many rows a terminal of the given size shows of the keys, and the
// last row that can be the first one shown.
func (c *Columns) Page(s panes.Size) (rows, last int) {
	w, most := room(s)
	_, all := c.lay(w)
	if all <= most {
		return all, 0
	}
	most = max(1, most-1) // its own keys
	return most, all - most
}

// columnRows are the rows of a sheet of keys.
func (c *Composer) columnRows(s *Scene) (out []sheetRow) {
	l := s.Sheet.Columns
	w, _ := room(s.Size)
	cols, all := l.lay(w)
	n, last := l.Page(s.Size)
	first := min(max(l.First, 0), last)
	for y := first; y < min(first+n, all); y++ {
		var r []run
		for i, col := range cols {
			if y >= len(col.hints) {
				continue
			}
			if i > 0 {
				r = append(r, run{text: strings.Repeat(" ", wideGap), on: theme.OnBar})
			}
			h := col.hints[y]
			at := max(col.keys, width(h.Key)) + 1
			r = append(r,
				run{text: h.Key, token: theme.Accent, bold: true, on: theme.OnBar},
				run{text: strings.Repeat(" ", at-width(h.Key)), on: theme.OnBar},
				run{text: Cut(h.Verb, max(1, w-at), c.mark), token: theme.Muted, on: theme.OnBar},
				run{text: strings.Repeat(" ", col.whole-at-width(h.Verb)), on: theme.OnBar})
		}
		out = append(out, sheetRow{runs: r})
	}
	if last > 0 {
		out = append(out, sheetRow{runs: hintRuns(s.Sheet.Keys.list(), wideGap, theme.OnBar)})
	}
	return out
}

// Find is what a person typed to narrow a list down, and how the list shows it.
type Find struct {
	Words string // as typed; matches of each word are marked
	Empty string // stands in the list if nothing matches
	Rows  int    // that the list has, whatever matches: nothing moves while one types
}

// findHint stands where nothing was typed yet.
const findHint = "type to filter"

// findRows are up to n rows of a list that can be narrowed down: the words, then
// what matches, keys in the first column.
func (c *Composer) findRows(l *List, w, n int) []sheetRow {
	mark := promptMark
	if c.ascii {
		mark = promptASCII
	}
	words := run{text: Cut(l.Find.Words, max(1, w-3), c.mark), on: theme.OnBar}
	out := []sheetRow{{runs: []run{{text: mark, token: theme.Accent, bold: true, on: theme.OnBar}, {text: " ", on: theme.OnBar}, words, {text: " ", on: theme.OnSel}}}}
	if l.Find.Words == "" {
		out[0].runs = append(out[0].runs, run{text: findHint, token: theme.Muted, on: theme.OnBar})
	}
	high := min(n, l.Find.Rows+1)
	if len(l.Rows) == 0 {
		out = append(out, sheetRow{runs: []run{{text: Cut(l.Find.Empty, w, c.mark), token: theme.Muted, on: theme.OnBar}}})
	}
	widths := columnWidths(l, c.ascii)
	if len(widths) > 1 {
		widths[0] = min(widths[0], w/2) // what keys do is to be seen, too
	}
	first := max(0, min(l.Selected-(high-1)/2, len(l.Rows)-(high-1)))
	for i := first; i < len(l.Rows) && len(out) < high; i++ {
		out = append(out, c.foundRow(l, i, widths, w))
	}
	for len(out) < high {
		out = append(out, sheetRow{})
	}
	return out[:max(1, min(len(out), n))]
}

// foundRow is one row of such a list: what does not fit goes from the right.
func (c *Composer) foundRow(l *List, i int, widths []int, w int) sheetRow {
	on := theme.OnBar
	if i == l.Selected {
		on = theme.OnSel
	}
	row := sheetRow{selected: i == l.Selected}
	for col, s := range l.Rows[i] {
		if w <= wideGap {
			break
		}
		tok := theme.Text
		switch {
		case col == 0:
			tok = theme.Accent
		case col == len(l.Rows[i])-1 && col > 1:
			tok = theme.Muted
		}
		s = Cut(s, min(w, widths[col]), c.mark)
		row.runs = append(row.runs, marked(s, l.Find.Words, run{token: tok, bold: col == 0 || row.selected, on: on})...)
		row.runs = append(row.runs, run{text: strings.Repeat(" ", widths[col]-width(s)+wideGap), on: on})
		w -= widths[col] + wideGap
	}
	return row
}

func columnWidths(l *List, ascii bool) []int {
	var widths []int
	for _, cells := range l.Rows {
		for i, s := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(prose(s, ascii)))
		}
	}
	return widths
}

// marked are the runs of a text in which the words that were looked for are
// accented, the first match of each.
func marked(s, words string, as run) []run {
	hit := make([]bool, len(s))
	low := strings.ToLower(s)
	for _, word := range strings.Fields(strings.ToLower(words)) {
		at := strings.Index(low, word)
		if at < 0 || len(low) != len(s) { // the case of a letter changed its length
			continue
		}
		for i := at; i < at+len(word); i++ {
			hit[i] = true
		}
	}
	var out []run
	for from := 0; from < len(s); {
		to := from + 1
		for to < len(s) && hit[to] == hit[from] {
			to++
		}
		r := as
		r.text = s[from:to]
		if hit[from] {
			r.token, r.bold = theme.Accent, true
		}
		out = append(out, r)
		from = to
	}
	return out
}
