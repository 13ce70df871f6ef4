package frame

import (
	"reprise/panes/vt"
	"reprise/ui/theme"
)

// sheetText is the column at which a sheet's text begins.
const sheetText = 2

// inputRow is the row of a line that is typed, in w cells; of a longer one it shows
// what stands round the cursor.
func (c *Composer) inputRow(in *Input, w int) sheetRow {
	mark := promptMark
	if c.ascii {
		mark = promptASCII
	}
	left, right := in.parts(w - width(mark) - 1)
	return sheetRow{runs: []run{
		{text: mark, token: theme.Accent, on: theme.OnBar},
		{text: " " + left + right, token: theme.Text, on: theme.OnBar},
	}}
}

// parts is what n cells show of the line, left and right of the cursor. The cursor
// has a cell of its own.
func (in *Input) parts(n int) (left, right string) {
	left = tail(in.Text[:in.Cursor], n-1)
	return left, head(in.Text[in.Cursor:], n-width(left))
}

// inputCursor is the cursor in the line that a sheet asks for.
func (c *Composer) inputCursor(s *Scene) vt.Cursor {
	in := &s.Sheet.Input
	if !in.On {
		return vt.Cursor{}
	}
	w := min(maxText, s.Size.Cols-4)
	left, _ := in.parts(w - width(promptMark) - 1)
	x := sheetText + width(promptMark) + 1 + width(left)
	return vt.Cursor{X: min(x, s.Size.Cols-1), Y: c.sheetTop(s) + 1, Visible: true}
}
