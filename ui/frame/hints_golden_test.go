package frame_test

import (
	"testing"

	"reprise/panes/vt"
	"reprise/ui/frame"
	"reprise/ui/theme"
)

func init() {
	goldens = append(goldens, golden{"hints", 2, func(s *frame.Scene) {
		s.Bar.Chip = "hints"
		s.Bar.Mode.Keys = [6]frame.Hint{{Key: "a-z", Verb: "copy"}, {Key: "A-Z", Verb: "open"}, {Key: "esc", Verb: "close"}}
		p := &s.Panes[0]
		for i, label := range []string{"f", "d", "sa"} {
			y := 2*i + 1
			if y >= p.Screen.Rows {
				break
			}
			row := p.Screen.Row(y)
			frame.Hit.Paint(row[min(4, len(row)):min(16, len(row))], s.Palette)
			for x, r := range label {
				if 4+x < len(row) {
					row[4+x].Rune = r
					frame.Label.Paint(row[4+x:5+x], s.Palette)
				}
			}
		}
	}})
}

// A label looks like a key: nothing of the program's look stays, and without colours
// it is told from what it stands on.
func TestLabels(t *testing.T) {
	pal := theme.Resolve(theme.Ink(), theme.TrueColor)
	cells := []vt.Cell{{Rune: 'a', FG: vt.ColorIndexed | 3, BG: vt.ColorIndexed | 1, Attr: vt.Dim}}
	frame.Label.Paint(cells, pal)
	if want := (vt.Cell{Rune: 'a', FG: pal.Style(theme.Accent, theme.OnPane).FG, Attr: vt.Bold | vt.Reverse}); cells[0] != want {
		t.Errorf("a label is %+v, want %+v", cells[0], want)
	}
	for _, depth := range []theme.Depth{theme.NoColor, theme.Colors16} {
		plain := theme.Resolve(theme.Ink(), depth)
		hit, label := []vt.Cell{{Rune: 'a'}}, []vt.Cell{{Rune: 'a'}}
		frame.Hit.Paint(hit, plain)
		frame.Label.Paint(label, plain)
		if hit[0].Attr == label[0].Attr {
			t.Errorf("with %v a label looks like what it stands on", depth)
		}
	}
}
