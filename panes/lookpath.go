package panes

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"

	"reprise/panes/disk"
	"reprise/panes/gate"
)

// Why a program cannot be run.
var (
	// ErrNotInPath: no directory of PATH has it.
	ErrNotInPath = gate.ErrNotInPath
	// ErrNoFile: it was named by a path and there is nothing.
	ErrNoFile = gate.ErrNoFile
	// ErrNotExecutable: what has the name is a directory or may not be executed.
	ErrNotExecutable = gate.ErrNotExecutable
)

// LookPath finds a program as exec does, in the given PATH; a name with a slash
// is taken as it is, relative to dir. The result is an absolute path if dir is
// one. A directory of PATH whose disk does not answer is passed over. Errors:
// ErrNotInPath, ErrNoFile, ErrNotExecutable.
func LookPath(program, dir, path string) (string, error) {
	file, err := gate.Find(program, dir, path, func(file string, named bool) error {
		patience := disk.Glance
		if named {
			patience = disk.Must
		}
		_, err := disk.In(file, patience, func(func()) (struct{}, error) { return struct{}{}, gate.Executable(file) })
		switch {
		case err == nil, errors.Is(err, ErrNoFile), errors.Is(err, ErrNotExecutable):
			return err
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
			return ErrNoFile
		}
		return fmt.Errorf("%w: %w", ErrNotExecutable, err)
	})
	switch {
	case err == nil:
		return file, nil
	case program == "":
		return "", fmt.Errorf("no program: %w", err)
	}
	return "", fmt.Errorf("%s: %w", program, err)
}
