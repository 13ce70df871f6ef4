package frame_test

import (
	"slices"
	"strings"
	"testing"

	"reprise/panes"
	"reprise/ui/frame"
)

var choiceRows = []frame.Choice{
	{Kind: "pane", Text: "claude  Fix flaky resume test", Hits: []int{0, 1, 2}, State: frame.Resuming, Note: "1 heart"},
	{Kind: "pane", Text: "claude  Write the user guide", Hits: []int{0, 1, 2}, State: frame.Failed, Note: "2 docs"},
	{Kind: "session", Text: "classics", Hits: []int{0, 1, 2}, Note: "3 panes"},
	{Kind: "start", Text: "claude in ~/w/reprise", Hits: []int{0, 1, 2}, Note: "ctrl+b a"},
	{Kind: "key", Text: "Close the pane and end what runs in it", Hits: []int{0, 1}, Note: "ctrl+b x"},
	{Kind: "text", Text: "zsh :4810 UPDATE bindings SET claim_owner = ? WHERE terminal = ? AND end_reason = 'exited'", Hits: []int{30, 31, 32}, Note: "1 heart"},
	{Kind: "text", Text: "codex :212 the claim decides, not the launch", Hits: []int{15, 16, 17}, Note: "1 heart"},
}

func paletteSheet(query, count string, selected int, rows ...frame.Choice) frame.Sheet {
	return frame.Sheet{
		Title: "Palette", Count: count, Input: frame.Input{On: true, Text: query, Cursor: len(query)},
		Choices: &frame.Choices{Rows: rows, Selected: selected, High: 8, Empty: "Nothing matches."},
		Keys:    hints("enter", "go", "tab", "in a split", "ctrl+y", "copy", "esc", "close"),
	}
}

func init() {
	show := func(sheet frame.Sheet) func(*frame.Scene) {
		return func(s *frame.Scene) { s.Bar.Chip, s.Sheet = "palette", sheet }
	}
	goldens = append(goldens,
		golden{"palette", 2, show(paletteSheet("cla", "7 of 412", 0, choiceRows...))},
		golden{"palette-last", 1, show(paletteSheet("cla", "7 of 412", 6, choiceRows...))},
		golden{"palette-nothing", 2, show(paletteSheet("qq", "0 of 412", 0))},
	)
}

// What is selected, what was typed and the keys are in sight in every size; the kind
// and the beginning of the text are never cut.
func TestChoicesAreInSight(t *testing.T) {
	for cols := frame.MinCols; cols <= 160; cols += 13 {
		for rows := frame.MinRows; rows <= 40; rows += 4 {
			all := append(slices.Clone(choiceRows), frame.Choice{Kind: "text", Text: "läunch 日本語 der Stände 日本語 und noch mehr", Hits: []int{1, 8, 11}, Note: "1 日本"})
			for i, r := range all {
				sc := base(2, panes.Size{Cols: cols, Rows: rows})
				sc.Sheet = paletteSheet("cla", "8 of 412", i, all...)
				grid, _ := new(frame.Composer).Frame(sc)
				drawn := text(grid)
				for _, want := range []string{"▌ " + r.Kind, string([]rune(r.Text)[:7]), "❯ cla", "enter go", "esc close"} {
					if !strings.Contains(drawn, want) {
						t.Fatalf("%q is not in sight at %dx%d:\n%s", want, cols, rows, drawn)
					}
				}
			}
		}
	}
}
