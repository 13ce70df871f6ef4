package panes_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/panes"
)

// A scratch file can be read by this user alone, and what dead processes left goes.
func TestWriteScratch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{ // and whether they stay
		fmt.Sprintf("reprise-%d-1.txt", gone.Process.Pid): false,
		fmt.Sprintf("reprise-%d-1.txt", os.Getpid()):      true,
		"reprise-1x-1.txt": true,
		"reprise-0-1.txt":  true,
		"mine.txt":         true,
	}
	for name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path, err := panes.WriteScratch([]byte("text\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "text\n" {
		t.Errorf("it holds %q (%v)", got, err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v (%v)", st.Mode(), err)
	}
	for name, stays := range files {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v, stays %v", name, err, stays)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	if _, err := panes.WriteScratch(nil); err == nil {
		t.Error("written to a folder that there is not")
	}
}

// What a killed process left goes without anything new being written.
func TestSweepScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(os.TempDir(), fmt.Sprintf("reprise-%d-1.txt", gone.Process.Pid))
	ours, err := panes.WriteScratch([]byte("text"))
	if err == nil {
		err = os.WriteFile(left, nil, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	panes.SweepScratch()
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was left over is still there (%v)", err)
	}
	if _, err := os.Stat(ours); err != nil {
		t.Errorf("ours is gone: %v", err)
	}
}

// The file goes with the program that reads it, and no other file does.
func TestScratchGoesWithItsProgram(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, err := panes.WriteScratch([]byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.txt")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	for _, file := range []string{path, other} {
		term, err := h.Start(t.Context(), panes.Spec{Pane: "p", Argv: []string{"cat", file}, Dir: "/", Scratch: file})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); err != nil {
			t.Errorf("before its program runs: %v", err)
		}
		if err := term.OpenGate(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-term.Done():
		case <-time.After(time.Minute):
			t.Fatal("cat does not end")
		}
		_, err = os.Stat(file)
		if gone := errors.Is(err, os.ErrNotExist); gone != (file == path) {
			t.Errorf("%s is gone: %v", file, gone)
		}
	}
}

// A program that is spawned has no terminal, gets its arguments as they are, and
// outlives the one who waits.
func TestSpawn(t *testing.T) {
	dir := t.TempDir()
	run := func(argv ...string) error {
		return panes.Spawn(t.Context(), argv, dir, []string{"PATH=" + os.Getenv("PATH"), "A=b c"})
	}
	if err := run("sh", "-c", `printf '%s|%s|%s' "$A" "$1" "$(pwd -P)" > out`, "sh", "$(id);'x' --y"); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "out")); err != nil || string(got) != "b c|$(id);'x' --y|"+real {
		t.Errorf("it was given %q (%v)", got, err)
	}
	var exit *exec.ExitError
	if err := run("sh", "-c", "exit 3"); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("exit 3 is told as %v", err)
	}
	if err := run("no-such-program-here"); !errors.Is(err, panes.ErrNotInPath) {
		t.Errorf("a program that there is not: %v", err)
	}
	if err := panes.Spawn(t.Context(), nil, dir, nil); err == nil {
		t.Error("nothing was started")
	}
	// Who does not wait does not end it.
	fifo, late := filepath.Join(dir, "fifo"), filepath.Join(dir, "late")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := panes.Spawn(ctx, []string{"sh", "-c", "read x < fifo; mkdir $x"}, dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fifo, []byte("late\n"), 0o600); err != nil { // waits for its reader
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(late); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("it did not go on")
		}
	}
}
