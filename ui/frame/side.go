package frame

import (
	"strings"

	"reprise/ui/theme"
)

// Side is the sidebar at the left of the panes: the sessions with their tabs and
// panes. Without a list there is none.
type Side struct {
	Title string
	List  *SideList // another list is another pointer
	Focus bool      // the keyboard is in it
}

// SideList is its rows. Of more than there is room for those round the selected one
// are shown.
type SideList struct {
	Rows     []SideRow
	Selected int
}

// SideRow is one of its rows; without a name it is blank.
type SideRow struct {
	Level SideLevel
	Name  string
	Note  string // where it works
	State State  // in place of the note
	Word  string // instead of the state's own
}

// SideLevel is what a row stands for.
type SideLevel uint8

// Levels.
const (
	SideSession SideLevel = iota
	SideTab
	SidePane
)

const (
	// SideCols is the width of the sidebar; one more column it shares with the panes.
	SideCols = 31
	// MinSideCols is the least width of a terminal that shows it (look.md §8).
	MinSideCols = 100
	// noteX is the column in which states and directories begin.
	noteX = 14
)

// sideIndent is the column in which a row's name begins, by level.
var sideIndent = [...]int{SideSession: 1, SideTab: 2, SidePane: 4}

// SideAt is the row, from 0, that the last frame shows in the sidebar at a cell;
// false: there is none.
func (c *Composer) SideAt(x, y int) (row int, ok bool) {
	l := c.last.Side.List
	if c.grid == nil || l == nil || x >= SideCols || y < 1 || y >= c.top {
		return 0, false
	}
	row = c.sideFirst(l) + y - 1
	return row, row < len(l.Rows)
}

// sideFirst is the first row that is shown.
func (c *Composer) sideFirst(l *SideList) int {
	n := c.top - 1
	return max(0, min(l.Selected-n/2, len(l.Rows)-n))
}

// sideRules draws the sidebar's heading and the column that it shares.
func (c *Composer) sideRules(s *Scene) {
	if s.Side.List == nil {
		return
	}
	weight, tok := uint8(light), theme.Rule
	if s.Side.Focus && s.Sheet.Title == "" {
		weight, tok = heavy, theme.Accent
	}
	for x := range SideCols {
		c.rules.arm(x, 0, left, weight, tok)
		if x < SideCols-1 {
			c.rules.arm(x, 0, right, weight, tok)
		}
	}
	for y := range s.Size.Rows - 1 {
		if y > 0 {
			c.rules.arm(SideCols, y, up, light, theme.Rule)
		}
		c.rules.arm(SideCols, y, down, light, theme.Rule)
	}
}

// side draws the sidebar's rows.
func (c *Composer) side(s *Scene) {
	l := s.Side.List
	if l == nil || c.top < 1 {
		return
	}
	head := run{text: " " + Cut(s.Side.Title, SideCols-4, c.mark) + " ", token: theme.Muted}
	if s.Side.Focus && s.Sheet.Title == "" {
		head.token, head.bold = theme.Text, true
	}
	c.runs(1, 0, SideCols-2, []run{head})
	first := c.sideFirst(l)
	for y := 1; y < c.top && first+y-1 < len(l.Rows); y++ {
		i := first + y - 1
		c.sideRow(&l.Rows[i], y, i == l.Selected)
	}
}

// row begins a row of a list at the left: what it stands on, marked if it is selected.
func (c *Composer) row(y, w int, selected bool) theme.Surface {
	if !selected {
		return theme.OnPane
	}
	mark := rowMark
	if c.ascii {
		mark = rowASCII
	}
	c.fill(0, y, w, theme.OnSel)
	if !c.heard {
		c.runs(0, y, 1, []run{{text: mark, token: theme.Accent, on: theme.OnSel}})
	}
	return theme.OnSel
}

func (c *Composer) sideRow(r *SideRow, y int, selected bool) {
	on := c.row(y, SideCols, selected)
	x := sideIndent[r.Level]
	name := run{text: r.Name, token: theme.Text, bold: selected || r.Level == SideSession, on: on}
	note := c.sideNote(r, on)
	room := SideCols - x - 1
	if len(note) > 0 {
		room = noteX - x - 1
	}
	name.text = Cut(name.text, room, c.mark)
	c.runs(x, y, room, []run{name})
	c.runs(noteX, y, SideCols-noteX-1, note)
}

// sideNote is what stands in the column of the states.
func (c *Composer) sideNote(r *SideRow, on theme.Surface) []run {
	const room = SideCols - noteX - 1
	switch {
	case r.State != Normal:
		m := marks[r.State]
		word := r.Word
		if word == "" {
			word = m.word
		}
		text := strings.TrimSpace(m.show(c.ascii) + " " + word)
		return []run{{text: Cut(text, room, c.mark), token: m.token, bold: m.bold, on: on}}
	case r.Note != "":
		return []run{{text: CutPath(r.Note, room, c.mark), token: theme.Muted, on: on}}
	}
	return nil
}
