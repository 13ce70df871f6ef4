package history_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"reprise/panes/history"
)

const noMounts = "mounts are not allowed"

func init() { roles["full"] = full }

// full runs in a mount namespace of its own: the disk goes with the process.
func full(dir string) error {
	err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	if err == nil {
		err = unix.Mount("tmpfs", dir, "tmpfs", 0, "size=512k,mode=0700")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", noMounts, err)
	}
	if err := fails(dir, unix.ENOSPC); err != nil {
		return err
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		return err
	}
	s := history.NewStore(dir, history.Options{})
	if err := s.Save("p", record("newer\n")); !errors.Is(err, unix.EROFS) {
		return fmt.Errorf("saved on a read-only disk: %w", err)
	}
	r, err := s.Load("p")
	if err != nil || string(r.Text) != "new\n" {
		return fmt.Errorf("on a read-only disk: %q %w", r.Text, err)
	}
	return nil
}

func TestFullDisk(t *testing.T) {
	cmd := again(t, "full", t.TempDir())
	cmd.SysProcAttr = namespace()
	out, err := cmd.CombinedOutput()
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC) || bytes.Contains(out, []byte(noMounts)) {
		t.Skipf("no disk can be made here: %v %s", err, out)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func namespace() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
}
