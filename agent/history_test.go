package agent_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reprise/agent"
)

// Whatever is started in a pane has, above it, what the pane showed before.
func TestHistory(t *testing.T) {
	bubble(t, 2, func(w *world) {
		var mu sync.Mutex
		var asked []agent.HistoryRequest
		history := func(c *agent.Config) {
			c.History = func(r agent.HistoryRequest) []byte {
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, r)
				if r.Old == "" {
					return nil
				}
				return []byte("from " + string(r.Old))
			}
		}
		s := w.start(history)
		shell := func(pane int) *proc {
			w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[pane], Dir: w.dir}))
			return s.in(pane)
		}
		p, sh := s.spoken(0), shell(1)
		s.crash()
		s = w.start(history) // another life of the server: only the store knows what was there
		q := s.revived(0, p.session)
		again := shell(1)
		want := []agent.HistoryRequest{
			{Pane: w.panes[0], Kind: "robot"},
			{Pane: w.panes[1]},
			{Pane: w.panes[0], Old: p.spec.ID, Kind: "robot"},
			{Pane: w.panes[1], Old: sh.spec.ID},
			{Pane: w.panes[1]}, // it is said to be new: nobody looks
		}
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[1], Dir: w.dir, New: true}))
		if !slices.Equal(asked, want) {
			t.Errorf("asked %+v, want %+v", asked, want)
		}
		for old, now := range map[*proc]*proc{p: q, sh: again} {
			if got := string(now.spec.History); got != "from "+string(old.spec.ID) {
				t.Errorf("history %q of the successor of %s", got, old.spec.ID)
			}
		}
		if len(p.spec.History)+len(sh.spec.History) > 0 {
			t.Error("the first ones have a history")
		}
	})
}

// A history that cannot be read keeps nothing down, and what it leaves on the
// screen is no sign of life.
func TestHistoryIsOnlyShown(t *testing.T) {
	for name, history := range map[string]func(agent.HistoryRequest) []byte{
		"panics":        func(agent.HistoryRequest) []byte { panic("broken file") },
		"on the screen": func(agent.HistoryRequest) []byte { return []byte(strings.Repeat("old\r\n", 3)) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 3, func(w *world) {
				w.killed(3)
				w.screens = true
				var s *server
				born := w.slow(func() *server { return s })
				s = w.start(func(c *agent.Config) { c.Settings.Parallel, c.History = 1, history })
				var done sync.WaitGroup
				for i := range w.panes {
					s.wants(i, agent.PaneDue)
				}
				for i := range w.panes {
					s.ask(&done, i)
				}
				done.Wait()
				time.Sleep(6 * time.Second)
				if born.peak() != 1 || len(w.log()) != 6 {
					t.Errorf("%d launches, %d at once; want 6, 1", len(w.log()), born.peak())
				}
			})
		})
	}
}
