// Package paint holds what one client sees as a grid of cells and turns the
// difference of two such frames into bytes for its terminal.
//
// A frame is composed into a Grid: panes' screens by Blit, chrome by Text and
// Put, widgets through uv.Screen. A Painter remembers what the terminal shows
// and writes only what differs. Bubble Tea's own renderer does the same job from
// a string, parsed anew after every message; it costs ten to forty times as much.
//
// Nothing here is safe for concurrent use: a Grid and a Painter belong to one
// client's goroutine.
package paint

import (
	"slices"

	"reprise/panes/vt"
)

// Grid is a frame: H rows of W cells. Use one for all frames of a client: the
// runes of clusters and the numbers of links in Cells mean something only with
// this Grid's tables, and a Painter that is given another Grid's repaints fully.
type Grid struct {
	W, H int
	// Cells holds the rows one after the other. Those who write to it directly keep
	// the invariant of Put, and call Touch.
	Cells []vt.Cell

	clock    uint64   // counts what is written
	wrote    []uint64 // when each row was written to last, by clock
	clusters table
	widths   []uint8 // the clusters' columns, 0 to 2
	links    table
	gen      uint64 // changes when the tables give their numbers new meanings
}

// NewGrid makes a blank grid; sizes below 0 count as 0.
func NewGrid(w, h int) *Grid {
	g := &Grid{}
	g.Resize(w, h)
	return g
}

// Resize sets the size and blanks the grid. It allocates only to grow.
func (g *Grid) Resize(w, h int) {
	g.W, g.H = max(w, 0), max(h, 0)
	if n := g.W * g.H; n <= cap(g.Cells) {
		g.Cells = g.Cells[:n]
	} else {
		g.Cells = vt.NewCells(n)
	}
	g.wrote = slices.Grow(g.wrote[:0], g.H)[:g.H]
	g.Clear()
}

// Recycle lets go of the grid's cells: it is 0 by 0 then.
func (g *Grid) Recycle() {
	vt.Recycle(g.Cells)
	g.Cells = nil
	g.Resize(0, 0)
}

// Touch says that n rows from y on, all in the grid, were written to. A Painter does not
// look at others: most of a frame is as it was, and to compare two frames cell by cell
// moves more memory than all else that a key needs.
func (g *Grid) Touch(y, n int) {
	g.clock++
	for i := range g.wrote[y : y+n] {
		g.wrote[y+i] = g.clock
	}
}

// Clear blanks the grid.
func (g *Grid) Clear() {
	g.Touch(0, g.H)
	blank(g.Cells)
	if g.clusters.due() || g.links.due() {
		g.reset()
	}
}

func blank(cells []vt.Cell) {
	if len(cells) == 0 {
		return
	}
	// Doubling copies are several times as fast as a loop.
	cells[0] = vt.Blank
	for n := 1; n < len(cells); n *= 2 {
		copy(cells[n:], cells[:n])
	}
}

// Row is row y, 0 ≤ y < H.
func (g *Grid) Row(y int) []vt.Cell { return g.Cells[y*g.W : (y+1)*g.W] }

// Put sets one cell; outside the grid nothing happens. It keeps the invariant
// that a cell with vt.Wide is followed by one of Rune 0 and that Rune 0 stands
// nowhere else: what is left of a wide cell that is cut becomes a blank in its own
// colours, and so does a wide cell in the last column. A Rune 0 is put as a blank.
func (g *Grid) Put(x, y int, c vt.Cell) {
	if x < 0 || y < 0 || x >= g.W || y >= g.H {
		return
	}
	g.Touch(y, 1)
	row := g.Row(y)
	if c.Rune == 0 || c.Attr&vt.Wide != 0 && x+1 >= g.W {
		c = blanked(c)
	}
	g.cut(row, x)
	if c.Attr&vt.Wide != 0 {
		g.cut(row, x+2)
		row[x+1] = second(c)
	} else {
		g.cut(row, x+1)
	}
	row[x] = c
}

// cut blanks both halves of a wide cell that reaches over the border before
// column x.
func (g *Grid) cut(row []vt.Cell, x int) {
	if x > 0 && x < len(row) && row[x].Rune == 0 {
		row[x-1] = blanked(row[x-1])
		row[x] = blanked(row[x])
	}
}

// blanked is c without its character.
func blanked(c vt.Cell) vt.Cell {
	c.Rune = ' '
	c.Attr &^= vt.Wide
	return c
}

// second is the second half of the wide cell c.
func second(c vt.Cell) vt.Cell {
	c.Rune = 0
	c.Attr &^= vt.Wide
	return c
}

// Fill puts c into every cell of a rectangle, as far as it lies in the grid. A
// wide c is put as a blank.
func (g *Grid) Fill(x, y, w, h int, c vt.Cell) {
	if c.Rune == 0 || c.Attr&vt.Wide != 0 {
		c = blanked(c)
	}
	x0, y0 := max(x, 0), max(y, 0)
	x1, y1 := min(x+w, g.W), min(y+h, g.H)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	g.Touch(y0, y1-y0)
	for ; y0 < y1; y0++ {
		row := g.Row(y0)
		g.cut(row, x0)
		g.cut(row, x1)
		for i := x0; i < x1; i++ {
			row[i] = c
		}
	}
}

// Blit copies n columns of row srcY of src, from column srcX on, to column dstX
// of row dstY. What lies outside src or the grid is left alone. Half a wide cell
// at either end becomes a blank in its colours.
func (g *Grid) Blit(src *vt.Screen, srcY, srcX, dstX, dstY, n int) {
	if srcX < 0 {
		n, dstX, srcX = n+srcX, dstX-srcX, 0
	}
	if dstX < 0 {
		n, srcX, dstX = n+dstX, srcX-dstX, 0
	}
	n = min(n, src.Cols-srcX, g.W-dstX)
	if n <= 0 || srcY < 0 || srcY >= src.Rows || dstY < 0 || dstY >= g.H || len(src.Cells) < src.Rows*src.Cols {
		return
	}
	from := src.Row(srcY)[srcX : srcX+n]
	g.Touch(dstY, 1)
	row := g.Row(dstY)
	g.cut(row, dstX)
	g.cut(row, dstX+n)
	to := row[dstX : dstX+n]
	if tabled(from) {
		g.translate(to, from, src)
	} else {
		copy(to, from)
	}
	if to[0].Rune == 0 {
		to[0] = blanked(to[0])
	}
	if to[n-1].Attr&vt.Wide != 0 {
		to[n-1] = blanked(to[n-1])
	}
}

// tabled reports whether cells refer to their screen's tables.
func tabled(cells []vt.Cell) bool {
	for i := range cells {
		if c := &cells[i]; c.Rune >= vt.ClusterBase || c.Link != 0 {
			return true
		}
	}
	return false
}

// translate copies cells, giving clusters and links this grid's numbers.
func (g *Grid) translate(to, from []vt.Cell, src *vt.Screen) {
	for i, c := range from {
		if id := int(c.Rune - vt.ClusterBase); id >= 0 && c.Rune <= vt.ClusterEnd {
			c.Rune = 0xfffd
			if id < len(src.Clusters) {
				c.Rune = g.Intern(src.Clusters[id])
			}
		}
		if id := int(c.Link); id != 0 {
			c.Link = 0
			if id < len(src.Links) {
				c.Link = g.Link(src.Links[id])
			}
		}
		to[i] = c
	}
}
