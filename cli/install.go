package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// headBytes is how much of the binary its build id is made of: the linker writes
// the Go build id, which differs for every build, near the file's beginning.
const headBytes = 64 << 10

// self opens the running binary and tells where it lies and which build it is.
func self() (src *os.File, path, build string, err error) {
	if path, err = os.Executable(); err != nil {
		return nil, "", "", fmt.Errorf("find the running binary: %w", err)
	}
	// By Linux's own name for it, which works when the file was removed, too.
	if src, err = os.Open("/proc/self/exe"); err != nil {
		src, err = os.Open(path)
	}
	if err == nil {
		if build, err = buildID(src); err != nil {
			_ = src.Close()
		}
	}
	if err != nil {
		return nil, "", "", fmt.Errorf("read the running binary: %w", err)
	}
	return src, path, build, nil
}

// installed is where a build lies in the state folder.
func installed(state, build string) string { return filepath.Join(state, "bin", build, "reprise") }

// install copies the running binary to the state folder's bin under its build
// id, and returns that path. Hooks, shim and everything that must work later use
// it: the file that `go run` builds is gone when it ends.
func install(state string) (program, build string, err error) {
	src, path, build, err := self()
	if err != nil {
		return "", "", err
	}
	defer src.Close()
	program = installed(state, build)
	if path == program {
		return program, build, nil
	}
	size, err := src.Seek(0, io.SeekEnd)
	if err != nil {
		return "", "", fmt.Errorf("read the running binary: %w", err)
	}
	dir := filepath.Dir(program)
	if st, err := os.Stat(program); err == nil && st.Size() == size {
		now := time.Now()
		return program, build, os.Chtimes(dir, now, now) // not to be pruned before we are registered
	}
	if err := copyProgram(src, dir, program); err != nil {
		return "", "", fmt.Errorf("copy the binary to the state folder: %w", err)
	}
	return program, build, nil
}

func buildID(f *os.File) (string, error) {
	st, err := f.Stat()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, st.Size())
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, headBytes)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// copyProgram is safe when several processes start at once: each writes its own
// file and the last rename wins with the same bytes. A copy and not a link: a
// build that overwrites its output in place would change a linked file too.
func copyProgram(src *os.File, dir, program string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // gone after the rename
	defer tmp.Close()
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(tmp, src); err != nil {
		return err
	}
	if err := tmp.Chmod(0o700); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), program)
}

// freshBuild is for how long a binary is kept although nobody uses it: a process
// that starts registers as its user a moment after it made it.
const freshBuild = time.Hour

// pruneBuilds removes the binaries of earlier builds that nobody uses any more.
func pruneBuilds(state string, used []string) error {
	dir := filepath.Join(state, "bin")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		st, statErr := e.Info()
		if statErr == nil && time.Since(st.ModTime()) > freshBuild && !slices.Contains(used, e.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
