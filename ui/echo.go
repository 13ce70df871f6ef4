package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
)

// echoTime is how long what a key does is looked out for.
const echoTime = 50 * time.Millisecond

// echo is what a key is about to do. It is shown at once, whatever other panes
// print meanwhile: those wait for their frame.
type echo struct {
	own   bool // the key changed something of this client
	term  *panes.Terminal
	seq   uint64    // of term when the key was sent to it
	until time.Time // from then on nobody waits for it
}

// keyed takes a key of the person.
func (m *Model) keyed(k uv.KeyPressEvent) tea.Cmd {
	d := &m.draws
	e := echo{}
	if p := m.view.focused(); p != nil && p.term != nil {
		e.term, e.seq, e.until = p.term, p.term.Seq(), time.Now().Add(echoTime)
	}
	d.echo = e
	was := d.dirty
	d.dirty = false
	cmd := m.mode.key(m, k)
	d.echo.own = d.dirty
	d.dirty = d.dirty || was
	return cmd
}

// echoed reports whether a key has done something that was not shown yet, and
// whether to its pane alone. The next answer is about the rest of what it does.
func (m *Model) echoed() (hit, alone bool) {
	e := &m.draws.echo
	switch {
	case e.own:
		e.own = false
		return true, false
	case e.term != nil && e.term.Seq() != e.seq:
		p := m.view.focused()
		hit, alone = time.Now().Before(e.until), p != nil && p.term == e.term
		e.term = nil
	}
	return hit, alone
}

// glance shows what a key did to its pane before the next frame is due: what others
// print is left to that.
func (m *Model) glance() tea.Cmd {
	cmd := m.refresh(m.view.focus, m.view.focused())
	if m.draw() {
		cmd = both(cmd, m.put())
	}
	return cmd
}

// othersPrinted reports whether a pane in sight beside the focused one has something new:
// a whole frame would copy its screen.
func (m *Model) othersPrinted() bool {
	v := &m.view
	for _, at := range v.placed {
		if p := v.panes[at.Pane]; at.Pane != v.focus && p != nil && p.term != nil && p.term.Seq() != p.seq && p.term.Seq() != p.titleSeq {
			return true
		}
	}
	return false
}

// ear waits for what one terminal prints.
type ear struct {
	term *panes.Terminal
	wait tea.Cmd // an echoMsg
	busy bool    // it waits
	stop func()
}

// echoMsg says that the terminal has printed that a client listens to.
type echoMsg struct{ term *panes.Terminal }

func (e echoMsg) apply(m *Model) tea.Cmd {
	if m.draws.ear.term == e.term {
		m.draws.ear.busy = false
		m.draws.dirty = true
	}
	return nil
}

// listen waits for the echo of a key while other frames are held back.
func (m *Model) listen() tea.Cmd {
	e, r := &m.draws.echo, &m.draws.ear
	if e.term == nil || time.Now().After(e.until) {
		return nil
	}
	if r.term != e.term {
		r.close()
		*r = listener(e.term)
	}
	if r.busy {
		return nil
	}
	r.busy = true
	return m.give(listens, r.wait)
}

func listener(t *panes.Terminal) ear {
	wake, cancel := t.Subscribe()
	done := make(chan struct{})
	var heard tea.Msg = echoMsg{t} // made once, as the command
	return ear{
		term: t,
		wait: func() tea.Msg {
			select {
			case <-wake:
				return heard
			case <-done:
				return nil
			}
		},
		stop: func() { cancel(); close(done) },
	}
}

func (r *ear) close() {
	if r.stop != nil {
		r.stop()
	}
	*r = ear{}
}
