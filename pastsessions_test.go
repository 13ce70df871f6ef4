package main

import (
	"encoding/json"
	"slices"
	"syscall"
	"testing"
	"time"
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
