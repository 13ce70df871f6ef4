package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// presence is whether the client is there to be drawn for.
type presence uint8

const (
	here    presence = iota
	going            // it is to suspend itself once the frame under way was written
	stopped          // it does, or did
)

// suspend gives the terminal back for a while, as ctrl-z does in other programs.
// What runs in the panes goes on. Nothing is drawn until the client is back.
func suspend(m *Model) tea.Cmd {
	if m.cfg.Suspend == nil {
		return m.say("This client cannot be suspended.", true)
	}
	if m.presence == here {
		m.presence = going // see flush
	}
	return nil
}

// stop suspends the client if it is to be, the terminal being as it was.
func (m *Model) stop() tea.Cmd {
	if m.presence != going || m.draws.writing {
		return nil
	}
	m.presence = stopped
	m.tellFocus()
	m.reportSight()
	out, suspend := m.out, m.cfg.Suspend
	return m.run(func(context.Context) tea.Msg {
		if err := out.write([]byte(Reset)); err != nil {
			return writtenMsg{err}
		}
		suspend()
		return nil
	})
}

// resumedMsg says that the client is back after it was suspended, by us or from
// outside. Its terminal knows nothing of what it was told.
type resumedMsg struct{}

func (resumedMsg) apply(m *Model) tea.Cmd {
	m.presence = here
	m.tellFocus()
	m.outer.told = untold
	m.outer.pending = m.Enter()
	m.draws.painter.Invalidate()
	m.status.notices.last = m.status.notices.log.Last() // hours may have gone by: they are in the log
	m.draws.dirty = true
	return nil
}
