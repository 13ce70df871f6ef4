package vt

// plainGrid is a grid of Go slices: the oracle for the one in use.
type plainGrid struct {
	cols  int
	cells [][]glyph
}

func newPlain(cols, rows int) grid {
	g := &plainGrid{cols: cols, cells: make([][]glyph, rows)}
	for y := range g.cells {
		g.cells[y] = make([]glyph, cols)
		fill(g.cells[y], blankGlyph)
	}
	return g
}

func (g *plainGrid) do(o op) {
	blank := glyph{' ', o.style}
	switch o.verb {
	case opWrite:
		x := o.x
		for _, r := range string(o.text) {
			g.cells[o.y][x] = glyph{r, o.style}
			x++
		}
		if x != o.x+o.n {
			panic("text and count differ")
		}
	case opErase:
		fill(g.cells[o.y][o.x:o.x+o.n], blank)
	case opInsert:
		row := g.cells[o.y]
		copy(row[o.x+o.n:], row[o.x:])
		fill(row[o.x:o.x+o.n], blank)
	case opDelete:
		row := g.cells[o.y]
		copy(row[o.x:], row[o.x+o.n:])
		fill(row[g.cols-o.n:], blank)
	case opScrollUp, opScrollDown:
		rows := g.cells[o.top : o.bottom+1]
		k := o.n
		if o.verb == opScrollDown {
			k = len(rows) - o.n
		}
		turned := append(append([][]glyph(nil), rows[k:]...), rows[:k]...)
		copy(rows, turned)
		in := rows[len(rows)-o.n:]
		if o.verb == opScrollDown {
			in = rows[:o.n]
		}
		for _, r := range in {
			fill(r, blank)
		}
	}
}

func (g *plainGrid) read(x, y int, dst []glyph) { copy(dst, g.cells[y][x:]) }
