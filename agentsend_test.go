package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// modelSaid: the stand-in, which has no model, was asked for it. Its prompt may stand
// before that.
var modelSaid = regexp.MustCompile(`(?m)^(> )?model *$`)

// A prompt from outside begins a turn, or waits for the agent; it answers no question.
func TestAgentSend(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	pane := h.verb("new", "-d", "-s", "w", "standin", "codeword COOT-7")
	h.verb("agent", "send", "--queue", pane, "codeword?") // it may not be ready yet
	h.shows(pane, "the codeword is COOT-7")
	eventually(t, func() error {
		// Until its hook is taken in the agent passes for idle: ask it again then. It
		// says its model when the hook has run; the server looks four times a second.
		h.verb("send", "-p", pane, "/ask", "--key", "enter")
		h.verb("send", "-p", pane, "/model", "--key", "enter")
		eventually(t, func() error {
			if shown := h.verb("capture", "-p", pane); !modelSaid.MatchString(shown) {
				return fmt.Errorf("it shows %q", shown)
			}
			return nil
		})
		time.Sleep(time.Second)
		out, _, status := h.run("agent", "send", pane, "yes")
		if status != 1 || !strings.Contains(out, "refused  standin waits for an answer of yours") {
			return fmt.Errorf("status %d, prints %q", status, out)
		}
		return nil
	})
	if got := h.verb("agent", "send", "--queue", pane, "codeword?"); !strings.Contains(got, "queued") {
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
