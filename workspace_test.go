package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
)

// ruled are the columns with a border in each row, and the rows with a title.
func (c *client) ruled() string {
	var b strings.Builder
	for row := range strings.Lines(c.text()) {
		x := 0
		for _, r := range row {
			switch r {
			case '│', '┃':
				fmt.Fprintf(&b, " %d", x)
			case '━', '─':
				if x == 0 {
					b.WriteString(" title")
				}
			}
			x++
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// layouts are the saved layouts of all workspaces.
func layouts(t *testing.T, d *db.DB) [][]byte {
	t.Helper()
	all, err := d.Workspaces(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, ws := range all {
		if ws, err = d.Workspace(context.Background(), ws.Name); err != nil {
			t.Fatal(err)
		}
		out = append(out, ws.Layout)
	}
	return out
}

// Splits and sizes are what they were, also after a crash.
func TestLayoutAfterACrash(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin")
	c.tell("ORCA-1")
	c.send("\x02%")
	c.wait(sh)
	c.send("\x02\"")
	c.wait(`┢━ sh`)
	c.wait(`(?s)\$\n.*\$\n`)
	was := c.ruled()
	c.send("\x02\x1b[1;5D\x1b[1;5D") // ctrl+left, twice
	d := h.store()
	before := layouts(t, d)
	c.send("\x02\x1b[1;3A") // alt+up: five rows
	eventually(t, func() error {
		if l := layouts(t, d); bytes.Equal(l[0], before[0]) || c.ruled() == was {
			return fmt.Errorf("the sizes are not saved: %s\n%s", l[0], c.text())
		}
		return nil
	})
	rules := c.settledRules()
	saved := layouts(t, d)
	e := again(h, c)
	h.lastLaunch(2)
	e.asks("ORCA-1")
	eventually(t, func() error {
		if got := e.ruled(); got != rules {
			return fmt.Errorf("the borders are\n%s\nwere\n%s", got, rules)
		}
		return nil
	})
	if l := layouts(t, d); !slices.EqualFunc(l, saved, bytes.Equal) {
		t.Errorf("saved is %s, was %s", l, saved)
	}
}

// A pane has its place before anything runs in it: a session that a crash ends in
// its first moment is in a pane.
func TestThePlaceComesFirst(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.startProgram(bin.reprise, h.project, []string{"REPRISE_FAILPOINT=launch.start:kill"}, "standin")
	c.ended()
	h.lastLaunch(0)
	if recs := records(t, h.store()); len(recs) != 1 {
		t.Errorf("%d panes are saved, want 1", len(recs))
	}
	h.start().wait(sh)
}

// settledRules are the borders once they stay the same.
func (c *client) settledRules() string {
	c.t.Helper()
	was := ""
	for at := time.Now(); time.Since(at) < 300*time.Millisecond; time.Sleep(10 * time.Millisecond) {
		if got := c.ruled(); got != was {
			was, at = got, time.Now()
		}
	}
	return was
}

// A command of a saved layout is not run again without being asked.
func TestSavedCommand(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("cat", "-u")
	c.send("mew-1\r")
	c.wait(`mew-1\nmew-1`)
	d := again(h, c)
	d.wait(`◦ cat -u is not running +enter run   x close`)
	d.press("\r", "cat -u is not running")
	d.types("mew-2\r", `mew-2\nmew-2`)
	d.send("\x04") // it ends
	d.wait(`◦ cat ended, \d\d:\d\d +enter restart   x close`)
}

// A shell that ended says how, and starts again on enter.
func TestDeadShell(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start()
	c.wait(sh)
	c.send("exit 3\r")
	c.wait(`◦ sh ended with exit 3, \d\d:\d\d +enter restart   x close`)
	c.press("\r", "sh ended with exit 3")
	c.wait(`^\$ *$`)
	c.send("kill -9 $$\r")
	c.wait(`◦ sh ended with SIGKILL, `)
	c.press("x", "sh ended with SIGKILL") // the last pane: the program ends
	if st := c.ended(); st.ExitCode() != 0 {
		t.Errorf("it ended with %v", st)
	}
	h.start().wait(sh)
}

// An agent runs when its pane is to be closed: the person is asked.
func TestCloseAsksForAnAgent(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword PUMA-1")
	c.wait("noted")
	s := h.lastLaunch(1)
	c.send("\x02x")
	c.wait("Close this pane")
	c.wait(`standin is running in ~/proj\. Closing ends it; it will not resume by itself\.`)
	c.wait(`y close +n keep`)
	c.send("\r") // is no answer
	c.send("n")
	c.gone("Close this pane")
	c.asks("PUMA-1")
	c.send("\x02x")
	c.wait("Close this pane")
	c.send("y")
	if st := c.ended(); st.ExitCode() != 0 { // it was the last pane
		t.Errorf("it ended with %v", st)
	}
	isOver(t, s.PID)
	h.start().wait(sh)
	h.stays(1)
}

// What follows an agent that a person quit.
func TestAfterExit(t *testing.T) {
	for name, c := range map[string]func(h *home, c *client){
		"shell": func(h *home, c *client) {
			c.wait(`^\$ *[│┃]\$`)
			c.send("pwd\r")
			c.wait("^" + regexp.QuoteMeta(h.project))
		},
		"hold": func(h *home, c *client) {
			c.wait("standin ended, .*") // the strip wraps in half a screen
			c.wait("enter restart   x close")
			c.press("\r", "standin ended")
			s := h.lastLaunch(2)
			if s.Resumed || s.Session == h.launched()[0].Session {
				h.t.Errorf("launched %+v, want a new session", s)
			}
			c.tell("DINGO-2")
		},
		"close": func(h *home, c *client) {
			c.wait(`^\$ *$`) // the shell is alone
			c.gone("[│┃]")
			again(h, c).wait(`^\$ *$`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.config(fmt.Sprintf("after_exit = %q\n", name))
			p := h.start("standin")
			p.tell("DINGO-1")
			p.send("\x02%")
			p.wait(sh)
			p.send("\x02o/exit\r")
			isOver(t, h.lastLaunch(1).PID)
			c(h, p)
		})
	}
}

// --no-resume asks, this time.
func TestNoResume(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword VOLE-1")
	c.wait("noted")
	c.kill()
	d := h.start("--no-resume")
	d.wait("▻ standin session from a moment ago +r resume   d dismiss")
	h.lastLaunch(1)
	d.press("r", "standin session from")
	h.lastLaunch(2)
	d.asks("VOLE-1")
	killGroup(t, h.lastLaunch(2).PID)
	d.wait("▻ standin session from")
	d.kill()
	e := h.start()
	h.lastLaunch(3)
	e.asks("VOLE-1")
}

// A workspace whose owner died is taken over, not doubled; one that is open is
// opened under another name, which is saved as well.
func TestWorkspaceOfADeadOwner(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	a := h.start("standin", "codeword GOAT-1")
	a.wait("noted")
	b := h.start("standin", "codeword GOAT-2")
	b.wait("proj is open in process")
	b.wait("noted")
	a.kill()
	b.kill()
	c := h.start()
	h.lastLaunch(3)
	c.asks("GOAT-1")
	d := h.start()
	d.wait(`^ proj-2 `)
	h.lastLaunch(4)
	d.asks("GOAT-2")
}

// Many that start at once on one state folder, with no database yet, all come up,
// each with a workspace of its own.
func TestManyStartAtOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	const n = 5
	var all []*client
	for i := range n {
		all = append(all, h.start("standin", fmt.Sprintf("codeword WORD-%d", i)))
	}
	for _, c := range all {
		c.wait("noted")
	}
	d := h.store()
	before := h.allLive(d, n)
	for _, c := range all {
		c.kill()
	}
	for i := range all {
		all[i] = h.start()
	}
	h.lastLaunch(2 * n)
	if after := h.allLive(d, n); !slices.Equal(after, before) {
		t.Errorf("sessions %q, were %q", after, before)
	}
	words := map[string]bool{}
	for _, c := range all {
		c.answered(words)
	}
	if len(words) != n {
		t.Errorf("%d codewords of %d: %v", len(words), n, words)
	}
}

var wordly = regexp.MustCompile(`the codeword is (WORD-\d+)`)

// answered asks the focused pane for its codeword and adds it to those that are
// known; it must be a new one.
func (c *client) answered(words map[string]bool) {
	c.t.Helper()
	known, next := len(words), time.Time{}
	eventually(c.t, func() error {
		for _, m := range wordly.FindAllStringSubmatch(c.text(), -1) {
			words[m[1]] = true
		}
		if len(words) > known {
			return nil
		}
		if time.Now().After(next) {
			c.send("codeword?\r")
			next = c.sent.Add(2 * time.Second)
		}
		return fmt.Errorf("no new codeword beside %v:\n%s", words, c.text())
	})
}

// Ten agents in one directory come back all at once, each with its own
// conversation.
func TestTenAgentsInOneDirectory(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	const n = 10
	h.colony(n)
	sessions := func() (all []string) {
		for _, rec := range records(t, h.store()) {
			all = append(all, string(rec.Binding.Session))
		}
		return all
	}
	before := sessions()
	c := h.startSized(wideCols, wideRows)
	h.lastLaunch(2 * n)
	if after := h.allLive(h.store(), n); !slices.Equal(after, before) {
		t.Errorf("the panes have the sessions %q, had %q", after, before)
	}
	words := map[string]bool{}
	for range n {
		c.answered(words)
		c.send("\x02o")
	}
	h.lastLaunch(2 * n)
}

// Sessions in panes that nobody sees wait until somebody does.
func TestHiddenOnesWait(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.colony(4)
	c := h.startSized(40, 12) // room for one pane
	c.wait(`zoom \+3`)
	h.lastLaunch(5)
	d := h.store()
	binding(t, d, func(b agent.Binding) bool { return b.Reason == agent.Live && b.LastEvent == "start" })
	h.lastLaunch(5)
	c.send("\x02o")
	h.lastLaunch(6)
	c.resize(wideCols, wideRows)
	h.lastLaunch(8)
	h.allLive(d, 4)
}

// With one launch at a time all come back all the same, each once.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.colony(4)
	h.config("resume.parallel = 1\nresume.scope = 'all'\n")
	h.startSized(wideCols, wideRows)
	h.lastLaunch(8)
	h.allLive(h.store(), 4)
}
