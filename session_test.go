package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/testdata/lab"
)

// says types a command of the stand-in's and waits for what it says.
func (c *client) says(command, pattern string) {
	c.t.Helper()
	c.send(command + "\r")
	c.wait(pattern)
}

// newSession waits for a session on the screen that was not there before.
func (c *client) newSession(known ...string) (id string) {
	c.t.Helper()
	re := regexp.MustCompile(`session ([0-9a-f-]{36})`)
	eventually(c.t, func() error {
		for _, m := range re.FindAllStringSubmatch(c.text(), -1) {
			if id = m[1]; !slices.Contains(known, id) {
				return nil
			}
		}
		return fmt.Errorf("no new session on the screen:\n%s", c.text())
	})
	return id
}

// The session that a pane brings back is the one that its agent has now.
func TestSessionChangesInside(t *testing.T) {
	for name, change := range map[string]func(c *client, first string) (session, word string){
		"/clear": func(c *client, first string) (string, string) {
			c.send("/clear\r")
			id := c.newSession(first)
			c.says("codeword IBIS-2", `noted \(1 messages\)\s[^~]*noted \(1 messages\)`)
			return id, "IBIS-2"
		},
		"/fork": func(c *client, first string) (string, string) {
			c.send("/fork\r")
			return c.newSession(first), "IBIS-1"
		},
		"/resume of an earlier one": func(c *client, first string) (string, string) {
			c.send("/clear\r")
			c.newSession(first)
			c.says("codeword IBIS-2", `noted \(1 messages\)\s[^~]*noted \(1 messages\)`)
			c.says("/resume "+first, `/resume [^~]*session `+first)
			return first, "IBIS-1"
		},
		"a nested agent": func(c *client, first string) (string, string) {
			c.says("/nested", "nested ended: <nil>")
			return first, "IBIS-1"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.start("standin")
			c.tell("IBIS-1")
			s := h.launched()[0]
			session, word := change(c, s.Session)
			before := len(h.launched()) // a nested one counts
			killGroup(t, s.PID)
			again := h.lastLaunch(before + 1)
			if again.Session != session || !again.Resumed || again.Nested {
				t.Errorf("launched %+v, want session %s", again, session)
			}
			c.asks(word)
		})
	}
}

// A session in which nothing was ever said: whether it can come back is asked of
// the agent's files.
func TestNeverPrompted(t *testing.T) {
	for name, c := range map[string]struct {
		store string // where the kind keeps conversations, "" not told
		set   func(h *home, s lab.Start)
		want  func(t *testing.T, h *home, c *client, s lab.Start)
	}{
		"has one": {
			"standin/conversations",
			func(h *home, s lab.Start) {
				h.write("standin/conversations/"+s.Session+".jsonl", []byte("{\"text\":\"codeword KITE-1\"}\n"), 0o600)
			},
			func(t *testing.T, h *home, c *client, s lab.Start) {
				if l := h.lastLaunch(2); l.Session != s.Session || !l.Resumed {
					t.Errorf("launched %+v, want session %s resumed", l, s.Session)
				}
				c.asks("KITE-1")
			},
		},
		"has none": {
			"standin/conversations",
			func(h *home, _ lab.Start) { h.mkdir("standin/conversations") },
			func(t *testing.T, h *home, c *client, s lab.Start) {
				c.wait("∙ standin had no saved conversation; started fresh")
				l := h.lastLaunch(2)
				if l.Session == s.Session || l.Resumed {
					t.Errorf("launched %+v, want a new session", l)
				}
				c.tell("KITE-2")
				killGroup(t, l.PID)
				if again := h.lastLaunch(3); again.Session != l.Session || !again.Resumed {
					t.Errorf("launched %+v, want session %s resumed", again, l.Session)
				}
				c.asks("KITE-2")
			},
		},
		"cannot be read": {
			"standin/conversations",
			func(h *home, _ lab.Start) { // links to itself
				if err := os.Symlink("conversations", filepath.Join(h.root, "standin", "conversations")); err != nil {
					h.t.Fatal(err)
				}
			},
			resumedInVain,
		},
		"not told": {"", func(*home, lab.Start) {}, resumedInVain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.config("")
			if c.store != "" {
				path := filepath.Join(h.root, "config", "config.toml")
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				b = fmt.Appendf(b, "transcript = %q\n", filepath.Join(h.root, c.store, "{session_id}.jsonl"))
				h.write("config/config.toml", b, 0o600)
			}
			p := h.start("standin")
			p.wait("standin, session")
			s := h.lastLaunch(1)
			c.set(h, s)
			killGroup(t, s.PID)
			c.want(t, h, p, s)
		})
	}
}

// resumedInVain: the agent itself says that it has none; its id is kept, and it is
// tried again.
func resumedInVain(t *testing.T, h *home, c *client, s lab.Start) {
	t.Helper()
	c.wait("No conversation found with session ID: " + s.Session)
	c.wait("⋯ standin died; trying again in")
	if l := h.launched()[1]; l.Session != s.Session || !l.Resumed {
		t.Errorf("launched %+v, want session %s resumed", l, s.Session)
	}
}

// A resumed session that dies again comes back again.
func TestDiesAgainAndAgain(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword LOON-1")
	c.wait("noted")
	first := h.lastLaunch(1)
	killGroup(t, first.PID)
	killGroup(t, h.lastLaunch(2).PID) // before a turn: the next try is a second later
	third := h.lastLaunch(3)
	c.asks("LOON-1") // a turn: from here it counts as new
	killGroup(t, third.PID)
	fourth := h.lastLaunch(4)
	c.asks("LOON-1")
	if third.Session != first.Session || fourth.Session != first.Session {
		t.Errorf("sessions %s, %s, want %s", third.Session, fourth.Session, first.Session)
	}
}

// An agent that dies on each resume is tried four times, then it waits for its
// person; its session is not lost.
func TestDiesOnEachResume(t *testing.T) {
	for habit, line := range map[string]string{"die": "standin: cannot start", "die-after-start": "standin: lost its way"} {
		t.Run(habit, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.habits(habit + "@resume")
			c := h.start("standin", "codeword TERN-1")
			c.wait("noted")
			s := h.lastLaunch(1)
			killGroup(t, s.PID)
			c.wait(`⋯ standin died; trying again in 1 s +r now   d dismiss`)
			c.press("r", `⋯ standin died; trying again in 5 s`) // after the second by itself
			c.press("r", `⋯ standin died; trying again in 30 s`)
			paused := `▮ standin died 4 times while resuming \(exit 3: ` + line + `\)`
			c.wait(paused)
			h.lastLaunch(5)
			c.kill()
			c = h.start()
			c.wait(`▮ standin died 4 times while resuming`)
			h.lastLaunch(5)
			h.habits("")
			c.press("r", `standin died 4 times while resuming`)
			if l := h.lastLaunch(6); l.Session != s.Session || !l.Resumed {
				t.Errorf("launched %+v, want session %s resumed", l, s.Session)
			}
			c.asks("TERN-1")
		})
	}
}

// A dismissed session does not resume by itself, also after a restart; by hand it
// does.
func TestDismissed(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.habits("die@resume")
	c := h.start("standin", "codeword RAIL-1")
	c.wait("noted")
	s := h.lastLaunch(1)
	killGroup(t, s.PID)
	c.press("d", "standin died; trying again in 5 s")
	c.wait("▻ saved")
	c.kill()
	h.habits("")
	c = h.start()
	c.wait("▻ saved")
	launches := len(h.launched())
	c.send("\x02R")
	if l := h.lastLaunch(launches + 1); l.Session != s.Session || !l.Resumed {
		t.Errorf("launched %+v, want session %s resumed", l, s.Session)
	}
	c.asks("RAIL-1")
}

// s gives the dead pane to a shell and keeps the session out of the way.
func TestShellInThePlaceOfASession(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.habits("die@resume")
	c := h.start("standin", "codeword TEAL-1")
	c.wait("noted")
	killGroup(t, h.lastLaunch(1).PID)
	c.press("r", "standin died; trying again in 1 s")
	c.press("r", "standin died; trying again in 5 s")
	c.press("r", "standin died; trying again in 30 s")
	c.wait("r retry   d dismiss   s shell here")
	c.press("s", "standin died 4 times while resuming")
	c.types("pwd\r", "^"+regexp.QuoteMeta(h.project)+"$")
	launches := len(h.launched())
	c = again(h, c)
	c.types("pwd\r", "^"+regexp.QuoteMeta(h.project)+"$")
	h.lastLaunch(launches)
}

// A session whose last sign of life is older than resume.max_age asks first.
func TestTooOldAsks(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.config("resume.max_age = '1s'\n")
	c := h.start("standin", "codeword COOT-1")
	c.wait("noted")
	c.kill()
	time.Sleep(1100 * time.Millisecond) // its age
	c = h.start()
	c.press("r", "▻ standin session from a moment ago +r resume   d dismiss")
	h.lastLaunch(2)
	c.asks("COOT-1")
}

// Flags, environment, home and directory are the same after the resume as before,
// whatever the program itself has meanwhile.
func TestSameCircumstances(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("config/config.toml", fmt.Appendf(nil, `
[agents.standin]
command = %q
new_args = ["--session-id", "{session_id}"]
resume_args = ["--resume", "{session_id}"]
home_env = "STANDIN_HOME"
env = {STANDIN_MARK = "of the config"}
`, bin.standin), 0o600)
	c := h.start("standin", "--model=m7", "--do", "hup-1", "codeword SKUA-1")
	c.wait("noted")
	first := h.lastLaunch(1)
	c.kill()
	d := h.startProgram(bin.reprise, h.project, []string{"STANDIN_HOME=" + h.mkdir("elsewhere"), "STANDIN_MARK=of the shell"})
	second := h.lastLaunch(2)
	flags := func(s lab.Start) string { return strings.Join(s.Argv[3:], " ") }
	if got, want := flags(second), "--model=m7 --do hup-1"; got != want {
		t.Errorf("flags %q, want %q; first were %q", got, want, flags(first))
	}
	if second.Dir != first.Dir {
		t.Errorf("directory %s, want %s", second.Dir, first.Dir)
	}
	for _, name := range []string{"STANDIN_HOME", "STANDIN_MARK", "TERM"} {
		if second.Env[name] != first.Env[name] {
			t.Errorf("%s is %q, was %q", name, second.Env[name], first.Env[name])
		}
	}
	d.asks("SKUA-1")
	d.says("/model", "model m7")
}
