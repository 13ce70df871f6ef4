package db_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/db"
)

func TestWorkspaceOfADirectory(t *testing.T) {
	w := newWorld(t)
	real := filepath.Join(w.dir, "src", "api")
	twin := filepath.Join(w.dir, "other", "api")
	for _, d := range []string{real, twin} {
		w.must(os.MkdirAll(d, 0o700))
	}
	link := filepath.Join(w.dir, "link")
	w.must(os.Symlink(real, link))

	first := must(w.OpenWorkspace(w.ctx, "", link, w.inst))(t)
	if first.Name != "api" || first.Dir != must(filepath.EvalSymlinks(real))(t) || first.Layout != nil || !first.Live {
		t.Errorf("%+v", first)
	}
	w.must(w.SaveLayout(w.ctx, "api", w.inst, []byte(`{"v":1}`)))
	second := must(w.OpenWorkspace(w.ctx, "", twin, w.inst))(t)
	if second.Name != "api-2" || second.Layout != nil {
		t.Errorf("another directory of the same base: %+v", second)
	}
	again := must(w.OpenWorkspace(w.ctx, "", real, w.inst))(t)
	if again.Name != "api" || string(again.Layout) != `{"v":1}` || !bytes.Equal(again.Layout, again.Previous) {
		t.Errorf("found again: %+v", again)
	}
	if root := must(w.OpenWorkspace(w.ctx, "", "/", w.inst))(t); root.Name != "root" {
		t.Errorf("of /: %q", root.Name)
	}
	all := must(w.Workspaces(w.ctx))(t)
	if len(all) != 3 || all[0].Name != "api" || all[1].Name != "api-2" || !all[0].Live || all[0].PID == 0 {
		t.Errorf("%+v", all)
	}
}

func TestWorkspaceNames(t *testing.T) {
	w := newWorld(t)
	for name, want := range map[string]string{
		"plain": "plain", "a b": "a b", "x\x1b[31m\n": "x [31m ", strings.Repeat("n", 100): strings.Repeat("n", 64),
	} {
		if ws := must(w.OpenWorkspace(w.ctx, name, w.dir, w.inst))(t); ws.Name != want {
			t.Errorf("%q became %q", name, ws.Name)
		}
	}
	for _, name := range []string{".", "/"} {
		if _, err := w.OpenWorkspace(w.ctx, name, w.dir, w.inst); err == nil {
			t.Errorf("a workspace is named %q", name)
		}
	}
}

// Another workspace is named by its directory: by a name that no workspace has, not even
// the directory's own, and that can be opened.
func TestNameOfAnotherWorkspace(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ dir, want string }{
		{"/", "root"},
		{"/", "root-2"},
		{filepath.Join(w.dir, "api"), "api"},
		{filepath.Join(w.dir, "other", "api"), "api-2"},
		{filepath.Join(w.dir, "api"), "api-3"},
		{filepath.Join(w.dir, strings.Repeat("漢", 30)), strings.Repeat("漢", (db.MaxName-8)/3)},
		{filepath.Join(w.dir, strings.Repeat("漢", 30)), strings.Repeat("漢", (db.MaxName-8)/3) + "-2"},
	} {
		name := must(w.UnusedName(w.ctx, c.dir))(t)
		if name != c.want {
			t.Errorf("%s: %q, want %q", c.dir, name, c.want)
		}
		if got := must(w.OpenWorkspace(w.ctx, name, c.dir, w.inst))(t).Name; got != name {
			t.Errorf("%s: opened as %q", c.dir, got)
		}
		w.must(w.Release(w.ctx, name, w.inst))
	}
}

func TestWorkspaceIsOpenOnce(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.dir, "api")
	w.must(os.Mkdir(dir, 0o700))
	must(w.OpenWorkspace(w.ctx, "", dir, w.inst))(t)
	w.must(w.SaveLayout(w.ctx, "api", w.inst, []byte("one")))

	other := join(t, w.dir)
	_, err := other.OpenWorkspace(w.ctx, "", dir, other.inst)
	var owned *db.OwnedError
	if !errors.Is(err, db.ErrOwned) || !errors.As(err, &owned) || owned.Name != "api" || owned.PID != os.Getpid() {
		t.Fatalf("%v", err)
	}
	if err := other.SaveLayout(w.ctx, "api", other.inst, []byte("two")); !errors.Is(err, db.ErrNotOwner) {
		t.Errorf("layout of another's workspace: %v", err)
	}
	if err := other.Release(w.ctx, "api", other.inst); !errors.Is(err, db.ErrNotOwner) {
		t.Errorf("release of another's workspace: %v", err)
	}
	name := must(other.FreeName(w.ctx, "api", dir))(t)
	if name != "api-2" {
		t.Fatalf("free name %q", name)
	}
	must(other.OpenWorkspace(w.ctx, name, dir, other.inst))(t)
	w.must(other.SaveLayout(w.ctx, name, other.inst, []byte("two")))

	// The second one of the directory is saved like any other.
	w.must(other.Release(w.ctx, name, other.inst))
	third := join(t, w.dir)
	if name = must(third.FreeName(w.ctx, "api", dir))(t); name != "api-2" {
		t.Errorf("free name %q", name)
	}
	if ws := must(third.OpenWorkspace(w.ctx, name, dir, third.inst))(t); string(ws.Layout) != "two" {
		t.Errorf("%+v", ws)
	}

	// A dead owner's is taken over, also while someone sweeps the owner.
	w.begin("t", "s1")
	w.die()
	dead, release, err := third.Dead(w.ctx)
	if err != nil || len(dead) != 1 {
		t.Fatal(dead, err)
	}
	defer release()
	ws, err := other.OpenWorkspace(w.ctx, "", dir, other.inst)
	if err != nil || ws.Name != "api" || string(ws.Layout) != "one" || ws.Owner != other.inst {
		t.Errorf("%+v %v", ws, err)
	}
}

func TestSaveLayout(t *testing.T) {
	w := newWorld(t)
	must(w.OpenWorkspace(w.ctx, "x", w.dir, w.inst))(t)
	w.must(w.SaveLayout(w.ctx, "x", w.inst, []byte("one")))
	if err := w.SaveLayout(w.ctx, "x", w.inst, nil); !errors.Is(err, db.ErrEmptyLayout) {
		t.Errorf("nothing over a layout: %v", err)
	}
	if err := w.SaveLayout(w.ctx, "x", w.inst, make([]byte, db.MaxLayout+1)); err == nil {
		t.Error("a huge layout was saved")
	}
	w.must(w.Release(w.ctx, "x", w.inst))
	if err := w.SaveLayout(w.ctx, "x", w.inst, []byte("two")); !errors.Is(err, db.ErrNotOwner) {
		t.Errorf("after its release: %v", err)
	}
	ws := must(w.OpenWorkspace(w.ctx, "x", w.dir, w.inst))(t)
	w.must(w.SaveLayout(w.ctx, "x", w.inst, []byte("two")))
	if string(ws.Layout) != "one" {
		t.Errorf("%+v", ws)
	}
	if ws := must(w.Workspace(w.ctx, "x"))(t); string(ws.Layout) != "two" || string(ws.Previous) != "one" || !ws.Live {
		t.Errorf("layout %q, previous %q, live %v", ws.Layout, ws.Previous, ws.Live)
	}
	if _, err := w.Workspace(w.ctx, "y"); !errors.Is(err, db.ErrNoWorkspace) {
		t.Errorf("%v", err)
	}
}
