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

// inputRows are the rows of a text that is typed: the line with the cursor and, as far
// as there is room, those round it.
func (c *Composer) inputRows(s *Scene, w int) (rows []sheetRow) {
	in := &s.Sheet.Input
	above, below := in.around(s.Size.Rows)
	other := func(line string) {
		rows = append(rows, sheetRow{runs: []run{{text: "  " + Cut(line, w-2, c.mark), token: theme.Muted, on: theme.OnBar}}})
	}
	for _, line := range above {
		other(line)
	}
	rows = append(rows, c.inputRow(in, w))
	for _, line := range below {
		other(line)
	}
	return rows
}

// around are the lines that are in sight beside that with the cursor, in a frame of so
// many rows. A text's other rows and its keys need some.
func (in *Input) around(rows int) (above, below []string) {
	a := in.Around
	if a == nil {
		return nil, nil
	}
	n := min(a.Most, rows/3) - 1
	up := max(0, min(len(a.Above), max(n/2, n-len(a.Below))))
	down := max(0, min(len(a.Below), n-up))
	return a.Above[len(a.Above)-up:], a.Below[:down]
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
	above, _ := in.around(s.Size.Rows)
	return vt.Cursor{X: min(x, s.Size.Cols-1), Y: c.sheetTop(s) + 1 + len(above), Visible: true}
}
