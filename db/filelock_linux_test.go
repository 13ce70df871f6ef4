package db_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"reprise/db"
)

// A second handle of this process must not take away the lock by which the first one
// keeps other processes from removing the log under it: the system drops all of a
// process's locks on a file when it closes any descriptor of it.
func TestAnotherHandleLeavesTheFileLocked(t *testing.T) {
	dir := t.TempDir()
	first, err := db.Open(t.Context(), dir, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if !locked(t, dir) {
		t.Fatal("the first handle does not lock the file")
	}
	second, err := db.Open(t.Context(), dir, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !locked(t, dir) {
		t.Error("opened once more, it is no longer locked")
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if !locked(t, dir) {
		t.Error("with the second handle closed, it is no longer locked")
	}
}

// Nor may the last other handle that is closed while one is being opened: it has its
// connections already.
func TestAHandleThatIsBeingOpenedKeepsItsLock(t *testing.T) {
	db.Listen(t)
	dir := t.TempDir()
	first, err := db.Open(t.Context(), dir, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	closed := false
	db.WhileOpening(func() {
		closed = true
		if err := first.Close(); err != nil {
			t.Error(err)
		}
	})
	second, err := db.Open(t.Context(), dir, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !closed || !locked(t, dir) {
		t.Errorf("the other one was closed: %v, the file is locked: %v", closed, locked(t, dir))
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

func TestInspectLeavesTheFileLocked(t *testing.T) {
	w := newWorld(t)
	if _, err := db.Inspect(w.ctx, w.dir); err != nil {
		t.Fatal(err)
	}
	if !locked(t, w.dir) {
		t.Error("after a look the file is no longer locked")
	}
}

// locked reports whether this process has a lock on the database's file, by
// proc_locks(5).
func locked(t *testing.T, dir string) bool {
	t.Helper()
	var st syscall.Stat_t
	if err := syscall.Stat(filepath.Join(dir, db.File), &st); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skip(err)
	}
	for l := range strings.Lines(string(all)) {
		f := strings.Fields(l) // 1: POSIX ADVISORY READ pid major:minor:inode begin end
		if len(f) > 5 && f[1] == "POSIX" && f[4] == fmt.Sprint(os.Getpid()) && strings.HasSuffix(f[5], fmt.Sprintf(":%d", st.Ino)) {
			return true
		}
	}
	return false
}
