package db_test

import (
	"testing"

	"reprise/db"
)

// What a start writes before its first launch does not wait for the disk; whatever is
// written later does.
func TestWritesWaitForTheDiskAgain(t *testing.T) {
	w := newWorld(t)
	full := func(after string) {
		t.Helper()
		n, err := db.CountWriting(w.ctx, w.DB, `PRAGMA synchronous`)
		w.must(err)
		const FULL = 2 // sqlite.org/pragma.html#pragma_synchronous
		if n != FULL {
			t.Errorf("%s: synchronous is %d, want %d", after, n, FULL)
		}
	}
	full("a new database")
	if _, err := w.OpenWorkspace(w.ctx, "soon", t.TempDir(), w.inst); err != nil {
		t.Fatal(err)
	}
	full("a workspace was opened")
	w.must(w.SaveLayoutSoon(w.ctx, "soon", w.inst, []byte(`{}`)))
	full("a layout was saved before a launch")
	if err := w.SaveLayoutSoon(w.ctx, "soon", "another", []byte(`{}`)); err == nil {
		t.Fatal("a layout was saved for who does not own it")
	}
	full("one was refused")
}
