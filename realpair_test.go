package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"reprise/testdata/lab"
)

// TestRealAgentsTogether: two of a kind, at work in one directory at once, are not
// taken for each other. Both die; each is back in its pane with what it was told and
// the options that it was started with, also after /clear gave it another id.
func TestRealAgentsTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, name := range []string{"claude", "codex"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := lab.NewReal(t, name)
			h := newHome(t)
			h.project, h.env = r.Dir, append(h.env, r.Env...)
			c := h.served(name, "--model", "fake-model")
			one := &told{home: h, pane: h.attached(1).Panes[0].ID, store: filepath.Join(r.Home, "."+name), anyway: name == "codex"}
			two := &told{home: h, pane: h.verb("split", name, "--model", "fake-model"), store: one.store, anyway: one.anyway}
			one.tell("ZEBRA-17")
			two.tell("OTTER-23")
			first, second := one.process(), two.process()
			killGroup(t, first.PID)
			killGroup(t, second.PID)
			one.back(first)
			two.back(second)

			one.clear()
			one.tell("HERON-5")
			first = one.process()
			if first.Session == second.Session {
				t.Errorf("after /clear both panes are bound to %s", first.Session)
			}
			killGroup(t, first.PID)
			one.back(first)
			two.asked()
			c.kill()
		})
	}
}

// told is an agent in a pane that was told a codeword.
type told struct {
	*home
	pane, word string
	store      string // where its kind keeps conversations
	anyway     bool   // its kind does not say when it is ready for its first prompt
	answers    int    // messages in the history of its last answer
}

func (a *told) tell(word string) {
	a.t.Helper()
	a.word, a.answers = word, 0
	a.prompt("remember codeword " + word)
}

// swallowed is how long an answer may take before enter is pressed again.
const swallowed = 15 * time.Second

func (a *told) asked() {
	a.t.Helper()
	a.prompt("which codeword?")
}

// prompt sends a prompt and waits for an answer of this history that is kept.
func (a *told) prompt(text string) {
	a.t.Helper()
	a.sends(text)
	answer := regexp.MustCompile(`codeword is ` + a.word + ` \((\d+) messages\)`)
	before := a.answers
	// One that is starting may say that it works and yet swallow the enter, which a person
	// would press again: to an empty line it does nothing.
	again := time.Now().Add(swallowed)
	slowly(a.t, func() error {
		if time.Now().After(again) {
			a.verb("send", "-p", a.pane, "--key", "enter")
			again = again.Add(swallowed)
		}
		shown := a.verb("capture", "-p", a.pane)
		for _, m := range answer.FindAllStringSubmatch(shown, -1) {
			n, _ := strconv.Atoi(m[1])
			a.answers = max(a.answers, n)
		}
		if a.answers == before {
			return fmt.Errorf("it has not answered %q with %s:\n%s", text, a.word, shown)
		}
		return nil
	})
	kept(a.t, a.store, fmt.Sprintf("codeword is %s (%d messages)", a.word, a.answers), func() string { return a.verb("capture", "-p", a.pane) })
}

// sends sends a prompt until it is taken, which it is not by an agent that is starting.
func (a *told) sends(text string) {
	a.t.Helper()
	anyway := a.anyway
	slowly(a.t, func() error {
		out, err, status := a.run("agent", "send", fmt.Sprintf("--anyway=%v", anyway), a.pane, text)
		if status == 0 {
			return nil
		}
		// One that swallows enter while it starts does not say that it is ready again.
		anyway = anyway || strings.Contains(out, "not taken")
		time.Sleep(100 * time.Millisecond) // asking takes a process
		return fmt.Errorf("agent send: %s%s; it shows:\n%s", out, err, a.verb("capture", "-p", a.pane))
	})
}

// process is what runs in the pane, once it is known as a session's agent.
func (a *told) process() (p listedPane) {
	a.t.Helper()
	a.listed(func(all []listed) bool {
		i := slices.IndexFunc(all[0].Panes, func(p listedPane) bool { return p.ID == a.pane })
		if i < 0 {
			a.t.Fatalf("pane %s is not there: %+v", a.pane, all[0].Panes)
		}
		p = all[0].Panes[i]
		return p.PID != 0 && p.Session != ""
	})
	return p
}

// back waits until a dead agent has a successor of its session and its options, and
// asks that for the codeword.
func (a *told) back(dead listedPane) {
	a.t.Helper()
	var now listedPane
	slowly(a.t, func() error {
		if now = a.process(); now.PID == dead.PID || now.State != "running" {
			return fmt.Errorf("pane %+v, it was %+v", now, dead)
		}
		return nil
	})
	slowly(a.t, func() error { // it may be just about to become its program
		argv, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", now.PID))
		if err != nil || now.Session != dead.Session || !strings.Contains(string(argv), "\x00--model\x00fake-model\x00") {
			return fmt.Errorf("%+v came back as %+v: %q %w", dead, now, argv, err)
		}
		return nil
	})
	a.asked()
}

// clear begins another conversation by /clear. codex's hook tells of it with the next
// message: it has taken it when it greets anew.
func (a *told) clear() {
	a.t.Helper()
	before := a.process().Session
	a.verb("send", "-p", a.pane, "/clear")
	a.shows(a.pane, `[❯›].?/clear`)
	a.verb("send", "-p", a.pane, "--key", "enter")
	slowly(a.t, func() error {
		shown := a.verb("capture", "-p", a.pane)
		if !a.anyway && a.process().Session == before || strings.Contains(shown, a.word) {
			return fmt.Errorf("/clear is not taken:\n%s", shown)
		}
		return nil
	})
}

// TestRealAgentsStatus: while an agent asks for a permission it is told as waiting for
// it, and when its turn has ended as done.
func TestRealAgentsStatus(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for name, run := range map[string]struct {
		flags []string
		tool  string // what lets it ask
	}{
		"claude": {[]string{"--model", "fake-model"}, `[[tool Bash {"command":"touch made-by-it"}]]`},
		"codex":  {[]string{"-a", "on-request"}, `[[tool exec_command {"cmd":"touch made-by-it","sandbox_permissions":"require_escalated","justification":"it is asked for"}]]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := lab.NewReal(t, name)
			h := newHome(t)
			h.project, h.env = r.Dir, append(h.env, r.Env...)
			c := h.served(append([]string{name}, run.flags...)...)
			a := &told{home: h, pane: h.attached(1).Panes[0].ID, store: filepath.Join(r.Home, "."+name), anyway: name == "codex"}
			a.tell("ZEBRA-17")
			a.doing("idle") // its end was in sight
			a.sends(run.tool)
			a.doing("permission")
			a.allows(filepath.Join(r.Dir, "made-by-it"))
			a.doing("idle")
			c.kill()
			h.attached(0) // nobody sees it now
			a.asked()
			a.doing("done")
		})
	}
}

// allows takes the first choice of the agent's question, which is yes, until what it
// asked for is done: the hook comes before the question takes keys.
func (a *told) allows(made string) {
	a.t.Helper()
	next := time.Now()
	slowly(a.t, func() error {
		_, err := os.Stat(made)
		if err != nil && !time.Now().Before(next) {
			a.verb("send", "-p", a.pane, "--key", "enter")
			next = time.Now().Add(2 * time.Second)
		}
		return err
	})
}

// doing waits until the agent does what is said.
func (a *told) doing(what string) {
	a.t.Helper()
	slowly(a.t, func() error {
		if p := a.process(); p.Status != what {
			return fmt.Errorf("it is told as %q, want %q; it shows:\n%s", p.Status, what, a.verb("capture", "-p", a.pane))
		}
		return nil
	})
}
