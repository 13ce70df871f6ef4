package paint_test

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/vt"
	"reprise/ui/paint"
)

func rowText(g *paint.Grid, y int) string {
	var b []byte
	for _, c := range g.Row(y) {
		b = g.AppendText(b, c)
	}
	return string(b)
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		s    string
		x, w int
		want string
		used int
	}{
		{"abc", 0, 10, "abc......", 3},
		{"abcdef", 2, 3, "..abc....", 3},
		{"好好", 0, 10, "好好.....", 4},
		{"好好", 0, 3, "好 ......", 3},
		{"a好", 0, 2, "a .......", 2},
		{"e\u0301x", 0, 1, "e\u0301........", 1},
		{"👨\u200d👩\u200d👧x", 0, 9, "👨\u200d👩\u200d👧x......", 3},
		{"a\x1b[31mb\n\tc\u0085\u202ed", 0, 9, "a[31mbcd.", 8},
		{"a\u200bb", 0, 9, "ab.......", 2},
		{"a\xffb", 0, 9, "ab.......", 2},
		{"abcdef", -2, 9, "cdef.....", 6},
		{"a好bc", -2, 9, " bc......", 5},
		{"abcdef", 7, 9, ".......ab", 6},
		{"好", 8, 2, "........ ", 2},
		{"abc", 20, 9, ".........", 3},
		{"abc", 0, 0, ".........", 0},
		{"", 0, 9, ".........", 0},
	} {
		g := paint.NewGrid(9, 1)
		g.Fill(0, 0, 9, 1, vt.Cell{Rune: '.'})
		used := g.Text(c.x, 0, c.w, c.s, paint.Style{})
		if got := rowText(g, 0); got != c.want || used != c.used {
			t.Errorf("%q at %d in %d: got %q and %d, want %q and %d", c.s, c.x, c.w, got, used, c.want, c.used)
		}
		checkInvariant(t, g)
	}
}

func TestWidthAndCut(t *testing.T) {
	const s = "a好e\u0301👨\u200d👩\u200d👧\x07z"
	if got := paint.Width(s); got != 7 {
		t.Errorf("width %d, want 7", got)
	}
	for w, want := range []struct {
		head  string
		width int
	}{
		{"", 0},
		{"a", 1},
		{"a", 1},
		{"a好", 3},
		{"a好e\u0301", 4},
		{"a好e\u0301", 4},
		{"a好e\u0301👨\u200d👩\u200d👧\x07", 6},
		{s, 7},
		{s, 7},
	} {
		head, width := paint.Cut(s, w)
		if head != want.head || width != want.width {
			t.Errorf("cut to %d: got %q and %d, want %q and %d", w, head, width, want.head, want.width)
		}
	}
}

// What Text draws and what Width says agree, and drawing stays in its columns.
func FuzzText(f *testing.F) {
	for _, s := range texts {
		f.Add(s + "x" + s)
	}
	f.Add("\x1b]8;;http://x\x07a\r\n\xf0\x9f")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 {
			return
		}
		g := paint.NewGrid(500, 1)
		if used := g.Text(0, 0, 500, s, paint.Style{}); used != paint.Width(s) {
			t.Fatalf("%q takes %d, is %d wide", s, used, paint.Width(s))
		}
		small := paint.NewGrid(7, 1)
		small.Fill(0, 0, 7, 1, vt.Cell{Rune: '.'})
		if used := small.Text(2, 0, 3, s, paint.Style{}); used > 3 {
			t.Fatalf("%q took %d of 3 columns", s, used)
		}
		for _, x := range []int{0, 1, 5, 6} {
			if small.Row(0)[x].Rune != '.' {
				t.Fatalf("%q touched column %d", s, x)
			}
		}
		checkInvariant(t, small)
		p := &paint.Painter{}
		for _, r := range string(p.Frame(g, vt.Cursor{})) {
			if r < ' ' && r != 0x1b || r >= 0x7f && r < 0xa0 {
				t.Fatalf("%q brings control %q", s, r)
			}
		}
	})
}

func TestInternRefusesHarm(t *testing.T) {
	g := paint.NewGrid(1, 1)
	for _, s := range []string{"a\x1b", "\x1b", "\u009b", "a\u009b", "\xff", "a\xff", "e" + strings.Repeat("\u0301", 100), string(rune(0x40000)), "a\n"} {
		if r := g.Intern(s); r != 0xfffd {
			t.Errorf("%q became %x", s, r)
		}
	}
	for _, s := range []string{"http://x\x1b\\", "http://x\x07", "http://x\u009c", "", strings.Repeat("x", 3000)} {
		if l := g.Link(s); l != 0 {
			t.Errorf("link %q became %d", s, l)
		}
	}
	if g.Target(7) != "" || g.Target(0) != "" {
		t.Error("a number that was not given out has a target")
	}
}

// Layers of lipgloss and strings of bubbles draw into the frame.
func TestWidgets(t *testing.T) {
	g := paint.NewGrid(30, 6)
	g.Fill(0, 0, 30, 6, vt.Cell{Rune: '.'})
	box := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Foreground(lipgloss.Color("#ff8800")).Render("pick one 好")
	lipgloss.NewCompositor(lipgloss.NewLayer(box).X(4).Y(1).Z(1)).Draw(g, uv.Rect(4, 1, 14, 3))
	uv.NewStyledString("\x1b[7;3mst\x1b[4:3mat\x1b[m\x1b]8;;http://x\x1b\\us\x1b]8;;\x1b\\\x1bP1secret\x1b\\!").Draw(g, uv.Rect(0, 5, 30, 1))
	for y, want := range []string{
		"..............................",
		"....╭───────────╮.............",
		"....│pick one 好│.............",
		"....╰───────────╯.............",
	} {
		got := rowText(g, y)
		if strings.TrimRight(strings.ReplaceAll(got, ".", " "), " ") != strings.TrimRight(strings.ReplaceAll(want, ".", " "), " ") {
			t.Errorf("row %d: got %q, want %q", y, got, want)
		}
	}
	if got := rowText(g, 5); strings.TrimRight(got, " ") != "status!" {
		t.Errorf("the string became %q", got)
	}
	if c := g.Row(2)[5]; c.FG != vt.ColorRGB|0xff8800 {
		t.Errorf("colour %x", c.FG)
	}
	row := g.Row(5)
	if row[0].Attr != vt.Reverse|vt.Italic || row[2].Attr != (vt.Reverse|vt.Italic).WithUnderline(vt.UnderlineCurly) {
		t.Errorf("attributes %x and %x", row[0].Attr, row[2].Attr)
	}
	if g.Target(row[4].Link) != "http://x" {
		t.Errorf("link %q", g.Target(row[4].Link))
	}
	checkInvariant(t, g)
}

// A cell read through uv.Screen and set again is the same cell.
func TestCellsComeBackThroughUV(t *testing.T) {
	g := paint.NewGrid(12, 1)
	for i, s := range []string{"a", "好", "e\u0301", "👨\u200d👩\u200d👧"} {
		g.Text(i*2, 0, 2, s, paint.Style{
			FG: vt.ColorIndexed | 3, BG: vt.ColorRGB | 0x10203, UL: vt.ColorIndexed | 200,
			Attr: (vt.Bold | vt.Dim | vt.Italic | vt.Blink | vt.Reverse | vt.Conceal | vt.Strike).WithUnderline(i), Link: g.Link("http://x"),
		})
	}
	before := append([]vt.Cell(nil), g.Cells...)
	for x := range 12 {
		g.SetCell(x, 0, g.CellAt(x, 0))
	}
	for x := range before {
		if before[x] != g.Cells[x] {
			t.Errorf("column %d: %+v became %+v", x, before[x], g.Cells[x])
		}
	}
	if g.CellAt(-1, 0) != nil || g.CellAt(12, 0) != nil {
		t.Error("a cell outside the grid")
	}
}
