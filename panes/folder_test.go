package panes_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reprise/panes"
)

// TestFolder: a program's files are there before it runs, for this user alone, and
// go with it; what dead processes left goes, all else stays.
func TestFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "launch")
	gone := exec.Command("sleep", "600")
	if err := gone.Start(); err != nil {
		t.Fatal(err)
	}
	id, err := panes.Identify(gone.Process.Pid)
	_ = gone.Process.Kill()
	_ = gone.Wait()
	if err != nil {
		t.Fatal(err)
	}
	self, err := panes.Identify(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	owner, _, _ := strings.Cut(filepath.Base(panes.FolderFor("/", "n")), "-")
	space := strings.TrimPrefix(owner, fmt.Sprintf("%d.%d", self.PID, self.Start)) // "" where there are none
	old := fmt.Sprintf("%d.%d.7-old", id.PID, id.Start)
	stays := map[string]bool{
		fmt.Sprintf("%d.%d%s-m", id.PID, id.Start, space): false,
		fmt.Sprintf("%d.%d.7-n", id.PID, id.Start):        true, // of another PID namespace: it may live there
		old:                                      false,
		fmt.Sprintf("%d.%d-n", id.PID, id.Start): false,
		fmt.Sprintf("%d.%d-n", self.PID, self.Start):   true,
		fmt.Sprintf("%d.%d-n", self.PID, self.Start+1): false, // of a former process with our pid
		"0.1-n": true, "1.x-n": true, "1-n": true, "mine": true,
	}
	for name := range stays {
		if err := os.MkdirAll(filepath.Join(root, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-8 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(root, old), long, long); err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	folder := panes.FolderFor(root, "nonce")
	out := filepath.Join(t.TempDir(), "out")
	term, err := h.Start(t.Context(), panes.Spec{
		Pane: "p", Argv: []string{"sh", "-c", `cat "$1"/a "$1"/b/c >"$2"; ls -ld "$1" "$1"/a | cut -c 1-10 >>"$2"`, "sh", folder, out}, Dir: "/",
		Folder: folder, Files: []panes.File{{Name: "a", Data: []byte("one ")}, {Name: "b/c", Data: []byte("two\n")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "a")); err != nil || string(got) != "one " {
		t.Errorf("before its gate opens: %q, %v", got, err)
	}
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(folder); os.IsNotExist(err) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the files of a program that has ended are still there")
		}
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != "one two\ndrwx------\n-rw-------\n" {
		t.Errorf("the program read %q (%v)", got, err)
	}
	for name, want := range stays {
		if _, err := os.Stat(filepath.Join(root, name)); (err == nil) != want {
			t.Errorf("%s: %v, stays %v", name, err, want)
		}
	}
}

// TestFolderRefusals: nothing is written elsewhere, nor more than is bearable, and
// nothing is left of a start that failed.
func TestFolderRefusals(t *testing.T) {
	root := t.TempDir()
	h := hostWith(t, panes.HostOptions{Launch: func(panes.Spec) (panes.Process, error) { return nil, os.ErrPermission }})
	good := panes.FolderFor(root, "nonce")
	for name, s := range map[string]panes.Spec{
		"no folder":       {Files: []panes.File{{Name: "a"}}},
		"another folder":  {Folder: filepath.Join(root, "mine"), Files: []panes.File{{Name: "a"}}},
		"relative":        {Folder: filepath.Base(good), Files: []panes.File{{Name: "a"}}},
		"elsewhere":       {Folder: good, Files: []panes.File{{Name: "a"}, {Name: "../b"}}},
		"absolute":        {Folder: good, Files: []panes.File{{Name: "/b"}}},
		"too much":        {Folder: good, Files: []panes.File{{Name: "a", Data: []byte(strings.Repeat("x", 1<<20))}, {Name: "b", Data: []byte("x")}}},
		"a failing start": {Folder: good, Files: []panes.File{{Name: "a"}}},
	} {
		s.Pane, s.Argv, s.Dir = "p", []string{"true"}, "/"
		if _, err := h.Start(t.Context(), s); err == nil {
			t.Errorf("%s: started", name)
		}
		if left, _ := os.ReadDir(root); len(left) != 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}
