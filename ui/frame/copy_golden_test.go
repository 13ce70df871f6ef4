package frame_test

import (
	"fmt"
	"testing"

	"reprise/panes/vt"
	"reprise/ui/frame"
	"reprise/ui/theme"
)

var copyKeys = [6]frame.Hint{
	{Key: "/", Verb: "search"},
	{Key: "n N", Verb: "next"},
	{Key: "v", Verb: "select"},
	{Key: "y", Verb: "yank"},
	{Key: "[ ]", Verb: "prompts"},
	{Key: "q", Verb: "leave"},
}

// copied lets the first pane be in copy mode, with matches and a selection.
func copied(s *frame.Scene) {
	p := &s.Panes[0]
	p.Where = "2 of 7   line 4810 of 12 044"
	s.Bar.Chip, s.Bar.Mode.Keys = "copy", copyKeys
	for i, m := range []frame.Mark{frame.Hit, frame.Current, frame.Selected} {
		if y := i + 1; y < p.Screen.Rows {
			row := p.Screen.Row(y)
			m.Paint(row[min(2, len(row)):min(9, len(row))], s.Palette)
		}
	}
}

func init() {
	goldens = append(goldens,
		golden{"copy", 2, copied},
		golden{"copy-alone", 1, func(s *frame.Scene) {
			copied(s)
			s.Bar.Mode.Where = s.Panes[0].Where
		}},
		golden{"copy-search", 2, func(s *frame.Scene) {
			copied(s)
			s.Bar.Mode.Keys = [6]frame.Hint{{Key: "enter", Verb: "go"}, {Key: "tab", Verb: "plain text"}, {Key: "esc", Verb: "close"}}
			s.Bar.Mode.Input = "?claim (won|lost) for t-\\d+"
		}},
		golden{"copy-message", 1, func(s *frame.Scene) {
			copied(s)
			s.Bar.Message = "No match for xy in this pane."
		}},
	)
}

// The cursor stands behind what is typed into the bar, and its end stays in sight.
func TestCursorInTheBar(t *testing.T) {
	for _, size := range sizes[1:] {
		for _, input := range []string{"/", "/日本語", "/" + fmt.Sprint(make([]int, 60)) + " end"} {
			s := base(2, size)
			copied(s)
			s.Bar.Mode.Input = input
			var c frame.Composer
			grid, cur := c.Frame(s)
			if cur.Y != size.Rows-1 || !cur.Visible {
				t.Fatalf("the cursor is at %+v", cur)
			}
			last := []rune(input)[len([]rune(input))-1]
			x := cur.X - 1
			for grid.Row(cur.Y)[x].Rune == 0 {
				x--
			}
			if got := grid.Row(cur.Y)[x].Rune; got != last {
				t.Errorf("%d columns: before the cursor is %q, not %q", size.Cols, got, last)
			}
			s.Bar.Mode = frame.ModeBar{}
			if _, cur := c.Frame(s); cur.Y == size.Rows-1 {
				t.Error("the cursor stays in the bar")
			}
		}
	}
}

// A program's colour stays where it can be read on the mark.
func TestMarksKeepWhatCanBeRead(t *testing.T) {
	pal := theme.Resolve(theme.Ink(), theme.TrueColor)
	sel, hit := pal.Style(theme.Text, theme.OnSel), pal.Style(theme.Text, theme.OnHit)
	white, black := vt.ColorRGB|0xffffff, vt.ColorRGB|0x101010
	for _, c := range []struct {
		mark     frame.Mark
		was, now vt.Cell
	}{
		{frame.Selected, vt.Cell{Rune: 'x', FG: white, Attr: vt.Bold}, vt.Cell{Rune: 'x', FG: white, BG: sel.BG, Attr: vt.Bold}},
		{frame.Selected, vt.Cell{Rune: 'x', FG: black}, vt.Cell{Rune: 'x', FG: sel.FG, BG: sel.BG}},
		{frame.Hit, vt.Cell{Rune: 'x'}, vt.Cell{Rune: 'x', FG: hit.FG, BG: hit.BG}},
		{frame.Hit, vt.Cell{Rune: 'x', FG: vt.ColorIndexed | 10}, vt.Cell{Rune: 'x', FG: vt.ColorIndexed | 10, BG: hit.BG}},
		{frame.Hit, vt.Cell{Rune: 'x', FG: vt.ColorIndexed | 16}, vt.Cell{Rune: 'x', FG: hit.FG, BG: hit.BG}},
		{frame.Selected, vt.Cell{Rune: 'x', FG: black, BG: white, Attr: vt.Reverse}, vt.Cell{Rune: 'x', FG: white, BG: sel.BG}},
		{frame.Current, vt.Cell{Rune: 'x', FG: white, Attr: vt.Wide | vt.Dim}, vt.Cell{Rune: 'x', FG: pal.Style(theme.Attn, theme.OnPane).FG, Attr: vt.Wide | vt.Bold | vt.Reverse}},
	} {
		got := []vt.Cell{c.was}
		c.mark.Paint(got, pal)
		if got[0] != c.now {
			t.Errorf("mark %d of %+v: %+v, want %+v", c.mark, c.was, got[0], c.now)
		}
	}
	plain := theme.Resolve(theme.Ink(), theme.NoColor)
	looks := map[vt.Attr]bool{0: true}
	for _, m := range []frame.Mark{frame.Selected, frame.Hit, frame.Current} {
		cells := []vt.Cell{{Rune: 'x', FG: white}}
		m.Paint(cells, plain)
		looks[cells[0].Attr] = true
	}
	if len(looks) != 4 {
		t.Errorf("without colours marks look alike: %v", looks)
	}
}
