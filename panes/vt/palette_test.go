package vt_test

import (
	"testing"

	"reprise/panes/vt"
)

// Colours that a program sets show in what it wrote before and after, until they
// are reset.
func TestColorsThatAreSetAreDrawn(t *testing.T) {
	const red, sky, ink = vt.ColorIndexed | 1, vt.ColorRGB | 0x102030, vt.ColorRGB | 0x0a0b0c
	e := vt.New(vt.Options{Cols: 3, Rows: 2})
	var s vt.Screen // one Screen, as a client has: unchanged rows must be copied anew
	for _, step := range []struct {
		what, bytes         string
		red, plain, blankBG vt.Color // foreground of a red cell, of a plain one; background of an empty row
	}{
		{"written", "\x1b[31mr\x1b[mp", red, 0, 0},
		{"index 1 set", "\x1b]4;1;#102030\a", sky, 0, 0},
		{"foreground and background set", "\x1b]10;#102030;#0a0b0c\a", sky, sky, ink},
		{"index reset", "\x1b]104;1\a", red, sky, ink},
		{"foreground reset", "\x1b]110\a", red, 0, ink},
		{"background reset", "\x1b]111\a", red, 0, 0},
		{"set once more", "\x1b]4;1;#102030\a\x1b]11;#0a0b0c\a", sky, 0, ink},
		{"all reset", "\x1bc\x1b[31mr\x1b[mp", red, 0, 0},
	} {
		_, _ = e.Write([]byte(step.bytes))
		e.Snapshot(&s)
		if got := s.Row(0)[0].FG; got != step.red {
			t.Errorf("%s: red is %#x, want %#x", step.what, got, step.red)
		}
		if got := s.Row(0)[1].FG; got != step.plain {
			t.Errorf("%s: plain is %#x, want %#x", step.what, got, step.plain)
		}
		if got := s.Row(1)[2].BG; got != step.blankBG {
			t.Errorf("%s: an empty row is on %#x, want %#x", step.what, got, step.blankBG)
		}
	}
}
