package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// lockFile is the name of the file that whoever reads the stores holds locked.
const lockFile = "past.lock"

const (
	// aloneWait is how long one process waits for another that reads the stores: for one
	// that was stopped meanwhile nobody waits for good.
	aloneWait  = 30 * time.Second
	aloneEvery = 50 * time.Millisecond
)

// Alone waits until no other process reads the stores for this index, or has read them
// for half a minute, so that nothing is read twice at once. done lets the next one in.
func (x *Index) Alone(ctx context.Context) (done func(), err error) {
	f, err := os.OpenFile(filepath.Join(x.folder, lockFile), os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("wait for whoever reads the agents' stores: %w", err)
	}
	done = func() { _ = f.Close() } // which unlocks it
	for end := time.Now().Add(aloneWait); ; {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil || !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) || time.Now().After(end) {
			return done, nil // a file system without locks is no reason to read nothing
		}
		select {
		case <-ctx.Done():
			done()
			return nil, ctx.Err()
		case <-time.After(aloneEvery):
		}
	}
}
