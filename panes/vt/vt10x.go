package vt

import (
	"strconv"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// flushAt is how many bytes are held back before vt10x gets them: one Write call
// each would cost more than the bytes.
const flushAt = 8 << 10

// shortStyles is how many style ids fit the sixteen colours (and none) of both of
// vt10x's colour channels; an agent's screen rarely has more.
const shortStyles = 17 * 17

// vt10xGrid keeps the cells in a vt10x terminal. It speaks to it in the few
// sequences in which vt10x has no known fault: text, CR, BS, CUP, CSI K X @ P S T,
// DECSTBM and SGR 3n 9n 4n 10n 39 49 38;2. The SGR carries a style id, not a
// colour. The cursor, the pending wrap, the pen and the margins of vt10x are
// modelled here so that only differences are sent.
type vt10xGrid struct {
	term        vt10x.Terminal // nil until it is told something: most screens never need it
	out         []byte
	cols, rows  int
	x, y        int
	pending     bool
	fg, bg      int // SGR parameters in force
	rgb         uint32
	top, bottom int
}

func newVT10x(cols, rows int) grid {
	return &vt10xGrid{
		cols: cols, rows: rows, bottom: rows - 1,
		fg: 39, bg: 49,
	}
}

func (g *vt10xGrid) do(o op) {
	switch o.verb {
	case opWrite:
		g.move(o.x, o.y)
		g.pen(o.style)
		g.out = append(g.out, o.text...)
		if g.x += o.n; g.x >= g.cols {
			g.x, g.pending = g.cols-1, true
		}
	case opErase:
		g.move(o.x, o.y)
		g.pen(o.style)
		if o.x+o.n == g.cols {
			g.out = append(g.out, "\x1b[K"...)
		} else {
			g.csi(o.n, 'X')
		}
	case opInsert:
		g.edit(o, '@')
	case opDelete:
		g.edit(o, 'P')
	case opScrollUp:
		g.scroll(o, 'S')
	case opScrollDown:
		g.scroll(o, 'T')
	}
	if len(g.out) >= flushAt {
		g.flush()
	}
}

func (g *vt10xGrid) read(x, y int, dst []glyph) {
	g.flush()
	term := g.terminal()
	for i := range dst {
		c := term.Cell(x+i, y)
		dst[i] = glyph{c.Char, unpackStyle(c.FG, c.BG)}
	}
}

func (g *vt10xGrid) terminal() vt10x.Terminal {
	if g.term == nil {
		g.term = vt10x.New(vt10x.WithSize(g.cols, g.rows))
	}
	return g.term
}

func (g *vt10xGrid) flush() {
	if len(g.out) == 0 {
		return
	}
	// vt10x never reports an error, and its short counts concern cut runes,
	// which are never sent.
	_, _ = g.terminal().Write(g.out)
	g.out = g.out[:0]
}

func (g *vt10xGrid) edit(o op, final byte) {
	g.move(o.x, o.y)
	g.pen(o.style)
	g.csi(o.n, final)
}

func (g *vt10xGrid) scroll(o op, final byte) {
	if g.top != o.top || g.bottom != o.bottom {
		g.out = append(g.out, "\x1b["...)
		g.out = strconv.AppendInt(g.out, int64(o.top+1), 10)
		g.out = append(g.out, ';')
		g.out = strconv.AppendInt(g.out, int64(o.bottom+1), 10)
		g.out = append(g.out, 'r')
		g.top, g.bottom = o.top, o.bottom
		g.x, g.y, g.pending = 0, 0, false
	}
	g.pen(o.style)
	g.csi(o.n, final)
}

// csi leaves out a parameter of 1: vt10x formats a string for every byte it takes.
func (g *vt10xGrid) csi(n int, final byte) {
	g.out = append(g.out, 0x1b, '[')
	if n != 1 {
		g.out = strconv.AppendInt(g.out, int64(n), 10)
	}
	g.out = append(g.out, final)
}

func (g *vt10xGrid) move(x, y int) {
	if g.y == y && !g.pending {
		switch g.x - x {
		case 0:
			return
		case 1:
			g.out = append(g.out, '\b')
			g.x = x
			return
		}
	}
	if g.y == y && x == 0 {
		g.out = append(g.out, '\r')
	} else {
		g.out = append(g.out, 0x1b, '[')
		g.out = strconv.AppendInt(g.out, int64(y+1), 10)
		g.out = append(g.out, ';')
		g.out = strconv.AppendInt(g.out, int64(x+1), 10)
		g.out = append(g.out, 'H')
	}
	g.x, g.y, g.pending = x, y, false
}

// pen makes vt10x write with a style. An id below shortStyles is a pair of the
// sixteen colours, which takes one short parameter for each; any other is a true
// colour in the foreground.
func (g *vt10xGrid) pen(style uint32) {
	if style >= shortStyles {
		if g.fg != 38 || g.rgb != style {
			g.out = append(g.out, "\x1b[38;2;"...)
			g.out = strconv.AppendInt(g.out, int64(style>>16), 10)
			g.out = append(g.out, ';')
			g.out = strconv.AppendInt(g.out, int64(style>>8&255), 10)
			g.out = append(g.out, ';')
			g.out = strconv.AppendInt(g.out, int64(style&255), 10)
			g.out = append(g.out, 'm')
			g.fg, g.rgb = 38, style
		}
		g.channel(&g.bg, 49)
		return
	}
	g.channel(&g.fg, sgr16[style%17])
	g.channel(&g.bg, sgr16[style/17]+10)
}

// sgr16 is the foreground parameter of a channel's seventeen values.
var sgr16 = [17]int{39, 30, 31, 32, 33, 34, 35, 36, 37, 90, 91, 92, 93, 94, 95, 96, 97}

func (g *vt10xGrid) channel(now *int, want int) {
	if *now == want {
		return
	}
	*now = want
	g.out = append(g.out, 0x1b, '[')
	g.out = strconv.AppendInt(g.out, int64(want), 10)
	g.out = append(g.out, 'm')
}

// unpackStyle reads back what pen said. Ids from shortStyles on cannot be taken
// for one of the sixteen colours, which vt10x keeps as 0 to 15.
func unpackStyle(fg, bg vt10x.Color) uint32 {
	var id uint32
	switch {
	case fg == vt10x.DefaultFG:
	case fg < 16:
		id = uint32(fg) + 1
	default:
		return uint32(fg)
	}
	if bg != vt10x.DefaultBG {
		id += 17 * (uint32(bg) + 1)
	}
	return id
}

func appendRune(b []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(b, byte(r))
	}
	return utf8.AppendRune(b, r)
}
