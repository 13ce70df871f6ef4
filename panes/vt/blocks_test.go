package vt

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestHistoryBlocks adds and takes away lines of all lengths and compares with a
// plain list, over many blocks.
func TestHistoryBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	const limit = 300
	h := newHistory(limit)
	var want [][]byte
	for step := range 60_000 {
		switch n := r.IntN(100); {
		case n < 70:
			l := bytes.Repeat([]byte{byte(step)}, 1+r.IntN(40)*r.IntN(40))
			if n == 0 {
				l = bytes.Repeat(l, 1+blockSize/len(l)) // larger than a block
			}
			h.add(packed(l))
			want = append(want, l)
		case n < 99 && len(want) > 0:
			last := len(want) - 1
			if got := h.pop(); !bytes.Equal(got, want[last]) {
				t.Fatalf("step %d: the newest is %d bytes of %x", step, len(got), got[:1])
			}
			want = want[:last]
		case n == 99 && r.IntN(100) == 0:
			h.clear()
			want = nil
		}
		for len(want) > h.len() {
			want = want[1:]
		}
		if len(want) != h.len() || h.len() > limit {
			t.Fatalf("step %d: %d lines, not %d", step, h.len(), len(want))
		}
		size := 0
		for i, l := range want {
			if size += len(l); step%97 == 0 && !bytes.Equal(h.at(i), l) {
				t.Fatalf("step %d: line %d differs", step, i)
			}
		}
		if size != h.bytes {
			t.Fatalf("step %d: %d bytes, not %d", step, h.bytes, size)
		}
		kept := 0
		for _, b := range h.blocks {
			kept += cap(b)
		}
		if kept > 2*size+4*blockSize {
			t.Fatalf("step %d: %d bytes are kept for %d", step, kept, size)
		}
	}
}
