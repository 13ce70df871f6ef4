package vt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"
)

// The streams of the benchmarks, each about a megabyte for a screen of 200×50.

func asciiLines() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "%06d the quick brown fox jumps over the lazy dog, and then once more for good measure %d\r\n", i, i*7)
	}
	return b.Bytes()
}

func shortLines() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "%d\r\n", i)
	}
	return b.Bytes()
}

func trueColor() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		for x := range 40 {
			fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dmword ", (i*3+x)&255, x*6&255, i&255)
		}
		b.WriteString("\x1b[m\r\n")
	}
	return b.Bytes()
}

func fewColors() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "\x1b[90m12:00:%02d\x1b[0m \x1b[1;32mINFO\x1b[0m  \x1b[36mserver\x1b[39m request \x1b[4m/path/%d\x1b[24m took \x1b[33m%dms\x1b[0m\r\n", i%60, i, i%900)
	}
	return b.Bytes()
}

func cjk() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "%d 天地玄黃宇宙洪荒日月盈昃辰宿列張 ひらがなカタカナ 한국어 👍🏽 👨‍👩‍👧 é\r\n", i)
	}
	return b.Bytes()
}

func repaints() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		for y := range 50 {
			fmt.Fprintf(&b, "\x1b[%d;1H\x1b[3%dm%-40d\x1b[7m status %d \x1b[0m\x1b[K", y+1, y%8, i*y, i)
		}
	}
	return b.Bytes()
}

func recorded(tb testing.TB) []byte {
	dir := dataDir(tb, "recordings")
	files, _ := filepath.Glob(filepath.Join(dir, "*.raw"))
	var b []byte
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		b = append(b, raw...)
		b = append(b, "\x18\x1bc"...)
	}
	return bytes.Repeat(b, max(1, 1<<20/len(b)))
}

// BenchmarkWrite feeds each stream in the pieces of a pty (4 KB) and in those of a
// reader that gathers them (32 KB), to the emulator and to bare vt10x.
func BenchmarkWrite(b *testing.B) {
	streams := []struct {
		name string
		data func(testing.TB) []byte
	}{
		{"ascii", func(testing.TB) []byte { return asciiLines() }},
		{"short", func(testing.TB) []byte { return shortLines() }},
		{"truecolor", func(testing.TB) []byte { return trueColor() }},
		{"sgr", func(testing.TB) []byte { return fewColors() }},
		{"cjk", func(testing.TB) []byte { return cjk() }},
		{"repaint", func(testing.TB) []byte { return repaints() }},
		{"recorded", recorded},
	}
	for _, s := range streams {
		for _, cut := range []int{4 << 10, 32 << 10} {
			for _, engine := range []string{"reprise", "vt10x"} {
				b.Run(fmt.Sprintf("%s/%dk/%s", s.name, cut>>10, engine), func(b *testing.B) {
					data := s.data(b)
					b.SetBytes(int64(len(data)))
					b.ReportAllocs()
					used := cpuTime(b)
					for b.Loop() {
						write := New(Options{Cols: 200, Rows: 50}).Write
						if engine == "vt10x" {
							write = vt10x.New(vt10x.WithSize(200, 50)).Write
						}
						for p := data; len(p) > 0; {
							n := min(cut, len(p))
							_, _ = write(p[:n])
							p = p[n:]
						}
					}
					b.ReportMetric(float64(len(data))*float64(b.N)/1e6/(cpuTime(b)-used), "MB/cpu-s")
				})
			}
		}
	}
}

// cpuTime is how many seconds the process has computed: unlike the time that has
// passed it means something on a machine that is busy.
func cpuTime(b *testing.B) float64 {
	b.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func fullScreen(tb testing.TB) *Emulator {
	tb.Helper()
	e := New(Options{Cols: 200, Rows: 50})
	for y := range 50 {
		fmt.Fprintf(e, "\x1b[%d;1H", y+1)
		for x := range 20 {
			fmt.Fprintf(e, "\x1b[3%dm0123456789", (x+y)%8)
		}
	}
	return e
}

// BenchmarkSnapshot copies a screen of 200×50: as a whole into memory that was used
// before, after every row was painted anew, after one row was, and unchanged. The
// best time is the one to look at on a machine that is busy.
func BenchmarkSnapshot(b *testing.B) {
	var frames [2]string // that differ in every cell
	for i := range frames {
		for y := range 50 {
			frames[i] += fmt.Sprintf("\x1b[%d;1H", y+1)
			for x := range 20 {
				frames[i] += fmt.Sprintf("\x1b[3%dm%d123456789", (x+y+i+1)%8, i+1)
			}
		}
	}
	for _, c := range []struct {
		name  string
		write [2]string // by turns
		whole bool
	}{
		{"full", [2]string{}, true},
		{"repainted", frames, false},
		{"row", [2]string{"\x1b[25;1Hx", "\x1b[25;1Hy"}, false},
		{"unchanged", [2]string{}, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := fullScreen(b)
			var s Screen
			e.Snapshot(&s)
			b.ReportAllocs()
			const repeat = 16 // the clock is too coarse for one
			best := time.Hour
			for i := 0; b.Loop(); i++ {
				_, _ = e.Write([]byte(c.write[i%2]))
				start := time.Now()
				e.Snapshot(&s)
				n := 1
				if c.write[0] == "" {
					for ; n < repeat; n++ {
						if c.whole {
							s.owner = nil
						}
						e.Snapshot(&s)
					}
				}
				best = min(best, time.Since(start)/time.Duration(n))
			}
			b.ReportMetric(float64(best.Nanoseconds()), "best-ns/snapshot")
		})
	}
}

// BenchmarkAppendText writes 10,000 lines of scrollback and a screen as text, plain
// and styled, and as a dump.
func BenchmarkAppendText(b *testing.B) {
	for _, c := range []struct {
		name string
		data func() []byte
	}{{"ascii", asciiLines}, {"sgr", fewColors}, {"truecolor", trueColor}, {"cjk", cjk}} {
		e := New(Options{Cols: 200, Rows: 50})
		for data := c.data(); e.HistoryLen() < 10_000; {
			_, _ = e.Write(data)
		}
		for _, f := range []struct {
			name string
			to   func([]byte) []byte
		}{
			{"plain", func(b []byte) []byte { return e.AppendText(b, Text{History: -1}) }},
			{"styled", func(b []byte) []byte { return e.AppendText(b, Text{Styled: true, History: -1}) }},
			{"dump", e.AppendDump},
		} {
			b.Run(c.name+"/"+f.name, func(b *testing.B) {
				out := f.to(nil)
				b.SetBytes(int64(len(out)))
				b.ReportAllocs()
				for b.Loop() {
					out = f.to(out[:0])
				}
			})
		}
		b.Run(c.name+"/restored", func(b *testing.B) {
			dump := e.AppendDump(nil)
			b.SetBytes(int64(len(dump)))
			for b.Loop() {
				New(Options{Cols: 200, Rows: 50}).Restore(dump)
			}
		})
	}
}

// BenchmarkFind searches a scrollback of 100,000 lines from its first line to its last.
func BenchmarkFind(b *testing.B) {
	e := New(Options{Cols: 120, Rows: 50, Scrollback: 100_000})
	for i := range 101_000 {
		fmt.Fprintf(e, "14:31:%02d \x1b[36mcoordinator\x1b[m: terminal t-%d asks for its candidate, held by %d\r\n", i%60, i, i%7)
	}
	for _, c := range []struct {
		name, text string
		expression bool
	}{
		{"plain", "t-77777", false},
		{"plain, upper case", "Nowhere", false},
		{"plain, everywhere", "held", false},
		{"expression", `t-7\d{3}1 asks`, true},
		{"expression without a word", `[0-9]{6}`, true},
		{"expression, everywhere", `[0-9]+`, true},
		{"expression with boundaries", `\b[0-9]{6}\b`, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := NewPattern(c.text, c.expression)
			if err != nil {
				b.Fatal(err)
			}
			var l Lines
			start := cpuTime(b)
			for b.Loop() {
				n := 0
				for from := uint64(0); ; from = l.Next() {
					e.ReadLines(&l, from, 512)
					if l.Next() == l.From {
						break
					}
					p.Find(&l, func(Span) { n++ })
				}
				b.ReportMetric(float64(n), "matches")
			}
			b.ReportMetric(1000*(cpuTime(b)-start)/float64(b.N), "cpu-ms/search")
		})
	}
}
