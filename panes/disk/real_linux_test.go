package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"reprise/panes/disk"
	"reprise/panes/disk/dead"
)

func TestADeadMount(t *testing.T) {
	dir, revive := dead.Mount(t)
	home := t.TempDir()
	link := filepath.Join(home, "link")
	if err := os.Symlink(filepath.Join(dir, "project"), link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, dir, filepath.Join(dir, "x"), link} {
		if _, err := disk.Stat(path, disk.Glance); !errors.Is(err, disk.ErrSilent) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if !disk.IsDir(home, disk.Glance) {
		t.Error("nothing else is seen any more")
	}
	revive()
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		_, err := disk.Stat(dir, disk.Glance)
		if !errors.Is(err, disk.ErrSilent) {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("it is still taken for silent")
		}
	}
}
