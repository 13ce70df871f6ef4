package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"golang.org/x/sys/unix"

	"reprise/panes"
	"reprise/panes/history"
)

const packFile = "first.pack"

// together is a store that keeps first saves in one file.
func together(t *testing.T, dir string) *history.Store {
	t.Helper()
	return history.NewStore(dir, history.Options{First: history.DefaultFirst})
}

func TestFirstSavesAreOneFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "h")
	s := together(t, dir)
	const all = 20
	for i := range all {
		save(t, s, panes.PaneID(fmt.Sprint("p", i)), fmt.Sprint("prompt ", i))
	}
	if got := names(t, dir); !slices.Equal(got, []string{packFile}) {
		t.Errorf("%d panes that were saved once have %v", all, got)
	}
	save(t, s, "p3", "more")
	save(t, together(t, dir), "p4", "more, of another process")
	if got := names(t, dir); !slices.Equal(got, []string{packFile, "p3.zst", "p4.zst"}) {
		t.Errorf("two were saved again: %v", got)
	}
	want := map[int]string{3: "more", 4: "more, of another process", 5: "", 6: "again"}
	if err := s.Remove("p5"); err != nil {
		t.Fatal(err)
	}
	save(t, s, "p6", "")
	save(t, s, "p6", "again")
	next := together(t, dir)
	for i := range all {
		should, changed := want[i]
		if !changed {
			should = fmt.Sprint("prompt ", i)
		}
		if got := text(t, next, panes.PaneID(fmt.Sprint("p", i))); got != should {
			t.Errorf("p%d: %q, want %q", i, got, should)
		}
	}
	if got := names(t, dir); len(got) != 3 {
		t.Errorf("in the end there are %v", got)
	}
	if info, err := os.Stat(filepath.Join(dir, packFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// A save that was cut short takes none of the others along, nor those after it.
func TestPackThatIsCutShort(t *testing.T) {
	dir := t.TempDir()
	s := together(t, dir)
	save(t, s, "a", "one")
	path := filepath.Join(dir, packFile)
	one, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, "b", "two")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if err := os.WriteFile(path, append(slices.Clone(whole[:n]), strings.Repeat("\x00", n%7)...), 0o600); err != nil {
			t.Fatal(err)
		}
		a := ""
		if n >= int(one.Size()) {
			a = "one"
		}
		save(t, s, "c", "three")
		if got := []string{text(t, s, "a"), text(t, s, "b"), text(t, s, "c")}; !slices.Equal(got, []string{a, "", "three"}) {
			t.Fatalf("cut at %d of %d: %q", n, len(whole), got)
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{packFile}) {
		t.Errorf("there are %v", got)
	}
}

func TestPackIsBounded(t *testing.T) {
	dir := t.TempDir()
	s := history.NewStore(dir, history.Options{First: history.DefaultFirst, TotalBytes: 16 << 10})
	save(t, s, "long", noise(1, 2*history.DefaultFirst))
	for i := range 40 {
		save(t, s, panes.PaneID(fmt.Sprint("p", i)), fmt.Sprint("prompt ", i))
	}
	files := names(t, dir)
	if !slices.Contains(files, "long.zst") || len(files) < 10 || len(files) > 35 {
		t.Errorf("there are %v", files)
	}
	if info, err := os.Stat(filepath.Join(dir, packFile)); err != nil || info.Size() > 1<<10 {
		t.Errorf("the pack has %d bytes (%v)", info.Size(), err)
	}
	if got := text(t, s, "p0") + text(t, s, "p39"); got != "prompt 0prompt 39" {
		t.Errorf("%q", got)
	}
}

// What a pane showed at first is not shown again when what it showed later had to go.
func TestTrimmedPaneIsForgotten(t *testing.T) {
	dir := t.TempDir()
	s := history.NewStore(dir, history.Options{First: history.DefaultFirst, TotalBytes: 16 << 10})
	save(t, s, "a", "first")
	for _, p := range []panes.PaneID{"a", "b", "c"} {
		save(t, s, p, noise(2, 10<<10))
	}
	if got := text(t, s, "a"); got != "" {
		t.Errorf("%.20q", got)
	}
}

func TestPrunePack(t *testing.T) {
	dir := t.TempDir()
	s := together(t, dir)
	for _, p := range []panes.PaneID{"kept", "closed", "grown", "blank"} {
		save(t, s, p, "first of "+string(p))
	}
	save(t, s, "grown", "more")
	path := filepath.Join(dir, packFile)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, "blank", "") // what it showed is not left behind
	if b, err := os.Stat(path); err != nil || b.Size() >= before.Size() {
		t.Errorf("%d bytes of %d are left (%v)", b.Size(), before.Size(), err)
	}
	all := func(p panes.PaneID) bool { return p != "closed" }
	if err := s.Prune(all); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || after.Size() > before.Size()/3 {
		t.Errorf("%d bytes of %d are left (%v)", after.Size(), before.Size(), err)
	}
	for p, want := range map[panes.PaneID]string{"kept": "first of kept", "closed": "", "grown": "more", "blank": ""} {
		if got := text(t, s, p); got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
	if err := s.Prune(all); err != nil {
		t.Fatal(err)
	}
	if again, err := os.Stat(path); err != nil || !os.SameFile(after, again) {
		t.Errorf("nothing was to be forgotten, and the file is another (%v)", err)
	}
	if err := s.Prune(func(panes.PaneID) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("of no pane there are %v", got)
	}
}

// Whatever stands where the pack should be: it is not followed, waited for or read whole,
// and panes are saved all the same.
func TestHostilePack(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"pipe":   func(path string) error { return unix.Mkfifo(path, 0o600) },
		"link":   func(path string) error { return os.Symlink("elsewhere", path) },
		"long":   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"noise":  func(path string) error { return os.WriteFile(path, []byte(noise(3, 1<<10)), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, packFile)
			if err := make(path); err != nil {
				t.Fatal(err)
			}
			if name == "long" {
				if err := os.Truncate(path, 1<<40); err != nil {
					t.Fatal(err)
				}
			}
			s := together(t, dir)
			if got := text(t, s, "p"); got != "" {
				t.Errorf("it has %q", got)
			}
			save(t, s, "p", "one")
			save(t, s, "q", "one")
			save(t, s, "q", "")
			if got := text(t, s, "p") + text(t, s, "q"); got != "one" {
				t.Errorf("saved: %q", got)
			}
			if err := s.Prune(func(panes.PaneID) bool { return true }); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "elsewhere")); err == nil {
				t.Error("the link was followed")
			}
		})
	}
}

// Several stores write and tidy at once, as those of several processes do.
func TestPackOfMany(t *testing.T) {
	dir := t.TempDir()
	const stores, each = 4, 50
	var wg sync.WaitGroup
	for i := range stores {
		s := together(t, dir)
		wg.Go(func() {
			for j := range each {
				p := panes.PaneID(fmt.Sprintf("p%d-%d", i, j))
				if err := s.Save(p, record(string(p))); err != nil {
					t.Error(err)
				}
				if j%10 == 9 {
					gone := panes.PaneID(fmt.Sprint("gone", i))
					_ = s.Save(gone, record("x"))
					_ = s.Remove(gone) // not while another writes
					if err := s.Prune(func(p panes.PaneID) bool { return p != gone }); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	s := together(t, dir)
	for i := range stores {
		for j := range each {
			if p := panes.PaneID(fmt.Sprintf("p%d-%d", i, j)); text(t, s, p) != string(p) {
				t.Errorf("%s: %q", p, text(t, s, p))
			}
		}
	}
}

// held is a pack that another process writes, until it is let go.
func held(t *testing.T, dir string) (letGo func()) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, packFile), os.O_RDWR, 0)
	if err == nil {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = f.Close() }
}

// A pane is cleared as well while another process writes first saves. One that never ends
// with that is not waited for, and the save stays.
func TestRemoveWaitsForThePack(t *testing.T) {
	dir := t.TempDir()
	s := together(t, dir)
	save(t, s, "a", "secret")
	save(t, s, "b", "other")
	synctest.Test(t, func(t *testing.T) {
		letGo := held(t, dir)
		if err := s.Remove("a"); err == nil {
			t.Error("it is said to be removed")
		}
		removed := make(chan error, 1)
		go func() { removed <- s.Remove("a") }()
		synctest.Wait() // it has found the other
		letGo()
		if err := <-removed; err != nil {
			t.Error(err)
		}
	})
	if got := text(t, s, "a") + text(t, s, "b"); got != "other" {
		t.Errorf("%q", got)
	}
}

// While another process has the pack a pane that would have to go keeps what it showed
// last, and a save that was written is none that failed.
func TestTrimmingWaitsForThePack(t *testing.T) {
	dir := t.TempDir()
	s := history.NewStore(dir, history.Options{First: history.DefaultFirst, TotalBytes: 16 << 10})
	save(t, s, "a", "first")
	last := noise(2, 10<<10)
	save(t, s, "a", last)
	letGo := held(t, dir)
	save(t, s, "b", noise(3, 10<<10))
	if text(t, s, "a") != last || text(t, s, "b") == "" {
		t.Errorf("%.20q, %.20q", text(t, s, "a"), text(t, s, "b"))
	}
	letGo()
	save(t, s, "c", noise(4, 3<<10))
	if got := text(t, s, "a"); got != "" {
		t.Errorf("in the end there is %.20q", got)
	}
}
