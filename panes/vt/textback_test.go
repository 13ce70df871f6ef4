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
		most := bytes.Count(want, []byte("\n")) + len(want)/cols + 1
		tall, small := newEmulator(Options{Cols: cols, Rows: most}, newPlain), New(Options{Cols: cols, Rows: rows})
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

// TestStylesComeBack writes styles as sequences and reads them: each must be the
// same again and no longer than it is counted.
func TestStylesComeBack(t *testing.T) {
	e := New(Options{Cols: 10, Rows: 2})
	r := rand.New(rand.NewPCG(1, 6))
	color := func() Color {
		return []Color{0, ColorIndexed | Color(r.IntN(256)), ColorRGB | Color(r.IntN(1<<24)), ColorRGB | 0xFFFFFF}[r.IntN(4)]
	}
	last := style{attr: ^(UnderlineMask | Wide | 1<<14 | Subscript), fg: ColorRGB | 0xFFFFFF, bg: ColorRGB | 0xFFFFFF, ul: ColorRGB | 0xFFFFFF}
	last.attr = last.attr.WithUnderline(UnderlineDashed)
	for range 2000 {
		w := lineWriter{e: e, styled: true, guards: true}
		w.setStyle(last)
		if limit := last.sgrSize() + len("\x1b[1\"q"); len(w.b) > limit {
			t.Fatalf("%q has %d bytes, not %d", w.b, len(w.b), limit)
		}
		w.style = e.pen.style
		w.b = nil
		w.setStyle(last)
		_, _ = e.Write(w.b)
		if e.pen.style != last {
			t.Fatalf("%q made %+v of %+v", w.b, e.pen.style, last)
		}
		attr := Attr(r.UintN(1<<16)) &^ (UnderlineMask | Wide | 1<<14)
		if attr&Superscript != 0 {
			attr &^= Subscript // one takes the other's place
		}
		last = style{fg: color(), bg: color(), ul: color(), attr: attr.WithUnderline(r.IntN(6))}
	}
}

// TestAffordable counts how much of a history fits into a number of bytes.
func TestAffordable(t *testing.T) {
	e := New(Options{Cols: 20, Rows: 1})
	for i := range 50 {
		fmt.Fprintf(e, "\x1b[38;2;1;2;%dmxx\x1b[4myy\x1b[m\r\n", i)
	}
	was := e.HistoryLen()
	for _, limit := range []int{0, 1, 100, 500, 1000, 1500, 1 << 20} {
		from := e.affordable(limit)
		n := len(e.AppendText(nil, Text{Styled: true, History: e.HistoryLen() - from}))
		if from > was || n > limit {
			t.Errorf("from line %d of %d on it has %d bytes, not %d", from, e.HistoryLen(), n, limit)
		}
		was = from
	}
	if was != 0 {
		t.Errorf("a megabyte begins with line %d", was)
	}
}
