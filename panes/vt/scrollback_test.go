package vt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reprise/panes/vt"
)

// find is the matches of a pattern in all lines, as their rows' text would have
// them: line:column-line:column.
func find(t *testing.T, e *vt.Emulator, text string, expression bool) []string {
	t.Helper()
	p, err := vt.NewPattern(text, expression)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	var l vt.Lines
	for from := uint64(0); ; from = l.Next() {
		e.ReadLines(&l, from, 2) // small pieces: their borders must not matter
		if l.Next() == l.From {
			return out
		}
		p.Find(&l, func(s vt.Span) {
			out = append(out, fmt.Sprintf("%d:%d-%d:%d", s.From.Line, s.From.Col, s.To.Line, s.To.Col))
		})
	}
}

func TestFind(t *testing.T) {
	e := vt.New(vt.Options{Cols: 10, Rows: 3, Scrollback: 100})
	fmt.Fprint(e, "Alpha beta\r\n", // 0, fills its row
		"a long line that is wrapped\r\n", // 1 to 3
		"日本語 beta e\u0301x\r\n",           // 4 and 5: the gap is no text
		"\r\n",                            // 6
		"alpha (beta)\r\n",                // 7, 8
		"BETA   \x1b[41m  \x1b[m\r\n")     // 9
	for _, c := range []struct {
		text       string
		expression bool
		want       string
	}{
		{"beta", false, "0:6-0:9 4:7-5:0 7:7-8:0 9:0-9:3"},
		{"Beta", false, ""},
		{"BETA", false, "9:0-9:3"},
		{"alpha", false, "0:0-0:4 7:0-7:4"},
		{"line that", false, "1:7-2:5"},
		{"語", false, "4:4-4:4"},
		{"本語 b", false, "4:2-4:7"},
		{"e\u0301x", false, "5:2-5:3"},
		{"(beta)", false, "7:6-8:1"},
		{"(beta)", true, "0:6-0:9 4:7-5:0 7:7-8:0 9:0-9:3"},
		{`\(.*\)`, true, "7:6-8:1"},
		{`^a\w+`, true, "0:0-0:4 7:0-7:4"},
		{`^a\w*`, true, "0:0-0:4 1:0-1:0 7:0-7:4"},
		{`beta$`, true, "0:6-0:9 9:0-9:3"},
		{`[A-Z]lpha`, true, "0:0-0:4"},
		{`\Wbeta`, true, "0:5-0:9 4:6-5:0 7:6-8:0"},
		{`x*`, true, "5:3-5:3"},
		{`é`, false, ""},
		{`beta\n`, true, ""},
		{`[^z]+wrapped`, true, "1:0-3:6"},
	} {
		got := find(t, e, c.text, c.expression)
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q (expression %v): %s, want %s", c.text, c.expression, s, c.want)
		}
	}
	for _, bad := range []string{"", "a(", "[", strings.Repeat("x", vt.MaxPattern+1)} {
		if _, err := vt.NewPattern(bad, true); err == nil {
			t.Errorf("pattern %.10q was taken", bad)
		}
	}
}

// A number stays with its line while others come and go, and a search that goes
// on where the last one ended finds what one from the start finds.
func TestLinesKeepTheirNumbers(t *testing.T) {
	e := vt.New(vt.Options{Cols: 20, Rows: 4, Scrollback: 10})
	var s vt.Screen
	for i := range 50 {
		fmt.Fprintf(e, "line %d\r\n", i)
		x := e.Extent()
		if want := uint64(max(0, i-2)); x.Screen != want || x.End != want+4 || x.First != uint64(max(0, i-12)) {
			t.Fatalf("after line %d: %+v", i, x)
		}
		for top := range x.End + 3 {
			_, got := e.Window(&s, top)
			if want := min(max(top, x.First), x.Screen); got != want {
				t.Fatalf("window at %d begins at %d, want %d: %+v", top, got, want, x)
			}
			if text, _, _ := strings.Cut(viewText(&s), "\n"); text != fmt.Sprintf("line %d", got) && int(got) <= i {
				t.Fatalf("line %d is %q", got, text)
			}
		}
	}
	was := e.Extent()
	fmt.Fprint(e, "\x1b[3J")
	if x := e.Extent(); x.Screen != was.Screen || x.First != x.Screen || x.Cuts != was.Cuts {
		t.Errorf("after ED 3: %+v, before: %+v", x, was)
	}
	e.Resize(20, 3)
	if x := e.Extent(); x.Cuts != was.Cuts {
		t.Errorf("another height is told as a cut")
	}
	e.Resize(10, 3)
	if x := e.Extent(); x.Cuts == was.Cuts {
		t.Errorf("another width is not told")
	}
	none := vt.New(vt.Options{Cols: 20, Rows: 4, Scrollback: -1})
	fmt.Fprint(none, strings.Repeat("x\r\n", 9))
	if x := none.Extent(); x.First != 6 || x.Screen != 6 || x.End != 10 {
		t.Errorf("without a scrollback: %+v", x)
	}
}

func TestSettledLines(t *testing.T) {
	e := vt.New(vt.Options{Cols: 10, Rows: 3})
	fmt.Fprint(e, "0\r\n1\r\n", strings.Repeat("x", 35)) // rows 2 to 5, of which 3 on are the screen
	var l vt.Lines
	e.ReadLines(&l, 0, 2)
	if l.Next() != 2 || l.Settled() != 2 || string(l.Text) != "0\n1\n" {
		t.Errorf("first piece to %d, settled to %d: %q", l.Next(), l.Settled(), l.Text)
	}
	e.ReadLines(&l, l.Next(), 2)
	if l.From != 2 || l.Next() != 6 || l.Settled() != 2 {
		t.Errorf("second piece from %d to %d, settled to %d", l.From, l.Next(), l.Settled())
	}
	e.ReadLines(&l, e.LineStart(5), 1)
	if l.From != 2 || l.Settled() != 2 {
		t.Errorf("from within a line: from %d, settled to %d", l.From, l.Settled())
	}
	e.ReadLines(&l, 99, 1)
	if l.Next() != l.From || len(l.Text) != 0 {
		t.Errorf("beyond the end: %d rows of %q", l.Next()-l.From, l.Text)
	}
}

// A stream without a line feed is read in pieces of bounded size.
func TestReadLinesIsBounded(t *testing.T) {
	e := vt.New(vt.Options{Cols: 200, Rows: 10, Scrollback: 20_000})
	fmt.Fprint(e, strings.Repeat("x", 200*15_000))
	for _, n := range []int{1, 100_000} {
		var l vt.Lines
		pieces := 0
		for from := uint64(0); ; from = l.Next() {
			e.ReadLines(&l, from, n)
			if l.Next() == l.From {
				break
			}
			if pieces++; len(l.Text) > 1<<20+1000*200+1 {
				t.Fatalf("a piece of %d bytes", len(l.Text))
			}
		}
		if pieces < 2 || l.From != e.Extent().End {
			t.Errorf("%d pieces, to line %d of %+v", pieces, l.From, e.Extent())
		}
	}
	if at := e.LineStart(14_000); at != 13_000 {
		t.Errorf("a line of that row begins at %d", at)
	}
}

func TestPrompts(t *testing.T) {
	e := vt.New(vt.Options{Cols: 20, Rows: 3})
	for range 3 { // a prompt of one line, one of two lines, an output of two
		fmt.Fprint(e, "\x1b]133;A\a$ \x1b]133;B\als\r\n\x1b]133;C\aout\r\nout\r\n\x1b]133;D;0\a")
		fmt.Fprint(e, "\x1b]133;A\adir\r\n$ \x1b]133;B\als\r\n\x1b]133;C\aout\r\n\x1b]133;D;0\a")
	}
	var up, down []uint64
	for at, ok := e.Prompt(1<<40, -1); ok; at, ok = e.Prompt(at, -1) {
		up = append(up, at)
	}
	for at, ok := uint64(0), true; ok; at, ok = e.Prompt(at, 1) {
		down = append(down, at)
	}
	if want := []uint64{15, 12, 9, 6, 3, 0}; !slices.Equal(up, want) {
		t.Errorf("prompts above: %v, want %v", up, want)
	}
	if want := []uint64{0, 3, 6, 9, 12, 15}; !slices.Equal(down, want) {
		t.Errorf("prompts below: %v, want %v", down, want)
	}
}
