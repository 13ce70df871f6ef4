package vt

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

const (
	// blockSize is how much memory lines share: one allocation for many.
	blockSize = 32 << 10
	// lineBytes is what a line may take on the average before the oldest lines
	// go, whatever their number, and maxHistory what all may take: they bound a
	// history of hostile lines.
	lineBytes  = 4 << 10
	maxHistory = 64 << 20
)

// history keeps the lines that left the top of the main screen, each as a packed
// line behind its length. They stand in blocks, which go when their last line does,
// and a line is known by where it stands: none has a pointer of its own, for memory's
// sake and the garbage collector's.
type history struct {
	limit int
	ring  []place
	first int
	n     int
	bytes int
	// base counts the lines that are gone: line i has been number base+i ever
	// since it came.
	base   uint64
	blocks [][]byte // the last one is being filled
	gone   uint32   // how many blocks there were before these
}

// place is where a line stands: a block's number, and its first byte there.
type place struct{ block, at uint32 }

func newHistory(limit int) history { return history{limit: limit} }

func (h *history) len() int { return h.n }

func (h *history) place(i int) *place { return &h.ring[(h.first+i)%len(h.ring)] }

// at is line i. It holds until lines are added or taken away.
func (h *history) at(i int) packed {
	p := h.place(i)
	b := h.blocks[p.block-h.gone][p.at:]
	size, n := binary.Uvarint(b)
	return packed(b[n : n+int(size)])
}

// add keeps a line, which is copied.
func (h *history) add(l packed) {
	if h.limit == 0 {
		return
	}
	if h.n == h.limit {
		h.dropFirst()
	}
	if h.n == len(h.ring) {
		ring := make([]place, min(max(64, 2*h.n), h.limit))
		for i := range h.n {
			ring[i] = *h.place(i)
		}
		h.ring, h.first = ring, 0
	}
	last := len(h.blocks) - 1
	if room := len(l) + binary.MaxVarintLen32; last < 0 || room > cap(h.blocks[last])-len(h.blocks[last]) {
		size := blockSize
		if h.n < 64 {
			size = blockSize / 8 // most panes stay small
		}
		h.blocks = append(h.blocks, make([]byte, 0, max(size, room)))
		last++
	}
	b := h.blocks[last]
	*h.place(h.n) = place{h.gone + uint32(last), uint32(len(b))}
	b = binary.AppendUvarint(b, uint64(len(l)))
	h.blocks[last] = append(b, l...)
	h.n++
	h.bytes += len(l)
	for h.bytes > min(h.limit*lineBytes, maxHistory) && h.n > 1 {
		h.dropFirst()
	}
}

func (h *history) dropFirst() {
	h.bytes -= len(h.at(0))
	h.first = (h.first + 1) % len(h.ring)
	h.n--
	h.base++
	used := h.gone + uint32(len(h.blocks)) - 1
	if h.n > 0 {
		used = h.place(0).block
	}
	if n := used - h.gone; n > 0 {
		h.blocks = slices.Delete(h.blocks, 0, int(n))
		h.gone = used
	}
}

// pop takes the newest line away. It holds until lines are added.
func (h *history) pop() packed {
	l, p := h.at(h.n-1), *h.place(h.n - 1)
	h.n--
	h.bytes -= len(l)
	last := p.block - h.gone
	h.blocks = h.blocks[:last+1]
	h.blocks[last] = h.blocks[last][:p.at]
	return l
}

func (h *history) clear() {
	*h = history{limit: h.limit, base: h.base + uint64(h.n)}
}

// markLinks marks the links of all lines.
func (h *history) markLinks(links bits) {
	for i := range h.n {
		l := h.at(i).open()
		for _, s, ok := l.nextRun(); ok; _, s, ok = l.nextRun() {
			links.set(uint32(s.link))
		}
	}
}

// packed is a line of cells:
//
//	flags   1 byte: 1 wrapped, 2 not all ASCII, 4·mark (0, or 1 to 4 for A to D)
//	cells   uvarint
//	size    uvarint, the text's bytes; only if not all ASCII
//	text    UTF-8; a cell that is not one code point of its usual width is
//	        written as 0x01, its bytes, its width, and its text
//	runs    how many cells (uvarint) and their style (see appendStyle); the last
//	        run of the default style is left out
//
// A style is spelled out: what left the screen keeps no number of the tables alive.
type packed []byte

const (
	packedWrapped = 1
	packedWide    = 2
	packedMark    = 4
	packedCluster = 0x01
)

// pack appends a row's cells as a packed line. Blanks at the end of a line that is
// not wrapped are left out.
func (e *Emulator) pack(b []byte, cells []glyph, r row) packed {
	cells = withoutGap(cells, r)
	if !r.wrapped {
		for len(cells) > 0 && cells[len(cells)-1] == blankGlyph {
			cells = cells[:len(cells)-1]
		}
	}
	flags := byte(0)
	if r.wrapped {
		flags |= packedWrapped
	}
	if r.mark != 0 {
		flags |= packedMark * (r.mark - 'A' + 1)
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(len(cells)))
	at := len(b)
	b = slices.Grow(b, len(cells))[:at+len(cells)]
	ascii, styles := true, uint32(0)
	for i, c := range cells {
		if c.r >= utf8.RuneSelf {
			ascii = false
			break
		}
		b[at+i] = byte(c.r)
		styles |= c.style
	}
	if !ascii {
		text := e.packText(e.textBuf[:0], cells)
		e.textBuf = text
		b[0] |= packedWide
		b = binary.AppendUvarint(b[:at], uint64(len(text)))
		b = append(b, text...)
	}
	if ascii && styles == 0 {
		return b
	}
	for i := 0; i < len(cells); {
		start := i
		for i < len(cells) && cells[i].style == cells[start].style {
			i++
		}
		if i == len(cells) && cells[start].style == 0 {
			break
		}
		b = binary.AppendUvarint(b, uint64(i-start))
		b = e.styles.list[cells[start].style].appendTo(b)
	}
	return b
}

// withoutGap is the cells of a row without the gap at its end. Any other, which was
// moved there by an edit, is a space; so is that of a row that does not go on.
func withoutGap(cells []glyph, r row) []glyph {
	if !r.wide {
		return cells
	}
	if n := len(cells) - 1; r.wrapped && n > 0 && cells[n].r == gapRune {
		cells = cells[:n]
	}
	if slices.ContainsFunc(cells, func(g glyph) bool { return g.r == gapRune }) {
		cells = slices.Clone(cells)
		for i := range cells {
			if cells[i].r == gapRune {
				cells[i].r = ' '
			}
		}
	}
	return cells
}

func (e *Emulator) packText(b []byte, cells []glyph) []byte {
	for i, c := range cells {
		if c.r == filler {
			continue
		}
		w := 1
		if i+1 < len(cells) && cells[i+1].r == filler {
			w = 2
		}
		if !isCluster(c.r) && runeWidth(c.r) == w {
			b = appendRune(b, c.r)
			continue
		}
		at := len(b)
		b = append(b, packedCluster, 0, byte(w))
		b = e.clusterText(b, c.r)
		b[at+1] = byte(len(b) - at - 3)
	}
	return b
}

// openLine reads a packed line.
type openLine struct {
	row   row // wrapped, mark
	cells int
	text  []byte
	runs  []byte
}

func (p packed) open() openLine {
	l := openLine{row: row{wrapped: p[0]&packedWrapped != 0}}
	if m := p[0] / packedMark; m != 0 {
		l.row.mark = 'A' + m - 1
	}
	cells, n := binary.Uvarint(p[1:])
	rest := p[1+n:]
	size := cells
	if p[0]&packedWide != 0 {
		size, n = binary.Uvarint(rest)
		rest = rest[n:]
	}
	l.cells, l.text, l.runs = int(cells), rest[:size], rest[size:]
	return l
}

func (l *openLine) nextRun() (n int, s style, ok bool) {
	if len(l.runs) == 0 {
		return 0, style{}, false
	}
	v, k := binary.Uvarint(l.runs)
	s, l.runs = readStyle(l.runs[k:])
	return int(v), s, true
}

// next is the next cell's text and width; ok is false at the end.
func (l *openLine) next() (text []byte, w int, ok bool) {
	t := l.text
	if len(t) == 0 {
		return nil, 0, false
	}
	n := 1
	switch {
	case t[0] == packedCluster:
		n = 3 + int(t[1])
		l.text = t[n:]
		return t[3:n], int(t[2]), true
	case t[0] < utf8.RuneSelf:
		w = 1
	default:
		var r rune
		r, n = utf8.DecodeRune(t)
		w = runeWidth(r)
	}
	l.text = t[n:]
	return t[:n], w, true
}

// unpack appends a packed line's cells. Their styles get numbers that nothing marks.
func (e *Emulator) unpack(cells []glyph, p packed) ([]glyph, row) {
	l := p.open()
	n, s, ok := l.nextRun()
	id := e.styleID(s)
	for {
		text, w, more := l.next()
		if !more {
			return cells, l.row
		}
		r := rune(text[0])
		if r >= utf8.RuneSelf || len(text) > 1 {
			r = e.clusterRune(text)
		}
		cells = append(cells, glyph{r, id})
		if w == 2 {
			cells = append(cells, glyph{filler, id})
		}
		if !ok {
			continue
		}
		for n -= w; n <= 0 && ok; {
			var k int
			k, s, ok = l.nextRun()
			n += k
			id = e.styleID(s)
		}
	}
}

// keep adds row y of the main screen to the history.
func (e *Emulator) keep(y int) {
	if e.history.limit == 0 {
		e.history.base++ // it is gone at once
		return
	}
	r := e.main.rows[y]
	e.lineBuf = e.pack(e.lineBuf[:0], e.main.text(y), r)
	e.history.add(e.lineBuf)
}

// HistoryLen is how many lines the history holds.
func (e *Emulator) HistoryLen() int { return e.history.len() }

// AppendHistory appends the text of line i of the history, counted from the
// oldest, and tells whether it goes on in the next.
func (e *Emulator) AppendHistory(b []byte, i int) (text []byte, wrapped bool) {
	l := e.history.at(i).open()
	for {
		t, _, ok := l.next()
		if !ok {
			return b, l.row.wrapped
		}
		b = append(b, t...)
	}
}
