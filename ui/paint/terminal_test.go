package paint_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"reprise/panes/vt"
	"reprise/ui/paint"
)

// texts are what random cells show: every kind that terminals and tables treat in
// a way of its own.
var texts = []string{
	"a", "b", "c", "d", "e", "f", "g", "h", "x", "y", "z", " ", " ", " ", " ", " ", "~", "!",
	"│", "─", "┼", "█", "é", "ß", "§", "Ж", "ω", "…", "→", "∀", "⠋", "✓", "✗", "●", "♥", "ª", "\uf015",
	"好", "漢", "か", "カ", "한", "😀", "🚀", "⌚", "ﾀ", "Ａ", "𠀀",
	"e\u0301", "o\u0302\u0323", "👨\u200d👩\u200d👧", "🇩🇪", "1\ufe0f\u20e3", "❤\ufe0f", "👍🏽", "\u0915\u094d\u0937", "각",
	"\u0903", "🇪",
}

func randomColor(r *rand.Rand) vt.Color {
	switch r.IntN(8) {
	case 0, 1:
		return vt.ColorIndexed | vt.Color(r.IntN(256))
	case 2:
		return vt.ColorIndexed | vt.Color(r.IntN(16))
	case 3, 4:
		return vt.ColorRGB | vt.Color(r.IntN(1<<24))
	}
	return 0
}

func randomStyle(r *rand.Rand, g *paint.Grid) paint.Style {
	st := paint.Style{FG: randomColor(r), BG: randomColor(r)}
	if r.IntN(3) == 0 {
		st.Attr = vt.Attr(r.IntN(256))
	}
	if r.IntN(5) == 0 {
		st.Attr = st.Attr.WithUnderline(r.IntN(6))
		st.UL = randomColor(r)
	}
	if r.IntN(6) == 0 {
		st.Link = g.Link(fmt.Sprintf("https://example.org/%d?a=1;b", r.IntN(4)))
	}
	return st
}

// change makes one random change to a frame.
func change(r *rand.Rand, g *paint.Grid) {
	switch r.IntN(11) {
	case 9, 10: // rows move, whole
		top := r.IntN(g.H)
		rows := 1 + r.IntN(g.H-top)
		moved := g.Cells[top*g.W : (top+rows)*g.W]
		n := r.IntN(rows) * g.W
		if r.IntN(2) == 0 {
			copy(moved, moved[n:])
		} else {
			copy(moved[n:], moved)
		}
		g.Touch(top, rows)
		for range r.IntN(3) {
			y, st := top+r.IntN(rows), randomStyle(r, g)
			g.Fill(0, y, g.W, 1, vt.Blank)
			g.Text(r.IntN(g.W), y, g.W, texts[r.IntN(len(texts))], st)
		}
	case 0: // a pane scrolls
		x := r.IntN(g.W)
		for y := 0; y+1 < g.H; y++ {
			for i := x; i < g.W; i++ {
				if g.Row(y + 1)[i].Rune != 0 {
					g.Put(i, y, g.Row(y + 1)[i])
				}
			}
		}
		g.Fill(x, g.H-1, g.W, 1, vt.Blank)
	case 1: // the rest of a row goes
		g.Fill(r.IntN(g.W), r.IntN(g.H), g.W, 1, vt.Blank)
	case 2: // a sheet with a background
		g.Fill(r.IntN(g.W), r.IntN(g.H), r.IntN(g.W+1), 1+r.IntN(2), randomStyle(r, g).Cell(' '))
	case 3: // everything is new
		for y := range g.H {
			st := randomStyle(r, g)
			for x := 0; x < g.W; {
				x += max(g.Text(x, y, g.W-x, texts[r.IntN(len(texts))], st), 1)
				if r.IntN(8) == 0 {
					st = randomStyle(r, g)
				}
			}
		}
	default:
		for k := r.IntN(20); k >= 0; k-- {
			x, y := r.IntN(g.W), r.IntN(g.H)
			g.Text(x, y, g.W-x, texts[r.IntN(len(texts))], randomStyle(r, g))
		}
	}
}

// shown is a cell without the numbers that only its own tables explain.
type shown struct {
	text, link string
	cell       vt.Cell
}

func (c shown) String() string {
	return fmt.Sprintf("%q fg %x bg %x ul %x attr %x link %q", c.text, c.cell.FG, c.cell.BG, c.cell.UL, c.cell.Attr, c.link)
}

func resolve(c vt.Cell, text []byte, link string) shown {
	if c.Rune == 0 { // what a second half is made of does not show
		return shown{}
	}
	c.Rune, c.Link = 0, 0
	return shown{string(text), link, c}
}

func frameCells(g *paint.Grid) []shown {
	out := make([]shown, 0, len(g.Cells))
	var buf []byte
	for _, c := range g.Cells {
		buf = g.AppendText(buf[:0], c)
		out = append(out, resolve(c, buf, g.Target(c.Link)))
	}
	return out
}

func screenCells(s *vt.Screen) []shown {
	out := make([]shown, 0, len(s.Cells))
	var buf []byte
	for _, c := range s.Cells {
		buf = s.AppendText(buf[:0], c)
		out = append(out, resolve(c, buf, s.Links[c.Link]))
	}
	return out
}

func firstDifference(w int, want, got []shown) string {
	if len(want) != len(got) {
		return fmt.Sprintf("want %d cells, got %d", len(want), len(got))
	}
	for i := range want {
		if want[i] != got[i] {
			return fmt.Sprintf("row %d column %d: want %s, got %s", i/w, i%w, want[i], got[i])
		}
	}
	return ""
}

// Whatever changes from frame to frame, the terminal shows the frame in the end,
// attribute for attribute, and the cursor where it belongs.
func TestFramesOnATerminal(t *testing.T) {
	sessions := 1000
	if testing.Short() {
		sessions = 150
	}
	frames := 0
	for seed := range uint64(sessions) {
		r := rand.New(rand.NewPCG(seed, 0))
		w, h := 1+r.IntN(40), 1+r.IntN(10)
		g := paint.NewGrid(w, h)
		e := vt.New(vt.Options{Cols: w, Rows: h, Reply: func([]byte) {}})
		p := &paint.Painter{Profile: colorprofile.TrueColor, Sync: seed%2 == 0, Underlines: true, Links: true, Ambiguous: seed%3 == 0}
		var s vt.Screen
		for range 30 {
			frames++
			if r.IntN(25) == 0 {
				g.Resize(1+r.IntN(40), 1+r.IntN(10))
				e.Resize(g.W, g.H)
			}
			if r.IntN(40) == 0 {
				_, _ = e.Write([]byte("\x1b[H\x1b[32mnoise of another program\x1b[?25l"))
				p.Invalidate()
			}
			change(r, g)
			cur := vt.Cursor{X: r.IntN(g.W), Y: r.IntN(g.H), Visible: r.IntN(4) != 0}
			b := p.Frame(g, cur)
			_, _ = e.Write(b)
			e.Snapshot(&s)
			if d := firstDifference(g.W, frameCells(g), screenCells(&s)); d != "" {
				t.Fatalf("seed %d, %dx%d: %s\nbytes %q", seed, g.W, g.H, d, b)
			}
			if s.Cursor.Visible != cur.Visible {
				t.Fatalf("seed %d: cursor visible %v, want %v: %q", seed, s.Cursor.Visible, cur.Visible, b)
			}
			if cur.Visible && (s.Cursor.X != cur.X || s.Cursor.Y != cur.Y) {
				t.Fatalf("seed %d: cursor at %d,%d, want %d,%d: %q", seed, s.Cursor.X, s.Cursor.Y, cur.X, cur.Y, b)
			}
			if again := p.Frame(g, cur); again != nil {
				t.Fatalf("seed %d: the same frame again writes %q", seed, again)
			}
		}
	}
	t.Logf("%d frames", frames)
}

// Cells that break every rule of a Grid neither panic nor bring anything but text
// and the painter's own sequences to the terminal; they stay in their columns, and
// what shows does not depend on what was there before.
func TestHostileCells(t *testing.T) {
	runes := []rune{
		0, 1, 7, 0x1b, 0x7f, 0x80, 0x9b, 0x9d, 0xad, ' ', 'a', 0x200b, 0x202e, 0xd800, 0xfffd, 0x110000, -1, '好',
		vt.ClusterBase, vt.ClusterBase + 5, vt.ClusterEnd,
	}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := paint.NewGrid(1+r.IntN(12), 1+r.IntN(4))
		e := vt.New(vt.Options{Cols: g.W, Rows: g.H, Reply: func([]byte) { t.Fatal("a query reached the terminal") }})
		p := &paint.Painter{Profile: colorprofile.TrueColor, Underlines: true, Links: true}
		var s, anew vt.Screen
		for range 20 {
			for range 6 {
				g.Cells[r.IntN(len(g.Cells))] = vt.Cell{
					Rune: runes[r.IntN(len(runes))], FG: vt.Color(r.Uint32()), BG: vt.Color(r.Uint32()), UL: vt.Color(r.Uint32()),
					Attr: vt.Attr(r.Uint32()), Link: uint16(r.Uint32()),
				}
			}
			g.Touch(0, g.H)
			b := p.Frame(g, vt.Cursor{X: r.IntN(100) - 50, Y: r.IntN(100) - 50, Visible: true})
			for _, c := range string(b) {
				if c < ' ' && !strings.ContainsRune("\x1b\r\n\b", c) || c >= 0x7f && c < 0xa0 {
					t.Fatalf("control %q in %q", c, b)
				}
			}
			rest := string(b)
			for rest != "" { // every ESC is one of the painter's sequences
				i := strings.IndexByte(rest, 0x1b)
				if i < 0 {
					break
				}
				rest = rest[i+1:]
				if rest == "" || !strings.ContainsRune("[]\\M78", rune(rest[0])) {
					t.Fatalf("a stray ESC in %q", b)
				}
			}
			_, _ = e.Write(b)
			e.Snapshot(&s)
			fresh := vt.New(vt.Options{Cols: g.W, Rows: g.H, Reply: func([]byte) {}})
			_, _ = fresh.Write((&paint.Painter{Profile: colorprofile.TrueColor, Underlines: true, Links: true}).Frame(g, vt.Cursor{}))
			fresh.Snapshot(&anew)
			if d := firstDifference(g.W, screenCells(&anew), screenCells(&s)); d != "" {
				t.Fatalf("seed %d: painted anew and step by step differ: %s", seed, d)
			}
			for i, c := range g.Cells {
				if c.Rune == 'a' && c.Attr&vt.Wide == 0 && s.Cells[i].Rune != 'a' {
					t.Fatalf("seed %d: cell %d shows %q instead of a: %q", seed, i, s.Cells[i].Rune, b)
				}
			}
		}
	}
}

// All that a pane shows comes through Blit as it is, wherever it is cut.
func TestBlitKeepsCells(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		src := paint.NewGrid(1+r.IntN(30), 1+r.IntN(6))
		e := vt.New(vt.Options{Cols: src.W, Rows: src.H, Reply: func([]byte) {}})
		p := &paint.Painter{Profile: colorprofile.TrueColor, Underlines: true, Links: true}
		for range 3 {
			change(r, src)
		}
		_, _ = e.Write(p.Frame(src, vt.Cursor{}))
		var s vt.Screen
		e.Snapshot(&s)

		g := paint.NewGrid(1+r.IntN(40), 1+r.IntN(8))
		for range 3 {
			change(r, g)
		}
		dx, sx, n := r.IntN(50)-5, r.IntN(40)-5, r.IntN(45)-2
		for y := -1; y <= s.Rows; y++ {
			g.Blit(&s, y, sx, dx, y, n)
		}
		checkInvariant(t, g)
		want := screenCells(&s)
		got := frameCells(g)
		for y := range min(s.Rows, g.H) {
			for i := range max(n, 0) {
				x, from := dx+i, sx+i
				if x < 0 || x >= g.W || from < 0 || from >= s.Cols {
					continue
				}
				w := want[y*s.Cols+from]
				first := i == 0 || x == 0 || from == 0
				lastOne := i == n-1 || x == g.W-1 || from == s.Cols-1
				if c := s.Row(y)[from]; c.Rune == 0 && first || c.Attr&vt.Wide != 0 && lastOne {
					if r := g.Row(y)[x].Rune; r != ' ' {
						t.Fatalf("seed %d: half a wide cell became %q", seed, r)
					}
					continue
				}
				if w != got[y*g.W+x] {
					t.Fatalf("seed %d: row %d column %d: want %s, got %s", seed, y, x, w, got[y*g.W+x])
				}
			}
		}
	}
}

func checkInvariant(t *testing.T, g *paint.Grid) {
	t.Helper()
	for y := range g.H {
		row := g.Row(y)
		for x, c := range row {
			wide := c.Attr&vt.Wide != 0
			if wide && (x+1 >= g.W || row[x+1].Rune != 0) {
				t.Fatalf("row %d column %d: a wide cell without its second half", y, x)
			}
			if c.Rune == 0 && (wide || x == 0 || row[x-1].Attr&vt.Wide == 0) {
				t.Fatalf("row %d column %d: a second half alone", y, x)
			}
		}
	}
}

func TestPutKeepsTheInvariant(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		g := paint.NewGrid(r.IntN(8), r.IntN(3))
		for range 60 {
			c := vt.Cell{Rune: []rune{0, 'a', '好'}[r.IntN(3)]}
			if c.Rune == '好' {
				c.Attr = vt.Wide
			}
			switch r.IntN(4) {
			case 0:
				g.Fill(r.IntN(12)-2, r.IntN(5)-1, r.IntN(6), r.IntN(3), c)
			default:
				g.Put(r.IntN(12)-2, r.IntN(5)-1, c)
			}
			checkInvariant(t, g)
		}
	}
}
