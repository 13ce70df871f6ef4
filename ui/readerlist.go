package ui

import (
	"fmt"
	"strings"

	"reprise/ui/frame"
)

// hearList tells what list is open, and then its selected row whenever that is another
// one. The cursor is not always there: it is where one types.
func (m *Model) hearList(r *reader) {
	s := &m.draws.scene
	title, row := s.Sheet.Title, ""
	switch {
	case title != "":
		row = sheetRow(&s.Sheet)
	case s.History != nil:
		title, row = s.Bar.Chip, historyRow(s.History) // the mode was told
	}
	if title != r.sheet {
		was := r.sheet
		if r.sheet, r.row = title, ""; s.Sheet.Title != "" {
			r.tell(title)
		}
		if p := m.view.focused(); was != "" && title == "" && len(r.said) == 0 && p != nil {
			r.tell(m.view.paneWords(p))
		}
	}
	if row != r.row {
		r.row = row
		r.tell(row)
	}
}

// joinWords are the words of a row, but for what is empty.
func joinWords(words ...string) string {
	var all []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			all = append(all, w)
		}
	}
	return strings.Join(all, ", ")
}

func nth(at, of int) string { return fmt.Sprintf("%d of %d", at+1, of) }

// sheetRow is the selected row of a sheet in words; "" where there is none.
func sheetRow(s *frame.Sheet) string {
	switch {
	case s.Choices != nil:
		l := s.Choices
		if l.Selected >= len(l.Rows) {
			return l.Empty
		}
		c := &l.Rows[l.Selected]
		return joinWords(c.Kind+" "+c.Text, c.State.Word(), c.Note, nth(l.Selected, len(l.Rows)))
	case s.List != nil:
		l := s.List
		if l.Selected < len(l.Rows) {
			return joinWords(append(append([]string{}, l.Rows[l.Selected]...), nth(l.Selected, len(l.Rows)))...)
		}
		if l.Find != nil {
			return l.Find.Empty
		}
	}
	return ""
}

// historyRow is the selected session of the history.
func historyRow(h *frame.History) string {
	if h.Selected >= len(h.Rows) {
		return h.Empty
	}
	row := &h.Rows[h.Selected]
	state := ""
	if row.Open {
		state = "open"
	}
	return joinWords(row.Dir, row.Kind, row.Text, state, row.Note)
}
