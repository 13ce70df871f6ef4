package db_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/db"
)

// contents is every file of a folder but SQLite's shared memory, which readers mark.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, "-shm") {
			return err
		}
		b, err := os.ReadFile(path)
		all[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestInspectChangesNothing(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	if r, err := db.Inspect(t.Context(), none); err != nil || r.Exists || r.Known == 0 {
		t.Errorf("of no folder: %+v, %v", r, err)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("it made the folder")
	}

	w := newWorld(t)
	w.dead("t", "s1")
	w.must(db.Spool(w.dir, event("t", "", 1)))
	inspect := func(when string) {
		t.Helper()
		r, err := db.Inspect(w.ctx, w.dir)
		w.must(err)
		if !r.Exists || r.Bytes == 0 || r.Schema != r.Known || r.Damage != "" {
			t.Errorf("%s: %+v", when, r)
		}
		if r.Candidates != 1 || r.Hooks != 1 || r.Claims != 0 || r.Unsure != 0 || r.Ending != 0 {
			t.Errorf("%s, unsettled: %+v", when, r)
		}
	}
	inspect("in use")
	if !w.candidates()["t"] {
		t.Error("the one that uses it lost something")
	}
	w.must(w.Close())
	before := contents(t, w.dir)
	inspect("closed")
	if diff := cmp.Diff(before, contents(t, w.dir)); diff != "" {
		t.Errorf("it changed the folder: %s", diff)
	}
}

func TestInspectNamesDamage(t *testing.T) {
	w := newWorld(t)
	w.must(w.Close())
	path := filepath.Join(w.dir, db.File)
	w.must(os.WriteFile(path, []byte(strings.Repeat("x", 5000)), 0o600))
	w.must(os.WriteFile(path+".damaged-1", nil, 0o600))
	w.must(os.WriteFile(path+".damaged-1-wal", nil, 0o600))
	r, err := db.Inspect(w.ctx, w.dir)
	w.must(err)
	if r.Damage == "" || !cmp.Equal(r.Aside, []string{"reprise.db.damaged-1"}) {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(path); len(b) != 5000 {
		t.Error("it changed the damaged file")
	}
}
