package main

import (
	"strings"
	"testing"
)

// An agent that is moved to another session runs on there, and after a crash of the
// server comes back there, once.
func TestMovedAgentComesBackWhereItIs(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "codeword WREN-1")
	c.wait("noted")
	first := h.lastLaunch(1)
	pane := h.ls()[0].Panes[0].ID
	h.verb("new", "-d", "-s", "docs")
	h.refuses("the pane was not moved: it is the only pane of its session: open another one there first", "move", "docs", "-p", pane)
	h.verb("split", "-p", pane)
	h.refuses("the pane was not moved: it is in session proj already", "move", "proj", "-p", pane)
	h.refuses("no session dogs is open, did you mean docs?", "move", "dogs", "-p", pane)
	h.verb("move", "docs", "-p", pane)
	in := func() (sessions []string) {
		for _, s := range h.ls() {
			for _, p := range s.Panes {
				if p.ID == pane {
					sessions = append(sessions, s.Name)
				}
			}
		}
		return sessions
	}
	if got := strings.Join(in(), " "); got != "docs" {
		t.Fatalf("it is in %q", got)
	}
	c.wait(sh)
	d := h.attach("attach", "docs")
	d.wait(`^ docs › 1 sh  2 standin `)
	d.send("\x022")
	d.asks("WREN-1")
	h.lastLaunch(1)

	h.killServer()
	c.ended()
	d.ended()
	d = h.attach("attach", "docs")
	d.wait(`^ docs › 1 sh  2 standin `)
	d.send("\x022")
	if l := h.lastLaunch(2); l.Session != first.Session || !l.Resumed {
		t.Errorf("launched %+v, want session %s", l, first.Session)
	}
	d.answers = 0
	d.asks("WREN-1")
	c = h.attach("attach", "proj")
	c.wait(sh)
	if got := strings.Join(in(), " "); got != "docs" {
		t.Errorf("after the crash it is in %q", got)
	}
	h.lastLaunch(2)
}
