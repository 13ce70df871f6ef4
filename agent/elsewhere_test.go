package agent_test

import (
	"context"
	"testing"
	"time"

	"reprise/agent"
)

// A pane does not say for seconds that its session is open in another one when
// that one's agent has ended, or has gone on with another session.
func TestElsewhereIsSaidNoLonger(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(w *world, s *server, p *proc, id agent.SessionID)
		want agent.PaneState
	}{
		"quit":   {func(_ *world, s *server, p *proc, id agent.SessionID) { s.hook(p, agent.HookGoodbye, id, certain) }, agent.PaneEnded},
		"killed": {func(_ *world, _ *server, p *proc, _ agent.SessionID) { p.killed(sigkill) }, agent.PaneDue},
		"closed": {func(w *world, s *server, _ *proc, _ agent.SessionID) {
			w.must(s.c.End(context.Background(), w.panes[1]))
		}, agent.PaneEnded},
		"another id": {func(_ *world, s *server, p *proc, _ agent.SessionID) { s.hook(p, agent.HookStart, "other") }, agent.PaneDue},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				s := w.start(func(c *agent.Config) {
					c.Settings.AfterExit = agent.AfterHold
					c.Policy.SweepEvery = time.Hour // else it looks at all of them now and then
				})
				p, q := s.spoken(0), s.spoken(1)
				p.killed(sigkill)
				s.hook(q, agent.HookStart, p.session)
				s.hook(q, agent.HookPrompt, p.session)
				time.Sleep(time.Second)
				s.wants(0, agent.PaneElsewhere)
				c.end(w, s, q, p.session)
				time.Sleep(time.Second)
				s.wants(0, c.want)
			})
		})
	}
}
