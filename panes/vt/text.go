package vt

import (
	"bytes"
	mathbits "math/bits"
	"slices"
	"unicode/utf8"
)

// Text chooses what AppendText writes.
type Text struct {
	// Styled writes colours, attributes, underlines (SGR) and links (OSC 8) too.
	// Every line begins and ends in the default style.
	Styled bool
	// History is how many rows of the scrollback are taken at most, the newest;
	// negative: all.
	History int
	// Alt takes the alternate screen alone while that is shown. Otherwise it is
	// the main screen, shown or not.
	Alt bool
}

const (
	// maxText bounds the history in styled text and in a dump, in bytes: a style
	// takes a few in memory and up to a hundred when it is written.
	maxText = 64 << 20
	// maxTextLinks bounds the targets of links in styled text: a cell names one in
	// two bytes.
	maxTextLinks = 16 << 20
)

// AppendText appends the scrollback and the screen as lines that end in "\n". Rows
// that were wrapped are one line, so that it is cut anew wherever it is shown.
// Blanks that show nothing are left out at the end of each line, and blank rows at
// the end of the screen. A terminal that is to show the lines needs a carriage
// return before each line feed.
//
// Styled text has palette colours by their number, whatever a program made of
// them. Of a styled scrollback it has the newest 64 MB at most, and of links those
// whose targets come first, 16 MB in all.
func (e *Emulator) AppendText(b []byte, t Text) []byte {
	w := lineWriter{e: e, b: b, styled: t.Styled, links: maxTextLinks}
	w.begin()
	p := e.main
	if t.Alt && e.onAlt() {
		p = e.page
	} else {
		w.history(t.History)
	}
	first, end := w.start, w.start
	for y := range p.rows {
		r := p.rows[y]
		e.lineBuf = e.pack(e.lineBuf[:0], p.text(y), r)
		w.cells(packed(e.lineBuf).open())
		if r.wrapped && y < p.bottom() {
			continue
		}
		if w.endLine() {
			end = len(w.b)
		}
	}
	return w.b[:max(first, end)]
}

// lineWriter writes packed lines as text, in the default style at first.
type lineWriter struct {
	e      *Emulator
	b      []byte
	styled bool
	guards bool  // protection is written too (DECSCA)
	style  style // the one in effect
	links  int   // how many bytes of targets may be written yet

	start     int   // where the line begins
	seen      int   // where it ends, as far as it can be seen
	seenStyle style // the one in effect there
	// where the last cell's text is; nowhere if what follows cannot join it.
	last, lastEnd int
}

// history writes the newest n rows of the history, or all.
func (w *lineWriter) history(n int) {
	h := &w.e.history
	from := 0
	if n >= 0 {
		from = max(0, h.len()-n)
	}
	if w.styled {
		from = max(from, w.e.affordable(maxText))
	}
	size := 0
	for i := from; i < h.len(); i++ {
		size += len(h.at(i))
	}
	w.b = slices.Grow(w.b, size)
	for i := from; i < h.len(); i++ {
		l := h.at(i).open()
		w.cells(l)
		if !l.row.wrapped {
			w.endLine()
		}
	}
}

// affordable is the first row of the history from which on all of them fit into so
// many bytes of styled text, links aside.
func (e *Emulator) affordable(left int) int {
	for i := e.history.len() - 1; i >= 0; i-- {
		l := e.history.at(i).open()
		left -= len(l.text) + 1
		for _, s, ok := l.nextRun(); ok; _, s, ok = l.nextRun() {
			left -= s.sgrSize()
		}
		if left < 0 {
			return i + 1
		}
	}
	return 0
}

func (w *lineWriter) begin() {
	w.start, w.seen, w.seenStyle = len(w.b), len(w.b), w.style
	w.last, w.lastEnd = 0, 0
}

// endLine ends a line behind what can be seen of it, and reports whether there was
// anything.
func (w *lineWriter) endLine() bool {
	some := w.seen > w.start
	w.b = w.b[:w.seen]
	w.style = w.seenStyle
	w.setStyle(style{})
	w.b = append(w.b, '\n')
	w.begin()
	return some
}

// cells writes the cells of a row.
func (w *lineWriter) cells(l openLine) {
	if !w.styled {
		l.runs = nil
	}
	n, s, ok := l.nextRun()
	if !ok {
		n = l.cells
	}
	for l.cells > 0 {
		n = min(n, l.cells)
		w.setStyle(s)
		if len(l.text) == l.cells { // ASCII to the end
			w.text(l.text[:n])
			l.text = l.text[n:]
			l.cells -= n
			n = 0
		}
		for n > 0 && len(l.text) > 0 {
			text, cols, _ := l.next()
			w.cell(text)
			n -= cols
			l.cells -= cols
		}
		k, next, ok := l.nextRun()
		if !ok {
			k = l.cells
		}
		n, s = n+k, next
	}
}

// text writes cells of ASCII.
func (w *lineWriter) text(text []byte) {
	if len(text) == 0 {
		return
	}
	if w.lastEnd > 0 && w.joins(text[:1]) {
		w.b = append(w.b, apart)
	}
	at := len(w.b)
	w.b = append(w.b, text...)
	w.last, w.lastEnd = len(w.b)-1, len(w.b)
	if !w.showsBlanks() {
		text = bytes.TrimRight(text, " ")
	}
	if len(text) > 0 {
		w.seen, w.seenStyle = at+len(text), w.style
	}
}

// cell writes any one cell.
func (w *lineWriter) cell(text []byte) {
	if w.lastEnd > 0 && w.joins(text) {
		w.b = append(w.b, apart)
	}
	w.last = len(w.b)
	w.b = append(w.b, text...)
	w.lastEnd = len(w.b)
	if len(text) > 1 || text[0] != ' ' || w.showsBlanks() {
		w.seen, w.seenStyle = len(w.b), w.style
	}
}

// apart keeps two cells apart whose text would be one cluster: SI does nothing
// where G0 is in use anyway.
const apart = 0x0F

// joins reports whether text would join the cell before it. Plain text has no
// controls, so that there it must.
func (w *lineWriter) joins(text []byte) bool {
	if !w.styled {
		return false
	}
	before := w.b[w.last:w.lastEnd]
	r, n := utf8.DecodeRune(text)
	if isPlain(r) && !opensCluster(lastRune(before)) {
		return false
	}
	var buf [2 * clusterBytes]byte
	return isOneCluster(append(append(buf[:0], before...), text[:n]...))
}

func (w *lineWriter) showsBlanks() bool {
	const lines = Reverse | Strike | Overline | UnderlineMask
	s := &w.style
	return w.styled && (s.bg != 0 || s.attr&lines != 0)
}

// setStyle brings a style into effect.
func (w *lineWriter) setStyle(s style) {
	if !w.styled || s == w.style {
		return
	}
	was := w.style
	w.style = s
	if s.link != was.link {
		w.link(s.link)
	}
	if w.guards && (s.attr^was.attr)&isProtected != 0 {
		n := byte('0')
		if s.attr&isProtected != 0 {
			n = '1'
		}
		w.b = append(w.b, 0x1B, '[', n, '"', 'q')
	}
	was.link, s.link = 0, 0
	was.attr, s.attr = was.attr&^isProtected, s.attr&^isProtected
	if s != was {
		w.b = append(w.b, "\x1b["...)
		if s != (style{}) {
			w.b = s.appendSGR(append(w.b, '0'))
		}
		w.b = append(w.b, 'm')
	}
}

func (w *lineWriter) link(id uint16) {
	target := w.e.links.list[id]
	if w.links -= len(target); w.links < 0 {
		target = ""
	}
	w.b = append(w.b, "\x1b]8;;"...)
	w.b = append(w.b, target...)
	w.b = append(w.b, "\x1b\\"...)
}

// sgrSize is the most that bringing s into effect takes, but for its link.
func (s *style) sgrSize() int {
	n := len("\x1b[0m\x1b]8;;\x1b\\") + 3*mathbits.OnesCount16(uint16(s.attr))
	for _, c := range [...]Color{s.fg, s.bg, s.ul} {
		switch {
		case c&ColorRGB != 0:
			n += len(";38:2:255:255:255")
		case c != 0:
			n += len(";38:5:255")
		}
	}
	return n
}
