package vt

// cursor is where the next character goes. pending: it filled the last column,
// and the next one wraps first.
type cursor struct {
	x, y    int
	pending bool
}

// savedCursor is what DECSC keeps. Autowrap is not among it, as xterm has it.
type savedCursor struct {
	cursor
	style  style
	sets   charsets
	origin bool
	set    bool
}

// margins are the first and last row and column of the scrolling region.
type margins struct{ top, bottom, left, right int }

func (e *Emulator) resetMargins() {
	e.margins = margins{0, e.rows - 1, 0, e.cols - 1}
}

func (e *Emulator) hasSides() bool { return e.margins.left > 0 || e.margins.right < e.cols-1 }

// inSides reports whether the cursor is between the margins at the sides.
func (e *Emulator) inSides() bool {
	return e.cur.x >= e.margins.left && e.cur.x <= e.margins.right
}

func (e *Emulator) inRegion() bool {
	return e.cur.y >= e.margins.top && e.cur.y <= e.margins.bottom && e.inSides()
}

func (e *Emulator) save() {
	c := e.cur
	c.pending = c.pending && c.x == e.cols-1
	e.page.saved = savedCursor{c, e.pen.style, e.sets, e.modes.origin, true}
}

func (e *Emulator) restore() {
	v := e.page.saved
	e.sets, e.modes.origin = v.sets, v.origin
	e.cur = v.cursor
	if v.origin { // not out of the margins
		m := e.margins
		e.cur.x, e.cur.y = max(m.left, min(v.x, m.right)), max(m.top, min(v.y, m.bottom))
	}
	e.cur.pending = v.pending && v.x == e.cur.x && e.modes.autowrap
	e.setPen(v.style)
}

// moveTo goes to a position counted from 0, or with origin mode from the margins.
func (e *Emulator) moveTo(x, y int) {
	m := margins{0, e.rows - 1, 0, e.cols - 1}
	if e.modes.origin {
		m = e.margins
	}
	e.cur = cursor{x: min(x+m.left, m.right), y: min(y+m.top, m.bottom)}
}

// up, down, forward and back stop at the margin unless they began beyond it.

func (e *Emulator) up(n int) {
	stop := 0
	if e.cur.y >= e.margins.top {
		stop = e.margins.top
	}
	e.cur.y, e.cur.pending = max(stop, e.cur.y-n), false
}

func (e *Emulator) down(n int) {
	stop := e.rows - 1
	if e.cur.y <= e.margins.bottom {
		stop = e.margins.bottom
	}
	e.cur.y, e.cur.pending = min(stop, e.cur.y+n), false
}

func (e *Emulator) forward(n int) {
	e.cur.x, e.cur.pending = min(e.edge()-1, e.cur.x+n), false
}

// back goes n columns to the left. With reverse wraparound (DECSET 45) it goes on
// at the end of the row above, as far as that was wrapped; with 1045 in any case.
func (e *Emulator) back(n int) {
	left := 0
	if e.cur.x >= e.margins.left {
		left = e.margins.left
	}
	if e.modes.autowrap && (e.modes.reverseWrap || e.modes.reverseWrapAll) {
		e.backWrapped(n, left)
		return
	}
	e.cur.x, e.cur.pending = max(left, e.cur.x-n), false
}

func (e *Emulator) backWrapped(n, left int) {
	if e.cur.pending {
		n--
		e.cur.pending = false
	}
	n = min(n, e.cols*e.rows)
	for n > e.cur.x-left {
		n -= e.cur.x - left + 1
		switch {
		case e.cur.y == e.margins.top && e.modes.reverseWrapAll:
			e.cur.y = e.margins.bottom
		case e.cur.y == 0, e.cur.y == e.margins.top, !e.modes.reverseWrapAll && !e.page.rows[e.cur.y-1].wrapped:
			e.cur.x = left
			return
		default:
			e.cur.y--
		}
		e.cur.x = e.margins.right
	}
	e.cur.x -= n
}

func (e *Emulator) carriageReturn() {
	left := 0
	if e.cur.x >= e.margins.left || e.modes.origin {
		left = e.margins.left
	}
	e.cur.x, e.cur.pending = left, false
}

// index goes down a row; at the bottom margin the region scrolls (IND).
func (e *Emulator) index() {
	switch {
	case e.cur.y == e.margins.bottom:
		if e.inSides() {
			e.scrollUp(1)
		}
	case e.cur.y < e.rows-1:
		e.cur.y++
	}
	e.cur.pending = false
}

func (e *Emulator) reverseIndex() {
	switch {
	case e.cur.y == e.margins.top:
		if e.inSides() {
			e.scrollDown(1)
		}
	case e.cur.y > 0:
		e.cur.y--
	}
	e.cur.pending = false
}

// lineFeed is LF, VT and FF.
func (e *Emulator) lineFeed() {
	e.index()
	if e.modes.newLine {
		e.carriageReturn()
	}
}

func (e *Emulator) nextLine() {
	e.index()
	e.carriageReturn()
}

// Tabs.

const tabWidth = 8

func (e *Emulator) resetTabs() { e.tabs = growTabs(nil, e.cols) }

// growTabs is tabs for another width, with the usual stops in new columns.
func growTabs(tabs []bool, cols int) []bool {
	n := make([]bool, cols)
	for i := copy(n, tabs); i < cols; i++ {
		n[i] = i > 0 && i%tabWidth == 0
	}
	return n
}

func (e *Emulator) tab(n int) {
	if e.cur.pending && e.modes.moreFix {
		e.wrap()
	}
	last := e.edge() - 1
	for n = min(n, e.cols); n > 0 && e.cur.x < last; n-- {
		for e.cur.x++; e.cur.x < last && !e.tabs[e.cur.x]; e.cur.x++ {
		}
	}
}

func (e *Emulator) backTab(n int) {
	first := 0
	if e.modes.origin {
		first = e.margins.left
	}
	for n = min(n, e.cols); n > 0 && e.cur.x > first; n-- {
		for e.cur.x--; e.cur.x > first && !e.tabs[e.cur.x]; e.cur.x-- {
		}
	}
	e.cur.pending = false
}

func (e *Emulator) setTab() { e.tabs[e.cur.x] = true }
