package paint_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"reprise/panes/vt"
	"reprise/ui/paint"
)

func rgb(r *rand.Rand) vt.Color { return vt.ColorRGB | vt.Color(r.IntN(1<<24)) }

// page fills a frame with words in a few colours.
func page(g *paint.Grid, r *rand.Rand) {
	fg := vt.Color(0)
	for i := range g.Cells {
		if r.IntN(6) == 0 {
			fg = rgb(r)
			g.Cells[i] = vt.Blank
			continue
		}
		g.Cells[i] = vt.Cell{Rune: rune('a' + r.IntN(26)), FG: fg}
	}
}

// frames are eight frames that a painter shows in turn.
func frames(kind string, w, h int) []*paint.Grid {
	r := rand.New(rand.NewPCG(1, 1))
	out := make([]*paint.Grid, 8)
	for f := range out {
		g := paint.NewGrid(w, h)
		if f > 0 {
			copy(g.Cells, out[f-1].Cells)
		} else if kind != "full" {
			page(g, r)
		}
		switch kind {
		case "full": // every cell another letter in other colours
			for i := range g.Cells {
				g.Cells[i] = vt.Cell{Rune: rune('!' + r.IntN(90)), FG: rgb(r), BG: rgb(r)}
			}
		case "scroll": // the right half moves up
			for y := range h - 1 {
				copy(g.Row(y)[w/2:], g.Row(y + 1)[w/2:])
			}
		case "typing": // one letter appears
			g.Row(h - 3)[10+f] = vt.Cell{Rune: rune('a' + f)}
		case "wide": // half of the rows get other wide characters
			for y := f % 2; y < h; y += 2 {
				for x := 0; x+1 < w; x += 2 {
					g.Put(x, y, vt.Cell{Rune: rune(0x4e00 + r.IntN(4000)), Attr: vt.Wide})
				}
			}
		}
		out[f] = g
	}
	return out
}

// BenchmarkFrame has the names of the study's benchmarks, for bench/compare.sh.
func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{200, 50}, {400, 100}} {
		for _, kind := range []string{"full", "scroll", "typing", "idle", "wide"} {
			b.Run(fmt.Sprintf("%s/%dx%d", kind, size[0], size[1]), func(b *testing.B) {
				gs := frames(kind, size[0], size[1])
				p := &paint.Painter{Profile: colorprofile.TrueColor, Sync: true}
				p.Frame(gs[0], vt.Cursor{Visible: true})
				b.ReportAllocs()
				n := 0
				for i := 1; b.Loop(); i++ {
					n += len(p.Frame(gs[i%8], vt.Cursor{X: i % 5, Y: 1, Visible: true}))
				}
				b.ReportMetric(float64(n)/float64(b.N)/1024, "KB/frame")
			})
		}
	}
}

func BenchmarkBlit(b *testing.B) {
	for _, kind := range []string{"plain", "tabled"} {
		b.Run(kind, func(b *testing.B) {
			const w, h = 200, 50
			e := vt.New(vt.Options{Cols: w, Rows: h, Reply: func([]byte) {}})
			src := paint.NewGrid(w, h)
			page(src, rand.New(rand.NewPCG(1, 1)))
			if kind == "tabled" {
				for y := range h {
					src.Text(0, y, w, "e\u0301 👨\u200d👩\u200d👧", paint.Style{Link: src.Link("https://example.org")})
				}
			}
			p := &paint.Painter{Profile: colorprofile.TrueColor, Links: true}
			_, _ = e.Write(p.Frame(src, vt.Cursor{}))
			var s vt.Screen
			e.Snapshot(&s)
			g := paint.NewGrid(w, h)
			b.ReportAllocs()
			for b.Loop() {
				for y := range h {
					g.Blit(&s, y, 0, 0, y, w)
				}
			}
		})
	}
}
