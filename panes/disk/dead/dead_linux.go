// Package dead makes disks that do not answer, for tests alone.
package dead

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// Mount mounts a file system that nobody serves on an empty folder: whatever is asked of
// it waits, until revive lets it fail. A test that may not mount is skipped.
func Mount(t testing.TB) (dir string, revive func()) {
	t.Helper()
	dir = t.TempDir()
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("a disk that does not answer cannot be made: open /dev/fuse: %v", err)
	}
	// What waits ends with ENOTCONN as the last descriptor is closed.
	revive = sync.OnceFunc(func() {
		_ = unix.Unmount(dir, unix.MNT_DETACH)
		_ = unix.Close(fd)
	})
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d", fd, os.Getuid(), os.Getgid())
	if err := unix.Mount("nobody", dir, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		_ = unix.Close(fd)
		t.Skipf("a disk that does not answer cannot be made: mount it: %v", err)
	}
	t.Cleanup(revive)
	return dir, revive
}
