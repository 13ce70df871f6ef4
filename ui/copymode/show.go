package copymode

import (
	"slices"

	"reprise/panes/vt"
)

// Mark is why cells look other than the program drew them.
type Mark uint8

// Marks; what is at the cursor goes over the others.
const (
	Selected Mark = iota
	Hit
	Current
)

// Show fills a screen with what is in sight. paint gives cells the look of a mark.
func (s *State) Show(dst *vt.Screen, paint func(cells []vt.Cell, m Mark)) {
	x, first, ok := s.src.Window(&s.view, s.top)
	if !ok {
		return
	}
	if x.Cuts == s.extent.Cuts {
		s.extent, s.top = x, first
		s.within()
	}
	v := &s.view
	dst.Cols, dst.Rows, dst.Links, dst.Clusters = v.Cols, v.Rows, v.Links, v.Clusters
	dst.Cells = append(dst.Cells[:0], v.Cells...)
	dst.Wrapped = append(dst.Wrapped[:0], v.Wrapped...)
	dst.Gen = slices.Grow(dst.Gen[:0], v.Rows)[:v.Rows]
	s.shown++
	for y := range dst.Gen {
		dst.Gen[y] = s.shown
	}
	y := min(max(int(s.cursor.Line)-int(first), 0), v.Rows-1)
	dst.Cursor = vt.Cursor{X: min(s.cursor.Col, v.Cols-1), Y: y, Visible: true}
	if from, to, ok := s.selected(); ok {
		s.paint(dst, first, from, to, s.selection.Kind, Selected, paint)
	}
	m := &s.matches
	i, _ := m.find(vt.Pos{Line: first})
	for i = max(0, i-1); i < len(m.spans) && m.spans[i].From.Line < first+uint64(v.Rows); i++ {
		how := Hit
		if m.spans[i].From == s.cursor {
			how = Current
		}
		s.paint(dst, first, m.spans[i].From, m.spans[i].To, Chars, how, paint)
	}
}

// paint marks the cells of a span that are in sight.
func (s *State) paint(dst *vt.Screen, first uint64, from, to vt.Pos, k Kind, m Mark, paint func([]vt.Cell, Mark)) {
	for y := range dst.Rows {
		row := dst.Row(y)
		x0, x1, ok := columns(first+uint64(y), from, to, k, len(row))
		if !ok || x0 >= len(row) {
			continue
		}
		if x1+1 < len(row) && row[x1+1].Rune == 0 {
			x1++ // a wide character whole
		}
		if x0 > 0 && row[x0].Rune == 0 {
			x0--
		}
		paint(row[x0:x1+1], m)
	}
}
