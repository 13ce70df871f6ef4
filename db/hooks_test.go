package db_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/db"
)

func TestHookMovesALiveBinding(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "")
	rebind := event("t", "rebind", 1)
	rebind.Session = "s1"
	applied := w.hook(rebind, event("t", "prompted", 2), event("t", "", 3))
	if len(applied) != 3 || applied[0].Verdict.Rebind != "s1" || applied[0].Event.Nonce != "nonce-t" {
		t.Fatalf("applied: %+v", applied)
	}
	b := w.binding("t")
	if b.Session != "s1" || !b.Prompted || b.LastEvent != "start" || !b.LastEventAt.Equal(at(3)) {
		t.Errorf("%+v", b)
	}
	cleared := event("t", "clear", 4)
	cleared.Session = "s2"
	w.hook(cleared)
	if b = w.binding("t"); b.Session != "s2" || b.Prompted {
		t.Errorf("after /clear: %+v", b)
	}
	if left, _ := db.Count(w.ctx, w.DB, `SELECT count(*) FROM hook_events`); left != 0 {
		t.Errorf("%d events are left", left)
	}
	if n := w.told("t")["hook"]; n != 3 {
		t.Errorf("the ledger tells %d hooks: want first id, prompt and /clear, no mere sign of life", n)
	}
}

func TestPromptEndsTheRowOfEarlyDeaths(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	must(w.End(w.ctx, agent.Ending{
		Terminal: "t", At: at(1), Asked: agent.TerminalExited, Attempts: 2, FirstDeath: at(1), NextAttempt: at(6),
	}))(t)
	w.claim("t")
	c := w.confirmation("t", "next")
	c.Binding.Prompted, c.Binding.FirstDeath, c.Binding.NextAttempt = true, at(1), at(6)
	must(w.Confirm(w.ctx, c))(t)
	e := event("next", "prompted", 30)
	w.hook(e)
	if b := w.binding("next"); b.Attempts != 0 || !b.FirstDeath.IsZero() || !b.NextAttempt.IsZero() {
		t.Errorf("%+v", b)
	}
}

// The order is that of fired_at, not of arrival.
func TestHooksInOrderOfFiring(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s0")
	first, second := event("t", "rebind", 1), event("t", "rebind", 2)
	first.Session, second.Session = "s1", "s2"
	w.hook(second, first)
	if got := w.binding("t").Session; got != "s2" {
		t.Errorf("session %s, want s2", got)
	}
	// Sent by /clear before a message, and it arrived after it.
	prompted, cleared := event("t", "prompted", 2.2), event("t", "clear", 2.1)
	cleared.Session = "s2"
	w.hook(prompted, cleared)
	if !w.binding("t").Prompted {
		t.Error("the message after /clear was forgotten")
	}
	// One that was held up does not take back what a later one said.
	late := event("t", "rebind", 1.5)
	late.Session = "s3"
	w.hook(late)
	if got := w.binding("t").Session; got != "s2" {
		t.Errorf("after a late hook: session %s, want s2", got)
	}
}

// [P3] [P4]
func TestRevival(t *testing.T) {
	reopen := func(second float64) agent.HookEvent { return event("t", "reopen", second) }
	// ended puts the binding in a state while its terminal still runs, as a goodbye
	// of a program that goes on does.
	ended := func(reason string) func(*world) {
		return func(w *world) {
			w.must(db.Exec(w.ctx, w.DB, `UPDATE bindings SET end_reason = ?, ended_at = ? WHERE terminal_id = 't'`, reason, at(10).UnixNano()))
		}
	}
	cases := map[string]struct {
		before func(*world)
		event  agent.HookEvent
		want   agent.EndReason
	}{
		"after a goodbye":            {ended("detached"), reopen(11), agent.Live},
		"after a death report":       {ended("terminal-exited"), reopen(11), agent.Live},
		"fired before the end":       {ended("detached"), reopen(9), agent.Detached},
		"fired at the end":           {ended("detached"), reopen(10), agent.Detached},
		"disposed":                   {ended("disposed"), reopen(11), agent.Disposed},
		"terminal has exited":        {func(w *world) { w.end("t", agent.TerminalExited, false, 10) }, reopen(11), agent.TerminalExited},
		"terminal has exited, quit":  {func(w *world) { w.end("t", agent.Detached, false, 10) }, reopen(11), agent.Detached},
		"claimed":                    {func(w *world) { w.end("t", agent.TerminalExited, false, 10); w.claim("t") }, reopen(30), agent.Resuming},
		"resumed":                    {func(w *world) { w.end("t", agent.TerminalExited, false, 10); w.resume("t", "n") }, reopen(30), agent.Resumed},
		"nonce of another launch":    {ended("detached"), agent.HookEvent{Nonce: "nonce-x", Kind: "claude", What: agent.HookStart, Reason: "reopen", FiredAt: at(11)}, agent.Detached},
		"a person asked for its end": {func(w *world) { must(w.Dispose(w.ctx, "t", at(5)))(w); ended("detached")(w) }, reopen(11), agent.Detached},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.begin("t", "s1")
			c.before(w)
			applied := w.hook(c.event)
			w.wantReason("t", c.want)
			if (len(applied) == 1) != (c.want == agent.Live) {
				t.Errorf("applied: %+v", applied)
			}
			if b := w.binding("t"); (b.Reason == agent.Live) != b.Ended.IsZero() {
				t.Errorf("ended at %v", b.Ended)
			}
		})
	}
}

// Case 9 of resume.md §6: stragglers change nothing.
func TestStragglers(t *testing.T) {
	for _, s := range []state{exited, sure, resuming, resumed, disposed} {
		for _, does := range []string{"", "rebind", "clear", "prompted", "reopen"} {
			t.Run(string(s.reason)+"/"+does, func(t *testing.T) {
				t.Parallel()
				w := put(t, s)
				before := w.binding("t")
				e := event("t", does, 40)
				e.Session = "s9"
				if s == disposed { // put leaves its process running
					w.end("t", agent.TerminalExited, false, 20)
				}
				if applied := w.hook(e); len(applied) != 0 {
					t.Errorf("applied: %+v", applied)
				}
				if diff := cmp.Diff(before, w.binding("t")); diff != "" {
					t.Error(diff)
				}
				if w.told("t")["hook"] != 1 {
					t.Errorf("ledger: %v", w.told("t"))
				}
			})
		}
	}
}

func TestGoodbyeByHook(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	w.hook(event("t", "ignore", 5)) // [P5]: what is not certain is told, and moves nothing
	w.wantState("t", live)
	if applied := w.hook(event("t", "goodbye", 6)); len(applied) != 1 {
		t.Errorf("applied: %+v", applied)
	}
	if b := w.binding("t"); b.Reason != agent.Detached || b.Unsure || !b.Ended.Equal(at(6)) {
		t.Errorf("%+v", b)
	}
	if r := w.end("t", agent.TerminalExited, false, 7); r != agent.Detached {
		t.Errorf("the pty's end after a certain goodbye: %q", r)
	}
	if w.told("t")["hook"] != 2 {
		t.Errorf("ledger: %v", w.told("t"))
	}
}

func TestHooksOfOthers(t *testing.T) {
	w := newWorld(t)
	other, third := join(t, w.dir), join(t, w.dir)
	other.begin("o", "s1")
	third.dead("gone", "s2")
	third.die()
	w.deadOnes() // nothing is left of it: it counts as swept
	w.must(w.Begin(w.ctx, w.record("sh"), nil))
	if applied := w.hook(event("o", "goodbye", 1), event("nobody", "goodbye", 1), event("gone", "goodbye", 1), event("sh", "goodbye", 1)); len(applied) != 0 {
		t.Errorf("applied: %+v", applied)
	}
	w.wantState("o", live)
	w.wantState("gone", exited)
	if left, _ := db.Count(w.ctx, w.DB, `SELECT count(*) FROM hook_events`); left != 1 {
		t.Errorf("%d events wait, want the other living owner's", left)
	}
	// Its owner dies; what it left is applied before its sweep.
	other.die()
	if dead := w.deadOnes(); len(dead) != 1 {
		t.Fatalf("dead: %v", dead)
	}
	if applied := must(w.ApplyHooks(w.ctx, other.inst))(t); len(applied) != 1 {
		t.Errorf("applied: %+v", applied)
	}
	w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: "o", Instance: other.inst, At: at(30)}))
	w.wantState("o", sure)
}

func TestJudgeIsAskedWithTheKindsFacts(t *testing.T) {
	var own []int
	judge := func(e agent.HookEvent, rec agent.Terminal, b agent.Binding, n int) agent.Verdict {
		own = append(own, n)
		if rec.ID != "t" || b.Session != "s1" || e.Depth != 2 {
			t.Errorf("judged with %+v %+v %+v", e, rec, b)
		}
		return agent.Verdict{Rebind: "-not-an-id"}
	}
	w := newWorld(t, db.Options{Judge: judge, Kinds: kinds{"claude": 2}})
	w.begin("t", "s1")
	e := event("t", "", 1)
	e.Depth = 2
	if applied := w.hook(e); len(applied) != 0 {
		t.Errorf("an invalid session id was applied: %+v", applied)
	}
	if len(own) != 1 || own[0] != 2 || w.binding("t").Session != "s1" {
		t.Errorf("own %v, session %s", own, w.binding("t").Session)
	}
}

// The store and agent.Judge together.
func TestHooksAsTheyAreJudged(t *testing.T) {
	w := newWorld(t, db.Options{Kinds: kinds{"claude": 1}})
	w.begin("t", "")
	start, nested, prompt := event("t", "", 1), event("t", "", 2), event("t", "", 3)
	start.Session, nested.Session, prompt.Session = "s1", "s2", "s1"
	nested.Depth, prompt.What = 2, agent.HookPrompt
	w.hook(start, nested, prompt)
	if b := w.binding("t"); b.Session != "s1" || !b.Prompted || b.LastEvent != "prompt" {
		t.Errorf("%+v", b)
	}
	maybe, certain := event("t", "other", 4), event("t", "prompt_input_exit", 5)
	maybe.What, certain.What, certain.Certain = agent.HookGoodbye, agent.HookGoodbye, true
	w.hook(maybe)
	w.wantState("t", live)
	w.hook(certain)
	w.wantState("t", sure)
	again := event("t", "", 6)
	again.Session = "s3"
	w.hook(again) // another session starts in the same process
	if w.wantState("t", live); w.binding("t").Session != "s3" || w.binding("t").Prompted {
		t.Errorf("%+v", w.binding("t"))
	}
}

// kinds is a registry that knows how many processes of its own a kind has.
type kinds map[string]int

func (k kinds) Kind(name string) (agent.Kind, bool) { n, ok := k[name]; return kind{n: n}, ok }
func (k kinds) All() []agent.Kind                   { return nil }

type kind struct {
	agent.Kind
	n int
}

func (k kind) Facts() agent.Facts { return agent.Facts{OwnProcesses: k.n} }

func TestManyHooks(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	const n = 450 // more than two batches
	in := must(db.OpenIntake(w.dir))(t)
	for i := range n {
		w.must(in.Record(w.ctx, event("t", "", float64(i))))
	}
	w.must(in.Close())
	if applied := must(w.ApplyHooks(w.ctx, w.inst))(t); len(applied) != n {
		t.Errorf("%d applied, want %d", len(applied), n)
	}
	if b := w.binding("t"); !b.LastEventAt.Equal(at(n - 1)) {
		t.Errorf("last event at %v", b.LastEventAt)
	}
}

func TestIntakeKnowsTheProcess(t *testing.T) {
	w := newWorld(t)
	want := w.begin("t", "s1").Process
	got, ok, err := db.TerminalByNonce(w.ctx, w.dir, "nonce-t")
	if err != nil || !ok || got != want {
		t.Errorf("%+v %v %v, want %+v", got, ok, err, want)
	}
	if _, ok, err := db.TerminalByNonce(w.ctx, w.dir, "x"); ok || err != nil {
		t.Errorf("unknown nonce: %v %v", ok, err)
	}
}

func TestBadEvents(t *testing.T) {
	good := event("t", "", 1)
	spoil := map[string]func(*agent.HookEvent){
		"no nonce":      func(e *agent.HookEvent) { e.Nonce = "" },
		"long nonce":    func(e *agent.HookEvent) { e.Nonce = strings.Repeat("x", 129) },
		"no kind":       func(e *agent.HookEvent) { e.Kind = "" },
		"long kind":     func(e *agent.HookEvent) { e.Kind = strings.Repeat("x", 65) },
		"unknown event": func(e *agent.HookEvent) { e.What = "explode" },
		"bad session":   func(e *agent.HookEvent) { e.Session = "--help" },
		"before time":   func(e *agent.HookEvent) { e.FiredAt = e.FiredAt.AddDate(-1000, 0, 0) },
		"after time":    func(e *agent.HookEvent) { e.FiredAt = e.FiredAt.AddDate(1000, 0, 0) },
		"depth":         func(e *agent.HookEvent) { e.Depth = -2 },
		"deep":          func(e *agent.HookEvent) { e.Depth = 1 << 30 },
	}
	w := newWorld(t)
	for name, f := range spoil {
		e := good
		f(&e)
		if err := db.RecordHook(w.ctx, w.dir, e); !errors.Is(err, db.ErrBadEvent) {
			t.Errorf("record, %s: %v", name, err)
		}
		if err := db.Spool(w.dir, e); !errors.Is(err, db.ErrBadEvent) {
			t.Errorf("spool, %s: %v", name, err)
		}
	}
	long := good
	long.Reason = strings.Repeat("é\x1b", 1000)
	w.must(db.RecordHook(w.ctx, w.dir, long))
	if n, err := db.Count(w.ctx, w.DB, `SELECT length(CAST(reason AS BLOB)) FROM hook_events WHERE instr(reason, char(27)) = 0`); err != nil || n > 64 {
		t.Errorf("a reason of %d bytes (%v)", n, err)
	}
}

func TestNoDatabaseNoHook(t *testing.T) {
	dir := t.TempDir()
	if err := db.RecordHook(t.Context(), dir, event("t", "", 1)); err == nil {
		t.Error("recorded without a database")
	}
	if names, _ := os.ReadDir(dir); len(names) != 0 {
		t.Errorf("a database was made: %v", names)
	}
}

func TestSpool(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	first, second := event("t", "rebind", 2), event("t", "rebind", 1)
	first.Session, second.Session = "s2", "s3"
	first.Certain = true
	w.must(db.Spool(w.dir, first))
	w.must(db.Spool(w.dir, second))
	dir := filepath.Join(w.dir, "spool")
	files := must(os.ReadDir(dir))(t)
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	for _, f := range files {
		if info, _ := f.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", f.Name(), info.Mode().Perm())
		}
	}
	applied := must(w.ApplyHooks(w.ctx, w.inst))(t)
	if len(applied) != 2 || w.binding("t").Session != "s2" {
		t.Fatalf("%+v, session %s", applied, w.binding("t").Session)
	}
	first.ID = applied[1].Event.ID
	if diff := cmp.Diff(first, applied[1].Event); diff != "" {
		t.Error(diff)
	}
	if files = must(os.ReadDir(dir))(t); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
}

func TestSpooledGarbage(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	dir := filepath.Join(w.dir, "spool")
	w.must(os.MkdirAll(filepath.Join(dir, "folder", "deep"), 0o700))
	future, _ := json.Marshal(map[string]any{"version": 2, "nonce": "nonce-t"})
	for name, content := range map[string][]byte{
		"empty.json": nil, "half.json": []byte(`{"version":1,`), "array.json": []byte(`[1]`), "future.json": future,
		"huge.json": make([]byte, db.MaxSpoolFile+1), "no-extension": []byte("x"),
		"deep.json": []byte(strings.Repeat("[", 60_000)),
	} {
		w.must(os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	w.must(os.Symlink("/etc/passwd", filepath.Join(dir, "link.json")))
	w.must(os.WriteFile(filepath.Join(dir, "under-way.tmp"), nil, 0o600))
	w.must(db.Spool(w.dir, event("t", "goodbye", 5)))
	if applied := must(w.ApplyHooks(w.ctx, w.inst))(t); len(applied) != 1 {
		t.Errorf("applied: %+v", applied)
	}
	w.wantState("t", sure)
	if files := must(os.ReadDir(dir))(t); len(files) != 1 || files[0].Name() != "under-way.tmp" {
		t.Errorf("left: %v", files)
	}
	var told int
	for _, n := range must(w.Notes(w.ctx, "", 100))(t) {
		if strings.Contains(n.Why, "spool file") {
			told++
		}
	}
	if told != 9 {
		t.Errorf("the ledger tells %d removed files, want 9", told)
	}
	if _, err := os.Stat("/etc/passwd"); err != nil {
		t.Fatal(err)
	}
}

func TestSpoolIsBounded(t *testing.T) {
	dir := t.TempDir()
	spool := filepath.Join(dir, "spool")
	if err := os.MkdirAll(spool, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids(db.MaxSpoolFiles) {
		if err := os.WriteFile(filepath.Join(spool, string(id)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Spool(dir, event("t", "", 1)); !errors.Is(err, db.ErrSpoolFull) {
		t.Errorf("%v, want ErrSpoolFull", err)
	}
}

func TestEventsAndLedgerAreBounded(t *testing.T) {
	w := newWorld(t)
	w.must(db.Exec(w.ctx, w.DB, `INSERT INTO hook_events (id, nonce, kind, event, session, reason, certain, fired_at, depth)
		VALUES (1, 'old', 'claude', 'other', '', '', 0, 1, 0), (200000, 'new', 'claude', 'other', '', '', 0, 1, 0)`))
	w.must(db.Exec(w.ctx, w.DB, `INSERT INTO ledger (id, at, what, why) VALUES (1, 1, 'old', ''), (200000, 1, 'new', '')`))
	w.must(db.RecordHook(w.ctx, w.dir, event("t", "", 1)))
	w.must(w.AddNote(w.ctx, agent.Note{At: at(1), What: "message", Why: "x\x1b[31m\n" + strings.Repeat("y", 5000)}))
	for _, table := range []string{"hook_events", "ledger"} {
		if n, err := db.Count(w.ctx, w.DB, `SELECT count(*) FROM `+table); err != nil || n != 2 {
			t.Errorf("%s has %d rows (%v), want 2", table, n, err)
		}
	}
	n := must(w.Notes(w.ctx, "", 1))(t)
	if len(n) != 1 || len(n[0].Why) != 1024 || strings.ContainsAny(n[0].Why, "\x1b\n") {
		t.Errorf("note: %d bytes, %.20q", len(n[0].Why), n[0].Why)
	}
	w.must(w.Prune(w.ctx, at(0)))
	if left, _ := db.Count(w.ctx, w.DB, `SELECT count(*) FROM ledger`); left != 1 {
		t.Errorf("%d ledger rows after pruning, want 1", left)
	}
}
