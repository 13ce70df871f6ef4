package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"reprise/panes"
	"reprise/testdata/lab"
)

// TestRealAgents shows the product's promise on the real programs: an agent is
// told a codeword, dies in every way, and the same conversation is back, once.
func TestRealAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, name := range []string{"claude", "codex"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			realAgent(t, name)
		})
	}
}

func realAgent(t *testing.T, name string) {
	r := lab.NewReal(t, name)
	h := newHome(t)
	home := filepath.Join(r.Home, "."+name)
	c := &talk{client: h.startProgram(bin.reprise, r.Dir, r.Env, name), agent: name, home: home}
	c.ask("remember codeword ZEBRA-17")

	first := c.process()
	killGroup(t, first.ID.PID)
	second := c.successor(first)
	c.ask("which codeword?")
	c.gone("Resuming")
	if err := syscall.Kill(-second.ID.PID, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	c.successor(second)
	c.ask("which codeword?")

	c.kill()
	c = &talk{client: h.startProgram(bin.reprise, r.Dir, r.Env), agent: name, home: home, answers: c.answers}
	c.ask("which codeword?")

	// It leaves by its own command: that is for good.
	last := c.process()
	c.until("it ends", "/exit", func() error {
		if last.ID.Alive() {
			return fmt.Errorf("%s lives", name)
		}
		return nil
	})
	c.wait(sh) // it was meant: the shell that follows says so
	c.kill()
	c = &talk{client: h.startProgram(bin.reprise, r.Dir, r.Env), agent: name}
	c.wait(sh)
	if p := c.processes(); len(p) != 0 {
		t.Errorf("after /exit and a restart there is %v", p)
	}
}

// talk is a conversation with an agent in a client's only pane.
type talk struct {
	*client
	agent   string
	home    string // where it keeps its conversations
	answers int    // messages in the history of the last answer
}

var answered = regexp.MustCompile(`codeword is ZEBRA-17 \((\d+) messages\)`)

// ask says a line and waits for an answer that was not on the screen before, and
// is kept.
func (c *talk) ask(line string) {
	c.t.Helper()
	before := c.answers
	c.until("an answer", line, func() error {
		for _, m := range answered.FindAllStringSubmatch(c.text(), -1) {
			n, _ := strconv.Atoi(m[1])
			c.answers = max(c.answers, n)
		}
		if c.answers == before {
			return fmt.Errorf("no answer on the screen:\n%s", c.text())
		}
		return nil
	})
	if p := c.processes(); len(p) != 1 {
		c.t.Errorf("%d processes of %s: %v", len(p), c.agent, p)
	}
	c.kept()
}

func (c *talk) kept() {
	c.t.Helper()
	kept(c.t, c.home, fmt.Sprintf("codeword is ZEBRA-17 (%d messages)", c.answers), c.text)
}

// slowly is eventually for real agents: each takes a core for seconds to start, and
// gives up on a hook that a busy machine is slow to run.
func slowly(t *testing.T, check func() error) {
	t.Helper()
	within(t, 3*patience, check)
}

// kept waits until an agent has written its last answer down, below where it keeps its
// conversations, and nothing more for a second: claude does so some tenths of a second
// after it has shown it, and a death before that loses it, with or without us.
func kept(t *testing.T, store, answer string, shown func() string) {
	t.Helper()
	var size int
	var since time.Time
	slowly(t, func() error {
		found, now := false, 0
		_ = filepath.WalkDir(store, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".jsonl") {
				text, _ := os.ReadFile(path)
				found = found || bytes.Contains(text, []byte(answer))
				now += len(text)
			}
			return nil
		})
		if now != size {
			size, since = now, time.Now()
		}
		if !found || time.Since(since) < time.Second {
			return fmt.Errorf("%q is not kept; the screen:\n%s", answer, shown())
		}
		return nil
	})
}

// successor waits until another process than the dead one is the agent's.
func (c *talk) successor(dead panes.Proc) (next panes.Proc) {
	c.t.Helper()
	slowly(c.t, func() error {
		all := c.processes()
		if len(all) != 1 || all[0].ID == dead.ID {
			return fmt.Errorf("processes of %s: %v; the screen:\n%s", c.agent, all, c.text())
		}
		next = all[0]
		return nil
	})
	return next
}

// until types a line, again and again while the agent swallows it, until check is
// content.
func (c *talk) until(what, line string, check func() error) {
	c.t.Helper()
	var next time.Time
	slowly(c.t, func() error {
		err := check()
		if err != nil && time.Now().After(next) && regexp.MustCompile(`[❯›]`).MatchString(c.text()) {
			next = time.Now().Add(10 * time.Second)
			c.send("\x15" + line)
			time.Sleep(500 * time.Millisecond) // else the line's end is part of a paste
			c.send("\r")
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", what, err)
		}
		return err
	})
}

// processes are the agent's processes below this program.
func (c *talk) processes() []panes.Proc {
	all, err := panes.Processes()
	if err != nil {
		c.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(p panes.Proc) bool {
		return p.Parent != c.cmd.Process.Pid || len(p.Argv) == 0 || p.Argv[0] != c.agent
	})
}

func (c *talk) process() panes.Proc {
	c.t.Helper()
	p := c.processes()
	if len(p) != 1 {
		c.t.Fatalf("%d processes of %s: %v", len(p), c.agent, p)
	}
	return p[0]
}
