package db_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// deadOnes lists dead instances and lets go of their locks.
func (w *world) deadOnes() []agent.InstanceID {
	w.Helper()
	dead, release, err := w.Dead(w.ctx)
	w.must(err)
	release()
	return dead
}

func (w *world) orphans(of agent.InstanceID) map[panes.TerminalID]agent.Orphan {
	w.Helper()
	all := map[panes.TerminalID]agent.Orphan{}
	for _, o := range must(w.Orphans(w.ctx, of))(w) {
		all[o.Terminal.ID] = o
	}
	return all
}

func TestDeadByLock(t *testing.T) {
	w := newWorld(t)
	other := join(t, w.dir)
	other.begin("t", "s1")
	if dead := w.deadOnes(); len(dead) != 0 {
		t.Fatalf("a living instance is dead: %v", dead)
	}
	other.die()
	dead, release, err := w.Dead(w.ctx)
	if err != nil || len(dead) != 1 || dead[0] != other.inst {
		t.Fatalf("dead: %v %v", dead, err)
	}
	// Someone who looks at the same time, or sweeps, does not make it look alive.
	third := join(t, w.dir)
	if again := third.deadOnes(); len(again) != 1 {
		t.Errorf("while another holds its lock: %v", again)
	}
	release()
	w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: "t", Instance: other.inst, At: at(30)}))
	if dead := w.deadOnes(); len(dead) != 0 {
		t.Errorf("swept, and listed again: %v", dead)
	}
	if n, err := db.Count(w.ctx, w.DB, `SELECT count(*) FROM instances WHERE swept = 1`); err != nil || n != 1 {
		t.Errorf("%d instances are marked as swept (%v)", n, err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "instances", string(other.inst)+".lock")); err != nil {
		t.Errorf("another's lock file is gone: %v", err)
	}
}

// A look every few seconds at nothing new is no query.
func TestDeadAsksForWhatWasWritten(t *testing.T) {
	db.Listen(t)
	w := newWorld(t)
	look := func(what string, asks bool, want int) {
		t.Helper()
		heard := db.Listen(t) // forgets what it heard
		if dead := w.deadOnes(); len(dead) != want {
			t.Errorf("%s: %d are dead, want %d", what, len(dead), want)
		}
		asked := false
		for query := range heard() {
			asked = asked || strings.Contains(query, "FROM instances i")
		}
		if asked != asks {
			t.Errorf("%s: asked %v, want %v", what, asked, asks)
		}
	}
	look("the first", true, 0)
	look("nothing happened", false, 0)
	other := join(t, w.dir)
	other.begin("t", "s1")
	look("another one came", true, 0)
	other.die()
	look("it died", false, 1)
	w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: "t", Instance: other.inst, At: at(30)}))
	look("it was swept", true, 0)
	look("it is marked as swept", true, 0)
	look("nothing happened since", false, 0)
}

func TestMissingLockFileIsNoDeath(t *testing.T) {
	cases := map[string]struct {
		self panes.ProcessID
		gone bool
		want int
	}{
		"process lives":   {panes.ProcessID{PID: 7, Start: 1, Boot: "b"}, false, 0},
		"process is gone": {panes.ProcessID{PID: 7, Start: 1, Boot: "b"}, true, 1},
		"process unknown": {panes.ProcessID{}, true, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, db.Options{Alive: func(p panes.ProcessID) bool { return !c.gone || p.PID == 0 }})
			other := join(t, w.dir, db.Options{Self: c.self})
			other.begin("t", "s1")
			w.must(os.Remove(filepath.Join(w.dir, "instances", string(other.inst)+".lock")))
			if dead := w.deadOnes(); len(dead) != c.want {
				t.Errorf("dead: %v, want %d", dead, c.want)
			}
			if _, err := os.Stat(filepath.Join(w.dir, "instances", string(other.inst)+".lock")); err == nil {
				t.Error("looking made a lock file")
			}
		})
	}
}

func TestOrphansAndSweep(t *testing.T) {
	w := newWorld(t)
	other := join(t, w.dir)
	other.begin("live", "s1")
	other.begin("unsure", "s2")
	other.end("unsure", agent.Detached, true, 10)
	other.begin("sure", "s3")
	other.end("sure", agent.Detached, false, 10)
	other.dead("dead", "s4")
	other.must(other.Begin(w.ctx, other.record("shell"), nil))
	other.begin("stamped", "s5")
	must(other.Dispose(w.ctx, "stamped", at(12)))(t)
	w.dead("claimed", "s6")
	if _, ok, err := w.Claim(w.ctx, agent.ClaimRef{Terminal: "claimed", Owner: other.inst, Token: "x", At: at(13)}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.dead("mine", "s7")
	w.claim("mine")
	other.die()

	got := w.orphans(other.inst)
	for _, id := range []panes.TerminalID{"live", "unsure", "shell", "stamped", "claimed"} {
		if _, ok := got[id]; !ok {
			t.Errorf("%s is no orphan", id)
		}
	}
	if len(got) != 5 {
		t.Errorf("%d orphans: %v", len(got), got)
	}
	if b := got["unsure"].Binding; b == nil || !b.Unsure || got["shell"].Binding != nil {
		t.Errorf("bindings: %+v %+v", b, got["shell"].Binding)
	}
	for id := range got {
		w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: id, Instance: other.inst, At: at(30)}))
	}
	for _, id := range []panes.TerminalID{"live", "unsure", "claimed"} {
		w.wantState(id, exited)
		if !w.candidates()[id] {
			t.Errorf("%s is no candidate", id)
		}
		if w.told(id)["sweep"] != 1 {
			t.Errorf("ledger of %s: %v", id, w.told(id))
		}
	}
	w.wantState("sure", sure)
	w.wantState("mine", resuming)
	w.wantState("stamped", disposed)
	for id, want := range map[panes.TerminalID]agent.TerminalStatus{
		"live": agent.TerminalExit, "shell": agent.TerminalExit, "stamped": agent.TerminalDisposed, "claimed": agent.TerminalExit,
	} {
		if record, _ := w.show(id); record.Status != want {
			t.Errorf("%s is %s, want %s", id, record.Status, want)
		}
	}
	if b := w.binding("unsure"); !b.Ended.Equal(at(10)) {
		t.Errorf("ended_at moved to %v", b.Ended)
	}
	if dead := w.deadOnes(); len(dead) != 0 {
		t.Errorf("still dead after the sweep: %v", dead)
	}
}

func TestSweepLeavesOthersAlone(t *testing.T) {
	w := newWorld(t)
	w.begin("live", "s1")
	w.begin("unsure", "s2")
	w.end("unsure", agent.Detached, true, 10)
	w.dead("claimed", "s3")
	w.claim("claimed")
	other := join(t, w.dir)
	for _, id := range []panes.TerminalID{"live", "unsure", "claimed"} {
		before, _ := w.show(id)
		w.must(other.Sweep(w.ctx, agent.SweepRequest{Terminal: id, Instance: other.inst, At: at(30)}))
		if after, _ := w.show(id); after.Status != before.Status {
			t.Errorf("%s became %s", id, after.Status)
		}
	}
	w.wantState("live", live)
	w.wantState("unsure", unsure)
	w.wantState("claimed", resuming)
}

// [P8] A person's end of what a swept instance left makes it an orphan again: its
// process may have outlived its pty.
func TestDisposeAfterTheSweep(t *testing.T) {
	w := newWorld(t)
	other := join(t, w.dir)
	other.dead("a", "s1")
	other.dead("twin", "s1")
	other.die()
	if dead := w.deadOnes(); len(dead) != 0 {
		t.Fatalf("nothing is left, and yet: %v", dead)
	}
	w.resume("a", "b")
	if ended := must(w.Dispose(w.ctx, "b", at(40)))(t); len(ended) != 2 || ended[1].ID != "twin" {
		t.Fatalf("to be ended: %v", ended)
	}
	if dead := w.deadOnes(); len(dead) != 1 {
		t.Fatalf("dead: %v", dead)
	}
	if got := w.orphans(other.inst); len(got) != 1 || got["twin"].Binding.Reason != agent.Disposed {
		t.Fatalf("orphans: %v", got)
	}
	w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: "twin", Instance: other.inst, At: at(41)}))
	if dead := w.deadOnes(); len(dead) != 0 {
		t.Errorf("still: %v", dead)
	}
	w.wantState("twin", disposed)
}

func TestCloseLeaves(t *testing.T) {
	w := newWorld(t)
	clean, untidy := join(t, w.dir), join(t, w.dir)
	clean.dead("a", "s1")
	untidy.begin("b", "s2")
	must(untidy.OpenWorkspace(w.ctx, "x", w.dir, untidy.inst))(t)
	w.must(clean.Close())
	w.must(untidy.Close())
	if _, err := os.Stat(filepath.Join(w.dir, "instances", string(clean.inst)+".lock")); err == nil {
		t.Error("an instance that left nothing leaves its lock file")
	}
	if dead := w.deadOnes(); len(dead) != 1 || dead[0] != untidy.inst {
		t.Errorf("dead: %v, want the one that left a terminal", dead)
	}
	w.wantState("b", live)
	if all := must(w.Workspaces(w.ctx))(t); len(all) != 1 || all[0].Owner != "" {
		t.Errorf("workspaces: %+v", all)
	}
}

func TestRegisterTwice(t *testing.T) {
	w := newWorld(t)
	again, err := w.Register(w.ctx, "test")
	if err != nil || again != w.inst {
		t.Errorf("%s %v, want %s", again, err, w.inst)
	}
}

// The version changes with what this handle, another one and another process write,
// and with nothing else.
func TestVersion(t *testing.T) {
	w := newWorld(t)
	other := join(t, w.dir)
	ws, err := w.OpenWorkspace(w.ctx, "x", "/", w.inst)
	w.must(err)
	last := agent.Version{}
	changed := func(what string, want bool) {
		t.Helper()
		v, err := w.Version(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if got := v != last; got != want {
			t.Errorf("%s: changed %v, want %v", what, got, want)
		}
		last = v
	}
	changed("the first", true)
	changed("nothing happened", false)
	w.begin("own", "session")
	changed("this handle wrote", true)
	if _, err := w.Pane(w.ctx, "pane"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.Dead(w.ctx); err != nil {
		t.Fatal(err)
	}
	changed("somebody read", false)
	w.must(w.SaveLayout(w.ctx, ws.Name, w.inst, []byte("{}")))
	w.must(w.MarkUsed(w.ctx, ws.Name, w.inst, "pane", time.Now()))
	w.must(w.Prune(w.ctx, at(0)))
	changed("the layout was saved, the focus went elsewhere, the past was forgotten", false)
	other.begin("other", "session of another")
	changed("another handle wrote", true)
	changed("nothing happened since", false)
}
