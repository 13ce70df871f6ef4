package frame

import (
	"reprise/panes/vt"
	"reprise/ui/theme"
)

// Reader is the look for a person who hears the screen: no lines and no marks, which
// would be spelt, and at the foot one line of plain text in place of the status bar.
type Reader struct {
	On   bool
	Line string
}

// maxReaderRows is how many rows a long line gets where no sheet stands: what it says
// last are keys.
const maxReaderRows = 3

// readerRows are the rows of the line.
func (c *Composer) readerRows(s *Scene) []string {
	if !s.Reader.On {
		return nil
	}
	most := maxReaderRows
	if s.Sheet.Title != "" || s.History != nil {
		most = 1
	}
	return Wrap(prose(s.Reader.Line, true), s.Size.Cols, most, c.mark)
}

// readerLine draws the line at the foot; false: there is none.
func (c *Composer) readerLine(s *Scene) bool {
	if !s.Reader.On {
		return false
	}
	rows := c.readerRows(s)
	for i, row := range rows {
		c.runs(0, s.Size.Rows-len(rows)+i, s.Size.Cols, []run{{text: row, token: theme.Text}})
	}
	return true
}

// readerCursor is the cursor where the text is that counts: what is typed, a list's
// selected row, a sheet's first one, the line at the foot if the focused pane's program is gone. Not
// visible: it is where it is for everybody.
func (c *Composer) readerCursor(s *Scene) vt.Cursor {
	if s.Sheet.Title != "" {
		if s.Sheet.Input.On {
			return c.inputCursor(s)
		}
		y := c.sheetTop(s) + 1
		for i, row := range c.sheetRows(s) {
			if row.selected {
				y += i
				break
			}
		}
		return vt.Cursor{X: sheetText, Y: y, Visible: true}
	}
	if s.History != nil {
		return c.historyCursor(s)
	}
	for i := range s.Panes {
		if s.Panes[i].Focus && s.Panes[i].Dead {
			return vt.Cursor{Y: s.Size.Rows - max(1, len(c.readerRows(s))), Visible: true}
		}
	}
	return vt.Cursor{}
}
