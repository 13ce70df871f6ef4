package db_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

func TestClaimGivesTheWholeCandidate(t *testing.T) {
	w := newWorld(t)
	want, b := w.record("t"), bind("t", "s1")
	b.Prompted, b.LastEvent, b.LastEventAt = true, "prompt", at(3)
	w.must(w.Begin(w.ctx, want, &b))
	must(w.GateOpened(w.ctx, "t"))(t)
	exit := panes.Exit{Status: 129, Signal: 1}
	must(w.End(w.ctx, agent.Ending{
		Terminal: "t", At: at(10), Exit: &exit, Asked: agent.TerminalExited, Attempts: 1, FirstDeath: at(10), NextAttempt: at(11),
	}))(t)
	got, ok, err := w.Claim(w.ctx, w.ref("t"))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	want.GateOpen, want.Status, want.Ended, want.Exit = true, agent.TerminalExit, at(10), &exit
	b.Ended, b.Reason, b.Owner, b.Token, b.ClaimedAt = at(10), agent.Resuming, w.inst, "token-t", at(20)
	b.Attempts, b.FirstDeath, b.NextAttempt = 1, at(10), at(11)
	if diff := cmp.Diff(agent.Candidate{Binding: b, Record: want}, got); diff != "" {
		t.Error(diff)
	}
	if w.told("t")["claim"] != 1 {
		t.Errorf("ledger: %v", w.told("t"))
	}
}

func TestClaimOnce(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	if !w.claim("t") {
		t.Fatal("no candidate")
	}
	again := w.ref("t")
	again.Token = "other"
	if _, ok, err := w.Claim(w.ctx, again); ok || err != nil {
		t.Errorf("claimed twice: %v %v", ok, err)
	}
	if got := w.binding("t").Token; got != "token-t" {
		t.Errorf("token is %q", got)
	}
	if n := w.told("t"); n["lost"] != 1 || n["claim"] != 1 {
		t.Errorf("ledger: %v", n)
	}
	if _, ok, err := w.Claim(w.ctx, w.ref("nobody")); ok || err != nil {
		t.Errorf("claim of an unknown terminal: %v %v", ok, err)
	}
}

// Claim, list and Pane agree on who is a candidate.
func TestPredicate(t *testing.T) {
	valid := strings.Repeat("a", 128)
	cases := map[string]struct {
		session agent.SessionID
		spoil   string // a change behind the methods' back, of terminal t
		want    bool
	}{
		"plain":             {session: "5f1c3e6a-0000-4000-8000-000000000001", want: true},
		"all characters":    {session: "Az09._:-", want: true},
		"longest":           {session: agent.SessionID(valid), want: true},
		"no session":        {session: ""},
		"too long":          {session: agent.SessionID(valid + "a")},
		"an option":         {session: "-rf"},
		"a hidden file":     {session: ".x"},
		"a path":            {session: "a/b"},
		"a space":           {session: "a b"},
		"a newline":         {session: "a\n"},
		"a NUL":             {session: "a\x00-"},
		"not ASCII":         {session: "é"},
		"a bracket":         {session: "a]b"},
		"a caret":           {session: "a^b"},
		"dispose requested": {session: "s", spoil: `UPDATE terminals SET dispose_requested_at = 1 WHERE id = 't'`},
		"dispose fulfilled": {session: "s", spoil: `UPDATE terminals SET dispose_requested_at = 1, status = 'disposed' WHERE id = 't'`},
		"first failed":      {session: "s", spoil: `UPDATE bindings SET first_failed = 1 WHERE terminal_id = 't'`},
		"live":              {session: "s", spoil: `UPDATE bindings SET end_reason = NULL, ended_at = NULL WHERE terminal_id = 't'`},
		"detached":          {session: "s", spoil: `UPDATE bindings SET end_reason = 'detached' WHERE terminal_id = 't'`},
		"unsure":            {session: "s", spoil: `UPDATE bindings SET end_reason = 'detached', unsure = 1 WHERE terminal_id = 't'`},
		"disposed":          {session: "s", spoil: `UPDATE bindings SET end_reason = 'disposed' WHERE terminal_id = 't'`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.want != c.session.Valid() && c.spoil == "" {
				t.Fatalf("the case disagrees with SessionID.Valid")
			}
			w := newWorld(t)
			w.dead("t", c.session)
			if c.spoil != "" {
				w.must(db.Exec(w.ctx, w.DB, c.spoil))
			}
			pane := must(w.Pane(w.ctx, "pane-t"))(t)
			if pane.Candidate != c.want || w.candidates()["t"] != c.want || w.claim("t") != c.want {
				t.Errorf("candidate: want %v; Pane says %v, list %v", c.want, pane.Candidate, w.candidates()["t"])
			}
		})
	}
}

// The uniqueness clause.
func TestOneOfASession(t *testing.T) {
	w := newWorld(t)
	w.dead("a", "s1")
	w.dead("b", "s1")
	if n := w.candidates(); !n["a"] || !n["b"] {
		t.Fatalf("candidates: %v", n)
	}
	if !w.claim("a") || w.claim("b") {
		t.Error("two dead terminals of one session: not exactly one was claimed")
	}
	pane := must(w.Pane(w.ctx, "pane-b"))(t)
	if pane.Candidate || pane.HeldBy == nil || pane.HeldBy.Terminal.ID != "a" || pane.HeldBy.Reason != agent.Resuming {
		t.Errorf("pane b: %+v", pane)
	}
	w.confirm("a", "a2")
	if w.claim("b") {
		t.Error("claimed while its twin's successor lives")
	}
	pane = must(w.Pane(w.ctx, "pane-b"))(t)
	if pane.HeldBy == nil || pane.HeldBy.Terminal.ID != "a2" || pane.HeldBy.Reason != agent.Live {
		t.Errorf("pane b: %+v", pane.HeldBy)
	}
	if pane = must(w.Pane(w.ctx, "pane-a"))(t); pane.HeldBy != nil {
		t.Errorf("the holder holds it against itself: %+v", pane.HeldBy)
	}
	must(w.GateOpened(w.ctx, "a2"))(t)
	w.end("a2", agent.TerminalExited, false, 40)
	if !w.claim("b") {
		t.Error("no claim after the twin died")
	}
}

func TestConfirm(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.claim("t")
	c := w.confirmation("t", "next")
	c.Binding.Attempts = 2
	if !must(w.Confirm(w.ctx, c))(t) {
		t.Fatal("claim is gone")
	}
	old := w.binding("t")
	if old.Reason != agent.Resumed || old.Successor != "next" {
		t.Errorf("old: %+v", old)
	}
	record, b := w.show("next")
	want := bind("next", "s1")
	want.Predecessor, want.Attempts = "t", 2
	if diff := cmp.Diff(want, b); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(c.Successor, record); diff != "" {
		t.Error(diff)
	}
	if got := must(w.Outcome(w.ctx, c.Claim))(t); got != agent.ClaimConfirmed {
		t.Errorf("outcome %v", got)
	}
	if again, err := w.Confirm(w.ctx, c); again || err != nil {
		t.Errorf("confirmed twice: %v %v", again, err)
	}
}

func TestConfirmRefuses(t *testing.T) {
	cases := map[string]func(*world, *agent.Confirmation){
		"ended by a person": func(w *world, _ *agent.Confirmation) { must(w.Dispose(w.ctx, "t", at(30)))(w) },
		"given back":        func(w *world, _ *agent.Confirmation) { w.must(w.Unclaim(w.ctx, w.ref("t"), "test")) },
		"another token":     func(_ *world, c *agent.Confirmation) { c.Claim.Token = "other" },
		"claimed anew": func(w *world, c *agent.Confirmation) {
			w.must(w.Unclaim(w.ctx, w.ref("t"), "test"))
			r := w.ref("t")
			r.Token = "second"
			if _, ok, err := w.Claim(w.ctx, r); !ok || err != nil {
				w.Fatal(ok, err)
			}
		},
	}
	for name, meanwhile := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.dead("t", "s1")
			w.claim("t")
			c := w.confirmation("t", "next")
			meanwhile(w, &c)
			before := w.reason("t")
			if ok, err := w.Confirm(w.ctx, c); ok || err != nil {
				t.Errorf("confirmed: %v %v", ok, err)
			}
			w.wantReason("t", before)
			if _, _, err := db.Look(w.ctx, w.DB, "next"); !errors.Is(err, db.ErrNoTerminal) {
				t.Errorf("a successor is recorded: %v", err)
			}
			if got := must(w.Outcome(w.ctx, c.Claim))(t); got != agent.ClaimLost {
				t.Errorf("outcome %v", got)
			}
		})
	}
}

// A successor that cannot be recorded leaves the claim as it was.
func TestConfirmIsOneTransaction(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.begin("taken", "s2")
	w.claim("t")
	c := w.confirmation("t", "taken")
	if ok, err := w.Confirm(w.ctx, c); ok || err == nil {
		t.Fatalf("%v %v", ok, err)
	}
	w.wantReason("t", agent.Resuming)
	if got := must(w.Outcome(w.ctx, c.Claim))(t); got != agent.ClaimHeld {
		t.Errorf("outcome %v", got)
	}
}

func TestUnclaim(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.claim("t")
	wrong := w.ref("t")
	wrong.Token = "other"
	w.must(w.Unclaim(w.ctx, wrong, "test"))
	w.wantReason("t", agent.Resuming)
	w.must(w.Unclaim(w.ctx, w.ref("t"), "launch failed"))
	w.wantReason("t", agent.TerminalExited)
	if w.told("t")["unclaim"] != 1 {
		t.Errorf("ledger: %v", w.told("t"))
	}
	if !w.claim("t") {
		t.Error("no candidate again")
	}
	must(w.Dispose(w.ctx, "t", at(30)))(t)
	w.must(w.Unclaim(w.ctx, w.ref("t"), "test"))
	w.wantReason("t", agent.Disposed)

	w.dead("u", "s2")
	w.resume("u", "next")
	w.must(w.Unclaim(w.ctx, w.ref("u"), "test"))
	w.wantReason("u", agent.Resumed)
}

func TestHolders(t *testing.T) {
	w := newWorld(t)
	must(w.OpenWorkspace(w.ctx, "api", w.dir, w.inst))(t)
	w.dead("a", "s1")
	w.resume("a", "b")
	w.begin("c", "s2")
	got := must(w.Holders(w.ctx, agent.Identity{Kind: "claude", Home: "/home/.claude", Session: "s1"}))(t)
	if len(got) != 2 || got[0].Terminal.ID != "b" || got[0].Reason != agent.Live ||
		got[1].Terminal.ID != "a" || got[1].Reason != agent.Resumed || got[0].Workspace != "api" || got[0].Kept || got[1].Kept {
		t.Errorf("%+v", got)
	}
	w.dead("d", "s3")
	w.begin("e", "s4")
	w.end("e", agent.Detached, true, 10)
	w.begin("f", "s5")
	w.end("f", agent.Detached, false, 10)
	for session, kept := range map[agent.SessionID]bool{"s3": true, "s4": true, "s5": false} {
		if got := must(w.Holders(w.ctx, agent.Identity{Kind: "claude", Home: "/home/.claude", Session: session}))(t); len(got) != 1 || got[0].Kept != kept {
			t.Errorf("%s: %+v, kept: want %v", session, got, kept)
		}
	}
	w.must(w.Dismiss(w.ctx, "d", at(11)))
	if got := must(w.Holders(w.ctx, agent.Identity{Kind: "claude", Home: "/home/.claude", Session: "s3"}))(t); !got[0].Dismissed || !got[0].Kept {
		t.Errorf("dismissed: %+v", got)
	}
	if other := must(w.Holders(w.ctx, agent.Identity{Kind: "codex", Home: "/home/.claude", Session: "s1"}))(t); len(other) != 0 {
		t.Errorf("another kind's: %+v", other)
	}
}

// [P2]
func TestRepointFollowsAnyChain(t *testing.T) {
	w := newWorld(t)
	w.dead("t0", "s1")
	const long = 60
	for i := range long {
		from, to := panes.TerminalID(fmt.Sprintf("t%d", i)), panes.TerminalID(fmt.Sprintf("t%d", i+1))
		w.resume(from, to)
		w.end(to, agent.TerminalExited, false, 30)
	}
	end := panes.TerminalID(fmt.Sprintf("t%d", long))
	if got := must(w.Pane(w.ctx, "pane-t0"))(t); got.Terminal == nil || got.Terminal.ID != end || !got.Candidate {
		t.Fatalf("the pane leads to %+v", got.Terminal)
	}
	w.dead("elsewhere", "s2")
	if must(w.Repoint(w.ctx, "pane-elsewhere", end))(t) {
		t.Error("a pane that points elsewhere was moved")
	}
	if must(w.Repoint(w.ctx, "pane-t0", "elsewhere"))(t) {
		t.Error("moved to a terminal outside of the chain")
	}
	if !must(w.Repoint(w.ctx, "pane-t0", "t7"))(t) || !must(w.Repoint(w.ctx, "pane-t0", end))(t) {
		t.Error("not moved along the chain")
	}
	if !must(w.Repoint(w.ctx, "pane-t0", end))(t) {
		t.Error("a pane that is there already is refused")
	}
	if must(w.Repoint(w.ctx, "pane-t0", "t7"))(t) {
		t.Error("moved backwards")
	}
	w.must(w.ForgetPane(w.ctx, "pane-t0"))
	if must(w.Repoint(w.ctx, "pane-t0", end))(t) {
		t.Error("a closed pane was moved")
	}
	if got := must(w.Pane(w.ctx, "pane-t0"))(t); got.Terminal != nil {
		t.Errorf("a closed pane leads to %+v", got.Terminal)
	}
}

// A pane made for the result of a resume gets its pointer with the confirmation.
func TestConfirmInANewPane(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	w.claim("t")
	c := w.confirmation("t", "next")
	c.Successor.Pane = "new"
	must(w.Confirm(w.ctx, c))(t)
	if !must(w.Repoint(w.ctx, "new", "next"))(t) {
		t.Error("the new pane was not pointed at the successor")
	}
}

func TestBeginMovesThePointer(t *testing.T) {
	w := newWorld(t)
	w.dead("t", "s1")
	shell := w.record("sh")
	shell.Pane = "pane-t"
	w.must(w.Begin(w.ctx, shell, nil))
	got := must(w.Pane(w.ctx, "pane-t"))(t)
	if got.Terminal == nil || got.Terminal.ID != "sh" || got.Binding != nil || got.Candidate || got.HeldBy != nil {
		t.Errorf("%+v", got)
	}
	if !w.candidates()["t"] {
		t.Error("the candidate is gone with its pane")
	}
}
