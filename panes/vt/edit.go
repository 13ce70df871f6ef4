package vt

import "slices"

// scrollUp moves the region up by n rows. What leaves the top of the main screen
// goes into the history.
func (e *Emulator) scrollUp(n int) {
	m := e.margins
	n = min(n, m.bottom-m.top+1)
	if e.hasSides() {
		e.page.scrollBox(m.top, m.left, m.bottom, m.right+1, n, e.pen.erase)
		return
	}
	if e.page.mainScreen && m.top == 0 {
		for y := range n {
			e.keep(y)
		}
	}
	e.page.scroll(m.top, m.bottom, n, e.pen.erase)
}

func (e *Emulator) scrollDown(n int) {
	e.shiftRows(e.margins.top, -n)
}

// shiftRows scrolls the region's rows from top on, up by n or down if negative,
// without a trace in the history: it is an edit (IL, DL, SD).
func (e *Emulator) shiftRows(top, n int) {
	m := e.margins
	n = max(min(n, e.rows), -e.rows)
	if e.hasSides() {
		e.page.scrollBox(top, m.left, m.bottom, m.right+1, n, e.pen.erase)
		return
	}
	e.page.edit(top, m.bottom, n, e.pen.erase)
}

func (e *Emulator) insertLines(n int) {
	if e.inRegion() {
		e.shiftRows(e.cur.y, -n)
		e.cur.x, e.cur.pending = e.margins.left, false
	}
}

func (e *Emulator) deleteLines(n int) {
	if e.inRegion() {
		e.shiftRows(e.cur.y, n)
		e.cur.x, e.cur.pending = e.margins.left, false
	}
}

func (e *Emulator) insertChars(n int) {
	e.cur.pending = false
	if e.inSides() {
		e.page.insert(e.cur.x, e.margins.right+1, e.cur.y, n, e.pen.erase)
	}
}

func (e *Emulator) deleteChars(n int) {
	e.cur.pending = false
	if e.inSides() {
		e.page.remove(e.cur.x, e.margins.right+1, e.cur.y, n, e.pen.erase)
	}
}

func (e *Emulator) eraseChars(n int) {
	e.cur.pending = false
	e.page.erase(e.cur.x, min(e.cols, e.cur.x+n), e.cur.y, e.pen.erase)
}

// insertColumns is DECIC, or DECDC if n is negative.
func (e *Emulator) insertColumns(n int) {
	if !e.inRegion() {
		return
	}
	e.shiftColumns(e.cur.x, n)
}

// shiftColumns moves the region's columns from left on by n to the right, or to
// the left if negative (DECIC, DECDC, SR, SL).
func (e *Emulator) shiftColumns(left, n int) {
	m := e.margins
	e.cur.pending = false
	for y := m.top; y <= m.bottom; y++ {
		if n > 0 {
			e.page.insert(left, m.right+1, y, n, e.pen.erase)
		} else {
			e.page.remove(left, m.right+1, y, -n, e.pen.erase)
		}
	}
}

// backIndex is DECBI, forwardIndex DECFI: the cursor's step to the side that
// scrolls at the margin.

func (e *Emulator) backIndex() {
	switch {
	case e.cur.x == e.margins.left && e.inRegion():
		e.shiftColumns(e.margins.left, 1)
	case e.cur.x > 0:
		e.cur.x--
	}
	e.cur.pending = false
}

func (e *Emulator) forwardIndex() {
	switch {
	case e.cur.x == e.margins.right && e.inRegion():
		e.shiftColumns(e.margins.left, -1)
	case e.cur.x < e.cols-1:
		e.cur.x++
	}
	e.cur.pending = false
}

// eraseDisplay is ED: 0 below, 1 above, 2 all, 3 the history.
func (e *Emulator) eraseDisplay(what int) {
	switch what {
	case 0:
		if e.cur.x == 0 {
			e.page.eraseRows(e.cur.y, e.rows-1, e.pen.erase)
			break
		}
		e.page.erase(e.cur.x, e.cols, e.cur.y, e.pen.erase)
		e.page.eraseRows(e.cur.y+1, e.rows-1, e.pen.erase)
	case 1:
		e.page.eraseRows(0, e.cur.y-1, e.pen.erase)
		e.page.erase(0, e.cur.x+1, e.cur.y, e.pen.erase)
	case 2:
		e.page.eraseRows(0, e.rows-1, e.pen.erase)
	case 3:
		e.history.clear()
	default:
		return
	}
	e.cur.pending = false
}

// eraseLine is EL: 0 to the right, 1 to the left, 2 all.
func (e *Emulator) eraseLine(what int) {
	x0, x1 := 0, e.cols
	switch what {
	case 0:
		x0 = e.cur.x
	case 1:
		x1 = e.cur.x + 1
	case 2:
	default:
		return
	}
	e.page.erase(x0, x1, e.cur.y, e.pen.erase)
	e.cur.pending = false
}

// selectiveErase erases the cells of rows that are not protected (DECSED, DECSEL,
// DECSERA).
func (e *Emulator) selectiveErase(x0, y0, x1, y1 int) {
	for y := y0; y < y1; y++ {
		n := min(x1, e.page.rows[y].end())
		if n <= x0 {
			continue
		}
		cells := slices.Clone(e.page.row(y)[x0:n])
		for i, c := range cells {
			s := e.styles.list[c.style]
			if s.attr&isProtected == 0 {
				e.page.erase(x0+i, x0+i+1, y, e.styleID(style{bg: s.bg}))
			}
		}
	}
}

func (e *Emulator) selectiveEraseDisplay(what int) {
	switch what {
	case 0:
		e.selectiveErase(e.cur.x, e.cur.y, e.cols, e.cur.y+1)
		e.selectiveErase(0, e.cur.y+1, e.cols, e.rows)
	case 1:
		e.selectiveErase(0, 0, e.cols, e.cur.y)
		e.selectiveErase(0, e.cur.y, e.cur.x+1, e.cur.y+1)
	case 2:
		e.selectiveErase(0, 0, e.cols, e.rows)
	}
}

func (e *Emulator) selectiveEraseLine(what int) {
	x0, x1 := 0, e.cols
	switch what {
	case 0:
		x0 = e.cur.x
	case 1:
		x1 = e.cur.x + 1
	case 2:
	default:
		return
	}
	e.selectiveErase(x0, e.cur.y, x1, e.cur.y+1)
}

// alignmentTest is DECALN: a screen of E in the default style.
func (e *Emulator) alignmentTest() {
	e.resetMargins()
	e.cur = cursor{}
	line := make([]byte, e.cols)
	for i := range line {
		line[i] = 'E'
	}
	for y := range e.rows {
		e.page.erase(0, e.cols, y, 0)
		e.page.write(0, y, 0, line, e.cols, false)
	}
}

// box is a rectangle of cells, its ends excluded.
type box struct{ x0, y0, x1, y1 int }

// rectangle reads the four parameters of a rectangle from parameter i on: top,
// left, bottom, right from 1 (VT420; origin mode counts).
func (e *Emulator) rectangle(i int) (box, bool) {
	p := &e.parser
	area := box{0, 0, e.cols, e.rows}
	if e.modes.origin {
		area = box{e.margins.left, e.margins.top, e.margins.right + 1, e.margins.bottom + 1}
	}
	b := box{
		x0: area.x0 + p.arg(i+1, 1) - 1,
		y0: area.y0 + p.arg(i, 1) - 1,
		x1: min(area.x0+p.arg(i+3, e.cols), area.x1),
		y1: min(area.y0+p.arg(i+2, e.rows), area.y1),
	}
	return b, b.x0 < b.x1 && b.y0 < b.y1
}

// fillBox is DECFRA: a rectangle of one character in the pen's style.
func (e *Emulator) fillBox() {
	c := e.parser.arg(0, 0)
	b, ok := e.rectangle(1)
	if !ok || c < 0x20 || c == 0x7F || c > 0xFF || c >= 0x80 && c < 0xA0 {
		return
	}
	cells := make([]glyph, b.x1-b.x0)
	fill(cells, glyph{rune(c), e.pen.id})
	for y := b.y0; y < b.y1; y++ {
		e.page.put(b.x0, y, cells)
	}
}

// eraseBox is DECERA.
func (e *Emulator) eraseBox() {
	if b, ok := e.rectangle(0); ok {
		for y := b.y0; y < b.y1; y++ {
			e.page.erase(b.x0, b.x1, y, e.pen.erase)
		}
	}
}

func (e *Emulator) selectiveEraseBox() {
	if b, ok := e.rectangle(0); ok {
		e.selectiveErase(b.x0, b.y0, b.x1, b.y1)
	}
}

// copyBox is DECCRA, within the one page that there is.
func (e *Emulator) copyBox() {
	b, ok := e.rectangle(0)
	if !ok {
		return
	}
	p := &e.parser
	x, y := p.arg(6, 1)-1, p.arg(5, 1)-1
	if e.modes.origin {
		x, y = x+e.margins.left, y+e.margins.top
	}
	w, h := min(b.x1-b.x0, e.cols-x), min(b.y1-b.y0, e.rows-y)
	if w <= 0 || h <= 0 {
		return
	}
	cells := make([]glyph, w*h)
	for i := range h {
		e.page.split(b.x0, b.y0+i)
		e.page.split(b.x0+w, b.y0+i)
		copy(cells[i*w:(i+1)*w], e.page.row(b.y0 + i)[b.x0:])
	}
	for i := range h {
		e.page.put(x, y+i, cells[i*w:(i+1)*w])
	}
}
