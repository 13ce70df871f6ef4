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

	"reprise/testdata/lab"
)

// otherBuild is our program as another build: the same bytes and one more.
func (h *home) otherBuild() string {
	h.t.Helper()
	b, err := os.ReadFile(bin.reprise)
	if err != nil {
		h.t.Fatal(err)
	}
	path := filepath.Join(h.root, "other")
	lab.WriteProgram(h.t, path, append(b, 0), 0o700)
	return path
}

// command runs a program of ours without a terminal.
func (h *home) command(program string, args ...string) (out string, err error) {
	h.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = h.project, h.env
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// served starts a client of the server, which it starts if there is none.
func (h *home) served(args ...string) *client {
	h.t.Helper()
	cmd := exec.Command(bin.reprise, args...)
	cmd.Dir, cmd.Env = h.project, h.env
	return h.startCommand(cmd, wideCols, wideRows)
}

// The server goes on as another build: its process, its agents and what they show
// stay, the client is back by itself, and an agent that dies then comes back once.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.served("standin", "codeword OTTER-1")
	c.wait("noted")
	first := h.lastLaunch(1)
	c.send("\x02%")
	c.wait(sh)
	c.send("n=41; echo before $((n+1))\r")
	c.wait("before 42")
	for round := range 2 { // a second time too: what was adopted can be handed over
		program := h.otherBuild()
		if round == 1 {
			program = bin.reprise
		}
		if out, err := h.command(program, "upgrade"); err != nil || !strings.Contains(out, "upgraded") {
			t.Fatalf("round %d: %v: %s", round, err, out)
		}
		c.wait("before 42")
		c.types(fmt.Sprintf("echo round %d is $((n+2))\r", round), fmt.Sprintf("round %d is 43", round)) // the shell's own variable
		if over(first.PID) || len(h.launched()) != 1 {
			t.Fatalf("round %d: the agent was started again: %+v", round, h.launched())
		}
	}
	c.send("\x02o")
	c.asks("OTTER-1")
	killGroup(t, first.PID)
	h.lastLaunch(2)
	c.asks("OTTER-1")
	if out, err := h.command(bin.reprise, "kill-server"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.ended()
	again := h.served()
	h.lastLaunch(3)
	again.asks("OTTER-1")
}

// What cannot take over is refused before anything is stopped.
func TestUpgradeToNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.served()
	c.wait(sh)
	c.types("echo still $((40+2))\r", "still 42")
	// The program of another version of the form, by its answer.
	fake := filepath.Join(h.root, "fake")
	script := "#!/bin/sh\necho 'this program takes over form 9'\nexit 1\n"
	lab.WriteProgram(t, fake, []byte(script), 0o700)
	for program, words := range map[string]string{fake: "takes over form 9", "/nowhere/reprise": "no such file"} {
		out, err := h.command(bin.reprise, "upgrade", "--program", program)
		if err == nil || !regexp.MustCompile(words).MatchString(out) {
			t.Errorf("%s: %v: %s", program, err, out)
		}
	}
	c.types("echo further $((40+2))\r", "further 42")
	c.wait("still 42") // it was never let go
}

// An agent that was typed in a shell is known after an upgrade as before, and comes
// back when the server dies after that.
func TestUpgradeWithATypedAgent(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	c.send("standin\r")
	c.tell("STORK-6")
	first := h.lastLaunch(1)
	if got := h.agentOf("standin"); got != first.Session {
		t.Errorf("the pane holds session %q, want %q", got, first.Session)
	}
	server := h.server()
	if out, err := h.command(h.otherBuild(), "upgrade"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := h.agentOf("standin"); got != first.Session {
		t.Errorf("after the upgrade the pane holds session %q, want %q", got, first.Session)
	}
	c.asks("STORK-6")
	// What its hooks say is taken in by the next image: /clear gives it another session.
	c.send("/clear\r")
	next := c.newSession(first.Session)
	c.says("codeword STORK-7", `noted \(1 messages\)\s[^~]*noted \(1 messages\)`)
	h.listed(func(all []listed) bool { return all[0].Panes[0].Session == next })
	if over(server) || over(first.PID) {
		t.Fatal("the server or the agent is another process")
	}
	signal(t, server, syscall.SIGKILL)
	isOver(t, server)
	c.ended()
	c = h.attach()
	if again := h.lastLaunch(2); again.Session != next || !again.Resumed {
		t.Errorf("launched %+v, want session %s", again, next)
	}
	c.asks("STORK-7")
	// Ended by its own command after an upgrade, it is over.
	if out, err := h.command(bin.reprise, "upgrade"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.types("/exit\r", sh)
	h.agentOf("")
	h.stays(2)
}
