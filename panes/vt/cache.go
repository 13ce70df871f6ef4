package vt

// cache remembers the cells that were read last. Reading one back from vt10x costs
// as much as copying several, and most of a screen does not change between two
// looks at it, so only what was written to since is read again.
type cache struct {
	cells []glyph // rows × cols, nil until the first look
	stale []span
}

// span is the columns from lo up to hi.
type span struct{ lo, hi int32 }

func (c *cache) forgetAll() { c.stale = c.stale[:0] }

// forget marks what an op changes.
func (c *cache) forget(o op, cols int) {
	if len(c.stale) == 0 {
		return
	}
	switch o.verb {
	case opWrite, opErase:
		c.stale[o.y].add(o.x, o.x+o.n)
	case opInsert, opDelete:
		c.stale[o.y].add(o.x, cols)
	default:
		for y := o.top; y <= o.bottom; y++ {
			c.stale[y] = span{0, int32(cols)}
		}
	}
}

func (s *span) add(lo, hi int) {
	if s.lo == s.hi {
		*s = span{int32(lo), int32(hi)}
		return
	}
	s.lo, s.hi = min(s.lo, int32(lo)), max(s.hi, int32(hi))
}

// readRow is row y's cells, those in use. They hold until the page changes.
func (p *page) readRow(y int) []glyph {
	n := p.rows[y].end()
	if p.tail.n > 0 {
		cells := p.scratch(n)
		p.readTail(0, y, cells)
		return cells
	}
	c := &p.cache
	if len(c.stale) == 0 {
		if c.cells == nil {
			c.cells = make([]glyph, p.cols*len(p.rows))
			c.stale = make([]span, len(p.rows))
		}
		c.stale = c.stale[:len(p.rows)]
		for i := range c.stale {
			c.stale[i] = span{0, int32(p.cols)}
		}
	}
	row := c.cells[y*p.cols : (y+1)*p.cols]
	s := &c.stale[y]
	if lo, hi := int(s.lo), min(int(s.hi), n); lo < hi {
		p.grid.read(lo, y, row[lo:hi])
	}
	s.lo = min(max(s.lo, int32(n)), s.hi)
	return row[:n]
}
