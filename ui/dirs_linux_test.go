package ui

import (
	"os"
	"path/filepath"
	"testing"

	"reprise/panes/disk"
	"reprise/panes/disk/dead"
)

// A worktree whose repository lies on a disk that does not answer shows no branch, and
// its folder stays good for panes and sessions.
func TestABranchOnASilentDisk(t *testing.T) {
	far, _ := dead.Mount(t)
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+far+"/repo/.git/worktrees/x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if branch := gitBranch(sub); branch != "" {
			t.Errorf("it is on %q", branch)
		}
	}
	for _, path := range []string{dir, sub} {
		if !disk.IsDir(path, disk.Glance) {
			t.Errorf("%s is taken for silent", path)
		}
		if _, err := disk.In(path, disk.Glance, func(func()) ([]os.DirEntry, error) { return os.ReadDir(path) }); err != nil {
			t.Errorf("what is in %s: %v", path, err)
		}
	}
}
