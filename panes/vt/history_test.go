package vt_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"reprise/panes/vt"
)

func lines(e *vt.Emulator) []string {
	var out []string
	for i := range e.HistoryLen() {
		text, _ := e.AppendHistory(nil, i)
		out = append(out, string(text))
	}
	return out
}

func viewText(s *vt.Screen) string { return rows(s, &strings.Builder{}) }

func TestHistoryKeepsTheNewest(t *testing.T) {
	e := vt.New(vt.Options{Cols: 20, Rows: 3, Scrollback: 5})
	for i := range 20 {
		fmt.Fprintf(e, "line %d 漢\r\n", i)
	}
	got := strings.Join(lines(e), ",")
	if want := "line 13 漢,line 14 漢,line 15 漢,line 16 漢,line 17 漢"; got != want {
		t.Errorf("history is %s, want %s", got, want)
	}
	none := vt.New(vt.Options{Cols: 20, Rows: 3, Scrollback: -1})
	fmt.Fprint(none, strings.Repeat("x\r\n", 100))
	if none.HistoryLen() != 0 {
		t.Errorf("%d lines without a history", none.HistoryLen())
	}
}

func TestView(t *testing.T) {
	e := vt.New(vt.Options{Cols: 10, Rows: 3})
	for i := range 6 {
		fmt.Fprintf(e, "\x1b[3%dm%d 漢e\u0301\r\n", i+1, i)
	}
	var s vt.Screen
	for _, c := range []struct {
		back, took int
		want       string
	}{
		{0, 0, "4 漢e\u0301\n5 漢e\u0301\n"},
		{1, 1, "3 漢e\u0301\n4 漢e\u0301\n5 漢e\u0301\n"},
		{3, 3, "1 漢e\u0301\n2 漢e\u0301\n3 漢e\u0301\n"},
		{99, 4, "0 漢e\u0301\n1 漢e\u0301\n2 漢e\u0301\n"},
		{-1, 0, "4 漢e\u0301\n5 漢e\u0301\n"},
	} {
		if took := e.View(&s, c.back); took != c.took || viewText(&s) != c.want {
			t.Errorf("View(%d) took %d: %q, want %d: %q", c.back, took, viewText(&s), c.took, c.want)
		}
		if s.Cursor.Visible != (c.took == 0) {
			t.Errorf("View(%d): cursor %+v", c.back, s.Cursor)
		}
	}
	e.View(&s, 2)
	if c := s.Row(0)[0]; c.FG != vt.ColorIndexed|3 {
		t.Errorf("colour of a line of the history is %x", c.FG)
	}
	fmt.Fprint(e, "new\r\n") // the lines that are looked at move up with those that come
	e.View(&s, 3)
	if got := viewText(&s); got != "2 漢e\u0301\n3 漢e\u0301\n4 漢e\u0301\n" {
		t.Errorf("view after a new line: %q", got)
	}
	fmt.Fprint(e, "\x1b[3J")
	if took := e.View(&s, 3); took != 0 || e.HistoryLen() != 0 {
		t.Errorf("ED 3 left %d lines", e.HistoryLen())
	}
}

// TestHistoryIsCompact holds the memory of 10,000 lines of 87 columns against the
// text they show: at most 1.25 times and 40 bytes a line if plain, twice and 64 if
// styled.
func TestHistoryIsCompact(t *testing.T) {
	word := strings.Repeat("the quick brown fox ", 5)[:79]
	for _, c := range []struct {
		name string
		line func(i int) string
		most float64
	}{
		{"plain", func(i int) string { return fmt.Sprintf("%07d %s", i, word) }, 1.25*87 + 40},
		{"styled", func(i int) string {
			return fmt.Sprintf("\x1b[90m%07d\x1b[m \x1b[1;3%dm%s\x1b[22;39m%s\x1b[4;38;2;%d;0;9m%s\x1b[m", i, i%8, word[:20], word[20:40], i%256, word[40:])
		}, 2*87 + 64},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := vt.New(vt.Options{Cols: 87, Rows: 24})
			heap := func() uint64 {
				runtime.GC()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			for range 30 { // the screen itself
				fmt.Fprint(e, c.line(0), "\r\n")
			}
			before := heap()
			for i := range 10_000 {
				fmt.Fprint(e, c.line(i), "\r\n")
			}
			used := float64(heap()-before) / 10_000
			t.Logf("%.0f bytes a line", used)
			if used > c.most {
				t.Errorf("%.0f bytes a line, at most %.0f", used, c.most)
			}
			if n := e.HistoryLen(); n != 10_000 {
				t.Errorf("%d lines", n)
			}
		})
	}
}

func TestHistoryIsCutAnew(t *testing.T) {
	e := vt.New(vt.Options{Cols: 12, Rows: 2})
	var want []string
	for i := range 50 {
		l := fmt.Sprintf("%d:%s", i, strings.Repeat("漢x", i%17))
		want = append(want, l)
		fmt.Fprintf(e, "\x1b[3%dm%s\r\n", i%8, l)
	}
	unwrapped := func() string {
		var b []byte
		for i := range e.HistoryLen() {
			var wrapped bool
			if b, wrapped = e.AppendHistory(b, i); !wrapped {
				b = append(b, '\n')
			}
		}
		var s vt.Screen
		e.Snapshot(&s)
		return string(b) + strings.ReplaceAll(viewText(&s), "↩\n", "")
	}
	for _, size := range [][2]int{{12, 2}, {7, 3}, {30, 9}, {200, 50}, {3, 1}, {12, 2}} {
		e.Resize(size[0], size[1])
		if got := unwrapped(); strings.TrimRight(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("at %v:\n%s", size, got)
		}
	}
}

func TestFloodWithoutALineFeed(t *testing.T) {
	e := vt.New(vt.Options{Cols: 80, Rows: 24, Scrollback: 2000})
	fmt.Fprint(e, strings.Repeat("x", 80*3000))
	for _, cols := range []int{3, 1000, 80} {
		e.Resize(cols, 24)
		if n := e.HistoryLen(); n > 2000 {
			t.Fatalf("%d lines at %d columns", n, cols)
		}
	}
}
