package main

import (
	"regexp"
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

// A shell that goes by a key to a tab, to a new session and back by the palette is the
// same process all the way; its session ends when it was the last pane there.
func TestMovePaneByKey(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	j := h.judged(100, 30)
	j.wait(`^\$`)
	j.says("echo pid-$$", `^pid-\d+`)
	pid := regexp.MustCompile(`pid-\d+`).FindString(j.text())
	same := func() {
		t.Helper()
		j.says("clear; echo still-pid-$$", `^still-`+pid+`$`)
	}
	j.press("C-b", "%")
	j.wait(`│\$|┃\$`)
	j.press("C-b", ";", "C-b", "@")
	j.wait(`Move the pane to`)
	j.press("Enter")
	j.wait(`^ proj › 1 sh  2 sh `)
	same()
	j.press("C-b", "@", "End", "Enter")
	j.wait(`Move the pane to a new session`)
	j.types("review", "Enter")
	j.wait(`^ review › 1 sh `)
	same()
	if got := len(h.ls()); got != 2 {
		t.Errorf("%d sessions", got)
	}
	j.press("C-b", ":")
	j.types("proj")
	j.wait(`▌ session +proj`)
	j.press("Tab")
	j.wait(`^ proj › 1 sh  2 sh `)
	same()
	h.listed(func(all []listed) bool { return len(all) == 1 && all[0].Name == "proj" && len(all[0].Panes) == 2 })
	h.verb("rename", "-s", "proj", "-p", "1", "mine")
	h.verb("move", "--new", "docs", "-s", "proj", "-p", "1")
	h.verb("move", "docs", "-s", "proj", "-p", "1") // the last one
	j.wait(`^ docs › 1 sh  2 sh `)
	same()
	h.listed(func(all []listed) bool {
		return len(all) == 1 && all[0].Name == "docs" && len(all[0].Clients) == 1 && all[0].Panes[0].Name == "mine"
	})
}
