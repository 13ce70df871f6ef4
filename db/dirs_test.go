package db_test

import (
	"slices"
	"testing"

	"reprise/panes"
)

// Each directory once, by what was started there last.
func TestDirs(t *testing.T) {
	w := newWorld(t)
	for i, dir := range []string{"/a", "/b", "/a", "/c", "/b"} {
		term := w.record(panes.TerminalID("t-" + string(rune('0'+i))))
		term.Dir = dir
		w.must(w.Begin(w.ctx, term, nil))
	}
	if got, want := must(w.Dirs(w.ctx, 10))(t), []string{"/b", "/c", "/a"}; !slices.Equal(got, want) {
		t.Errorf("directories %q, want %q", got, want)
	}
	if got := must(w.Dirs(w.ctx, 2))(t); len(got) != 2 {
		t.Errorf("%d directories, want 2", len(got))
	}
}
