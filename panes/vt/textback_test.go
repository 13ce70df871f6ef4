package vt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestTextComesBack writes the styled text of random screens to terminals of other
// widths: their text must be the same.
func TestTextComesBack(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 5))
		e := New(Options{Cols: 2 + r.IntN(30), Rows: 1 + r.IntN(10), Scrollback: 40})
		for range 8 {
			_, _ = e.Write(randomStream(r, 1+r.IntN(30)))
			if err := checkText(e, 2+r.IntN(40), 1+r.IntN(10)); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}

// checkText writes what e has as styled text to two other terminals and compares
// what they have. On the one that scrolls only the text: a row that comes in while a
// line of a background is wrapped is filled with that.
func checkText(e *Emulator, cols, rows int) error {
	for _, alt := range []bool{false, true} {
		want := e.AppendText(nil, Text{Styled: true, History: -1, Alt: alt})
		in := bytes.ReplaceAll(want, []byte("\n"), []byte("\r\n"))
		tall, small := newEmulator(Options{Cols: cols, Rows: maxSize}, newPlain), New(Options{Cols: cols, Rows: rows})
		_, _ = tall.Write(in)
		_, _ = small.Write(in)
		all := Text{Styled: true, History: -1}
		if got := tall.AppendText(nil, all); string(got) != endOnce(want) {
			return fmt.Errorf("%d columns, alt %v: got\n%q\nwant\n%q", cols, alt, got, want)
		}
		all.Styled = false
		got := endOnce(small.AppendText(nil, all))
		if want := endOnce(e.AppendText(nil, Text{History: -1, Alt: alt})); got != want {
			return fmt.Errorf("at %dx%d, alt %v: got plain\n%q\nwant\n%q", cols, rows, alt, got, want)
		}
	}
	return nil
}

// endOnce is text without blank lines at its end: those of a scrollback may be on a
// screen now.
func endOnce(text []byte) string {
	text = bytes.TrimRight(text, "\n")
	if len(text) == 0 {
		return ""
	}
	return string(text) + "\n"
}
