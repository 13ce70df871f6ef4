package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// typedAgent is a shell in which an agent was typed, and its pane.
func typedAgent(t *testing.T) (h *home, c *client, pane string) {
	t.Helper()
	h, c = typing(t)
	c.send("standin\r")
	c.wait("standin, session")
	h.agentOf("standin")
	return h, c, h.ls()[0].Panes[0].ID
}

// typing attaches to a shell in which what is typed is known.
func typing(t *testing.T) (*home, *client) {
	t.Helper()
	h := newHome(t)
	c := h.attach()
	c.wait(sh)
	c.types("command -v standin\r", "/typed/standin *([│┃]|$)")
	return h, c
}

// agentOf waits until the only pane holds that agent, "" for a shell, and returns its
// session.
func (h *home) agentOf(kind string) string {
	h.t.Helper()
	all := h.listed(func(all []listed) bool {
		return len(all) == 1 && len(all[0].Panes) == 1 && all[0].Panes[0].Agent == kind && all[0].Panes[0].State == "running"
	})
	return all[0].Panes[0].Session
}

// An agent that a person typed comes back as one that we launched does, once and
// without the shell in which it was typed; what was quit does not.
func TestTypedAgentComesBack(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	c.send("mkdir sub; cd sub; COLOUR='deep blue' standin --model m1\r")
	c.wait("standin, session")
	c.tell("ZEBRA-42")
	first := h.lastLaunch(1)
	if got := h.agentOf("standin"); got != first.Session {
		t.Errorf("the pane holds session %q, want %q", got, first.Session)
	}
	if path := first.Env["PATH"]; strings.Contains(path, "/typed:") {
		t.Errorf("the agent itself would find our program: PATH=%s", path)
	}
	h.killServer()
	c.ended()
	c = h.attach()
	again := h.lastLaunch(2)
	if again.Session != first.Session || !again.Resumed || again.Dir != first.Dir || !slices.Contains(again.Argv, "m1") {
		t.Errorf("launched %+v after %+v", again, first)
	}
	c.asks("ZEBRA-42")
	c.send("/env COLOUR\r")
	c.wait("COLOUR=deep blue")
	for _, p := range h.processes() {
		if slices.Contains([]string{"sh", "/bin/sh", "-sh"}, p.argv[0]) && len(p.argv) == 1 {
			t.Errorf("a shell runs beside it: %+v", p)
		}
	}
	c.send("/exit\r")
	c.wait(sh)
	h.agentOf("")
	h.killServer()
	c = h.attach()
	c.wait(sh)
	h.stays(2)
}

func TestTypedAgentThatWasQuit(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	c.send("PATH=${PATH%%:*} standin; echo status $?\r")
	c.wait(`^(\$ )*standin: command not found`)
	c.wait(`^(\$ )*status 127`)
	c.send("sh\rstandin; echo status $?\r")
	c.tell("CROW-1")
	first := h.lastLaunch(1)
	c.send("/nested\r")
	c.wait("nested ended: <nil>")
	if got := h.agentOf("standin"); got != first.Session {
		t.Errorf("the pane holds session %q, want %q", got, first.Session)
	}
	c.send("/exit\r")
	c.wait(`^(\$ )*status 0`)
	h.agentOf("")
	c.send("standin\r") // another one in the same shell
	c.tell("OWL-2")
	if got := h.agentOf("standin"); got == first.Session {
		t.Errorf("the pane holds session %q, which has ended", got)
	}
	c.send("/exit\r")
	h.agentOf("")
	h.killServer()
	c = h.attach()
	c.wait(sh)
	h.stays(3)
	if _, err := os.Stat(h.root + "/.profile"); err == nil {
		t.Error("something was written for the person's shell")
	}
}

// An agent that was typed is a life beside its shell's, which does not move.
func TestTypedAgentIsNotMoved(t *testing.T) {
	t.Parallel()
	h, c, pane := typedAgent(t)
	h.verb("new", "-d", "-s", "docs")
	h.verb("split", "-p", pane)
	h.refuses("the pane was not moved: an agent that was typed in its shell runs there: end it first", "move", "docs", "-p", pane)
	c.tell("WREN-3")
	h.lastLaunch(1)
}

// Who leaves an agent and then its shell is done with both, whatever status the shell
// makes of that.
func TestTypedAgentAndThenItsShell(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	c.send("standin\r")
	c.tell("CROW-5")
	c.send("/die 3\r")
	h.agentOf("")
	c.send("exit\r")
	c.wait("ended")
	h.stays(1)
}

// An agent that dies alone in its shell is not lost: a person brings it back beside the
// shell, once.
func TestTypedAgentThatDiedAlone(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	c.send("standin\r")
	c.tell("CROW-9")
	first := h.lastLaunch(1)
	h.agentOf("standin")
	c.send("/die 3\r")
	h.agentOf("")
	c.wait("standin ended in its shell; its session is kept")
	pane := h.ls()[0].Panes[0].ID
	c.send("\x02R")
	again := h.lastLaunch(2)
	if again.Session != first.Session || !again.Resumed {
		t.Errorf("launched %+v after %+v", again, first)
	}
	c.asks("CROW-9")
	if all := h.ls()[0].Panes; len(all) != 2 || all[0].ID != pane || all[0].Agent != "" || all[1].Agent != "standin" {
		t.Errorf("panes %+v", all)
	}
	h.refuses("pane .* holds no agent's session", "resume", pane) // it is open beside it
	h.verb("send", "-p", "2", "/exit", "--key", "enter")
	h.listed(func(all []listed) bool { return len(all[0].Panes) == 2 && all[0].Panes[1].Agent == "" })
	h.stays(2)
	h.refuses("pane .* holds no agent's session", "resume", pane) // nor after a person has ended it
}
