package paint

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"reprise/panes/vt"
)

// Style is how chrome is drawn: a cell without its character.
type Style struct {
	FG, BG, UL vt.Color
	Attr       vt.Attr
	Link       uint16
}

// Cell is r in this style. For runes of width 1.
func (s Style) Cell(r rune) vt.Cell {
	return vt.Cell{Rune: r, FG: s.FG, BG: s.BG, UL: s.UL, Attr: s.Attr &^ vt.Wide, Link: s.Link}
}

// Text draws s from column x on in at most w columns and returns how many it
// took. It is cut between grapheme clusters; a wide one that does not fit leaves a
// blank. Controls are left out. Columns outside the grid count but are not drawn.
func (g *Grid) Text(x, y, w int, s string, st Style) int {
	used := 0
	for s != "" && used < w {
		n, width := next(s)
		cluster := s[:n]
		s = s[n:]
		c := st.Cell(' ')
		switch {
		case width == 0:
			continue
		case width > w-used:
			width = 1
		case width == 2:
			if x+used == -1 { // its second half is in sight
				used++
				width = 1
				break
			}
			c.Rune = g.Intern(cluster)
			c.Attr |= vt.Wide
		default:
			c.Rune = g.Intern(cluster)
		}
		g.Put(x+used, y, c)
		used += width
	}
	return used
}

// Width is how many columns Text takes for s.
func Width(s string) int {
	total := 0
	for s != "" {
		n, width := next(s)
		s = s[n:]
		total += width
	}
	return total
}

// Cut is the longest head of s that takes at most w columns, and how many it
// takes.
func Cut(s string, w int) (head string, width int) {
	i := 0
	for i < len(s) {
		n, cols := next(s[i:])
		if width+cols > w {
			break
		}
		i += n
		width += cols
	}
	return s[:i], width
}

// next is the length and the width, 0 to 2, of s's first grapheme cluster.
func next(s string) (n, width int) {
	if c := s[0]; c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		if c < ' ' || c == 0x7f {
			return 1, 0
		}
		return 1, 1
	}
	it := displaywidth.StringGraphemes(s)
	if !it.Next() {
		return len(s), 0
	}
	cluster := it.Value()
	if r, size := utf8.DecodeRuneInString(cluster); unicode.IsControl(r) || r == utf8.RuneError && size <= 1 {
		return size, 0
	}
	return len(cluster), min(it.Width(), 2)
}
