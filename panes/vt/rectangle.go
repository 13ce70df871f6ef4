package vt

import "slices"

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
	fill(cells, glyph{rune(c), e.penID()})
	for y := b.y0; y < b.y1; y++ {
		e.page.put(b.x0, y, cells)
	}
}

// eraseBox is DECERA.
func (e *Emulator) eraseBox() {
	if b, ok := e.rectangle(0); ok {
		for y := b.y0; y < b.y1; y++ {
			e.page.erase(b.x0, b.x1, y, e.eraseID())
		}
	}
}

func (e *Emulator) selectiveEraseBox() {
	b, ok := e.rectangle(0)
	switch {
	case !ok:
	case e.guardISO:
		e.eraseBox() // it knows DEC's protection only
	default:
		e.selectiveErase(b.x0, b.y0, b.x1, b.y1)
	}
}

// restyleBox changes the style of the cells of a rectangle or, unless DECSACE
// chose that, of all from its first corner to its last in reading order.
func (e *Emulator) restyleBox(change func(*style)) {
	b, ok := e.rectangle(0)
	if !ok && (e.extent == extentBox || b.y0 >= b.y1) {
		return
	}
	e.styles.pinned = true // the cells on their way hold numbers that nothing marks
	defer func() { e.styles.pinned = false }()
	for y := b.y0; y < b.y1; y++ {
		x0, x1 := b.x0, b.x1
		if e.extent != extentBox {
			if y > b.y0 {
				x0 = 0
			}
			if y < b.y1-1 {
				x1 = e.cols
			}
		}
		if x0 < x1 {
			e.restyle(x0, x1, y, change)
		}
	}
}

// extentBox is DECSACE's parameter for a rectangle.
const extentBox = 2

func (e *Emulator) restyle(x0, x1, y int, change func(*style)) {
	row := e.page.row(y)
	// A wide character is changed with its first half.
	if row[x0].r == filler {
		x0++
	}
	if x1 < e.cols && row[x1].r == filler {
		x1++
	}
	if x0 >= x1 {
		return
	}
	cells := slices.Clone(row[x0:x1])
	for i := range cells {
		s := e.styles.list[cells[i].style]
		change(&s)
		cells[i].style = e.styleID(s)
	}
	e.page.raw(x0, y, cells)
	e.page.touch(y).extend(x1)
}

// changeBox is DECCARA: the rectangle takes on renditions.
func (e *Emulator) changeBox() {
	p := &e.parser
	e.restyleBox(func(s *style) {
		if p.n <= 4 {
			*s = s.plain()
		}
		s.applyAll(p, 4)
	})
}

// reverseBox is DECRARA: renditions that are set are reset and the other way round.
func (e *Emulator) reverseBox() {
	var flip Attr
	underline := false
	for i := 4; i < max(e.parser.n, 5); i++ {
		switch n := e.parser.arg(i, 0); n {
		case 0:
			flip ^= Bold | Blink | Reverse
			underline = !underline
		case 4:
			underline = !underline
		case 1, 5, 7, 8:
			flip ^= attrOn[n]
		}
	}
	e.restyleBox(func(s *style) {
		s.attr ^= flip
		switch {
		case !underline:
		case s.attr.Underline() == UnderlineNone:
			s.attr = s.attr.WithUnderline(UnderlineSingle)
		default:
			s.attr = s.attr.WithUnderline(UnderlineNone)
		}
	})
}

// setExtent is DECSACE.
func (e *Emulator) setExtent() {
	if n := e.parser.arg(0, 0); n <= extentBox {
		e.extent = uint8(n)
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
