package vt

// tail holds back the last lines of the main screen while output floods it: each
// line feed at the bottom adds one, and the oldest goes when there is a screenful,
// so that lines which nobody sees never reach the grid. Whatever else happens to
// the grid first settles it. While n lines are held, the page's rows are the
// grid's from row n on, and these below them.
type tail struct {
	n     int
	first int
	lines []tailLine // a ring
}

// tailLine is a row's cells; those that are missing at its end are blanks of
// style 0.
type tailLine []glyph

func (t *tail) at(i int) *tailLine { return &t.lines[(t.first+i)%len(t.lines)] }

func (t *tail) last() *tailLine { return t.at(t.n - 1) }

// push adds an empty line; with a screenful already held the first goes.
func (t *tail) push(cols, rows int, style uint32) {
	if len(t.lines) != rows {
		t.lines = make([]tailLine, rows)
		t.first = 0
	}
	if t.n == rows {
		t.first = (t.first + 1) % rows
	} else {
		t.n++
	}
	l := t.last()
	*l = (*l)[:0]
	if style != 0 {
		l.extend(cols)
		fill(*l, glyph{' ', style})
	}
}

func (l *tailLine) extend(n int) {
	for len(*l) < n {
		*l = append(*l, blankGlyph)
	}
}

func (t *tail) write(x int, style uint32, text []byte) {
	l := t.last()
	l.extend(x)
	for _, r := range string(text) {
		if x < len(*l) {
			(*l)[x] = glyph{r, style}
		} else {
			*l = append(*l, glyph{r, style})
		}
		x++
	}
}

func (t *tail) erase(x0, x1 int, style uint32) {
	l := t.last()
	if style == 0 && x1 >= len(*l) {
		*l = (*l)[:min(x0, len(*l))]
		return
	}
	l.extend(x1)
	fill((*l)[x0:x1], glyph{' ', style})
}

// settle puts the held lines onto the grid.
func (p *page) settle() {
	n := p.tail.n
	p.tail.n = 0
	p.cache.forgetAll()
	p.grid.do(op{verb: opScrollUp, top: 0, bottom: p.bottom(), n: n})
	for i := range n {
		if l := *p.tail.at(i); len(l) > 0 {
			p.raw(0, len(p.rows)-n+i, l)
		}
	}
	p.tail.first = 0
}

func (p *page) readTail(x, y int, dst []glyph) {
	n := p.tail.n
	if y < len(p.rows)-n {
		p.grid.read(x, y+n, dst)
		return
	}
	l := *p.tail.at(y - (len(p.rows) - n))
	k := 0
	if x < len(l) {
		k = copy(dst, l[x:])
	}
	fill(dst[k:], blankGlyph)
}
