package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// sized waits until the only pane of the only session has a size, and its program
// knows it.
func (h *home) sized(cols, rows int) {
	h.t.Helper()
	h.listed(func(all []listed) bool {
		p := all[0].Panes[0]
		return p.Cols == cols && p.Rows == rows
	})
	if out, want := h.shell("stty size"), fmt.Sprintf("%d %d\n", rows, cols); out != want {
		h.t.Fatalf("stty says %q, want %q", out, want)
	}
}

// shell has the focused pane's shell run a command, not by any client's keys, and
// returns what that prints.
func (h *home) shell(command string) (out string) {
	h.t.Helper()
	path := filepath.Join(h.root, "out")
	_ = os.Remove(path)
	h.verb("send", fmt.Sprintf(" clear; %s >%s.new; mv %s.new %s", command, path, path, path), "--key", "enter")
	eventually(h.t, func() error {
		b, err := os.ReadFile(path)
		out = string(b)
		return err
	})
	return out
}

// Two clients of different sizes share a pane: what is typed at one is shown by
// both, and the pane has the size of the one that was typed at last.
func TestTwoSizes(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	a := h.attachSized(120, 34)
	a.wait(sh)
	h.sized(120, 33)
	b := h.attachSized(60, 15)
	b.wait(`^\$`)
	h.attached(2)
	h.sized(120, 33) // to come and look changes nothing
	b.send("echo of''b\r")
	b.wait("ofb")
	a.wait("ofb")
	h.sized(60, 14)
	a.send("echo of''a\r")
	a.wait("ofa")
	b.wait("ofa")
	h.sized(120, 33)
	b.resize(50, 12) // of one that does not lead
	h.listed(func(all []listed) bool { return all[0].Clients[1].Cols == 50 })
	h.sized(120, 33)
	a.send("\x02d")
	a.ended()
	h.attached(1)
	h.sized(50, 11) // nobody else shows it
	h.attachSized(100, 30).wait(`^\$`)
	h.sized(50, 11)
	b.kill()
	h.attached(1)
	h.sized(100, 29)
}

// A small client that attaches does not cut the lines of a large one's scrollback
// anew.
func TestAttachRewrapsNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	a := h.attachSized(120, 34)
	a.wait(sh)
	wide := strings.Repeat("0123456789", 10)
	a.send(fmt.Sprintf("for i in $(seq 200); do echo %s; done; echo al''l\r", wide))
	a.wait(`^(\$ )*all`)
	a.wait(sh) // its next prompt, the last to come
	rows := func() []string { return strings.Split(a.text(), "\n")[:33] }
	was := rows()
	b := h.attachSized(40, 12)
	b.wait(`^(\$ )*all`)
	h.attached(2)
	if got := rows(); !slices.Equal(got, was) {
		t.Errorf("it shows %q, did %q", got, was)
	}
	lines := strings.Split(h.verb("capture", "--scrollback"), "\n")
	if n := len(slices.DeleteFunc(lines, func(l string) bool { return l != wide })); n != 200 {
		t.Errorf("%d whole lines in the history, want 200", n)
	}
	h.sized(120, 33)
}

// Ten that start at the same moment find one server and one session.
func TestTenAtOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	var all []*client
	for range 10 {
		all = append(all, h.attach())
	}
	for _, c := range all {
		c.wait(sh)
	}
	h.server()
	s := h.attached(10)
	if s.Name != "proj" || len(s.Panes) != 1 {
		t.Errorf("session %+v, want proj with one pane", s)
	}
	all[3].send("echo dr''awn\r")
	for _, c := range all {
		c.wait(`^(\$ )*drawn`)
	}
	for i, c := range all {
		if i%2 == 0 {
			c.kill()
		}
	}
	h.attached(5)
	h.verb("detach", "--all")
	for _, c := range all {
		c.ended()
	}
	h.attached(0)
}

// The socket's folder is its owner's alone.
func TestSocketFolder(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.attach().wait(sh)
	for _, name := range []string{"run", "run/server"} {
		st, err := os.Lstat(filepath.Join(h.root, "state", name))
		if err != nil {
			t.Fatal(err)
		}
		if perm := st.Mode().Perm(); perm&0o077 != 0 {
			t.Errorf("%s has mode %v", name, perm)
		}
	}
	h.verb("kill-server")
	if err := os.Chmod(filepath.Join(h.root, "state", "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := h.attach()
	c.wait(`^reprise: .*others may enter the socket folder .*: run chmod 700 `)
	if st := c.ended(); st.ExitCode() != 1 {
		t.Errorf("it ended with %v", st)
	}
}

// A client of another protocol is told so.
func TestOtherProtocol(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.attach().wait(sh)
	conn, err := net.Dial("unix", filepath.Join(h.root, "state", "run", "server"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	hello := []byte(`{"protocol":9999,"Version":"v99"}`)
	frame := append(binary.BigEndian.AppendUint32([]byte{'H'}, uint32(len(hello))), hello...)
	if _, err := conn.Write(frame); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || len(answer) < 5 || answer[0] != 'N' {
		t.Fatalf("the answer is %q, %v", answer, err)
	}
	if text := string(answer[5:]); !strings.Contains(text, "9999") && !strings.Contains(text, "v99") {
		t.Errorf("the refusal is %q", text)
	}
	h.attached(1)
}
