package vt

// filler is the second half of a wide cell in a grid: a noncharacter, so that no
// text can hold it. A Cell shows it as Rune 0.
const filler rune = 0x10FFFE

// gapRune is the blank before the margin where a wide character had no room and
// went to the next row: no text of the program's, so it goes when lines are cut
// anew. Another noncharacter, shown as a space.
const gapRune rune = 0x10FFFF

// styleMax bounds style ids: a grid has 24 bits for one.
const styleMax = 1<<24 - 1

// glyph is a cell as a grid stores it: a code point, a cluster's rune or the
// filler, and the id of its style. Style 0 is the default style.
type glyph struct {
	r     rune
	style uint32
}

var blankGlyph = glyph{r: ' '}

type verb uint8

const (
	opWrite      verb = iota // text over n cells from (x, y) on, within the row
	opErase                  // n cells from (x, y) on become blanks
	opInsert                 // n blanks come in at (x, y), the rest of the row moves right
	opDelete                 // n cells go at (x, y), blanks come in at the row's end
	opScrollUp               // the rows top to bottom move up by n
	opScrollDown             // the rows top to bottom move down by n
)

// op is one thing to do to a grid. Its numbers are always in range: positions lie
// on the grid, n is at least 1 and stays within the row or the rows named. style
// is what is written with, or what the blanks that come in have.
type op struct {
	verb        verb
	x, y, n     int
	top, bottom int
	style       uint32
	text        []byte // UTF-8: n code points, fillers included
}

// grid keeps cells and does as it is told. It has no opinion on cursors, margins,
// widths, modes or colours: those are the front's.
type grid interface {
	do(op)
	// read copies the cells from (x, y) on until dst is full.
	read(x, y int, dst []glyph)
}
