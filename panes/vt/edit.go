package vt

// scrollUp moves the region up by n rows. What leaves the top of the main screen
// goes into the history.
func (e *Emulator) scrollUp(n int) {
	m := e.margins
	n = min(n, m.bottom-m.top+1)
	if e.hasSides() {
		e.page.scrollBox(m.top, m.left, m.bottom, m.right+1, n, e.eraseID())
		return
	}
	if e.page.mainScreen && m.top == 0 {
		for y := range n {
			e.keep(y)
		}
	}
	e.page.scroll(m.top, m.bottom, n, e.eraseID())
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
		e.page.scrollBox(top, m.left, m.bottom, m.right+1, n, e.eraseID())
		return
	}
	e.page.edit(top, m.bottom, n, e.eraseID())
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
		e.page.insert(e.cur.x, e.margins.right+1, e.cur.y, n, e.eraseID())
	}
}

func (e *Emulator) deleteChars(n int) {
	e.cur.pending = false
	if e.inSides() {
		e.page.remove(e.cur.x, e.margins.right+1, e.cur.y, n, e.eraseID())
	}
}

func (e *Emulator) eraseChars(n int) {
	e.cur.pending = false
	e.erase(e.cur.x, min(e.cols, e.cur.x+n), e.cur.y)
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
			e.page.insert(left, m.right+1, y, n, e.eraseID())
		} else {
			e.page.remove(left, m.right+1, y, -n, e.eraseID())
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

// erase makes the cells from x0 up to x1 blank, but not those that ISO protects.
func (e *Emulator) erase(x0, x1, y int) {
	if e.guardISO {
		e.eraseUnprotected(x0, x1, y)
		return
	}
	e.page.erase(x0, x1, y, e.eraseID())
}

func (e *Emulator) eraseRows(y0, y1 int) {
	if !e.guardISO {
		e.page.eraseRows(y0, y1, e.eraseID())
		return
	}
	for y := y0; y <= y1; y++ {
		e.eraseUnprotected(0, e.cols, y)
	}
}

// eraseDisplay is ED: 0 below, 1 above, 2 all, 3 the history.
func (e *Emulator) eraseDisplay(what int) {
	switch what {
	case 0:
		if e.cur.x == 0 {
			e.eraseRows(e.cur.y, e.rows-1)
			break
		}
		e.erase(e.cur.x, e.cols, e.cur.y)
		e.eraseRows(e.cur.y+1, e.rows-1)
	case 1:
		e.eraseRows(0, e.cur.y-1)
		e.erase(0, e.cur.x+1, e.cur.y)
	case 2:
		e.eraseRows(0, e.rows-1)
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
	e.erase(x0, x1, e.cur.y)
	e.cur.pending = false
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
