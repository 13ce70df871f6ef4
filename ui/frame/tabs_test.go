package frame_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"reprise/ui/frame"
)

// Whatever the tabs and the width: the tab that is shown is there with its mark, so
// is what needs a person, and a click finds what it sees.
func TestTabsAtEveryWidth(t *testing.T) {
	states := []frame.State{frame.Normal, frame.Failed, frame.Permission, frame.Question, frame.Done}
	names := []string{"", "a", "heart", "a name that is longer than anybody would give", "日本語エージェント", "e\u0301e\u0301"}
	glyphs := map[frame.State]string{frame.Failed: "✗", frame.Permission: "!", frame.Question: "?", frame.Done: "✓"}
	for w := frame.MinCols; w <= 200; w++ {
		for round := range 8 {
			rnd := rand.New(rand.NewPCG(uint64(w), uint64(round)))
			s := base(2, sizes[2])
			s.Size.Cols = w
			n := 1 + rnd.IntN(12)
			shown := rnd.IntN(n)
			for i := range n {
				s.Tabs = append(s.Tabs, frame.Tab{Name: names[rnd.IntN(len(names))], Mark: states[rnd.IntN(len(states))], Current: i == shown})
			}
			s.Bar.Failed = rnd.IntN(3)
			s.Bar.Message = []string{"", "", "No room to split: a pane needs 20x3."}[rnd.IntN(3)]
			c := new(frame.Composer)
			grid, _ := c.Frame(s)
			rows := strings.Split(text(grid), "\n")
			bar := rows[s.Size.Rows-1]
			if need := "✗ " + fmt.Sprint(s.Bar.Failed); s.Bar.Failed > 0 && !strings.Contains(bar, need) {
				t.Errorf("width %d, round %d: no %q in %q", w, round, need, bar)
			}
			// The cells of a tab are together, and hold its number and its mark.
			cells := map[int]string{}
			last := -1
			for x := range w {
				at, ok := c.TabAt(x, s.Size.Rows-1)
				if !ok {
					continue
				}
				if at < last || at >= n {
					t.Fatalf("width %d, round %d: tab %d comes after tab %d", w, round, at, last)
				}
				last = at
				cells[at] += string(grid.AppendText(nil, grid.Cells[(s.Size.Rows-1)*grid.W+x]))
			}
			if _, ok := cells[shown]; !ok {
				t.Errorf("width %d, round %d: tab %d is shown, and not in %q", w, round, shown+1, bar)
			}
			for at, got := range cells {
				if want := fmt.Sprintf(" %d ", at+1); !strings.HasPrefix(got, want) {
					t.Errorf("width %d, round %d: tab %d is %q", w, round, at+1, got)
				}
				if want := glyphs[s.Tabs[at].Mark]; !strings.HasSuffix(got, want+" ") {
					t.Errorf("width %d, round %d: tab %d is %q, want the mark %q", w, round, at+1, got, want)
				}
			}
			if _, ok := c.TabAt(3, 0); ok {
				t.Error("a tab is found outside the bar")
			}
		}
	}
}

// What is typed is seen, and the cursor stands in it, at every width.
func TestPromptsAtEveryWidth(t *testing.T) {
	const line = "a line 日本 that is typed e\u0301 and goes on"
	for w := frame.MinCols; w <= 120; w++ {
		for _, at := range []int{0, 5, len("a line 日"), len(line)} {
			s := base(2, sizes[2])
			s.Size.Cols = w
			s.Sheet = frame.Sheet{Title: "Rename tab 1", Keys: hints("enter", "rename", "esc", "close"), Input: frame.Input{On: true, Text: line, Cursor: at}}
			grid, cur := new(frame.Composer).Frame(s)
			if !cur.Visible || cur.X >= w-1 || cur.X < 4 {
				t.Fatalf("width %d, cursor at %d: it stands at %+v", w, at, cur)
			}
			row := grid.Cells[cur.Y*grid.W:][:grid.W]
			var before string
			for _, c := range row[4:cur.X] {
				before += string(grid.AppendText(nil, c))
			}
			if !strings.HasSuffix(line[:at], before) || before == "" && at > 0 {
				t.Fatalf("width %d, cursor at %d: left of it stands %q", w, at, before)
			}
		}
	}
}
