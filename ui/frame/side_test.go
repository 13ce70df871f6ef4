package frame_test

import (
	"fmt"
	"strings"
	"testing"

	"reprise/panes"
	"reprise/ui/frame"
)

var sideRows = []frame.SideRow{
	{Level: frame.SideSession, Name: "reprise"},
	{Level: frame.SideTab, Name: "1 heart", Note: "~/w/reprise"},
	{Level: frame.SidePane, Name: "claude", State: frame.Resuming},
	{Level: frame.SidePane, Name: "codex", State: frame.Done},
	{Level: frame.SidePane, Name: "zsh"},
	{Level: frame.SidePane, Name: "gemini-nightly", State: frame.Paused},
	{Level: frame.SideTab, Name: "2 documentation", Note: "~/w/reprise/docs/handbook/en"},
	{Level: frame.SidePane, Name: "claude", State: frame.Failed},
	{Level: frame.SidePane, Name: "zsh", State: frame.Exited, Word: "exited 1"},
	{},
	{Level: frame.SideSession, Name: "a website with a rather long name"},
	{Level: frame.SideTab, Name: "1 site", Note: "~/w/site"},
	{Level: frame.SidePane, Name: "opencode", State: frame.Saved},
}

// side shows the sidebar where there is room: the panes are placed beside it.
func side(n, selected int, focus bool) func(*frame.Scene) {
	return func(s *frame.Scene) {
		if s.Size.Cols < frame.MinSideCols {
			return
		}
		focused := s.Panes
		s.Panes = base(n, panes.Size{Cols: s.Size.Cols - frame.SideCols - 1, Rows: s.Size.Rows}).Panes
		for i := range s.Panes {
			p := &s.Panes[i]
			p.Focus = focused[i].Focus
			p.Title.X += frame.SideCols + 1
			p.Grid.X += frame.SideCols + 1
		}
		s.Side = frame.Side{Title: "1 paused, 1 failed", List: &frame.SideList{Rows: sideRows, Selected: selected}, Focus: focus}
		if focus {
			s.Bar.Chip = "sidebar"
		}
	}
}

func init() {
	goldens = append(goldens,
		golden{"sidebar", 4, side(4, 2, false)},
		golden{"sidebar-keys", 2, side(2, 7, true)},
		golden{"sidebar-alone", 1, side(1, 2, false)},
		golden{"sidebar-sheet", 2, func(s *frame.Scene) {
			side(2, 2, false)(s)
			s.Sheet = frame.Sheet{Title: "Close this pane?", Text: "claude is running in ~/w/reprise. Closing ends it.", Keys: hints("y", "close", "n", "keep")}
		}},
	)
}

// The selected row is in sight, however many there are, and found again where it is.
func TestTheSelectedSideRowIsInSight(t *testing.T) {
	var rows []frame.SideRow
	for i := range 200 {
		rows = append(rows, frame.SideRow{Level: frame.SideLevel(i % 3), Name: fmt.Sprintf("row%d.", i)})
	}
	for _, high := range []int{8, 15, 34} {
		for selected := range rows {
			sc := base(1, panes.Size{Cols: 100, Rows: high})
			sc.Panes = nil
			sc.Side = frame.Side{Title: "Sessions", List: &frame.SideList{Rows: rows, Selected: selected}}
			c := new(frame.Composer)
			grid, _ := c.Frame(sc)
			at := -1
			for y, line := range strings.Split(text(grid), "\n") {
				if strings.Contains(line, "▌") && strings.Contains(line, rows[selected].Name) {
					at = y
				}
			}
			if at < 0 {
				t.Fatalf("row %d is not in sight in %d rows:\n%s", selected, high, text(grid))
			}
			if row, ok := c.SideAt(3, at); !ok || row != selected {
				t.Fatalf("at row %d of the screen is row %d, %v, want %d", at, row, ok, selected)
			}
		}
	}
}

func TestNoSideRowIsElsewhere(t *testing.T) {
	sc := base(1, panes.Size{Cols: 120, Rows: 34})
	side(1, 0, false)(sc)
	c := new(frame.Composer)
	c.Frame(sc)
	for _, at := range [][2]int{{3, 0}, {frame.SideCols, 3}, {90, 3}, {3, 30}, {3, 33}} {
		if row, ok := c.SideAt(at[0], at[1]); ok {
			t.Errorf("at %v is row %d", at, row)
		}
	}
	if _, ok := c.SideAt(3, 1); !ok {
		t.Error("the first row is not at the first row")
	}
}
