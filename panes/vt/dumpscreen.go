package vt

import "unicode/utf8"

// scrollback prints the history from the top on and scrolls it away.
func (d *dumper) scrollback() {
	h := &d.e.history
	y, more := 0, false // the row of the cursor; whether its line went on
	down := func() { y = min(y+1, d.e.rows-1) }
	from := d.e.affordable(maxText)
	for i := from; i < h.len(); i++ {
		if i > from && !more {
			d.add("\r\n")
			down()
		}
		l := h.at(i).open()
		more = l.row.wrapped
		d.mark(l.row.mark)
		full := l.cells == d.e.cols
		d.cells(l)
		d.setStyle(style{})
		if more {
			d.wrap(full)
			d.add("\r\x1b[K")
			down()
		}
	}
	if from < h.len() && !more {
		y++
	}
	if y > 0 {
		d.addf("\x1b[%dS", y)
	}
}

// wrap has the row of the cursor go on in the next one, where it leaves a blank or
// two. One that is not full lacks the last column: there was no room for a wide
// character.
func (d *dumper) wrap(full bool) {
	if full {
		d.text([]byte(" "))
	} else {
		d.cell([]byte("漢"))
	}
}

func (d *dumper) mark(m byte) {
	if m != 0 {
		d.addf("\x1b]133;%c\x1b\\", m)
	}
}

// page writes what belongs to one screen, which is shown and blank.
func (d *dumper) page(p *page) {
	if p.saved.set {
		d.saved(&p.saved)
	}
	more := false
	for y := range p.rows {
		r := p.rows[y]
		if !more && r.used == 0 && r.mark == 0 {
			continue
		}
		d.addf("\x1b[%dH", y+1)
		if more {
			d.add("\x1b[K") // what the row above left to be wrapped
		}
		d.mark(r.mark)
		d.row(p, y)
		more = r.wrapped
	}
	for _, flags := range p.kitty {
		d.addf("\x1b[>%du", flags)
	}
}

// row writes the cells of a row and whether it goes on.
func (d *dumper) row(p *page, y int) {
	e, r := d.e, p.rows[y]
	cells := p.text(y)
	last := len(cells) - 1
	gap := r.wide && last > 0 && cells[last].r == gapRune // left out of a packed line
	all := r
	all.wrapped = true // blanks at the end count
	e.lineBuf = e.pack(e.lineBuf[:0], cells, all)
	d.cells(packed(e.lineBuf).open())
	switch {
	case gap && r.wrapped:
		d.setStyle(e.styles.list[cells[last].style])
		d.wrap(false)
	case gap:
		d.setStyle(e.styles.list[cells[last].style])
		d.text([]byte(" "))
	case r.wrapped:
		d.setStyle(style{})
		d.wrap(true)
	}
	d.setStyle(style{})
}

// saved writes the saved cursor of the screen that is shown and clears that again.
func (d *dumper) saved(s *savedCursor) {
	d.sets(s.sets)
	d.setStyle(s.style)
	if s.origin {
		d.add("\x1b[?6h")
	}
	d.addf("\x1b[%d;%dH", s.y+1, s.x+1)
	if s.pending {
		d.add(" ")
	}
	d.single(s.sets)
	d.add("\x1b7")
	d.setStyle(style{})
	d.add("\x1b[?6l\x1b(B\x1b)B\x1b*B\x1b+B\x0f")
	if s.sets.single != 0 {
		d.add(" ")
	}
	d.add("\x1b[2J")
}

// sets designates and invokes character sets, from the usual ones on.
func (d *dumper) sets(c charsets) {
	for i, set := range c.g {
		if set != 0 {
			d.addf("\x1b%c%c", "()*+"[i], set)
		}
	}
	d.add([...]string{"\x0f", "\x0e", "\x1bn", "\x1bo"}[c.gl])
}

func (d *dumper) single(c charsets) {
	d.add([...]string{2: "\x1bN", 3: "\x1bO"}[c.single])
}

// cursor writes the margins and the cursor, and all that the next character
// depends on. What was printed last is printed again if a mark may still join it.
func (d *dumper) cursor() {
	e := d.e
	inMiddle := e.cur.pending && e.cur.x != e.edge()-1 // of the row: the margins changed since
	d.margins(inMiddle)
	last := &e.last
	if !inMiddle && d.canReprintLast() {
		d.sets(e.sets)
		d.guard()
		d.moveTo(last.x, last.y)
		if e.modes.insert { // what will be inserted again
			d.addf("\x1b[%dP\x1b[4h", last.width)
		}
		d.setStyle(e.styles.list[e.page.at(last.x, last.y).style])
		if e.printsAsItIs(last.text) {
			d.add(string(last.text))
		} else {
			d.add("\x1b[b")
		}
		d.setStyle(e.pen.style)
		return
	}
	if e.cur.pending {
		d.pendingWrap()
	} else {
		d.moveTo(e.cur.x, e.cur.y)
	}
	if inMiddle {
		d.add("\x1b[?69l")
		if e.modes.sideMargins {
			d.add("\x1b[?69h")
		}
	}
	if e.modes.insert {
		d.add("\x1b[4h")
	}
	d.guard()
	d.setStyle(e.pen.style)
	d.sets(e.sets) // nothing joins what was printed before one of them
	d.single(e.sets)
}

// pendingWrap puts the cursor where it is by printing what is there already. If
// that would end a wrapped row it is done on the other screen, which is left as it
// was and has the same cursor.
func (d *dumper) pendingWrap() {
	e := d.e
	x, y := e.cur.x, e.cur.y
	endsLine := func(p *page) bool { return x == e.cols-1 && p != nil && p.rows[y].wrapped }
	other := e.alt
	if e.onAlt() {
		other = e.main
	}
	if !endsLine(e.page) || endsLine(other) {
		d.reprint(e.page, x, y)
		return
	}
	d.addf("\x1b[?47%c", setOrReset(!e.onAlt()))
	d.reprint(other, x, y)
	d.addf("\x1b[?47%c", setOrReset(e.onAlt()))
}

// reprint prints the cell at x once more, or the wide one of which that is the
// second half, and leaves the row as it was. A page that is nil is blank.
func (d *dumper) reprint(p *page, x, y int) {
	g, used := blankGlyph, 0
	if p != nil {
		g, used = p.at(x, y), p.rows[y].end()
		if g.r == filler {
			x--
			g = p.at(x, y)
		}
	}
	d.moveTo(x, y)
	d.setStyle(d.e.styles.list[g.style])
	d.b = d.e.clusterText(d.b, g.r)
	d.setStyle(style{})
	if used <= x { // DECERA, as it leaves the cursor alone
		d.addf("\x1b[%d;%d;%d;%d$z", y-d.originY+1, used-d.originX+1, y-d.originY+1, x-d.originX+1)
	}
}

// canReprintLast reports whether a mark may still join what was printed last and
// printing that again changes nothing: it may have been found by moving to it.
func (d *dumper) canReprintLast() bool {
	e, l := d.e, &d.e.last
	if !l.ok || e.sets.single != 0 || l.open && !e.printsAsItIs(l.text) {
		return false
	}
	edge := e.cols
	if l.x <= e.margins.right {
		edge = e.margins.right + 1
	}
	after := cursor{x: l.x + l.width, y: l.y}
	if after.x >= edge {
		after.x, after.pending = edge-1, e.modes.autowrap
	}
	wrapped := e.page.rows[l.y].wrapped
	// DCH does nothing beyond the margins, DECSCA would be between.
	insertable := l.x >= e.margins.left && l.x <= e.margins.right && !wrapped
	s := e.styles.list[e.page.at(l.x, l.y).style]
	return after == e.cur && (insertable || !e.modes.insert) &&
		!(wrapped && l.x+l.width == e.cols) && (s.attr^e.pen.attr)&isProtected == 0
}

// printsAsItIs reports whether text means itself in the character set in use: only
// ASCII may not.
func (e *Emulator) printsAsItIs(text []byte) bool {
	sets := e.sets
	r := rune(text[0])
	return r >= utf8.RuneSelf || sets.translate(r) == r
}

// margins writes the margins and DECOM. inMiddle makes the column of the cursor the
// last for now.
func (d *dumper) margins(inMiddle bool) {
	e, m := d.e, d.e.margins
	if m.top > 0 || m.bottom < e.rows-1 {
		d.addf("\x1b[%d;%dr", m.top+1, m.bottom+1)
	}
	if inMiddle {
		m.right = e.cur.x
	}
	if e.modes.sideMargins || inMiddle {
		d.add("\x1b[?69h")
	}
	if m.left > 0 || m.right < e.cols-1 {
		d.addf("\x1b[%d;%ds", m.left+1, m.right+1)
	}
	if e.modes.origin {
		d.add("\x1b[?6h")
		d.originX, d.originY = m.left, m.top
	}
}

func (d *dumper) moveTo(x, y int) { d.addf("\x1b[%d;%dH", y-d.originY+1, x-d.originX+1) }

// guard writes which protection is in use and whether the pen has it.
func (d *dumper) guard() {
	e := d.e
	on := e.pen.attr & isProtected
	if e.told.unprotected != 0 {
		d.addf("\x1b[%d\"q", e.told.unprotected)
	}
	switch {
	case e.guardISO:
		d.add("\x1bV")
		if on == 0 {
			d.addf("\x1b[%d\"q", e.told.unprotected)
		}
	case on != 0:
		d.add("\x1b[1\"q")
	}
	d.style.attr = d.style.attr&^isProtected | on
}
