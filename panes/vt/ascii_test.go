package vt

import "testing"

// TestASCIILen looks for each byte at each place of a run.
func TestASCIILen(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			p := []byte("~ abcdefghijklmnop ~")
			p[at] = byte(c)
			want := len(p)
			if c < 0x20 || c > 0x7E {
				want = at
			}
			if got := asciiLen(p); got != want {
				t.Fatalf("%#x at %d: %d, not %d", c, at, got, want)
			}
		}
	}
}
