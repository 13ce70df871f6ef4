package db_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

func BenchmarkClaim(b *testing.B) {
	w := newWorld(b)
	for i, id := range ids(100) { // 100 others, as after months of use
		w.dead(id, agent.SessionID(fmt.Sprintf("s%d", i)))
	}
	ref := w.ref("t050")
	for b.Loop() {
		if _, ok, err := w.Claim(w.ctx, ref); !ok || err != nil {
			b.Fatal(ok, err)
		}
		if err := w.Unclaim(w.ctx, ref, "bench"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPane(b *testing.B) {
	w := newWorld(b)
	w.dead("t", "s1")
	for b.Loop() {
		if _, err := w.Pane(w.ctx, "pane-t"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecordHook(b *testing.B) {
	w := newWorld(b)
	w.begin("t", "s1")
	e := event("t", "", 1)
	for b.Loop() {
		if err := db.RecordHook(w.ctx, w.dir, e); err != nil {
			b.Fatal(err)
		}
	}
}

// Ten hook processes at once, each from its start to its exit.
func BenchmarkTenHookProcesses(b *testing.B) {
	w := newWorld(b)
	w.begin("t", "s1")
	var mu sync.Mutex
	var took []time.Duration
	failed := 0
	for b.Loop() {
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() {
				cmd := helper(b, "hook", w.dir, "t")
				begin := time.Now()
				err := cmd.Run()
				mu.Lock()
				defer mu.Unlock()
				took = append(took, time.Since(begin))
				if err != nil {
					failed++
				}
			})
		}
		wait.Wait()
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
	b.ReportMetric(float64(failed)/float64(len(took)), "spooled")
}

// The floor of the one above: ten processes that do nothing.
func BenchmarkTenIdleProcesses(b *testing.B) {
	var mu sync.Mutex
	var took []time.Duration
	for b.Loop() {
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() {
				cmd := exec.Command("/bin/true")
				begin := time.Now()
				if err := cmd.Run(); err != nil {
					b.Error(err)
				}
				mu.Lock()
				took = append(took, time.Since(begin))
				mu.Unlock()
			})
		}
		wait.Wait()
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
}

func BenchmarkApplyHooks(b *testing.B) {
	w := newWorld(b)
	w.begin("t", "s1")
	in := must(db.OpenIntake(w.dir))(b)
	defer func() { _ = in.Close() }()
	e := event("t", "prompted", 1)
	for b.Loop() {
		if err := in.Record(w.ctx, e); err != nil {
			b.Fatal(err)
		}
		if applied, err := w.ApplyHooks(w.ctx, w.inst); err != nil || len(applied) != 1 {
			b.Fatal(applied, err)
		}
	}
}

func BenchmarkApplyNoHooks(b *testing.B) {
	w := newWorld(b)
	w.begin("t", "s1")
	for b.Loop() {
		if _, err := w.ApplyHooks(w.ctx, w.inst); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens what months have left, ten ledger rows for each binding: as it was
// closed in order, and where it has to be looked through.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{100, 20_000, 100_000} {
		w := newWorld(b)
		w.months(n)
		w.must(db.Exec(w.ctx, w.DB, `WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1)
			INSERT INTO ledger (at, terminal, session, what, why) SELECT i, 'x' || (i % 1000), 's', 'noted', 'because' FROM c`, 10*n))
		w.must(w.Close())
		for how, before := range map[string]func(){
			"as-left": func() {},
			"checked": func() { w.must(os.Remove(filepath.Join(w.dir, db.File+".checked"))) },
		} {
			b.Run(fmt.Sprintf("%d/%s", n, how), func(b *testing.B) {
				for b.Loop() {
					before()
					d, err := db.Open(w.ctx, w.dir, db.Options{})
					w.must(err)
					w.must(d.Close())
				}
			})
		}
	}
}

// BenchmarkRestore is what a server reads to put a hundred panes back.
func BenchmarkRestore(b *testing.B) {
	w := newWorld(b)
	all := ids(100)
	for i, id := range all {
		w.dead(id, agent.SessionID(fmt.Sprintf("s%d", i)))
	}
	ws, err := w.OpenWorkspace(w.ctx, "", b.TempDir(), w.inst)
	w.must(err)
	w.must(w.SaveLayout(w.ctx, ws.Name, w.inst, []byte(`{}`)))
	for b.Loop() {
		must(w.Workspace(w.ctx, ws.Name))(b)
		for _, id := range all {
			if rec := must(w.Pane(w.ctx, "pane-"+panes.PaneID(id)))(b); rec.Binding == nil {
				b.Fatalf("%s has no session", id)
			}
		}
	}
}
