package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
)

// savedTabs are the tabs of the only session as they are saved; none before it is.
func (h *home) savedTabs() []panes.Tab {
	h.t.Helper()
	d := h.store()
	defer d.Close()
	all, err := d.Workspaces(context.Background())
	if err != nil || len(all) != 1 {
		h.t.Fatalf("workspaces %+v, %v", all, err)
	}
	ws, err := d.Workspace(context.Background(), all[0].Name)
	if err != nil {
		h.t.Fatal(err)
	}
	if ws.Layout == nil {
		return nil
	}
	l, err := panes.DecodeLayout(ws.Layout)
	if err != nil {
		h.t.Fatal(err)
	}
	return l.Tabs
}

// focusIs waits until a pane is the one that was looked at last, and will be again.
func (h *home) focusIs(pane string) {
	h.t.Helper()
	h.listed(func(all []listed) bool {
		for _, p := range all[0].Panes {
			if p.Focus {
				return p.ID == pane
			}
		}
		return false
	})
}

// stateIs waits until a pane is in a state.
func (h *home) stateIs(pane, state string) {
	h.t.Helper()
	h.listed(func(all []listed) bool {
		for _, p := range all[0].Panes {
			if p.ID == pane {
				return p.State == state
			}
		}
		return false
	})
}

// After a crash of the server the tabs are what they were. What is in the tab that
// was shown resumes, all else when its tab is shown, once.
func TestTabsAfterACrash(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "codeword ROOK-1")
	c.wait("noted")
	first := h.lastLaunch(1)
	shown := h.verb("tab", "--name", "docs & more", "standin", "codeword ROOK-2")
	second := h.lastLaunch(2)
	c.wait(`^ proj › 1 standin  2 docs & more `)
	c.send("\x022")
	c.wait("noted")
	c.send("\x02%")
	c.wait(sh)
	c.send("\x02o")
	h.focusIs(shown)
	var saved []panes.Tab
	eventually(t, func() error {
		if saved = h.savedTabs(); len(saved) != 2 || saved[1].Name != "docs & more" || len(saved[1].Panes()) != 2 {
			return fmt.Errorf("saved is %+v", saved)
		}
		return nil
	})
	hidden := string(saved[0].Panes()[0])

	h.killServer()
	c.ended()
	c = h.attach()
	c.wait(`^ proj › 1 standin  2 docs & more `)
	if l := h.lastLaunch(3); l.Session != second.Session || !l.Resumed {
		t.Errorf("launched %+v, want session %s of the tab that is shown", l, second.Session)
	}
	c.asks("ROOK-2")
	h.stateIs(hidden, "due")
	h.lastLaunch(3)
	if diff := cmp.Diff(saved, h.savedTabs()); diff != "" {
		t.Errorf("the tabs changed: %s", diff)
	}

	c.send("\x021")
	if l := h.lastLaunch(4); l.Session != first.Session || !l.Resumed {
		t.Errorf("launched %+v, want session %s of the first tab", l, first.Session)
	}
	c.answers = 0 // another conversation
	c.asks("ROOK-1")
	for _, tab := range []string{"2", "1", "2", "1"} {
		c.send("\x02" + tab)
	}
	c.asks("ROOK-1")
	h.lastLaunch(4)
}

// Two clients show two tabs of a session, each in its own size: what happens in one
// tab is none of the other client's business.
func TestClientsOnTwoTabs(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	a := h.attachSized(120, 34)
	a.wait(sh)
	work := h.verb("tab", "--name", "work", "standin", "codeword GULL-1")
	b := h.attachSized(90, 24)
	b.wait(` 1 sh  2 work `)
	b.send("\x022")
	b.wait("noted")
	a.send("echo of''a\r")
	a.wait(`^(\$ )*ofa`)
	sizes := func(cols, rows, workCols, workRows int) {
		t.Helper()
		h.listed(func(all []listed) bool {
			p := all[0].Panes
			return p[0].Cols == cols && p[0].Rows == rows && p[1].Cols == workCols && p[1].Rows == workRows
		})
	}
	sizes(120, 33, 90, 23)
	if s := a.text(); strings.Contains(s, "noted") {
		t.Errorf("the first client shows the second tab:\n%s", s)
	}
	if s := b.text(); strings.Contains(s, "ofa") {
		t.Errorf("the second client shows the first tab:\n%s", s)
	}
	// An agent that dies in a tab that somebody shows is back.
	killGroup(t, h.lastLaunch(1).PID)
	back := h.lastLaunch(2)
	b.asks("GULL-1")
	// In one that nobody shows it waits.
	b.send("\x02p")
	b.wait(`^(\$ )*ofa`)
	sizes(90, 23, 90, 23) // it was typed at last of those who show the first one
	killGroup(t, back.PID)
	h.stateIs(work, "due")
	a.send("\x02n")
	sizes(90, 23, 120, 33)
	h.lastLaunch(3)
	a.answers = 1
	a.asks("GULL-1")
	b.send("\x022")
	b.asks("GULL-1")
	h.lastLaunch(3)
}

// A tab is opened, named and found from outside.
func TestTabsFromOutside(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	first := h.verb("new", "-d", "-s", "work")
	docs := h.verb("tab", "-s", "work", "--name", "docs", "--dir", h.root, "cat")
	below := h.verb("split", "-p", "2.1", "cat")
	middle := h.verb("tab", "-p", first)
	want := []string{first, middle, docs, below} // a new tab stands beside that of its pane
	all := h.listed(func(all []listed) bool { return len(all[0].Panes) == 4 })
	for i, p := range all[0].Panes {
		if tab := []int{1, 2, 3, 3}[i]; p.ID != want[i] || p.Number != i+1 || p.Tab != tab {
			t.Errorf("pane %d is %+v, want %s in tab %d", i+1, p, want[i], tab)
		}
	}
	var tabs []string
	for _, tab := range all[0].Tabs {
		tabs = append(tabs, fmt.Sprintf("%d %q %d", tab.Number, tab.Name, tab.Panes))
	}
	if diff := cmp.Diff([]string{`1 "" 1`, `2 "" 1`, `3 "docs" 2`}, tabs); diff != "" {
		t.Error(diff)
	}
	if got := h.verb("ls"); !regexp.MustCompile(`^work +3 tabs, 4 panes +`).MatchString(got) {
		t.Errorf("ls prints %q", got)
	}
	h.verb("send", "-p", "3.2", "mew", "--key", "enter")
	h.shows(below, "(?m)^mew\nmew")
	for pattern, args := range map[string][]string{
		"no tab 4: it has 3$":       {"send", "-p", "4.1", "x"},
		`no pane 3\.3: it has 2`:    {"send", "-p", "3.3", "x"},
		"no pane 5: it has 4$":      {"send", "-p", "5", "x"},
		"there is no pane 0\\.1":    {"send", "-p", "0.1", "x"},
		"is no name for a tab":      {"tab", "--name", "a\x1bb"},
		"begin or end with a space": {"tab", "--name", "a "},
		"neither an agent":          {"tab", "no-such-program"},
	} {
		h.refuses(".*"+pattern, args...)
	}
	h.listed(func(all []listed) bool { return len(all[0].Tabs) == 3 })
	h.verb("close", "-p", "2.1")
	h.listed(func(all []listed) bool { return len(all[0].Tabs) == 2 && all[0].Tabs[1].Name == "docs" })
}
