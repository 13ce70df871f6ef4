package frame

import "reprise/ui/theme"

// maxText is the widest that a sheet's text gets.
const maxText = 110

// sheetRows are the rows of a sheet under its rule, for a frame of the given
// size. When space runs out blank rows go first, then the comfort; the
// consequence and the keys stay.
func (c *Composer) sheetRows(s *Scene) [][]run {
	w, most := min(maxText, s.Size.Cols-4), s.Size.Rows-3-1
	para := func(text string, tok theme.Token, rows int) (out [][]run) {
		for _, l := range Wrap(prose(text, c.ascii), w, rows, c.mark) {
			out = append(out, []run{{text: l, token: tok, on: theme.OnBar}})
		}
		return out
	}
	var keys [][]run
	for _, row := range wrapKeys(s.Sheet.Keys.list(), w, wideGap) {
		keys = append(keys, hintRuns(row, wideGap, theme.OnBar))
	}
	text := para(s.Sheet.Text, theme.Text, max(1, most-len(keys)))
	if free := most - len(keys) - len(text); free > 0 && s.Sheet.Comfort != "" {
		text = append(text, para(s.Sheet.Comfort, theme.Muted, free)...)
	}
	if len(text)+len(keys) < most {
		text = append(text, nil)
	}
	return append(text, keys...)
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
	y := c.sheetTop(s)
	c.runs(1, y, s.Size.Cols-2, []run{
		{text: " ", on: theme.OnBar},
		{text: Cut(s.Sheet.Title, s.Size.Cols-4, c.mark), bold: true, on: theme.OnBar},
		{text: " ", on: theme.OnBar},
	})
	for i, row := range c.sheetRows(s) {
		c.fill(0, y+1+i, s.Size.Cols, theme.OnBar)
		c.runs(2, y+1+i, s.Size.Cols-4, row)
	}
}
