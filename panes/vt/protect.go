package vt

import "slices"

// Two standards protect cells: DEC's from the selective erasures (DECSED, DECSEL,
// DECSERA), ISO's from ED, EL and ECH. As in xterm a cell has one mark for both,
// and which standard's it is goes by what was used last.

func (e *Emulator) protect(on bool) {
	s := e.pen.style
	s.attr &^= isProtected
	if on {
		s.attr |= isProtected
	}
	e.setPen(s)
}

// startGuarded is SPA, endGuarded EPA (ECMA-48).

func (e *Emulator) startGuarded() {
	e.guardISO = true
	e.protect(true)
}

func (e *Emulator) endGuarded() { e.protect(false) }

// setProtection is DECSCA: 1 protects, 0 and 2 do not.
func (e *Emulator) setProtection() {
	n := e.parser.arg(0, 0)
	if n > 2 {
		return
	}
	if n == 1 {
		e.guardISO = false
	} else {
		e.told.unprotected = uint8(n)
	}
	e.protect(n == 1)
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

// eraseUnprotected erases in the pen's background what is not protected.
func (e *Emulator) eraseUnprotected(x0, x1, y int) {
	start := x0
	for x := x0; x < x1; x++ {
		if e.styles.list[e.page.row(y)[x].style].attr&isProtected != 0 {
			e.page.erase(start, x, y, e.eraseID())
			start = x + 1
		}
	}
	e.page.erase(start, x1, y, e.eraseID())
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
