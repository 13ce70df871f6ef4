package copymode

import (
	"slices"

	"reprise/panes/vt"
)

// matches are what a search found, in reading order.
type matches struct {
	pattern *vt.Pattern // nil: nothing is searched for
	spans   []vt.Span
	skipped int // how many more were found before them
	next    uint64
	cuts    uint64
}

// maxMatches bounds how many matches are kept; those before are counted.
const maxMatches = 1 << 16

// drop forgets the matches whose lines are gone.
func (m *matches) drop(first uint64) {
	i := 0
	for i < len(m.spans) && m.spans[i].From.Line < first {
		i++
	}
	if i > 0 {
		m.spans, m.skipped = m.spans[i:], 0
	}
}

// Gather collects what a search finds, the newest.
type Gather struct {
	spans   []vt.Span
	skipped int
}

// Take takes one match.
func (g *Gather) Take(s vt.Span) {
	if len(g.spans) == 2*maxMatches {
		g.spans = g.spans[:copy(g.spans, g.spans[maxMatches:])]
		g.skipped += maxMatches
	}
	g.spans = append(g.spans, s)
}

// Look searches for a pattern from now on; nil: for none.
func (s *State) Look(p *vt.Pattern) { s.matches = matches{pattern: p, cuts: s.extent.Cuts} }

// Pattern is what is searched for; nil: nothing.
func (s *State) Pattern() *vt.Pattern { return s.matches.pattern }

// Unsearched is the line from which on a search has to go on.
func (s *State) Unsearched() uint64 { return s.matches.next }

// Add takes what a search found from a line on; next is where the following one
// has to begin. false: the lines were cut anew since, it means nothing.
func (s *State) Add(g *Gather, from, next, cuts uint64) bool {
	m := &s.matches
	if cuts != s.extent.Cuts {
		return false
	}
	keep, _ := slices.BinarySearchFunc(m.spans, from, func(s vt.Span, line uint64) int {
		if s.From.Line < line {
			return -1
		}
		return 1
	})
	switch {
	case g.skipped > 0: // more than all that is kept
		m.skipped += keep + g.skipped
		m.spans = g.spans
	case keep == 0 && m.skipped == 0:
		m.spans = g.spans
	default:
		m.spans = append(m.spans[:keep:keep], g.spans...)
	}
	if over := len(m.spans) - 2*maxMatches; over > 0 {
		m.skipped += over
		m.spans = slices.Clone(m.spans[over:])
	}
	m.next, m.cuts = next, cuts
	return true
}

// Matches counts the matches, and tells which one the cursor is at, from 1; 0: at
// none.
func (s *State) Matches() (at, of int) {
	m := &s.matches
	of = m.skipped + len(m.spans)
	if i, ok := m.find(s.cursor); ok {
		at = m.skipped + i + 1
	}
	return at, of
}

// find is the match that begins at p, or else the place of the first one behind.
func (m *matches) find(p vt.Pos) (int, bool) {
	return slices.BinarySearchFunc(m.spans, p, func(s vt.Span, p vt.Pos) int {
		switch {
		case s.From.Before(p):
			return -1
		case p.Before(s.From):
			return 1
		}
		return 0
	})
}

// ToMatch moves the cursor to the n-th match behind p, or before it if n is
// negative; behind the last one comes the first. With here a match at p itself is
// the first one. false: there is none.
func (s *State) ToMatch(p vt.Pos, n int, here bool) bool {
	m := &s.matches
	if len(m.spans) == 0 || n == 0 {
		return false
	}
	i, at := m.find(p)
	switch {
	case at && here:
		n -= sign(n)
	case !at && n > 0:
		n-- // i is the one behind already
	}
	i = ((i+n)%len(m.spans) + len(m.spans)) % len(m.spans)
	s.place(m.spans[i].From)
	return true
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
