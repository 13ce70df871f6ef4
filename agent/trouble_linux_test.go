package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// The same with SQLite on a file system that is really full: for root only, who
// alone may mount one.
func TestFileSystemIsFull(t *testing.T) {
	for name, test := range outages {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=8m,mode=700"); err != nil {
				t.Skip("no file system can be mounted:", err)
			}
			t.Cleanup(func() {
				if err := unix.Unmount(dir, 0); err != nil {
					t.Error(err)
				}
			})
			fill := fillUp(t, dir)
			bubbleIn(t, dir, 3, func(w *world) {
				defer fill(false)
				test(w, outage{w.start(), fill})
			})
		})
	}
}

// fillUp fills a file system to the last byte, and frees it again.
func fillUp(t *testing.T, dir string) func(bool) {
	path := filepath.Join(dir, "ballast")
	return func(on bool) {
		if !on {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Error(err)
			}
			return
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, size := range []int{1 << 16, 1 << 12, 1} {
			for err = nil; err == nil; {
				_, err = f.Write(make([]byte, size))
			}
		}
		if !errors.Is(err, unix.ENOSPC) {
			t.Fatal(err)
		}
	}
}
