package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"reprise/testdata/lab"
)

// lastLaunch waits until the stand-in was launched n times in all, checks that no
// two held one session at once, and returns the last launch.
func (h *home) lastLaunch(n int) lab.Start {
	h.t.Helper()
	var l []lab.Start
	eventually(h.t, func() error {
		if l = h.launched(); len(l) < n {
			return fmt.Errorf("%d launches, want %d", len(l), n)
		}
		return nil
	})
	if len(l) > n {
		h.t.Fatalf("%d launches, want %d: %+v", len(l), n, l)
	}
	for _, one := range l {
		if one.Double {
			h.t.Fatalf("two processes held session %s: %+v", one.Session, l)
		}
	}
	if n == 0 {
		return lab.Start{}
	}
	return l[n-1]
}

// prompt is the stand-in's; sh, a shell's.
const (
	prompt = `(^|[│┃])> *([│┃]|$)`
	sh     = `\$ *([│┃]|$)`
)

// tell has a conversation: the codeword is on the agent's disk afterwards.
func (c *client) tell(word string) {
	c.t.Helper()
	c.wait(prompt)
	c.send("codeword " + word + "\r")
	c.wait("noted")
}

// asks checks that the conversation is known. The answer must be a new one: a dead
// screen stays until its successor draws, and what is typed at it is swallowed.
func (c *client) asks(word string) {
	c.t.Helper()
	c.wait(prompt)
	re := regexp.MustCompile("the codeword is " + word + ` \((\d+) messages\)`)
	before, next := c.answers, time.Time{}
	eventually(c.t, func() error {
		s := c.text()
		for _, m := range re.FindAllStringSubmatch(s, -1) {
			n, _ := strconv.Atoi(m[1])
			c.answers = max(c.answers, n)
		}
		if c.answers > before {
			return nil
		}
		if time.Now().After(next) && regexp.MustCompile("(?m)"+prompt).MatchString(s) {
			c.send("codeword?\r")
			next = c.sent.Add(2 * time.Second)
		}
		return fmt.Errorf("no answer on the screen:\n%s", s)
	})
}

// ways are how an agent's terminal dies without its person's wish.
var ways = map[string]struct {
	habits string
	end    func(t *testing.T, c *client, agent int)
}{
	"kill -9 of its process group": {end: func(t *testing.T, _ *client, pid int) { killGroup(t, pid) }},
	"SIGHUP": {end: func(t *testing.T, _ *client, pid int) {
		if err := syscall.Kill(-pid, syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}},
	"SIGHUP, it exits with 1":              {habits: "hup-1", end: hangUp},
	"SIGHUP, with a goodbye of no meaning": {habits: "hup-goodbye", end: hangUp},
}

func hangUp(t *testing.T, _ *client, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

func TestPaneBringsItsConversationBack(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.env = append(h.env, "STANDIN_DO="+way.habits)
			c := h.start("standin", "--model", "m1")
			c.wait("standin, session")
			c.tell("ZEBRA-42")
			first := h.lastLaunch(1)
			way.end(t, c, first.PID)
			again := h.lastLaunch(2)
			if again.Session != first.Session || !again.Resumed {
				t.Errorf("launched %+v after %+v", again, first)
			}
			if !slices.Contains(again.Argv, "m1") {
				t.Errorf("the person's own arguments are not repeated: %q", again.Argv)
			}
			c.asks("ZEBRA-42")
			c.gone("Resuming")
			h.lastLaunch(2)
		})
	}
}

func TestCrashOfTheWholeProgram(t *testing.T) {
	for _, habits := range []string{"", "ignore-hup", "hup-0", "hup-1"} {
		t.Run("agent "+habits, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.env = append(h.env, "STANDIN_DO="+habits)
			c := h.start("standin")
			c.tell("OTTER-7")
			first := h.lastLaunch(1)
			c.kill()
			d := h.start()
			again := h.lastLaunch(2)
			if again.Session != first.Session {
				t.Errorf("session %s after %s", again.Session, first.Session)
			}
			d.asks("OTTER-7")
		})
	}
}

func TestLeavingDisposesNothing(t *testing.T) {
	for name, leave := range map[string]func(c *client){
		"prefix d": func(c *client) { c.send("\x02d") },
		"SIGTERM":  func(c *client) { _ = c.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGHUP":   func(c *client) { _ = c.cmd.Process.Signal(syscall.SIGHUP) },
		"the window closes": func(c *client) {
			_ = c.tty.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.start("standin")
			c.tell("HERON-3")
			c.send("\x02%")
			c.wait(sh)
			leave(c)
			if st := c.ended(); st.ExitCode() != 0 {
				t.Errorf("it ended with %v", st)
			}
			d := h.start()
			d.wait(sh) // both panes are back
			h.lastLaunch(2)
			d.wait(`^[━─] standin`)
			if regexp.MustCompile(`(?m)^─ standin`).MatchString(d.text()) { // the focus is where it was
				d.send("\x02o")
			}
			d.wait(`^━ standin`)
			d.asks("HERON-3")
		})
	}
}

func TestWhatAPersonEndedStaysEnded(t *testing.T) {
	for name, end := range map[string]func(c *client){
		"/exit":           func(c *client) { c.send("/exit\r") },
		"the pane closed": func(c *client) { c.send("\x02x"); c.wait("y close"); c.send("y") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.start("standin")
			c.tell("MOTH-1")
			c.send("\x02%")
			c.wait(sh)
			c.send("\x02o")
			end(c)
			pid := h.lastLaunch(1).PID
			eventually(t, func() error {
				if syscall.Kill(pid, 0) == nil {
					return fmt.Errorf("the agent, process %d, lives", pid)
				}
				return nil
			})
			c.gone(prompt)
			c.send("\x02d")
			c.ended()
			d := h.start()
			d.wait(`^\$ *([│┃].*)?$`) // a shell in every pane that is left
			d.send("echo dr''awn\r")
			d.wait(`^(\$ )*drawn`)
			h.lastLaunch(1)
		})
	}
}

// A second process does not open the workspace again; both live side by side.
func TestSecondProcessOpensItsOwnWorkspace(t *testing.T) {
	h := newHome(t)
	a := h.start("standin")
	a.tell("ELK-9")
	b := h.start()
	b.wait(`proj is open in process ` + fmt.Sprint(a.cmd.Process.Pid))
	b.wait(`proj-2`)
	b.wait(sh)
	h.lastLaunch(1)
	b.send("\x02d")
	b.ended()
	a.asks("ELK-9")
}

// The file that `go run` builds is gone when it has started.
func TestBinaryGone(t *testing.T) {
	h := newHome(t)
	own := h.root + "/gone-soon"
	data, err := os.ReadFile(bin.reprise)
	if err != nil {
		t.Fatal(err)
	}
	lab.WriteProgram(t, own, data, 0o700)
	c := h.startProgram(own, h.project, nil, "standin")
	c.tell("YAK-5")
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	killGroup(t, h.lastLaunch(1).PID)
	h.lastLaunch(2)
	c.asks("YAK-5")
}
