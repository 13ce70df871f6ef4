package vt

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// FuzzWrite feeds bytes, resizing where the low bits of sizes say so, once in
// pieces and once byte by byte: the invariants must hold and both must be alike.
func FuzzWrite(f *testing.F) {
	for i := range 40 {
		f.Add(randomStream(rand.New(rand.NewPCG(uint64(i), 2)), 30), uint64(i)*0x9E3779B97F4A7C15)
	}
	for _, s := range pieces {
		f.Add([]byte(s), uint64(len(s)))
	}
	f.Add([]byte("x\x1b[9223372036854775807@\x1b[-5P\x1b[999999999I\x1b[9999999b"), uint64(3))
	f.Fuzz(func(t *testing.T, b []byte, sizes uint64) {
		if len(b) > 4096 {
			return
		}
		r := rand.New(rand.NewPCG(sizes, 3))
		o := Options{Cols: 1 + r.IntN(40), Rows: 1 + r.IntN(12), Scrollback: 30}
		e, oracle := New(o), newEmulator(o, newPlain)
		var s Screen
		for len(b) > 0 {
			n := min(len(b), 1+r.IntN(64))
			if m, err := e.Write(b[:n]); m != n || err != nil {
				t.Fatalf("Write took %d of %d: %v", m, n, err)
			}
			for i := range n {
				_, _ = oracle.Write(b[i : i+1])
			}
			b = b[n:]
			if r.IntN(4) == 0 {
				cols, rows := 1+r.IntN(40), 1+r.IntN(12)
				e.Resize(cols, rows)
				oracle.Resize(cols, rows)
			}
			if err := e.check(); err != nil {
				t.Fatal(err)
			}
			e.View(&s, r.IntN(40))
			if err := checkScreen(&s); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := e.dump(), oracle.dump(); a != b {
			t.Fatalf("%s\nplain, byte by byte:\n%s", a, b)
		}
	})
}

// checkScreen looks for what every user of a Screen relies on.
func checkScreen(s *Screen) error {
	if len(s.Cells) != s.Cols*s.Rows || len(s.Gen) != s.Rows || len(s.Wrapped) != s.Rows {
		return fmt.Errorf("%d cells, %d generations for %dx%d", len(s.Cells), len(s.Gen), s.Cols, s.Rows)
	}
	if c := s.Cursor; c.X < 0 || c.X >= s.Cols || c.Y < 0 || c.Y >= s.Rows {
		return fmt.Errorf("cursor %+v outside %dx%d", c, s.Cols, s.Rows)
	}
	for y := range s.Rows {
		if s.Gen[y] == 0 {
			return fmt.Errorf("row %d was not filled", y)
		}
		wide := false
		for x, c := range s.Row(y) {
			if wide != (c.Rune == 0) {
				return fmt.Errorf("cell %d,%d: %U behind wide %v", x, y, c.Rune, wide)
			}
			wide = c.Attr&Wide != 0
			if c.Rune >= ClusterBase && c.Rune <= ClusterEnd && int(c.Rune-ClusterBase) >= len(s.Clusters) {
				return fmt.Errorf("cell %d,%d: cluster %U of %d", x, y, c.Rune, len(s.Clusters))
			}
			if int(c.Link) >= len(s.Links) {
				return fmt.Errorf("cell %d,%d: link %d of %d", x, y, c.Link, len(s.Links))
			}
			if c.Rune != 0 && c.Rune < ' ' || c.Rune >= 0x7F && c.Rune < 0xA0 {
				return fmt.Errorf("cell %d,%d: control %U", x, y, c.Rune)
			}
		}
		if wide {
			return fmt.Errorf("row %d ends in half a character", y)
		}
	}
	return nil
}
