package db_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// scanned is a step of a query plan that reads a whole table or index.
var scanned = regexp.MustCompile(`^SCAN (\w+)`)

// What is asked in a person's way or an agent's takes no longer after months of use: no
// plan of it reads through the ledger, the bindings or the terminals. The hooks' events
// are a queue: what is read of it is taken out.
func TestNothingInTheWayReadsAWholeTable(t *testing.T) {
	heard := db.Listen(t)
	w := newWorld(t)
	ws, err := w.OpenWorkspace(w.ctx, "", t.TempDir(), w.inst)
	w.must(err)
	w.begin("t1", "s1")
	w.must(db.RecordHook(w.ctx, w.dir, event("t1", "", 1)))
	must(w.ApplyHooks(w.ctx, w.inst))(t)
	if r := w.end("t1", agent.TerminalExited, false, 10); r != agent.TerminalExited {
		t.Fatalf("it ended as %q", r)
	}
	if !w.claim("t1") {
		t.Fatal("no candidate")
	}
	w.must(w.Unclaim(w.ctx, w.ref("t1"), "test"))
	w.resume("t1", "t2")
	w.must(w.Proven(w.ctx, "t2"))
	must(w.Pane(w.ctx, "pane-t1"))(t)
	must(w.Repoint(w.ctx, "pane-t1", "t2"))(t)
	must(w.Holders(w.ctx, agent.Identity{Kind: "claude", Home: "/home/.claude", Session: "s1"}))(t)
	must(w.Dispose(w.ctx, "t2", at(30)))(t)
	must(w.Settle(w.ctx, "t2", at(31)))(t)
	w.must(w.SaveLayout(w.ctx, ws.Name, w.inst, []byte(`{}`)))
	w.must(w.MarkUsed(w.ctx, ws.Name, w.inst, "pane-t1", at(32)))
	must(w.Story(w.ctx, "t2", 10))(t)
	// A shell's pane, in which an agent was typed and has died alone.
	shell, typed := w.record("shell"), w.record("typed")
	typed.Pane, typed.Shell = shell.Pane, shell.ID
	w.must(w.Begin(w.ctx, shell, nil))
	w.must(w.Begin(w.ctx, typed, &agent.Binding{Origin: agent.Origin{Kind: "claude"}, Session: "s2"}))
	must(w.End(w.ctx, agent.Ending{Terminal: typed.ID, At: at(32), Asked: agent.TerminalExited, Alone: true}))(t)
	if rec := w.shows(shell.Pane); rec.Left == nil {
		t.Fatalf("the shell's pane: %+v", rec)
	}
	w.begin("pinned", "s3")
	w.begin("holder", "s5")
	if !w.pin("pinned", "s4", 32).Done || !w.unpin("pinned").Done || w.pin("pinned", "s5", 33).Held == nil {
		t.Fatal("not pinned, or not held")
	}
	w.must(w.AddNote(w.ctx, agent.Note{At: at(33), Terminal: "t2", What: "test"}))

	big := map[string]bool{"ledger": true, "bindings": true, "b": true, "terminals": true, "t": true}
	queries := heard()
	if len(queries) < 20 {
		t.Fatalf("%d queries were heard", len(queries))
	}
	for _, q := range slices.Sorted(maps.Keys(queries)) {
		plan, err := db.Plan(w.ctx, w.DB, q, queries[q])
		if err != nil {
			t.Errorf("%v: %s", err, q)
		}
		for _, step := range plan {
			if m := scanned.FindStringSubmatch(step); m != nil && big[m[1]] {
				t.Errorf("%s: in\n%s", step, strings.Join(strings.Fields(q), " "))
			}
		}
	}
}

// BenchmarkScale is what a person or an agent waits for, with 100 and with 100,000
// bindings and as many ledger rows as are kept: the time is to be about the same.
func BenchmarkScale(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		w := newWorld(b)
		w.months(n)
		w.must(db.Exec(w.ctx, w.DB, `WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1)
			INSERT INTO ledger (at, terminal, session, what, why) SELECT i, 'x' || (i % 1000), 's', 'noted', 'because' FROM c`, 2*n))
		w.dead("now", "session-now")
		b.Run(fmt.Sprintf("claim/%d", n), func(b *testing.B) {
			for b.Loop() {
				if !w.claim("now") {
					b.Fatal("no candidate")
				}
				w.must(w.Unclaim(w.ctx, w.ref("now"), "bench"))
			}
		})
		b.Run(fmt.Sprintf("pane/%d", n), func(b *testing.B) {
			for b.Loop() {
				must(w.Pane(w.ctx, "pane-now"))(b)
			}
		})
		b.Run(fmt.Sprintf("story/%d", n), func(b *testing.B) {
			for b.Loop() {
				must(w.Story(w.ctx, "now", 20))(b)
			}
		})
		b.Run(fmt.Sprintf("launch/%d", n), func(b *testing.B) {
			at := 0
			for b.Loop() {
				at++
				w.begin(panes.TerminalID(fmt.Sprintf("new-%d-%d-%d", n, b.N, at)), "")
			}
		})
	}
}
