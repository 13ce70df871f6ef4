// Package hints finds what in a screen's text is worth copying or opening: links,
// paths, hashes and addresses. All of that text is a program's and may be hostile:
// what is found is a word to look at, and what may be opened is checked where it is
// opened (Openable).
//
// The functions are pure and safe for concurrent use.
package hints

import (
	"slices"

	"reprise/panes/vt"
)

// Kind is what a hint names.
type Kind uint8

// Kinds.
const (
	Link    Kind = iota // a URL, as text or behind text (OSC 8)
	Path                // a file, maybe with a line
	Hash                // of a commit, an image, a sum
	Address             // IPv4 or IPv6, maybe with a port or a prefix's length
)

// Hint is one thing that was found.
type Hint struct {
	Kind Kind
	Text string // what is copied: a link's target, a path with its line
	File string // of a path: without the line
	Line int    // of a path, from 1; 0: none is told
	Runs []Run  // where it stands, in reading order; never empty
}

// Run is consecutive cells of a row, from From to before To.
type Run struct{ Row, From, To int }

// Max is how many hints a screen has at most; of more, the last ones.
const Max = letters * letters

// Find lists what a screen shows, in reading order.
func Find(s *vt.Screen) []Hint {
	var all []Hint
	var l line
	for y := 0; y < s.Rows; {
		y = l.read(s, y)
		all = l.find(all)
	}
	if n := len(all); n > Max {
		all = slices.Clone(all[n-Max:])
	}
	return all
}

// At is what stands at a cell of a screen.
func At(s *vt.Screen, row, col int) (Hint, bool) {
	if row < 0 || row >= s.Rows {
		return Hint{}, false
	}
	first := row
	for first > 0 && wraps(s, first-1) {
		first--
	}
	var l line
	l.read(s, first)
	for _, h := range l.find(nil) {
		for _, r := range h.Runs {
			if r.Row == row && col >= r.From && col < r.To {
				return h, true
			}
		}
	}
	return Hint{}, false
}

// wraps reports whether a row's text goes on in the next.
func wraps(s *vt.Screen, y int) bool {
	return y < len(s.Wrapped) && s.Wrapped[y] && y+1 < s.Rows
}

// line is the text of rows that are one line.
type line struct {
	screen *vt.Screen
	text   []byte
	cells  []int  // of each byte of text: its cell, by its place in the screen
	taken  []bool // of each byte: it belongs to a hint
	first  int    // the first row
	end    int    // behind the last one
}

// read takes the line that begins at a row and returns the row behind it.
func (l *line) read(s *vt.Screen, y int) int {
	l.screen, l.first = s, y
	l.text, l.cells = l.text[:0], l.cells[:0]
	for wrapped := true; wrapped; y++ {
		wrapped = wraps(s, y)
		for x, c := range s.Row(y) {
			l.text = s.AppendText(l.text, c)
			for len(l.cells) < len(l.text) {
				l.cells = append(l.cells, y*s.Cols+x)
			}
		}
	}
	l.taken = slices.Grow(l.taken[:0], len(l.text))[:len(l.text)]
	clear(l.taken)
	l.end = y
	return y
}

// find appends what the line shows: links behind text first, then by the kinds'
// rank; what is part of one is no other.
func (l *line) find(all []Hint) []Hint {
	from := len(all)
	all = l.linked(all)
	for _, k := range finders() {
		for at := 0; at < len(l.text); {
			m := k.form.FindSubmatchIndex(l.text[at:])
			if m == nil || m[1] == 0 {
				break
			}
			for i := range m {
				if m[i] >= 0 {
					m[i] += at
				}
			}
			at = m[1]
			h, begin, end, ok := k.take(l.text, m)
			if !ok || slices.Contains(l.taken[begin:end], true) {
				continue
			}
			h.Kind = k.kind
			h.Runs = l.runs(begin, end)
			for i := begin; i < end; i++ {
				l.taken[i] = true
			}
			all = append(all, h)
		}
	}
	slices.SortFunc(all[from:], func(a, b Hint) int {
		x, y := a.Runs[0], b.Runs[0]
		if x.Row != y.Row {
			return x.Row - y.Row
		}
		return x.From - y.From
	})
	return all
}

// linked appends the links behind text.
func (l *line) linked(all []Hint) []Hint {
	s := l.screen
	link := func(i int) int {
		if id := int(s.Cells[l.cells[i]].Link); id < len(s.Links) {
			return id
		}
		return 0
	}
	for i := 0; i < len(l.text); {
		id, begin := link(i), i
		for i < len(l.text) && link(i) == id {
			i++
		}
		if id == 0 || s.Links[id] == "" {
			continue
		}
		for j := begin; j < i; j++ {
			l.taken[j] = true
		}
		all = append(all, Hint{Kind: Link, Text: s.Links[id], Runs: l.runs(begin, i)})
	}
	return all
}

// runs are the cells of some bytes, at least one.
func (l *line) runs(begin, end int) (runs []Run) {
	cols := l.screen.Cols
	for _, cell := range l.cells[begin:end] {
		row, col := cell/cols, cell%cols
		to := col + 1
		if to < cols && l.screen.Cells[cell+1].Rune == 0 {
			to++ // a wide character whole
		}
		if n := len(runs); n > 0 && runs[n-1].Row == row {
			runs[n-1].To = to
			continue
		}
		runs = append(runs, Run{row, col, to})
	}
	return runs
}
