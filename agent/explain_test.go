package agent_test

import (
	"slices"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes/vt"
)

// Whoever asks is told what each source says, and why it does or does not decide.
func TestExplain(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		expect := func(want agent.Doing, lines ...string) {
			t.Helper()
			got, all := s.c.Explain(w.panes[0])
			var out []string
			for _, e := range all {
				why := e.Why
				if e.Decides {
					why = "decides"
				}
				out = append(out, e.By.String()+" "+string(e.Doing)+": "+why)
			}
			if got.Doing != want || !slices.Equal(out, lines) {
				t.Errorf("%q by %q, want %q by %q", got.Doing, out, want, lines)
			}
		}
		expect("")
		p := s.agent(0)
		expect("")
		s.tells(0, "* build", vt.Status{State: "working"})
		expect(agent.Working, "protocol working: decides", "title working: the protocol comes first")
		s.told(p, agent.HookPrompt)
		expect(agent.Working, "hook working: decides", "protocol working: older than what the hook says", "title working: the hook comes first")
		s.tells(0, "", vt.Status{State: "idle"})
		expect(agent.Working, "hook working: decides", "protocol idle: newer than the hook; decides in 2.0 s if it stays so")
		s.passes(3 * time.Second)
		expect(agent.Idle, "hook working: older than what the protocol says", "protocol idle: decides")
		s.told(p, agent.HookStop)
		s.tells(0, "", vt.Status{State: "done"})
		expect(agent.TurnDone, "hook done: decides", "protocol done: goes together with what the hook says")
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		expect(agent.Gone)
	})
}
