package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/panes"
	"reprise/panes/history"
	"reprise/testdata/lab"
)

// layout is the saved layout of the only workspace.
func (h *home) layout() panes.Layout {
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
	l, err := panes.DecodeLayout(ws.Layout)
	if err != nil {
		h.t.Fatal(err)
	}
	return l
}

// kept waits until what a pane has shown is on disk.
func (h *home) kept(p panes.PaneID, text string) {
	h.t.Helper()
	store := history.NewStore(filepath.Join(h.root, "state", "history"), history.Options{})
	eventually(h.t, func() error {
		r, err := store.Load(p)
		if err == nil && !strings.Contains(string(r.Text), text) {
			err = fmt.Errorf("saved is %q", r.Text)
		}
		return err
	})
}

// divider stands between what a pane has shown before and what it shows now.
const divider = `─+ restored \d\d:\d\d ─+`

// After a crash a shell is in its last directory again, below what it had shown.
func TestRestoredShell(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	deep := h.mkdir("proj/deep")
	c := h.attach()
	c.wait(sh)
	c.send("cd deep; seq 100; echo scr''olled\r")
	c.wait(`^(\$ )*scrolled`)
	pane := h.layout().Panes()[0]
	eventually(t, func() error {
		if dir := h.layout().Meta[pane].Dir; dir != deep {
			return fmt.Errorf("saved is the directory %q", dir)
		}
		return nil
	})
	h.kept(pane, "scrolled")
	for range 2 { // the second time there is one divider above another
		h.killServer()
		c.ended()
		c = h.attach()
		c.wait(`(?s)^scrolled.*^` + divider + `$.*^\$ *$`)
		c.send("pwd\r")
		c.wait(`(?s)` + divider + `.*^` + regexp.QuoteMeta(deep) + `$`)
		if text := h.verb("capture", "--scrollback"); !strings.Contains(text, "\n1\n2\n3\n") {
			t.Errorf("what it had shown before is %q", text)
		}
		h.kept(pane, deep)
	}
}

// A command is not run again without being asked; what it had shown stays in sight.
func TestRestoredCommand(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("cat")
	c.types("mew-1\r", `mew-1\nmew-1`)
	h.kept(h.layout().Panes()[0], "mew-1\nmew-1")
	h.killServer()
	c.ended()
	c = h.attach()
	c.wait(`(?s)mew-1\nmew-1.*◦ cat is not running +enter \w+   x close`)
	if p := h.attached(1).Panes[0]; p.PID != 0 || p.State != "not started" {
		t.Errorf("the pane is %+v", p)
	}
	c.press("\r", "cat is not running")
	c.types("mew-2\r", `mew-2\nmew-2`)
}

// What was turned off is not kept.
func TestNothingRestored(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.config("restore_scrollback = 'off'\n")
	c := h.attach()
	c.wait(sh)
	c.send("echo sec''ret\r")
	c.wait(`^(\$ )*secret`)
	h.verb("kill-server")
	c.ended()
	c = h.attach()
	c.wait(sh)
	if s := c.text(); strings.Contains(s, "secret") {
		t.Errorf("it shows\n%s", s)
	}
	if files, _ := filepath.Glob(filepath.Join(h.root, "state", "history", "*")); len(files) > 0 {
		t.Errorf("kept are %q", files)
	}
}

// slowStart is how long an agent says nothing when it comes back.
const slowStart = 100 * time.Millisecond

// Forty panes after a crash of the server: the one with the focus comes first, those
// that nobody sees wait, and of those that are seen never more than resume.parallel
// start at once.
func TestFortyPanes(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	const n = 40
	c := h.attachSized(wideCols, wideRows, "standin", "codeword WORD-0")
	c.wait("noted")
	ids, words := []string{h.attached(1).Panes[0].ID}, 1
	split := func(at string, how ...string) {
		h.t.Helper()
		args := append([]string{"split", "-p", at}, how...)
		ids = append(ids, h.verb(append(args, "standin", fmt.Sprintf("codeword WORD-%d", words))...))
		words++
	}
	for range 3 {
		for _, id := range slices.Clone(ids) {
			split(id, "--right")
		}
	}
	for _, top := range slices.Clone(ids) { // five in each column
		split(top)
		half := ids[len(ids)-1]
		split(top)
		split(half)
		split(half)
	}
	h.lastLaunch(n)
	for _, s := range h.launched() {
		h.converses(s)
	}
	d := h.store()
	before := h.allLive(d, n)
	h.habits(fmt.Sprintf("slow-start@resume=%d", slowStart.Milliseconds()))
	h.killServer()
	c.ended()
	c = h.attachSized(40, 12) // room for one pane
	c.wait(fmt.Sprintf(`zoom \+%d`, n-1))
	first := h.lastLaunch(n + 1)
	eventually(t, func() error {
		s := h.attached(1)
		at := slices.IndexFunc(s.Panes, func(p listedPane) bool { return p.Focus })
		if p := s.Panes[at]; p.Session != first.Session || p.State != "running" {
			return fmt.Errorf("session %s was launched, the pane with the focus is %+v", first.Session, p)
		}
		return nil
	})
	h.lastLaunch(n + 1)
	c.resize(wideCols, wideRows)
	for _, some := range []int{n + n/3, n + 2*n/3, 2 * n} { // the patience is for each
		eventually(t, func() error {
			if l := len(h.launched()); l < some {
				return fmt.Errorf("%d launches, want %d", l, some)
			}
			return nil
		})
	}
	h.lastLaunch(2 * n)
	if after := h.allLive(d, n); !slices.Equal(after, before) {
		t.Errorf("sessions %q, were %q", after, before)
	}
	again := h.launched()[n:]
	slices.SortFunc(again, func(a, b lab.Start) int { return a.Time.Compare(b.Time) })
	for i := range len(again) - 2 {
		if d := again[i+2].Time.Sub(again[i].Time); d < slowStart {
			t.Errorf("launches %d to %d came within %v: three agents started at once", i, i+2, d)
		}
	}
	known := map[string]bool{}
	for range 3 {
		c.answered(known)
		c.send("\x02o")
	}
}
