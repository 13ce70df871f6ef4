package panes_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"reprise/panes"
	"reprise/testdata/lab"
)

// [P13] A pid whose start time or boot differs is another process, and no signal
// reaches it. Whether it lives is asked of the program itself: the system may show
// a killed process for a while.
func TestReusedPIDIsNotSignalled(t *testing.T) {
	for name, other := range map[string]func(panes.ProcessID) panes.ProcessID{
		"another start": func(id panes.ProcessID) panes.ProcessID { id.Start++; return id },
		"another boot":  func(id panes.ProcessID) panes.ProcessID { id.Boot = "other"; return id },
	} {
		t.Run(name, func(t *testing.T) {
			term := start(t, newHost(t), "sh", "-c", `echo up; while read -r x; do echo "heard $x"; done`)
			waitText(t, term, "up")
			if err := panes.SignalProcess(other(term.Process()), syscall.SIGKILL); err != nil {
				t.Error(err)
			}
			if err := term.Send([]byte("me\n")); err != nil {
				t.Fatal(err)
			}
			heard := func() bool { return strings.Contains(screenText(term), "heard me") }
			waitFor(t, "an answer, or its end", func() bool {
				_, _, ended := term.Exit()
				return ended || heard()
			})
			if !heard() {
				t.Error("it was killed under another's name")
			}
		})
	}
}

// [P11] Whatever keeps the shim from becoming the program, it does not end like a
// program that took its leave.
func TestShimDoesNotTakeItsLeave(t *testing.T) {
	dir := t.TempDir()
	program := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		lab.WriteProgram(t, path, []byte("\x7fELF, or not"), mode)
		return path
	}
	gone := program("gone", 0o700)
	for name, c := range map[string]struct {
		program string
		open    func(*panes.Terminal) error
	}{
		"gate closed": {"true", (*panes.Terminal).CloseGate},
		"program gone": {gone, func(term *panes.Terminal) error {
			if err := os.Remove(gone); err != nil {
				return err
			}
			return term.OpenGate()
		}},
		"no program":     {program("text", 0o700), (*panes.Terminal).OpenGate},
		"not executable": {program("data", 0o600), (*panes.Terminal).OpenGate},
	} {
		t.Run(name, func(t *testing.T) {
			term := startClosed(t, newHost(t), panes.Spec{Argv: []string{c.program}, Dir: dir})
			if err := c.open(term); err != nil {
				t.Fatal(err)
			}
			if exit := waitDone(t, term); exit.Status == 0 || exit.Signal != 0 {
				t.Errorf("ended with %+v", exit)
			}
		})
	}
}
