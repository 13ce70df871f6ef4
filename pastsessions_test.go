package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"reprise/testdata/lab"
)

// A session that was quit is listed, opened once in a tab of its own, and found where
// it is from then on; one whose pane is dead comes back there.
func TestPastSessions(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "--model", "m1", "codeword HERON-1")
	c.wait("noted")
	first := h.lastLaunch(1)
	h.converses(first)
	c.send("/exit\r")
	type one struct{ Agent, Session, State, Open string }
	list := func() (all []one) {
		t.Helper()
		if err := json.Unmarshal([]byte(h.verb("sessions", "--all", "--json")), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	over := []one{{"standin", first.Session, "past", ""}}
	for end := time.Now().Add(patience); !slices.Equal(list(), over); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%+v, want %+v", list(), over)
		}
	}
	id := first.Session
	pane := h.verb("resume", "--past", id[len(id)-8:])
	if again := h.lastLaunch(2); again.Session != first.Session {
		t.Errorf("session %s was opened, want %s", again.Session, first.Session)
	}
	h.verb("send", "-p", pane, "codeword?", "--key", "enter")
	h.shows(pane, "the codeword is HERON-1")
	if got := h.verb("resume", "--past", id); got != pane {
		t.Errorf("picked again it is in pane %s, want %s", got, pane)
	}
	if all := list(); len(all) != 1 || all[0].State != "open" || all[0].Open == "" {
		t.Errorf("%+v", all)
	}
	// A copy of it has an id of its own, while the session itself is open; killed, it is
	// the copy that comes back.
	copied := h.verb("resume", "--past", id, "--fork")
	fork := h.lastLaunch(3)
	if fork.Session == id || copied == pane {
		t.Errorf("the copy is session %s in pane %s, copied was %s in %s", fork.Session, copied, id, pane)
	}
	if !slices.Contains(fork.Argv, "m1") || fork.Dir != first.Dir {
		t.Errorf("the copy is %q in %s, copied was %q in %s", fork.Argv, fork.Dir, first.Argv, first.Dir)
	}
	h.verb("send", "-p", copied, "codeword?", "--key", "enter")
	h.shows(copied, "the codeword is HERON-1")
	if err := syscall.Kill(fork.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.stateIs(copied, "due") // nobody looks at it
	h.verb("resume", copied)
	if again := h.lastLaunch(4); again.Session != fork.Session || again.Double || !slices.Contains(again.Argv, "m1") {
		t.Errorf("after its death %s came back as %q (twice: %v), want %s", again.Session, again.Argv, again.Double, fork.Session)
	}
	h.refuses("--fork copies a session that --past names", "resume", "--fork")
	h.refuses("there is no past session 00000000: reprise sessions --all lists them", "resume", "--past", "00000000")
	h.lastLaunch(4)
}

// What an agent's store cannot tell, since nobody here can read it, our own does: where
// and when, of a session that was named and of which no hook ever told. An agent that
// knows no sessions has none, and one whose store says that there was no message neither.
func TestPastSessionsOfUnreadStores(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	programs := filepath.Join(h.root, "programs")
	if err := os.Mkdir(programs, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"amp", "aider", "grok"} {
		lab.WriteProgram(t, filepath.Join(programs, name), []byte("#!/bin/sh\necho it is $0 \"$@\"\nread line\n"), 0o700)
	}
	if err := os.MkdirAll(filepath.Join(h.root, ".grok", "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.env = append(h.env, "PATH="+programs+":"+bin.dir+":"+os.Getenv("PATH"))
	const thread = "T-01a0630c-9370-72e0-87ad-ded5d1af3198"
	h.attach("standin", "codeword HERON-2").wait("noted")
	pane := h.verb("split", "amp", "threads", "continue", thread)
	for _, p := range []string{pane, h.verb("split", "aider"), h.verb("split", "grok")} {
		h.shows(p, "it is")
	}
	type one struct{ Agent, Session, Dir, State string }
	list := func() (all []one) {
		t.Helper()
		if err := json.Unmarshal([]byte(h.verb("sessions", "--all", "--json")), &all); err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(all, func(o one) bool { return o.Agent == "standin" })
	}
	if got, want := list(), []one{{"amp", thread, h.project, "open"}}; !slices.Equal(got, want) {
		t.Errorf("while they run: %+v, want %+v", got, want)
	}
	h.verb("send", "-p", pane, "--key", "enter")
	eventually(t, func() error {
		if got, want := list(), []one{{"amp", thread, h.project, "past"}}; !slices.Equal(got, want) {
			return fmt.Errorf("when it has ended: %+v, want %+v", got, want)
		}
		return nil
	})
}
