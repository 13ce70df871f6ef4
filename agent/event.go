package agent

import (
	"time"

	"reprise/panes"
)

// Event is what became of an agent that a person may want to know at once.
type Event struct {
	Pane  panes.PaneID
	What  EventKind
	Label string // the agent, as the screen says it
	// Words say how it ended (EventExited), or what failed and what to do
	// (EventFailed); "" for the others.
	Words string
	At    time.Time
	Guess bool // it looks like that
}

// EventKind is what became of an agent.
type EventKind uint8

// Kinds of events.
const (
	EventDone   EventKind = iota + 1 // its turn ended
	EventAsks                        // it waits for a permission or an answer
	EventExited                      // it ended
	EventFailed                      // it could not be resumed, died too often, or its turn failed
)

// doingEvents are what agents come to do that makes an event.
var doingEvents = map[Doing]EventKind{TurnDone: EventDone, AsksPermission: EventAsks, AsksAnswer: EventAsks, TurnFailed: EventFailed}

// happened notes an event, to be told when mu is free. mu is held.
func (c *Coordinator) happened(e Event) {
	if c.cfg.Event == nil || c.stopping {
		return
	}
	c.subs.events = append(c.subs.events, e)
	c.nudge()
}

// tell tells the events that were noted, in order.
func (c *Coordinator) tell() {
	c.mu.Lock()
	all := c.subs.events
	c.subs.events = nil
	c.mu.Unlock()
	for _, e := range all {
		c.cfg.Event(e)
	}
}

// noticed notes what agents have come to do since it was last called. mu is held.
func (c *Coordinator) noticed(now time.Time) {
	for _, l := range c.lives {
		s := StatusOf(l.evidence, now)
		if l.kind == "" || l.ended || s.Doing == l.said.Doing && s.Since.Equal(l.said.Since) {
			continue
		}
		l.said = s
		if what := doingEvents[s.Doing]; what != 0 {
			e := Event{Pane: l.pane, What: what, Label: c.label(l.kind, nil), At: s.Since, Guess: s.Guess()}
			if what == EventFailed {
				e.Words = turnFailedWords(e.Label)
			}
			c.happened(e)
		}
	}
}

// exited notes an agent's end, unless a person ended it or it is tried again. mu is
// held, and the pane's view is that after the end.
func (c *Coordinator) exited(l *life) {
	e := Event{Pane: l.pane, What: EventExited, Label: c.label(l.kind, nil), At: l.exited}
	v := c.placeOf(l.pane).view
	switch {
	case l.kind == "" || l.disposed || v.State == PaneWaiting:
		return
	case v.State == PanePaused:
		e.What, e.Words = EventFailed, v.Reason
	default:
		e.Words = endedWords(e.Label, l.exit)
		if l.typed != nil && v.Left.Session != "" {
			e.Words += "; its session is kept"
			if n := c.waitingFor(c.placeOf(l.pane), v.Left.Identity); n > 0 {
				e.Words += ", and " + waitWords(n) + " for it"
			}
		}
	}
	c.happened(e)
}

// refused notes that a resume failed. mu is held.
func (c *Coordinator) refused(p panes.PaneID, kind, words string) {
	c.happened(Event{Pane: p, What: EventFailed, Label: c.label(kind, nil), Words: words, At: c.cfg.Now()})
}
