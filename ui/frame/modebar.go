package frame

import (
	"reprise/panes/vt"
	"reprise/ui/theme"
)

// ModeBar is what stands in the status bar in place of all else, in a mode with
// keys of its own (look.md §3).
type ModeBar struct {
	Keys  [6]Hint // the way out comes last; the first empty one ends it
	Input string  // what is being typed, with what stands before it
	Where string  // where in the text the cursor is, if no title can tell
}

func (m *ModeBar) keys() []Hint {
	for i := range m.Keys {
		if m.Keys[i].Key == "" {
			return m.Keys[:i]
		}
	}
	return m.Keys[:]
}

// leastInput is how much of what is typed stays in sight, in cells.
const leastInput = 12

// modeBar draws a mode's bar from column x on; false: there is none, or a message
// stands in for it.
func (c *Composer) modeBar(s *Scene, x int) bool {
	m := &s.Bar.Mode
	keys := m.keys()
	if m.Input == "" && (len(keys) == 0 || s.Bar.Message != "") {
		return false
	}
	y, w := s.Size.Rows-1, s.Size.Cols
	where, input := m.Where, 0
	if m.Input != "" {
		input = min(max(leastInput, width(m.Input)+1), w/2) + narrowGap
	}
	need := func() int {
		n := x + input + runsWidth(hintRuns(keys, wideGap, theme.OnBar)) + narrowGap
		if where != "" {
			n += width(where) + wideGap
		}
		return n
	}
	for need() > w && (len(keys) > 0 || where != "") {
		switch n := len(keys); {
		case n > 1: // the way out goes last
			keys = append(keys[:n-2:n-2], keys[n-1])
		case where != "":
			where = ""
		default:
			keys = nil
		}
	}
	right := w - 1
	if where != "" {
		right -= width(where)
		c.runs(right, y, w-right, []run{bar(where, theme.Muted, false)})
		right -= wideGap
	}
	runs := hintRuns(keys, wideGap, theme.OnBar)
	at := right - runsWidth(runs)
	if where != "" && m.Input == "" {
		at = x + 1 // where the place's numbers do not push them
	}
	c.runs(at, y, w-at, runs)
	if m.Input != "" {
		c.input(x+1, y, min(at, right)-narrowGap-x, m.Input)
	}
	return true
}

// input shows the end of what is typed, in n cells with the cursor behind it.
func (c *Composer) input(x, y, n int, text string) {
	n = max(n, 2)
	if width(text) >= n {
		text = c.mark + tail(text, n-1-width(c.mark))
	}
	x += c.runs(x, y, n, []run{bar(text, theme.Text, false)})
	c.caret = vt.Cursor{X: min(x, c.grid.W-1), Y: y, Visible: true}
}
