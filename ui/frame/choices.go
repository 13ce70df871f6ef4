package frame

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"reprise/ui/theme"
)

// Choices is a list that a person narrows down by typing into the sheet's input:
// what matches best comes first.
type Choices struct {
	Rows     []Choice
	Selected int
	High     int    // rows that the list has, whatever matches: nothing moves while one types
	Empty    string // stands in the list if nothing matches
}

// Choice is one row of them.
type Choice struct {
	Kind  string // what it is, in one word
	Text  string
	Hits  []int // the letters of Text that match, in bytes and ascending
	State State // of what it is, at the right
	Note  string
}

// kindWidth is the column of the kinds, in cells.
const kindWidth = 7

// choiceRows are at most n rows of choices in w cells, the selected one in sight.
func (c *Composer) choiceRows(l *Choices, w, n int) (out []sheetRow) {
	n = max(1, min(n, l.High))
	if len(l.Rows) == 0 {
		out = c.paragraph(l.Empty, theme.Muted, w, 1)
	}
	first := max(0, min(l.Selected-n/2, len(l.Rows)-n))
	for i := first; i < len(l.Rows) && len(out) < n; i++ {
		out = append(out, c.choiceRow(&l.Rows[i], i == l.Selected, w))
	}
	for len(out) < n {
		out = append(out, sheetRow{})
	}
	return out
}

// choiceRow is one row: the kind, the text, and at the right its state and note. In
// narrow rows the note goes first, then the state, then the text is cut.
func (c *Composer) choiceRow(r *Choice, selected bool, w int) sheetRow {
	on := theme.OnBar
	if selected {
		on = theme.OnSel
	}
	kind := Cut(r.Kind, kindWidth, c.mark)
	row := sheetRow{selected: selected, runs: []run{{text: kind + strings.Repeat(" ", kindWidth-width(kind)+narrowGap), token: theme.Muted, on: on}}}
	w -= kindWidth + narrowGap
	text, right := r.Text, c.aside(r, on)
	free := func() int {
		if len(right) == 0 {
			return w
		}
		return w - runsWidth(right) - narrowGap
	}
	for len(right) > 0 && width(text) > free() {
		right = right[:len(right)-1]
	}
	short, hits := Cut(text, max(1, free()), c.mark), r.Hits
	for kept := len(short) - len(c.mark); short != text && len(hits) > 0 && hits[len(hits)-1] >= kept; {
		hits = hits[:len(hits)-1] // it is cut off
	}
	row.runs = append(row.runs, hitRuns(short, hits, run{token: theme.Text, bold: selected, on: on})...)
	if len(right) > 0 {
		row.runs = append(row.runs, run{text: strings.Repeat(" ", max(0, w-width(short)-runsWidth(right))), on: on})
		row.runs = append(row.runs, right...)
	}
	return row
}

// aside is what stands at the right of a choice.
func (c *Composer) aside(r *Choice, on theme.Surface) (runs []run) {
	if r.State != Normal {
		m := marks[r.State]
		runs = append(runs, run{text: r.State.Words(c.ascii), token: m.token, bold: m.bold, on: on})
	}
	if r.Note != "" {
		gap := ""
		if len(runs) > 0 {
			gap = "  "
		}
		runs = append(runs, run{text: gap + r.Note, token: theme.Muted, on: on})
	}
	return runs
}

// hitRuns are the runs of a text whose letters at hits are accented.
func hitRuns(s string, hits []int, as run) (out []run) {
	from, at, was := 0, 0, false
	put := func() {
		if at > from {
			r := as
			if r.text = s[from:at]; was {
				r.token, r.bold = theme.Accent, true
			}
			out = append(out, r)
		}
		from = at
	}
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		end, hit := at+len(g.Value()), false
		for len(hits) > 0 && hits[0] < end {
			hit, hits = true, hits[1:]
		}
		if hit != was {
			put()
			was = hit
		}
		at = end
	}
	put()
	return out
}
