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

// bench is a client of 160×48 with a title above its panes and a bar below them: what
// programs print goes through the emulator, the frame and the painter to a terminal.
type bench struct {
	t     *testing.T
	panes []*vt.Emulator
	shots []vt.Screen
	g     *paint.Grid
	p     *paint.Painter
	outer *vt.Emulator
	shot  vt.Screen
}

const benchCols, benchRows = 160, 46

// newBench makes one of panes side by side, the last one with the focus.
func newBench(t *testing.T, panes int) *bench {
	b := &bench{t: t, g: paint.NewGrid(benchCols, benchRows+2), shots: make([]vt.Screen, panes)}
	b.p = &paint.Painter{Profile: colorprofile.TrueColor, Sync: true}
	b.outer = vt.New(vt.Options{Cols: benchCols, Rows: benchRows + 2, Reply: func([]byte) {}})
	for range panes {
		b.panes = append(b.panes, vt.New(vt.Options{Cols: b.cols(), Rows: benchRows, Reply: func([]byte) {}}))
	}
	b.g.Text(0, 0, benchCols, strings.Repeat("─", benchCols), paint.Style{FG: vt.ColorRGB | 0x445566})
	b.g.Text(0, 0, benchCols, " title ", paint.Style{Attr: vt.Bold})
	b.g.Fill(0, benchRows+1, benchCols, 1, paint.Style{BG: vt.ColorIndexed | 235}.Cell(' '))
	b.g.Text(1, benchRows+1, benchCols, "session  12:00", paint.Style{BG: vt.ColorIndexed | 235})
	for x := b.cols(); x < benchCols; x += b.cols() + 1 {
		for y := range benchRows {
			b.g.Text(x, y+1, 1, "│", paint.Style{FG: vt.ColorRGB | 0x445566})
		}
	}
	return b
}

func (b *bench) cols() int { return (benchCols+1)/len(b.shots) - 1 }

// step lets the program of a pane print, and returns how many bytes the terminal was
// sent for it.
func (b *bench) step(pane int, printed string) int {
	_, _ = b.panes[pane].Write([]byte(printed))
	out := b.frame()
	_, _ = b.outer.Write(out)
	return len(out)
}

func (b *bench) frame() []byte {
	for i := range b.panes {
		s := &b.shots[i]
		b.panes[i].Snapshot(s)
		for y := range benchRows {
			b.g.Blit(s, y, 0, i*(b.cols()+1), y+1, s.Cols)
		}
	}
	cur := b.shots[len(b.shots)-1].Cursor
	cur.X, cur.Y = cur.X+(len(b.shots)-1)*(b.cols()+1), cur.Y+1
	return b.p.Frame(b.g, cur)
}

// check fails if the terminal does not show the frame.
func (b *bench) check() {
	b.t.Helper()
	b.outer.Snapshot(&b.shot)
	if d := firstDifference(b.g.W, frameCells(b.g), screenCells(&b.shot)); d != "" {
		b.t.Fatal(d)
	}
}

func words(r *rand.Rand, n int) string {
	var s strings.Builder
	for s.Len() < n {
		for range 1 + r.IntN(8) {
			s.WriteByte(byte('a' + r.IntN(26)))
		}
		s.WriteByte(' ')
	}
	return s.String()[:n]
}

const glyphs = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

// transcript is a screen as agents draw them, spinner and all.
func transcript(step int) string {
	r := rand.New(rand.NewPCG(7, 7))
	var s strings.Builder
	s.WriteString("\x1b[?2026h\x1b[?25l\x1b[H")
	for y := range benchRows - 1 {
		fmt.Fprintf(&s, "\x1b[%dH\x1b[36m%s\x1b[39m%s\x1b[K", y+1, words(r, 10), words(r, 30+r.IntN(40)))
	}
	fmt.Fprintf(&s, "\x1b[%d;1H\x1b[38;5;244m%s working… (%ds)\x1b[0m\x1b[K", benchRows, string([]rune(glyphs)[step%10]), step/10)
	s.WriteString("\x1b[?25h\x1b[?2026l")
	return s.String()
}

// What goes out for a step of what programs do all day, in bytes on average. The
// figures are those of issue 7; what is printed inside is 80, 7, 62 and 4131 bytes.
func TestBytesOfSteps(t *testing.T) {
	spinner := func(f int) string {
		return fmt.Sprintf("\r\x1b[2K\x1b[38;2;215;119;87m%s\x1b[0m working… (%ds · %d tokens · esc to interrupt)", string([]rune(glyphs)[f%10]), f/10, 100+f)
	}
	line := func(f int) string { return words(rand.New(rand.NewPCG(uint64(f), 3)), 60) + "\r\n" }
	for _, c := range []struct {
		name  string
		panes int
		step  func(f int) string
		most  float64
	}{
		{"spinner", 1, spinner, 24},
		{"spinner beside a pane", 2, spinner, 26},
		{"cell", 1, func(f int) string { return fmt.Sprintf("\x1b[2;3H%c", 'a'+f%2) }, 3},
		{"scrolled line", 1, line, 63},
		{"scrolled line at the prompt", 1, func(f int) string { return "\r\n" + strings.TrimSpace(line(f)) }, 63},
		{"three scrolled lines", 1, func(f int) string { return line(3*f) + line(3*f+1) + line(3*f+2) }, 195},
		{"line scrolled beside an empty pane", 2, line, 90},
		{"line that comes in at the top", 1, func(f int) string { return "\x1b[H\x1bM" + line(f) + "\x1b[H" }, 66},
		{"repaint with one line changed", 1, transcript, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.panes)
			const warm, steps = 50, 50
			total := 0
			for f := range warm + steps {
				if n := b.step(c.panes-1, c.step(f)); f >= warm {
					total += n
				}
				if f%10 == 9 {
					b.check()
				}
			}
			if got := float64(total) / steps; got > c.most {
				t.Errorf("%.1f bytes a step, want at most %v", got, c.most)
			} else {
				t.Logf("%.1f bytes a step", got)
			}
		})
	}
}

// Steps do not allocate.
func TestStepsDoNotAllocate(t *testing.T) {
	b := newBench(t, 2)
	f := 0
	step := func() {
		_, _ = b.panes[1].Write([]byte("a line that scrolls\r\nand \x1b[38;2;215;119;87mone that stands\x1b[m"))
		b.frame()
		f++
	}
	for range 100 {
		step()
	}
	inside := testing.AllocsPerRun(50, func() {
		_, _ = b.panes[1].Write([]byte("a line that scrolls\r\nand \x1b[38;2;215;119;87mone that stands\x1b[m"))
	})
	if n := testing.AllocsPerRun(50, step); n > inside {
		t.Errorf("%v allocations a step", n-inside)
	}
}

// Where updates are not synchronized nothing moves that is to stay, not even for the
// moment between two bytes: what stands beside a pane that scrolls is not touched.
func TestNothingIsTorn(t *testing.T) {
	for _, shown := range []string{"\x1b[Htext\r\n\r\nmore text\r\nthe last", "\x1b[5Hone line", ""} {
		b := newBench(t, 2)
		b.p.Sync = false
		b.step(0, shown)
		r := rand.New(rand.NewPCG(1, 1))
		for f := range 120 {
			_, _ = b.panes[1].Write([]byte(words(r, 20+r.IntN(60)) + "\r\n"))
			out := b.frame()
			before := leftHalf(b)
			for i := range out {
				_, _ = b.outer.Write(out[i : i+1])
				if f%20 == 19 {
					if d := firstDifference(b.cols(), before, leftHalf(b)); d != "" {
						t.Fatalf("%q, after %q: %s", shown, out[:i+1], d)
					}
				}
			}
			b.check()
		}
	}
}

func leftHalf(b *bench) (cells []shown) {
	b.outer.Snapshot(&b.shot)
	all := screenCells(&b.shot)
	for y := range benchRows {
		cells = append(cells, all[(y+1)*benchCols:(y+1)*benchCols+b.cols()]...)
	}
	return cells
}

// What the saved cursor holds is used neither after another program may have saved its
// own nor where a link is open, which terminals do not save.
func TestTheSavedCursorIsNotTrustedTooFar(t *testing.T) {
	b := newBench(t, 1)
	b.p.Links = true
	for f := range 30 {
		link := ""
		if f >= 15 {
			link = fmt.Sprintf("\x1b]8;;https://example.org/\x1b\\%d\x1b]8;;\x1b\\", f)
		}
		if f%7 == 6 {
			_, _ = b.outer.Write([]byte("\x1b[9;9H\x1b[45m\x1b7noise"))
			b.p.Invalidate()
		}
		_, _ = b.panes[0].Write(fmt.Appendf(nil, "\x1b[3;1H%s\x1b[3;9H\x1b[38;2;215;119;87m%d\x1b[m\x1b[3;20H%d\x1b[20;20H", link, f%10, f%10))
		out := b.frame()
		if restored := strings.Contains(string(out), "\x1b8"); restored && link != "" {
			t.Errorf("a link is open in %q", out)
		} else if !restored && (f == 4 || f == 11) {
			t.Errorf("the saved cursor is not used: %q", out)
		}
		_, _ = b.outer.Write(out)
		b.check()
	}
}
