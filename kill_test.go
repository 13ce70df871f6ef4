package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
	"reprise/testdata/lab"
)

// kills is how often each step is killed; REPRISE_KILLS sets another number.
func kills(t *testing.T) int {
	t.Helper()
	n := 25
	if testing.Short() {
		n = 2
	}
	if s := os.Getenv("REPRISE_KILLS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// steps are the failpoints at which a server is killed. After is true where the
// agent may have run already: then it dies with its server's pty, and is
// launched once more.
var steps = []struct {
	name   string
	after  bool
	habits string
}{
	{"resume.preflight", false, ""},
	{"resume.claim", false, ""},
	{"resume.claimed", false, ""},
	{"resume.lookagain", false, ""},
	{"resume.launch", false, ""},
	{"resume.launched", false, ""},
	{"resume.confirm", false, ""},
	{"resume.confirmed", false, ""},
	{"resume.gate", false, ""},
	{"resume.opened", true, ""},
	{"resume.gateopened", true, ""},
	{"resume.repoint", true, ""},
	{"resume.repointed", true, ""},
	{"resume.point", true, ""},
	{"resume.retire", true, ""},
	{"sweep.hooks", false, ""},
	{"sweep.signal", false, "ignore-hup"}, // only what outlived its server is signalled,
	{"sweep.record", false, ""},
	{"sweep.recorded", false, ""},
}

// Whatever step a server dies at, and whoever races it, every session comes back
// and none is held by two processes.
func TestKilledAtEveryStep(t *testing.T) {
	racer := filepath.Join(t.TempDir(), "racer")
	if err := lab.Build(racer, "./testdata/racer", "-tags", "failpoint"); err != nil {
		t.Fatal(err)
	}
	n := kills(t)
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			t.Parallel()
			died := 0
			for i := range n {
				// In half of the runs the others are there from the start.
				if killedOnce(t, racer, step.name, step.habits, step.after, i%2 == 1) {
					died++
				}
				if t.Failed() {
					return
				}
			}
			if died < (n+1)/2 {
				t.Errorf("the failpoint was reached in %d of %d runs", died, n)
			}
		})
	}
}

// killedOnce is one run: one or two sessions, a server that dies at the step, and two
// that race for what it left. It reports whether the server died there.
func killedOnce(t *testing.T, racer, step, habits string, after, early bool) (died bool) {
	t.Helper()
	h := newHome(t)
	h.env = append(h.env, "STANDIN_DO="+habits)
	state := filepath.Join(h.root, "state")
	// Alone, a session shows exactly how often it was launched; two of them, with
	// the others there from the start, show how they keep out of each other's way.
	places := []string{string(panes.NewPaneID())}
	if early {
		places = append(places, string(panes.NewPaneID()))
	}
	start := func(mode, failpoint string) (*exec.Cmd, io.Closer) {
		cmd := exec.Command(racer, append([]string{mode, state, bin.reprise, bin.standin}, places...)...)
		cmd.Dir, cmd.Env, cmd.Stderr = h.project, append(h.env, "REPRISE_FAILPOINT="+failpoint), os.Stderr
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		return cmd, in
	}
	kill := func(cmd *exec.Cmd) {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	first, _ := start("first", "")
	if err := first.Wait(); !killed(err) {
		t.Fatalf("the first server ended with %v", err)
	}
	begun := len(h.launched())
	if begun != len(places) {
		t.Fatalf("%d agents were launched, want %d", begun, len(places))
	}
	doomed, _ := start("race", step+":kill")
	var others []*exec.Cmd
	join := func() {
		for range 2 {
			o, _ := start("race", "")
			others = append(others, o)
		}
	}
	if early {
		join()
	}
	defer func() {
		for _, o := range others {
			kill(o)
		}
	}()
	d, err := db.Open(t.Context(), state, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if early {
		// It may never get to the step: the others are faster.
		eventually(t, func() error { return back(h, d, places) })
		died = exited(doomed)
		kill(doomed)
	} else {
		eventually(t, func() error {
			if !exited(doomed) {
				return fmt.Errorf("the server does not get to %s", step)
			}
			return nil
		})
		if err := doomed.Wait(); !killed(err) {
			t.Fatalf("the server ended with %v before it got to %s", err, step)
		}
		died = true
		join()
	}
	eventually(t, func() error { return back(h, d, places) })
	starts := h.launched()
	most := 2
	if after {
		most++ // the one whose server died behind its gate
	}
	// With others from the start, whoever is killed at the end takes agents along.
	if !early && len(starts) > most {
		t.Errorf("%d launches, at most %d are right: %+v", len(starts), most, starts)
	}
	for _, s := range starts {
		if s.Double {
			t.Errorf("two processes held session %s: %+v", s.Session, starts)
		}
	}
	return died
}

// exited reports whether a process that was not waited for has ended.
func exited(cmd *exec.Cmd) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	return err != nil || strings.Contains(string(b), ") Z ")
}

// killed reports whether a process died by SIGKILL.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	st, ok := exit.Sys().(syscall.WaitStatus)
	return ok && st.Signaled() && st.Signal() == syscall.SIGKILL
}

// back reports what is missing until every pane's session lives again, in one
// process that the store knows.
func back(h *home, d *db.DB, places []string) error {
	starts := h.launched()
	sessions := map[string]bool{}
	for _, s := range starts {
		sessions[s.Session] = true
	}
	if len(sessions) != len(places) {
		return fmt.Errorf("sessions %v, want %d", sessions, len(places))
	}
	for _, p := range places {
		rec, err := d.Pane(h.t.Context(), panes.PaneID(p))
		if err != nil {
			return err
		}
		b := rec.Binding
		if b == nil || b.Reason != agent.Live {
			return fmt.Errorf("pane %s: %+v", p, b)
		}
		mine := lab.Of(starts, string(b.Session))
		if len(mine) < 2 {
			return fmt.Errorf("session %s was launched %d times", b.Session, len(mine))
		}
		last := mine[len(mine)-1]
		if last.PID != rec.Terminal.Process.PID || syscall.Kill(last.PID, 0) != nil {
			return fmt.Errorf("session %s: process %d was launched last, %d is recorded", b.Session, last.PID, rec.Terminal.Process.PID)
		}
	}
	return nil
}
