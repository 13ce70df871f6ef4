package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
)

// echoTime is how long what a key does is looked out for.
const echoTime = 50 * time.Millisecond

// echo is what a key is about to do. It is shown at once, whatever other panes
// print meanwhile: those wait for their frame.
type echo struct {
	own   bool // the key may have changed something of this client
	term  *panes.Terminal
	seq   uint64    // of term when the key was sent to it
	until time.Time // from then on nobody waits for it
}

// keyed notes a key of the person.
func (m *Model) keyed() {
	e := echo{own: true}
	if p := m.view.focused(); p != nil && p.term != nil {
		e.term, e.seq, e.until = p.term, p.term.Seq(), time.Now().Add(echoTime)
	}
	m.draws.echo = e
}

// echoed reports whether a key has done something that was not shown yet. The next
// answer is about the rest of what it does.
func (m *Model) echoed() bool {
	e := &m.draws.echo
	switch {
	case e.own:
		e.own = false
		return true
	case e.term != nil && e.term.Seq() != e.seq:
		hit := time.Now().Before(e.until)
		e.term = nil
		return hit
	}
	return false
}

// listen waits on for the echo of a key while other frames are held back.
func (m *Model) listen() tea.Cmd {
	e := &m.draws.echo
	if e.term == nil || time.Now().After(e.until) {
		return nil
	}
	return m.wait()
}
