package vt

// cachedRow is a row's cells as far as they are known without asking the grid.
// What is written or erased is known; what the grid moved by itself is read back
// when somebody looks, because reading one cell of vt10x costs as much as copying
// several.
type cachedRow struct {
	cells []glyph
	stale span // what the grid has to be asked for
}

// span is the columns from lo up to hi; none if they are equal.
type span struct{ lo, hi int32 }

func (s *span) add(lo, hi int) {
	if s.lo == s.hi {
		*s = span{int32(lo), int32(hi)}
		return
	}
	s.lo, s.hi = min(s.lo, int32(lo)), max(s.hi, int32(hi))
}

func newCachedRows(cols, rows int) []cachedRow {
	cells := make([]glyph, cols*rows)
	fill(cells, blankGlyph)
	c := make([]cachedRow, rows)
	for y := range c {
		c[y].cells = cells[y*cols : (y+1)*cols : (y+1)*cols]
	}
	return c
}

// write takes in what o writes and returns the part of it that is new; n is 0 if
// nothing is.
func (c *cachedRow) write(o op) op {
	if len(o.text) != o.n { // not only ASCII
		cells, changed, i := c.cells[o.x:o.x+o.n], c.isStale(o.x, o.x+o.n), 0
		for _, r := range string(o.text) {
			changed = changed || cells[i].r != r || cells[i].style != o.style
			cells[i] = glyph{r, o.style}
			i++
		}
		if !changed {
			o.n = 0
		}
		return o
	}
	if !c.isStale(o.x, o.x+o.n) {
		for o.n > 0 && c.cells[o.x] == (glyph{rune(o.text[0]), o.style}) {
			o.text, o.x, o.n = o.text[1:], o.x+1, o.n-1
		}
		for o.n > 0 && c.cells[o.x+o.n-1] == (glyph{rune(o.text[o.n-1]), o.style}) {
			o.n--
		}
		o.text = o.text[:o.n]
	}
	cells := c.cells[o.x : o.x+o.n]
	for i, b := range o.text {
		cells[i] = glyph{rune(b), o.style}
	}
	return o
}

// erase makes the cells from x0 up to x1 blank and reports whether they were
// anything else.
func (c *cachedRow) erase(x0, x1 int, style uint32) bool {
	cells, blank := c.cells[x0:x1], glyph{' ', style}
	if c.isStale(x0, x1) {
		fill(cells, blank)
		return true
	}
	for i, g := range cells {
		if g != blank {
			fill(cells[i:], blank)
			return true
		}
	}
	return false
}

func (c *cachedRow) isStale(x0, x1 int) bool {
	return c.stale.lo < c.stale.hi && int(c.stale.lo) < x1 && x0 < int(c.stale.hi)
}

// blank makes the whole row blank, of which the cells from used on are already.
func (c *cachedRow) blank(used int, style uint32) {
	used = max(used, int(c.stale.hi))
	if style != 0 {
		used = len(c.cells)
	}
	fill(c.cells[:used], glyph{' ', style})
	c.stale = span{}
}

// row is row y's cells, all of them. They hold until the page changes.
func (p *page) row(y int) []glyph {
	c := &p.cached[y]
	if c.stale.lo == c.stale.hi {
		return c.cells
	}
	lo, hi := int(c.stale.lo), int(c.stale.hi)
	used := max(lo, min(hi, p.rows[y].end()))
	if lo < used {
		p.grid.read(lo, y+p.held, c.cells[lo:used])
	}
	fill(c.cells[used:hi], blankGlyph)
	c.stale = span{}
	return c.cells
}

func (p *page) at(x, y int) glyph { return p.row(y)[x] }

// The grid is behind while output floods the screen: rows that came in at the
// foot by line feeds are held back, the last p.held of them, so that lines which
// nobody sees never reach the grid. Its row y+held is the page's row y until then.

// isHeld reports whether the grid does not know row y yet.
func (p *page) isHeld(y int) bool { return y >= len(p.rows)-p.held }

// feed moves all rows up by one and leaves a blank one at the foot.
func (p *page) feed(style uint32) {
	bottom := p.bottom()
	used := p.rows[0].end()
	top := p.cached[0]
	copy(p.cached, p.cached[1:])
	top.blank(used, style)
	p.cached[bottom] = top
	copy(p.rows, p.rows[1:])
	p.fresh(bottom, bottom, style)
	p.held = min(p.held+1, len(p.rows))
	p.touchAll()
}

// settle brings the grid up to date.
func (p *page) settle() {
	n := p.held
	if n == 0 {
		return
	}
	p.held = 0
	p.grid.do(op{verb: opScrollUp, top: 0, bottom: p.bottom(), n: n})
	for y := len(p.rows) - n; y < len(p.rows); y++ {
		p.send(0, y, p.cached[y].cells[:p.rows[y].end()])
	}
}

// send puts cells onto the grid in runs of one style.
func (p *page) send(x, y int, cells []glyph) {
	for i := 0; i < len(cells); {
		b := p.buf[:0]
		start := i
		for ; i < len(cells) && cells[i].style == cells[start].style; i++ {
			b = appendRune(b, cells[i].r)
		}
		p.buf = b
		p.grid.do(op{verb: opWrite, x: x + start, y: y, n: i - start, style: cells[start].style, text: b})
	}
}
