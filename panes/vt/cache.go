package vt

import "unicode/utf8"

// A page writes back: what is printed and erased changes the cached rows alone, and
// the grid hears of it when it has to move a row's cells itself (ICH, DCH). Rows
// that are overwritten or scroll away before that never reach it: telling vt10x a
// cell costs about twenty times as much as keeping it here.

// cachedRow is a row's cells as far as they are known without asking the grid. What
// the grid moved by itself is read back when somebody looks. No column is stale and
// late at once.
type cachedRow struct {
	cells []glyph // nil: all blank
	stale span    // what the grid has to be asked for
	late  span    // what the grid was not told yet; what it has there is of no use
}

// span is the columns from lo up to hi; none if they are equal.
type span struct{ lo, hi int32 }

func (s *span) empty() bool { return s.lo == s.hi }

func (s *span) add(lo, hi int) {
	if s.lo == s.hi {
		*s = span{int32(lo), int32(hi)}
		return
	}
	s.lo, s.hi = min(s.lo, int32(lo)), max(s.hi, int32(hi))
}

// write takes in text over n cells from x on and returns which of them are new: the
// same again is no change, as programs repaint more than they change.
func (c *cachedRow) write(x int, style uint32, text []byte, n int) (lo, hi int) {
	cells := c.cells[x : x+n]
	if len(text) != n { // not only ASCII
		return c.writeRunes(x, style, text, n)
	}
	text = text[:len(cells)]
	i := 0
	for i < len(cells) && cells[i] == (glyph{rune(text[i]), style}) {
		i++
	}
	lo = x + i
	for ; i < len(cells); i++ {
		cells[i] = glyph{rune(text[i]), style}
	}
	return lo, x + n
}

func (c *cachedRow) writeRunes(x int, style uint32, text []byte, n int) (lo, hi int) {
	cells := c.cells[x : x+n]
	changed := false
	for i := range cells {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		g := glyph{r, style}
		changed = changed || cells[i] != g
		cells[i] = g
	}
	if !changed {
		return x, x
	}
	return x, x + n
}

// erase makes the cells from x0 up to x1 blank and reports whether they were
// anything else.
func (c *cachedRow) erase(x0, x1 int, style uint32) bool {
	cells, blank := c.cells[x0:x1], glyph{' ', style}
	for i, g := range cells {
		if g != blank {
			fill(cells[i:], blank)
			return true
		}
	}
	return false
}

// blank makes the whole row of so many columns blank, of which the cells from used
// on are already.
func (c *cachedRow) blank(cols, used int, style uint32) {
	switch {
	case style != 0:
		if c.cells == nil {
			c.cells = make([]glyph, cols)
		}
		fill(c.cells, glyph{' ', style})
	case c.cells != nil:
		fill(c.cells[:max(used, int(c.stale.hi))], blankGlyph)
	}
	c.stale = span{}
}

// row is row y's cells, all of them. They hold until the page changes.
func (p *page) row(y int) []glyph { return p.known(y).cells }

// text is row y's cells up to the last one that is not blank. They hold until the
// page changes.
func (p *page) text(y int) []glyph {
	n := p.rows[y].end()
	if n == 0 {
		return nil
	}
	return p.row(y)[:n]
}

// known is row y with all of its cells known.
func (p *page) known(y int) *cachedRow {
	c := &p.cached[y]
	if c.cells == nil || !c.stale.empty() {
		p.learn(y)
	}
	return c
}

// learn makes row y known: it allocates its cells, or reads them back.
func (p *page) learn(y int) {
	c := &p.cached[y]
	if c.cells == nil {
		c.cells = make([]glyph, p.cols)
		fill(c.cells, blankGlyph)
	}
	lo, hi := int(c.stale.lo), int(c.stale.hi)
	used := max(lo, min(hi, p.rows[y].end()))
	if lo < used {
		p.grid.read(lo, y+p.held, c.cells[lo:used])
	}
	fill(c.cells[used:hi], blankGlyph)
	c.stale = span{}
}

func (p *page) at(x, y int) glyph { return p.row(y)[x] }

// Line feeds at the foot of the screen are not passed on either: the grid is p.held
// rows behind, its row y+held is the page's row y, and what came in at the foot is
// late.

// feed moves all rows up by one and leaves a blank one at the foot.
func (p *page) feed(style uint32) {
	bottom := p.bottom()
	used := p.rows[0].end()
	top := p.cached[0]
	copy(p.cached, p.cached[1:])
	top.blank(p.cols, used, style)
	top.late = span{}
	if style != 0 {
		top.late.add(0, p.cols)
	}
	p.cached[bottom] = top
	copy(p.rows, p.rows[1:])
	p.fresh(bottom, bottom, style)
	p.held = min(p.held+1, len(p.rows))
	p.touchAll()
}

// catchUp has the grid move as many rows up as the page has.
func (p *page) catchUp() {
	if p.held > 0 {
		p.grid.do(op{verb: opScrollUp, top: 0, bottom: p.bottom(), n: p.held})
		p.held = 0
	}
}

// settle brings row y of the grid up to date.
func (p *page) settle(y int) {
	p.catchUp()
	c := &p.cached[y]
	if c.late.empty() {
		return
	}
	lo, hi := int(c.late.lo), int(c.late.hi)
	used := max(lo, min(hi, p.rows[y].end()))
	if c.cells != nil {
		p.send(lo, y, c.cells[lo:used])
	}
	if used < hi {
		p.grid.do(op{verb: opErase, x: used, y: y, n: hi - used})
	}
	c.late = span{}
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
