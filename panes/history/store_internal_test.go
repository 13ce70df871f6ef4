package history

import "testing"

// The folder is looked at when what was saved since may have reached the bound, not
// after each save.
func TestFolderIsLookedAtSeldom(t *testing.T) {
	var s spare
	looks := 0
	for range 1000 {
		if !s.take(1000) {
			looks++
			s.seen(160_000, 1_600_000)
		}
	}
	// The first finds it out; then a sixteenth of the bound may be saved each time.
	if looks != 10 {
		t.Errorf("%d looks at the folder for 1000 saves of a thousandth, want 10", looks)
	}
	s.seen(1_599_000, 1_600_000)
	if !s.take(1000) || s.take(1) {
		t.Error("the bound is passed without a look")
	}
}
