package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// However a client ends, its terminal is the shell's again, as it was, and what
// runs in the panes goes on.
func TestClientEnds(t *testing.T) {
	for name, way := range map[string]struct {
		end    func(h *home, c inShell)
		status int
		says   string
	}{
		"prefix d":     {func(_ *home, c inShell) { c.send("\x02d") }, 0, `^\[detached from proj\]`},
		"from outside": {func(h *home, _ inShell) { h.verb("detach") }, 0, `^\[detached by another client\]`},
		"SIGHUP":       {func(h *home, c inShell) { signal(h.t, c.pid(), syscall.SIGHUP) }, 129, ""},
		"SIGTERM":      {func(h *home, c inShell) { signal(h.t, c.pid(), syscall.SIGTERM) }, 143, ""},
		"SIGKILL":      {func(h *home, c inShell) { signal(h.t, c.pid(), syscall.SIGKILL) }, 137, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.inShell("standin")
			c.tell("STORK-1")
			c.taken()
			s := h.lastLaunch(1)
			server := h.server()
			way.end(h, c)
			c.back(way.status)
			if way.says != "" {
				c.wait(way.says)
			}
			h.attached(0)
			d := h.attach()
			d.asks("STORK-1")
			goesOn(t, s.PID)
			goesOn(t, server)
			h.lastLaunch(1)
		})
	}
}

// The server's end is told to the clients, whose terminals are put right; what ran
// comes back.
func TestServerEnds(t *testing.T) {
	for name, way := range map[string]struct {
		end    func(h *home)
		status int
		says   string
	}{
		"SIGKILL":     {func(h *home) { h.killServer() }, 1, `^reprise: the server is gone`},
		"SIGTERM":     {func(h *home) { signal(h.t, h.server(), syscall.SIGTERM) }, 0, `^\[the server was ended: what it ran comes back at the next start`},
		"kill-server": {func(h *home) { h.verb("kill-server") }, 0, `^\[the server was ended: what it ran comes back at the next start`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.inShell("standin")
			c.tell("STORK-2")
			c.taken()
			h.lastLaunch(1)
			way.end(h)
			c.wait(way.says)
			c.back(way.status)
			h.noServer()
			d := h.attach()
			d.asks("STORK-2")
			h.lastLaunch(2)
		})
	}
}

// What is refused leaves the terminal alone.
func TestRefusedClient(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.attach().wait(sh)
	c := h.inShell("attach", "prij")
	c.wait(`^reprise: there is no session prij, did you mean proj\?`)
	c.back(1)
	if s := c.text(); strings.Contains(s, "proj ") {
		t.Errorf("something was drawn:\n%s", s)
	}
}

// A shell goes on while nobody is attached, and shows the same when somebody is.
func TestShellGoesOn(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach()
	c.wait(sh)
	c.send("n=41; echo $((n+1)) $$\r")
	c.wait(`^42 \d+$`)
	was := c.text()
	c.send("\x02d")
	if st := c.ended(); st.ExitCode() != 0 {
		t.Errorf("it ended with %v", st)
	}
	if h.attached(0).Panes[0].PID == 0 {
		t.Error("the shell has ended")
	}
	// It works while nobody looks.
	out := h.root + "/written"
	h.verb("send", "echo $((n+2)) >"+out, "--key", "enter")
	eventually(t, func() error {
		b, err := os.ReadFile(out)
		if err == nil && string(b) != "43\n" {
			t.Fatalf("the shell wrote %q", b)
		}
		return err
	})
	d := h.attach()
	d.wait(`(?s)^42 .*^\$ echo .*^\$ *$`)
	for i, line := range strings.Split(was, "\n")[:2] {
		if got := strings.Split(d.text(), "\n")[i]; got != line {
			t.Errorf("row %d is %q, was %q", i, got, line)
		}
	}
	d.send("echo n$n\r")
	d.wait(`^n41$`)
}

// Who looks on reads what happens, types nothing, and can leave.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("cat")
	c.types("first\r", `first\nfirst`)
	r := h.attach("attach", "--read-only")
	r.wait(`first\nfirst`)
	r.wait(`read-only`)
	if s := h.attached(2); s.Clients[0].ReadOnly || !s.Clients[1].ReadOnly {
		t.Errorf("clients %+v, want the second one read-only", s.Clients)
	}
	r.send("intruder\r\x1b[200~pasted\r\x1b[201~")
	r.send("\x02%\x02x") // nor splits or closes it
	r.wait(`attach without --read-only`)
	h.verb("send", "last", "--key", "enter")
	r.wait(`last\nlast`)
	c.wait(`last\nlast`)
	if s := c.text(); strings.Contains(s, "intruder") || strings.Contains(s, "pasted") {
		t.Errorf("what was typed at a read-only client reached the pane:\n%s", s)
	}
	if s := h.attached(2); len(s.Panes) != 1 {
		t.Errorf("panes %+v, want one", s.Panes)
	}
	r.send("\x02d")
	if st := r.ended(); st.ExitCode() != 0 {
		t.Errorf("it ended with %v", st)
	}
	h.attached(1)
	c.send("more\r")
	c.wait(`more\nmore`)
}
