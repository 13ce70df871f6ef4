package vt

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// lastCell is the cell that was printed last, for the marks that join it and for
// REP.
type lastCell struct {
	ok    bool // nothing but SGR came since, so a mark may join
	open  bool // what follows may join though it is plain: see opensCluster
	x, y  int
	width int
	text  []byte
	// again is what REP repeats, whatever came since, as most terminals have it.
	again      []byte
	againWidth int
}

func (l *lastCell) forget() { l.ok, l.open = false, false }

func (l *lastCell) set(text []byte, width, x, y int) {
	l.recall(text, width, x, y)
	l.again, l.againWidth = append(l.again[:0], text...), width
}

func (l *lastCell) recall(text []byte, width, x, y int) {
	l.ok = true
	l.x, l.y, l.width = x, y, width
	l.text = append(l.text[:0], text...)
}

// charsets are the four designated sets and which of them are invoked. A set is
// named by its final; 0 is ASCII.
type charsets struct {
	g      [4]byte
	gl     uint8
	single uint8 // SS2, SS3: for the next character only; 0 for none
}

var decGraphics = []rune(" ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")

// translate is what an ASCII character means in the invoked set.
func (c *charsets) translate(r rune) rune {
	set := c.g[c.gl]
	if c.single != 0 {
		set = c.g[c.single]
		c.single = 0
	}
	switch {
	case set == '0' && r >= 0x5F && r <= 0x7E:
		return decGraphics[r-0x5F]
	case set == 'A' && r == '#':
		return '£'
	}
	return r
}

// edge is one past the last column that text may reach from where the cursor is.
func (e *Emulator) edge() int {
	if e.cur.x <= e.margins.right {
		return e.margins.right + 1
	}
	return e.cols
}

// wrap goes on in the next row, at its left edge.
func (e *Emulator) wrap() {
	x := e.cur.x
	if x == e.cols-1 && e.goesOn() {
		e.page.wrap(e.cur.y, true)
	}
	e.index()
	e.cur.x = 0
	if x >= e.margins.left {
		e.cur.x = e.margins.left
	}
}

// goesOn reports whether text that is wrapped in the last column goes on in the row
// below: not if the row was erased since, or if there is no row to go to.
func (e *Emulator) goesOn() bool {
	if e.page.rows[e.cur.y].end() < e.cols {
		return false
	}
	if e.cur.y == e.margins.bottom {
		return !e.hasSides()
	}
	return e.cur.y < e.rows-1
}

// printASCII prints a run of the bytes 0x20 to 0x7E.
func (e *Emulator) printASCII(p []byte) {
	if e.modes.insert || e.last.open || e.sets.g[e.sets.gl] != 0 || e.sets.single != 0 {
		for _, c := range p {
			e.print(e.sets.translate(rune(c)))
		}
		return
	}
	e.printRun(p)
}

// printRun prints ASCII as it is, over what is there.
func (e *Emulator) printRun(p []byte) {
	end := p[len(p)-1:]
	x := 0
	for len(p) > 0 {
		if e.cur.pending {
			e.wrap()
		}
		n := min(len(p), e.edge()-e.cur.x)
		if n < len(p) && !e.modes.autowrap {
			// The rest overwrites the last column: only its last counts.
			e.page.write(e.cur.x, e.cur.y, e.penID(), p[:n], n, false)
			e.cur.x = e.edge() - 1
			p, n = end, 1
		}
		e.page.write(e.cur.x, e.cur.y, e.penID(), p[:n], n, false)
		x = e.cur.x + n - 1
		e.advance(n)
		p = p[n:]
	}
	e.last.set(end, 1, x, e.cur.y)
}

// printPlain prints the plain characters that p begins with, a row's at a time,
// and returns how many bytes they were. Anything else is print's.
func (e *Emulator) printPlain(p []byte) int {
	if e.modes.insert || !e.modes.autowrap || e.last.open || e.sets.g[e.sets.gl] != 0 || e.sets.single != 0 {
		return 0
	}
	style, done := e.penID(), 0
	for done < len(p) {
		room := e.edge() - e.cur.x
		if e.cur.pending {
			room = e.cols // of the next row; there may be less, which is seen then
		}
		cells, n, last, w := e.page.cells[:0], 0, 0, 0
		wide := false
		for done+n < len(p) {
			r, k, cw := plainAt(p[done+n:])
			if cw == 0 || len(cells)+cw > room {
				break
			}
			if e.cur.pending {
				e.wrap()
				if room = e.edge() - e.cur.x; cw > room {
					break
				}
			}
			last, w = n, cw
			cells = append(cells, glyph{r, style})
			if cw == 2 {
				cells = append(cells, glyph{filler, style})
				wide = true
			}
			n += k
		}
		e.page.cells = cells
		if n == 0 {
			break
		}
		x := e.cur.x + len(cells) - w
		e.page.writeCells(e.cur.x, e.cur.y, cells, wide)
		e.advance(len(cells))
		e.last.set(p[done+last:done+n], w, x, e.cur.y)
		done += n
	}
	return done
}

// plainAt is the plain character that p begins with, its length and its width; the
// width is 0 if it begins with anything else.
func plainAt(p []byte) (r rune, n, w int) {
	c := p[0]
	switch {
	case c-0x20 < 0x5F:
		return rune(c), 1, 1
	case c < utf8.RuneSelf:
		return 0, 1, 0
	case c >= 0xE3 && c <= 0xEC && len(p) > 2 && p[1]&0xC0 == 0x80 && p[2]&0xC0 == 0x80:
		// Here are most of the wide characters, and nothing that is not UTF-8.
		if r = rune(c&0xF)<<12 | rune(p[1]&0x3F)<<6 | rune(p[2]&0x3F); isKanaOrHan(r) || r >= 0xAC00 {
			return r, 3, 2
		}
	}
	r, n = utf8.DecodeRune(p)
	if r < 0xA0 || n == 1 || !isPlain(r) || isReserved(r) {
		return r, n, 0
	}
	return r, n, runeWidth(r)
}

// advance moves the cursor past n cells that were written.
func (e *Emulator) advance(n int) {
	edge := e.edge()
	e.cur.x += n
	if e.cur.x < edge {
		return
	}
	e.cur.x = edge - 1
	e.cur.pending = e.modes.autowrap
	if edge == e.cols {
		e.page.wrap(e.cur.y, false)
	}
}

// print prints a code point, as a cell of its own or as part of the last.
func (e *Emulator) print(r rune) {
	l := &e.last
	if l.open || !isPlain(r) {
		if e.join(r) {
			return
		}
	}
	w := runeWidth(r)
	if w == 0 {
		return // nothing to join, no column of its own
	}
	var buf [utf8.UTFMax]byte
	e.place(utf8.AppendRune(buf[:0], r), w)
	l.open = opensCluster(r)
}

// place prints a cluster of w columns.
func (e *Emulator) place(text []byte, w int) {
	if e.cur.pending {
		e.wrap()
	}
	edge := e.edge()
	if e.cur.x+w > edge {
		left := 0
		if e.cur.x >= e.margins.left {
			left = e.margins.left
		}
		switch {
		case edge-left < w: // nowhere wide enough
			text, w = replacement, 1
		case !e.modes.autowrap:
			return // as tmux and xterm.js have it
		default:
			e.gap(e.cur.x, edge)
		}
	}
	if e.modes.insert {
		e.page.insert(e.cur.x, e.edge(), e.cur.y, w, e.eraseID())
	}
	x, y := e.cur.x, e.cur.y
	e.store(x, y, text, w, e.penID())
	e.last.set(text, w, x, y)
	e.advance(w)
}

// gap fills what is left before the margin, where a wide character has no room, with
// a blank in the pen's style, as most terminals do, and goes on in the next row.
func (e *Emulator) gap(x, edge int) {
	for ; x < edge; x++ {
		e.page.write(x, e.cur.y, e.penID(), gapText, 1, true)
	}
	e.cur.x = edge - 1
	e.wrap()
}

var gapText = []byte(string(gapRune))

var replacement = []byte("\ufffd")

func (e *Emulator) store(x, y int, text []byte, w int, style uint32) {
	b := appendRune(e.run[:0], e.clusterRune(text))
	if w == 2 {
		b = utf8.AppendRune(b, filler)
	}
	e.run = b
	e.page.write(x, y, style, b, w, w == 2)
}

// join adds r to the cell that was printed last, or to the one before the cursor,
// if the two are one cluster.
func (e *Emulator) join(r rune) bool {
	l := &e.last
	recalled := false
	if !l.ok {
		if recalled = runeWidth(r) == 0 && e.recall(); !recalled {
			return false
		}
	}
	taken := e.joinLast(r)
	if recalled && !bytes.Equal(l.text, l.again) {
		l.forget() // it stands for what was printed last only if r joined it
	}
	return taken
}

func (e *Emulator) joinLast(r rune) bool {
	l := &e.last
	n := len(l.text)
	joined := utf8.AppendRune(l.text, r)
	l.text = joined[:n]
	if !isOneCluster(joined) {
		return false
	}
	if len(joined) > clusterBytes || r == emojiStyle && !takesEmojiStyle(lastRune(joined[:n])) {
		return true // dropped
	}
	w := min(max(clusterWidth(joined), l.width), 2)
	if e.rejoin(joined, w) {
		l.text, l.width = joined, w
		l.again, l.againWidth = append(l.again[:0], joined...), w
		l.open = opensCluster(r)
	}
	return true
}

func lastRune(s []byte) rune {
	r, _ := utf8.DecodeLastRune(s)
	return r
}

// recall takes the cell before the cursor for the last one, so that a mark which
// comes after a movement still finds its letter.
func (e *Emulator) recall() bool {
	x, y := e.cur.x, e.cur.y
	if !e.cur.pending {
		x--
	}
	if x < 0 || x >= e.page.rows[y].end() {
		return false
	}
	row, w := e.page.row(y), 1
	if row[x].r == filler {
		x--
	}
	if x+1 < len(row) && row[x+1].r == filler {
		w = 2 // the cursor may be on its second half, without autowrap
	}
	var buf [clusterBytes]byte
	e.last.recall(e.clusterText(buf[:0], row[x].r), w, x, y)
	return true
}

// rejoin writes the last cell anew with a longer text, in its own style. One that
// becomes wide at the margin moves to the next row. It reports false if there is
// no room.
func (e *Emulator) rejoin(text []byte, w int) bool {
	l := &e.last
	id := e.page.at(l.x, l.y).style
	if w == l.width {
		e.store(l.x, l.y, text, w, id)
		return true
	}
	e.clusterRune(text) // has a number now, before the cell may be gone
	e.pin(true)
	defer e.pin(false)
	old := e.cur
	e.cur.x, e.cur.pending = l.x, false
	edge := e.edge()
	switch {
	case l.x+w <= edge:
	case !e.modes.autowrap || edge-e.margins.left < w || edge < w:
		e.cur = old
		return false
	default:
		e.gap(l.x, edge)
		l.x, l.y = e.cur.x, e.cur.y
	}
	if e.modes.insert {
		e.page.insert(l.x+1, e.edge(), l.y, 1, e.eraseID())
	}
	e.store(l.x, l.y, text, w, id)
	e.advance(w)
	return true
}

// repeat prints the last character n times more (REP), at most a screenful.
func (e *Emulator) repeat(n int) {
	n = min(n, e.cols*e.rows)
	w := e.last.againWidth
	text := slices.Clone(e.last.again)
	if len(text) == 0 {
		return
	}
	if len(text) > 1 || w > 1 {
		for range n {
			e.place(text, w)
		}
		return
	}
	run := make([]byte, min(n, e.cols))
	for i := range run {
		run[i] = text[0]
	}
	for n > 0 {
		k := min(n, len(run))
		if e.modes.insert {
			e.place(text, w)
			k = 1
		} else {
			e.printRun(run[:k])
		}
		n -= k
	}
}
