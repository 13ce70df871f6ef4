package db_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"reprise/db"
	"reprise/testdata/lab"
)

func TestOpenMakesPrivateFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "state ?#%41 é") // a path that a careless DSN breaks
	w := join(t, dir)
	w.dead("t", "s1")
	if w.SetAside != "" || w.Dir() != dir {
		t.Errorf("set aside %q, dir %q", w.SetAside, w.Dir())
	}
	w.must(db.Spool(dir, event("t", "", 1)))
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		w.must(err)
		info, err := e.Info()
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		return err
	})
	w.must(err)
	if _, err := os.Stat(filepath.Join(dir, db.File)); err != nil {
		t.Error(err)
	}
}

func TestSettingsOfTheConnections(t *testing.T) {
	w := newWorld(t)
	for pragma, want := range map[string]int{"foreign_keys": 1, "synchronous": 2, "busy_timeout": 5000} {
		if n, err := db.CountWriting(w.ctx, w.DB, "PRAGMA "+pragma); err != nil || n != want {
			t.Errorf("%s is %d (%v), want %d", pragma, n, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(w.dir, db.File+"-wal")); err != nil {
		t.Errorf("no write-ahead log: %v", err)
	}
}

func TestOpenAgainFindsAll(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.must(w.Close())
	again := join(t, w.dir)
	if !again.candidates()["t"] {
		t.Error("the candidate is lost")
	}
}

func TestDamagedDatabaseIsSetAside(t *testing.T) {
	page := func(b []byte, n int) []byte { return b[n*4096 : (n+1)*4096] }
	cases := map[string]func(b []byte) []byte{
		"text":           func([]byte) []byte { return []byte(strings.Repeat("not a database\n", 1000)) },
		"short":          func(b []byte) []byte { return b[:60] },
		"cut":            func(b []byte) []byte { return b[:len(b)/2] },
		"header":         func(b []byte) []byte { copy(b, "garbage garbage "); return b },
		"root page":      func(b []byte) []byte { copy(page(b, 0)[100:], bytes.Repeat([]byte{0xff}, 3900)); return b },
		"a table's page": func(b []byte) []byte { copy(page(b, 2), bytes.Repeat([]byte{0xa5}, 4096)); return b },
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.dead("t", "s1")
			w.must(w.Close())
			path := filepath.Join(w.dir, db.File)
			w.must(os.WriteFile(path, spoil(must(os.ReadFile(path))(t)), 0o600))
			w.must(os.WriteFile(path+"-wal", []byte("old log"), 0o600))
			damaged := must(os.ReadFile(path))(t)

			again := join(t, w.dir)
			if again.SetAside != "reprise.db.damaged-1" {
				t.Fatalf("set aside as %q", again.SetAside)
			}
			if kept := must(os.ReadFile(filepath.Join(w.dir, again.SetAside)))(t); !bytes.Equal(kept, damaged) {
				t.Error("what was set aside is not what was there")
			}
			if len(again.candidates()) != 0 {
				t.Error("not started empty")
			}
			again.dead("u", "s2")
			again.must(again.Close())

			w.must(os.WriteFile(path, []byte(strings.Repeat("x", 5000)), 0o600))
			if third := join(t, w.dir); third.SetAside != "reprise.db.damaged-2" {
				t.Errorf("the second time set aside as %q", third.SetAside)
			}
		})
	}
}

func TestDatabaseOfAnotherProgramIsSetAside(t *testing.T) {
	w := newWorld(t)
	w.must(db.Exec(w.ctx, w.DB, `PRAGMA application_id = 7`))
	w.must(w.Close())
	if again := open(t, w.dir, db.Options{}); again.SetAside == "" {
		t.Error("taken for ours")
	}
}

func TestEmptyFileIsANewDatabase(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, db.File), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if w := join(t, dir); w.SetAside != "" {
		t.Errorf("set aside as %q", w.SetAside)
	}
	if info, err := os.Stat(filepath.Join(dir, db.File)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.must(db.Exec(w.ctx, w.DB, `PRAGMA user_version = 99`))
	w.must(w.Close())
	_, err := db.Open(w.ctx, w.dir, db.Options{})
	var newer *db.NewerError
	if !errors.Is(err, db.ErrNewer) || !errors.As(err, &newer) || newer.Version != 99 {
		t.Fatalf("%v", err)
	}
	if !strings.Contains(err.Error(), "Update reprise") {
		t.Errorf("it does not say what to do: %v", err)
	}
	if names := must(filepath.Glob(filepath.Join(w.dir, "*damaged*")))(t); len(names) != 0 {
		t.Errorf("set aside: %v", names)
	}
}

func TestNotAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, db.File), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Open(t.Context(), dir, db.Options{}); err == nil || !strings.Contains(err.Error(), "open database") {
		t.Errorf("%v", err)
	}
}

// For root nothing is unreadable: another process looks, as somebody else.
func TestUnreadableDatabase(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "open.lock"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, db.File), nil, 0o000); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		_, err := db.Open(t.Context(), dir, db.Options{})
		wantUnreadable(t, err)
		return
	}
	cmd := helper(t, "open", dir)
	exe := filepath.Join(dir, "helper") // where somebody else may run it
	lab.WriteProgram(t, exe, must(os.ReadFile(os.Args[0]))(t), 0o755)
	cmd.Path = exe
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = errors.New(string(out))
	}
	wantUnreadable(t, err)
}

func wantUnreadable(t *testing.T, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "cannot be opened. Make it yours") {
		t.Errorf("%v", err)
	}
}

func TestMigrationKeepsACopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), db.File)
	one, two := `CREATE TABLE a (x TEXT) STRICT; INSERT INTO a VALUES ('kept')`, `ALTER TABLE a ADD COLUMN y TEXT`
	if err := db.Migrate(t.Context(), path, []string{one}); err != nil {
		t.Fatal(err)
	}
	if err := db.Migrate(t.Context(), path, []string{one, `NONSENSE`}); err == nil {
		t.Fatal("a broken migration is no error")
	}
	for range 2 { // the second time there is nothing to do
		if err := db.Migrate(t.Context(), path, []string{one, two}); err != nil {
			t.Fatal(err)
		}
	}
	copies := must(filepath.Glob(path + ".schema-1-*"))(t)
	if len(copies) != 2 { // one of the try that failed
		t.Fatalf("copies: %v", copies)
	}
	for file, columns := range map[string]int{path: 2, copies[1]: 1} {
		n, err := db.CountIn(t.Context(), file, `SELECT count(*) FROM pragma_table_info('a') WHERE (SELECT x FROM a) = 'kept'`)
		if err != nil || n != columns {
			t.Errorf("%s has %d columns (%v), want %d", filepath.Base(file), n, err, columns)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", file, info.Mode(), err)
		}
	}
	if err := db.Migrate(t.Context(), path, []string{one}); !errors.Is(err, db.ErrNewer) {
		t.Errorf("an older program: %v", err)
	}
}

func TestOpenAtTheSameTime(t *testing.T) {
	for _, before := range []string{"", strings.Repeat("damaged", 1000)} {
		dir := t.TempDir()
		if before != "" {
			if err := os.WriteFile(filepath.Join(dir, db.File), []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var wait sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			wait.Go(func() {
				d, err := db.Open(t.Context(), dir, db.Options{})
				if err == nil {
					err = d.Close()
				}
				errs[i] = err
			})
		}
		wait.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
		if names := must(filepath.Glob(filepath.Join(dir, "*damaged-?")))(t); (len(names) == 1) != (before != "") {
			t.Errorf("set aside: %v", names)
		}
	}
}

// A new database is there whole or not at all.
func TestNewDatabaseAfterAStartThatWasCutShort(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, db.File+".new"), []byte("half a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Its log is left of a database that was removed.
	before, err := db.Open(t.Context(), dir, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := before.Register(t.Context(), "build"); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(dir, db.File+"-wal"))
	if err != nil || len(log) == 0 {
		t.Fatalf("no log: %v", err)
	}
	if err := errors.Join(before.Close(), os.Remove(filepath.Join(dir, db.File)), os.WriteFile(filepath.Join(dir, db.File+"-wal"), log, 0o600)); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), dir, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := d.Builds(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("the new database has instances: %q, %v", all, err)
	}
	if _, err := d.Register(t.Context(), "build"); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, db.File+".new*")); len(left) != 0 || d.SetAside != "" {
		t.Errorf("left behind: %q, set aside: %q", left, d.SetAside)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
