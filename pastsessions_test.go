package main

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// A session that was quit is listed, opened once in a tab of its own, and found where
// it is from then on; one whose pane is dead comes back there.
func TestPastSessions(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "codeword HERON-1")
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
	h.refuses("there is no past session 00000000: reprise sessions --all lists them", "resume", "--past", "00000000")
	h.lastLaunch(2)
}
