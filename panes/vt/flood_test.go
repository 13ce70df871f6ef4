package vt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// The floods are what a program prints that never waits, of the kinds that the
// comparison with other multiplexers has (bench/muxbench.sh), for a screen of 160×48.

const floodCols, floodRows = 160, 48

var floods = []struct {
	name string
	line func(b *bytes.Buffer, r *rand.Rand, i int)
}{
	{"ascii", func(b *bytes.Buffer, r *rand.Rand, _ int) {
		floodText(b, r, 20+r.IntN(81))
		b.WriteString("\r\n")
	}},
	{"sgr", func(b *bytes.Buffer, r *rand.Rand, _ int) {
		for range floodCols - 1 {
			fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm\x1b[48;2;%d;%d;%dm%c",
				r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), 'a'+r.IntN(26))
		}
		b.WriteString("\x1b[0m\r\n")
	}},
	{"utf8", func(b *bytes.Buffer, r *rand.Rand, _ int) {
		for range 8 {
			switch r.IntN(5) {
			case 0, 1:
				for range 4 {
					b.WriteRune(rune(0x4E00 + r.IntN(0x5000)))
				}
			case 2:
				b.WriteRune(rune(0x3042 + r.IntN(80)))
				b.WriteRune(rune(0xAC00 + r.IntN(11000)))
				b.WriteRune([]rune("😀🚀🔥✨🎉🐛📦🧪🤖💾")[r.IntN(10)])
			case 3:
				b.WriteString("naïve café u\u0308ber ")
			default:
				b.WriteString("─│┌┐└┘├┤→ ")
			}
		}
		b.WriteString("\r\n")
	}},
	{"tui", func(b *bytes.Buffer, r *rand.Rand, i int) {
		y := i % floodRows
		if y == 0 {
			b.WriteString("\x1b[?2026h\x1b[?25l\x1b[H")
		}
		fmt.Fprintf(b, "\x1b[%d;1H", y+1)
		switch {
		case y == 0:
			fmt.Fprintf(b, "\x1b[1;38;2;215;119;87m● agent\x1b[0m \x1b[2mturn %d\x1b[0m", i)
		case y == floodRows-1:
			fmt.Fprintf(b, "\x1b[38;5;244m%c working… (%ds · esc to interrupt)\x1b[0m", []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[i%10], i)
		case y%7 == 3 || y%7 == 4:
			fmt.Fprintf(b, "\x1b[48;2;20;%d;20m\x1b[38;2;180;240;180m+ ", 60*(y%7))
			floodText(b, r, 60)
			b.WriteString("\x1b[0m")
		default:
			b.WriteString("  \x1b[36m")
			floodText(b, r, 10)
			b.WriteString("\x1b[39m")
			floodText(b, r, 30+r.IntN(40))
		}
		b.WriteString("\x1b[K")
		if y == floodRows-1 {
			b.WriteString("\x1b[?25h\x1b[?2026l")
		}
	}},
}

func floodText(b *bytes.Buffer, r *rand.Rand, n int) {
	for n > 0 {
		w := min(n, 2+r.IntN(9))
		for range w - 1 {
			b.WriteByte("etaoinshrdlucmfwypvbgkjqxz0123456789"[min(r.IntN(36), r.IntN(36))])
		}
		b.WriteByte(' ')
		n -= w
	}
}

// flood is about a megabyte of flood number i.
func flood(i int) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(uint64(i), 4))
	for n := 0; b.Len() < 1<<20 || n%floodRows != 0; n++ {
		floods[i].line(&b, r, n)
	}
	return b.Bytes()
}

// BenchmarkFlood is each flood in the pieces of a reader, in view of a client that
// takes a frame sixty times a second or so (behind every 512 KB), or of none.
func BenchmarkFlood(b *testing.B) {
	for i, f := range floods {
		data := flood(i)
		for _, seen := range []bool{true, false} {
			name := f.name + "/hidden"
			if seen {
				name = f.name + "/seen"
			}
			b.Run(name, func(b *testing.B) {
				e := New(Options{Cols: floodCols, Rows: floodRows})
				var s Screen
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				used := cpuTime(b)
				for b.Loop() {
					for i, p := 1, data; len(p) > 0; i++ {
						n := min(32<<10, len(p))
						_, _ = e.Write(p[:n])
						if p = p[n:]; seen && i%16 == 0 {
							e.Snapshot(&s)
						}
					}
				}
				b.ReportMetric(float64(len(data))*float64(b.N)/1e6/(cpuTime(b)-used), "MB/cpu-s")
			})
		}
	}
}

// countingGrid counts what it is told.
type countingGrid struct {
	grid
	ops int
}

func (g *countingGrid) do(o op) {
	g.ops++
	g.grid.do(o)
}

// TestFloodsReachNoGrid: what is overwritten or scrolls away costs the grid nothing,
// and no memory but the history's.
func TestFloodsReachNoGrid(t *testing.T) {
	for i, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			var g *countingGrid
			e := newEmulator(Options{Cols: floodCols, Rows: floodRows, Scrollback: 100}, func(cols, rows int) grid {
				g = &countingGrid{grid: newVT10x(cols, rows)}
				return g
			})
			data := flood(i)
			_, _ = e.Write(data)
			allocs := testing.AllocsPerRun(3, func() { _, _ = e.Write(data) })
			if most := float64(2 * len(data) / blockSize); allocs > most {
				t.Errorf("%v allocations for %d bytes, at most %v", allocs, len(data), most)
			}
			if g.ops > 0 {
				t.Errorf("the grid was told %d times", g.ops)
			}
			_, _ = e.Write([]byte("\x1b[20;10H\x1b[2@x"))
			if g.ops == 0 {
				t.Error("the grid was not asked to move cells")
			}
		})
	}
}
