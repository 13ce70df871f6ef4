package paint_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"reprise/panes/vt"
	"reprise/ui/paint"
)

// After a first round, frames cost no allocation, whatever is in them and
// whatever the terminal can show.
func TestSteadyFramesDoNotAllocate(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII} {
		r := rand.New(rand.NewPCG(1, 1))
		g := paint.NewGrid(120, 30)
		var states [][]vt.Cell
		for range 6 {
			change(r, g)
			for y := range g.H {
				g.Text(r.IntN(g.W), y, g.W, "text 好 e\u0301 👨\u200d👩\u200d👧", paint.Style{
					FG: vt.ColorRGB | 0xd8dce3, Link: g.Link("https://example.org"),
				})
			}
			states = append(states, append([]vt.Cell(nil), g.Cells...))
		}
		p := &paint.Painter{Profile: profile, Sync: true, Underlines: true, Links: true}
		i := 0
		frame := func() {
			copy(g.Cells, states[i%len(states)])
			g.Touch(0, g.H)
			p.Frame(g, vt.Cursor{X: i % 7, Y: 2, Visible: i%3 != 0})
			i++
		}
		for range len(states) + 1 {
			frame()
		}
		if profile == colorprofile.ANSI256 || profile == colorprofile.ANSI {
			// Colours that fall on one place of the cache are fitted again, which
			// allocates inside the palette's search: take fewer of them.
			continue
		}
		if n := testing.AllocsPerRun(60, frame); n != 0 {
			t.Errorf("%v: %v allocations a frame", profile, n)
		}
	}
}

func TestSteadyFittedFramesDoNotAllocate(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.ANSI256, colorprofile.ANSI} {
		g := paint.NewGrid(80, 20)
		p := &paint.Painter{Profile: profile}
		i := 0
		frame := func() {
			for y := range g.H {
				g.Text(0, y, g.W, "a row of text", paint.Style{FG: vt.ColorRGB | vt.Color(y*1000+i%2), BG: vt.ColorIndexed | 200})
			}
			p.Frame(g, vt.Cursor{})
			i++
		}
		frame()
		frame()
		frame()
		if n := testing.AllocsPerRun(50, frame); n != 0 {
			t.Errorf("%v: %v allocations a frame", profile, n)
		}
	}
}

// Blit and Text are part of every frame, so they must not allocate either.
func TestSteadyComposingDoesNotAllocate(t *testing.T) {
	e := vt.New(vt.Options{Cols: 80, Rows: 24, Reply: func([]byte) {}})
	_, _ = e.Write([]byte("plain\r\n\x1b[31m好 e\u0301 👨\u200d👩\u200d👧 \x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\"))
	var s vt.Screen
	e.Snapshot(&s)
	g := paint.NewGrid(100, 30)
	compose := func() {
		g.Clear()
		for y := range s.Rows {
			g.Blit(&s, y, 0, 3, y+1, s.Cols)
		}
		g.Text(0, 0, 100, "━ claude  Fix flaky 好 resume… ━━", paint.Style{Attr: vt.Bold})
		g.Fill(0, 29, 100, 1, paint.Style{BG: vt.ColorIndexed | 235}.Cell(' '))
	}
	compose()
	if n := testing.AllocsPerRun(50, compose); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func visible(x, y int) vt.Cursor { return vt.Cursor{X: x, Y: y, Visible: true} }

func TestBytes(t *testing.T) {
	const (
		hide, show = "\x1b[?25l", "\x1b[?25h"
		on, off    = "\x1b[?2026h", "\x1b[?2026l"
	)
	red := paint.Style{FG: vt.ColorIndexed | 1}
	g := paint.NewGrid(20, 3)
	p := &paint.Painter{Profile: colorprofile.TrueColor, Sync: true}
	for _, step := range []struct {
		name string
		do   func()
		cur  vt.Cursor
		want string
	}{
		{"the first frame clears", func() { g.Text(0, 0, 20, "abc", paint.Style{}) }, visible(4, 0), on + hide + "\x1b[r\x1b[m\x1b[H\x1b[2Jabc\x1b[C" + show + off},
		{"no change, no bytes", func() {}, visible(4, 0), ""},
		{"the cursor alone", func() {}, visible(0, 1), "\n\r"},
		{"one cell", func() { g.Put(5, 1, red.Cell('x')) }, visible(6, 1), "\x1b[5C\x1b[31mx"},
		{"cursor goes", func() {}, vt.Cursor{}, hide},
		{"nothing with it", func() {}, vt.Cursor{X: 9, Y: 2}, ""},
		{"the pen and the place are kept", func() { g.Put(6, 1, red.Cell('y')) }, vt.Cursor{}, "y"},
		{"the cell before", func() { g.Put(6, 1, red.Cell('z')) }, vt.Cursor{}, "\bz"},
		{"cursor comes", func() {}, visible(1, 1), "\x1b[2G" + show},
		{"the rest of a row", func() { g.Fill(1, 0, 19, 1, vt.Blank) }, visible(1, 1), "\x1bM\x1b[m\x1b[K\n"},
		{"a gap is written again", func() { g.Text(4, 1, 9, "axza", red) }, visible(1, 1), "\x1b[3C\x1b[31maxza\x1b[2G"},
		{"a jump within a row", func() { g.Text(0, 1, 1, "b", red); g.Text(9, 1, 1, "b", red); g.Text(19, 1, 1, "b", red) }, visible(1, 1), "\rb\x1b[8Cb\x1b[9Cb\x1b[2G"},
		{"set anew after a wide one", func() { g.Text(0, 2, 20, "好a", paint.Style{}) }, visible(1, 1), "\n\r\x1b[m好\x1b[3Ga\x1bM\b\b"},
		{"a mark does not join", func() { g.Text(3, 2, 1, "b", paint.Style{}); g.Text(4, 2, 1, "\u0903", paint.Style{}) }, visible(1, 1), "\n\x1b[2Cb\x1b[5G\u0903\x1bM\x1b[2G"},
		{"nor across frames", func() { g.Text(3, 2, 1, "c", paint.Style{}) }, visible(4, 2), "\n\x1b[2Cc"},
		{"which the next one sees", func() { g.Text(4, 2, 1, "\u093e", paint.Style{}) }, visible(4, 2), "\x1b[5G\u093e\x1b[5G"},
		{"forgotten", p.Invalidate, vt.Cursor{}, on + hide + "\x1b[r\x1b[m\x1b[H\x1b[2Ja\n\r\x1b[31mb\x1b[3Caxza\x1b[Cb\x1b[9Cb\n\r\x1b[m好\x1b[3Gac\x1b[5G\u093e" + off},
	} {
		step.do()
		if got := string(p.Frame(g, step.cur)); got != step.want {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
}

func TestCapabilities(t *testing.T) {
	st := paint.Style{FG: vt.ColorRGB | 0x7db7f0, BG: vt.ColorIndexed | 235, UL: vt.ColorRGB | 0xff0000}
	st.Attr = vt.Bold.WithUnderline(vt.UnderlineCurly)
	const link = "https://example.org/a"
	for _, c := range []struct {
		p    paint.Painter
		want string
	}{
		{paint.Painter{}, "\x1b[1;4mx"},
		{paint.Painter{Profile: colorprofile.NoTTY}, "\x1b[1;4mx"},
		{paint.Painter{Profile: colorprofile.ANSI}, "\x1b[1;4;94;40mx"},
		{paint.Painter{Profile: colorprofile.ANSI256}, "\x1b[1;4;38;5;111;48;5;235mx"},
		{paint.Painter{Profile: colorprofile.TrueColor}, "\x1b[1;4;38;2;125;183;240;48;5;235mx"},
		{
			paint.Painter{Profile: colorprofile.TrueColor, Underlines: true},
			"\x1b[1;4:3;38;2;125;183;240;48;5;235;58:2::255:0:0mx",
		},
		{
			paint.Painter{Profile: colorprofile.ANSI, Links: true},
			"\x1b[1;4;94;40m\x1b]8;id=1;" + link + "\x1b\\x\x1b]8;;\x1b\\",
		},
	} {
		g := paint.NewGrid(3, 1)
		st.Link = g.Link(link)
		g.Text(0, 0, 3, "x", st)
		got := string(c.p.Frame(g, vt.Cursor{}))
		_, got, _ = strings.Cut(got, "\x1b[2J")
		if got != c.want {
			t.Errorf("%v: got %q, want %q", c.p.Profile, got, c.want)
		}
	}
}

// What goes out is what the profile itself would choose.
func TestColorsAreFittedExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, profile := range []colorprofile.Profile{colorprofile.ANSI256, colorprofile.ANSI} {
		g := paint.NewGrid(1, 1)
		p := &paint.Painter{Profile: profile}
		e := vt.New(vt.Options{Cols: 1, Rows: 1, Reply: func([]byte) {}})
		var s vt.Screen
		for i := range 3000 {
			fg, bg := vt.ColorRGB|vt.Color(r.IntN(1<<24)), vt.ColorIndexed|vt.Color(i%256)
			g.Put(0, 0, vt.Cell{Rune: rune('a' + i%2), FG: fg, BG: bg})
			_, _ = e.Write(p.Frame(g, vt.Cursor{}))
			e.Snapshot(&s)
			for _, pair := range [][2]vt.Color{{fg, s.Cells[0].FG}, {bg, s.Cells[0].BG}} {
				if want := convert(profile, pair[0]); pair[1] != want {
					t.Fatalf("%v: %x became %x, want %x", profile, pair[0], pair[1], want)
				}
			}
		}
	}
}

func convert(profile colorprofile.Profile, c vt.Color) vt.Color {
	switch {
	case c&vt.ColorRGB != 0:
		switch c := profile.Convert(ansi.RGBColor{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c)}).(type) {
		case ansi.BasicColor:
			return vt.ColorIndexed | vt.Color(c)
		case ansi.IndexedColor:
			return vt.ColorIndexed | vt.Color(c)
		}
	case c&0xff < 16:
		return c
	}
	switch c := profile.Convert(ansi.IndexedColor(uint8(c))).(type) {
	case ansi.BasicColor:
		return vt.ColorIndexed | vt.Color(c)
	case ansi.IndexedColor:
		return vt.ColorIndexed | vt.Color(c)
	}
	return 0
}

// A program that shows ever new clusters and links fills no memory, and the
// terminal still shows the frame after the tables were rebuilt.
func TestTablesAreBounded(t *testing.T) {
	for _, clear := range []bool{false, true} {
		g := paint.NewGrid(40, 10)
		p := &paint.Painter{Profile: colorprofile.TrueColor, Links: true}
		e := vt.New(vt.Options{Cols: 40, Rows: 10, Reply: func([]byte) {}})
		var s vt.Screen
		repaints, highest, links := 0, rune(0), uint16(0)
		for i := range 2000 {
			if clear {
				g.Clear()
			}
			for k := range 8 {
				n := i*8 + k
				marks := string(rune('a'+n%26)) + string(rune(0x300+n/26%80)) + string(rune(0x300+n/2080%80))
				g.Text(n%40, n/40%10, 1, marks, paint.Style{Link: g.Link(fmt.Sprintf("https://example.org/%d", n))})
			}
			b := p.Frame(g, vt.Cursor{})
			if strings.Contains(string(b), "\x1b[2J") {
				repaints++
			}
			_, _ = e.Write(b)
			if i%50 == 0 || i > 1990 {
				e.Snapshot(&s)
				if d := firstDifference(g.W, frameCells(g), screenCells(&s)); d != "" {
					t.Fatalf("frame %d: %s", i, d)
				}
			}
			for _, c := range g.Cells {
				highest, links = max(highest, c.Rune), max(links, c.Link)
			}
		}
		if highest >= vt.ClusterBase+6000 || links > 6000 {
			t.Errorf("clear %v: numbers up to %d and %d", clear, highest-vt.ClusterBase, links)
		}
		if repaints < 2 || repaints > 12 {
			t.Errorf("clear %v: %d full repaints", clear, repaints)
		}
	}
}

// A frame with more clusters than a table's first limit is not painted fully
// every time.
func TestManyLiveClusters(t *testing.T) {
	g := paint.NewGrid(200, 50)
	p := &paint.Painter{}
	repaints := 0
	for frame := range 30 {
		for i := range len(g.Cells) {
			if frame > 0 && i >= 40 {
				break
			}
			n := i + frame*40
			g.Text(i%200, i/200, 1, string(rune('a'+n%26))+string(rune(0x300+n/26%80))+string(rune(0x300+n/2080%80)), paint.Style{})
		}
		if strings.Contains(string(p.Frame(g, vt.Cursor{})), "\x1b[2J") {
			repaints++
		}
	}
	if repaints > 3 {
		t.Errorf("%d full repaints of 30 frames", repaints)
	}
}

// Two grids may take turns as long as no number of one is read as the other's.
func TestAnotherGridRepaints(t *testing.T) {
	one, two := paint.NewGrid(4, 1), paint.NewGrid(4, 1)
	one.Text(0, 0, 4, "e\u0301", paint.Style{})
	two.Text(0, 0, 4, "o\u0302", paint.Style{})
	p := &paint.Painter{}
	p.Frame(one, vt.Cursor{})
	if got := string(p.Frame(two, vt.Cursor{})); !strings.Contains(got, "o\u0302") {
		t.Errorf("the other grid's cluster is missing: %q", got)
	}
}

// Rows that nobody wrote to are not looked at: the two frames that would be compared are
// most of the memory that a key's echo needs.
func TestOnlyRowsThatWereWrittenAreLookedAt(t *testing.T) {
	g := paint.NewGrid(20, 5)
	p := &paint.Painter{}
	p.Frame(g, vt.Cursor{})
	unseen := vt.Cell{Rune: 'x'}
	for y := range g.H {
		g.Row(y)[0] = unseen // against the rules
	}
	if b := p.Frame(g, vt.Cursor{}); b != nil {
		t.Errorf("rows were looked at that nobody wrote to: %q", b)
	}
	g.Put(3, 2, vt.Cell{Rune: 'y'})
	if b := string(p.Frame(g, vt.Cursor{})); strings.Count(b, "x") != 1 || strings.Count(b, "y") != 1 {
		t.Errorf("%q, want one row", b)
	}
	// Whoever scrolls, or begins anew, looks at all that may have moved.
	p.Invalidate()
	if b := string(p.Frame(g, vt.Cursor{})); strings.Count(b, "x") != g.H {
		t.Errorf("anew: %q", b)
	}
	other := paint.NewGrid(20, 5)
	if b := p.Frame(other, vt.Cursor{}); len(b) == 0 {
		t.Error("another grid of the same clock is taken for this one")
	}
}
