package paint

import (
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"reprise/panes/vt"
)

// span is a range of code points, both ends included.
type span struct{ first, last rune }

func within(r rune, spans []span) bool {
	for _, s := range spans {
		if r <= s.last {
			return r >= s.first
		}
	}
	return false
}

// steady are the code points beyond Latin-1 that every terminal in use shows in
// one column: after them the cursor is where we think it is. In ascending order.
// Terminals that show the ambiguous ones in two (UAX 11) are told by
// Painter.Ambiguous.
var steady = []span{
	{0x00a0, 0x00ac},
	{0x00ae, 0x02ff},
	{0x0370, 0x0482},
	{0x048a, 0x058f},
	{0x1e00, 0x1fff},
	{0x2010, 0x2027},
	{0x2030, 0x203b},
	{0x203d, 0x2048},
	{0x204a, 0x205e},
	{0x20a0, 0x20bf},
	{0x2190, 0x2193},
	{0x2200, 0x22ff},
	{0x2500, 0x259f},
	{0x2800, 0x28ff},
}

// paired are the code points that everyone agrees are two columns. The cursor is
// set anew after them all the same.
var paired = []span{
	{0x3041, 0x3096},
	{0x30a0, 0x30ff},
	{0x3400, 0x4dbf},
	{0x4e00, 0x9fff},
	{0xac00, 0xd7a3},
}

// standalone are ranges without a code point that a terminal would add to the
// character left of it (combining marks, joiners, skin tones).
var standalone = []span{
	{0x0000, 0x02ff},
	{0x0370, 0x0482},
	{0x048a, 0x0590},
	{0x1e00, 0x200a},
	{0x2010, 0x2027},
	{0x2030, 0x205f},
	{0x2070, 0x20cf},
	{0x2100, 0x2cee},
	{0x3041, 0x3096},
	{0x30a0, 0x30ff},
	{0x3400, 0xa66e},
	{0xac00, 0xd7a3},
	{0xe000, 0xfaff},
	{0x1f000, 0x1f1e5},
	{0x1f200, 0x1f3fa},
	{0x1f400, 0x1faff},
	{0x20000, 0x3ffff},
}

// glyph is what of a cell goes out.
type glyph struct {
	rune rune
	text string // a cluster; "" for a rune
	pad  int    // spaces behind it, to fill the cell
	// risky: terminals may not agree on its width, so the cursor is set anew.
	risky bool
	// joins: it must not be written right behind another character.
	joins bool
	// long: a terminal that does not know clusters may take many columns for it.
	long bool
}

// glyph resolves a cell that is not plain ASCII. Whatever the cell holds, what
// goes out is printable and, by the table that the emulator uses too, as wide as
// the cell.
func (p *Painter) glyph(g *Grid, c vt.Cell, wide bool) glyph {
	r := c.Rune
	columns := 1
	if wide {
		columns = 2
	}
	if r >= vt.ClusterBase && r <= vt.ClusterEnd {
		return clusterGlyph(g, int(r-vt.ClusterBase), columns)
	}
	out := glyph{rune: r, risky: true}
	width := 1
	switch {
	case r == 0xad: // a soft hyphen takes a column or none; the emulator's takes one
		out.rune = '-'
	case r < 0xa0, !utf8.ValidRune(r): // controls do not come from the emulator
		out.rune = ' '
	case within(r, steady):
		out.risky = p.Ambiguous
	case within(r, paired):
		width = 2
	case r >= 0x1f1e6 && r <= 0x1f1ff: // half a flag is a cell of one column
		out.joins, width = true, columns
	default:
		out.joins = !within(r, standalone)
		width = displaywidth.Rune(r)
	}
	return out.fit(width, columns)
}

func clusterGlyph(g *Grid, id, columns int) glyph {
	text, ok := g.clusters.at(id)
	if !ok {
		return glyph{rune: utf8.RuneError, risky: true}.fit(1, columns)
	}
	first, _ := utf8.DecodeRuneInString(text)
	out := glyph{rune: first, text: text, risky: true, long: true, joins: !within(first, standalone)}
	return out.fit(int(g.widths[id]), columns)
}

// fit makes up for a cell that is not as wide as its character.
func (gl glyph) fit(width, columns int) glyph {
	switch {
	case width == columns:
	case width == 0:
		return glyph{rune: ' ', pad: columns - 1, risky: true}
	case width > columns:
		return glyph{rune: utf8.RuneError, risky: true}
	default:
		gl.pad = columns - width
	}
	return gl
}

func (gl glyph) append(b []byte) []byte {
	if gl.text != "" {
		b = append(b, gl.text...)
	} else {
		b = utf8.AppendRune(b, gl.rune)
	}
	for range gl.pad {
		b = append(b, ' ')
	}
	return b
}
