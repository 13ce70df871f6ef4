package agent

import (
	"time"

	"reprise/panes"
)

// signEvery is the time between two looks at a screen that is blank.
const signEvery = 50 * time.Millisecond

// awaitSign waits until the successor is up: its first hook, something on its
// screen, or its end. Agents take seconds to start and much of the machine; the
// next one must not begin while they do. The wait is bounded: an agent may say
// nothing at all.
func (a *attempt) awaitSign() {
	if a.sign == nil {
		return
	}
	c := a.c
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.starting, a.next.ID)
	}()
	bound, look := time.NewTimer(c.cfg.Policy.SignWithin), time.NewTicker(signEvery)
	defer bound.Stop()
	defer look.Stop()
	var seq uint64
	for {
		select {
		case <-a.sign:
			return
		case <-a.term.Done():
			return
		case <-bound.C:
			return
		case <-c.ctx.Done():
			return
		case <-look.C:
		}
		now := a.term.Seq()
		if now == seq {
			continue
		}
		seq = now
		// What stood there before, a restored history for example, is no sign.
		if line := a.term.LastLine(); line != "" && line != a.blank {
			return
		}
	}
}

// hear takes note of a hook of a terminal. mu is held.
func (c *Coordinator) hear(t panes.TerminalID) {
	if heard := c.starting[t]; heard != nil {
		delete(c.starting, t)
		close(heard)
	}
}
