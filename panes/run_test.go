package panes_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reprise/panes"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	sh := func(script string) []string { return []string{"sh", "-c", script} }
	tests := []struct {
		name string
		argv []string
		env  []string
		max  int
		out  string
		err  string
	}{
		{"output", sh("echo hi"), nil, 100, "hi\n", ""},
		{"exactly as much", sh("printf 12345"), nil, 5, "12345", ""},
		{"too much", sh("printf 123456; exec sleep 60"), nil, 5, "12345", "run sh: its output is too long"},
		{"directory", sh("pwd"), nil, 1000, dir + "\n", ""},
		{"status", sh("echo why >&2; echo x; exit 3"), nil, 100, "x\n", "run sh: exit status 3: why"},
		{"environment", []string{"/bin/sh", "-c", "echo $A$HOME"}, []string{"A=b"}, 100, "b\n", ""},
		{"not there", []string{"no-such"}, nil, 1, "", "run no-such: not in PATH"},
		{"nothing", nil, nil, 1, "", "run: no program"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := panes.Run(t.Context(), tt.argv, dir, tt.env, tt.max)
			if string(out) != tt.out {
				t.Errorf("output %q, want %q", out, tt.out)
			}
			if got := errText(err); got != tt.err {
				t.Errorf("error %q, want %q", got, tt.err)
			}
		})
	}
	var exit *exec.ExitError
	if _, err := panes.Run(t.Context(), sh("exit 3"), dir, nil, 1); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("no exit error: %v", err)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	out, err := panes.Run(ctx, []string{"sh", "-c", "echo first; sleep 60 & wait"}, "/", nil, 100)
	if !errors.Is(err, context.DeadlineExceeded) || string(out) != "first\n" {
		t.Errorf("output %q, error %v", out, err)
	}
}

func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, mode os.FileMode) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	write("a/prog", 0o755)
	write("b/prog", 0o755)
	write("a/data", 0o644)
	write("b/data", 0o755)
	write("a/only", 0o644)
	write("here", 0o755)
	write("b/sub/x", 0o755)
	path := filepath.Join(dir, "a") + ":" + filepath.Join(dir, "b")
	tests := []struct {
		program, dir, path string
		want               string // below dir
		err                error
	}{
		{"prog", dir, path, "a/prog", nil},
		{"data", dir, path, "b/data", nil},
		{"only", dir, path, "", panes.ErrNotExecutable},
		{"sub", dir, path, "", panes.ErrNotExecutable},
		{"none", dir, path, "", panes.ErrNotInPath},
		{"here", dir, path, "", panes.ErrNotInPath},
		{"here", dir, path + ":", "here", nil},
		{"./here", dir, path, "here", nil},
		{"a/prog", dir, "", "a/prog", nil},
		{"b/sub", dir, path, "", panes.ErrNotExecutable},
		{"./none", dir, path, "", panes.ErrNoFile},
		{"here/x", dir, path, "", panes.ErrNoFile},
		{dir + "/here", "/", "", "here", nil},
		{"prog", dir, "b", "b/prog", nil},
		{"", dir, path, "", panes.ErrNoFile},
		{"a\x00", dir, path, "", panes.ErrNoFile},
		{strings.Repeat("x", 5000), dir, path, "", nil},
	}
	for _, tt := range tests {
		got, err := panes.LookPath(tt.program, tt.dir, tt.path)
		if tt.want == "" {
			if err == nil || tt.err != nil && !errors.Is(err, tt.err) {
				t.Errorf("%.20q in %q: %q, %v, want %v", tt.program, tt.path, got, err, tt.err)
			}
			continue
		}
		if want := filepath.Join(dir, tt.want); err != nil || got != want {
			t.Errorf("%q in %q: %q, %v, want %q", tt.program, tt.path, got, err, want)
		}
	}
}
