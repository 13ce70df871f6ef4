package copymode

import "reprise/panes/vt"

// Motion moves the cursor n times, n at least 1.
type Motion func(s *State, n int)

// Motions of one character.

// Left goes to the character before, also of a row that was wrapped.
func Left(s *State, n int) {
	s.repeat(n, func(p vt.Pos) (vt.Pos, bool) {
		if p.Col == 0 && (p.Line == s.extent.First || !s.wrapped(p.Line-1)) {
			return p, false
		}
		return s.previous(p)
	})
}

// Right goes to the character behind, also of a row that was wrapped.
func Right(s *State, n int) {
	s.repeat(n, func(p vt.Pos) (vt.Pos, bool) {
		if s.selection.Kind == Block {
			return vt.Pos{Line: p.Line, Col: p.Col + 1}, p.Col+1 < s.page.Cols
		}
		if !s.wrapped(p.Line) && p.Col >= s.last(p.Line) {
			return p, false
		}
		return s.next(p)
	})
}

// Up and Down go to the row above and below.

func Up(s *State, n int) { s.row1(s.shifted(s.cursor.Line, -n)) }

// Down is Up the other way.
func Down(s *State, n int) { s.row1(s.shifted(s.cursor.Line, n)) }

// LineStart goes to the beginning of the line, LineText to its first character
// that is no blank, LineEnd to its last.

func LineStart(s *State, _ int) { s.place(vt.Pos{Line: s.start(s.cursor.Line)}) }

// LineText goes to the first character of the line that is no blank.
func LineText(s *State, _ int) {
	p := vt.Pos{Line: s.start(s.cursor.Line)}
	for s.classAt(p, true) == space && p.Col < s.last(p.Line) {
		p.Col++
	}
	s.place(p)
}

// LineEnd goes to the last character of the line.
func LineEnd(s *State, _ int) {
	line := s.end(s.cursor.Line)
	s.place(vt.Pos{Line: line, Col: s.last(line)})
	s.aim = 1 << 20 // up and down stay at the ends
}

// First, Last go to the first and the last line there is.

func First(s *State, _ int) { s.row1(s.extent.First) }

// Last goes to the last line.
func Last(s *State, _ int) { s.row1(s.extent.End - 1) }

// High, Middle and Low go to the first, the middle and the last line in sight.

func High(s *State, _ int) { s.row1(s.top) }

// Middle goes to the middle line in sight.
func Middle(s *State, _ int) { s.row1(s.top + (s.rows()-1)/2) }

// Low goes to the last line in sight.
func Low(s *State, _ int) { s.row1(s.top + s.rows() - 1) }

// Words, and with big those that only blanks part.

// NextWord goes to the beginning of the next word.
func NextWord(big bool) Motion {
	return func(s *State, n int) {
		s.repeat(n, func(p vt.Pos) (vt.Pos, bool) {
			ok := true
			for was := s.classAt(p, big); was != space && ok && s.classAt(p, big) == was; {
				p, ok = s.next(p)
			}
			for ok && s.classAt(p, big) == space {
				p, ok = s.next(p)
			}
			return p, ok
		})
	}
}

// WordEnd goes to the end of this word or, from there, of the next.
func WordEnd(big bool) Motion {
	return func(s *State, n int) {
		s.repeat(n, func(p vt.Pos) (vt.Pos, bool) {
			p, ok := s.next(p)
			for ok && s.classAt(p, big) == space {
				p, ok = s.next(p)
			}
			for was := s.classAt(p, big); ok; {
				to, more := s.next(p)
				if !more || s.classAt(to, big) != was {
					break
				}
				p = to
			}
			return p, ok
		})
	}
}

// WordStart goes to the beginning of this word or, from there, of the one before.
func WordStart(big bool) Motion {
	return func(s *State, n int) {
		s.repeat(n, func(p vt.Pos) (vt.Pos, bool) {
			p, ok := s.previous(p)
			for ok && s.classAt(p, big) == space {
				p, ok = s.previous(p)
			}
			for was := s.classAt(p, big); ok; {
				to, more := s.previous(p)
				if !more || s.classAt(to, big) != was {
					break
				}
				p = to
			}
			return p, ok
		})
	}
}

// repeat moves the cursor n times, as far as it goes.
func (s *State) repeat(n int, step func(vt.Pos) (vt.Pos, bool)) {
	p := s.cursor
	for range n {
		to, ok := step(p)
		if !ok {
			break
		}
		p = to
	}
	if p != s.cursor {
		s.place(p)
	}
}

// Paragraph goes to the blank line before this text if step is negative, else to
// the one behind it.
func Paragraph(step int) Motion {
	return func(s *State, n int) {
		line := s.cursor.Line
		to := func() bool {
			was := line
			line = s.shifted(line, step)
			return line != was
		}
		for range n {
			for s.width(line) == 0 && to() {
			}
			for s.width(line) > 0 && to() {
			}
		}
		s.place(vt.Pos{Line: line})
	}
}

// Output selects what the command at the cursor printed; if that is selected, what
// the one before it did, n of them on. false: its shell does not tell.
func (s *State) Output(n int) bool {
	from, to, ok := s.src.Output(s.cursor.Line, 0)
	if !ok {
		return false
	}
	if (s.selection != Selection{Lines, vt.Pos{Line: from}} || s.cursor.Line != to) {
		n--
	}
	for range n {
		before, end, more := s.src.Output(from, -1)
		if !more {
			break
		}
		from, to = before, end
	}
	s.selection = Selection{Lines, vt.Pos{Line: from}}
	s.place(vt.Pos{Line: to})
	return true
}

// Prompt goes to the prompt of a shell before this one if step is negative, else
// to the next, and reports whether there is one.
func (s *State) Prompt(step, n int) bool {
	line, ok := s.cursor.Line, false
	for range n {
		at, found := s.src.Prompt(line, step)
		if !found {
			break
		}
		line, ok = at, true
	}
	if ok {
		s.place(vt.Pos{Line: line})
	}
	return ok
}
