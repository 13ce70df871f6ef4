package vt

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func randomStyle(r *rand.Rand) style {
	color := func() Color {
		return []Color{0, ColorIndexed | Color(r.IntN(256)), ColorRGB | Color(r.IntN(1<<24)), ColorRGB}[r.IntN(4)]
	}
	s := style{fg: color(), bg: color(), ul: color()}
	if r.IntN(2) == 0 {
		s.attr = Attr(r.UintN(1 << 16))
	}
	if r.IntN(4) == 0 {
		s.link = uint16(r.UintN(1 << 16))
	}
	return s
}

// TestStylesArePacked packs styles one behind the other and reads them back.
func TestStylesArePacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	var all []style
	var b []byte
	for range 5000 {
		s := randomStyle(r)
		all = append(all, s)
		b = s.appendTo(b)
	}
	for i, want := range all {
		var got style
		if got, b = readStyle(b); got != want {
			t.Fatalf("style %d is %+v, not %+v", i, got, want)
		}
	}
	if len(b) > 0 {
		t.Errorf("%d bytes are left", len(b))
	}
}

// TestStyleTable compares numbers with a map's through several collections.
func TestStyleTable(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	table := newStyleTable()
	ids := map[style]uint32{}
	for i := range 100_000 {
		s := style{fg: ColorRGB | Color(r.IntN(4000)), bg: Color(r.IntN(2)) * ColorRGB}
		id := uint32(noStyle)
		if len(table.index) > 0 {
			id, _ = table.find(s)
		}
		if want, ok := ids[s]; ok != (id != noStyle) || ok && id != want {
			t.Fatalf("%+v is number %d, not %d (%v)", s, id, want, ok)
		}
		if id == noStyle {
			ids[s] = table.add(s)
		}
		if i%7000 == 6999 {
			live := newBits(len(table.list))
			for s, id := range ids {
				if r.IntN(2) == 0 {
					live.set(id)
				} else {
					delete(ids, s)
				}
			}
			table.sweep(live)
			if table.used() != len(ids)+1 {
				t.Fatalf("%d in use, not %d", table.used(), len(ids)+1)
			}
		}
	}
}

// TestHistoryKeepsNoStyles: lines in colours of their own that left the screen keep
// nothing in the table, come back as they were when it is scrolled back, and go
// through changes of the width.
func TestHistoryKeepsNoStyles(t *testing.T) {
	const lines, cols = 2000, 40
	e := New(Options{Cols: cols, Rows: 4})
	for i := range lines {
		for x := range cols - 1 {
			fmt.Fprintf(e, "\x1b[38;2;%d;%d;%dmx", i>>8, i&255, x)
		}
		fmt.Fprint(e, "\r\n")
	}
	check := func() {
		t.Helper()
		if n := len(e.styles.list); n > stylesAt+cols*cols {
			t.Errorf("%d styles", n)
		}
		var s Screen
		for i := 0; i < lines-4; i += 97 {
			e.View(&s, e.HistoryLen()-i)
			for x, c := range s.Row(0)[:cols-1] {
				if want := ColorRGB | Color(i>>8<<16|i&255<<8|x); c.FG != want {
					t.Fatalf("line %d column %d is %x, not %x", i, x, c.FG, want)
				}
			}
		}
	}
	check()
	for range 3 {
		e.Resize(cols/2, 4)
		e.Resize(cols, 4)
	}
	check()
}

// TestScrollingBackKeepsNoStyles: a walk through a history in colours of its own leaves
// no more of them than a screen has beyond what is collected.
func TestScrollingBackKeepsNoStyles(t *testing.T) {
	const lines, cols, rows = 2000, 80, 24
	e := New(Options{Cols: cols, Rows: rows})
	for i := range lines {
		for x := range cols - 1 {
			fmt.Fprintf(e, "\x1b[38;2;%d;%d;%dmx", i>>8, i&255, x)
		}
		fmt.Fprint(e, "\r\n")
	}
	var s Screen
	for back := range e.HistoryLen() {
		e.View(&s, back)
		if n := len(e.styles.list); n > stylesAt+rows*cols {
			t.Fatalf("%d styles, %d lines back", n, back)
		}
	}
	if n := len(e.styles.index); n > 8*stylesAt {
		t.Errorf("an index of %d", n)
	}
}

// TestStylesGiveRoomBack: what many styles took is given back when they are gone, and
// numbers that are left stay.
func TestStylesGiveRoomBack(t *testing.T) {
	table := newStyleTable()
	color := func(i int) style { return style{fg: ColorRGB | Color(i)} }
	for i := range 40 * stylesAt {
		table.add(color(i))
	}
	live := newBits(len(table.list))
	kept, _ := table.find(color(1000))
	live.set(kept)
	table.sweep(live)
	if table.used() != 2 || len(table.list) != int(kept)+1 || cap(table.list) > 4*stylesAt || cap(table.free) > 4*stylesAt || len(table.index) > 8*stylesAt {
		t.Errorf("%d in use of %d, room for %d, %d free ones, %d in the index", table.used(), len(table.list), cap(table.list), cap(table.free), len(table.index))
	}
	if id, _ := table.find(color(1000)); id != kept {
		t.Errorf("number %d has become %d", kept, id)
	}
	if id, _ := table.find(color(1001)); id != noStyle {
		t.Errorf("a style that is gone has number %d", id)
	}
	if id := table.add(color(1001)); id == kept || int(id) > int(kept) {
		t.Errorf("a new one is number %d", id)
	}
}
