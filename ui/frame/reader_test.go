package frame_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/frame"
	"reprise/ui/theme"
)

// forReader is a scene as the model makes it for a person who hears the screen.
func forReader(n int, s panes.Size, line string) *frame.Scene {
	sc := base(n, s)
	sc.Palette, sc.ASCII = theme.ResolvePlain(theme.Ink(), theme.TrueColor), true
	sc.Reader = frame.Reader{On: true, Line: line}
	for i := range sc.Panes {
		sc.Panes[i].Task, sc.Panes[i].Dir = "", ""
	}
	return sc
}

func TestReaderGoldens(t *testing.T) {
	for _, g := range []struct {
		name string
		line string
		set  func(*frame.Scene)
	}{
		{"panes", "Pane 1 of 2, claude", func(*frame.Scene) {}},
		{"dead", "Could not resume claude: its folder ~/w/reprise is gone. Bring it back, then retry. r retry, d dismiss, s shell here", func(s *frame.Scene) {
			s.Panes[0].Dead = true
		}},
		{"list", "Pane 1 of 2, claude", func(s *frame.Scene) {
			s.Sheet = frame.Sheet{Title: "Tabs", Count: "2 of 3", List: &frame.List{Rows: [][]string{{"1 heart", "2 panes"}, {"2 docs", "1 pane"}, {"3 infra", "4 panes"}}, Selected: 1}, Keys: hints("enter", "go", "esc", "close")}
		}},
		{"confirm", "Pane 1 of 2, claude", func(s *frame.Scene) {
			s.Sheet = frame.Sheet{Title: "Close this pane?", Text: "claude is running in ~/w/reprise. Closing ends it; it will not resume by itself.", Keys: hints("y", "close", "n", "keep")}
		}},
		{"palette", "pane claude  Fix flaky resume test, working, 1 of 7", func(s *frame.Scene) { s.Sheet = paletteSheet("cla", "7 of 412", 0, choiceRows...) }},
		{"history", "claude, Fix flaky resume test, 3h", func(s *frame.Scene) {
			pasts(nil)(s)
			s.Bar = frame.Bar{}
		}},
	} {
		for _, size := range sizes {
			name := fmt.Sprintf("reader-%s-%dx%d", g.name, size.Cols, size.Rows)
			t.Run(name, func(t *testing.T) {
				s := forReader(2, size, g.line)
				g.set(s)
				grid, cur := new(frame.Composer).Frame(s)
				var b strings.Builder
				fmt.Fprintf(&b, "== cursor %d,%d %v\n%s", cur.X, cur.Y, cur.Visible, text(grid))
				compare(t, filepath.Join("testdata", "golden", name+".txt"), b.String())
			})
		}
	}
}

// Nothing of the chrome is spelt: no lines, no marks, no tints.
func TestReaderHearsNoLines(t *testing.T) {
	for n := range 4 {
		s := forReader(n+1, panes.Size{Cols: 80, Rows: 24}, "Pane 1 of 4, claude")
		for i := range s.Panes {
			s.Panes[i].Screen = screen(3, 1, "") // smaller than the pane: its edge is not marked
		}
		s.Sheet = frame.Sheet{Title: "Tabs", List: &frame.List{Rows: [][]string{{"a"}, {"b"}}}}
		grid, _ := new(frame.Composer).Frame(s)
		if got := text(grid); strings.ContainsAny(got, "|=-+.~━─│┃▌") {
			t.Errorf("%d panes: something is drawn\n%s", n+1, got)
		}
		for _, c := range grid.Cells {
			if c.BG != 0 {
				t.Fatalf("a tint: %+v", c)
			}
		}
	}
}

// A composer that drew for eyes draws all anew for ears, and the line alone when that
// changes.
func TestReaderIsPartOfTheScene(t *testing.T) {
	size := panes.Size{Cols: 80, Rows: 24}
	c := new(frame.Composer)
	c.Frame(base(2, size))
	s := forReader(2, size, "one")
	one, _ := c.Frame(s)
	first := slices.Clone(one.Cells)
	s.Reader.Line = "two"
	two, _ := c.Frame(s)
	want, _ := new(frame.Composer).Frame(s)
	if text(two) != text(want) {
		t.Errorf("not drawn anew:\n%s", text(two))
	}
	if !slices.Equal(first[:size.Cols*(size.Rows-1)], two.Cells[:size.Cols*(size.Rows-1)]) || slices.EqualFunc(first, two.Cells, func(a, b vt.Cell) bool { return a == b }) {
		t.Error("the line at the foot is not all that changed")
	}
}
