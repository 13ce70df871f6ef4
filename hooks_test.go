package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"reprise/agent"
	"reprise/db"
)

// Whatever a hook is given, it is quiet, succeeds, and changes nothing that the
// agent did not say.
func TestHookWithGarbage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword MOLE-1")
	c.wait("noted")
	s := h.lastLaunch(1)
	big := bytes.Repeat([]byte("x"), 10<<20)
	for name, data := range map[string][]byte{
		"nothing":          nil,
		"no JSON":          []byte("<html>\x00\xff\xfe"),
		"null":             []byte("null"),
		"a list":           []byte(`[{"session_id":"x"}]`),
		"cut off":          []byte(`{"session_id":"` + s.Session),
		"wrong types":      []byte(`{"session_id":{"a":[1]},"certain":"yes","reason":7}`),
		"a hostile id":     payload("--model", "certain=true"),
		"a long id":        payload(strings.Repeat("a", 300)),
		"10 MB of text":    big,
		"10 MB of nesting": bytes.Repeat([]byte(`{"a":[`), 10<<20/6),
		"10 MB of a key":   append([]byte(`{"`), big...),
	} {
		for _, event := range []string{"start", "stop", "goodbye", "frob", strings.Repeat("e", 500)} {
			t.Run(name, func(t *testing.T) { h.hook(hookCall(s), event, data) })
		}
	}
	for _, args := range [][]string{
		{},
		{"relative", "standin", "n", "start"},
		{filepath.Join(h.root, "none"), "standin", "n", "start"},
		{filepath.Join(h.root, "state"), "standin", "", "start"},
		{filepath.Join(h.root, "state"), "no-kind", "n", "start"},
		{filepath.Join(h.root, "state"), "standin", "n", "start", "more"},
	} {
		cmd := exec.Command(bin.reprise, append([]string{"hook"}, args...)...)
		cmd.Env, cmd.Dir, cmd.Stdin = h.env, h.root, strings.NewReader("{}")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("hook %q: %v, it prints %q", args, err, out)
		}
	}
	c.asks("MOLE-1")
	killGroup(t, s.PID)
	if again := h.lastLaunch(2); again.Session != s.Session {
		t.Errorf("session %s after %s", again.Session, s.Session)
	}
	c.asks("MOLE-1")
}

// What a hook says in 10 MB of JSON is heard.
func TestHookWithMuchToSay(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.start("standin")
	s := h.lastLaunch(1)
	d := h.store()
	binding(t, d, func(b agent.Binding) bool { return b.LastEvent == "start" && !b.Prompted })
	var b bytes.Buffer
	// The command's time is bounded: on a busy machine it may not get to the end.
	fmt.Fprintf(&b, `{"prompt":%q,"list":[%s1],"session_id":%q,"more":%q}`, strings.Repeat("y ", 1<<18),
		strings.Repeat(`{"a":"}"},`, 50_000), s.Session, strings.Repeat("\\ ", 3<<20))
	h.hook(hookCall(s), "prompt", b.Bytes())
	binding(t, d, func(b agent.Binding) bool { return b.Prompted })
}

// Hooks that come at once are all heard, and those that come while no program
// runs are heard by the next one.
func TestHooksAtOnce(t *testing.T) {
	for name, running := range map[string]bool{"while it runs": true, "while nobody runs": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.start("standin", "codeword LYNX-1")
			c.wait("noted")
			s := h.lastLaunch(1)
			if !running {
				c.kill()
				isOver(t, s.PID)
			}
			var wg sync.WaitGroup
			const n = 10
			for i := range n {
				// Strangers' hooks leave a row in the ledger each.
				call := strings.Replace(hookCall(s), "standin", fmt.Sprintf("kind-%d", i), 1)
				wg.Go(func() { h.hook(call, "start", payload(fmt.Sprintf("other-%d", i))) })
			}
			wg.Wait()
			if !running {
				c = h.start()
			}
			d := h.store()
			for i := range n {
				noted(t, d, fmt.Sprintf("kind-%d start: wrong kind", i))
			}
			if running {
				killGroup(t, s.PID)
			}
			h.lastLaunch(2)
			c.asks("LYNX-1")
		})
	}
}

// A goodbye that no running program heard counts: the person had quit.
func TestGoodbyeWhileNobodyRuns(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword STOAT-1")
	c.wait("noted")
	s := h.lastLaunch(1)
	c.kill()
	isOver(t, s.PID)
	h.hook(hookCall(s), "goodbye", payload(s.Session, "certain=true", "reason=exit"))
	h.start().wait(sh)
	h.stays(1)
}

// A hook that finds the database locked leaves a file, which is taken in later.
func TestHookWithLockedDatabase(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.start("standin")
	s := h.lastLaunch(1)
	state := filepath.Join(h.root, "state")
	func() { // its store must be closed before the lock is taken: a close gives up locks of the file
		d, err := db.Open(context.Background(), state, db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		binding(t, d, func(b agent.Binding) bool { return b.LastEvent == "start" && !b.Prompted })
	}()
	unlock := lockWrites(t, filepath.Join(state, db.File))
	h.hook(hookCall(s), "prompt", payload(s.Session))
	spooled := func() []string {
		names, err := filepath.Glob(filepath.Join(state, "spool", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	if n := len(spooled()); n != 1 {
		t.Errorf("%d files in the spool, want 1", n)
	}
	unlock()
	binding(t, h.store(), func(b agent.Binding) bool { return b.Prompted })
	eventually(t, func() error {
		if left := spooled(); len(left) > 0 {
			return fmt.Errorf("left in the spool: %q", left)
		}
		return nil
	})
}

// lockWrites takes the lock of a database's writer: byte 120 of the file of the
// log's index (https://www.sqlite.org/walformat.html §2.3.1).
func lockWrites(t *testing.T, path string) (unlock func()) {
	t.Helper()
	f, err := os.OpenFile(path+"-shm", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: 0, Start: 120, Len: 1}
	eventually(t, func() error { return syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &l) })
	return func() { _ = f.Close() }
}
