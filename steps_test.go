package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
	"reprise/testdata/lab"
)

// Steps that the tests of whole stories share, beside those of the harness.

// store is the home's database, beside whoever has it open.
func (h *home) store() *db.DB {
	h.t.Helper()
	d, err := db.Open(context.Background(), filepath.Join(h.root, "state"), db.Options{})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = d.Close() })
	return d
}

// records are what the store says of the panes of all workspaces, in the order of
// the workspaces' names and the layouts.
func records(t *testing.T, d *db.DB) []agent.PaneRecord {
	t.Helper()
	ctx := context.Background()
	all, err := d.Workspaces(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var out []agent.PaneRecord
	for _, ws := range all {
		if ws, err = d.Workspace(ctx, ws.Name); err != nil {
			t.Fatal(err)
		}
		if ws.Layout == nil {
			continue
		}
		l, err := panes.DecodeLayout(ws.Layout)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range l.Panes() {
			rec, err := d.Pane(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, rec)
		}
	}
	return out
}

// allLive waits until every pane's session lives in the process that was launched
// last for it, and returns the sessions in the order of the panes.
func (h *home) allLive(d *db.DB, n int) []string {
	h.t.Helper()
	var sessions []string
	eventually(h.t, func() error {
		sessions = nil
		starts := h.launched()
		recs := records(h.t, d)
		if len(recs) != n {
			return fmt.Errorf("%d panes, want %d", len(recs), n)
		}
		for _, rec := range recs {
			b := rec.Binding
			if b == nil || b.Reason != agent.Live {
				return fmt.Errorf("pane %s: %+v", rec.Pane, b)
			}
			mine := lab.Of(starts, string(b.Session))
			if len(mine) == 0 || mine[len(mine)-1].PID != rec.Terminal.Process.PID || over(rec.Terminal.Process.PID) {
				return fmt.Errorf("session %s is recorded in process %d, launched were %+v", b.Session, rec.Terminal.Process.PID, mine)
			}
			sessions = append(sessions, string(b.Session))
		}
		return nil
	})
	for _, s := range h.launched() {
		if s.Double {
			h.t.Fatalf("two processes held session %s", s.Session)
		}
	}
	return sessions
}

// over reports whether a process has ended, reaped or not.
func over(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(b), ") Z ")
}

// isOver waits until a process has ended.
func isOver(t *testing.T, pid int) {
	t.Helper()
	eventually(t, func() error {
		if !over(pid) {
			return fmt.Errorf("process %d lives", pid)
		}
		return nil
	})
}

// habits sets the stand-in's habits from its next start on.
func (h *home) habits(words string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.root, "standin", "do"), []byte(words), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// conversation is the file in which the stand-in keeps a session.
func (h *home) conversation(session string) string {
	return filepath.Join(h.root, "standin", "conversations", session+".jsonl")
}

// converses waits until a session has a message.
func (h *home) converses(s lab.Start) {
	h.t.Helper()
	eventually(h.t, func() error {
		st, err := os.Stat(h.conversation(s.Session))
		if err == nil && st.Size() == 0 {
			err = fmt.Errorf("%s is empty", st.Name())
		}
		return err
	})
}

// hook calls the hook command of a launch as its agent would, but from outside.
func (h *home) hook(call, event string, payload []byte) {
	h.t.Helper()
	cmd := exec.Command("sh", "-c", call+" "+event)
	cmd.Env, cmd.Dir, cmd.Stdin = h.env, h.root, bytes.NewReader(payload)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		h.t.Errorf("hook %s: %v, it prints %q", event, err, out)
	}
}

// hookCall is the hook command of a launch.
func hookCall(s lab.Start) string { return s.Env["REPRISE_HOOK"] }

// payload is what a stand-in's hook is given.
func payload(session string, more ...string) []byte {
	fields := map[string]any{"session_id": session}
	for _, m := range more {
		k, v, _ := strings.Cut(m, "=")
		fields[k] = v
		if v == "true" {
			fields[k] = true
		}
	}
	b, _ := json.Marshal(fields)
	return b
}

// noted waits until the ledger says something about a hook.
func noted(t *testing.T, d *db.DB, words string) {
	t.Helper()
	eventually(t, func() error {
		all, err := d.Notes(context.Background(), "", 1000)
		if err != nil {
			return err
		}
		for _, n := range all {
			if strings.Contains(n.Why, words) {
				return nil
			}
		}
		return fmt.Errorf("no %q in the ledger: %+v", words, all)
	})
}

// binding waits until what the store says of the only agent's binding is right.
func binding(t *testing.T, d *db.DB, right func(agent.Binding) bool) {
	t.Helper()
	eventually(t, func() error {
		for _, rec := range records(t, d) {
			if b := rec.Binding; b != nil {
				if right(*b) {
					return nil
				}
				return fmt.Errorf("the binding is %+v", *b)
			}
		}
		return fmt.Errorf("no pane has a binding")
	})
}

// colony makes n agents in one workspace of one directory, each in a pane of its
// own and with a codeword of its own; the program crashed after each.
func (h *home) colony(n int) {
	h.t.Helper()
	h.config("resume.mode = 'ask'\n") // those before stay dead meanwhile
	for i := range n {
		c := h.startSized(wideCols, wideRows, "standin", fmt.Sprintf("codeword WORD-%d", i))
		s := h.lastLaunch(i + 1)
		h.converses(s)
		c.kill()
		isOver(h.t, s.PID)
	}
	h.config("")
}

// A terminal in which ten panes have room.
const wideCols, wideRows = 240, 60

// signal sends one to a process.
func signal(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatalf("signal %v to %d: %v", s, pid, err)
	}
}
