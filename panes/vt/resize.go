package vt

import "slices"

// Resize changes the size, clamped as in New. The lines of the main screen and of
// the history are cut anew; the alternate screen is cut or filled up.
func (e *Emulator) Resize(cols, rows int) {
	cols, rows = clampSize(cols), clampSize(rows)
	if cols == e.cols && rows == e.rows {
		return
	}
	was := size{e.cols, e.rows}
	e.cols, e.rows = cols, rows
	e.pin(true)
	defer e.pin(false)

	onAlt := e.onAlt()
	cur := e.cur
	if onAlt {
		cur = e.main.saved.cursor
	}
	cur = e.reflow(was, cur)
	if onAlt {
		if e.main.saved.set {
			e.main.saved.cursor = cur
		}
	} else {
		e.page, e.cur = e.main, cur
	}
	if e.alt != nil {
		keep := cursor{}
		if onAlt {
			keep = e.cur
		}
		skip := e.cutAlt(was, keep.y)
		if onAlt {
			e.page = e.alt
			e.cur = cursor{x: min(e.cur.x, cols-1), y: min(e.cur.y-skip, rows-1)}
		}
	}
	e.resetMargins()
	e.tabs = growTabs(e.tabs, cols)
	e.last.forget()
	e.epoch++
	e.reportSize()
}

type size struct{ cols, rows int }

// cutAlt makes the alternate screen another size. Its first rows go when the
// cursor's would not fit; it returns how many.
func (e *Emulator) cutAlt(was size, y int) int {
	old := e.alt
	e.alt = e.newPage(false)
	e.alt.saved, e.alt.kitty = old.saved, old.kitty
	e.alt.saved.cursor = cursor{x: min(old.saved.x, e.cols-1), y: min(old.saved.y, e.rows-1)}
	skip := max(0, y-e.rows+1)
	cols := min(was.cols, e.cols)
	for y := range min(e.rows, was.rows-skip) {
		r := old.rows[y+skip]
		old.split(cols, y+skip)
		e.alt.place(y, old.text(y + skip)[:min(r.end(), cols)], row{mark: r.mark})
	}
	return skip
}

// place fills an empty row. Where a wide character had no room it gets the gap that
// printing would have left.
func (p *page) place(y int, cells []glyph, r row) {
	if r.wrapped && len(cells) == p.cols-1 {
		cells = append(slices.Clip(cells), glyph{r: gapRune})
	}
	if len(cells) > 0 {
		p.raw(0, y, cells)
	}
	q := p.touch(y)
	q.used, q.wrapped, q.mark = int32(len(cells)), r.wrapped, r.mark
}

// cutter cuts logical lines to a width. Its rows follow one another without
// regard to a screen: the last ones become it, the others go into the history.
type cutter struct {
	cols  int
	cells []glyph
	rows  []cutRow
	mark  byte
	// where the cursor is in the line that is being collected, -1 if not in it;
	// and the row and column that it got.
	at     int
	cursor cursor
}

type cutRow struct {
	cells []glyph
	row   row
}

// line cuts the line that was collected.
func (c *cutter) line() {
	l := c.cells
	if c.cols == 1 {
		narrow(l)
	}
	for off := 0; ; {
		n := min(c.cols, len(l)-off)
		if off+n < len(l) && n > 1 && l[off+n].r == filler {
			n-- // a wide cell is not cut
		}
		more := off+n < len(l)
		if c.at >= off && (c.at < off+n || !more) {
			c.cursor.y = len(c.rows)
			c.cursor.x = c.at - off
		}
		c.rows = append(c.rows, cutRow{l[off : off+n], row{wrapped: more, mark: c.mark}})
		c.mark = 0
		if off += n; !more {
			break
		}
	}
	c.at = -1
}

// narrow replaces wide cells, for which one column has no room.
func narrow(l []glyph) {
	for i := 1; i < len(l); i++ {
		if l[i].r == filler {
			l[i-1].r, l[i].r = '\ufffd', ' '
		}
	}
}

// reflow cuts the main screen and the history to the new size. cur is the main
// screen's cursor; its new place is returned.
func (e *Emulator) reflow(was size, cur cursor) cursor {
	old := e.main
	c := cutter{cols: e.cols, at: -1}
	if was.cols != e.cols {
		e.cuts++
		e.reflowHistory(&c, old.rows[0].used > 0)
	}
	last := was.rows - 1
	for last > cur.y && old.rows[last].used == 0 {
		last--
	}
	for y := 0; y <= last; y++ {
		r := old.rows[y]
		if len(c.cells) == 0 {
			c.mark = r.mark
		}
		cells := old.text(y)
		if y == cur.y {
			c.at = len(c.cells) + cur.x
			if cur.pending {
				c.at++
			}
		}
		c.cells = append(c.cells, withoutGap(cells, r)...)
		if !r.wrapped || y == last {
			c.line()
			c.cells = nil
		}
	}
	return e.settleRows(c.rows, c.cursor, was.rows, last+1)
}

// reflowHistory cuts the history's lines to the new width. If the last goes on in
// the screen it is left in c, to be collected further.
func (e *Emulator) reflowHistory(c *cutter, goesOn bool) {
	old := e.history
	e.history = history{limit: old.limit, base: old.base + uint64(old.n)}
	for i := range old.n {
		p := old.at(i)
		l := p.open()
		if len(c.cells) == 0 {
			e.relieve() // no cell on its way holds a number
		}
		if len(c.cells) == 0 && !l.row.wrapped && l.cells <= c.cols {
			e.history.add(p) // fits as it is
			continue
		}
		if len(c.cells) == 0 {
			c.mark = l.row.mark
		}
		c.cells, _ = e.unpack(c.cells, p)
		if l.row.wrapped && len(c.cells) < maxReflow && (goesOn || i < old.n-1) {
			continue
		}
		c.line()
		e.addRows(c.rows)
		c.rows, c.cells = c.rows[:0], c.cells[:0]
	}
}

// maxReflow bounds the cells of a line that is put together again: a stream
// without a line feed is one line.
const maxReflow = 1 << 16

func (e *Emulator) addRows(rows []cutRow) {
	if e.history.limit == 0 {
		e.history.base += uint64(len(rows))
		return
	}
	for _, r := range rows {
		e.lineBuf = e.pack(e.lineBuf[:0], r.cells, r.row)
		e.history.add(e.lineBuf)
	}
}

// settleRows makes the main screen of the cut rows, of which the last ones fit.
// cur is the cursor among them, wasRows the old height, before how many rows they
// were. The cursor's place on the screen is returned.
func (e *Emulator) settleRows(rows []cutRow, cur cursor, wasRows, before int) cursor {
	old := e.main
	if drop := len(rows) - e.rows; drop > 0 {
		e.addRows(rows[:drop])
		rows = rows[drop:]
		cur.y -= drop
	} else {
		// Growth and lines that became whole make room for what was above.
		pull := max(0, e.rows-wasRows) + max(0, before-len(rows))
		pull = min(pull, -drop, e.history.len())
		pulled := make([]cutRow, pull, pull+len(rows))
		for i := pull - 1; i >= 0; i-- {
			pulled[i].cells, pulled[i].row = e.unpack(nil, e.history.pop())
		}
		rows = append(pulled, rows...)
		cur.y += pull
	}
	e.main = e.newPage(true)
	e.main.saved, e.main.kitty = old.saved, old.kitty
	e.main.saved.cursor = cursor{x: min(old.saved.x, e.cols-1), y: min(old.saved.y, e.rows-1)}
	for y, r := range rows {
		e.main.place(y, r.cells, r.row)
	}
	cur.pending = cur.x == e.cols && e.modes.autowrap
	cur.x, cur.y = min(cur.x, e.cols-1), max(0, cur.y)
	return cur
}
