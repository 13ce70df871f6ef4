package panes_test

import (
	"testing"

	"reprise/panes"
)

func TestWatch(t *testing.T) {
	var w panes.Watch
	w.Wake() // of nobody
	a, stop := w.Subscribe()
	b, _ := w.Subscribe()
	woken := func(ch <-chan struct{}) (n int) {
		for {
			select {
			case <-ch:
				n++
			default:
				return n
			}
		}
	}
	w.Wake()
	w.Wake()
	if a, b := woken(a), woken(b); a != 1 || b != 1 {
		t.Errorf("two wakes are %d and %d signals, want one each", a, b)
	}
	stop()
	stop()
	w.Wake()
	if a, b := woken(a), woken(b); a != 0 || b != 1 {
		t.Errorf("after one has left, there are %d and %d signals, want 0 and 1", a, b)
	}
}
