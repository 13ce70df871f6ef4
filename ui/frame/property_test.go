package frame_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/frame"
	"reprise/ui/paint"
	"reprise/ui/theme"
)

// chromeOnly reports whether a cell belongs to no program.
func chromeOnly(s *frame.Scene, x, y int) bool {
	for _, p := range s.Panes {
		g := p.Grid
		if x >= g.X && x < g.X+g.W && y >= g.Y && y < g.Y+g.H {
			return p.Strip.Words != ""
		}
	}
	return true
}

func TestChromeHasNoAmbiguousCells(t *testing.T) {
	asian := displaywidth.Options{EastAsianWidth: true}
	allowed := func(r rune) bool { return r == '…' || r == '▌' || r >= 0x2500 && r <= 0x257f }
	for _, g := range frame.Glyphs() {
		for _, r := range g {
			if !allowed(r) && asian.Rune(r) != 1 {
				t.Errorf("glyph %q is ambiguous", g)
			}
		}
	}
	for _, g := range goldens {
		for _, size := range sizes {
			s := base(g.panes, size)
			g.set(s)
			for i := range s.Panes { // programs may draw what they like
				s.Panes[i].Screen = screen(s.Panes[i].Grid.W, max(1, s.Panes[i].Grid.H))
			}
			grid, _ := new(frame.Composer).Frame(s)
			for i, c := range grid.Cells {
				if r := c.Rune; !allowed(r) && (r == 0 || asian.Rune(r) != 1) {
					t.Errorf("%s %v: cell %d,%d has %q", g.name, size, i%grid.W, i/grid.W, r)
				}
			}
		}
	}
}

func TestASCIIModeIsASCII(t *testing.T) {
	for _, g := range goldens {
		for _, size := range sizes {
			s := base(g.panes, size)
			g.set(s)
			s.ASCII = true
			for i := range s.Panes {
				s.Panes[i].Screen = nil
			}
			grid, _ := new(frame.Composer).Frame(s)
			for i, c := range grid.Cells {
				if c.Rune < ' ' || c.Rune > '~' {
					t.Fatalf("%s %v: cell %d,%d has %q", g.name, size, i%grid.W, i/grid.W, c.Rune)
				}
			}
		}
	}
}

func TestTitlesFitAtEveryWidth(t *testing.T) {
	names := []string{"claude", "a-program-with-a-name-longer-than-anything", "日本語エージェント", "e\u0301e\u0301e\u0301"}
	tasks := []string{"", "Fix flaky resume test", "修正 flaky テスト in the resume path, again and again"}
	dirs := []string{"", "~", "~/w/reprise/db", "~/a/very/long/path/of/many/elements/that/never/ends/プロジェクト"}
	states := []frame.State{frame.Normal, frame.Failed, frame.Elsewhere, frame.Queued}
	for w := 20; w <= 200; w++ {
		// A different ninth of the combinations at each width.
		for i := w % 9; i < len(names)*len(tasks)*len(dirs)*len(states); i += 9 {
			p := frame.Pane{
				Name: names[i%len(names)], Task: tasks[i/4%len(tasks)], Dir: dirs[i/12%len(dirs)], State: states[i/48],
				Title: panes.Rect{W: w, H: 1}, Grid: panes.Rect{Y: 1, W: w, H: 8}, Focus: i%2 == 0, Number: i % 3,
			}
			s := &frame.Scene{Size: panes.Size{Cols: max(w, frame.MinCols), Rows: 10}, Panes: []frame.Pane{p}, Palette: theme.Resolve(theme.Ink(), theme.NoColor)}
			grid, _ := new(frame.Composer).Frame(s)
			row := []rune(strings.SplitN(text(grid), "\n", 2)[0])
			rule := '─'
			if p.Focus {
				rule = '━'
			}
			if row[0] != rule || grid.Cells[w-1].Rune != rule {
				t.Fatalf("width %d: the title %q leaves no rule at its ends", w, string(row))
			}
			if g := glyph(p.State); g != "" && !strings.Contains(string(row), g) {
				t.Fatalf("width %d: the state's glyph is gone from %q", w, string(row))
			}
			if n := p.Name[:1]; !strings.Contains(string(row), n) && n < "\x80" {
				t.Fatalf("width %d: no name in %q", w, string(row))
			}
		}
	}
}

func glyph(s frame.State) string {
	return map[frame.State]string{frame.Failed: "✗", frame.Elsewhere: "▻", frame.Queued: "⋯"}[s]
}

func TestKeysOfAStripAreWhole(t *testing.T) {
	sets := []frame.Hints{
		failedKeys,
		hints("r", "retry", "d", "dismiss", "s", "shell here", "o", "resume anyway"),
		hints("enter", "shell", "r", "resume"),
		hints("r", "run again", "s", "shell here", "x", "close"),
		hints("d", "dismiss"),
	}
	for w := 20; w <= 200; w++ {
		for _, h := range []int{3, 4, 6, 20} {
			for i, keys := range sets {
				p := frame.Pane{Name: "claude", Title: panes.Rect{W: w, H: 1}, Grid: panes.Rect{Y: 1, W: w, H: h}, Dead: true, State: frame.Failed}
				p.Strip = frame.Strip{State: frame.Failed, Words: "Could not resume claude: its folder ~/w/reprise is gone. Bring it back, then retry.", Keys: keys}
				s := &frame.Scene{Size: panes.Size{Cols: max(w, frame.MinCols), Rows: max(h+2, frame.MinRows)}, Panes: []frame.Pane{p}, Palette: theme.Resolve(theme.Ink(), theme.NoColor)}
				grid, _ := new(frame.Composer).Frame(s)
				got := text(grid)
				for _, k := range keys {
					if k.Key == "" {
						break
					}
					full := k.Key + " " + k.Verb
					if !strings.Contains(got, full) && !strings.Contains(got, strings.TrimSuffix(full, " here")) {
						t.Fatalf("set %d in %dx%d: key %q is cut:\n%s", i, w, h, full, got)
					}
				}
				if !strings.Contains(got, "Could") && h > 4 {
					t.Fatalf("set %d in %dx%d: no words:\n%s", i, w, h, got)
				}
				if rows := strings.Count(got, "\n") - 1; h > 6 && stripHeight(grid, w) > h/2+1 {
					t.Fatalf("set %d in %dx%d: the strip takes %d of %d rows:\n%s", i, w, h, stripHeight(grid, w), rows, got)
				}
			}
		}
	}
}

func stripHeight(g *paint.Grid, w int) int {
	n := 0
	for y := range g.H {
		if g.Cells[y*g.W+w-1].Attr&vt.Reverse != 0 {
			n++
		}
	}
	return n
}

// A pane's cells in the frame are its emulator's, attribute for attribute.
func TestProgramsOwnTheirCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		s := base(4, panes.Size{Cols: 60 + rng.IntN(100), Rows: 20 + rng.IntN(30)})
		dead(&s.Panes[rng.IntN(4)], frame.Failed, "", frame.Failed, "Could not resume claude", failedKeys)
		c := new(frame.Composer)
		for range 4 {
			for i := range s.Panes {
				scribble(rng, s.Panes[i].Screen)
			}
			grid, _ := c.Frame(s)
			for _, p := range s.Panes {
				for y := range p.Grid.H {
					for x := range p.Grid.W {
						if chromeOnly(s, p.Grid.X+x, p.Grid.Y+y) {
							continue
						}
						want, got := p.Screen.Row(y)[x], grid.Cells[(p.Grid.Y+y)*grid.W+p.Grid.X+x]
						if want != got {
							t.Fatalf("%s at %d,%d: %+v, the emulator has %+v", p.Name, x, y, got, want)
						}
					}
				}
			}
		}
	}
}

// scribble lets a program write on some rows.
func scribble(rng *rand.Rand, s *vt.Screen) {
	for range 1 + rng.IntN(3) {
		y := rng.IntN(s.Rows)
		s.Gen[y]++
		for x := range s.Cols {
			s.Cells[y*s.Cols+x] = vt.Cell{Rune: rune('a' + rng.IntN(26)), FG: vt.Color(rng.Uint32N(3 << 24)), BG: vt.ColorIndexed | vt.Color(rng.Uint32N(256)), Attr: vt.Attr(rng.Uint32N(1<<12)) &^ vt.Wide}
		}
	}
}

// What a frame composed step by step shows is what one composed at once shows.
func TestStepsMakeTheSameFrame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	c := new(frame.Composer)
	for step := range 300 {
		size := sizes[1+rng.IntN(3)]
		g := goldens[rng.IntN(len(goldens))]
		s := base(g.panes, size)
		g.set(s)
		for range 3 {
			for i := range s.Panes {
				scribble(rng, s.Panes[i].Screen)
			}
			got, cur := c.Frame(s)
			want, wcur := new(frame.Composer).Frame(s)
			if cur != wcur || !slices.Equal(got.Cells, want.Cells) {
				t.Fatalf("step %d, %s: the frame differs from one made at once", step, g.name)
			}
		}
	}
}

func TestFocusIsToldWithoutColour(t *testing.T) {
	s := base(4, panes.Size{Cols: 120, Rows: 34})
	s.Palette = theme.Resolve(theme.Ink(), theme.NoColor)
	seen := map[string]bool{}
	for i := range s.Panes {
		for j := range s.Panes {
			s.Panes[j].Focus = i == j
		}
		grid, _ := new(frame.Composer).Frame(s)
		seen[text(grid)] = true
	}
	if len(seen) != 4 {
		t.Errorf("four focused panes make %d different texts", len(seen))
	}
}

func TestSteadyFrameAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s := base(4, panes.Size{Cols: 200, Rows: 50})
	c := new(frame.Composer)
	var painter paint.Painter
	frameOnce := func() {
		scribble(rng, s.Panes[1].Screen)
		grid, cur := c.Frame(s)
		painter.Frame(grid, cur)
	}
	for range 50 {
		frameOnce()
	}
	if n := testing.AllocsPerRun(200, frameOnce); n != 0 {
		t.Errorf("a steady frame allocates %v times", n)
	}
}

// A client that sees another size of a pane than the pane has draws no more than
// one that sees the same, wherever the cursor goes.
func TestSteadyFrameOfAnotherSizeAllocatesNothing(t *testing.T) {
	for name, by := range map[string]int{"cropped": 10, "padded": -10} {
		rng := rand.New(rand.NewPCG(7, 8))
		s := base(4, panes.Size{Cols: 200, Rows: 50})
		for i := range s.Panes {
			s.Panes[i].Screen = screen(s.Panes[i].Grid.W+by, s.Panes[i].Grid.H+by)
		}
		c := new(frame.Composer)
		var painter paint.Painter
		moved := map[vt.Cursor]bool{}
		frameOnce := func() {
			for i := range s.Panes {
				sc := s.Panes[i].Screen
				scribble(rng, sc)
				sc.Cursor.X, sc.Cursor.Y = rng.IntN(sc.Cols), rng.IntN(sc.Rows)
			}
			grid, cur := c.Frame(s)
			painter.Frame(grid, cur)
			moved[cur] = true
		}
		for range 50 {
			frameOnce()
		}
		clear(moved)
		if n := testing.AllocsPerRun(200, frameOnce); n > 0.5 { // the set of places
			t.Errorf("%s: a steady frame allocates %v times", name, n)
		}
		if len(moved) < 100 {
			t.Errorf("%s: the cursor stood in %d places", name, len(moved))
		}
	}
}

// What is shown of a pane that is larger than its place is the part around its
// cursor; each step makes the frame that is made at once.
func TestCroppedScreensFollowTheirCursors(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	s := base(4, panes.Size{Cols: 100, Rows: 30})
	for i := range s.Panes {
		s.Panes[i].Screen = screen(s.Panes[i].Grid.W+i*7, s.Panes[i].Grid.H+5-i)
	}
	c := new(frame.Composer)
	for range 500 {
		for i := range s.Panes {
			sc := s.Panes[i].Screen
			if rng.IntN(2) == 0 {
				scribble(rng, sc)
			}
			if rng.IntN(2) == 0 {
				sc.Cursor.X, sc.Cursor.Y = rng.IntN(sc.Cols+1), rng.IntN(sc.Rows)
			}
		}
		got, cur := c.Frame(s)
		want, wcur := new(frame.Composer).Frame(s)
		if cur != wcur || !slices.Equal(got.Cells, want.Cells) {
			t.Fatal("the frame differs from one made at once")
		}
		p := &s.Panes[0]
		sc := p.Screen
		if !cur.Visible || cur.X < p.Grid.X || cur.X >= p.Grid.X+p.Grid.W || cur.Y < p.Grid.Y || cur.Y >= p.Grid.Y+p.Grid.H {
			t.Fatalf("the cursor is not in its pane: %+v", cur)
		}
		if at := got.Cells[cur.Y*got.W+cur.X]; at != sc.Row(sc.Cursor.Y)[min(sc.Cursor.X, sc.Cols-1)] {
			t.Fatalf("the cursor stands on %q", at.Rune)
		}
	}
}

func TestTinyAndHostileScenes(t *testing.T) {
	for w := 1; w <= 40; w++ {
		for h := 1; h <= 12; h++ {
			for _, g := range goldens {
				s := base(g.panes, panes.Size{Cols: w, Rows: h})
				g.set(s)
				s.Bar.Session = strings.Repeat("w", 50)
				grid, _ := new(frame.Composer).Frame(s)
				if grid.W != w || grid.H != h {
					t.Fatalf("%s: a grid of %dx%d for %dx%d", g.name, grid.W, grid.H, w, h)
				}
			}
		}
	}
	s := &frame.Scene{Size: panes.Size{Cols: 80, Rows: 24}, Palette: theme.Resolve(theme.Ink(), theme.TrueColor)}
	new(frame.Composer).Frame(s) // no pane at all
}

func TestNumbersAreNeverCut(t *testing.T) {
	for _, chip := range []string{"", "ctrl+b", "confirm"} {
		for _, message := range []string{"", "No room to split: a pane needs 20x3."} {
			for w := frame.MinCols; w < 120; w++ {
				s := base(1, panes.Size{Cols: w, Rows: 20})
				s.Bar.Failed, s.Bar.Resuming, s.Bar.Zoomed, s.Bar.Hidden = 2, 3, true, 7
				s.Bar.Chip, s.Bar.Message, s.Bar.Failure = chip, message, true
				grid, _ := new(frame.Composer).Frame(s)
				rows := strings.Split(text(grid), "\n")
				last := rows[len(rows)-2]
				for _, want := range []string{chip, "✗ 2", "▻ 3", "zoom +7"} {
					if !strings.Contains(last, want) {
						t.Fatalf("width %d: %q is not in %q", w, want, last)
					}
				}
				if strings.Contains(last, "reprise ") && !strings.Contains(last, "▻ 3 resuming") {
					t.Fatalf("width %d: a word goes before the session in %q", w, last)
				}
			}
		}
	}
}

func ExampleCutPath() {
	for _, n := range []int{30, 14, 10, 4} {
		fmt.Println(frame.CutPath("~/w/go/src/reprise", n, "…"))
	}
	// Output:
	// ~/w/go/src/reprise
	// ~/w/g…/reprise
	// ~…/reprise
	// ~/w…
}
