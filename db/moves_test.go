package db_test

import (
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// state is what a binding is: a row of the table of moves (resume.md §3).
type state struct {
	reason agent.EndReason
	unsure bool
}

var (
	live     = state{agent.Live, false}
	unsure   = state{agent.Detached, true}
	sure     = state{agent.Detached, false}
	exited   = state{agent.TerminalExited, false}
	resuming = state{agent.Resuming, false}
	resumed  = state{agent.Resumed, false}
	disposed = state{agent.Disposed, false}
)

var states = []state{live, unsure, sure, exited, resuming, resumed, disposed}

// put brings terminal "t" of a new world into a state, by moves.
func put(t *testing.T, s state) *world {
	t.Helper()
	w := newWorld(t)
	w.begin("t", "s1")
	switch s {
	case unsure, sure, exited:
		w.end("t", s.reason, s.unsure, 10)
	case resuming:
		w.end("t", agent.TerminalExited, false, 10)
		w.claim("t")
	case resumed:
		w.end("t", agent.TerminalExited, false, 10)
		w.resume("t", "next")
	case disposed:
		must(w.Dispose(w.ctx, "t", at(10)))(t)
	}
	w.wantState("t", s)
	return w
}

func (w *world) wantState(id panes.TerminalID, s state) {
	w.Helper()
	if b := w.binding(id); b.Reason != s.reason || b.Unsure != s.unsure {
		w.Errorf("%s is %q (unsure %v), want %q (unsure %v)", id, b.Reason, b.Unsure, s.reason, s.unsure)
	}
}

// asks are the ways to ask, by the columns of the table. The waiter of a process
// is one way to ask for terminal-exited, look-back and sweep are another.
var asks = map[string]func(*world){
	"detached sure, by status": func(w *world) { w.end("t", agent.Detached, false, 30) },
	"detached sure, by hook":   func(w *world) { w.hook(event("t", "goodbye", 30)) },
	"detached sure, settled":   func(w *world) { must(w.Settle(w.ctx, "t", at(30)))(w) },
	"detached unsure":          func(w *world) { w.end("t", agent.Detached, true, 30) },
	"exited":                   func(w *world) { w.end("t", agent.TerminalExited, false, 30) },
	"exited, by look-back":     func(w *world) { must(w.Unsettle(w.ctx, w.inst, at(30)))(w) },
	"exited, by sweep": func(w *world) {
		w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: "t", Instance: w.inst, At: at(30)}))
	},
	"disposed": func(w *world) { must(w.Dispose(w.ctx, "t", at(30)))(w) },
}

// table is resume.md §3, cell by cell; a state that is not named refuses.
var table = map[string]map[state]state{
	"detached sure, by status": {live: sure, unsure: sure},
	"detached sure, by hook":   {live: sure, unsure: sure},
	"detached sure, settled":   {unsure: sure},
	"detached unsure":          {live: unsure},
	"exited":                   {live: exited},
	"exited, by look-back":     {unsure: exited},
	"exited, by sweep":         {live: exited, unsure: exited, resuming: exited}, // resuming: the claim's owner is dead
	"disposed":                 {live: disposed, unsure: disposed, sure: disposed, exited: disposed, resuming: disposed},
}

func TestTableOfMoves(t *testing.T) {
	for name, ask := range asks {
		for _, from := range states {
			t.Run(name+"/"+string(from.reason), func(t *testing.T) {
				t.Parallel()
				w := put(t, from)
				before := w.binding("t")
				ask(w)
				want, moves := table[name][from]
				if !moves {
					want = from
				}
				w.wantState("t", want)
				after := w.binding("t")
				wantEnded := before.Ended
				if from == live && moves {
					wantEnded = at(30)
				}
				if !after.Ended.Equal(wantEnded) {
					t.Errorf("ended at %v, want %v: the first time counts", after.Ended, wantEnded)
				}
			})
		}
	}
}

func TestDisposeFollowsSuccessors(t *testing.T) {
	w := newWorld(t)
	w.dead("a", "s1")
	w.resume("a", "b")
	w.end("b", agent.TerminalExited, false, 30)
	w.resume("b", "c")
	ended := must(w.Dispose(w.ctx, "a", at(40)))(t)
	if len(ended) != 1 || ended[0].ID != "c" || ended[0].Process.PID == 0 {
		t.Fatalf("to be ended: %+v, want c", ended)
	}
	w.wantReason("a", agent.Resumed)
	w.wantReason("b", agent.Resumed)
	w.wantReason("c", agent.Disposed)
	if got, _ := w.show("c"); !got.DisposeRequested.Equal(at(40)) || got.Status != agent.TerminalActive {
		t.Errorf("c: stamped %v, status %s; the stamp comes before any signal", got.DisposeRequested, got.Status)
	}
	if r := w.end("c", agent.TerminalExited, false, 41); r != agent.Disposed {
		t.Errorf("after its end: %q", r)
	}
	if got, _ := w.show("c"); got.Status != agent.TerminalDisposed {
		t.Errorf("after its end the terminal is %s", got.Status)
	}
}

func TestDisposeOfAShell(t *testing.T) {
	w := newWorld(t)
	w.must(w.Begin(w.ctx, w.record("sh"), nil))
	if ended := must(w.Dispose(w.ctx, "sh", at(5)))(t); len(ended) != 1 {
		t.Fatalf("to be ended: %v", ended)
	}
	if gone := must(w.GateOpened(w.ctx, "sh"))(t); !gone {
		t.Error("after its gate opened, the owner is not told of the stamp")
	}
	if _, err := w.Dispose(w.ctx, "nobody", at(5)); err == nil {
		t.Error("dispose of an unknown terminal is not an error")
	}
}

// [P12]
func TestTwinsGetTheSameEnd(t *testing.T) {
	cases := map[string]struct {
		of   state
		ask  string
		want state
	}{
		"dispose live":            {live, "disposed", disposed},
		"dispose resuming":        {resuming, "disposed", disposed},
		"dispose a dead one":      {exited, "disposed", exited},
		"dispose a detached one":  {sure, "disposed", exited},
		"dispose an unsure one":   {unsure, "disposed", exited},
		"sure goodbye by status":  {live, "detached sure, by status", sure},
		"certain hook":            {live, "detached sure, by hook", sure},
		"unsure goodbye":          {live, "detached unsure", exited},
		"unsure one settles":      {unsure, "detached sure, settled", sure},
		"unsure one taken back":   {unsure, "exited, by look-back", exited},
		"goodbye of an ended one": {exited, "detached sure, by status", exited},
		"death":                   {live, "exited", exited},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := put(t, c.of)
			w.dead("twin", "s1")
			w.dead("other", "s2")
			other := w.record("home")
			b := bind("home", "s1")
			b.Home = "/elsewhere"
			w.must(w.Begin(w.ctx, other, &b))
			w.end("home", agent.TerminalExited, false, 10)
			asks[c.ask](w)
			w.wantState("twin", c.want)
			w.wantState("other", exited)
			w.wantState("home", exited)
			if record, _ := w.show("twin"); (c.want == disposed) == record.DisposeRequested.IsZero() {
				t.Errorf("twin is stamped at %v", record.DisposeRequested)
			}
		})
	}
}

// [P11]
func TestClosedGateIsNoGoodbye(t *testing.T) {
	for _, vague := range []bool{false, true} {
		w := newWorld(t)
		b := bind("t", "s1")
		w.must(w.Begin(w.ctx, w.record("t"), &b))
		if r := w.end("t", agent.Detached, vague, 10); r != agent.TerminalExited {
			t.Errorf("never let run, and ended as %q", r)
		}
		w.wantState("t", exited)
	}
}

func TestEndWritesWhatGoesWithTheMove(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	e := agent.Ending{
		Terminal: "t", At: at(10), Exit: &panes.Exit{Status: 137, Signal: 9}, Asked: agent.TerminalExited,
		Attempts: 2, FirstDeath: at(4), NextAttempt: at(15), Why: "killed",
	}
	must(w.End(w.ctx, e))(t)
	record, b := w.show("t")
	if b.Attempts != 2 || !b.FirstDeath.Equal(at(4)) || !b.NextAttempt.Equal(at(15)) || b.FirstFailed {
		t.Errorf("binding: %+v", b)
	}
	if record.Exit == nil || *record.Exit != *e.Exit || !record.Ended.Equal(at(10)) || record.Status != agent.TerminalExit {
		t.Errorf("terminal: %+v", record)
	}
	if w.told("t")["early-death"] != 1 {
		t.Errorf("ledger: %v", w.told("t"))
	}
	// A second report of the same end changes nothing.
	e.Attempts, e.At, e.Exit = 3, at(20), &panes.Exit{}
	must(w.End(w.ctx, e))(t)
	if record, b = w.show("t"); b.Attempts != 2 || record.Exit.Signal != 9 || !record.Ended.Equal(at(10)) {
		t.Errorf("after a second report: %+v %+v", record, b)
	}
	if _, err := w.End(w.ctx, agent.Ending{Terminal: "nobody", At: at(1)}); err == nil {
		t.Error("end of an unknown terminal is not an error")
	}
	w.must(w.Proven(w.ctx, "t"))
	if b := w.binding("t"); b.Attempts != 0 || !b.FirstDeath.IsZero() || !b.NextAttempt.IsZero() {
		t.Errorf("proven: %+v", b)
	}
}

func TestFirstFailedIsNoCandidate(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	must(w.End(w.ctx, agent.Ending{Terminal: "t", At: at(1), Asked: agent.TerminalExited, FirstFailed: true}))(t)
	if !w.binding("t").FirstFailed || w.candidates()["t"] || w.claim("t") {
		t.Error("a first launch that failed is a candidate")
	}
}

func TestUnsettleIsOfTheOwnerOnly(t *testing.T) {
	w := newWorld(t)
	other := join(t, w.dir)
	for _, id := range []panes.TerminalID{"a", "b"} {
		w.begin(id, agent.SessionID(id))
		w.end(id, agent.Detached, true, 10)
	}
	other.begin("c", "c")
	other.end("c", agent.Detached, true, 10)
	if n := must(w.Unsettle(w.ctx, w.inst, at(11)))(t); n != 2 {
		t.Errorf("took back %d, want 2", n)
	}
	w.wantState("a", exited)
	w.wantState("c", unsure)
	if w.told("a")["exit"] != 1 {
		t.Errorf("ledger: %v", w.told("a"))
	}
}

func TestDismiss(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.must(w.Dismiss(w.ctx, "t", at(12)))
	if b := w.binding("t"); !b.Dismissed.Equal(at(12)) {
		t.Errorf("dismissed at %v", b.Dismissed)
	}
	if !w.candidates()["t"] {
		t.Error("a dismissed session is a candidate still: dismissal is policy")
	}
	w.must(w.Dismiss(w.ctx, "t", time.Time{}))
	if b := w.binding("t"); !b.Dismissed.IsZero() {
		t.Errorf("still dismissed at %v", b.Dismissed)
	}
}
