package panes

import (
	"context"

	"reprise/panes/vt"
)

// scrollback is an emulator whose lines can be read by their number.
type scrollback interface {
	Extent() vt.Extent
	Window(dst *vt.Screen, top uint64) (vt.Extent, uint64)
	LineStart(from uint64) uint64
	ReadLines(dst *vt.Lines, from uint64, n int)
	Prompt(line uint64, step int) (uint64, bool)
}

// lines calls an emulator that has lines; false: it has none.
func (t *Terminal) lines(what string, f func(scrollback)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	has := false
	t.guarded(what, func(e Emulator) {
		s, ok := e.(scrollback)
		if ok {
			f(s)
		}
		has = ok // it may have panicked
	})
	return has
}

// Extent tells which lines there are, in scrollback and screen; false: the
// terminal cannot tell.
func (t *Terminal) Extent() (x vt.Extent, ok bool) {
	ok = t.lines("extent", func(s scrollback) { x = s.Extent() })
	return x, ok
}

// Window copies as many lines as the screen has rows, from line top on, which is
// brought within what there is; it returns which lines there are and the one that
// came first. false: the terminal cannot tell.
func (t *Terminal) Window(dst *vt.Screen, top uint64) (x vt.Extent, first uint64, ok bool) {
	ok = t.lines("window", func(s scrollback) { x, first = s.Window(dst, top) })
	return x, first, ok
}

// Prompt is the nearest line at which a shell's prompt begins, above line if step
// is negative, else below. false: there is none.
func (t *Terminal) Prompt(line uint64, step int) (at uint64, found bool) {
	t.lines("prompt", func(s scrollback) { at, found = s.Prompt(line, step) })
	return at, found
}

// Output is what a command printed, by its first and its last line: of the command
// at a line, or with step of the nearest one above it (-1) or below (1). false: its
// shell does not tell.
func (t *Terminal) Output(line uint64, step int) (from, to uint64, ok bool) {
	t.lines("output", func(s scrollback) {
		if o, tells := s.(interface {
			Output(line uint64, step int) (from, to uint64, ok bool)
		}); tells {
			from, to, ok = o.Output(line, step)
		}
	})
	return from, to, ok
}

// searchRows is how many rows a search copies at a time under the terminal's lock,
// so that output waits for a fraction of a millisecond.
const searchRows = 512

// Found is what a search found.
type Found struct {
	// From is the first line that was searched.
	From uint64
	// Next is the first line that may have changed since it was searched, or came
	// since: from there on a later search goes on.
	Next uint64
	// Cuts is that of the lines searched. If it changed meanwhile the search ended
	// early, and what it found means nothing.
	Cuts uint64
	// OK says that the search reached the end.
	OK bool
}

// Find gives take all matches of a pattern, in reading order, from the line on
// that row from belongs to. It takes the terminal's lock for short times only and
// calls take without it. The context ends it early.
func (t *Terminal) Find(ctx context.Context, p *vt.Pattern, from uint64, take func(vt.Span)) Found {
	var f Found
	var l vt.Lines
	settled := true
	for first := true; ctx.Err() == nil; first = false {
		read := func(s scrollback) {
			if first {
				from = s.LineStart(from)
			}
			s.ReadLines(&l, from, searchRows)
		}
		if !t.lines("search", read) {
			return f
		}
		if first {
			f.From, f.Next, f.Cuts = l.From, l.From, l.Extent.Cuts
		} else if l.Extent.Cuts != f.Cuts {
			return f
		}
		if l.Next() == l.From {
			f.OK = true
			return f
		}
		if settled {
			f.Next = l.Settled()
			settled = f.Next == l.Next()
		}
		p.Find(&l, take)
		from = l.Next()
	}
	return f
}

// Near is the nearest match that a search found.
type Near struct {
	Match vt.Span
	Found bool // else Match is none
	// Next is the line up to which there is no match, if none was found; a search for
	// what came since begins there.
	Next uint64
	// Cuts is that of the lines searched.
	Cuts uint64
	// OK says that the search was not ended early.
	OK bool
}

// Nearest is the first match behind a place (step 1) or the last one before it (-1);
// if there is none, the first or the last of all. It reads no further than it must, and
// takes the terminal's lock for short times only. The context ends it early.
func (t *Terminal) Nearest(ctx context.Context, p *vt.Pattern, at vt.Pos, step int) Near {
	n := nearest{term: t, ctx: ctx, pattern: p, step: step}
	var x vt.Extent
	n.OK = t.lines("search", func(s scrollback) { x = s.Extent(); n.Next = s.LineStart(x.Screen) })
	n.Cuts = x.Cuts
	line := min(max(at.Line, x.First), x.End)
	all := func(vt.Pos) bool { return true }
	if step > 0 {
		n.rows(line, x.End, at.Before)
		n.rows(x.First, min(line+1, x.End), all)
		return n.Near
	}
	n.up(x.First, min(line+1, x.End), func(p vt.Pos) bool { return p.Before(at) })
	n.up(line, x.End, all)
	return n.Near
}

// nearest is a search for the nearest match.
type nearest struct {
	Near
	term    *Terminal
	ctx     context.Context
	pattern *vt.Pattern
	step    int
	lines   vt.Lines
}

// up searches rows from the last ones on.
func (n *nearest) up(from, to uint64, counts func(vt.Pos) bool) {
	for to > from && n.OK && !n.Found {
		next := to - min(to-from, searchRows)
		n.rows(next, to, counts)
		to = next
	}
}

// rows searches rows, those of the lines' other parts with them, for the first match
// that counts, or on the way up for the last one.
func (n *nearest) rows(from, to uint64, counts func(vt.Pos) bool) {
	take := func(s vt.Span) {
		if (n.step < 0 || !n.Found) && counts(s.From) {
			n.Match, n.Found = s, true
		}
	}
	done := func() bool { return !n.OK || n.Found && n.step > 0 }
	for first := true; from < to && !done(); first = false {
		n.OK = n.ctx.Err() == nil && n.term.lines("search", func(s scrollback) {
			if first {
				from = s.LineStart(from)
			}
			s.ReadLines(&n.lines, from, int(min(to-from, searchRows)))
		}) && n.lines.Extent.Cuts == n.Cuts
		if !n.OK || n.lines.Next() == n.lines.From {
			return
		}
		n.pattern.Find(&n.lines, take)
		from = n.lines.Next()
	}
}
