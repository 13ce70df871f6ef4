//go:build failpoint

package agent_test

import (
	"context"
	"testing"
	"time"

	"reprise/agent"
)

// An error at any point between two steps loses nothing and doubles nothing: the
// session comes back at once or when a person asks again, and a closed pane stays
// closed.
func TestErrorAtEveryFailpoint(t *testing.T) {
	for _, name := range agent.Failpoints() {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				defer agent.ArmFailpoints("")
				a := w.start()
				p := a.spoken(0)
				a.crash()
				agent.ArmFailpoints(name + ":error")
				a = w.start()
				time.Sleep(10 * time.Second)
				a.wants(0, agent.PaneDue)
				if r := a.resume(0); !r.Resumed {
					time.Sleep(time.Second)
					if r := a.byPerson(0); !r.Resumed {
						t.Fatalf("not resumed: %+v", r)
					}
				}
				q := a.in(0)
				time.Sleep(time.Minute)
				if got := w.runs(); len(got) != 1 || got[0] != p.session || w.starts(p.session) != 2 {
					t.Fatalf("%v run, %d launches", got, w.starts(p.session))
				}
				// A clean quit, then a close of the other pane's agent.
				a.hook(q, agent.HookPrompt, q.session)
				time.Sleep(time.Second)
				q.ends(0)
				time.Sleep(time.Minute)
				if err := a.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[1], Kind: "robot", Dir: w.dir}); err != nil {
					w.must(a.c.Do(context.Background(), w.panes[1], agent.ActRunAgain))
				}
				a.wants(1, agent.PaneNormal)
				if err := a.c.End(context.Background(), w.panes[1]); err != nil {
					w.must(a.c.End(context.Background(), w.panes[1]))
				}
				time.Sleep(time.Minute)
				if got := w.runs(); len(got) != 0 {
					t.Fatalf("%v run", got)
				}
				w.gone(a, 0)
			})
		})
	}
}

func TestFailpointsAreListed(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range agent.Failpoints() {
		if seen[name] {
			t.Errorf("%s is listed twice", name)
		}
		seen[name] = true
	}
}
