package panes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"reprise/panes/disk"
)

// Why a program cannot be run.
var (
	// ErrNotInPath: no directory of PATH has it.
	ErrNotInPath = errors.New("not in PATH")
	// ErrNoFile: it was named by a path and there is nothing.
	ErrNoFile = errors.New("no such file")
	// ErrNotExecutable: what has the name is a directory or may not be executed.
	ErrNotExecutable = errors.New("not executable")
)

// LookPath finds a program as exec does, in the given PATH; a name with a slash
// is taken as it is, relative to dir. The result is an absolute path if dir is
// one. A directory of PATH whose disk does not answer is passed over. Errors:
// ErrNotInPath, ErrNoFile, ErrNotExecutable.
func LookPath(program, dir, path string) (string, error) {
	return lookPath(program, dir, path, func(file string, p disk.Patience) error {
		_, err := disk.In(file, p, func(func()) (struct{}, error) { return struct{}{}, executable(file) })
		return whyNot(err)
	})
}

// lookPath is LookPath where check tells whether a file can be executed.
func lookPath(program, dir, path string, check func(file string, p disk.Patience) error) (string, error) {
	if program == "" || strings.ContainsRune(program, 0) {
		return "", fmt.Errorf("program %q: %w", program, ErrNoFile)
	}
	if strings.ContainsRune(program, '/') {
		file := within(dir, program)
		if err := check(file, disk.Must); err != nil {
			return "", fmt.Errorf("%s: %w", program, err)
		}
		return file, nil
	}
	// As execvp(3): a name that was found but cannot be executed is told only if
	// no later directory has a better one.
	why := ErrNotInPath
	for _, place := range filepath.SplitList(path) {
		file := filepath.Join(within(dir, place), program)
		err := check(file, disk.Glance)
		if err == nil {
			return file, nil
		}
		if errors.Is(err, ErrNotExecutable) {
			why = err
		}
	}
	return "", fmt.Errorf("%s: %w", program, why)
}

// within resolves a path as a process whose working directory is dir would; an
// empty entry of PATH is that directory.
func within(dir, path string) string {
	if filepath.IsAbs(path) || dir == "" && path != "" {
		return path
	}
	// Not cleaned away: "./x" must not become a bare name.
	return filepath.Join(dir, ".", path)
}

// whyNot is an error about a file as LookPath tells it.
func whyNot(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrNotExecutable):
		return err
	case errors.Is(err, os.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		return ErrNoFile
	}
	return fmt.Errorf("%w: %w", ErrNotExecutable, err)
}

func executable(file string) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%w: it is a directory", ErrNotExecutable)
	case unix.Access(file, unix.X_OK) != nil:
		return fmt.Errorf("%w: no permission", ErrNotExecutable)
	}
	return nil
}
