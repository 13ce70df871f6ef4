// Package bench has benchmarks that span rooms.
package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
	"reprise/testdata/lab"
)

// atOnce is how many agents call their hooks in the same moment.
const atOnce = 10

// BenchmarkHook is the hook command as an agent meets it: from the start of the
// process to its end, ten at once, all into one database. The aim is a p95 under
// 50 ms.
func BenchmarkHook(b *testing.B) {
	program := filepath.Join(b.TempDir(), "reprise")
	if err := lab.Build(program, "."); err != nil {
		b.Fatal(err)
	}
	home := b.TempDir()
	state := filepath.Join(home, "state")
	d, err := db.Open(b.Context(), state, db.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	inst, err := d.Register(b.Context(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	self, err := panes.Identify(os.Getpid())
	if err != nil {
		b.Fatal(err)
	}
	for i := range atOnce {
		t := agent.Terminal{
			ID: panes.NewTerminalID(), Pane: panes.NewPaneID(), Dir: "/", Argv: []string{"claude"}, Nonce: fmt.Sprint("nonce", i),
			Process: self, Instance: inst, Status: agent.TerminalActive, Created: time.Now(),
		}
		bind := &agent.Binding{Terminal: t.ID, Origin: agent.Origin{Kind: "claude", Dir: "/"}, Started: t.Created}
		if err := d.Begin(b.Context(), t, bind); err != nil {
			b.Fatal(err)
		}
	}
	payload := `{"session_id":"11111111-2222-4333-8444-555555555555","source":"startup","prompt":"` + strings.Repeat("x", 4000) + `"}`
	var mu sync.Mutex
	var took []time.Duration
	for b.Loop() {
		var all sync.WaitGroup
		for i := range atOnce {
			all.Go(func() {
				c := exec.Command(program, "hook", state, "claude", fmt.Sprint("nonce", i), "SessionStart")
				c.Stdin, c.Env = strings.NewReader(payload), []string{"HOME=" + home, "REPRISE_HOME=" + home}
				start := time.Now()
				err := c.Run()
				mu.Lock()
				defer mu.Unlock()
				took = append(took, time.Since(start))
				if err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
	slices.Sort(took)
	ms := func(part float64) float64 {
		return float64(took[int(part*float64(len(took)-1))]) / float64(time.Millisecond)
	}
	b.ReportMetric(ms(0.5), "p50-ms")
	b.ReportMetric(ms(0.95), "p95-ms")
	b.ReportMetric(ms(1), "max-ms")
	applied, err := d.ApplyHooks(b.Context(), inst)
	if err != nil || len(applied) == 0 {
		b.Errorf("%d events applied, %v", len(applied), err)
	}
	if n, _ := os.ReadDir(filepath.Join(state, "spool")); len(n) > 0 {
		b.Logf("%d of %d events were spooled", len(n), len(took))
	}
}
