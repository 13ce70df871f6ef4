package agent_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// The store holds every cell of the table of moves.
func TestStoreMoves(t *testing.T) {
	ctx := context.Background()
	d, err := db.Open(ctx, t.TempDir(), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	inst, err := d.Register(ctx, "test")
	if err != nil {
		t.Fatal(err)
	}
	for standing, row := range agent.Moves {
		for asked, effect := range row {
			t.Run(fmt.Sprintf("%s unsure %v asked %d", standing.Reason, standing.Unsure, asked), func(t *testing.T) {
				c := cell{t: t, d: d, inst: inst, id: panes.NewTerminalID(), session: agent.SessionID(panes.NewTerminalID())}
				c.stand(standing)
				before := c.reads(c.id)
				c.ask(asked)
				after := c.reads(c.id)
				want := before
				switch effect {
				case agent.Set, agent.SetKeep:
					want = c.target(asked)
				case agent.Follow:
					if next := c.reads(c.next); next.Reason != agent.Disposed {
						t.Errorf("the successor is %q, want it disposed", next.Reason)
					}
				case agent.Keep, agent.Refuse:
				}
				if after.Reason != want.Reason || after.Unsure != want.Unsure {
					t.Errorf("is %q unsure %v, want %q unsure %v", after.Reason, after.Unsure, want.Reason, want.Unsure)
				}
				if effect == agent.SetKeep && !after.Ended.Equal(before.Ended) {
					t.Errorf("ended %v, want the first time %v", after.Ended, before.Ended)
				}
			})
		}
	}
}

type cell struct {
	t        *testing.T
	d        *db.DB
	inst     agent.InstanceID
	id, next panes.TerminalID
	session  agent.SessionID
}

func (c *cell) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// record is a terminal in a pane that has its name.
func (c *cell) record(id panes.TerminalID) (agent.Terminal, agent.Binding) {
	return agent.Terminal{
		ID: id, Pane: panes.PaneID(id), Dir: "/", Argv: []string{"a"}, Nonce: string(id), Instance: c.inst,
		Status: agent.TerminalActive, GateOpen: true, Created: noon,
	}, agent.Binding{
		Terminal: id, Origin: agent.Origin{Kind: "k", Dir: "/"}, Session: c.session, Started: noon,
	}
}

// stand brings the binding where a row of the table is.
func (c *cell) stand(s agent.Standing) {
	c.t.Helper()
	ctx := context.Background()
	term, b := c.record(c.id)
	c.must(c.d.Begin(ctx, term, &b))
	_, err := c.d.GateOpened(ctx, c.id)
	c.must(err)
	end := func(asked agent.EndReason) {
		_, err := c.d.End(ctx, agent.Ending{Terminal: c.id, At: noon.Add(time.Second), Exit: &panes.Exit{}, Asked: asked, Unsure: s.Unsure})
		c.must(err)
	}
	claim := agent.ClaimRef{Terminal: c.id, Owner: c.inst, Token: "token", At: noon.Add(2 * time.Second)}
	switch s.Reason {
	case agent.Live:
	case agent.Detached, agent.TerminalExited:
		end(s.Reason)
	case agent.Disposed:
		_, err := c.d.Dispose(ctx, c.id, noon.Add(time.Second))
		c.must(err)
	case agent.Resuming, agent.Resumed:
		end(agent.TerminalExited)
		_, ok, err := c.d.Claim(ctx, claim)
		c.must(err)
		if !ok {
			c.t.Fatal("not claimed")
		}
		if s.Reason == agent.Resuming {
			return
		}
		c.next = panes.NewTerminalID()
		next, nb := c.record(c.next)
		next.Pane = panes.PaneID(c.id)
		ok, err = c.d.Confirm(ctx, agent.Confirmation{Claim: claim, Successor: next, Binding: nb})
		c.must(err)
		if !ok {
			c.t.Fatal("not confirmed")
		}
	}
}

func (c *cell) ask(a agent.Asked) {
	c.t.Helper()
	ctx, at := context.Background(), noon.Add(time.Minute)
	var err error
	switch a {
	case agent.AskSure, agent.AskUnsure:
		_, err = c.d.End(ctx, agent.Ending{Terminal: c.id, At: at, Asked: agent.Detached, Unsure: a == agent.AskUnsure})
	case agent.AskExited:
		_, err = c.d.End(ctx, agent.Ending{Terminal: c.id, At: at, Asked: agent.TerminalExited})
	case agent.AskTakeBack:
		// The sweep of another instance's claims would be another question.
		if c.reads(c.id).Reason != agent.Resuming {
			err = c.d.Sweep(ctx, agent.SweepRequest{Terminal: c.id, Instance: c.inst, At: at})
		}
	case agent.AskDisposed:
		_, err = c.d.Dispose(ctx, c.id, at)
	}
	c.must(err)
}

func (c *cell) target(a agent.Asked) agent.Binding {
	return map[agent.Asked]agent.Binding{
		agent.AskSure:     {Reason: agent.Detached},
		agent.AskUnsure:   {Reason: agent.Detached, Unsure: true},
		agent.AskExited:   {Reason: agent.TerminalExited},
		agent.AskTakeBack: {Reason: agent.TerminalExited},
		agent.AskDisposed: {Reason: agent.Disposed},
	}[a]
}

// reads is a terminal's binding; of one that was resumed only its reason.
func (c *cell) reads(id panes.TerminalID) agent.Binding {
	c.t.Helper()
	ctx := context.Background()
	rec, err := c.d.Pane(ctx, panes.PaneID(id))
	c.must(err)
	if rec.Binding != nil && rec.Terminal.ID == id {
		return *rec.Binding
	}
	all, err := c.d.Holders(ctx, agent.Identity{Kind: "k", Session: c.session})
	c.must(err)
	for _, h := range all {
		if h.Terminal.ID == id {
			return agent.Binding{Reason: h.Reason}
		}
	}
	c.t.Fatalf("terminal %s has no binding", id)
	return agent.Binding{}
}
