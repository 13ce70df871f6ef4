package agent

import (
	"time"

	"reprise/panes"
	"reprise/panes/vt"
)

// Expressive is a Kind that can tell by what its program shows what it does. Its
// methods are given what a program printed: they take nothing from it but whether it
// holds words of their own.
type Expressive interface {
	// Title is what a title (vt.State) tells; "": nothing.
	Title(title string) Doing
	// Screen is what the last rows of a screen that have text look like, the last one
	// last; "": nothing. Text that a model wrote must not look like anything.
	Screen(rows []string) Doing
}

// Told takes in what a program tells its terminal of itself. It may be called at any
// rate, by whoever reads its output, and does not block.
func (c *Coordinator) Told(t panes.Told) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.agentOn(t.Terminal)
	if l == nil {
		return
	}
	now, title := c.cfg.Now(), DoingUnknown
	if k, ok := c.kind(l.kind); ok {
		if k, ok := k.(Expressive); ok {
			title = k.Title(t.Title)
		}
	}
	protocol := l.evidence.says(ByProtocol, protocolDoing(t.Status), now)
	if l.evidence.says(ByTitle, title, now) || protocol {
		c.works(l)
		c.publish(c.placeOf(l.pane))
		c.nudge()
	}
}

// retold takes in what a program told its terminal while it was another's, or nobody's.
func (c *Coordinator) retold(t *panes.Terminal) { c.Told(t.Told()) }

// agentOn is the agent that has a terminal; nil: none has. mu is held.
func (c *Coordinator) agentOn(t panes.TerminalID) *life {
	l := c.lives[t]
	if l == nil || l.kind != "" {
		return l
	}
	for _, typed := range c.lives {
		if typed.typed != nil && typed.typed.shell == t && typed.typed.gone.IsZero() && !typed.ended {
			return typed
		}
	}
	return nil
}

// protocolDoing is what a status of the Program Status Protocol means.
func protocolDoing(s vt.Status) Doing {
	switch {
	case s.State == "blocked" && s.Kind == "permission":
		return AsksPermission
	case s.State == "blocked":
		return AsksAnswer
	}
	return map[string]Doing{"idle": Idle, "working": Working, "done": TurnDone, "error": TurnFailed}[s.State]
}

// says takes in what a source says from now on, and reports whether that is something
// else than before.
func (all *Evidences) says(by Source, doing Doing, since time.Time) bool {
	if all[by].Doing == doing {
		return false
	}
	all[by] = Evidence{}
	if doing != "" {
		all[by] = Evidence{Doing: doing, Since: since, Last: since}
	}
	return true
}
