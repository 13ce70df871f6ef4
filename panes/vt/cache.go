package vt

import "unicode/utf8"

// A page writes back: what is printed and erased changes the cached rows alone, and
// the grid hears of it when it has to move a row's cells itself (ICH, DCH). Rows
// that are overwritten or scroll away before that never reach it: telling vt10x a
// cell costs about twenty times as much as keeping it here.

// cachedRow is what is known of a row's cells without asking the grid. What the grid
// moved by itself is read back when somebody looks. No column is stale and late at
// once. There is no pointer in it, as every line feed moves all of a screen's.
type cachedRow struct {
	mem   int32 // where the cells are: page.mem
	stale span  // what the grid has to be asked for
	late  span  // what the grid was not told yet; what it has there is of no use
}

func newCachedRows(n int) []cachedRow {
	c := make([]cachedRow, n)
	for y := range c {
		c[y].mem = int32(y)
	}
	return c
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

// writeText writes text over cells and returns which of them are new: the same again
// is no change, as programs repaint more than they change.
func writeText(cells []glyph, style uint32, text []byte) (lo, hi int) {
	if len(text) != len(cells) { // not only ASCII
		return writeRunes(cells, style, text)
	}
	i := 0
	for i < len(cells) && cells[i] == (glyph{rune(text[i]), style}) {
		i++
	}
	lo = i
	for ; i < len(cells); i++ {
		cells[i] = glyph{rune(text[i]), style}
	}
	return lo, len(cells)
}

func writeRunes(cells []glyph, style uint32, text []byte) (lo, hi int) {
	changed := false
	for i := range cells {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		g := glyph{r, style}
		changed = changed || cells[i] != g
		cells[i] = g
	}
	if !changed {
		return 0, 0
	}
	return 0, len(cells)
}

// makeBlank makes cells blank and reports whether they were anything else.
func makeBlank(cells []glyph, style uint32) bool {
	blank := glyph{' ', style}
	for i, g := range cells {
		if g != blank {
			fill(cells[i:], blank)
			return true
		}
	}
	return false
}

// blank makes all of row y blank, of which the cells from used on are already, and
// leaves to its caller what the grid knows.
func (p *page) blank(y, used int, style uint32) {
	c := &p.cached[y]
	cells := p.mem[c.mem]
	switch {
	case style != 0:
		if cells == nil {
			cells = make([]glyph, p.cols)
			p.mem[c.mem] = cells
		}
		fill(cells, glyph{' ', style})
	case cells != nil:
		fill(cells[:max(used, int(c.stale.hi))], blankGlyph)
	}
	c.stale = span{}
}

// text is row y's cells up to the last one that is not blank. They hold until the
// page changes.
func (p *page) text(y int) []glyph {
	n := p.rows[y].end()
	if n == 0 {
		return nil
	}
	return p.row(y)[:n]
}

// row is row y's cells, all of them. They hold until the page changes.
func (p *page) row(y int) []glyph {
	c := &p.cached[y]
	cells := p.mem[c.mem]
	if cells == nil || !c.stale.empty() {
		return p.learn(y)
	}
	return cells
}

// learn makes row y known: it allocates its cells, or reads them back.
func (p *page) learn(y int) []glyph {
	c := &p.cached[y]
	cells := p.mem[c.mem]
	if cells == nil {
		cells = make([]glyph, p.cols)
		fill(cells, blankGlyph)
		p.mem[c.mem] = cells
	}
	lo, hi := int(c.stale.lo), int(c.stale.hi)
	used := max(lo, min(hi, p.rows[y].end()))
	if lo < used {
		p.grid.read(lo, y+p.held, cells[lo:used])
	}
	fill(cells[used:hi], blankGlyph)
	c.stale = span{}
	return cells
}

func (p *page) at(x, y int) glyph { return p.row(y)[x] }

// Line feeds at the foot of the screen are not passed on either: the grid is p.held
// rows behind, its row y+held is the page's row y, and what came in at the foot is
// late.

// feed moves all rows up by one and leaves a blank one at the foot.
func (p *page) feed(style uint32) {
	bottom := p.bottom()
	p.blank(0, p.rows[0].end(), style)
	top := p.cached[0]
	top.late = span{}
	if style != 0 {
		top.late.add(0, p.cols)
	}
	copy(p.cached, p.cached[1:])
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
	if lo < used {
		p.send(lo, y, p.row(y)[lo:used])
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
