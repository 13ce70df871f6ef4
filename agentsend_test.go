package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// modelSaid: the stand-in, which has no model, was asked for it. Its prompt may stand
// before that.
var modelSaid = regexp.MustCompile(`(?m)^(> )*model *$`)

// A prompt from outside begins a turn, or waits for the agent; it answers no question.
func TestAgentSend(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	pane := h.verb("new", "-d", "-s", "w", "standin", "codeword COOT-7")
	h.verb("agent", "send", "--queue", pane, "codeword?") // it may not be ready yet
	h.shows(pane, "the codeword is COOT-7")
	h.verb("send", "-p", pane, "/ask", "--key", "enter")
	h.verb("send", "-p", pane, "/model", "--key", "enter")
	eventually(t, func() error { // it says its model when its hook has run
		if shown := h.verb("capture", "-p", pane); !modelSaid.MatchString(shown) {
			return fmt.Errorf("it shows %q", shown)
		}
		return nil
	})
	if out, _, status := h.run("agent", "send", pane, "yes"); status != 1 || !strings.Contains(out, "refused  standin waits for an answer of yours") {
		t.Errorf("to one that asks: status %d, prints %q", status, out)
	}
	if got := h.verb("agent", "send", "--queue", pane, "1", "codeword?"); strings.Count(got, "\n") > 0 || !strings.Contains(got, "queued") {
		t.Errorf("agent send --queue prints %q", got)
	}
	if got := h.verb("agent", "cancel", pane); got != "1 prompt dropped" {
		t.Errorf("agent cancel prints %q", got)
	}
	h.refuses("name panes, or all agents", "agent", "send", "x")
	if out, _, status := h.run("agent", "send", h.verb("split"), "x"); status != 1 || !strings.Contains(out, "no agent runs in this pane") {
		t.Errorf("to a shell: status %d, prints %q", status, out)
	}
}

// A prompt is typed to an agent in a shell, but never to the shell.
func TestAgentSendToATypedAgent(t *testing.T) {
	t.Parallel()
	h, c, pane := typedAgent(t)
	h.verb("agent", "send", "--queue", pane, "codeword GULL-4")
	c.wait("noted")
	c.send("\x1a")
	c.types("echo it is the $((1+1))nd\r", `^(\$ )*it is the 2nd`)
	if out, _, status := h.run("agent", "send", "--anyway", pane, "echo oops"); status != 1 || !strings.Contains(out, "standin is not in the foreground of its shell") {
		t.Errorf("while it is suspended: status %d, prints %q", status, out)
	}
	h.verb("agent", "send", "--queue", pane, "codeword?")
	c.send("fg\r")
	c.wait("the codeword is GULL-4")
	if strings.Contains(c.text(), "oops") {
		t.Errorf("it was typed to the shell:\n%s", c.text())
	}
}
