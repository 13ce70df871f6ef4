package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"reprise/agent/kinds"
	"reprise/server"
)

// An agent that is typed while the server is upgraded asks until the new image answers;
// one that never had a server does not wait.
func TestTypedIsAskedUntilItIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			answers []error
			asked   int
			want    error
		}{
			"answered":            {[]error{nil}, 1, nil},
			"lost, then answered": {[]error{server.ErrLost, server.ErrNoServer, server.ErrLost, nil}, 4, nil},
			"lost, then refused":  {[]error{server.ErrLost, errors.ErrUnsupported}, 2, errors.ErrUnsupported},
			"no server":           {[]error{server.ErrNoServer}, 1, server.ErrNoServer},
			"lost for good":       {[]error{server.ErrLost}, -1, server.ErrLost},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), shimTime)
			n := 0
			_, err := untilAnswered(ctx, func() ([]byte, error) {
				n++
				return nil, c.answers[min(n, len(c.answers))-1]
			})
			cancel()
			if !errors.Is(err, c.want) || c.asked >= 0 && n != c.asked {
				t.Errorf("%s: %v after %d questions", name, err, n)
			}
		}
	})
}

// The scripts of a build's agents are one file, whichever of them was there before.
func TestShimsAreOneFile(t *testing.T) {
	registry, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "bin", shimFolder)
	if err := writeShims(folder, "/opt/reprise", registry); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "claude")); err != nil {
		t.Fatal(err)
	}
	if err := writeShims(folder, "/opt/reprise", registry); err != nil { // one of them is missing
		t.Fatal(err)
	}
	body, err := os.Stat(filepath.Join(folder, shimBody))
	if err != nil || body.Mode().Perm() != 0o700 {
		t.Fatalf("%v, %v", body, err)
	}
	for _, name := range []string{"claude", "codex", "gemini"} {
		one, err := os.Lstat(filepath.Join(folder, name))
		if err != nil || !os.SameFile(one, body) {
			t.Errorf("%s is a file of its own: %v", name, err)
		}
	}
}
