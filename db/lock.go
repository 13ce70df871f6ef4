package db

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock is the lock file that an instance holds for its life: flock(2), which stays
// with the open file, whatever images the process goes through, and falls when the
// process ends.
type lock struct{ file *os.File }

// takeLock makes a lock file and locks it.
func takeLock(path string) (*lock, error) {
	// Go opens files close-on-exec: children do not inherit it.
	f, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flockNow(f, unix.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return &lock{f}, nil
}

// inheritLock takes over the descriptor of a lock file, locked, from the image
// before this one of the same process. After an error the descriptor is closed if
// it was the lock file.
func inheritLock(path string, fd int) (*lock, error) {
	var held, named unix.Stat_t
	if err := unix.Stat(path, &named); err != nil {
		return nil, fmt.Errorf("look at lock file %s: %w", path, err)
	}
	if err := unix.Fstat(fd, &held); err != nil {
		return nil, fmt.Errorf("look at descriptor %d: %w", fd, err)
	}
	if held.Dev != named.Dev || held.Ino != named.Ino {
		return nil, fmt.Errorf("descriptor %d is not the lock file %s", fd, path)
	}
	unix.CloseOnExec(fd)
	f := os.NewFile(uintptr(fd), path)
	// It is held already unless something went wrong, and then nobody else may be.
	if err := flockNow(f, unix.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return &lock{f}, nil
}

func flockNow(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func (l *lock) path() string { return l.file.Name() }

// drop lets go of it at once, also where a child that has not exec'd yet has the
// file open.
func (l *lock) drop() error {
	return errors.Join(flockNow(l.file, unix.LOCK_UN), l.file.Close())
}
