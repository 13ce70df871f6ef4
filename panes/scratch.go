package panes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// scratchName is how files of WriteScratch are called: by the process that wrote
// them, so that a later one knows whose are left over.
const scratchName = "reprise-%d-*.txt"

var scratchForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^reprise-(\d+)-\d+\.txt$`) })

// WriteScratch writes a text into a new file that only this user can read, in the
// folder for temporary files, and returns its path. Spec.Scratch lets it be removed
// with the program that reads it. Files of processes that are gone are removed: what
// a pane showed must not lie about.
func WriteScratch(text []byte) (path string, err error) {
	dir := os.TempDir()
	SweepScratch()
	f, err := os.CreateTemp(dir, fmt.Sprintf(scratchName, os.Getpid()))
	if err != nil {
		return "", fmt.Errorf("make a temporary file: %w", err)
	}
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("write a temporary file: %w", err)
	}
	return f.Name(), nil
}

// SweepScratch removes the files of WriteScratch that dead processes of this user
// left: one that was killed removed nothing.
func SweepScratch() {
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), "reprise-*-*.txt")) // the pattern is a good one
	for _, path := range old {
		m := scratchForm().FindStringSubmatch(filepath.Base(path))
		if m == nil {
			continue
		}
		pid, err := strconv.Atoi(m[1])
		if err != nil || pid <= 0 || !errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			continue
		}
		_ = os.Remove(path) // of another user: the folder's sticky bit keeps it
	}
}

// removeScratch removes the file that a program was started for.
func (t *Terminal) removeScratch() {
	path := t.spec.Scratch
	if path == "" || scratchForm().FindStringSubmatch(filepath.Base(path)) == nil {
		return // no file of ours
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		t.log.Warn("remove a temporary file", "terminal", t.spec.ID, "err", err)
	}
}
