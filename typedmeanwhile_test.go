package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"reprise/testdata/lab"
)

// awaiting is what a shell is told, so that it runs the stand-in when the file is there,
// having left another one beside it.
func awaiting(file string) string {
	return fmt.Sprintf("until [ -e %[1]s ]; do sleep 0.01; done; : > %[1]s.typed; standin\r", file)
}

// goes lets it run.
func (h *home) goes(file string) {
	h.t.Helper()
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// An agent that is typed while the server is about to become another program, or just
// becomes it, is known afterwards: its shim asks the one or the other. It comes back
// once, with all that was said.
func TestAgentTypedDuringAnUpgrade(t *testing.T) {
	t.Parallel()
	for _, moment := range []string{"--can-adopt", "--adopt"} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			h, c := typing(t)
			file := filepath.Join(h.root, "go")
			c.send(awaiting(file))
			// The next program: at that moment it lets the agent be typed, and is itself when it is.
			script := fmt.Sprintf("#!/bin/sh\nif [ \"$2\" = %s ]; then : > %[2]s; until [ -e %[2]s.typed ]; do sleep 0.01; done; fi\nexec %s \"$@\"\n",
				moment, file, bin.reprise)
			next := filepath.Join(h.root, "next")
			lab.WriteProgram(t, next, []byte(script), 0o700)
			server := h.server()
			if out, err := h.command(bin.reprise, "upgrade", "--program", next); err != nil || !strings.Contains(out, "upgraded") {
				t.Fatalf("%v: %s", err, out)
			}
			if _, err := os.Stat(file + ".typed"); err != nil {
				t.Fatalf("it was not typed meanwhile: %v", err)
			}
			first := h.lastLaunch(1)
			if got := h.agentOf("standin"); got != first.Session || first.Resumed {
				t.Errorf("the pane holds session %q, launched was %+v", got, first)
			}
			c.tell("STORK-8")
			signal(t, server, syscall.SIGKILL) // it has kept its process
			isOver(t, server)
			c.ended()
			c = h.attach()
			if again := h.lastLaunch(2); again.Session != first.Session || !again.Resumed {
				t.Errorf("launched %+v after %+v", again, first)
			}
			c.asks("STORK-8")
			c.types("/exit\r", sh)
			h.agentOf("")
			h.stays(2)
		})
	}
}

// An agent that is typed while its shell's pane goes to another session is known where
// that is then, be it that the pane went first or that it stayed because of the agent.
func TestAgentTypedDuringAMove(t *testing.T) {
	t.Parallel()
	h, c := typing(t)
	pane := h.ls()[0].Panes[0].ID
	h.verb("split", "-p", pane)
	h.verb("new", "-d", "-s", "docs")
	where := func(agent string) (session string, p listedPane) {
		t.Helper()
		h.listed(func(all []listed) bool {
			n := 0
			for _, s := range all {
				for _, one := range s.Panes {
					if one.ID == pane {
						session, p, n = s.Name, one, n+1
					}
				}
			}
			return n == 1 && p.Agent == agent
		})
		return session, p
	}
	const rounds = 9
	refused := regexp.MustCompile("an agent that was typed in its shell runs there")
	for round := range rounds {
		at, _ := where("")
		to := map[string]string{"proj": "docs", "docs": "proj"}[at]
		file := filepath.Join(h.root, fmt.Sprintf("go%d", round))
		h.verb("send", "-p", pane, strings.TrimSuffix(awaiting(file), "\r"), "--key", "enter")
		moved := make(chan error, 1)
		move := func() {
			out, err := h.command(bin.reprise, "move", to, "-p", pane)
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			moved <- err
		}
		switch h.goes(file); round % 3 { // what reaches the server first is left to chance
		case 0:
			move()
		case 1:
			eventually(t, func() error { _, err := os.Stat(file + ".typed"); return err })
			move()
		case 2:
			h.lastLaunch(round + 1)
			move()
		}
		err := <-moved
		if err != nil && !refused.MatchString(err.Error()) {
			t.Fatalf("round %d: %v", round, err)
		}
		l := h.lastLaunch(round + 1)
		in, p := where("standin")
		if p.Session != l.Session || (in == to) != (err == nil) {
			t.Fatalf("round %d: the pane is in %s with %+v, launched was %+v, the move from %s said %v", round, in, p, l, at, err)
		}
		if round == rounds-1 {
			break
		}
		h.verb("send", "-p", pane, "/exit", "--key", "enter")
	}
	first := h.lastLaunch(rounds)
	shows := func() string {
		out, _, _ := h.run("capture", "-p", pane) // it fails as long as there is nothing
		return out
	}
	says := func(text, pattern string) {
		t.Helper()
		h.verb("send", "-p", pane, text, "--key", "enter")
		comes(t, shows, pattern)
	}
	says("codeword STORK-9", "noted")
	session, p := where("standin")
	h.killServer()
	c.ended()
	d := h.attach("attach", session)
	d.wait("^ " + session + " › ")
	d.send(fmt.Sprintf("\x02%d", p.Tab))
	if again := h.lastLaunch(rounds + 1); again.Session != first.Session || !again.Resumed {
		t.Errorf("launched %+v after %+v", again, first)
	}
	if in, again := where("standin"); in != session || again.Session != first.Session {
		t.Errorf("after the crash it is in %s: %+v", in, again)
	}
	comes(t, shows, prompt)
	says("codeword?", `the codeword is STORK-9`)
	h.lastLaunch(rounds + 1)
}
