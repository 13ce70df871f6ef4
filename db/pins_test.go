package db_test

import (
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

func (w *world) pin(id panes.TerminalID, s agent.SessionID, second float64) agent.PinOutcome {
	w.Helper()
	return must(w.Pin(w.ctx, agent.PinRequest{Terminal: id, Session: s, Prompted: true, At: at(second)}))(w)
}

func (w *world) unpin(id panes.TerminalID) agent.PinOutcome {
	w.Helper()
	return must(w.Unpin(w.ctx, agent.PinRequest{Terminal: id, At: at(40)}))(w)
}

// What a person says can be taken back, as it was before they said it first.
func TestPinAndUnpin(t *testing.T) {
	for _, before := range []agent.SessionID{"", "s1"} {
		w := newWorld(t)
		w.begin("t", before)
		for _, s := range []agent.SessionID{"s2", "s3"} {
			if out := w.pin("t", s, 20); !out.Done || out.Session != s {
				t.Fatalf("%+v", out)
			}
		}
		if b := w.binding("t"); b.Session != "s3" || !b.Pinned || b.BeforePin != before || !b.Prompted {
			t.Errorf("pinned: %+v", b)
		}
		if out := w.unpin("t"); !out.Done || out.Session != before {
			t.Errorf("%+v", out)
		}
		if b := w.binding("t"); b.Session != before || b.Pinned || b.BeforePin != "" || b.Prompted {
			t.Errorf("unpinned: %+v", b)
		}
		if out := w.unpin("t"); out.Done {
			t.Errorf("unpinned twice: %+v", out)
		}
		if n := w.told("t"); n["pin"] != 2 || n["unpin"] != 1 {
			t.Errorf("ledger: %v", n)
		}
	}
}

// A session that is open in another terminal, or is just being brought back there, is
// nobody else's; one that is only dead there is.
func TestPinIsExclusive(t *testing.T) {
	for name, put := range map[string]func(w *world){
		"open":     func(w *world) { w.begin("other", "s1") },
		"resuming": func(w *world) { w.dead("other", "s1"); w.claim("other") },
		"resumed":  func(w *world) { w.dead("gone", "s1"); w.resume("gone", "other") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			put(w)
			w.begin("t", "s2")
			if out := w.pin("t", "s1", 30); out.Done || out.Held == nil || out.Held.Terminal.ID != "other" {
				t.Errorf("%+v", out)
			}
			// Nor is it taken back by way of a pin.
			w.begin("u", "s3")
			w.pin("u", "s4", 30)
			w.must(db.Exec(w.ctx, w.DB, `UPDATE bindings SET before_pin = 's1' WHERE terminal_id = 'u'`))
			if out := w.unpin("u"); out.Done || out.Held == nil || out.Held.Terminal.ID != "other" {
				t.Errorf("taken back: %+v", out)
			}
			if got := w.binding("u").Session; got != "s4" {
				t.Errorf("taken back: session %s", got)
			}
		})
	}
	w := newWorld(t)
	w.dead("other", "s1")
	w.begin("t", "s2")
	if out := w.pin("t", "s1", 30); !out.Done {
		t.Errorf("%+v", out)
	}
	if w.claim("other") {
		t.Error("two terminals have one session")
	}
}

// What died without a known session is a candidate by a pin; what a person ended, or
// was resumed already, is none.
func TestPinOfWhatHasEnded(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "")
	must(w.End(w.ctx, agent.Ending{Terminal: "t", At: at(10), Asked: agent.TerminalExited, FirstFailed: true, Attempts: 4}))(t)
	w.must(w.Dismiss(w.ctx, "t", at(11)))
	w.pin("t", "s1", 20)
	if b := w.binding("t"); b.FirstFailed || b.Attempts != 0 || !b.Dismissed.IsZero() || !w.candidates()["t"] {
		t.Errorf("%+v", b)
	}
	w.resume("t", "next")
	if b := w.binding("next"); b.Session != "s1" || b.Pinned {
		t.Errorf("resumed: %+v", b)
	}
	w.begin("quit", "s2")
	w.end("quit", agent.Detached, false, 10)
	w.begin("ended", "s3")
	must(w.Dispose(w.ctx, "ended", at(10)))(t)
	for _, id := range []panes.TerminalID{"t", "quit", "ended", "none"} {
		if out := w.pin(id, "s9", 30); out.Done || out.Held != nil {
			t.Errorf("%s: %+v", id, out)
		}
	}
}

// Only the agent's own later word of another session takes a pin's place.
func TestPinAndHooks(t *testing.T) {
	w := newWorld(t, db.Options{Kinds: kinds{"claude": 1}})
	w.begin("t", "")
	w.pin("t", "s1", 20)
	say := func(what agent.HookWhat, s agent.SessionID, second float64) agent.Binding {
		e := event("t", "", second)
		e.What, e.Session = what, s
		w.hook(e)
		return w.binding("t")
	}
	if b := say(agent.HookStart, "s2", 19); b.Session != "s1" || !b.Pinned {
		t.Errorf("a hook of before: %+v", b)
	}
	w.begin("u", "")
	w.pin("u", "u1", 20)
	e := event("u", "", 21)
	e.What, e.Session = agent.HookStop, "u2" // as codex tells of its hidden thread
	w.hook(e)
	if b := w.binding("u"); b.Session != "u1" || !b.Pinned {
		t.Errorf("neither a start nor spoken to: %+v", b)
	}
	if b := say(agent.HookStart, "s3", 30); b.Session != "s3" || b.Pinned || b.BeforePin != "" {
		t.Errorf("/clear: %+v", b)
	}
	if out := w.unpin("t"); out.Done {
		t.Errorf("taken back after the agent's own word: %+v", out)
	}
}
