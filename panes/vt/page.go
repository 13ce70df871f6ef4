package vt

// row is what is known of a grid's row beside its cells. It is small because every
// line feed moves all of a screen's.
type row struct {
	gen     uint64 // changes whenever the row does; see page.gen
	used    int32  // the cells from here on are blanks of style 0
	wide    bool   // it may hold a wide cell
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
	grid       grid
	cols       int
	rows       []row
	clock      *uint64 // the last generation given out, shared by both pages
	all        uint64  // when all rows changed last
	saved      savedCursor
	kitty      []uint8
	mainScreen bool
	tail       tail
	cache      cache
	buf        []byte
	cells      []glyph
	one        [1]glyph
}

func newPage(g grid, cols, rows int, clock *uint64) *page {
	p := &page{grid: g, cols: cols, rows: make([]row, rows), clock: clock}
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

// do hands an op on, once what the tail holds back is on the grid.
func (p *page) do(o op) {
	if p.tail.n > 0 {
		p.settle()
	}
	p.cache.forget(o, p.cols)
	p.grid.do(o)
}

func (p *page) read(x, y int, dst []glyph) {
	if p.tail.n > 0 {
		p.readTail(x, y, dst)
		return
	}
	p.grid.read(x, y, dst)
}

func (p *page) at(x, y int) glyph {
	p.read(x, y, p.one[:])
	return p.one[0]
}

// write puts text over n cells. wide tells that it holds fillers.
func (p *page) write(x, y int, style uint32, text []byte, n int, wide bool) {
	r := p.touch(y)
	if r.wide {
		p.split(x, y)
		p.split(x+n, y)
	}
	r.wide = r.wide || wide
	r.extend(x + n)
	if p.tail.n > 0 && y == p.bottom() {
		p.tail.write(x, style, text)
		return
	}
	p.do(op{verb: opWrite, x: x, y: y, n: n, style: style, text: text})
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

// raw writes cells in runs of one style and leaves wide cells and used to its
// caller.
func (p *page) raw(x, y int, cells []glyph) {
	if p.tail.n > 0 {
		p.settle() // it uses buf too
	}
	for i := 0; i < len(cells); {
		b := p.buf[:0]
		start := i
		for ; i < len(cells) && cells[i].style == cells[start].style; i++ {
			b = appendRune(b, cells[i].r)
			if cells[i].r == filler {
				p.rows[y].wide = true
			}
		}
		p.buf = b
		p.do(op{verb: opWrite, x: x + start, y: y, n: i - start, style: cells[start].style, text: b})
	}
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
	if p.tail.n > 0 && y == p.bottom() {
		p.tail.write(x-1, c.style, twoBlanks)
		return
	}
	p.do(op{verb: opWrite, x: x - 1, y: y, n: 2, style: c.style, text: twoBlanks})
}

var twoBlanks = []byte("  ")

// erase makes the cells from x0 up to x1 blank.
func (p *page) erase(x0, x1, y int, style uint32) {
	if x0 >= x1 {
		return
	}
	r := p.touch(y)
	whole := x0 == 0 && x1 == p.cols
	if r.wide && !whole {
		p.split(x0, y)
		p.split(x1, y)
	}
	if x1 == p.cols {
		r.wrapped = false
	}
	switch {
	case style != 0:
		r.extend(x1)
	case x0 >= r.end():
		return // blank already
	case x1 >= r.end():
		r.used = int32(x0)
	}
	if whole {
		r.wide = false
	}
	if p.tail.n > 0 && y == p.bottom() {
		p.tail.erase(x0, x1, style)
		return
	}
	p.do(op{verb: opErase, x: x0, y: y, n: x1 - x0, style: style})
}

// eraseRows makes whole rows blank.
func (p *page) eraseRows(y0, y1 int, style uint32) {
	if y0 > y1 {
		return
	}
	if y0 == 0 && y1 == p.bottom() {
		p.tail.n = 0 // what it holds back is erased too
	}
	p.do(op{verb: opEraseRows, top: y0, bottom: y1, style: style})
	p.fresh(y0, y1, style)
	p.touchRows(y0, y1)
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
		if x < r.end() {
			r.used = int32(min(p.cols, r.end()+n))
		} else if style != 0 {
			r.extend(x + n)
		}
		p.do(op{verb: opInsert, x: x, y: y, n: n, style: style})
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
		if style != 0 {
			r.used = int32(p.cols)
		} else if r.end() > x {
			r.used = int32(max(x, r.end()-n))
		}
		p.do(op{verb: opDelete, x: x, y: y, n: n, style: style})
		return
	}
	p.shift(x, right, y, -n, style)
}

// shift moves the cells from left up to right within their row by n (to the
// right if positive), for margins that a grid's own edits do not know.
func (p *page) shift(left, right, y, n int, style uint32) {
	cells := p.scratch(right - left)
	p.read(left, y, cells)
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

// scroll moves the rows top to bottom up by n. A line feed at the foot of the main
// screen is held back by the tail.
func (p *page) scroll(top, bottom, n int, style uint32) {
	if n != 1 || !p.mainScreen || top != 0 || bottom != p.bottom() {
		p.edit(top, bottom, n, style)
		return
	}
	p.cache.forgetAll()
	p.tail.push(p.cols, len(p.rows), style)
	copy(p.rows, p.rows[1:])
	p.fresh(bottom, bottom, style)
	p.touchAll()
}

// edit moves the rows top to bottom up by n, or down if n is negative.
func (p *page) edit(top, bottom, n int, style uint32) {
	n = max(min(n, bottom-top+1), top-bottom-1)
	rows := p.rows[top : bottom+1]
	switch {
	case n > 0:
		if top > 0 {
			p.rows[top-1].wrapped = false
		}
		p.do(op{verb: opScrollUp, top: top, bottom: bottom, n: n, style: style})
		copy(rows, rows[n:])
		p.fresh(bottom-n+1, bottom, style)
	case n < 0:
		p.do(op{verb: opScrollDown, top: top, bottom: bottom, n: -n, style: style})
		copy(rows[-n:], rows)
		p.fresh(top, top-n-1, style)
		if top > 0 {
			p.rows[top-1].wrapped = false
		}
		p.rows[bottom].wrapped = false
	}
	p.touchRows(top, bottom)
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
			p.read(left, from, cells)
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
