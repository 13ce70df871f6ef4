package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"reprise/testdata/lab"
)

// mute is an agent of whose session nothing is told.
func mute(h *home) {
	h.config(fmt.Sprintf("[agents.mute]\ncommand = %q\nresume_args = [\"--resume\", \"{session_id}\"]\n", bin.standin))
}

// sessionOf is the session that a pane's agent is said to have.
func (h *home) sessionOf(pane string) string {
	h.t.Helper()
	for _, s := range h.ls() {
		for _, p := range s.Panes {
			if p.ID == pane {
				return p.Session
			}
		}
	}
	h.t.Fatalf("there is no pane %s", pane)
	return ""
}

// The session of an agent that no hook tells of is what a person says: it comes back
// as that one, once, after its own death and after its server's.
func TestPinnedSession(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	mute(h)
	c := h.attach("mute", "--do", "no-hooks", "codeword HERON-1")
	c.wait("noted")
	first, pane := h.lastLaunch(1), h.ls()[0].Panes[0].ID
	if got := h.sessionOf(pane); got != "" {
		t.Fatalf("the session is known without a hook: %q", got)
	}
	for _, id := range []string{"../x", "a b", "-x"} {
		h.refuses(".* is no session id of mute", "session", "pin", "--", pane, id)
	}
	if got := h.verb("session", "pin", pane, first.Session); got != "mute has session "+first.Session {
		t.Errorf("session pin prints %q", got)
	}
	other := h.verb("split", "-p", pane, "mute", "--do", "no-hooks", "codeword HERON-2")
	second := h.lastLaunch(2)
	h.shows(other, "noted")
	h.refuses("mute has this session in pane 1.1 of session proj: close that", "session", "pin", other, first.Session)
	h.verb("session", "pin", other, "not-this-one")
	if got := h.verb("session", "unpin", other); got != "mute's session is not known now" {
		t.Errorf("session unpin prints %q", got)
	}
	h.refuses("no session is pinned here", "session", "unpin", other)
	h.verb("session", "pin", other, second.Session)

	was := first
	for n := 3; n <= 4; n++ { // the second time it was brought back itself
		if err := syscall.Kill(was.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		now := h.lastLaunch(n)
		if now.Session != first.Session || !now.Resumed {
			t.Fatalf("launched %+v after %+v", now, first)
		}
		was = now
	}
	h.refuses("no session is pinned here", "session", "unpin", pane) // it is a session as any other
	h.killServer()
	c.ended()
	h.attach()
	back := map[string]lab.Start{}
	h.lastLaunch(6)
	for _, s := range h.launched()[4:] {
		back[s.Session] = s
	}
	if !back[first.Session].Resumed || !back[second.Session].Resumed {
		t.Errorf("came back: %+v", back)
	}
	h.stateIs(pane, "running") // it has the pane, too
	h.stateIs(other, "running")
	h.verb("send", "-p", pane, "codeword?", "--key", "enter")
	h.shows(pane, "the codeword is HERON-1")
	h.verb("send", "-p", other, "codeword?", "--key", "enter")
	h.shows(other, "the codeword is HERON-2")
	if told := h.verb("explain", "-p", pane); !strings.Contains(told, "a person says that this is the session") {
		t.Errorf("explain says\n%s", told)
	}
}

// An agent that was run in a shell by its path, past us, is taken in by its pin.
func TestPinTakesAnAgentOfAShellIn(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	c.send(bin.standin + " --model m1 'codeword CRANE-3'\r")
	c.wait("noted")
	first, pane := h.lastLaunch(1), h.ls()[0].Panes[0].ID
	h.agentOf("")
	h.verb("session", "pin", pane, first.Session)
	if got := h.agentOf("standin"); got != first.Session {
		t.Errorf("the pane holds session %q, want %q", got, first.Session)
	}
	h.killServer()
	c.ended()
	c = h.attach()
	again := h.lastLaunch(2)
	if again.Session != first.Session || !again.Resumed || again.Dir != first.Dir || !strings.Contains(strings.Join(again.Argv, " "), "--model m1") {
		t.Errorf("launched %+v after %+v", again, first)
	}
	c.asks("CRANE-3")
	h.refuses("no agent runs in this pane", "session", "pin", h.verb("split"), first.Session)
}

// Of two agents in a shell it is the one that has the terminal which is pinned.
func TestPinTakesTheAgentInFrontIn(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	c.send(bin.standin + " 'codeword CRANE-3'\r")
	c.wait("noted")
	behind := h.lastLaunch(1)
	t.Cleanup(func() { _ = syscall.Kill(behind.PID, syscall.SIGKILL) })
	if err := syscall.Kill(behind.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	c.wait("Stopped")
	c.send(bin.standin + " 'codeword HERON-4'\r")
	front := h.lastLaunch(2)
	h.verb("session", "pin", h.ls()[0].Panes[0].ID, front.Session)
	h.agentOf("standin")
	if err := syscall.Kill(front.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.agentOf("") // it was that one
}
