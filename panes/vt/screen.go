package vt

import "slices"

// historyGen marks the generations of rows that show the history.
const historyGen = 1 << 63

// Snapshot copies the screen into dst, only the rows that differ.
func (e *Emulator) Snapshot(dst *Screen) { e.View(dst, 0) }

// View is Snapshot scrolled back by so many lines, at most HistoryLen; it returns
// how many it took. The cursor is hidden if it is below the rows that are shown.
func (e *Emulator) View(dst *Screen, back int) int {
	back = max(0, min(back, e.history.len()))
	same := dst.owner == e && dst.epoch == e.epoch && dst.Cols == e.cols && dst.Rows == e.rows
	if !same {
		dst.resize(e.cols, e.rows)
		dst.owner, dst.epoch = e, e.epoch
	}
	if same && dst.back != back {
		clear(dst.Gen) // rows that moved may have their neighbour's generation
	}
	if !same || dst.clock != e.clock || dst.back != back {
		e.copyRows(dst, back)
		dst.clock, dst.back = e.clock, back
	}
	dst.Clusters, dst.Links = e.clusters.list, e.links.list
	dst.Cursor = Cursor{
		X: e.cur.x, Y: e.cur.y + back,
		Visible: e.modes.visible && e.cur.y+back < e.rows,
		Shape:   e.told.shape, Pending: e.cur.pending,
	}
	if dst.Cursor.Y >= e.rows {
		dst.Cursor.Y = e.rows - 1
	}
	return back
}

// resize makes room for another size; no row is filled then.
func (s *Screen) resize(cols, rows int) {
	s.Cols, s.Rows = cols, rows
	if n := cols * rows; n <= cap(s.Cells) {
		s.Cells = s.Cells[:n]
	} else {
		s.Cells = NewCells(n)
	}
	s.Gen = slices.Grow(s.Gen[:0], rows)[:rows]
	s.Wrapped = slices.Grow(s.Wrapped[:0], rows)[:rows]
	clear(s.Gen)
}

func (e *Emulator) copyRows(dst *Screen, back int) {
	// Lines of the history may bring clusters and styles that nothing marks as used: as
	// many as a screen has, above what is collected here.
	e.relieve()
	e.pin(true)
	defer e.pin(false)
	p := e.page
	for i := range dst.Gen {
		y := i - back
		if y < 0 {
			line := e.history.len() + y
			gen := historyGen | (e.history.base + uint64(line) + 1)
			if dst.Gen[i] != gen {
				dst.Gen[i] = gen
				cells, r := e.unpack(p.scratch(0), e.history.at(line))
				p.cells = cells
				dst.Wrapped[i] = r.wrapped
				e.copyRow(dst.Row(i), cells[:min(len(cells), e.cols)])
			}
			continue
		}
		gen := p.gen(y)
		if dst.Gen[i] == gen {
			continue
		}
		r := &p.rows[y]
		dst.Gen[i], dst.Wrapped[i] = gen, r.wrapped
		e.copyRow(dst.Row(i), p.text(y))
	}
}

// copyRow resolves the ids of a row's cells; what is beyond them is blank.
func (e *Emulator) copyRow(dst []Cell, cells []glyph) {
	flip := Attr(0)
	if e.modes.reverseScreen {
		flip = Reverse
	}
	out := dst[:len(cells)]
	for i := 0; i < len(cells); {
		id := cells[i].style
		s := e.styles.list[id]
		if e.palette.set {
			s.fg, s.bg = e.palette.shown(s.fg, specialFG), e.palette.shown(s.bg, specialBG)
			if s.ul != 0 { // else it is the text's
				s.ul = e.palette.shown(s.ul, specialFG)
			}
		}
		attr := s.attr&^isProtected ^ flip
		for ; i < len(cells) && cells[i].style == id; i++ {
			// Field by field: writing one into a cell and copying that would wait
			// for the memory.
			d := &out[i]
			d.FG, d.BG, d.UL, d.Attr, d.Link = s.fg, s.bg, s.ul, attr, s.link
			switch d.Rune = cells[i].r; d.Rune {
			case filler:
				d.Rune = 0
				out[i-1].Attr |= Wide
			case gapRune:
				d.Rune = ' '
			}
		}
	}
	blank := Blank
	blank.Attr = flip
	blank.FG, blank.BG = e.palette.shownSpecial[specialFG], e.palette.shownSpecial[specialBG]
	for i := len(cells); i < len(dst); i++ {
		dst[i] = blank
	}
}
