package db_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"reprise/agent"
	"reprise/db"
)

// What SQLite says of a disk that is full, or that can only be read, is told from
// all other errors; nothing of what was saved is lost, and it works again when the
// cause is gone.
func TestUnsaved(t *testing.T) {
	for name, c := range map[string]struct{ on, off, why string }{
		"full":      {`PRAGMA max_page_count = 1`, `PRAGMA max_page_count = 1000000`, "is full"},
		"read-only": {`PRAGMA query_only = 1`, `PRAGMA query_only = 0`, "cannot be written"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.begin("t", "s1")
			must(w.OpenWorkspace(w.ctx, "x", w.dir, w.inst))(t)
			w.must(w.SaveLayout(w.ctx, "x", w.inst, []byte("a layout")))
			w.must(db.Exec(w.ctx, w.DB, c.on))
			var err error
			for n := 0; n < 10_000 && err == nil; n++ { // some room is left in the file
				err = w.AddNote(w.ctx, agent.Note{At: at(1), What: "message", Why: fmt.Sprintf("%1000d", n)})
			}
			var u agent.Unsaved
			if !errors.As(err, &u) {
				t.Fatalf("no Unsaved: %v", err)
			}
			if why, todo := u.Unsaved(); !strings.Contains(why, c.why) || todo == "" {
				t.Errorf("%q, %q", why, todo)
			}
			if err := w.SaveLayout(w.ctx, "x", w.inst, make([]byte, 1<<18)); !errors.As(err, &u) {
				t.Errorf("a layout: %v", err)
			}
			if ws := must(w.Workspace(w.ctx, "x"))(t); string(ws.Layout) != "a layout" {
				t.Errorf("the layout is %q", ws.Layout)
			}
			if rec := must(w.Pane(w.ctx, "pane-t"))(t); rec.Binding == nil || rec.Binding.Session != "s1" {
				t.Errorf("the pane: %+v", rec)
			}
			w.must(db.Exec(w.ctx, w.DB, c.off))
			w.must(w.SaveLayout(w.ctx, "x", w.inst, []byte("two")))
			w.end("t", agent.TerminalExited, false, 10)
			if !w.candidates()["t"] {
				t.Error("it is no candidate")
			}
		})
	}
}

func TestUnsavedByTheSystem(t *testing.T) {
	for err, is := range map[error]bool{
		&fs.PathError{Op: "write", Path: "x", Err: unix.ENOSPC}: true,
		&fs.PathError{Op: "open", Path: "x", Err: unix.EROFS}:   true,
		&fs.PathError{Op: "open", Path: "x", Err: unix.EACCES}:  true,
		&fs.PathError{Op: "open", Path: "x", Err: unix.ENOENT}:  false,
		fmt.Errorf("wait: %w", context.DeadlineExceeded):        false,
		db.ErrNoTerminal: false,
	} {
		var u agent.Unsaved
		if got := errors.As(db.Unsaved(err), &u); got != is || !errors.Is(db.Unsaved(err), err) {
			t.Errorf("%v: %v, want %v", err, got, is)
		}
	}
	if db.Unsaved(nil) != nil {
		t.Error("no error became one")
	}
}
