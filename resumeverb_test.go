package main

import "testing"

// Sessions in hidden tabs come back when they are asked for from outside.
func TestResumeVerb(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "codeword COOT-1")
	c.wait("noted")
	hidden := h.verb("tab", "standin", "codeword COOT-2")
	s := h.lastLaunch(2)
	h.converses(s)
	h.killServer()
	c.ended()
	c = h.attach()
	c.asks("COOT-1")
	h.stateIs(hidden, "due")
	if got := h.verb("resume", "--all"); got != "resuming 1 session" {
		t.Errorf("resume --all prints %q", got)
	}
	if again := h.lastLaunch(4); again.Session != s.Session {
		t.Errorf("session %s came back, want %s", again.Session, s.Session)
	}
	h.stateIs(hidden, "running")
	h.refuses("the session of pane .* is not to be resumed: standin runs in it", "resume", hidden)
	h.refuses("name a pane, or all of them", "resume", "--all", hidden)
	killGroup(t, h.lastLaunch(4).PID)
	h.stateIs(hidden, "due")
	if got := h.verb("resume", "2.1"); got != "" {
		t.Errorf("resume prints %q", got)
	}
	h.lastLaunch(5)
	h.verb("send", "-p", "2.1", "codeword?", "--key", "enter")
	h.shows("2.1", "the codeword is COOT-2")
	shell := h.verb("split")
	h.refuses("pane .* holds no agent's session", "resume", shell)
	if got := h.verb("resume", "--all"); got != "resuming 0 sessions" {
		t.Errorf("resume --all prints %q", got)
	}
}
