package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// world is a system with folders, links and disks that do not answer.
type world struct {
	links  map[string]string
	stuck  map[string]chan struct{} // closed: it answers again
	mu     sync.Mutex
	asked  []string // of what is stuck
	mounts []string
}

type node struct {
	fs.FileInfo
	mode fs.FileMode
}

func (n node) Mode() fs.FileMode { return n.mode }

func (w *world) lstat(path string) (fs.FileInfo, error) {
	if path == "/gone" {
		return nil, fs.ErrNotExist
	}
	for at, answers := range w.stuck {
		if !below(path, at) {
			continue
		}
		w.mu.Lock()
		w.asked = append(w.asked, path)
		w.mu.Unlock()
		<-answers
	}
	if _, is := w.links[path]; is {
		return node{mode: fs.ModeSymlink}, nil
	}
	return node{mode: fs.ModeDir}, nil
}

func (w *world) watch() *watch {
	return &watch{
		lstat: w.lstat, readlink: func(path string) (string, error) { return w.links[path], nil },
		mounts: func() []string { return w.mounts }, silent: map[place]int{},
	}
}

func found() (func(), error) { return nil, nil }

func (w *watch) see(path string, p Patience) error {
	return w.in(path, p, false, func(func()) (func(), error) { return found() })
}

func TestASilentDiskIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan struct{})
		w := &world{
			links: map[string]string{"/home/far": "../net/far", "/home/turn": "turn"},
			stuck: map[string]chan struct{}{"/net": answers}, mounts: []string{"/", "/net", "/ne", "/network"},
		}
		d := w.watch()
		begun := time.Now()
		if err := d.see("/net/one", Glance); !errors.Is(err, ErrSilent) {
			t.Fatalf("a disk that does not answer: %v", err)
		}
		if took := time.Since(begun); took < Glance.answer || took > 2*Glance.answer {
			t.Errorf("it was waited %v", took)
		}
		begun = time.Now()
		for _, path := range []string{"/net", "/net/two", "/home/far", "/home/far/../x", "/home/far/../../home"} {
			if err := d.see(path, Glance); !errors.Is(err, ErrSilent) {
				t.Errorf("%s: %v, though its disk does not answer", path, err)
			}
		}
		for _, path := range []string{"/", "/home", "/network/x", "/home/../x"} {
			if err := d.see(path, Glance); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		if err := d.see("/gone/x", Glance); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what is not there: %v", err)
		}
		if err := d.see("/home/turn", Glance); err == nil {
			t.Error("a link to itself has an end")
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("what is known not to answer was waited for: %v", took)
		}
		w.mu.Lock()
		if len(w.asked) != 1 {
			t.Errorf("it was asked for %q: once would do", w.asked)
		}
		w.mu.Unlock()
		close(answers)
		synctest.Wait()
		if err := d.see("/home/far", Glance); err != nil {
			t.Errorf("it answers again: %v", err)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(d.silent) != 0 || d.hanging != 0 {
			t.Errorf("%v and %d are left of it", d.silent, d.hanging)
		}
	})
}

func TestWhatMustBeSeenIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan struct{})
		d := (&world{stuck: map[string]chan struct{}{"/net": answers}}).watch()
		if err := d.see("/net/one", Glance); !errors.Is(err, ErrSilent) {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := d.see("/net/one", Must); !errors.Is(err, ErrSilent) || time.Since(begun) < Must.answer {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		time.AfterFunc(Must.answer/2, func() { close(answers) })
		if err := d.see("/net/one", Must); err != nil {
			t.Errorf("it answered meanwhile: %v", err)
		}
	})
}

func TestALookThatHangsIsRememberedByItsPath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := (&world{mounts: []string{"/home"}}).watch()
		ends := make(chan struct{})
		if err := d.in("/home/big", Glance, true, func(func()) (func(), error) { <-ends; return found() }); !errors.Is(err, ErrSilent) {
			t.Fatal(err)
		}
		if err := d.see("/home/big/x", Glance); !errors.Is(err, ErrSilent) {
			t.Errorf("below it: %v", err)
		}
		for _, path := range []string{"/home/other", "/home/bigger", "/home/big", "/home/big/."} { // big itself answers
			if err := d.see(path, Glance); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		for _, path := range []string{"/home/big", "/home/big/", "/home/other/../big"} {
			again := func(func()) (func(), error) { t.Errorf("%s is looked into once more", path); return found() }
			if err := d.in(path, Glance, true, again); !errors.Is(err, ErrSilent) {
				t.Errorf("into %s: %v", path, err)
			}
		}
		close(ends)
		synctest.Wait()
		slow := func(alive func()) (func(), error) {
			for range 20 {
				time.Sleep(Glance.answer / 2)
				alive()
			}
			return found()
		}
		if err := d.in("/home/big", Glance, true, slow); err != nil {
			t.Errorf("one that gets on: %v", err)
		}
	})
}

// What hangs at the root, or leads back to it, says nothing of what lies in it.
func TestTheRootIsNeverSilent(t *testing.T) {
	for _, inside := range []bool{true, false} {
		for _, path := range []string{"/", "/home/.."} {
			synctest.Test(t, func(t *testing.T) {
				d := (&world{mounts: []string{"/"}}).watch()
				ends := make(chan struct{})
				hangs := func(func()) (func(), error) { <-ends; return found() }
				if err := d.in(path, Glance, inside, hangs); !errors.Is(err, ErrSilent) {
					t.Fatal(err)
				}
				if err := d.see("/home", Glance); err != nil {
					t.Errorf("once %s hangs: %v", path, err)
				}
				if err := d.in(path, Glance, inside, hangs); !errors.Is(err, ErrSilent) || d.hanging != 1 {
					t.Errorf("again: %v, %d hang", err, d.hanging)
				}
				close(ends)
				synctest.Wait()
				if len(d.silent) != 0 || d.hanging != 0 {
					t.Errorf("%v and %d are left of it", d.silent, d.hanging)
				}
			})
		}
	}
}

func TestSoManyHangThatNothingIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := (&world{}).watch()
		ends := make(chan struct{})
		for i := range maxHanging {
			_ = d.in(fmt.Sprintf("/net/%d", i), Glance, true, func(func()) (func(), error) { <-ends; return found() })
		}
		if err := d.see("/home", Glance); !errors.Is(err, ErrSilent) {
			t.Errorf("one more: %v", err)
		}
		close(ends)
		synctest.Wait()
		if err := d.see("/home", Glance); err != nil {
			t.Errorf("once they came back: %v", err)
		}
	})
}

func TestAPanicIsThatOfWhoAsks(t *testing.T) {
	defer func() {
		if p := recover(); !strings.Contains(fmt.Sprint(p), "no such thing") {
			t.Errorf("it is told as %v", p)
		}
	}()
	_, _ = In(t.TempDir(), Glance, func(func()) (int, error) { panic("no such thing") })
}

func TestWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "a file")
	if err := errors.Join(os.WriteFile(file, []byte("x"), 0o600), os.Symlink("a file", link)); err != nil {
		t.Fatal(err)
	}
	if st, err := Stat(link, Glance); err != nil || st.Size() != 1 {
		t.Errorf("behind a link: %v, %v", st, err)
	}
	real, err := Real(link, Glance)
	if want, werr := filepath.EvalSymlinks(file); err != nil || werr != nil || real != want {
		t.Errorf("it is %s, %v: want %s", real, err, want)
	}
	for path, want := range map[string]bool{dir: true, file: false, "": false, ".": false, filepath.Join(file, "x"): false} {
		if IsDir(path, Glance) != want {
			t.Errorf("%q is a directory: %v", path, !want)
		}
	}
	for _, path := range []string{"", filepath.Join(dir, "none"), filepath.Join(file, "x")} {
		_, err := Stat(path, Glance)
		_, want := os.Stat(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) != errors.Is(want, fs.ErrNotExist) {
			t.Errorf("%q: %v, the system says %v", path, err, want)
		}
	}
	if _, err := Stat("/proc/self/exe", Glance); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if all := mounts(); !slices.Contains(all, "/") {
		t.Errorf("the root is not among the mounts %q", all)
	}
}
