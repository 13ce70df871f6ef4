package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// initialised lists the packages that a run of reprise initialised, in their order.
func initialised(t *testing.T, cmd *exec.Cmd) []string {
	t.Helper()
	cmd.Env = append(cmd.Environ(), "GODEBUG=inittrace=1")
	var said strings.Builder
	cmd.Stderr = &said
	_ = cmd.Run() // its status is not the question
	var names []string
	for line := range strings.Lines(said.String()) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "init" {
			names = append(names, f[1])
		}
	}
	return names
}

// The launch shim and an early server are worth it only if they do not wait for the
// initialisation of the rest. That they come first is Go's doing (cli/early/now).
func TestEarlyIsBeforeTheRest(t *testing.T) {
	t.Parallel()
	all := initialised(t, newHome(t).reprise("--version"))
	before := map[string]bool{}
	for _, name := range all {
		before[name] = true
		if name == "reprise/cli/early/now" {
			break
		}
	}
	if len(all) < 80 || len(before) > 20 || before["os"] || before["time"] {
		t.Errorf("%d of %d packages come first: %q", len(before), len(all), all)
	}
	shim := newHome(t).reprise("gate")
	gone, open, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = open.Close()
	defer func() { _ = gone.Close() }()
	shim.ExtraFiles = []*os.File{gone}
	if names := initialised(t, shim); len(names) > 20 || len(names) < 5 {
		t.Errorf("a launch shim waits for %d packages: %q", len(names), names)
	}
}

// What needs a server begins it early, and anything else begins none.
func TestWhatBeginsAServer(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for name, start := range map[string]func(*exec.Cmd){
		"a flag":      func(c *exec.Cmd) { c.Args = append(c.Args, "--help") },
		"a command":   func(c *exec.Cmd) { c.Args = append(c.Args, "ls") },
		"no terminal": func(c *exec.Cmd) { c.Env = append(c.Env, "TERM=dumb") },
		"a pane":      func(c *exec.Cmd) { c.Env = append(c.Env, "REPRISE_PANE=p") },
		"no home":     func(c *exec.Cmd) { c.Env = append(c.Env, "REPRISE_HOME=elsewhere") },
	} {
		cmd := h.reprise()
		start(cmd)
		c := h.startCommand(cmd, outerCols, outerRows)
		c.ended()
		if _, err := os.Stat(filepath.Join(h.root, "state", "reprise.log")); err == nil {
			t.Fatalf("%s: a server was begun", name)
		}
	}
	c := h.attach("sh", "-c", "echo here; exec cat")
	c.wait("here")
	// Who starts one in its own time takes this lock first.
	if _, err := os.Stat(filepath.Join(h.root, "state", "run", "server.start")); err == nil {
		t.Error("the server was not begun early")
	}
	if server := h.server(); parent(server) != c.cmd.Process.Pid {
		t.Errorf("its parent is %d, want %d", parent(server), c.cmd.Process.Pid)
	}
}

// Of the servers that several clients begin at once one serves all of them.
func TestServersBegunAtOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	var all []*client
	for range 4 {
		all = append(all, h.attach("sh", "-c", "echo here; exec cat"))
	}
	for _, c := range all {
		c.wait("here")
	}
	h.server()
	h.attached(len(all))
}
