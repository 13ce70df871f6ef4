package vt

import "slices"

// row is what is known of a grid's row beside its cells. It is small because every
// line feed moves all of a screen's.
type row struct {
	gen     uint64 // changes whenever the row does; see page.gen
	used    int32  // the cells from here on are blanks of style 0
	wide    bool   // it may hold a wide cell or a gap
	wrapped bool   // its text goes on in the next row
	mark    byte   // OSC 133: A, B, C or D; 0 for none
}

func (r *row) end() int { return int(r.used) }

// extend takes in that the cells before x were written.
func (r *row) extend(x int) { r.used = max(r.used, int32(x)) }

// page is a screen: a grid, what is known of its rows, and what a program saves
// with it. The main and the alternate screen are two. Every change to a grid goes
// through its page, which keeps three things true: a filler is behind its head
// only, a row's generation tells of its changes, and used covers what is not
// blank.
type page struct {
	grid   grid
	cols   int
	rows   []row
	cached []cachedRow
	mem    [][]glyph // the cells of a row each, in no order; nil: all blank
	held   int       // how many rows the grid has yet to move up by
	clock  *uint64   // the last generation given out, shared by both pages
	all    uint64    // when all rows changed last
	saved  savedCursor
	kitty  []uint8
	// mainScreen: what leaves at the top goes into the history.
	mainScreen bool
	buf        []byte
	cells      []glyph
}

func newPage(g grid, cols, rows int, clock *uint64) *page {
	p := &page{grid: g, cols: cols, rows: make([]row, rows), cached: newCachedRows(rows), mem: make([][]glyph, rows), clock: clock}
	p.touchAll()
	return p
}

func (p *page) bottom() int { return len(p.rows) - 1 }

func (p *page) touch(y int) *row {
	*p.clock++
	p.rows[y].gen = *p.clock
	return &p.rows[y]
}

func (p *page) touchAll() {
	*p.clock++
	p.all = *p.clock
}

// gen is row y's generation: it changes whenever the row does and is never 0.
func (p *page) gen(y int) uint64 { return max(p.rows[y].gen, p.all) }

func (p *page) touchRows(y0, y1 int) {
	*p.clock++
	for y := y0; y <= y1; y++ {
		p.rows[y].gen = *p.clock
	}
}

// write puts text over n cells. wide tells that it holds fillers.
func (p *page) write(x, y int, style uint32, text []byte, n int, wide bool) {
	r := &p.rows[y]
	if r.wide {
		p.split(x, y)
		p.split(x+n, y)
	}
	r.wide = r.wide || wide
	r.extend(x + n)
	p.store(x, y, style, text, n)
}

// writeCells is write for text that is cells already.
func (p *page) writeCells(x, y int, cells []glyph, wide bool) {
	r := &p.rows[y]
	if r.wide {
		p.split(x, y)
		p.split(x+len(cells), y)
	}
	r.wide = r.wide || wide
	r.extend(x + len(cells))
	if p.replace(x, y, cells) {
		p.touch(y)
	}
}

// replace puts cells in the place of others and reports whether they differ.
func (p *page) replace(x, y int, cells []glyph) bool {
	old := p.row(y)[x : x+len(cells)]
	if slices.Equal(old, cells) {
		return false
	}
	copy(old, cells)
	p.cached[y].late.add(x, x+len(cells))
	return true
}

// store writes text and leaves all that is known of the row to its caller.
func (p *page) store(x, y int, style uint32, text []byte, n int) {
	if lo, hi := writeText(p.row(y)[x:x+n], style, text); lo < hi {
		p.cached[y].late.add(x+lo, x+hi)
		p.touch(y)
	}
}

// wrap notes whether row y's text goes on in the next.
func (p *page) wrap(y int, on bool) {
	if p.rows[y].wrapped != on {
		p.touch(y).wrapped = on
	}
}

// put writes cells as they are, cutting whatever wide cells they meet.
func (p *page) put(x, y int, cells []glyph) {
	if len(cells) == 0 {
		return
	}
	r := p.touch(y)
	p.split(x, y)
	p.split(x+len(cells), y)
	r.extend(x + len(cells))
	p.raw(x, y, cells)
}

// raw writes cells and leaves wide cells and used to its caller.
func (p *page) raw(x, y int, cells []glyph) {
	for _, c := range cells {
		if c.r == filler || c.r == gapRune {
			p.rows[y].wide = true
			break
		}
	}
	p.replace(x, y, cells)
}

// split makes sure that no wide cell lies across the border to the left of x: its
// halves become blanks in its own style.
func (p *page) split(x, y int) {
	if x <= 0 || x >= p.cols || !p.rows[y].wide {
		return
	}
	c := p.at(x, y)
	if c.r != filler {
		return
	}
	p.store(x-1, y, c.style, twoBlanks, 2)
}

var twoBlanks = []byte("  ")

// erase makes the cells from x0 up to x1 blank.
func (p *page) erase(x0, x1, y int, style uint32) {
	if x0 >= x1 {
		return
	}
	r := &p.rows[y]
	if style == 0 && x0 >= r.end() {
		return // blank already
	}
	if x1 == p.cols {
		p.wrap(y, false)
	}
	cells := p.row(y)
	whole := x0 == 0 && x1 == p.cols
	known := x1 // what is not blank in the cache anyway
	if r.wide && !whole {
		p.split(x0, y)
		p.split(x1, y)
	}
	switch {
	case style != 0:
		r.extend(x1)
	case x1 >= r.end():
		known = r.end()
		r.used = int32(x0)
	}
	if whole {
		r.wide = false
	}
	if makeBlank(cells[x0:known], style) {
		p.cached[y].late.add(x0, known)
		p.touch(y)
	}
}

// eraseRows makes whole rows blank.
func (p *page) eraseRows(y0, y1 int, style uint32) {
	if y0 > y1 || style == 0 && p.areFresh(y0, y1) {
		return
	}
	for y := y0; y <= y1; y++ {
		c, used := &p.cached[y], p.rows[y].end()
		if style != 0 {
			used = p.cols
		}
		if used = max(used, int(c.stale.hi)); used > 0 {
			c.late.add(0, used)
		}
		p.blank(y, used, style)
	}
	p.fresh(y0, y1, style)
	p.touchRows(y0, y1)
}

// areFresh reports whether rows are as fresh leaves them: programs erase what is
// blank as often as not.
func (p *page) areFresh(y0, y1 int) bool {
	for _, r := range p.rows[y0 : y1+1] {
		if r.used > 0 || r.wrapped || r.mark != 0 {
			return false
		}
	}
	return true
}

// fresh is what is known of rows that were just made blank.
func (p *page) fresh(y0, y1 int, style uint32) {
	r := row{}
	if style != 0 {
		r.used = int32(p.cols)
	}
	for y := y0; y <= y1; y++ {
		p.rows[y] = r
	}
}

// insert moves the cells from x up to right by n to the right and leaves blanks.
func (p *page) insert(x, right, y, n int, style uint32) {
	n = min(n, right-x)
	if n <= 0 {
		return
	}
	r := p.touch(y)
	p.split(x, y)
	p.split(right-n, y)
	p.split(right, y)
	r.wrapped = r.wrapped && right < p.cols
	if right == p.cols {
		p.settle(y) // with what is used now
		if x < r.end() {
			r.used = int32(min(p.cols, r.end()+n))
		} else if style != 0 {
			r.extend(x + n)
		}
		p.move(op{verb: opInsert, x: x, y: y, n: n, style: style})
		return
	}
	p.shift(x, right, y, n, style)
}

// remove takes n cells away at x; what is left of right moves up and leaves
// blanks.
func (p *page) remove(x, right, y, n int, style uint32) {
	n = min(n, right-x)
	if n <= 0 {
		return
	}
	r := p.touch(y)
	p.split(x, y)
	p.split(x+n, y)
	p.split(right, y)
	r.wrapped = r.wrapped && right < p.cols
	if right == p.cols {
		p.settle(y)
		if style != 0 {
			r.used = int32(p.cols)
		} else if r.end() > x {
			r.used = int32(max(x, r.end()-n))
		}
		p.move(op{verb: opDelete, x: x, y: y, n: n, style: style})
		return
	}
	p.shift(x, right, y, -n, style)
}

// move has the grid move the cells of a row that is settled.
func (p *page) move(o op) {
	p.grid.do(o)
	p.cached[o.y].stale.add(o.x, p.cols)
}

// shift moves the cells from left up to right within their row by n (to the
// right if positive), for margins that a grid's own edits do not know.
func (p *page) shift(left, right, y, n int, style uint32) {
	cells := p.scratch(right - left)
	copy(cells, p.row(y)[left:right])
	blank := glyph{' ', style}
	if n > 0 {
		copy(cells[n:], cells)
		fill(cells[:n], blank)
	} else {
		copy(cells, cells[-n:])
		fill(cells[len(cells)+n:], blank)
	}
	p.put(left, y, cells)
}

// scroll moves the rows top to bottom up by n.
func (p *page) scroll(top, bottom, n int, style uint32) {
	if n != 1 || top != 0 || bottom != p.bottom() {
		p.edit(top, bottom, n, style)
		return
	}
	p.feed(style)
}

// edit moves the rows top to bottom up by n, or down if n is negative.
func (p *page) edit(top, bottom, n int, style uint32) {
	n = max(min(n, bottom-top+1), top-bottom-1)
	if n == 0 {
		return
	}
	if top > 0 {
		p.wrap(top-1, false)
	}
	p.catchUp()
	o := op{verb: opScrollUp, top: top, bottom: bottom, n: n, style: style}
	first, last := bottom-n+1, bottom // those that come in
	if n < 0 {
		o.verb, o.n = opScrollDown, -n
		first, last = top, top-n-1
	}
	p.grid.do(o)
	rotate(p.rows[top:bottom+1], n)
	rotate(p.cached[top:bottom+1], n)
	for y := first; y <= last; y++ {
		p.blank(y, p.rows[y].end(), style)
		p.cached[y].late = span{}
	}
	p.fresh(first, last, style)
	if n < 0 {
		p.rows[bottom].wrapped = false
	}
	p.touchRows(top, bottom)
}

// rotate moves s up by n, or down if n is negative; what goes out at one end comes
// in at the other.
func rotate[T any](s []T, n int) {
	if n < 0 {
		n += len(s)
	}
	slices.Reverse(s[:n])
	slices.Reverse(s[n:])
	slices.Reverse(s)
}

// scrollBox is scroll between margins at the sides too.
func (p *page) scrollBox(top, left, bottom, right, n int, style uint32) {
	height := bottom - top + 1
	n = max(min(n, height), -height)
	cells := p.scratch(right - left)
	move := func(y int) {
		if from := y + n; from >= top && from <= bottom {
			p.split(left, from)
			p.split(right, from)
			copy(cells, p.row(from)[left:right])
		} else {
			fill(cells, glyph{' ', style})
		}
		p.put(left, y, cells)
	}
	if n > 0 {
		for y := top; y <= bottom; y++ {
			move(y)
		}
		return
	}
	for y := bottom; y >= top; y-- {
		move(y)
	}
}

// scratch is n cells that hold until the next call.
func (p *page) scratch(n int) []glyph {
	if cap(p.cells) < n {
		p.cells = make([]glyph, max(n, p.cols))
	}
	return p.cells[:n]
}

func fill(cells []glyph, c glyph) {
	for i := range cells {
		cells[i] = c
	}
}
