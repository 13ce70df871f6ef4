package agent_test

import (
	"context"
	"os"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// A pane says at once that its session is open in another one, where a person went on
// with it by its id.
func TestElsewhereIsSaidAtOnce(t *testing.T) {
	for name, goesOn := range map[string]func(s *server, id agent.SessionID){
		"typed in a shell": func(s *server, id agent.SessionID) {
			shell := s.shell(1)
			_, err := s.c.Typed(context.Background(), agent.TypedRequest{
				Shell: s.host.Shown(s.w.panes[1]).ID(), Kind: "robot", Args: []string{"--resume", string(id)}, Dir: s.w.dir, Env: os.Environ(),
				Process: s.child().id, Above: []panes.Proc{{ID: shell.id}},
			})
			s.w.must(err)
		},
		"launched": func(s *server, id agent.SessionID) { s.agent(1, "--resume", string(id)) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				s := w.start(func(c *agent.Config) { c.Policy.SweepEvery = time.Hour })
				p := s.spoken(0)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				goesOn(s, p.session)
				time.Sleep(time.Second)
				s.wants(0, agent.PaneElsewhere)
			})
		})
	}
}

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
