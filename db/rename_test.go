package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

func TestUseOfAWorkspace(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"a", "b", "c"} {
		must(w.OpenWorkspace(w.ctx, name, w.dir, w.inst))(t)
	}
	w.must(w.SaveLayout(w.ctx, "b", w.inst, []byte("a layout")))
	w.must(w.MarkUsed(w.ctx, "b", w.inst, "pane-1", at(10)))
	w.must(w.MarkUsed(w.ctx, "b", w.inst, "", at(20)))
	w.must(w.MarkUsed(w.ctx, "a", w.inst, "pane-2", at(15)))
	other := join(t, w.dir)
	if err := other.MarkUsed(w.ctx, "c", other.inst, "pane-3", at(30)); !errors.Is(err, db.ErrNotOwner) {
		t.Errorf("another's workspace: %v", err)
	}
	for i, want := range []db.Workspace{
		{Name: "a", Focus: "pane-2", Used: at(15)}, {Name: "b", Focus: "pane-1", Used: at(20)}, {Name: "c"},
	} {
		got := must(other.Workspaces(w.ctx))(t)[i]
		if got.Name != want.Name || got.Focus != want.Focus || !got.Used.Equal(want.Used) || !got.Live || got.PID != os.Getpid() || got.Layout != nil {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if again := must(w.OpenWorkspace(w.ctx, "b", w.dir, w.inst))(t); again.Focus != "pane-1" || !again.Used.Equal(at(20)) || again.Layout == nil {
		t.Errorf("opened: %+v", again)
	}
}

// inWorkspace opens a workspace and begins a terminal in it, in a pane that is
// named after it.
func (w *world) inWorkspace(name string, id panes.TerminalID, session agent.SessionID) {
	w.Helper()
	must(w.OpenWorkspace(w.ctx, name, w.dir, w.inst))(w)
	w.begin(id, session)
	w.must(db.Exec(w.ctx, w.DB, `UPDATE panes SET workspace = ? WHERE id = ?`, name, "pane-"+string(id)))
}

func TestRenameWorkspace(t *testing.T) {
	w := newWorld(t)
	w.inWorkspace("old", "t", "s1")
	must(w.OpenWorkspace(w.ctx, "taken", w.dir, w.inst))(t)
	w.must(w.SaveLayout(w.ctx, "old", w.inst, []byte("a layout")))
	other := join(t, w.dir)
	for name, c := range map[string]struct {
		by       *world
		from, to string
		want     error
	}{
		"of another process": {other, "old", "new", db.ErrOwned},
		"taken":              {w, "old", "taken", db.ErrNameTaken},
		"not there":          {w, "nobody", "new", db.ErrNoWorkspace},
	} {
		if err := c.by.RenameWorkspace(w.ctx, c.from, c.to, c.by.inst); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	for _, bad := range []string{"", ".", "/", "new\nline", "\x1b]2;x", "\xff", strings.Repeat("x", db.MaxName+1)} {
		if err := w.RenameWorkspace(w.ctx, "old", bad, w.inst); !errors.Is(err, db.ErrBadName) {
			t.Errorf("renamed to %q: %v", bad, err)
		}
	}
	w.must(w.RenameWorkspace(w.ctx, "old", "old", w.inst))
	name := "new " + strings.Repeat("x", db.MaxName-4)
	w.must(w.RenameWorkspace(w.ctx, "old", name, w.inst))
	if ws := must(w.Workspace(w.ctx, name))(t); string(ws.Layout) != "a layout" || ws.Owner != w.inst {
		t.Errorf("%+v", ws)
	}
	w.must(w.SaveLayout(w.ctx, name, w.inst, []byte("two")))
	if _, err := w.Workspace(w.ctx, "old"); !errors.Is(err, db.ErrNoWorkspace) {
		t.Errorf("the old one: %v", err)
	}
	h := must(w.Holders(w.ctx, agent.Identity{Kind: "claude", Home: "/home/.claude", Session: "s1"}))(t)
	if len(h) != 1 || h[0].Workspace != name {
		t.Errorf("its panes: %+v", h)
	}
}

func TestRemoveWorkspace(t *testing.T) {
	for name, c := range map[string]struct {
		end   func(w *world) // of terminal t, session s1
		holds bool
	}{
		"it lives":  {func(*world) {}, true},
		"candidate": {func(w *world) { w.end("t", agent.TerminalExited, false, 10) }, true},
		"claimed": {func(w *world) {
			w.end("t", agent.TerminalExited, false, 10)
			w.claim("t")
		}, true},
		"resumed, and a candidate again": {func(w *world) {
			w.end("t", agent.TerminalExited, false, 10)
			w.resume("t", "t2")
			w.end("t2", agent.TerminalExited, false, 30)
		}, true},
		"resumed, and quit": {func(w *world) {
			w.end("t", agent.TerminalExited, false, 10)
			w.resume("t", "t2")
			w.end("t2", agent.Detached, false, 30)
		}, false},
		"perhaps quit": {func(w *world) { w.end("t", agent.Detached, true, 10) }, true},
		"quit":         {func(w *world) { w.end("t", agent.Detached, false, 10) }, false},
		"ended by a person": {func(w *world) {
			must(w.Dispose(w.ctx, "t", at(10)))(w)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.inWorkspace("x", "t", "s1")
			w.inWorkspace("other", "u", "s2")
			c.end(w)
			kept := w.candidates()
			err := w.RemoveWorkspace(w.ctx, "x", w.inst, false)
			var holds *db.HoldsError
			if got := errors.Is(err, db.ErrHolds) && errors.As(err, &holds) && holds.Sessions == 1; got != c.holds || !c.holds && err != nil {
				t.Fatalf("removed: %v", err)
			}
			if c.holds {
				must(w.Workspace(w.ctx, "x"))(t)
				if err := join(t, w.dir).RemoveWorkspace(w.ctx, "x", "another", true); !errors.Is(err, db.ErrOwned) {
					t.Errorf("by another process: %v", err)
				}
				w.must(w.RemoveWorkspace(w.ctx, "x", w.inst, true))
			}
			if _, err := w.Workspace(w.ctx, "x"); !errors.Is(err, db.ErrNoWorkspace) {
				t.Errorf("it is still there: %v", err)
			}
			if n, err := db.Count(w.ctx, w.DB, `SELECT count(*) FROM panes`); err != nil || n != 1 {
				t.Errorf("%d panes (%v), want the other's", n, err)
			}
			if got := w.candidates(); len(got) != len(kept) {
				t.Errorf("candidates %v, were %v", got, kept)
			}
			if err := w.RemoveWorkspace(w.ctx, "x", w.inst, true); !errors.Is(err, db.ErrNoWorkspace) {
				t.Errorf("removed twice: %v", err)
			}
		})
	}
}

// A database of the first schema is migrated, after a copy beside it, and has what
// it had.
func TestMigrationFromTheFirstSchema(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, db.File)
	first := must(os.ReadFile("migrations/001_initial.sql"))(t)
	if err := errors.Join(db.Migrate(t.Context(), path, []string{string(first)}), db.ExecIn(t.Context(), path, `
		INSERT INTO instances VALUES ('i', 'build', 1, 2, 'boot', 0);
		INSERT INTO terminals VALUES ('t', 'p', '/src', '["claude"]', '[]', 'n', 1, 2, 'boot', 'i', 1, 'exited', NULL, NULL, 1, 2, NULL);
		INSERT INTO bindings (terminal_id, kind, home, session_id, prompted, first_failed, dir, flags, env, started_at, ended_at, end_reason, attempts)
			VALUES ('t', 'claude', '', 's1', 1, 0, '/src', '[]', '[]', 1, 2, 'terminal-exited', 0);
		INSERT INTO workspaces VALUES ('x', '/src', 1, 'i', CAST('a layout' AS BLOB), NULL);
		INSERT INTO panes VALUES ('p', 't', 'x')`)); err != nil {
		t.Fatal(err)
	}
	w := join(t, dir, db.Options{Kinds: keepers{"claude": "/.claude"}})
	if n := must(db.Count(w.ctx, w.DB, `SELECT count(*) FROM stores WHERE kind = 'claude' AND home = '' AND store = '/.claude'`))(t); n != 1 {
		t.Error("where its conversations lie is not known")
	}
	rec := must(w.Pane(w.ctx, "p"))(t)
	if !rec.Candidate || rec.Terminal.ID != "t" || rec.Binding.Session != "s1" {
		t.Errorf("the pane: %+v", rec)
	}
	ws := must(w.Workspace(w.ctx, "x"))(t)
	if string(ws.Layout) != "a layout" || ws.Focus != "" || !ws.Used.IsZero() {
		t.Errorf("the workspace: %+v", ws)
	}
	copies := must(filepath.Glob(path + ".schema-1-*"))(t)
	if len(copies) != 1 {
		t.Fatalf("copies: %v", copies)
	}
	for file, want := range map[string]int{path: 6, copies[0]: 1} {
		n, err := db.CountIn(t.Context(), file, `SELECT user_version FROM pragma_user_version WHERE (SELECT count(*) FROM panes) = 1`)
		if err != nil || n != want {
			t.Errorf("%s has schema %d (%v), want %d", filepath.Base(file), n, err, want)
		}
	}
}
