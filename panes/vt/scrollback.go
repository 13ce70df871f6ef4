package vt

import (
	"bytes"
	"slices"
)

// Extent tells which lines a terminal has: those of its scrollback and, behind
// them, the rows of its screen. Lines are numbered in the order in which they
// came; a number stays with its line while output comes in and the oldest lines
// go, until the terminal's width changes.
type Extent struct {
	First  uint64 // the oldest line that is kept
	Screen uint64 // the screen's first row
	End    uint64 // one past the screen's last row
	// Cuts counts changes of the width, which cut all lines anew: numbers from
	// before one mean nothing after it.
	Cuts uint64
}

// Pos is a cell: its line's number and its column, from 0. Of a wide cell it is
// the first column.
type Pos struct {
	Line uint64
	Col  int
}

// Before reports whether p comes before q in reading order.
func (p Pos) Before(q Pos) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col
}

// Span is the cells from From to To, both included, in reading order.
type Span struct{ From, To Pos }

// Extent tells which lines there are.
func (e *Emulator) Extent() Extent {
	x := Extent{First: e.history.base, Cuts: e.cuts}
	x.Screen = x.First + uint64(e.history.len())
	x.End = x.Screen + uint64(e.rows)
	return x
}

// Window copies as many lines as the screen has rows, from line top on, as View
// does. It returns what lines there are, and the line that came first: top is
// brought within them.
func (e *Emulator) Window(dst *Screen, top uint64) (Extent, uint64) {
	x := e.Extent()
	top = min(max(top, x.First), x.Screen)
	e.View(dst, int(x.Screen-top))
	return x, top
}

// Prompt is the nearest line at which a shell's prompt begins (OSC 133 A, or B
// where the whole prompt is one line), above line if step is negative, else
// below; false: there is none.
func (e *Emulator) Prompt(line uint64, step int) (uint64, bool) {
	x := e.Extent()
	if step < 0 {
		for line = min(line, x.End); line > x.First; line-- {
			if e.beginsPrompt(line - 1) {
				return line - 1, true
			}
		}
		return 0, false
	}
	for line = max(line+1, x.First); line < x.End; line++ {
		if e.beginsPrompt(line) {
			return line, true
		}
	}
	return 0, false
}

// beginsPrompt reports whether a prompt begins at a line. A line keeps its last
// mark: the A of a prompt of one line is gone when its B comes.
func (e *Emulator) beginsPrompt(line uint64) bool {
	switch e.markAt(line) {
	case 'A':
		return true
	case 'B':
		for i := line; i > e.history.base; i-- {
			if m := e.markAt(i - 1); m != 0 {
				return m != 'A'
			}
		}
		return true
	}
	return false
}

// markAt is the OSC 133 mark of a line that there is; 0 for none.
func (e *Emulator) markAt(line uint64) byte {
	i := int(line - e.history.base)
	if n := e.history.len(); i >= n {
		return e.page.rows[i-n].mark
	}
	if m := e.history.at(i)[0] / packedMark; m != 0 {
		return 'A' + m - 1
	}
	return 0
}

const (
	// maxLineRows bounds how many rows are put together as one line: a stream
	// without a line feed is one.
	maxLineRows = 1000
	// maxLines bounds what ReadLines copies at a time, in bytes.
	maxLines = 1 << 20
)

// Lines is the text of consecutive rows. Rows that were wrapped are one line;
// every line ends in "\n", without the blanks at its end.
type Lines struct {
	Extent Extent // when they were read
	From   uint64 // the first row's number
	Text   []byte

	rows  []textRow
	cols  []uint16 // of rows that are not all ASCII: the column of each byte
	lower []byte   // Text in lower case, for a search; see Pattern
}

// textRow is where a row's text begins, and where its columns do; -1: each byte is
// a column.
type textRow struct{ at, cols int }

// Next is the number of the row behind the last one.
func (l *Lines) Next() uint64 { return l.From + uint64(len(l.rows)) }

// Settled is the first line of Lines that may change yet, because it reaches into
// the screen; Next if none does.
func (l *Lines) Settled() uint64 {
	if l.Next() <= l.Extent.Screen {
		return l.Next()
	}
	i := int(max(l.Extent.Screen, l.From) - l.From)
	for i > 0 && !l.begins(i) {
		i--
	}
	return l.From + uint64(i)
}

// begins reports whether a line begins at row i.
func (l *Lines) begins(i int) bool {
	at := l.rows[i].at
	return at == 0 || l.Text[at-1] == '\n'
}

// pos is the cell of a byte of Text.
func (l *Lines) pos(at int) Pos {
	i, found := slices.BinarySearchFunc(l.rows, at, func(r textRow, at int) int { return r.at - at })
	if !found {
		i--
	}
	// Of rows without text that begin at one place the last one has it.
	for i+1 < len(l.rows) && l.rows[i+1].at == at {
		i++
	}
	p := Pos{l.From + uint64(i), at - l.rows[i].at}
	if c := l.rows[i].cols; c >= 0 {
		p.Col = int(l.cols[c+p.Col])
	}
	return p
}

// LineStart is the row at which the line begins that row from belongs to. It looks
// back over a thousand rows.
func (e *Emulator) LineStart(from uint64) uint64 {
	x := e.Extent()
	from = min(max(from, x.First), x.End)
	for i := 0; i < maxLineRows && from > x.First && from < x.End && e.wrappedAt(from-1); i++ {
		from--
	}
	return from
}

// ReadLines copies the text of about n rows, from row from on, to the end of a
// line. Without any there are no more. It holds at most about 1 MB; a line of
// more than a thousand rows is taken for several.
func (e *Emulator) ReadLines(dst *Lines, from uint64, n int) {
	x := e.Extent()
	from = max(from, x.First)
	*dst = Lines{Extent: x, From: from, Text: dst.Text[:0], rows: dst.rows[:0], cols: dst.cols[:0], lower: dst.lower[:0]}
	for begun := 0; from < x.End; from++ {
		at := len(dst.Text)
		wrapped := dst.add(e.openAt(from)) && from+1 < x.End
		if begun++; wrapped && begun < maxLineRows {
			continue
		}
		begun = 0
		end := at + len(bytes.TrimRight(dst.Text[at:], " "))
		dst.Text = append(dst.Text[:end], '\n')
		if len(dst.rows) >= n || len(dst.Text) >= maxLines {
			return
		}
	}
}

// openAt is a line that there is. It holds until the next call.
func (e *Emulator) openAt(line uint64) openLine {
	i := int(line - e.history.base)
	n := e.history.len()
	if i < n {
		return e.history.at(i).open()
	}
	r := e.page.rows[i-n]
	e.lineBuf = e.pack(e.lineBuf[:0], e.page.text(i-n), r)
	return packed(e.lineBuf).open()
}

func (e *Emulator) wrappedAt(line uint64) bool {
	i := int(line - e.history.base)
	if n := e.history.len(); i >= n {
		return e.page.rows[i-n].wrapped
	}
	return e.history.at(i)[0]&packedWrapped != 0
}

// add appends a row and reports whether it goes on in the next.
func (l *Lines) add(o openLine) bool {
	if len(o.text) == o.cells { // ASCII
		l.rows = append(l.rows, textRow{len(l.Text), -1})
		l.Text = append(l.Text, o.text...)
		return o.row.wrapped
	}
	l.rows = append(l.rows, textRow{len(l.Text), len(l.cols)})
	x := 0
	for {
		text, w, ok := o.next()
		if !ok {
			l.cols = append(l.cols, uint16(x)) // of the line's end
			return o.row.wrapped
		}
		l.Text = append(l.Text, text...)
		for range text {
			l.cols = append(l.cols, uint16(x))
		}
		x += w
	}
}
