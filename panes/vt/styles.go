package vt

import (
	mathbits "math/bits"
	"math/rand/v2"
	"slices"
)

// stylesAt is how many styles may have numbers before those that no cell has are
// collected. Only the screens' cells hold numbers: a history spells its styles out.
const stylesAt = 1 << 14

// isProtected marks cells that selective erase leaves alone (DECSCA). It is an
// attribute inside only: no Cell shows it.
const isProtected Attr = 1 << 15

// style is everything a cell has beside its text.
type style struct {
	fg, bg, ul Color
	attr       Attr
	link       uint16
}

// styleTable gives small numbers to styles, from 0 on, which is the default style.
// It is what a colour costs that was not used before, or not lately: a hash table
// without pointers, half full at most. Its hash is secret, as programs choose the
// styles.
type styleTable struct {
	list  []style
	index []uint32 // numbers plus 1, where the hash of their styles says or behind; 0: free
	free  []uint32 // numbers
	limit int      // how many may be in use before a collection is due
	// pinned forbids collections, while numbers are held that nothing marks.
	pinned bool
}

// minIndex is the least size of an index.
const minIndex = 64

func newStyleTable() styleTable {
	return styleTable{list: make([]style, 1, 8), limit: stylesAt}
}

var styleSeed = [3]uint64{rand.Uint64() | 1, rand.Uint64() | 1, rand.Uint64()}

// hash is multilinear, so that who does not know the seed cannot find styles that
// meet.
func (s *style) hash() uint32 {
	a := uint64(s.fg) | uint64(s.bg)<<32
	b := uint64(s.ul) | uint64(s.attr)<<32 | uint64(s.link)<<48
	hi, lo := mathbits.Mul64(a^styleSeed[0], b^styleSeed[1])
	hi2, lo2 := mathbits.Mul64(hi^lo^a, styleSeed[2])
	return uint32(hi2 ^ lo2)
}

func (t *styleTable) used() int { return len(t.list) - len(t.free) }

// find is the number of s, or where in the index it belongs; s is not the default.
func (t *styleTable) find(s style) (id uint32, slot int) {
	mask := len(t.index) - 1
	for slot = int(s.hash()) & mask; ; slot = (slot + 1) & mask {
		n := t.index[slot]
		if n == 0 {
			return noStyle, slot
		}
		if t.list[n-1] == s {
			return n - 1, slot
		}
	}
}

// add gives a number to a style that has none.
func (t *styleTable) add(s style) uint32 {
	var id uint32
	if n := len(t.free); n > 0 {
		id = t.free[n-1]
		t.free = t.free[:n-1]
		t.list[id] = s
	} else {
		id = uint32(len(t.list))
		t.list = append(t.list, s)
	}
	if 2*t.used() > len(t.index) {
		t.rebuild(max(minIndex, 2*len(t.index)))
		return id
	}
	_, slot := t.find(s)
	t.index[slot] = id + 1
	return id
}

// rebuild makes an index of a size, a power of two.
func (t *styleTable) rebuild(size int) {
	if size == len(t.index) {
		clear(t.index)
	} else {
		t.index = make([]uint32, size)
	}
	for i := 1; i < len(t.list); i++ {
		if s := t.list[i]; s != (style{}) {
			_, slot := t.find(s)
			t.index[slot] = uint32(i) + 1
		}
	}
}

// sweep frees every number that live does not hold. The limit becomes twice what is
// in use, so that collections stay rare; room far beyond it is given back.
func (t *styleTable) sweep(live bits) {
	last := len(t.list) - 1
	for last > 0 && !live.has(uint32(last)) {
		last--
	}
	t.list, t.free = t.list[:last+1], t.free[:0]
	for i := 1; i < last; i++ {
		if !live.has(uint32(i)) {
			t.list[i] = style{}
			t.free = append(t.free, uint32(i))
		}
	}
	t.limit = max(stylesAt, 2*t.used())
	if len(t.list) <= t.limit && cap(t.list) > 4*t.limit {
		t.list, t.free = append(make([]style, 0, t.limit), t.list...), slices.Clone(t.free)
	}
	size := len(t.index)
	for size > 8*t.limit { // half full at the limit would be 2
		size /= 2
	}
	t.rebuild(size)
}

// styleID is the number of s. It collects when the table is full, so it must not
// be called while a number is held that nothing marks.
func (e *Emulator) styleID(s style) uint32 {
	t := &e.styles
	if s == (style{}) {
		return 0
	}
	if len(t.index) > 0 {
		if id, _ := t.find(s); id != noStyle {
			return id
		}
	}
	if !t.pinned {
		e.relieve()
	}
	if t.used() >= styleMax {
		return 0
	}
	return t.add(s)
}

// relieve collects the styles if their table is full, whether it is pinned or not.
func (e *Emulator) relieve() {
	if e.styles.used() >= e.styles.limit {
		e.collectStyles()
	}
}

// pin forbids collections of what cells hold, or allows them again.
func (e *Emulator) pin(on bool) { e.clusters.pinned, e.styles.pinned = on, on }

// collectStyles frees the styles that neither a screen nor the pen uses.
func (e *Emulator) collectStyles() {
	live := newBits(len(e.styles.list))
	live.set(e.pen.id)
	live.set(e.pen.erase)
	for _, p := range []*page{e.main, e.alt} {
		if p == nil {
			continue
		}
		for y := range p.rows {
			last := uint32(0)
			for _, g := range p.text(y) {
				if g.style != last {
					last = g.style
					live.set(last)
				}
			}
		}
	}
	e.styles.sweep(live)
}

// A packed style is a byte that tells what follows of it: bits 0 and 1 the text's
// colour (0 none, 1 an index in one byte, 2 a true colour in three), 2 and 3 the
// background's, 4 and 5 the underline's, 6 the attributes in two bytes, 7 the link in
// two.
const (
	packedAttr = 1 << 6
	packedLink = 1 << 7
)

// appendTo appends a packed style.
func (s *style) appendTo(b []byte) []byte {
	at := len(b)
	b = append(b, 0)
	flags := byte(0)
	for i, c := range [...]Color{s.fg, s.bg, s.ul} {
		switch {
		case c == 0:
		case c&ColorRGB != 0:
			flags |= 2 << (2 * i)
			b = append(b, byte(c>>16), byte(c>>8), byte(c))
		default:
			flags |= 1 << (2 * i)
			b = append(b, byte(c))
		}
	}
	if s.attr != 0 {
		flags |= packedAttr
		b = append(b, byte(s.attr), byte(s.attr>>8))
	}
	if s.link != 0 {
		flags |= packedLink
		b = append(b, byte(s.link), byte(s.link>>8))
	}
	b[at] = flags
	return b
}

// readStyle reads a packed style and returns what is behind it.
func readStyle(b []byte) (s style, rest []byte) {
	flags := b[0]
	b = b[1:]
	for i, c := range [...]*Color{&s.fg, &s.bg, &s.ul} {
		switch flags >> (2 * i) & 3 {
		case 1:
			*c = ColorIndexed | Color(b[0])
			b = b[1:]
		case 2:
			*c = ColorRGB | Color(b[0])<<16 | Color(b[1])<<8 | Color(b[2])
			b = b[3:]
		}
	}
	if flags&packedAttr != 0 {
		s.attr = Attr(b[0]) | Attr(b[1])<<8
		b = b[2:]
	}
	if flags&packedLink != 0 {
		s.link = uint16(b[0]) | uint16(b[1])<<8
		b = b[2:]
	}
	return s, b
}
