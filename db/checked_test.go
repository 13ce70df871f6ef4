package db_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
)

// A start does not look through all that was: a database that was closed in order, and is
// as it was left, was looked through before. Any other is, before it is relied upon.
func TestADatabaseIsLookedThroughSeldom(t *testing.T) {
	db.Listen(t)
	w := newWorld(t)
	w.dead("t", "s1")
	w.must(w.Close())
	path := filepath.Join(w.dir, db.File)
	mark := path + ".checked"
	read := func(name string) []byte { return must(os.ReadFile(name))(t) }
	write := func(name string, b []byte) { t.Helper(); w.must(os.WriteFile(name, b, 0o600)) }
	// edited is the mark with another word in the place of one, counted from the end.
	edited := func(word string, behind int) {
		words := strings.Fields(string(read(mark)))
		words[len(words)-1-behind] = word
		write(mark, []byte(strings.Join(words, " ")+"\n"))
	}
	unix := func(ago time.Duration) string { return fmt.Sprint(time.Now().Add(-ago).Unix()) }
	for _, c := range []struct {
		what  string
		spoil func()
		looks int
	}{
		{"as it was left", func() {}, 0},
		{"once more", func() {}, 0},
		{"written anew, with the same in it", func() { write(path, read(path)) }, 1},
		{"as it was left then", func() {}, 0},
		{"another file of the same size and time", func() {
			st := must(os.Stat(path))(t)
			write(path+".copy", read(path))
			w.must(os.Chtimes(path+".copy", time.Time{}, st.ModTime()))
			w.must(os.Rename(path+".copy", path))
		}, 1},
		{"with a log", func() { write(path+"-wal", nil) }, 1},
		{"with a journal", func() { write(path+"-journal", nil) }, 1},
		{"with that gone", func() { w.must(os.Remove(path + "-journal")) }, 1},
		{"six days later", func() { edited(unix(6*24*time.Hour), 0) }, 0},
		{"eight days later", func() { edited(unix(8*24*time.Hour), 0) }, 1},
		{"looked through tomorrow", func() { edited(unix(-24*time.Hour), 0) }, 1},
		{"of another size", func() { edited("1", 2) }, 1},
		{"with no mark", func() { w.must(os.Remove(mark)) }, 1},
		{"with half a mark", func() { write(mark, read(mark)[:10]) }, 1},
		{"with a mark of noise", func() { write(mark, bytes.Repeat([]byte{0xff}, 99)) }, 1},
	} {
		c.spoil()
		before := db.Checks()
		first := join(t, w.dir)
		if n := db.Checks() - before; n != c.looks {
			t.Errorf("%s: looked through %d times, want %d", c.what, n, c.looks)
		}
		before = db.Checks()
		second := join(t, w.dir) // as another workspace of the same process does
		if n := db.Checks() - before; n != 0 {
			t.Errorf("%s: looked through for each that opens it", c.what)
		}
		w.must(first.Close())
		if !second.candidates()["t"] {
			t.Errorf("%s: what was in it is lost", c.what)
		}
		w.must(second.Close())
	}
	if left := must(filepath.Glob(filepath.Join(w.dir, ".*")))(t); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

// What is damaged at once after it was closed in order, with the same size, is found: also
// where the clock of files stands still for some milliseconds.
func TestDamageAtOnceAfterItWasClosed(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.must(w.Close())
	path, now := filepath.Join(w.dir, db.File), filepath.Join(w.dir, "now")
	w.must(os.WriteFile(now, nil, 0o600))
	if ahead := must(os.Stat(now))(t).ModTime().Sub(must(os.Stat(path))(t).ModTime()); ahead < time.Second/2 {
		t.Errorf("what changes it now may leave it with the same time: it is %v ahead", ahead)
	}
	f := must(os.OpenFile(path, os.O_RDWR, 0))(t)
	must(f.WriteAt(bytes.Repeat([]byte{0xa5}, 4096), 2*4096))(t)
	w.must(f.Close())
	if again := join(t, w.dir); again.SetAside == "" {
		t.Error("it is taken for sound")
	}
}

// A database that was found damaged, or that the disk did not take, while it was open is
// not vouched for when it is closed: what opens it next looks through it.
func TestADoubtedDatabaseIsLookedThrough(t *testing.T) {
	db.Listen(t)
	id := agent.Identity{Kind: "claude", Home: "/home/.claude", Session: "s1"}
	// spoil overwrites the root of the index by which sessions are found.
	spoil := func(w *world) {
		w.Helper()
		page := must(db.Count(w.ctx, w.DB, `SELECT rootpage FROM sqlite_schema WHERE name = 'bindings_session'`))(w)
		f := must(os.OpenFile(filepath.Join(w.dir, db.File), os.O_RDWR, 0))(w)
		must(f.WriteAt(bytes.Repeat([]byte{0xa5}, 4096), int64(page-1)*4096))(w)
		w.must(f.Close())
	}
	for name, c := range map[string]struct {
		meet    func(w *world) error
		damaged bool
	}{
		"read": {func(w *world) error {
			spoil(w)
			_, err := w.Holders(w.ctx, id)
			return err
		}, true},
		"read in a transaction": {func(w *world) error {
			spoil(w)
			_, err := w.Pane(w.ctx, "pane-t")
			return err
		}, true},
		"written": {func(w *world) error {
			spoil(w)
			_, err := w.BeginSole(w.ctx, w.record("u"), bind("u", "s1"))
			return err
		}, true},
		"not taken by the disk": {func(w *world) error {
			db.OnSync(w.DB, func(string) error { return errors.New("no") })
			b := bind("u", "s2")
			return w.Begin(w.ctx, w.record("u"), &b)
		}, false},
		"doubted by another process": {func(w *world) error {
			return errors.Join(os.WriteFile(filepath.Join(w.dir, db.File+".checked"), nil, 0o600), errors.New("it said"))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.dead("t", "s1")
			w.must(w.Close())
			w = &world{TB: t, DB: open(t, w.dir, db.Options{}), dir: w.dir, ctx: t.Context(), inst: w.inst}
			if err := c.meet(w); err == nil {
				t.Fatal("it met nothing")
			} else if db.Damaged(err) != c.damaged {
				t.Fatal(err)
			}
			w.must(w.Close())
			for looks := range 2 { // the first time alone
				before := db.Checks()
				again := open(t, w.dir, db.Options{})
				if n := db.Checks() - before; n != 1-looks {
					t.Errorf("looked through %d times, want %d", n, 1-looks)
				}
				if aside := again.SetAside != ""; aside != (c.damaged && looks == 0) {
					t.Errorf("set aside: %q", again.SetAside)
				}
				w.must(again.Close())
			}
		})
	}
}
