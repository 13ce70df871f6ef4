package agent_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// neighbours starts two servers in one process, each with a workspace of its own: the second
// has none of the world's panes.
func (w *world) neighbours(change ...func(*agent.Config)) (from, to *server) {
	w.Helper()
	from = w.start(change...)
	to = w.start(change...)
	to.host.SetLayout(panes.Layout{Tabs: []panes.Tab{{ID: "other", Root: &panes.Node{Pane: "stays", Weight: 1}}}})
	for name, s := range map[string]*server{"from": from, "to": to} {
		_, err := s.db.OpenWorkspace(context.Background(), name, w.dir, s.inst)
		w.must(err)
	}
	return from, to
}

// move takes a pane from one server to the other; meanwhile is called in the middle.
func (s *server) move(pane int, to *server, meanwhile ...func()) error {
	w := s.w
	p := w.panes[pane]
	place := func(l panes.Layout) (panes.Layout, error) { return l.NewTab("moved", p, "") }
	return s.c.Move(context.Background(), p, to.c, func(ctx context.Context, terminals []panes.TerminalID) error {
		joined, err := place(to.host.Layout())
		w.must(err)
		from, err := panes.EncodeLayout(s.host.Layout().Close(p))
		w.must(err)
		there, err := panes.EncodeLayout(joined)
		w.must(err)
		err = s.db.MovePane(ctx, db.PaneMove{
			Pane: p, Terminals: terminals, At: time.Now(),
			From: db.PaneHome{Name: "from", Instance: s.inst, Layout: from}, To: db.PaneHome{Name: "to", Instance: to.inst, Layout: there},
		})
		if err != nil {
			return err
		}
		for _, f := range meanwhile {
			f()
		}
		return s.host.Give(p, terminals, to.host, place)
	})
}

// Whatever a pane was at when it was moved, it goes on in the other session, and its
// conversation comes back there, once.
func TestMovedPane(t *testing.T) {
	cases := map[string]struct {
		before    func(s *server) *proc
		meanwhile func(s *server, p *proc)
		after     func(to *server, p *proc) *proc
	}{
		"it runs": {},
		"in probation": {before: func(s *server) *proc {
			p := s.spoken(0)
			p.killed(sigkill)
			return s.revived(0, p.session)
		}, after: func(to *server, p *proc) *proc {
			p.killed(sigkill)
			to.wants(0, agent.PaneWaiting) // it has not held
			time.Sleep(2 * time.Second)
			p = to.revived(0, p.session)
			to.hook(p, agent.HookPrompt, p.session)
			time.Sleep(time.Second)
			return p
		}},
		"it dies meanwhile": {meanwhile: func(_ *server, p *proc) { p.killed(sigkill) }},
		"it is dead": {before: func(s *server) *proc {
			p := s.spoken(0)
			p.killed(sigkill)
			s.wants(0, agent.PaneDue)
			return p
		}},
		"a hook meanwhile": {
			meanwhile: func(s *server, p *proc) { s.hook(p, agent.HookPrompt, "renamed") },
			after: func(to *server, p *proc) *proc {
				to.settle()
				time.Sleep(time.Second)
				p.session = "renamed"
				return p
			},
		},
		"an unsure end that the stop of its server takes back": {
			before: func(s *server) *proc {
				p := s.spoken(0)
				s.key(0)
				p.ends(0)
				s.wants(0, agent.PaneUnsettled)
				return p
			},
			after: func(to *server, p *proc) *proc {
				to.wants(0, agent.PaneUnsettled)
				to.stop()
				return p
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				from, to := w.neighbours()
				p := from.agentOf(c.before)
				w.must(from.move(0, to, func() {
					if c.meanwhile != nil {
						c.meanwhile(from, p)
					}
				}))
				if c.after != nil {
					p = c.after(to, p)
				}
				starts := w.starts(p.session)
				if got := from.request(agent.ResumeRequest{Pane: w.panes[0], Terminal: p.spec.ID, ByPerson: true}); got.Resumed {
					t.Error("the session that it left has resumed it")
				}
				if !to.down {
					p.killed(sigkill)
					p = to.revived(0, p.session)
					starts++
					to.crash()
				}
				from.settle()
				time.Sleep(time.Minute) // the sweep of the one that lives mends what the other left
				if slices.Contains(from.host.Layout().Panes(), w.panes[0]) {
					t.Error("it came back to the session that it left")
				}
				from.crash()
				again := w.start()
				again.revived(0, p.session)
				if n := w.starts(p.session); p.session != "renamed" && n != starts+1 {
					t.Errorf("%d launches in all, want %d", n, starts+1)
				}
			})
		})
	}
}

// agentOf is what runs, or ran, in the first pane.
func (s *server) agentOf(before func(*server) *proc) *proc {
	if before != nil {
		return before(s)
	}
	return s.spoken(0)
}

// A goodbye that was not sure yet settles in the other session.
func TestMovedGoodbyeSettles(t *testing.T) {
	bubble(t, 2, func(w *world) {
		from, to := w.neighbours()
		p := from.spoken(0)
		from.key(0)
		p.ends(0)
		from.wants(0, agent.PaneUnsettled)
		w.must(from.move(0, to))
		to.wants(0, agent.PaneUnsettled)
		time.Sleep(time.Minute)
		to.wants(0, agent.PaneNormal) // the shell that follows
		from.stop()
		w.gone(to, 0)
	})
}

// A move that fails has changed nothing, and one that would tear something apart is
// refused.
func TestMoveRefused(t *testing.T) {
	bubble(t, 2, func(w *world) {
		from, to := w.neighbours()
		p := from.spoken(0)
		broken := errors.New("broken")
		err := from.c.Move(context.Background(), w.panes[0], to.c, func(context.Context, []panes.TerminalID) error { return broken })
		if !errors.Is(err, broken) {
			t.Errorf("the commit failed: %v", err)
		}
		if err := from.c.Move(context.Background(), w.panes[0], from.c, nil); err == nil {
			t.Error("it was moved to where it is")
		}
		p.killed(sigkill)
		p = from.revived(0, p.session)
		from.hook(p, agent.HookPrompt, p.session)
		time.Sleep(time.Second)
		w.must(from.move(0, to))
		for what, err := range map[string]error{
			"moved once more": from.move(0, to),
			"closed":          from.c.End(context.Background(), w.panes[0]),
			"started":         from.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Dir: w.dir}),
			"dismissed":       from.c.Do(context.Background(), w.panes[0], agent.ActDismiss),
		} {
			if !errors.Is(err, agent.ErrMoved) {
				t.Errorf("%s from where it was: %v", what, err)
			}
		}
		p.killed(sigkill)
		to.revived(0, p.session)
		w.must(to.c.End(context.Background(), w.panes[0]))
		if err := to.c.Move(context.Background(), w.panes[0], from.c, nil); !errors.Is(err, agent.ErrClosing) {
			t.Errorf("while it is closed: %v", err)
		}
	})
}
