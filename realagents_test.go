package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
		t.Run(name, func(t *testing.T) { realAgent(t, name) })
	}
}

func realAgent(t *testing.T, name string) {
	r := lab.NewReal(t, name)
	h := newHome(t)
	c := &talk{client: h.startProgram(bin.reprise, r.Dir, r.Env, name), agent: name}
	c.ask("remember codeword ZEBRA-17")
	// claude writes its conversation down some tenths of a second after the
	// answer; a crash before that loses it, with or without us.
	time.Sleep(2 * time.Second)

	first := c.process()
	killGroup(t, first.ID.PID)
	c.wait("Resuming " + name + "…")
	c.ask("which codeword?")
	c.gone("Resuming")
	second := c.process()
	if second.ID == first.ID {
		t.Error("the killed process lives")
	}
	if err := syscall.Kill(-second.ID.PID, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	c.wait("Resuming " + name + "…")
	c.ask("which codeword?")

	c.kill()
	c = &talk{client: h.startProgram(bin.reprise, r.Dir, r.Env), agent: name, answers: c.answers}
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
	answers int // messages in the history of the last answer
}

var answered = regexp.MustCompile(`codeword is ZEBRA-17 \((\d+) messages\)`)

// ask says a line and waits for an answer that was not on the screen before.
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
}

// until types a line, again and again while the agent swallows it, until check is
// content.
func (c *talk) until(what, line string, check func() error) {
	c.t.Helper()
	var next time.Time
	eventually(c.t, func() error {
		err := check()
		if err != nil && time.Now().After(next) && regexp.MustCompile(`[❯›]`).MatchString(c.text()) {
			next = time.Now().Add(6 * time.Second)
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
