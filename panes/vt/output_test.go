package vt_test

import (
	"fmt"
	"testing"

	"reprise/panes/vt"
)

func TestOutput(t *testing.T) {
	e := vt.New(vt.Options{Cols: 20, Rows: 6})
	if _, _, ok := e.Output(3, 0); ok {
		t.Error("an output before anything was printed")
	}
	fmt.Fprint(e, "hello\r\n") // 0
	// 1: a prompt of one line, 2 and 3 its output; 4: a command that prints nothing;
	// 5 and 6: a prompt of two lines, 7: its output; 8: a command that runs, 9 and 10:
	// what it printed so far.
	fmt.Fprint(e, "\x1b]133;A\a$ \x1b]133;B\als\r\n\x1b]133;C\aout\r\nout\r\n\x1b]133;D;0\a")
	fmt.Fprint(e, "\x1b]133;A\a$ \x1b]133;B\atrue\r\n\x1b]133;C\a\x1b]133;D;0\a")
	fmt.Fprint(e, "\x1b]133;A\adir\r\n$ \x1b]133;B\als\r\n\x1b]133;C\aout\r\n\x1b]133;D;0\a")
	fmt.Fprint(e, "\x1b]133;A\a$ \x1b]133;B\amake\r\n\x1b]133;C\aone\r\ntwo\r\n")
	for _, c := range []struct {
		line     uint64
		step     int
		from, to uint64 // both 0: there is none
	}{
		{0, 0, 0, 0},
		{1, 0, 2, 3},
		{2, 0, 2, 3},
		{3, 0, 2, 3},
		{4, 0, 2, 3}, // it printed nothing
		{5, 0, 7, 7},
		{6, 0, 7, 7},
		{7, 0, 7, 7},
		{8, 0, 9, 10},
		{10, 0, 9, 10},
		{11, 0, 9, 10},
		{1 << 40, 0, 9, 10},
		{9, -1, 7, 7},
		{7, -1, 2, 3},
		{2, -1, 0, 0},
		{0, -1, 0, 0},
		{0, 1, 2, 3},
		{2, 1, 7, 7},
		{7, 1, 9, 10},
		{9, 1, 0, 0},
	} {
		from, to, ok := e.Output(c.line, c.step)
		if from != c.from || to != c.to || ok != (c.from > 0) {
			t.Errorf("output at %d, step %d: %d to %d %v, want %d to %d", c.line, c.step, from, to, ok, c.from, c.to)
		}
	}
	fmt.Fprint(e, "\x1b]133;D;0\a\x1b]133;A\a$ \x1b]133;B\a")
	if from, to, _ := e.Output(11, 0); from != 9 || to != 10 {
		t.Errorf("at a prompt without a command: %d to %d, want 9 to 10", from, to)
	}
}
