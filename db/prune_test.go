package db_test

import (
	"fmt"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// recorded are the terminals in the database.
func (w *world) recorded() map[panes.TerminalID]bool {
	w.Helper()
	all := map[panes.TerminalID]bool{}
	for _, id := range must(db.Terminals(w.ctx, w.DB))(w) {
		all[id] = true
	}
	return all
}

// shell records a terminal without a binding.
func (w *world) shell(id panes.TerminalID) {
	w.Helper()
	w.must(w.Begin(w.ctx, w.record(id), nil))
	must(w.GateOpened(w.ctx, id))(w)
}

// swept makes the world's instance one that is dead, with nothing left to mend.
func (w *world) swept() {
	w.Helper()
	w.must(db.Exec(w.ctx, w.DB, `UPDATE instances SET swept = 1 WHERE id = ?`, w.inst))
}

// Every rule of what may be forgotten, alone.
func TestPruneForgetsWhatIsOver(t *testing.T) {
	// twins has an old life of a session, and a candidate of another kind.
	twins := func(kind string) func(w *world) {
		return func(w *world) {
			w.of(kind, "", "t", "s1")
			w.end("t", agent.Detached, false, 10)
			w.of("claude", "", "u", "s1")
			w.end("u", agent.TerminalExited, false, 10)
		}
	}
	for name, c := range map[string]struct {
		make func(w *world)
		gone bool
	}{
		"another life, in the same store": {twins("mine"), false},
		"of that id in another store":     {twins("other"), true},
		"a shell": {func(w *world) {
			w.shell("t")
			w.end("t", agent.TerminalExited, false, 10)
		}, true},
		"a shell that ended later": {func(w *world) {
			w.shell("t")
			w.end("t", agent.TerminalExited, false, 200)
		}, false},
		"a shell that runs": {func(w *world) { w.shell("t") }, false},
		"quit": {func(w *world) {
			w.begin("t", "s1")
			w.end("t", agent.Detached, false, 10)
		}, true},
		"perhaps quit": {func(w *world) {
			w.begin("t", "s1")
			w.end("t", agent.Detached, true, 10)
		}, false},
		"a candidate": {func(w *world) { w.dead("t", "s1") }, false},
		"a dismissed candidate": {func(w *world) {
			w.dead("t", "s1")
			w.must(w.Dismiss(w.ctx, "t", at(11)))
		}, false},
		"no session known": {func(w *world) { w.dead("t", "") }, true},
		"a first launch that failed": {func(w *world) {
			w.begin("t", "s1")
			must(w.End(w.ctx, agent.Ending{Terminal: "t", At: at(10), Exit: &panes.Exit{Status: 1}, Asked: agent.TerminalExited, FirstFailed: true}))(w)
		}, true},
		"claimed": {func(w *world) {
			w.dead("t", "s1")
			w.claim("t")
		}, false},
		"ended by a person": {func(w *world) {
			w.begin("t", "s1")
			must(w.Dispose(w.ctx, "t", at(10)))(w)
			w.end("t", agent.TerminalExited, false, 11)
			w.swept() // a person's end makes the sweep look again
		}, true},
		"ended by a person, its process not seen gone": {func(w *world) {
			w.dead("t", "s1")
			must(w.Dispose(w.ctx, "t", at(12)))(w)
			w.swept()
		}, false},
		"of an instance that may live": {func(w *world) {
			w.shell("t")
			w.end("t", agent.TerminalExited, false, 10)
			w.must(db.Exec(w.ctx, w.DB, `UPDATE instances SET swept = 0`))
		}, false},
		"another life of a candidate's session": {func(w *world) {
			w.begin("t", "s1")
			w.end("t", agent.Detached, false, 10)
			w.dead("u", "s1")
		}, false},
		"in a saved layout": {func(w *world) {
			w.shell("t")
			w.end("t", agent.TerminalExited, false, 10)
			w.layout("x", `{"root":{"pane":"pane-t"}}`)
		}, false},
		"in the layout of the start before": {func(w *world) {
			w.shell("t")
			w.end("t", agent.TerminalExited, false, 10)
			w.layout("x", `{"root":{"pane":"pane-t"}}`)
			must(w.OpenWorkspace(w.ctx, "x", w.dir, w.inst))(w)
			w.layout("x", `{"root":{"pane":"pane-u"}}`)
		}, false},
		"in a layout of two starts before": {func(w *world) {
			w.shell("t")
			w.end("t", agent.TerminalExited, false, 10)
			for _, l := range []string{"pane-t", "pane-u", "pane-v"} {
				w.layout("x", l)
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, db.Options{Judge: obey, Kinds: keepers{"claude": "/.claude", "mine": "/.claude", "other": "/.other"}})
			keeper := join(t, w.dir)
			w.swept()
			c.make(w)
			w.must(keeper.Prune(w.ctx, at(100)))
			if gone := !w.recorded()["t"]; gone != c.gone {
				t.Errorf("forgotten: %v, want %v", gone, c.gone)
			}
			rec := must(w.Pane(w.ctx, "pane-t"))(t)
			if (rec.Terminal == nil) != c.gone {
				t.Errorf("its pane shows %+v", rec)
			}
			w.must(keeper.Prune(w.ctx, at(100))) // nothing that is left stops it
		})
	}
}

// layout opens a workspace once more and saves a layout.
func (w *world) layout(name, layout string) {
	w.Helper()
	must(w.OpenWorkspace(w.ctx, name, w.dir, w.inst))(w)
	w.must(w.SaveLayout(w.ctx, name, w.inst, []byte(layout)))
}

// A chain of resumes loses its beginning, up to what a pane of a saved layout points
// at; what the pane shows stays.
func TestPruneOfChains(t *testing.T) {
	for name, c := range map[string]struct {
		end     func(w *world, last panes.TerminalID)
		pointer string // what the pane points at; "": the pane is in no layout
		want    []string
	}{
		"quit, no layout":            {end: quit, want: nil},
		"quit, pointer at the end":   {end: quit, pointer: "t3", want: []string{"t3"}},
		"quit, pointer in between":   {end: quit, pointer: "t1", want: []string{"t1", "t2", "t3"}},
		"candidate, no layout":       {end: died, want: []string{"t0", "t1", "t2", "t3"}},
		"candidate, pointer at last": {end: died, pointer: "t3", want: []string{"t0", "t1", "t2", "t3"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.swept()
			w.dead("t0", "s1")
			for i := range 3 {
				old, next := panes.TerminalID(fmt.Sprintf("t%d", i)), panes.TerminalID(fmt.Sprintf("t%d", i+1))
				w.resume(old, next)
				if i < 2 {
					w.end(next, agent.TerminalExited, false, float64(20+i))
				}
			}
			c.end(w, "t3")
			if c.pointer != "" {
				w.layout("x", "pane-t0")
				w.must(db.Exec(w.ctx, w.DB, `UPDATE panes SET terminal_id = ?`, c.pointer))
			}
			w.must(join(t, w.dir).Prune(w.ctx, at(100)))
			got := w.recorded()
			if len(got) != len(c.want) {
				t.Errorf("left %v, want %v", got, c.want)
			}
			for _, id := range c.want {
				if !got[panes.TerminalID(id)] {
					t.Errorf("%s is forgotten", id)
				}
			}
			if rec := must(w.Pane(w.ctx, "pane-t0"))(t); c.pointer != "" && (rec.Terminal == nil || rec.Terminal.ID != "t3") {
				t.Errorf("the pane shows %+v", rec.Terminal)
			}
		})
	}
}

func quit(w *world, t panes.TerminalID) { w.end(t, agent.Detached, false, 50) }
func died(w *world, t panes.TerminalID) { w.end(t, agent.TerminalExited, false, 50) }

// months fills a database as years of use do: n terminals of a swept instance, in
// chains of ten resumes, a third of them shells; the last of each chain has quit.
func (w *world) months(n int) {
	w.Helper()
	w.must(db.Exec(w.ctx, w.DB, `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
		INSERT INTO terminals (id, pane, dir, argv, env, nonce, pid, start, boot, instance, gate_open, status, created_at, ended_at)
		SELECT printf('t%08d', i), printf('p%08d', i / 10), '/home/someone/src/project', '["claude","--model","opus"]', '["A=1"]',
			printf('n%08d', i), 1, 1, 'boot', ?2, 1, 'exited', i, i + 1 FROM n`, n, w.inst))
	w.must(db.Exec(w.ctx, w.DB, `INSERT INTO bindings (terminal_id, kind, home, session_id, prompted, first_failed, dir, flags, env, started_at,
			ended_at, end_reason, successor, attempts)
		SELECT id, 'claude', '', 's' || pane, 1, 0, dir, '[]', env, created_at, ended_at,
			iif(created_at % 10 = 9 OR created_at = ?1 - 1, 'detached', 'resumed'),
			iif(created_at % 10 = 9 OR created_at = ?1 - 1, NULL, printf('t%08d', created_at + 1)), 0
		FROM terminals WHERE created_at / 10 % 3 > 0`, n))
	w.must(db.Exec(w.ctx, w.DB, `INSERT INTO panes (id, terminal_id, workspace) SELECT pane, max(id), 'x' FROM terminals GROUP BY pane`))
	w.swept()
}

// More than one batch, and a reader and a hook in between, as ever.
func TestPruneInBatches(t *testing.T) {
	w := newWorld(t)
	keeper := join(t, w.dir)
	w.months(1234)
	keeper.begin("alive", "s-alive")
	done := make(chan error, 1)
	go func() { done <- keeper.Prune(w.ctx, at(0)) }()
	for running := true; running; {
		select {
		case err := <-done:
			w.must(err)
			running = false
		default:
			if db.RecordHook(w.ctx, w.dir, event("alive", "", 1)) != nil { // as the hook command does
				w.must(db.Spool(w.dir, event("alive", "", 1)))
			}
		}
	}
	if got := w.recorded(); len(got) != 1 || !got["alive"] {
		t.Errorf("%d are left: %v", len(got), got)
	}
	for _, table := range []string{"bindings", "panes"} {
		if n, err := db.Count(w.ctx, w.DB, `SELECT count(*) FROM `+table); err != nil || n != 1 {
			t.Errorf("%d %s are left (%v)", n, table, err)
		}
	}
}

// BenchmarkPrune forgets 100,000 terminals at once, and then, as at every other
// start, none.
func BenchmarkPrune(b *testing.B) {
	const n = 100_000
	for range b.N {
		w := newWorld(b)
		keeper := join(b, w.dir)
		b.StopTimer()
		w.months(n)
		for i := range 50 { // other workspaces, with panes of their own
			w.layout(fmt.Sprintf("w%d", i), fmt.Sprintf("%4000s", "pane-of-this"))
		}
		b.StartTimer()
		w.must(keeper.Prune(w.ctx, at(0)))
		b.StopTimer()
		if got := w.recorded(); len(got) != 0 {
			b.Fatalf("%d are left", len(got))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/terminal")
}

// BenchmarkPruneNothing looks through 100,000 terminals that are kept, of which a
// layout names the panes.
func BenchmarkPruneNothing(b *testing.B) {
	w := newWorld(b)
	keeper := join(b, w.dir)
	w.months(100_000)
	w.must(db.Exec(w.ctx, w.DB, `UPDATE terminals SET ended_at = ended_at + ?`, at(1000).UnixNano()))
	for b.Loop() {
		w.must(keeper.Prune(w.ctx, at(0)))
	}
}
