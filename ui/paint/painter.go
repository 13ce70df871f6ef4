package paint

import (
	"bytes"
	"strconv"
	"unsafe"

	"github.com/charmbracelet/colorprofile"

	"reprise/panes/vt"
)

// Painter writes frames to one terminal. Set the fields before the first frame,
// or call Invalidate after a change. The terminal must have its origin mode,
// insert mode, line feed mode (LNM) and left and right margins off, as they are
// after a reset, and its driver must pass line feeds as they are (OPOST off). It
// keeps its pen, its scroll region (DECSTBM), its cursor and its saved cursor (DECSC)
// between frames: nobody else may change them but before Invalidate, and who takes
// the terminal over finds them as they were left. Turning
// autowrap off (DECAWM) is wise: a character in the last column that the terminal
// takes for wider than the frame does then cannot scroll the screen.
type Painter struct {
	// Profile is the colours that the terminal can show. Below colorprofile.ANSI,
	// and that is the zero value, no colours go out, attributes do.
	Profile colorprofile.Profile
	// Sync: the terminal knows synchronized updates (mode 2026).
	Sync bool
	// Underlines: it knows kinds of underlines (SGR 4:n) and their colours (SGR 58).
	Underlines bool
	// Links: it knows hyperlinks (OSC 8).
	Links bool
	// Ambiguous: it shows characters of ambiguous width in two columns.
	Ambiguous bool

	grid   *Grid // whose numbers old holds
	gen    uint64
	seen   seen
	tabled bool      // old may hold numbers
	w, h   int       // of old
	old    []vt.Cell // what the terminal shows
	shown  bool      // the cursor is
	valid  bool      // all that is true

	buf     []byte
	fits    *fitted
	gains   []gain // of each row, for scroll
	columns []int  // how many cells of each change

	// The state of the terminal.
	style  pen    // as the last cell had it
	pen    pen    // as the terminal has it
	x, y   int    // where the cursor is; -1: unknown
	after  bool   // a character was written right before it
	region region // that scrolls
	saved  saved  // what DECSC saved
}

// seen is what a Painter saw of its grid.
type seen struct {
	clock uint64 // of the grid, at the last frame
	known bool   // rows that were not written to since are equal to old
}

const (
	syncBegin  = "\x1b[?2026h"
	syncEnd    = "\x1b[?2026l"
	cursorHide = "\x1b[?25l"
	cursorShow = "\x1b[?25h"
	linkEnd    = "\x1b]8;;\x1b\\"
	whole      = "\x1b[r" // the scroll region
	clearAll   = whole + "\x1b[m\x1b[H\x1b[2J"
	eraseRight = "\x1b[K"
)

const (
	// eraseAtLeast is how many blanks at a row's end are cheaper to erase.
	eraseAtLeast = 4
	// eraseInside is how many blanks within a row are.
	eraseInside = 11
	// gapAtMost is how many cells are cheaper to write again than to jump over.
	gapAtMost = 3
	// smallFrame is how many bytes a terminal takes in as one anyway, as it does
	// those of a program that prints a line: hiding the cursor and bracketing them
	// as a synchronized update would cost more than they do.
	smallFrame = 256
	// bracket is what may stand before a frame.
	bracket = len(syncBegin) + len(cursorHide)
)

// Invalidate forgets what the terminal shows: the next frame repaints all of it.
func (p *Painter) Invalidate() { p.valid = false }

// Recycle lets go of what the terminal shows, as Invalidate does, and of its memory.
func (p *Painter) Recycle() {
	vt.Recycle(p.old)
	p.old, p.valid = nil, false
}

// Frame gives the bytes that make the terminal show g, with the cursor as cur
// says; nil if it does already. The cursor's shape is the caller's. The slice is
// good until the next call. A frame after the first one of its kind does not
// allocate.
func (p *Painter) Frame(g *Grid, cur vt.Cursor) []byte {
	g.tidy()
	p.saved.tried = false
	b := append(p.buf[:0], syncBegin+cursorHide...) // as much of it as is needed
	full, torn := p.stale(g), false
	p.seen.known = !full && p.grid == g
	if full {
		b = p.begin(b, g)
	}
	rows := p.changed(g)
	if !full && rows.top < rows.bottom {
		b, rows, torn = p.scroll(b, g, rows)
	}
	for y := rows.top; y <= rows.bottom; y++ {
		if p.still(g, y) {
			continue
		}
		row, old := g.Row(y), p.oldRow(y)
		b = p.row(b, g, y, row, old)
		copy(old, row)
	}
	if p.pen.link != 0 {
		style := p.style
		style.link = 0
		b = p.use(b, g, style)
	}
	p.grid, p.gen, p.seen.clock, p.tabled = g, g.gen, g.clock, g.tables()
	b = p.finish(b, g, cur, full || torn || len(b)-bracket > smallFrame)
	if len(b) == 0 {
		return nil
	}
	return b
}

// changed is the rows from the first to the last that differ; of none the bottom is
// above the top.
func (p *Painter) changed(g *Grid) (rows region) {
	rows.bottom = g.H - 1
	for rows.top <= rows.bottom && p.still(g, rows.top) {
		rows.top++
	}
	for rows.bottom > rows.top && p.still(g, rows.bottom) {
		rows.bottom--
	}
	return rows
}

// still reports whether the terminal shows row y of g.
func (p *Painter) still(g *Grid, y int) bool {
	return p.seen.known && g.wrote[y] <= p.seen.clock || same(g.Row(y), p.oldRow(y))
}

func (p *Painter) oldRow(y int) []vt.Cell { return p.old[y*p.w : (y+1)*p.w] }

// finish leaves the cursor as cur says. A large frame hides it meanwhile and is
// bracketed.
func (p *Painter) finish(b []byte, g *Grid, cur vt.Cursor, large bool) []byte {
	hide := p.shown && (large || !cur.Visible) || !p.valid
	if cur.Visible {
		b = p.move(b, min(max(cur.X, 0), max(g.W-1, 0)), min(max(cur.Y, 0), max(g.H-1, 0)))
		if hide || !p.shown {
			b = append(b, cursorShow...)
		}
	}
	p.shown, p.valid = cur.Visible, true
	from := bracket
	if hide {
		from -= len(cursorHide)
	}
	if large && p.Sync {
		b = append(b, syncEnd...)
		from -= len(syncBegin)
		copy(b[from:], syncBegin)
	}
	p.buf = b
	return b[from:]
}

// stale reports whether p does not know what the terminal shows in terms of g.
func (p *Painter) stale(g *Grid) bool {
	if !p.valid || p.w != g.W || p.h != g.H {
		return true
	}
	return (p.grid != g || p.gen != g.gen) && (p.tabled || g.tables())
}

// begin clears the terminal.
func (p *Painter) begin(b []byte, g *Grid) []byte {
	if p.Links {
		b = append(b, linkEnd...)
	}
	b = append(b, clearAll...)
	p.style, p.pen, p.after, p.saved = pen{}, pen{}, false, saved{}
	p.x, p.y = 0, 0
	p.w, p.h = g.W, g.H
	p.region = region{0, g.H - 1}
	if n := len(g.Cells); n <= cap(p.old) {
		p.old = p.old[:n]
	} else {
		p.old = vt.NewCells(n)
	}
	blank(p.old)
	return b
}

// row writes what differs between two rows.
func (p *Painter) row(b []byte, g *Grid, y int, row, old []vt.Cell) []byte {
	last := len(row) // where the blanks at the end begin
	for last > 0 && row[last-1] == vt.Blank {
		last--
	}
	var step int
	weighed := 0 // up to where blanks are cheaper to write
	for x := skip(row, old, 0); x < len(row); x += step {
		c := row[x]
		half := x+1 < len(row) && row[x+1].Rune == 0 // the second one of a wide cell
		wide := half && c.Attr&vt.Wide != 0
		step = 1
		if wide {
			step = 2
		}
		// A Rune 0 here has lost its first half; it is written whatever it was.
		if c == old[x] && c.Rune != 0 && (c.Attr&vt.Wide == 0 || x+1 == len(row) || half == (old[x+1].Rune == 0)) {
			step = skip(row, old, x+step) - x
			continue
		}
		if x >= last && len(row)-x >= eraseAtLeast {
			b = p.use(p.move(b, x, y), g, pen{})
			return append(b, eraseRight...)
		}
		if c == vt.Blank && x >= weighed {
			var worth bool
			if weighed, worth = blanks(row, old, x); worth {
				b = p.use(p.move(b, x, y), g, pen{})
				b = append(strconv.AppendInt(append(b, 0x1b, '['), int64(weighed-x), 10), 'X')
				p.after = false
				step = weighed - x
				continue
			}
		}
		if p.after && p.y == y && p.x >= 0 && p.x < x && x-p.x <= gapAtMost && p.plain(row[p.x:x]) {
			for _, gap := range row[p.x:x] {
				b = append(b, byte(gap.Rune))
			}
			p.x = x
		}
		b = p.cell(b, g, c, wide, x, y)
	}
	return b
}

// blanks is where a run of blanks from x on ends, and whether so many of them are new
// that erasing (ECH) is worth while.
func blanks(row, old []vt.Cell, x int) (end int, worth bool) {
	changed := 0
	for end = x; end < len(row) && row[end] == vt.Blank; end++ {
		if old[end] != vt.Blank {
			changed++
		}
	}
	return end, changed >= eraseInside
}

// skip passes over equal cells from x on, a stride at a time: what two frames have
// in common mostly comes in runs.
func skip(row, old []vt.Cell, x int) int {
	const stride = 8
	from := x
	for x+stride <= len(row) && same(row[x:x+stride], old[x:x+stride]) {
		x += stride
	}
	if x > from && x < len(row) && row[x-1].Attr&vt.Wide != 0 {
		x-- // between the halves of a wide cell
	}
	return x
}

// cell writes one cell.
func (p *Painter) cell(b []byte, g *Grid, c vt.Cell, wide bool, x, y int) []byte {
	style := pen{c.FG, c.BG, c.UL, c.Attr &^ vt.Wide, c.Link}
	if c.Rune >= ' ' && c.Rune < 0x7f && !wide {
		if p.x != x || p.y != y || style != p.style {
			b = p.place(b, g, style, x, y)
		}
		b = append(b, byte(c.Rune))
		p.written(x+1, false, false)
		return b
	}
	gl := p.glyph(g, c, wide)
	if gl.joins && p.after {
		p.x = -1 // a jump keeps the terminal from adding it to what stands before
	}
	b = p.place(b, g, style, x, y)
	b = gl.append(b)
	if wide {
		x++
	}
	p.written(x+1, gl.risky, gl.long)
	return b
}

// written notes that the cursor is now in column x of its row.
func (p *Painter) written(x int, risky, long bool) {
	p.x, p.after = x, true
	if risky {
		p.x = -1
	}
	if long || risky && x+1 >= p.w {
		p.y = -1 // what is wider than we think may have wrapped
	}
}

// plain reports whether cells are ASCII in the style that is in use.
func (p *Painter) plain(cells []vt.Cell) bool {
	for i := range cells {
		c := &cells[i]
		if c.Rune < ' ' || c.Rune > 0x7e || (pen{c.FG, c.BG, c.UL, c.Attr, c.Link}) != p.style {
			return false
		}
	}
	return true
}

// use makes style the terminal's, as far as it can show it.
func (p *Painter) use(b []byte, g *Grid, style pen) []byte {
	if style == p.style {
		return b
	}
	p.style = style
	to := pen{fg: p.fit(style.fg), bg: p.fit(style.bg), attr: style.attr}
	switch kind := to.attr.Underline(); {
	case p.Underlines:
		to.ul = p.fit(style.ul)
	case kind != vt.UnderlineNone:
		to.attr = to.attr.WithUnderline(vt.UnderlineSingle)
	}
	if p.Links {
		to.link = style.link
	}
	b = appendSGR(b, p.pen, to)
	if to.link != p.pen.link {
		b = p.link(b, g, to.link)
	}
	p.pen = to
	return b
}

// link opens a hyperlink and closes the one before. The id makes one link of the
// pieces that a frame writes apart.
func (p *Painter) link(b []byte, g *Grid, link uint16) []byte {
	target := g.Target(link)
	if target == "" {
		return append(b, linkEnd...)
	}
	b = append(b, "\x1b]8;id="...)
	b = strconv.AppendUint(b, uint64(link), 10)
	b = append(append(b, ';'), target...)
	return append(b, "\x1b\\"...)
}

const cellSize = 20

// A cell has no padding and no pointer, so that rows may be compared as bytes.
var _ = [1]struct{}{}[unsafe.Sizeof(vt.Cell{})-cellSize]

// same reports whether two rows of one length are equal. Comparing memory is
// several times as fast as comparing cells, and most rows of most frames are equal.
func same(a, b []vt.Cell) bool {
	return bytes.Equal(memory(a), memory(b))
}

func memory(cells []vt.Cell) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(cells))), len(cells)*cellSize)
}
