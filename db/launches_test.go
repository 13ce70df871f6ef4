package db_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// Which session an agent has by its own word is told as long as it runs, and until a
// person says another.
func TestTold(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	told := func(when string, nonce string, want agent.SessionID) {
		t.Helper()
		p, got, err := w.Told(w.ctx, nonce)
		if err != nil || got != want || (p.PID == 0) != (want == "") {
			t.Errorf("%s: %q of %+v, %v, want %q", when, got, p, err, want)
		}
	}
	told("preset", "nonce-t", "")
	e := event("t", "rebind", 2)
	e.Session = "s2"
	w.hook(e)
	told("told", "nonce-t", "s2")
	told("without a nonce", "", "")
	told("of another launch", "other", "")
	w.pin("t", "s3", 3)
	told("pinned", "nonce-t", "")
	e.FiredAt, e.Session = at(4), "s4"
	w.hook(e)
	told("told again", "nonce-t", "s4")
	back := event("t", "rebind", 5)
	back.Session = "s1"
	w.must(db.RecordHook(w.ctx, w.dir, back))
	told("it has gone back, which is not taken in yet", "nonce-t", "")
	must(w.ApplyHooks(w.ctx, w.inst))(t)
	told("taken in", "nonce-t", "s1")
	w.end("t", agent.TerminalExited, false, 10)
	told("ended", "nonce-t", "")
}

func TestOrigin(t *testing.T) {
	w := newWorld(t)
	id := agent.Identity{Kind: "claude", Home: "/home/.claude", Session: "s-1"}
	if _, found, err := w.Origin(w.ctx, id); found || err != nil {
		t.Errorf("none: %v, %v", found, err)
	}
	w.dead("t-1", "s-1")
	term, b := w.record("t-2"), bind("t-2", "s-1")
	b.Started, b.Flags = at(30), []string{"--model", "y"}
	w.must(w.Begin(w.ctx, term, &b))
	o, found, err := w.Origin(w.ctx, id)
	if d := cmp.Diff(b.Origin, o); d != "" || !found || err != nil {
		t.Errorf("%v, %v: %s", found, err, d)
	}
}

// A session that lives, or is being resumed, is not begun once more; in whatever other
// state it is.
func TestBeginSole(t *testing.T) {
	for name, c := range map[string]struct {
		before func(w *world)
		ok     bool
	}{
		"never held": {func(*world) {}, true},
		"lives":      {func(w *world) { w.begin("t-1", "s-1") }, false},
		"candidate":  {func(w *world) { w.dead("t-1", "s-1") }, true},
		"claimed":    {func(w *world) { w.dead("t-1", "s-1"); w.claim("t-1") }, false},
		"resumed":    {func(w *world) { w.dead("t-1", "s-1"); w.resume("t-1", "t-2") }, false},
		"quit":       {func(w *world) { w.begin("t-1", "s-1"); w.end("t-1", agent.Detached, false, 5) }, true},
		"another":    {func(w *world) { w.begin("t-1", "s-2") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.before(w)
			term, b := w.record("t-9"), bind("t-9", "s-1")
			ok, err := w.BeginSole(w.ctx, term, b)
			w.must(err)
			if ok != c.ok {
				t.Errorf("%v, want %v", ok, c.ok)
			}
			rec, err := w.Pane(w.ctx, term.Pane)
			w.must(err)
			if (rec.Terminal != nil) != c.ok {
				t.Errorf("recorded: %+v", rec)
			}
			if c.ok && w.claim("t-1") {
				t.Error("it lives, and a candidate of it was claimed")
			}
		})
	}
}

// Of many that begin one session at once, through connections of their own, one does.
func TestBeginSoleRace(t *testing.T) {
	w := newWorld(t)
	var wg sync.WaitGroup
	var n atomic.Int32
	for i := range 8 {
		id := panes.TerminalID("t-" + string(rune('a'+i)))
		term, b := w.record(id), bind(id, "s-1")
		d := w.DB
		if i%2 == 1 {
			d = join(t, w.dir).DB
		}
		wg.Go(func() {
			ok, err := d.BeginSole(w.ctx, term, b)
			if err != nil {
				t.Error(err)
			}
			if ok {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	if n.Load() != 1 {
		t.Errorf("%d began", n.Load())
	}
}
