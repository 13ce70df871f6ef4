package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"reprise/testdata/lab"

	"golang.org/x/sys/unix"
)

// disk gives the home's state folder a small disk of its own.
func (h *home) disk() (folder string) {
	h.t.Helper()
	folder = h.mkdir("state")
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=64m,mode=0700"); err != nil {
		h.t.Skipf("no disk can be made here: %v", err)
	}
	h.t.Cleanup(func() {
		h.clear()
		for unix.Unmount(folder, unix.MNT_DETACH) == nil { // what freeze put over it, too
		}
	})
	return folder
}

// fill writes until a disk is full, and returns what gives the room back.
func fill(t *testing.T, folder string) (free func()) {
	t.Helper()
	path := filepath.Join(folder, "filled")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for b := make([]byte, 1<<20); len(b) > 0; { // to the last byte
		if _, err = f.Write(b); err != nil {
			b = b[:len(b)/2]
		}
	}
	if err := errors.Join(f.Close(), err); !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// freeze makes a disk read-only for everything that is opened from now on, and
// returns what undoes it. What is open can still be written: the kernel refuses to
// freeze a disk under it.
func freeze(t *testing.T, folder string) (thaw func()) {
	t.Helper()
	err := unix.Mount(folder, folder, "", unix.MS_BIND, "")
	if err == nil {
		err = unix.Mount("", folder, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unix.Unmount(folder, unix.MNT_DETACH); err != nil {
			t.Fatal(err)
		}
	}
}

// A disk that is full: agents and shells go on, the person is told what is not
// saved, and what was saved comes back.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	folder := h.disk()
	c := h.attach("standin", "codeword KIWI-1")
	c.wait("noted")
	s := h.lastLaunch(1)
	c.send("\x02%")
	c.wait(sh)
	free := fill(t, folder)
	told := regexp.MustCompile("The layout was not saved: .*disk")
	eventually(t, func() error { // there may be room for some more in files that exist
		if s := c.text(); !told.MatchString(s) {
			c.send("\x02\x1b[1;5D\x02\x1b[1;5C") // the border moves, and back
			return fmt.Errorf("the person is not told:\n%s", s)
		}
		return nil
	})
	h.refuses("save the layout: .*full", "split")
	if s := h.attached(1); len(s.Panes) != 2 {
		t.Errorf("panes %+v, want two", s.Panes)
	}
	c.types("echo says $((40+2))\r", "says 42")
	c.send("\x02o")
	c.asks("KIWI-1")
	c.send("\x02d")
	c.ended()
	d := h.attach()
	d.wait("says 42")
	d.asks("KIWI-1")
	goesOn(t, s.PID)
	h.killServer() // at the worst of times
	d.ended()
	free()
	h.comesBack(s, "KIWI-1")
}

// A disk that can no longer be written: what runs goes on and can be attached to; a
// new server says why it cannot start, and the next one finds everything.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	folder := h.disk()
	c := h.attach("standin", "codeword KIWI-2")
	c.wait("noted")
	s := h.lastLaunch(1)
	thaw := freeze(t, folder)
	c.asks("KIWI-2")
	c.send("\x02d")
	c.ended()
	c = h.attach()
	c.asks("KIWI-2")
	goesOn(t, s.PID)
	h.killServer()
	c.ended()
	c = h.attach()
	c.wait(`(?s)^reprise: .*read-only`)
	if st := c.ended(); st.ExitCode() != 1 {
		t.Errorf("it ended with %v", st)
	}
	h.noServer()
	thaw()
	h.comesBack(s, "KIWI-2")
}

// comesBack attaches once more: the only session is resumed, and knows its word.
func (h *home) comesBack(s lab.Start, word string) {
	h.t.Helper()
	c := h.attach()
	if !h.attached(1).Panes[0].Focus { // that could not be saved
		c.send("\x02o")
	}
	c.asks(word)
	if again := h.lastLaunch(2); again.Session != s.Session {
		h.t.Errorf("session %s after %s", again.Session, s.Session)
	}
	log, err := os.ReadFile(filepath.Join(h.root, "state", "reprise.log"))
	if err != nil || strings.Contains(string(log), "panic") {
		h.t.Errorf("the log: %v %s", err, log)
	}
}
