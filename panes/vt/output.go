package vt

// Output is what a command printed, as its shell marks it (OSC 133 C up to the next
// mark): the first line and the last one. step says of which: 0 the command at a
// line, which may be its prompt; -1 the nearest one whose output begins above the
// line, 1 below. Of a command that still runs it goes to the last line that has
// something. false: there is none.
func (e *Emulator) Output(line uint64, step int) (from, to uint64, ok bool) {
	x := e.Extent()
	line = min(max(line, x.First), x.End-1)
	switch step {
	case 0:
		from, ok = e.outputAt(line)
	case 1:
		from, ok = e.marked(line+1, 1, 'C')
	default:
		if line > x.First {
			from, ok = e.marked(line-1, -1, 'C')
		}
	}
	if !ok {
		return 0, 0, false
	}
	if next, more := e.marked(from+1, 1, 0); more {
		return from, next - 1, true
	}
	to = x.End - 1
	for to > from && to >= x.Screen && e.page.rows[to-x.Screen].end() == 0 {
		to--
	}
	return from, to, true
}

// outputAt is where the output begins of the command at a line: the line's own, or
// that of the prompt it belongs to; of a prompt without one yet, the one before.
func (e *Emulator) outputAt(line uint64) (uint64, bool) {
	at, ok := e.marked(line, -1, 0)
	if !ok {
		return 0, false
	}
	if m := e.markAt(at); m == 'A' || m == 'B' {
		// A prompt of several lines has an A and a B; what comes then is its output's.
		next, more := e.marked(at+1, 1, 0)
		if more && m == 'A' && e.markAt(next) == 'B' && !e.beginsPrompt(next) {
			next, more = e.marked(next+1, 1, 0)
		}
		if more && e.markAt(next) == 'C' {
			return next, true
		}
	}
	return e.marked(at, -1, 'C')
}

// marked is the nearest line with a mark, from a line on downward or, if step is
// negative, upward; 0 is any mark.
func (e *Emulator) marked(line uint64, step int, mark byte) (uint64, bool) {
	x := e.Extent()
	for line >= x.First && line < x.End {
		if m := e.markAt(line); m != 0 && (m == mark || mark == 0) {
			return line, true
		}
		if step < 0 {
			if line == 0 {
				break
			}
			line--
		} else {
			line++
		}
	}
	return 0, false
}
