// Package lab gives tests the stand-in agent and reads its launch log.
package lab

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// Standin is the path of the stand-in agent, built once for each test binary.
func Standin(tb testing.TB) string {
	tb.Helper()
	path, err := standin()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// Main runs a package's tests and removes what was built for them. It returns
// the exit status.
func Main(m *testing.M) int {
	defer func() { _ = os.RemoveAll(built) }()
	return m.Run()
}

var built string // folder of what was built, if anything

var standin = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "standin")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "standin")
	return path, Build(path, "./testdata/standin")
})

// Build builds a package of this module, named from its root, to path.
func Build(path, pkg string, flags ...string) error {
	_, here, _, _ := runtime.Caller(0)
	c := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), pkg)...)
	c.Dir = filepath.Join(filepath.Dir(here), "..", "..")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// Start is one start of the stand-in, as its launch log has it.
type Start struct {
	PID     int
	Argv    []string
	Session string
	Resumed bool
	Nested  bool
	Double  bool // another one had the session at that moment
	Time    time.Time
	Dir     string
	Env     map[string]string
}

// Starts reads a launch log; there are none before it exists. A line that is just
// being written does not count yet.
func Starts(path string) ([]Start, error) {
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	var out []Start
	for in := bufio.NewScanner(bytes.NewReader(data)); in.Scan(); {
		var s Start
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("launch log: %w", err)
		}
		out = append(out, s)
	}
	return out, nil
}

// Of keeps the starts of one session, nested ones apart.
func Of(starts []Start, session string) []Start {
	return slices.DeleteFunc(slices.Clone(starts), func(s Start) bool { return s.Session != session || s.Nested })
}
