package panes

import (
	"reprise/panes/vt"
)

// Fit fills dst with src cropped or padded to a size, for a client whose view of
// a pane is smaller or larger than the pane. It keeps the cursor in view: a screen
// that is too high loses rows at its top only as far as its cursor needs, one that
// is too wide likewise at its left. A wide character that is cut becomes a blank.
// dst shares src's links and clusters, and src is not changed.
func Fit(dst, src *vt.Screen, size Size) {
	size = size.clamp()
	left := max(0, min(src.Cursor.X-size.Cols+1, src.Cols-size.Cols))
	top := max(0, min(src.Cursor.Y-size.Rows+1, src.Rows-size.Rows))
	cells, gen := dst.Cells[:0], dst.Gen[:0]
	*dst = vt.Screen{Cols: size.Cols, Rows: size.Rows, Links: src.Links, Clusters: src.Clusters}
	for y := top; y < top+size.Rows; y++ {
		if y >= src.Rows {
			cells, gen = appendBlank(cells, size.Cols), append(gen, 1)
			continue
		}
		row := src.Row(y)
		from := len(cells)
		cells = append(cells, row[min(left, len(row)):min(left+size.Cols, len(row))]...)
		if last := len(cells) - 1; last >= from {
			if cells[from].Rune == 0 {
				cells[from] = blankLike(cells[from])
			}
			if cells[last].Attr&vt.Wide != 0 {
				cells[last] = blankLike(cells[last])
			}
		}
		cells = appendBlank(cells, from+size.Cols-len(cells))
		gen = append(gen, src.Gen[y])
	}
	dst.Cells, dst.Gen = cells, gen
	dst.Cursor = src.Cursor
	dst.Cursor.X -= left
	dst.Cursor.Y -= top
	if dst.Cursor.X < 0 || dst.Cursor.X >= size.Cols || dst.Cursor.Y < 0 || dst.Cursor.Y >= size.Rows {
		dst.Cursor.X, dst.Cursor.Y, dst.Cursor.Visible = 0, 0, false
	}
}

// blankLike keeps the background of what stood there.
func blankLike(c vt.Cell) vt.Cell {
	return vt.Cell{Rune: ' ', BG: c.BG, Attr: c.Attr & vt.Reverse, FG: c.FG}
}

func appendBlank(cells []vt.Cell, n int) []vt.Cell {
	for range n {
		cells = append(cells, vt.Blank)
	}
	return cells
}
