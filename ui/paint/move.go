package paint

import (
	"strconv"
)

// region is the rows that scroll (DECSTBM), both included.
type region struct{ top, bottom int }

// zone tells rows apart between which a relative movement stops at a margin.
func (r region) zone(y int) int {
	switch {
	case y < r.top:
		return -1
	case y > r.bottom:
		return 1
	}
	return 0
}

// steps is how many controls of one byte are cheaper than a sequence.
const steps = 3

// move sets the cursor by what is shortest.
func (p *Painter) move(b []byte, x, y int) []byte {
	if p.x == x && p.y == y {
		return b
	}
	from := len(b)
	if p.y >= 0 && p.region.zone(p.y) == p.region.zone(y) {
		b = p.across(p.along(b, y), x)
	}
	if p.y < 0 || p.region.zone(p.y) != p.region.zone(y) || p.y != y && len(b)-from > absolute(x, y) {
		b = append(b[:from], 0x1b, '[')
		if y > 0 || x > 0 {
			b = strconv.AppendInt(b, int64(y+1), 10)
		}
		if x > 0 {
			b = strconv.AppendInt(append(b, ';'), int64(x+1), 10)
		}
		b = append(b, 'H')
	}
	p.x, p.y, p.after = x, y, false
	return b
}

// absolute is the length of CUP.
func absolute(x, y int) int {
	n := len("\x1b[H")
	if y > 0 || x > 0 {
		n += digits(y + 1)
	}
	if x > 0 {
		n += 1 + digits(x+1)
	}
	return n
}

func digits(n int) int {
	switch {
	case n < 10:
		return 1
	case n < 100:
		return 2
	case n < 1000:
		return 3
	}
	return 5
}

// along moves to row y of the same zone, in the column where the cursor is.
func (p *Painter) along(b []byte, y int) []byte {
	switch d := y - p.y; {
	case d == 0:
	case d > steps:
		b = sequence(b, d, 'B')
	case d > 0:
		for range d {
			b = append(b, '\n')
		}
	case d == -1:
		b = append(b, 0x1b, 'M')
	default:
		b = sequence(b, -d, 'A')
	}
	return b
}

// across moves to column x of the row where the cursor is.
func (p *Painter) across(b []byte, x int) []byte {
	d := x - p.x
	switch {
	case d == 0 && p.x >= 0:
		return b
	case x == 0:
		return append(b, '\r')
	case p.x < 0 || p.x >= p.w: // or a character in the last column may be waiting to wrap
	case d < 0 && -d <= steps:
		for range -d {
			b = append(b, '\b')
		}
		return b
	case d < 0 && digits(-d) < digits(x+1):
		return sequence(b, -d, 'D')
	case d == 1 || d > 0 && digits(d) <= digits(x+1):
		return sequence(b, d, 'C')
	}
	return append(strconv.AppendInt(append(b, 0x1b, '['), int64(x+1), 10), 'G')
}

// sequence appends a control sequence whose parameter is 1 if it is left out.
func sequence(b []byte, n int, final byte) []byte {
	b = append(b, 0x1b, '[')
	if n != 1 {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, final)
}

// spot is a place and the pen with which something is written there again and again.
type spot struct {
	x, y  int
	style pen
}

// saved is the terminal's saved cursor (DECSC), which holds the pen too. A program
// that draws a spinner in a true colour every tenth of a second would else have its
// colour sent each time, and that is half of all.
type saved struct {
	spot
	valid bool
	last  spot // the first one that was dear, of the last frame that had one
	tried bool // that of this frame is known
}

// dear is how many bytes make a spot worth to be saved.
const dear = 12

// place makes the terminal ready to write in a style at x, y.
func (p *Painter) place(b []byte, g *Grid, style pen, x, y int) []byte {
	if p.saved.tried && !p.saved.valid {
		return p.use(p.move(b, x, y), g, style)
	}
	linked := p.pen.link != 0 || style.link != 0 // which is not saved
	from := len(b)
	b = p.use(p.move(b, x, y), g, style)
	if linked || len(b)-from < dear {
		return b
	}
	switch s, here := &p.saved, (spot{x, y, style}); {
	case s.valid && s.spot == here:
		s.tried = true
		return append(b[:from], "\x1b8"...)
	case s.tried:
	case s.last == here:
		s.tried, s.valid, s.spot = true, true, here
		return append(b, "\x1b7"...)
	default:
		s.tried, s.last = true, here
	}
	return b
}
