package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A resume that is asked for again finds nothing to do.
func TestNothingToResume(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword BOAR-1")
	c.wait("noted")
	killGroup(t, h.lastLaunch(1).PID)
	h.lastLaunch(2)
	c.asks("BOAR-1")
	for range 3 {
		c.send("\x02R")
		c.wait(`This pane has no saved session to resume\.`)
	}
	c.asks("BOAR-1")
	h.lastLaunch(2)
}

// twins makes two dead panes of one session: the second was opened by a person
// with the session's id.
func twins(h *home) (session string) {
	h.t.Helper()
	h.config("resume.mode = 'ask'\n")
	a := h.start("standin", "codeword SEAL-1")
	a.wait("noted")
	session = h.lastLaunch(1).Session
	a.kill()
	isOver(h.t, h.lastLaunch(1).PID)
	b := h.start("standin", "--resume", session)
	second := h.lastLaunch(2)
	b.wait(`▻ This session is open in another pane`)
	b.wait(`enter go   x close`)
	if !regexp.MustCompile(`(?m)^━`).MatchString(b.text()) {
		b.send("\x02o")
		b.wait(`^━`)
	}
	b.press("\r", `^━`) // goes there: the heavy rule is the other pane's
	b.kill()
	isOver(h.t, second.PID)
	h.config("")
	return session
}

// One session in two dead panes: one resumes, the other says where it is, and
// stays down when the first one was ended.
func TestTwins(t *testing.T) {
	for name, end := range map[string]func(c *client){
		"quit":   func(c *client) { c.send("/exit\r") },
		"closed": func(c *client) { c.send("\x02x"); c.wait("Close this pane"); c.send("y") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			session := twins(h)
			c := h.start()
			s := h.lastLaunch(3)
			if s.Session != session {
				t.Errorf("session %s, want %s", s.Session, session)
			}
			c.wait(`▻ This session is open in another pane`)
			if regexp.MustCompile(`(?m)^ ▻ This session`).MatchString(c.text()) {
				c.press("\r", `^━`) // the focused pane lost: go to the other
			}
			c.asks("SEAL-1")
			end(c)
			isOver(t, s.PID)
			c.gone(`This session is open in another pane`)
			h.stays(3)
			again(h, c).wait(`^ proj `)
			h.stays(3)
		})
	}
}

// A process that is not ours has the session open: the pane names it, and the
// person decides.
func TestHeldByAStranger(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.config("resume.mode = 'ask'\n")
	c := h.start("standin", "codeword MINK-1")
	c.wait("noted")
	s := h.lastLaunch(1)
	killGroup(t, s.PID)
	c.wait("standin session from")
	stranger := func(n int) *exec.Cmd {
		cmd := exec.Command(bin.standin, "--resume", s.Session)
		cmd.Dir, cmd.Env = h.project, h.env
		if _, err := cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		h.lastLaunch(n)
		return cmd
	}
	cmd := stranger(2)
	c.press("r", "standin session from")
	c.wait(`✗ Could not resume standin: process \d+ .*has this session open\. End it there, then retry\.`)
	c.wait(`r retry   d dismiss   s shell here   o resume anyway`)
	h.lastLaunch(2)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	c.press("r", "Could not resume standin")
	third := h.lastLaunch(3)
	c.asks("MINK-1")
	killGroup(t, third.PID)
	c.wait("standin session from")
	cmd = stranger(4)
	c.press("r", "standin session from")
	c.press("o", "Could not resume standin")
	c.asks("MINK-1")
	if l := h.launched(); len(l) != 5 || !l[4].Double { // as the person wanted
		t.Errorf("launched %+v, want a fifth beside the stranger", l)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// Who types when the agent dies does not answer its strip, and a paste never does.
func TestTypingWhileItDies(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.config("resume.mode = 'ask'\n")
	c := h.start("standin")
	c.tell("WOLF-1")
	c.send("/die 1\rdrsdrs") // in one write: it dies while the rest is typed
	c.wait(`standin session from`)
	c.send("drs")
	c.send("\x1b[200~drs\r\x1b[201~")
	time.Sleep(stripQuiet) // a paste is none of the keys that the strip waits out
	c.send("\x1b[200~drs\r\x1b[201~")
	c.send("\x02%") // what comes behind is shown when all that was dealt with
	c.wait(sh)
	c.wait(`standin session from`)
	h.lastLaunch(1)
	c.send("\x02o")
	c.press("r", `standin session from`)
	h.lastLaunch(2)
	c.asks("WOLF-1")
}

// The person closes the pane while its agent comes back: nothing of it is left.
func TestClosedDuringTheResume(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.habits("slow-start@resume=3000")
	c := h.start("standin", "codeword BEAR-1")
	c.wait("noted")
	c.send("\x02%")
	c.wait(sh)
	c.send("\x02o")
	killGroup(t, h.lastLaunch(1).PID)
	s := h.lastLaunch(2)
	c.send("\x02x")
	c.wait(`Close this pane|^\$ *$`) // a pane in which nothing runs yet is closed at once
	if strings.Contains(c.text(), "Close this pane") {
		c.send("y")
	}
	isOver(t, s.PID)
	again(h, c).wait(sh)
	h.stays(2)
}

// At a shutdown the agents are told first, and the program a moment later: all
// come back.
func TestShutdown(t *testing.T) {
	for _, habits := range []string{"", "hup-1", "hup-0"} {
		t.Run("agents "+habits, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			const n = 3
			h.habits(habits)
			h.colony(n)
			c := h.startSized(wideCols, wideRows)
			d := h.store()
			before := h.allLive(d, n)
			for _, s := range h.launched()[n:] {
				signal(t, s.PID, syscall.SIGHUP)
			}
			time.Sleep(200 * time.Millisecond) // the order of systemd's and of init's shutdown
			signal(t, c.cmd.Process.Pid, syscall.SIGTERM)
			if st := c.ended(); st.ExitCode() != 0 {
				t.Errorf("it ended with %v", st)
			}
			h.startSized(wideCols, wideRows)
			after := h.allLive(d, n)
			for i := range after {
				if after[i] != before[i] {
					t.Errorf("pane %d has session %s, had %s", i, after[i], before[i])
				}
			}
		})
	}
}

// A person's kill that was written down is carried out by whoever comes next.
func TestKillOutlivesItsServer(t *testing.T) {
	for _, point := range []string{"dispose.stamped", "dispose.signal"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.habits("ignore-hup")
			c := h.startProgram(bin.reprise, h.project, []string{"REPRISE_FAILPOINT=" + point + ":kill"}, "standin", "codeword CAT-1")
			c.wait("noted")
			s := h.lastLaunch(1)
			c.send("\x02x")
			c.wait("Close this pane")
			c.send("y")
			if st := c.ended(); st.Success() {
				t.Errorf("it ended with %v", st)
			}
			if over(s.PID) {
				t.Error("the agent was to survive its server")
			}
			h.start().wait(sh)
			isOver(t, s.PID)
			h.stays(1)
		})
	}
}

// A session that a person goes on with by the name of another agent with the same store
// is that of the dead pane, too: it waits there, and is over where it is quit.
func TestSessionByAnotherName(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	mine := filepath.Join(h.root, "mine")
	if err := os.Symlink(bin.standin, mine); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`
resume.mode = 'ask'
[agents.mine]
command     = %q
new_args    = ["--session-id", "{session_id}"]
resume_args = ["--resume", "{session_id}"]
transcript  = "~/standin/conversations/{session_id}.jsonl"
[agents.yours]
command     = %q
resume_args = ["--resume", "{session_id}"]
transcript  = "~/standin/./conversations/{session_id}.jsonl"
`, mine, bin.standin)
	if err := os.WriteFile(filepath.Join(h.root, "config", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := h.attach("mine", "codeword MINK-2")
	c.wait("noted")
	first := h.lastLaunch(1)
	pane := h.ls()[0].Panes[0].ID
	killGroup(t, first.PID)
	c.wait("mine session from")
	c.send("\x02%")
	c.wait(sh)
	c.types("command -v standin\r", "/typed/standin *([│┃]|$)")
	c.send("standin --resume " + first.Session + "\r")
	if l := h.lastLaunch(2); l.Session != first.Session {
		t.Fatalf("launched %+v", l)
	}
	c.wait("This session is open in another pane")
	c.asks("MINK-2")
	h.refuses(".", "resume", pane)
	h.lastLaunch(2)
	c.send("/exit\r")
	h.listed(func(all []listed) bool {
		p := all[0].Panes
		return len(p) == 2 && p[0].Agent == "" && p[1].Agent == "" && p[0].State == "running"
	})
	h.stays(2)
}
