package frame

import (
	"strings"

	"reprise/ui/theme"
)

// maxText is the widest that a sheet's text gets.
const maxText = 110

// sheetRow is one row of a sheet.
type sheetRow struct {
	runs     []run
	selected bool
}

// sheetRows are the rows of a sheet under its rule, for a frame of the given
// size. When space runs out blank rows go first, then the comfort; the
// consequence and the keys stay, and a list shows what lies around its selection.
func (c *Composer) sheetRows(s *Scene) []sheetRow {
	if s.Sheet.Columns != nil {
		return c.columnRows(s)
	}
	w, most := min(maxText, s.Size.Cols-4), s.Size.Rows-3-1
	var keys []sheetRow
	for _, row := range wrapKeys(s.Sheet.Keys.list(), w, wideGap) {
		keys = append(keys, sheetRow{runs: hintRuns(row, wideGap, theme.OnBar)})
	}
	free := max(1, most-len(keys))
	var rows []sheetRow
	if s.Sheet.Input.On {
		rows = append(rows, c.inputRows(s, w)...)
	}
	if s.Sheet.Choices != nil {
		if free > len(rows)+1 {
			rows = append(rows, sheetRow{})
		}
		rows = append(rows, c.choiceRows(s.Sheet.Choices, w, free-len(rows))...)
	} else if s.Sheet.List != nil {
		rows = append(rows, c.listRows(s.Sheet.List, w, free-len(rows))...)
	} else {
		rows = append(rows, c.paragraph(s.Sheet.Text, theme.Text, w, free-len(rows))...)
		if free := most - len(keys) - len(rows); free > 0 && s.Sheet.Comfort != "" {
			rows = append(rows, c.paragraph(s.Sheet.Comfort, theme.Muted, w, free)...)
		}
	}
	if len(rows)+len(keys) < most {
		rows = append(rows, sheetRow{})
	}
	return append(rows, keys...)
}

func (c *Composer) paragraph(text string, tok theme.Token, w, rows int) (out []sheetRow) {
	for _, l := range Wrap(prose(text, c.ascii), w, rows, c.mark) {
		out = append(out, sheetRow{runs: []run{{text: l, token: tok, on: theme.OnBar}}})
	}
	return out
}

// listRows are up to n rows of a list, the selected one among them, in columns.
func (c *Composer) listRows(l *List, w, n int) (out []sheetRow) {
	if l.Find != nil {
		return c.findRows(l, w, n)
	}
	widths := columnWidths(l, c.ascii)
	first := max(0, min(l.Selected-n/2, len(l.Rows)-n))
	for i := first; i < min(first+n, len(l.Rows)); i++ {
		var b strings.Builder
		for col, s := range l.Rows[i] {
			s = prose(s, c.ascii)
			b.WriteString(s)
			b.WriteString(strings.Repeat(" ", widths[col]-width(s)+wideGap))
		}
		r := run{text: Cut(strings.TrimRight(b.String(), " "), w, c.mark), on: theme.OnBar}
		if i == l.Selected {
			r.bold, r.on = true, theme.OnSel
		}
		out = append(out, sheetRow{[]run{r}, i == l.Selected})
	}
	return out
}

// sheetTop is the row of the sheet's rule; the height of the frame without one.
func (c *Composer) sheetTop(s *Scene) int {
	if s.Sheet.Title == "" {
		return s.Size.Rows
	}
	return s.Size.Rows - 1 - len(c.sheetRows(s)) - 1
}

func (c *Composer) sheetRule(s *Scene) {
	if s.Sheet.Title == "" {
		return
	}
	y := c.sheetTop(s)
	for x := range s.Size.Cols {
		if above := c.rules.at(x, y-1); above.arms[down] > 0 {
			c.rules.set(x, y, joint{})
			c.rules.arm(x, y, up, above.arms[down], theme.Accent)
		} else {
			c.rules.set(x, y, joint{})
		}
		c.rules.arm(x, y, left, heavy, theme.Accent)
		c.rules.arm(x, y, right, heavy, theme.Accent)
		for row := y + 1; row < s.Size.Rows; row++ {
			c.rules.set(x, row, joint{})
		}
	}
}

func (c *Composer) sheet(s *Scene) {
	if s.Sheet.Title == "" {
		return
	}
	y, w := c.sheetTop(s), s.Size.Cols
	c.caption(1, y, w-2, s.Sheet.Title, true)
	if n := width(s.Sheet.Count) + 2; s.Sheet.Count != "" && width(s.Sheet.Title)+n+4 < w {
		c.caption(w-1-n, y, n, s.Sheet.Count, false)
	}
	for i, row := range c.sheetRows(s) {
		on := theme.OnBar
		if row.selected {
			on = theme.OnSel
		}
		c.fill(0, y+1+i, w, on)
		if row.selected && !s.Reader.On {
			mark := rowMark
			if c.ascii {
				mark = rowASCII
			}
			c.runs(0, y+1+i, 1, []run{{text: mark, token: theme.Accent, on: on}})
		}
		c.runs(sheetText, y+1+i, w-4, row.runs)
	}
}

// caption is text in a sheet's rule, with a space round it.
func (c *Composer) caption(x, y, n int, text string, bold bool) {
	tok := theme.Text
	if !bold {
		tok = theme.Muted
	}
	c.runs(x, y, n, []run{
		{text: " ", on: theme.OnBar},
		{text: Cut(text, n-2, c.mark), token: tok, bold: bold, on: theme.OnBar},
		{text: " ", on: theme.OnBar},
	})
}
