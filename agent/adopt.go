package agent

import (
	"context"
	"fmt"
	"time"

	"reprise/panes"
)

// Adopt makes a new coordinator go on as the one of an earlier image of this
// process, whose instance the store and whose terminals the host have taken over
// before. It is called before Run; nothing is started until the loop has looked at
// what that one was doing. The store says it: of a state that is lost, or not of
// this instance, only how long each resume has held and what panes said of failures
// is missed.
func (c *Coordinator) Adopt(s State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range s.Failures {
		c.failures[f.Terminal] = failure{kind: f.Kind, words: f.Words, err: fmt.Errorf("%s", f.Err)}
	}
	for _, r := range s.Refused {
		pl := c.placeOf(r.Request.Pane)
		pl.refused, pl.refusal = &r.Request, r.Words
	}
	for _, t := range s.Talks {
		for i := range t.Waiting {
			t.Waiting[i].older = t.Waiting[i].Home == ""
		}
		c.placeOf(t.Pane).talk = talk{prompts: t.Waiting}
	}
	c.heir = &s
	if c.held == nil {
		c.held = make(chan struct{})
	}
	c.nudge()
}

// inherit takes over what the image before was doing, once.
func (c *Coordinator) inherit(ctx context.Context) error {
	c.mu.Lock()
	s := c.heir
	c.mu.Unlock()
	if s == nil {
		return nil
	}
	orphans, err := c.cfg.Store.Orphans(ctx, c.cfg.Instance)
	if err != nil {
		return fmt.Errorf("look for what this process was doing before it was upgraded: %w", err)
	}
	told := map[panes.TerminalID]LifeState{}
	for _, l := range s.Lives {
		told[l.Terminal] = l
	}
	for _, o := range orphans {
		c.inheritOne(o, told)
		delete(told, o.Terminal.ID)
	}
	// The rest has ended; what its pane says of it is not all in the store.
	for _, l := range told {
		if l.Ended && c.cfg.Host.Terminal(l.Terminal) != nil {
			c.keep(l.dead())
		}
	}
	here := c.present()
	c.mu.Lock()
	c.heir = nil
	for _, r := range s.Queue { // whether there is still something to resume is looked at then
		if here(r.Pane) {
			c.enqueue(r)
		}
	}
	c.mu.Unlock()
	c.soilAll()
	c.GoOn()
	return nil
}

// inheritOne takes over one thing that was under way.
func (c *Coordinator) inheritOne(o Orphan, told map[panes.TerminalID]LifeState) {
	t, b := o.Terminal, o.Binding
	if b != nil && b.Reason == Resuming && b.Owner == c.cfg.Instance {
		// Its resume is gone with the image that had it under way.
		c.giveBack(ClaimRef{Terminal: t.ID, Owner: b.Owner, Token: b.Token, At: c.cfg.Now()}, "the process was upgraded meanwhile")
		return
	}
	if t.Instance != c.cfg.Instance {
		return
	}
	l := &life{
		id: t.ID, pane: t.Pane, nonce: t.Nonce, process: t.Process, begun: true, started: t.Created, gateNoted: t.GateOpen,
		first: true, disposed: !t.DisposeRequested.IsZero(),
	}
	if b != nil {
		l.kind, l.first, l.turn = b.Kind, b.Predecessor == "", b.Prompted || b.Pinned
		l.probation, l.attempts, l.firstDeath = b.Predecessor != "", b.Attempts, b.FirstDeath
	}
	if t.Shell != "" {
		l.typed = &typing{shell: t.Shell, goodbye: b != nil && b.Reason == Detached}
	}
	term := c.cfg.Host.Terminal(t.Screen())
	switch {
	case t.Status == TerminalActive && term != nil:
		l.gateOpen = term.GateOpen()
		l.recall(told[t.ID])
		c.keep(l)
		c.watch(term)
		if l.typed == nil { // else it may be what the shell told, or an agent before
			c.retold(term)
		}
		if l.disposed { // [P8]
			c.carryOut(l)
		}
	case t.Status == TerminalActive || b != nil && b.Reason == Live:
		// Its pty did not come along.
		c.bury(o)
	case l.disposed:
		c.finish(t)
	case b != nil && b.Reason == Detached && b.Unsure:
		l.ended, l.exited, l.settleAt = true, t.Ended, t.Ended.Add(c.cfg.Policy.SettleIdle)
		if t.Exit != nil {
			l.exit = *t.Exit
		}
		l.recall(told[t.ID])
		c.keep(l)
	}
}

// keep adds a terminal to those that are known.
func (c *Coordinator) keep(l *life) {
	here := c.present()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lives[l.id], l.said = l, c.statusOf(l) // it was told before
	pl := c.placeOf(l.pane)
	pl.closed = pl.closed || l.disposed && !here(l.pane)
}

// recall adds to what the store says of a terminal what it does not know.
func (l *life) recall(told LifeState) {
	if told.Terminal != l.id {
		return
	}
	l.pane, l.notice, l.firstKey, l.freshUntil, l.lastLine = told.Pane, told.Notice, told.FirstKey, told.FreshUntil, told.LastLine
	l.started, l.turn, l.probation, l.evidence = told.Started, l.turn || told.Turn, told.Probation, told.Evidence
	if l.ended && !told.SettleAt.IsZero() {
		l.settleAt = told.SettleAt
	}
}

// dead is the life of a terminal for which the store has nothing more to do.
func (told LifeState) dead() *life {
	return &life{
		id: told.Terminal, pane: told.Pane, kind: told.Kind, begun: true, started: told.Started, first: told.First, turn: told.Turn,
		attempts: told.Attempts, firstDeath: told.FirstDeath,
		over: over{ended: true, exit: told.Exit, exited: told.Exited, lastLine: told.LastLine},
	}
}

// bury ends a terminal of this instance that the host has not, as the sweep does
// those of a dead one. It runs beside the loop: a process may take its time to die.
func (c *Coordinator) bury(o Orphan) {
	c.spawn("bury", func() {
		for {
			err := c.sweepOne(c.ctx, c.cfg.Instance, o)
			if err == nil || c.ctx.Err() != nil {
				return
			}
			c.cfg.Log.Warn("end what was not handed over", "terminal", o.Terminal.ID, "err", err)
			select {
			case <-c.ctx.Done():
				return
			case <-time.After(c.cfg.Policy.SweepEvery):
			}
		}
	})
}
