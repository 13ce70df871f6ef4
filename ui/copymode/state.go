package copymode

import (
	"reprise/panes/vt"
)

// State is what one person sees of a terminal's lines.
type State struct {
	lines
	top       uint64 // the first line in sight
	cursor    vt.Pos
	aim       int // the column that up and down try to keep
	selection Selection
	matches   matches
	view      vt.Screen
	shown     uint64 // counts what Show made
}

// Selection is from its anchor to the cursor, both included.
type Selection struct {
	Kind   Kind
	Anchor vt.Pos
}

// Kind is how a selection runs from its one end to the other.
type Kind uint8

// Kinds.
const (
	None  Kind = iota
	Chars      // in reading order
	Lines      // whole lines
	Block      // the columns between both
)

// New looks at a terminal's screen, with the cursor at a row and column of it;
// false: the terminal cannot show its lines.
func New(src Source, row, col int) (*State, bool) {
	s := &State{lines: lines{src: src}}
	x, first, ok := src.Window(&s.page, 1<<63)
	if !ok {
		return nil, false
	}
	s.extent, s.lines.top, s.known, s.top = x, first, true, first
	s.place(vt.Pos{Line: s.top + uint64(max(0, row)), Col: col})
	return s, true
}

// Cursor is where the cursor is.
func (s *State) Cursor() vt.Pos { return s.cursor }

// Selection is what is selected.
func (s *State) Selection() Selection { return s.selection }

// AtBottom reports whether the terminal's screen is in sight, not what was before.
func (s *State) AtBottom() bool { return s.top >= s.extent.Screen }

// Back reports whether there is anything before the screen.
func (s *State) Back() bool { return s.extent.First < s.extent.Screen }

// Position is the cursor's line and of how many, counted from 1.
func (s *State) Position() (line, of uint64) {
	return s.cursor.Line - s.extent.First + 1, s.extent.End - s.extent.First
}

// rows is how many lines are in sight.
func (s *State) rows() uint64 { return s.extent.End - s.extent.Screen }

// Refresh takes in what the terminal has now: lines that went, and a width that
// cut them anew. Then only the way to the end is kept, and nothing is selected.
func (s *State) Refresh() {
	was := s.extent
	s.forget()
	if s.row(s.top) == nil && !s.known {
		return
	}
	if x := s.extent; x.Cuts != was.Cuts {
		move := func(line uint64) uint64 { return x.End - min(x.End-x.First, was.End-min(was.End, line)) }
		s.top, s.cursor.Line = move(s.top), move(s.cursor.Line)
		s.selection, s.matches = Selection{}, matches{pattern: s.matches.pattern}
	}
	s.within()
}

// within brings all that names lines within those that there are.
func (s *State) within() {
	x := s.extent
	s.top = min(max(s.top, x.First), x.Screen)
	if s.cursor.Line < x.First {
		s.cursor = vt.Pos{Line: x.First}
	}
	s.cursor.Line = min(s.cursor.Line, x.End-1)
	if s.selection.Anchor.Line < x.First {
		s.selection.Anchor = vt.Pos{Line: x.First}
	}
	s.matches.drop(x.First)
}

// place moves the cursor and, as far as it must, what is in sight.
func (s *State) place(p vt.Pos) {
	p.Line = min(max(p.Line, s.extent.First), s.extent.End-1)
	s.cursor = s.head(p)
	s.aim = s.cursor.Col
	s.follow()
}

// follow brings the cursor into sight.
func (s *State) follow() {
	if s.cursor.Line < s.top {
		s.top = s.cursor.Line
	}
	if n := s.rows(); s.cursor.Line >= s.top+n {
		s.top = s.cursor.Line - n + 1
	}
	s.within()
}

// Scroll moves what is in sight by n lines, down if positive. The cursor moves
// only as far as it must to stay in sight.
func (s *State) Scroll(n int) {
	s.top = s.shifted(s.top, n)
	s.within()
	line := min(max(s.cursor.Line, s.top), s.top+s.rows()-1)
	if line != s.cursor.Line {
		s.row1(line)
	}
}

// Page moves what is in sight and the cursor by n halves of a screen.
func (s *State) Page(n int) {
	by := n * int(s.rows()) / 2
	if n%2 == 0 {
		by -= n / 2 * min(2, int(s.rows())/4) // whole pages leave some lines in sight
	}
	s.top = s.shifted(s.top, by)
	s.within()
	s.row1(s.shifted(s.cursor.Line, by))
}

// shifted is a line n further down or up, within those that there are.
func (s *State) shifted(line uint64, n int) uint64 {
	if n < 0 {
		return line - min(line-s.extent.First, uint64(-n))
	}
	return min(line+uint64(n), s.extent.End-1)
}

// row1 moves the cursor to another line, in the column that it aims at.
func (s *State) row1(line uint64) {
	aim := s.aim
	p := vt.Pos{Line: min(max(line, s.extent.First), s.extent.End-1), Col: aim}
	if s.selection.Kind != Block {
		p.Col = min(aim, s.last(p.Line))
	}
	s.place(p)
	s.aim = aim
}

// MoveTo moves the cursor to a cell that a mouse is at: so many rows below the
// first line in sight.
func (s *State) MoveTo(row, col int) {
	s.place(vt.Pos{Line: s.shifted(s.top, row), Col: col})
}

// Select begins a selection at the cursor, makes one of another kind, or ends one
// of the same kind.
func (s *State) Select(k Kind) {
	switch s.selection.Kind {
	case k:
		s.selection = Selection{}
	case None:
		s.selection = Selection{k, s.cursor}
	default:
		s.selection.Kind = k
	}
}

// SelectFrom begins a selection at a cell that may be out of sight.
func (s *State) SelectFrom(p vt.Pos) {
	if p.Line >= s.extent.First && p.Line < s.extent.End {
		s.selection = Selection{Chars, s.head(p)}
	}
}

// Unselect ends the selection and reports whether there was one.
func (s *State) Unselect() bool {
	was := s.selection.Kind != None
	s.selection = Selection{}
	return was
}

// OtherEnd moves the cursor to the selection's other end.
func (s *State) OtherEnd() {
	if s.selection.Kind != None {
		at := s.selection.Anchor
		s.selection.Anchor = s.cursor
		s.place(at)
	}
}

// SelectWord selects the word at the cursor, or the cells between two; SelectLine
// its line.

func (s *State) SelectWord() {
	from, to := s.cursor, s.cursor
	kind := s.classAt(s.cursor, false)
	same := func(p vt.Pos) bool { return s.classAt(p, false) == kind && p.Col < s.width(p.Line) }
	for range maxWord {
		p, ok := s.previous(from)
		if !ok || !same(p) {
			break
		}
		from = p
	}
	for range maxWord {
		p, ok := s.next(to)
		if !ok || !same(p) {
			break
		}
		to = p
	}
	s.selection = Selection{Chars, from}
	s.place(to)
}

// maxWord bounds a word, in characters.
const maxWord = 10_000

// SelectLine selects the cursor's line.
func (s *State) SelectLine() { s.selection = Selection{Lines, s.cursor} }

// selected is the selection's first and last cell, in reading order; of a block,
// its corners. false: nothing is selected.
func (s *State) selected() (from, to vt.Pos, ok bool) {
	from, to = s.selection.Anchor, s.cursor
	if to.Before(from) {
		from, to = to, from
	}
	switch s.selection.Kind {
	case None:
		return from, to, false
	case Lines:
		from = vt.Pos{Line: s.start(from.Line)}
		to.Line = s.end(to.Line)
		to.Col = max(0, s.page.Cols-1)
	case Block:
		from.Col, to.Col = min(from.Col, to.Col), max(from.Col, to.Col)
	}
	return from, to, true
}

// columns are the columns of a line that lie in a selection, as selected has it,
// both included; false: none.
func columns(line uint64, from, to vt.Pos, k Kind, cols int) (x0, x1 int, ok bool) {
	if line < from.Line || line > to.Line {
		return 0, 0, false
	}
	x0, x1 = 0, cols-1
	if k == Block || line == from.Line {
		x0 = from.Col
	}
	if k == Block || line == to.Line {
		x1 = min(to.Col, x1)
	}
	return x0, x1, x0 <= x1
}

// Yank is the selection's text, at most about limit bytes: rows that were wrapped
// are one line, without blanks at the end of lines. cut says that there is more.
func (s *State) Yank(limit int) (text []byte, cut bool) {
	from, to, ok := s.selected()
	if !ok {
		return nil, false
	}
	for line := from.Line; line <= to.Line; line++ {
		row := s.row(line)
		x0, x1, ok := columns(line, from, to, s.selection.Kind, len(row))
		wrapped := s.wrapped(line) && s.selection.Kind != Block
		if ok {
			row = s.row(line)
			if x1+1 < len(row) && row[x1+1].Rune == 0 {
				x1++ // a wide character whole
			}
			if x0 > 0 && row[x0].Rune == 0 {
				x0--
			}
			text = s.appendRow(text, row[x0:x1+1], wrapped)
		}
		if len(text) > limit {
			return text, true
		}
		if line < to.Line && !wrapped {
			text = append(text, '\n')
		}
	}
	return text, false
}

// appendRow appends a row's text.
func (s *State) appendRow(text []byte, row []vt.Cell, wrapped bool) []byte {
	at := len(text)
	for _, c := range row {
		text = s.page.AppendText(text, c)
	}
	if wrapped {
		return text
	}
	for len(text) > at && text[len(text)-1] == ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// Return moves the cursor back to a cell where it was.
func (s *State) Return(p vt.Pos) { s.place(p) }
