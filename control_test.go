package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// refuses runs reprise without a terminal and checks that it ends with status 1 and
// one line on stderr that matches the pattern.
func (h *home) refuses(pattern string, args ...string) {
	h.t.Helper()
	out, err, status := h.run(args...)
	line, more, _ := strings.Cut(err, "\n")
	if status != 1 || out != "" || more != "" || !regexp.MustCompile("^reprise: "+pattern).MatchString(line) {
		h.t.Errorf("reprise %q: status %d, prints %q, says %q, want %q", args, status, out, err, pattern)
	}
}

// Without a server every command says so; only the list can do without.
func TestNoServer(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, args := range [][]string{
		{"split"}, {"send", "x"}, {"capture"}, {"close"}, {"explain"}, {"detach"}, {"rename", "x"}, {"resume", "--all"}, {"kill-server"},
	} {
		h.refuses("no server is running: reprise starts one$", args...)
	}
	if got := h.verb("ls"); got != "" {
		t.Errorf("ls prints %q", got)
	}
	if got := h.verb("ls", "--json"); got != "[]" {
		t.Errorf("ls --json prints %q", got)
	}
	c := h.attach("attach")
	c.wait("^reprise: there is no session: reprise starts one")
	if st := c.ended(); st.ExitCode() != 1 {
		t.Errorf("it ended with %v", st)
	}
	h.refuses("reprise needs a terminal on its input and output")
	h.noServer()
	h.attach().wait(sh)
	h.verb("kill-server")
	h.noServer()
	if got := h.verb("ls"); !regexp.MustCompile(`^proj +saved +` + regexp.QuoteMeta(h.project) + `$`).MatchString(got) {
		t.Errorf("ls prints %q", got)
	}
}

// What cannot be done is refused with a sentence.
func TestVerbRefuses(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.attach().wait(sh)
	for pattern, args := range map[string][]string{
		`no session prij is open, did you mean proj\?`:                   {"split", "-s", "prij"},
		`no session elsewhere is open: `:                                 {"send", "-s", "elsewhere", "x"},
		`session proj has no pane 9: `:                                   {"capture", "-p", "9"},
		`there is no pane none: `:                                        {"close", "-p", "none"},
		`session proj has no pane none: `:                                {"explain", "-s", "proj", "-p", "none"},
		`"ctrl\+entr" names no key: `:                                    {"send", "--key", "ctrl+entr"},
		`say what is to be typed`:                                        {"send"},
		`standinn is neither an agent nor a program in PATH, did you`:    {"split", "standinn"},
		`(\S+/)?missing cannot be run: `:                                 {"split", "./missing"},
		`there is a session proj already: attach to it with reprise att`: {"new", "-d", "-s", "proj"},
		`required flag`:                                                  {"new"},
	} {
		h.refuses(pattern, args...)
	}
	if s := h.attached(1); len(s.Panes) != 1 {
		t.Errorf("panes %+v, want the one that was there", s.Panes)
	}
}

// The whole of it: made, split, typed at, read and closed from outside, while
// nobody looks.
func TestDrivenFromOutside(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	first := h.verb("new", "-d", "-s", "work")
	h.server()
	second := h.verb("split", "-s", "work", "--right", "cat")
	third := h.verb("split", "-p", second, "--dir", h.root, "standin", "codeword LYNX-1")
	s := h.lastLaunch(1)
	if s.Dir != h.root {
		t.Errorf("it was launched in %s, want %s", s.Dir, h.root)
	}
	h.converses(s)
	all := h.listed(func(all []listed) bool { return all[0].Panes[2].Session == s.Session })
	work := all[0]
	if len(all) != 1 || work.Name != "work" || !work.Open || len(work.Clients) != 0 || len(work.Panes) != 3 {
		t.Fatalf("the list is %+v", all)
	}
	for i, want := range []string{first, second, third} {
		if p := work.Panes[i]; p.ID != want || p.Number != i+1 || p.State != "running" || p.PID == 0 {
			t.Errorf("pane %d is %+v, want %s", i, p, want)
		}
	}
	if p := work.Panes[2]; p.Agent != "standin" || p.PID != s.PID || p.Dir != h.root {
		t.Errorf("the agent's pane is %+v", p)
	}
	h.verb("send", "-p", "1", "cd /; echo in $PW", "-k", "D", "-k", "enter")
	h.shows("1", `in /\n`)
	h.verb("send", "-p", second, "mew", "--key", "enter", "--key", "ctrl+d")
	h.shows(second, `(?m)^mew\nmew`)
	h.listed(func(all []listed) bool { return all[0].Panes[1].PID == 0 })
	h.verb("send", "-p", third, "codeword?", "--key", "enter")
	h.shows(third, `the codeword is LYNX-1 \(2 messages\)`)
	if got := h.verb("explain", "-p", third); !strings.Contains(got, "pane 3  standin  running  session "+s.Session) || strings.Count(got, "\n") < 1 {
		t.Errorf("explain prints %q", got)
	}
	h.verb("close", "-p", third)
	isOver(t, s.PID)
	h.verb("close", "-p", second)
	if got := h.verb("ls"); !regexp.MustCompile(`^work +(1 tab, )?1 pane +` + regexp.QuoteMeta(h.project) + `$`).MatchString(got) {
		t.Errorf("ls prints %q", got)
	}
	h.verb("close", "-s", "work", "--all")
	h.noServer() // it has nothing left to show
	h.stays(1)
}

// shows waits until a pane's captured text matches the pattern.
func (h *home) shows(pane, pattern string) {
	h.t.Helper()
	re := regexp.MustCompile(pattern)
	eventually(h.t, func() error {
		if text := h.verb("capture", "-p", pane); !re.MatchString(text) {
			return fmt.Errorf("pane %s shows %q, want %q", pane, text, pattern)
		}
		return nil
	})
}

// What a pane has shown can be read with its colours and its history.
func TestCapture(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach()
	c.wait(sh)
	c.send("clear; seq 100; printf '\\033[31mre''d\\033[m\\n'\r")
	c.wait(`^(\$ )*red`)
	h.shows("1", `(?m)^100\nred\n\$`)
	if text := h.verb("capture"); strings.Contains(text, "\x1b") || strings.Contains(text, "\n42\n") {
		t.Errorf("the screen is %q", text)
	}
	if text := h.verb("capture", "--ansi"); !strings.Contains(text, "31mred\x1b") {
		t.Errorf("in colours the screen is %q", text)
	}
	if text := h.verb("capture", "--scrollback"); !strings.Contains(text, "1\n2\n3\n") || !strings.Contains(text, "\n100\nred\n") {
		t.Errorf("with history it is %q", text)
	}
}

// Sessions by name and by directory, open and saved.
func TestSessions(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	other := h.mkdir("other")
	a := h.attach("standin", "codeword GNU-1")
	a.wait("noted")
	b := h.attachIn(other, "standin", "codeword GNU-2")
	b.wait("noted")
	b.wait("^ other ")
	c := h.attach("new", "-s", "third")
	c.wait("^ third ")
	c.wait(sh)
	h.server()
	names := func() (s string) {
		for _, l := range h.ls() {
			s += fmt.Sprintf("%s %s %d;", l.Name, filepath.Base(l.Dir), len(l.Clients))
		}
		return s
	}
	if got, want := names(), "other other 1;proj proj 1;third proj 1;"; got != want {
		t.Errorf("sessions %q, want %q", got, want)
	}
	for _, client := range []*client{c, a, b} { // the one that is left last was used last
		client.send("\x02d")
		client.ended()
	}
	last := h.attachIn("/", "attach")
	last.wait("^ other ")
	last.asks("GNU-2")
	named := h.attachIn("/", "attach", "proj")
	named.wait("^ proj ")
	named.asks("GNU-1")
	h.verb("kill-server")
	last.ended()
	named.ended()
	h.noServer()
	if got, want := names(), "other other 0;proj proj 0;third proj 0;"; got != want {
		t.Errorf("saved sessions %q, want %q", got, want)
	}
	named = h.attachIn("/", "attach", "proj")
	named.wait("^ proj ")
	named.asks("GNU-1")
	h.lastLaunch(3) // the other session waits until it is shown
	last = h.attachIn(other)
	last.wait("^ other ")
	last.asks("GNU-2")
	h.lastLaunch(4)
	if got := len(h.servers()); got != 1 {
		t.Errorf("%d servers", got)
	}
}

// A server that was told to end leaves everything to the next.
func TestKillServer(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "codeword HARE-1")
	c.wait("noted")
	h.verb("split", "--right", "standin", "codeword HARE-2")
	c.wait(`(?s)noted.*noted`)
	d := h.store()
	before := h.allLive(d, 2)
	for n := range 3 {
		pid := h.server()
		h.verb("kill-server")
		if !over(pid) {
			t.Error("kill-server came back before the server had ended")
		}
		c.ended()
		c = h.attach()
		h.lastLaunch(2 * (n + 2))
		if after := h.allLive(d, 2); after[0] != before[0] || after[1] != before[1] {
			t.Errorf("sessions %q, were %q", after, before)
		}
	}
	c.asks("HARE-1")
}

// A server has ended also where nobody reaps it, as in many containers.
func TestKillServerUnreaped(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	server := h.reprise("serve")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	eventually(t, func() error {
		_, err := os.Stat(filepath.Join(h.root, "state", "run", "server"))
		return err
	})
	c := h.attach()
	c.wait(sh)
	h.verb("kill-server")
	c.ended()
	if !exited(server) {
		t.Error("kill-server came back before the server had ended")
	}
}

// A shutdown: the agents are told first, and the server a moment later.
func TestServerShutdown(t *testing.T) {
	for _, habits := range []string{"", "hup-1", "hup-0"} {
		t.Run("agents "+habits, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.habits(habits)
			c := h.attach("standin", "codeword WORD-1")
			c.wait("noted")
			h.verb("split", "--right", "standin", "codeword WORD-2")
			h.verb("split", "--right", "-p", "2", "standin", "codeword WORD-3")
			c.wait(`(?s)noted.*noted.*noted`)
			d := h.store()
			before := h.allLive(d, 3)
			for _, s := range h.launched() {
				signal(t, s.PID, syscall.SIGHUP)
			}
			time.Sleep(200 * time.Millisecond) // the order of systemd's and of init's shutdown
			signal(t, h.server(), syscall.SIGTERM)
			c.ended()
			h.noServer()
			h.attach()
			after := h.allLive(d, 3)
			for i := range after {
				if after[i] != before[i] {
					t.Errorf("pane %d has session %s, had %s", i, after[i], before[i])
				}
			}
		})
	}
}

// To start and leave at once loses nothing and leaves nothing behind.
func TestLeavesAtOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for n := range 5 {
		c := h.attach("standin", fmt.Sprintf("codeword WORD-%d", n))
		c.send("\x02d")
		if st := c.ended(); st.ExitCode() != 0 {
			t.Errorf("it ended with %v", st)
		}
	}
	h.server()
	eventually(t, func() error {
		if n := len(h.launched()); n != 5 {
			return fmt.Errorf("%d launches, want 5", n)
		}
		return nil
	})
	for _, s := range h.launched() {
		h.converses(s)
	}
	d := h.store()
	before := h.allLive(d, 5)
	h.killServer()
	c := h.attachSized(wideCols, wideRows)
	h.lastLaunch(10)
	if after := h.allLive(d, 5); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("sessions %q, were %q", after, before)
	}
	known := map[string]bool{}
	for range 5 {
		c.answered(known)
		c.send("\x02o")
	}
	if _, err := os.Stat(filepath.Join(h.root, "state", "run", "server")); err != nil {
		t.Error(err)
	}
}
