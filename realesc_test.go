package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reprise/testdata/lab"
)

// TestRealAgentsInterrupted: an agent whose turn was interrupted by esc, while the model
// did not answer, does not work any more, whatever tells of it.
func TestRealAgentsInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, run := range []struct {
		name string
		late bool // its hooks do not tell when it is ready for its first message
		by   string
		escs int
	}{
		{"claude", false, "title", 1},
		{"codex", true, "protocol", 1},
		{"gemini", true, "title", 1},
		{"qwen", false, "hook", 1},
		{"copilot", true, "screen", 2},
		{"opencode", true, "hook", 2},
		{"pi", false, "hook", 1},
	} {
		t.Run(run.name, func(t *testing.T) {
			r := lab.NewReal(t, run.name)
			h := newHome(t)
			h.project, h.env = r.Dir, append(h.env, r.Env...)
			c := h.served(run.name)
			a := &told{home: h, pane: h.attached(1).Panes[0].ID, store: filepath.Join(r.Home, "."+run.name)}
			asked := func() bool { return len(r.Answers("[[hang]]")) > 0 }
			if run.late {
				a.types("wait [[hang]]", asked)
			} else {
				a.sends("wait [[hang]]")
			}
			a.works(run.by)
			a.interrupted(run.by, run.escs)
			c.kill()
		})
	}
}

// types types a message, again and again, until the model is asked: an agent that starts
// may look as if it worked, and swallow enter.
func (a *told) types(text string, asked func() bool) {
	a.t.Helper()
	next, entered := time.Now(), true
	slowly(a.t, func() error {
		if asked() {
			return nil
		}
		shown := a.verb("capture", "-p", a.pane)
		switch {
		case !time.Now().After(next):
		case !entered && strings.Contains(shown, text):
			a.verb("send", "-p", a.pane, "--key", "enter")
			next, entered = time.Now().Add(5*time.Second), true
		default: // what is shown may be the terminal's echo, from before the agent read keys
			a.verb("send", "-p", a.pane, text)
			next, entered = time.Now().Add(2*time.Second), false
		}
		return fmt.Errorf("it does not work on %q; it shows:\n%s", text, shown)
	})
}

// status is what the agent is told to do, also while its session is not known.
func (a *told) status() string {
	a.t.Helper()
	for _, p := range a.ls()[0].Panes {
		if p.ID == a.pane {
			return p.Status
		}
	}
	return ""
}

// works waits until the agent is told to work, by what will tell that it does not, too.
func (a *told) works(by string) {
	a.t.Helper()
	slowly(a.t, func() error {
		said := a.verb("agent", "explain", a.pane)
		for line := range strings.Lines(said) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == by && f[1] == "working" {
				return nil
			}
		}
		return fmt.Errorf("no %s tells that it works:\n%s", by, said)
	})
}

// interrupted presses escape until the agent rests, by what tells of it: one that has just
// begun its turn may swallow it, and the hook of its start may say for a moment that it
// rests.
func (a *told) interrupted(by string, escs int) {
	a.t.Helper()
	next := time.Now()
	slowly(a.t, func() error {
		if a.status() == "working" && !time.Now().Before(next) {
			for range escs {
				a.verb("send", "-p", a.pane, "--key", "esc")
			}
			next = time.Now().Add(10 * time.Second)
		}
		said := a.verb("agent", "explain", a.pane)
		if s := a.status(); s != "idle" && s != "done" || !decides(said, by) {
			return fmt.Errorf("it is told as %q, want by its %s that it rests:\n%s\nit shows:\n%s", s, by, said, a.verb("capture", "-p", a.pane))
		}
		return nil
	})
}

// decides reports whether a source is what agent explain says decides.
func decides(explained, by string) bool {
	for line := range strings.Lines(explained) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == by && f[len(f)-1] == "decides" {
			return true
		}
	}
	return false
}
