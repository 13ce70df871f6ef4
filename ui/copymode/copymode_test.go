package copymode_test

import (
	"fmt"
	"strings"
	"testing"

	"reprise/panes/vt"
	"reprise/ui/copymode"
)

// terminal is an emulator as a source of lines.
type terminal struct{ *vt.Emulator }

func (t terminal) Window(dst *vt.Screen, top uint64) (vt.Extent, uint64, bool) {
	x, first := t.Emulator.Window(dst, top)
	return x, first, true
}

func newTerminal(cols, rows int, text string) terminal {
	e := vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 100})
	fmt.Fprint(e, strings.ReplaceAll(text, "\n", "\r\n"))
	return terminal{e}
}

func look(t *testing.T, src copymode.Source) *copymode.State {
	t.Helper()
	s, ok := copymode.New(src, 0, 0)
	if !ok {
		t.Fatal("nothing to look at")
	}
	return s
}

// The fixture's lines; those from 6 on are the screen of 5 rows and 20 columns.
const fixture = "alpha beta  gamma.go:12\n" + // 0 and 1: "alpha beta  gamma.go" ":12"
	"\n" + // 2
	"  日本語 x_1 --flag\n" + // 3
	"one two\n" + // 4
	"\n" + // 5
	"\n" + // 6
	"six seven\n" + // 7
	"  eight\n" + // 8
	"nine\n" + // 9
	"$ ls" // 10

func TestMotions(t *testing.T) {
	for _, c := range []struct {
		name string
		from vt.Pos
		do   copymode.Motion
		n    int
		want vt.Pos
	}{
		{"left", vt.Pos{Line: 7, Col: 2}, copymode.Left, 1, vt.Pos{Line: 7, Col: 1}},
		{"left stops", vt.Pos{Line: 7, Col: 2}, copymode.Left, 9, vt.Pos{Line: 7}},
		{"left over a wrap", vt.Pos{Line: 1}, copymode.Left, 1, vt.Pos{Col: 19}},
		{"left over a wide one", vt.Pos{Line: 3, Col: 6}, copymode.Left, 1, vt.Pos{Line: 3, Col: 4}},
		{"right", vt.Pos{Line: 7}, copymode.Right, 3, vt.Pos{Line: 7, Col: 3}},
		{"right stops", vt.Pos{Line: 7}, copymode.Right, 99, vt.Pos{Line: 7, Col: 8}},
		{"right over a wrap", vt.Pos{Col: 19}, copymode.Right, 2, vt.Pos{Line: 1, Col: 1}},
		{"right over a wide one", vt.Pos{Line: 3, Col: 2}, copymode.Right, 1, vt.Pos{Line: 3, Col: 4}},
		{"up", vt.Pos{Line: 9, Col: 3}, copymode.Up, 2, vt.Pos{Line: 7, Col: 3}},
		{"up stops", vt.Pos{Line: 1}, copymode.Up, 99, vt.Pos{}},
		{"up to a short line", vt.Pos{Line: 7, Col: 8}, copymode.Up, 1, vt.Pos{Line: 6}},
		{"down", vt.Pos{Line: 8, Col: 1}, copymode.Down, 1, vt.Pos{Line: 9, Col: 1}},
		{"down stops", vt.Pos{Line: 8}, copymode.Down, 99, vt.Pos{Line: 10}},
		{"down onto a wide one", vt.Pos{Line: 1, Col: 2}, copymode.Down, 2, vt.Pos{Line: 3, Col: 2}},
		{"w", vt.Pos{}, copymode.NextWord(false), 1, vt.Pos{Col: 6}},
		{"w over marks", vt.Pos{Col: 12}, copymode.NextWord(false), 2, vt.Pos{Col: 18}},
		{"w over a wrap", vt.Pos{Col: 18}, copymode.NextWord(false), 1, vt.Pos{Line: 1}},
		{"w over lines", vt.Pos{Line: 1, Col: 1}, copymode.NextWord(false), 1, vt.Pos{Line: 3, Col: 2}},
		{"w at the end", vt.Pos{Line: 10, Col: 2}, copymode.NextWord(false), 1, vt.Pos{Line: 10, Col: 2}},
		{"W", vt.Pos{Col: 12}, copymode.NextWord(true), 1, vt.Pos{Line: 3, Col: 2}},
		{"e", vt.Pos{}, copymode.WordEnd(false), 1, vt.Pos{Col: 4}},
		{"e goes on", vt.Pos{Col: 4}, copymode.WordEnd(false), 1, vt.Pos{Col: 9}},
		{"E over a wrap", vt.Pos{Col: 12}, copymode.WordEnd(true), 1, vt.Pos{Line: 1, Col: 2}},
		{"e of wide ones", vt.Pos{Line: 3}, copymode.WordEnd(false), 1, vt.Pos{Line: 3, Col: 6}},
		{"b", vt.Pos{Col: 8}, copymode.WordStart(false), 1, vt.Pos{Col: 6}},
		{"b goes on", vt.Pos{Col: 6}, copymode.WordStart(false), 1, vt.Pos{}},
		{"b over lines", vt.Pos{Line: 7}, copymode.WordStart(false), 1, vt.Pos{Line: 4, Col: 4}},
		{"B over a wrap", vt.Pos{Line: 1, Col: 2}, copymode.WordStart(true), 1, vt.Pos{Col: 12}},
		{"b at the beginning", vt.Pos{}, copymode.WordStart(false), 1, vt.Pos{}},
		{"0", vt.Pos{Line: 1, Col: 2}, copymode.LineStart, 1, vt.Pos{}},
		{"^", vt.Pos{Line: 8, Col: 5}, copymode.LineText, 1, vt.Pos{Line: 8, Col: 2}},
		{"$", vt.Pos{}, copymode.LineEnd, 1, vt.Pos{Line: 1, Col: 2}},
		{"$ of a blank line", vt.Pos{Line: 2}, copymode.LineEnd, 1, vt.Pos{Line: 2}},
		{"g", vt.Pos{Line: 9, Col: 2}, copymode.First, 1, vt.Pos{Col: 2}},
		{"G", vt.Pos{Col: 2}, copymode.Last, 1, vt.Pos{Line: 10, Col: 2}},
		{"H", vt.Pos{Line: 8}, copymode.High, 1, vt.Pos{Line: 6}},
		{"M", vt.Pos{Line: 6}, copymode.Middle, 1, vt.Pos{Line: 8}},
		{"L", vt.Pos{Line: 6}, copymode.Low, 1, vt.Pos{Line: 10}},
		{"{", vt.Pos{Line: 8}, copymode.Paragraph(-1), 1, vt.Pos{Line: 6}},
		{"{ goes on", vt.Pos{Line: 6}, copymode.Paragraph(-1), 1, vt.Pos{Line: 2}},
		{"}", vt.Pos{Line: 3}, copymode.Paragraph(1), 1, vt.Pos{Line: 5}},
		{"}}", vt.Pos{Line: 3}, copymode.Paragraph(1), 2, vt.Pos{Line: 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := look(t, newTerminal(20, 5, fixture))
			s.Return(c.from)
			if got := s.Cursor(); got != c.from {
				t.Fatalf("the cursor begins at %v, not %v", got, c.from)
			}
			c.do(s, c.n)
			if got := s.Cursor(); got != c.want {
				t.Errorf("from %v to %v, want %v", c.from, got, c.want)
			}
		})
	}
}

// Up and down come back to the column where they began.
func TestAim(t *testing.T) {
	s := look(t, newTerminal(20, 5, fixture))
	s.Return(vt.Pos{Line: 7, Col: 7})
	copymode.Up(s, 1)
	copymode.Up(s, 2)
	if got := s.Cursor(); got != (vt.Pos{Line: 4, Col: 6}) {
		t.Errorf("two words up: %v", got)
	}
	copymode.Down(s, 3)
	if got := s.Cursor(); got != (vt.Pos{Line: 7, Col: 7}) {
		t.Errorf("back: %v", got)
	}
	copymode.LineEnd(s, 1)
	copymode.Down(s, 1)
	if got := s.Cursor(); got != (vt.Pos{Line: 8, Col: 6}) {
		t.Errorf("along the ends: %v", got)
	}
}

func TestYank(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to vt.Pos
		kind     copymode.Kind
		want     string
	}{
		{"within a row", vt.Pos{Col: 6}, vt.Pos{Col: 9}, copymode.Chars, "beta"},
		{"backward", vt.Pos{Col: 9}, vt.Pos{Col: 6}, copymode.Chars, "beta"},
		{"over a wrap", vt.Pos{Col: 12}, vt.Pos{Line: 1, Col: 2}, copymode.Chars, "gamma.go:12"},
		{"over lines", vt.Pos{Line: 1, Col: 1}, vt.Pos{Line: 3, Col: 4}, copymode.Chars, "12\n\n  日本"},
		{"lines", vt.Pos{Line: 1, Col: 1}, vt.Pos{Line: 3, Col: 4}, copymode.Lines, "alpha beta  gamma.go:12\n\n  日本語 x_1 --flag"},
		{"a block", vt.Pos{Line: 7, Col: 4}, vt.Pos{Line: 9, Col: 2}, copymode.Block, "x s\neig\nne"},
		{"a block through wide ones", vt.Pos{Line: 3, Col: 6}, vt.Pos{Line: 4, Col: 4}, copymode.Block, "本語\ntwo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := look(t, newTerminal(20, 5, fixture))
			s.Return(c.from)
			s.Select(c.kind)
			s.Return(c.to)
			if text, cut := s.Yank(1000); string(text) != c.want || cut {
				t.Errorf("%q, cut %v, want %q", text, cut, c.want)
			}
			s.OtherEnd()
			if text, _ := s.Yank(1000); string(text) != c.want || s.Cursor() != c.from {
				t.Errorf("from the other end, at %v: %q", s.Cursor(), text)
			}
			if text, cut := s.Yank(1); len(text) > 40 || cut != (len(c.want) > 1) {
				t.Errorf("at most a byte: %q, cut %v", text, cut)
			}
			s.Select(c.kind)
			if text, _ := s.Yank(1000); len(text) != 0 {
				t.Errorf("nothing is selected: %q", text)
			}
		})
	}
}

// What is in sight and selected stays where it is while output comes in, until its
// lines are gone.
func TestSelectionStaysOnItsText(t *testing.T) {
	e := newTerminal(20, 5, fixture)
	s := look(t, e)
	s.Return(vt.Pos{Line: 7})
	s.Select(copymode.Chars)
	s.Return(vt.Pos{Line: 8, Col: 6})
	var before, shown vt.Screen
	none := func([]vt.Cell, copymode.Mark) {}
	s.Show(&before, none)
	for i := range 80 {
		fmt.Fprintf(e, "\r\nmore %d", i)
		s.Refresh()
		if text, _ := s.Yank(1000); string(text) != "six seven\n  eight" {
			t.Fatalf("after %d lines: %q", i, text)
		}
	}
	s.Show(&shown, none)
	for i, c := range shown.Cells {
		if c != before.Cells[i] {
			t.Fatalf("cell %d shows %q", i, c.Rune)
		}
	}
	fmt.Fprint(e, strings.Repeat("\r\n.", 200))
	s.Refresh()
	first := e.Extent().First
	if at := s.Cursor(); at != (vt.Pos{Line: first}) {
		t.Errorf("its lines are gone: the cursor is at %v, the first line is %d", at, first)
	}
	if line, of := s.Position(); line != 1 || of != 105 {
		t.Errorf("line %d of %d", line, of)
	}
}

// Another width cuts the lines anew: what is in sight stays as far from the end,
// and nothing is selected.
func TestCutAnew(t *testing.T) {
	e := newTerminal(20, 5, fixture)
	s := look(t, e)
	s.Return(vt.Pos{Line: 4})
	s.Select(copymode.Chars)
	e.Resize(10, 5)
	s.Refresh()
	if at, x := s.Cursor(), e.Extent(); x.End-at.Line != 7 || s.Selection().Kind != copymode.None {
		t.Errorf("the cursor is at %v of %+v, selected %+v", at, x, s.Selection())
	}
}

func TestScroll(t *testing.T) {
	s := look(t, newTerminal(20, 5, strings.Repeat("x\n", 50))) // 46 lines before the screen
	s.Return(vt.Pos{Line: 48})
	s.Scroll(-1)
	if at := s.Cursor(); at.Line != 48 || s.AtBottom() {
		t.Errorf("a line up: the cursor is at %v", at)
	}
	s.Scroll(-10)
	if at := s.Cursor(); at.Line != 39 {
		t.Errorf("ten more: the cursor is at %v, not in the last row", at)
	}
	s.Scroll(99)
	if at := s.Cursor(); at.Line != 46 || !s.AtBottom() {
		t.Errorf("down: the cursor is at %v", at)
	}
	s.Page(-1)
	if at := s.Cursor(); at.Line != 44 {
		t.Errorf("half a screen up: %v", at)
	}
	s.Page(-99)
	s.Page(-99)
	if at := s.Cursor(); at.Line != 0 {
		t.Errorf("to the top: %v", at)
	}
}

func TestWordAndLine(t *testing.T) {
	s := look(t, newTerminal(20, 5, fixture))
	for _, c := range []struct {
		at         vt.Pos
		word, line string
	}{
		{vt.Pos{Col: 7}, "beta", "alpha beta  gamma.go:12"},
		{vt.Pos{Col: 18}, "go", "alpha beta  gamma.go:12"},
		{vt.Pos{Col: 10}, "  ", "alpha beta  gamma.go:12"},
		{vt.Pos{Line: 3, Col: 4}, "日本語", "  日本語 x_1 --flag"},
		{vt.Pos{Line: 3, Col: 9}, "x_1", "  日本語 x_1 --flag"},
		{vt.Pos{Line: 3, Col: 13}, "--", "  日本語 x_1 --flag"},
	} {
		s.Unselect()
		s.Return(c.at)
		s.SelectWord()
		if text, _ := s.Yank(100); string(text) != c.word {
			t.Errorf("word at %v: %q, want %q", c.at, text, c.word)
		}
		s.SelectLine()
		if text, _ := s.Yank(100); string(text) != c.line {
			t.Errorf("line at %v: %q, want %q", c.at, text, c.line)
		}
	}
}

// find searches as the terminal would.
func find(t *testing.T, e terminal, s *copymode.State, text string) {
	t.Helper()
	p, err := vt.NewPattern(text, true)
	if err != nil {
		t.Fatal(err)
	}
	s.Look(p)
	more(e, s)
}

func more(e terminal, s *copymode.State) {
	var l vt.Lines
	g := new(copymode.Gather)
	e.ReadLines(&l, s.Unsearched(), 1<<20)
	s.Pattern().Find(&l, g.Take)
	s.Add(g, l.From, l.Settled(), l.Extent.Cuts)
}

func TestMatches(t *testing.T) {
	e := newTerminal(20, 5, fixture)
	s := look(t, e)
	find(t, e, s, "e[nv]|ne|12")
	if at, of := s.Matches(); at != 0 || of != 5 { // 12, one, seven twice, nine
		t.Fatalf("%d of %d", at, of)
	}
	var got []vt.Pos
	for range 7 {
		s.ToMatch(s.Cursor(), 1, false)
		got = append(got, s.Cursor())
	}
	want := "[{7 5} {7 7} {9 2} {1 1} {4 1} {7 5} {7 7}]"
	if fmt.Sprint(got) != want {
		t.Errorf("forward: %v, want %v", got, want)
	}
	if at, _ := s.Matches(); at != 4 {
		t.Errorf("the last one is number %d", at)
	}
	s.ToMatch(s.Cursor(), -3, false)
	if got := s.Cursor(); got != (vt.Pos{Line: 1, Col: 1}) {
		t.Errorf("three back: %v", got)
	}
	marks := map[copymode.Mark]int{}
	var screen vt.Screen
	s.Show(&screen, func(cells []vt.Cell, m copymode.Mark) { marks[m] += len(cells) })
	if marks[copymode.Current] != 2 || marks[copymode.Hit] != 2 || screen.Cursor != (vt.Cursor{X: 1, Visible: true}) {
		t.Errorf("marks %v, cursor %+v", marks, screen.Cursor)
	}
	fmt.Fprint(e, "\r\none more\r\n")
	s.Refresh()
	more(e, s)
	if _, of := s.Matches(); of != 6 {
		t.Errorf("with what came since: %d", of)
	}
	fmt.Fprint(e, strings.Repeat("\r\nx", 200))
	s.Refresh()
	if s.ToMatch(s.Cursor(), 1, false) {
		t.Error("matches are left whose lines are gone")
	}
}

// The newest matches are kept, all are counted.
func TestManyMatches(t *testing.T) {
	e := newTerminal(20, 5, fixture)
	s := look(t, e)
	find(t, e, s, "zzz")
	g := new(copymode.Gather)
	const n = 300_000
	for i := range n {
		at := vt.Pos{Line: 3, Col: i}
		g.Take(vt.Span{From: at, To: at})
	}
	if !s.Add(g, 0, 3, 0) {
		t.Fatal("not taken")
	}
	if _, of := s.Matches(); of != n {
		t.Errorf("%d matches", of)
	}
	if s.Add(g, 0, 3, 77) {
		t.Error("matches of lines that were cut anew are taken")
	}
}

func TestPrompts(t *testing.T) {
	e := newTerminal(20, 5, strings.Repeat("\x1b]133;A\a$ x\n\x1b]133;C\aout\n", 10))
	s := look(t, e)
	if !s.Prompt(-1, 2) || s.Cursor().Line != 12 {
		t.Errorf("two up: %v", s.Cursor())
	}
	if !s.Prompt(1, 1) || s.Cursor().Line != 14 {
		t.Errorf("one down: %v", s.Cursor())
	}
	if !s.Prompt(1, 99) || s.Cursor().Line != 18 || s.Prompt(1, 1) {
		t.Errorf("the last: %v", s.Cursor())
	}
}

func TestOutputs(t *testing.T) {
	e := newTerminal(20, 5, strings.Repeat("\x1b]133;A\a$ x\n\x1b]133;C\aone\ntwo\n", 10))
	s := look(t, e)
	for _, c := range []struct {
		n          int
		first, end uint64
	}{{1, 25, 26}, {1, 22, 23}, {2, 16, 17}, {99, 1, 2}, {1, 1, 2}} {
		if !s.Output(c.n) || s.Selection() != (copymode.Selection{Kind: copymode.Lines, Anchor: vt.Pos{Line: c.first}}) || s.Cursor().Line != c.end {
			t.Errorf("%d: %+v to %v, want %d to %d", c.n, s.Selection(), s.Cursor(), c.first, c.end)
		}
	}
	if got, _ := s.Yank(1000); string(got) != "one\ntwo" {
		t.Errorf("yanked %q", got)
	}
	copymode.Last(s, 1)
	s.Unselect()
	if !s.Output(2) || s.Cursor().Line != 26 {
		t.Errorf("the second last: %v", s.Cursor())
	}
	if look(t, newTerminal(20, 5, "x\ny\n")).Output(1) {
		t.Error("an output where no shell tells of one")
	}
}
