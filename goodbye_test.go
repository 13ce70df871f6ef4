package main

import (
	"strings"
	"syscall"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/testdata/lab"
)

// An agent that ends with status 0 though nobody typed to it is held to be unsure:
// for 30 seconds what happens decides whether it comes back (resume.md §3).
func TestExitOfItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		then func(h *home, c *client) *client // what happens; the client to look at
		back bool
	}{
		"r":     {func(_ *home, c *client) *client { c.press("r", "standin ended"); return c }, true},
		"enter": {func(h *home, c *client) *client { c.press("\r", "standin ended"); c.wait(sh); return again(h, c) }, false},
		"a person closes it": {func(h *home, c *client) *client {
			c.send("\x02%")
			c.wait(sh)
			c.send("\x02o\x02x")
			c.gone("standin ended")
			return again(h, c)
		}, false},
		"leaving": {func(h *home, c *client) *client { c.send("\x02d"); c.ended(); return h.start() }, true},
		"SIGTERM": {func(h *home, c *client) *client {
			signal(h.t, c.cmd.Process.Pid, syscall.SIGTERM)
			c.ended()
			return h.start()
		}, true},
		"a crash": {func(h *home, c *client) *client { return again(h, c) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.habits("hup-0")
			p := h.start("standin", "codeword CROW-1")
			p.wait("noted")
			s := h.lastLaunch(1)
			signal(t, s.PID, syscall.SIGHUP)
			p.wait("◦ standin ended +enter shell   r resume")
			p = c.then(h, p)
			if !c.back {
				p.wait(sh)
				h.stays(1)
				return
			}
			if l := h.lastLaunch(2); l.Session != s.Session {
				t.Errorf("session %s after %s", l.Session, s.Session)
			}
			p.asks("CROW-1")
		})
	}
}

// again crashes the program and starts it once more.
func again(h *home, c *client) *client {
	c.kill()
	return h.start()
}

// stays checks that no session is live or would come back: there were n launches.
func (h *home) stays(n int) {
	h.t.Helper()
	for _, rec := range records(h.t, h.store()) {
		if rec.Candidate || rec.Binding != nil && rec.Binding.Reason == agent.Live {
			h.t.Errorf("pane %s comes back: %+v", rec.Pane, rec.Binding)
		}
	}
	h.lastLaunch(n)
}

// Exit 0 after a key, without a word: it settles by itself, and a shell follows.
func TestExitAfterAKeySettles(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.habits("silent-exit")
	c := h.start("standin")
	c.tell("CROW-2")
	c.send("/exit\r")
	c.wait("◦ standin ended")
	c.wait(sh)
	again(h, c).wait(sh)
	h.stays(1)
}

// What a goodbye hook is worth depends on whether the kind is certain of it.
func TestGoodbyeThenDeath(t *testing.T) {
	for name, c := range map[string]struct {
		certain bool
		then    func(h *home, c *client, s lab.Start)
		back    bool
	}{
		"uncertain, then SIGHUP":                   {false, func(h *home, _ *client, s lab.Start) { signal(h.t, s.PID, syscall.SIGHUP) }, true},
		"uncertain, then a crash":                  {false, func(h *home, c *client, _ lab.Start) { c.kill(); h.start() }, true},
		"uncertain, then a person closes the pane": {false, func(h *home, c *client, s lab.Start) { closePane(c, s) }, false},
		"certain, then SIGHUP":                     {true, func(h *home, _ *client, s lab.Start) { signal(h.t, s.PID, syscall.SIGHUP) }, false},
		"certain, then kill -9":                    {true, func(h *home, _ *client, s lab.Start) { killGroup(h.t, s.PID) }, false},
		"certain, then a crash":                    {true, func(h *home, c *client, _ lab.Start) { c.kill() }, false},
		"certain, then a person closes the pane":   {true, func(h *home, c *client, s lab.Start) { closePane(c, s) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			p := h.start("standin", "codeword ROOK-1")
			p.wait("noted")
			s := h.lastLaunch(1)
			p.send("\x02%")
			p.wait(sh)
			p.send("\x02o")
			said := payload(s.Session, "reason=other")
			words := "goodbye is not certain: other"
			if c.certain {
				said, words = payload(s.Session, "reason=exit", "certain=true"), "ended for good"
			}
			h.hook(hookCall(s), "goodbye", said)
			noted(t, h.store(), words)
			c.then(h, p, s)
			if c.back {
				if l := h.lastLaunch(2); l.Session != s.Session {
					t.Errorf("session %s after %s", l.Session, s.Session)
				}
				return
			}
			isOver(t, s.PID)
			p.kill()
			h.start().wait(sh)
			h.stays(1)
		})
	}
}

// closePane closes the focused pane of an agent as a person does.
func closePane(c *client, s lab.Start) {
	c.send("\x02x")
	c.wait("Close this pane")
	c.send("y")
	isOver(c.t, s.PID)
}

// Hooks of a life that is over change nothing.
func TestStragglers(t *testing.T) {
	stray := func(h *home, s lab.Start) {
		h.t.Helper()
		h.hook(hookCall(s), "start", payload("another"))
		h.hook(hookCall(s), "goodbye", payload(s.Session, "certain=true", "reason=late"))
		h.hook(hookCall(s), "prompt", payload(s.Session))
	}
	heard := func(t *testing.T, d *db.DB) {
		t.Helper()
		for _, words := range []string{"standin start: parents do not lead", "goodbye (late): the binding is", "standin prompt: the binding is"} {
			noted(t, d, words)
		}
	}
	t.Run("after the resume", func(t *testing.T) {
		t.Parallel()
		h := newHome(t)
		c := h.start("standin", "codeword JAY-1")
		c.wait("noted")
		first := h.lastLaunch(1)
		killGroup(t, first.PID)
		h.lastLaunch(2)
		d := h.store()
		stray(h, first)
		heard(t, d)
		if s := h.allLive(d, 1); s[0] != first.Session {
			t.Errorf("the pane has session %s, want %s", s[0], first.Session)
		}
		c.asks("JAY-1")
		killGroup(t, h.lastLaunch(2).PID)
		h.lastLaunch(3)
		c.asks("JAY-1")
	})
	t.Run("after a person closed it", func(t *testing.T) {
		t.Parallel()
		h := newHome(t)
		c := h.start("standin", "codeword JAY-2")
		c.wait("noted")
		first := h.lastLaunch(1)
		c.send("\x02%")
		c.wait(sh)
		c.send("\x02o")
		closePane(c, first)
		c.gone("standin")
		stray(h, first)
		again(h, c).wait(sh)
		heard(t, h.store())
		h.stays(1)
	})
	t.Run("before its owner's successor looks", func(t *testing.T) {
		t.Parallel()
		h := newHome(t)
		c := h.start("standin", "codeword JAY-3")
		c.wait("noted")
		first := h.lastLaunch(1)
		c.kill()
		isOver(t, first.PID)
		h.hook(hookCall(first), "start", payload("another"))
		d := h.start()
		if l := h.lastLaunch(2); l.Session != first.Session {
			t.Errorf("session %s after %s", l.Session, first.Session)
		}
		d.asks("JAY-3")
	})
}

// Hooks that are not this launch's change nothing while it lives.
func TestStrangersHooks(t *testing.T) {
	for name, change := range map[string]func(words []string){
		"wrong kind":  func(w []string) { w[len(w)-2] = "claude" },
		"wrong nonce": func(w []string) { w[len(w)-1] = "AAAABBBBCCCCDDDDEEEEFFFFGG" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.start("standin", "codeword TIT-1")
			c.wait("noted")
			s := h.lastLaunch(1)
			words := strings.Fields(hookCall(s))
			change(words)
			call := strings.Join(words, " ")
			h.hook(call, "SessionStart", payload("another"))
			h.hook(call, "start", payload("another"))
			h.hook(call, "goodbye", payload(s.Session, "certain=true"))
			d := h.store()
			noted(t, d, "start: ")
			killGroup(t, s.PID)
			if l := h.lastLaunch(2); l.Session != s.Session {
				t.Errorf("session %s after %s", l.Session, s.Session)
			}
			c.asks("TIT-1")
		})
	}
}
