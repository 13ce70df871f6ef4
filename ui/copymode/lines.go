// Package copymode is one person's look back through a terminal's lines: what of
// them is in sight, a cursor that moves over them, a selection and the matches of
// a search. All of it is by the lines' numbers, so that it stays on its text while
// output comes in.
//
// A State is not safe for concurrent use.
package copymode

import (
	"unicode"

	"reprise/panes/vt"
)

// Source is a terminal's lines. *panes.Terminal is one.
type Source interface {
	Window(dst *vt.Screen, top uint64) (x vt.Extent, first uint64, ok bool)
	Prompt(line uint64, step int) (at uint64, found bool)
	Output(line uint64, step int) (from, to uint64, ok bool)
}

// lines reads a terminal's lines a screenful at a time. What was read holds until
// forget.
type lines struct {
	src    Source
	extent vt.Extent
	page   vt.Screen
	top    uint64 // of page
	known  bool   // page holds what top says
}

func (l *lines) forget() { l.known = false }

// row is a line's cells; nil: there is no such line any more. It holds until
// another one is asked for.
func (l *lines) row(line uint64) []vt.Cell {
	if !l.has(line) {
		x, top, ok := l.src.Window(&l.page, line-min(line, uint64(l.page.Rows/2)))
		if !ok {
			return nil
		}
		l.extent, l.top, l.known = x, top, true
		if !l.has(line) {
			return nil
		}
	}
	return l.page.Row(int(line - l.top))
}

func (l *lines) has(line uint64) bool {
	return l.known && line >= l.top && line < l.top+uint64(l.page.Rows)
}

// wrapped reports whether a line's text goes on in the next.
func (l *lines) wrapped(line uint64) bool {
	if line+1 >= l.extent.End || l.row(line) == nil {
		return false
	}
	y := int(line - l.top)
	return y < len(l.page.Wrapped) && l.page.Wrapped[y]
}

// width is how many cells a line's text takes.
func (l *lines) width(line uint64) int {
	row := l.row(line)
	n := len(row)
	if l.wrapped(line) {
		return n
	}
	for n > 0 && row[n-1].Rune == ' ' {
		n--
	}
	return n
}

// last is the column of a line's last character, 0 if it has none.
func (l *lines) last(line uint64) int { return l.head(vt.Pos{Line: line, Col: l.width(line) - 1}).Col }

// head is p brought to a character's first cell, within the columns there are.
func (l *lines) head(p vt.Pos) vt.Pos {
	row := l.row(p.Line)
	p.Col = max(0, min(p.Col, len(row)-1))
	if p.Col > 0 && row[p.Col].Rune == 0 {
		p.Col--
	}
	return p
}

// start and end are the first and the last row of the line that a row belongs to.

func (l *lines) start(row uint64) uint64 {
	for i := 0; i < maxRows && row > l.extent.First && l.wrapped(row-1); i++ {
		row--
	}
	return row
}

func (l *lines) end(row uint64) uint64 {
	for i := 0; i < maxRows && l.wrapped(row); i++ {
		row++
	}
	return row
}

// maxRows bounds how far one goes for a line's start and end: a stream without a
// line feed is one line.
const maxRows = 1000

// class is what words are told apart by.
type class uint8

const (
	space class = iota
	letter
	mark
)

// classAt is the class of the character at p. Behind a line's end is space; with
// big all that is not space is of one class.
func (l *lines) classAt(p vt.Pos, big bool) class {
	row := l.row(p.Line)
	if p.Col >= len(row) {
		return space
	}
	switch r := row[p.Col].Rune; {
	case r == ' ' || r == 0:
		return space
	case big || r == '_' || r >= vt.ClusterBase && r <= vt.ClusterEnd || unicode.IsLetter(r) || unicode.IsDigit(r):
		return letter
	}
	return mark
}

// next is the character behind p, over the ends of rows. Where a line ends, its
// end counts as one.
func (l *lines) next(p vt.Pos) (vt.Pos, bool) {
	row := l.row(p.Line)
	step := 1
	if p.Col+1 < len(row) && row[p.Col+1].Rune == 0 {
		step = 2
	}
	limit := l.width(p.Line)
	if l.wrapped(p.Line) {
		limit--
	}
	if p.Col+step <= limit {
		p.Col += step
		return p, true
	}
	if p.Line+1 >= l.extent.End {
		return p, false
	}
	return vt.Pos{Line: p.Line + 1}, true
}

// previous is the character before p, as next has them.
func (l *lines) previous(p vt.Pos) (vt.Pos, bool) {
	if p.Col > 0 {
		p.Col--
		return l.head(p), true
	}
	if p.Line <= l.extent.First {
		return p, false
	}
	p = vt.Pos{Line: p.Line - 1}
	p.Col = l.width(p.Line)
	if l.wrapped(p.Line) {
		p = l.head(vt.Pos{Line: p.Line, Col: p.Col - 1})
	}
	return p, true
}
