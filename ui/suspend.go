package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// suspend gives the terminal back for a while, as ctrl-z does in other programs.
// What runs in the panes goes on. Nothing is drawn until the client is back.
func suspend(m *Model) tea.Cmd {
	stop := m.cfg.Suspend
	if stop == nil {
		return m.say("This client cannot be suspended.", true)
	}
	if m.away {
		return nil
	}
	m.away = true
	out := m.out
	return m.run(func(context.Context) tea.Msg {
		// Behind the frame that is being written: the terminal is left as it was.
		if err := out.write([]byte(Reset)); err != nil {
			return writtenMsg{err}
		}
		stop()
		return nil
	})
}

// resumedMsg says that the client is back after it was suspended, by us or from
// outside. Its terminal knows nothing of what it was told.
type resumedMsg struct{}

func (resumedMsg) apply(m *Model) tea.Cmd {
	m.away = false
	m.outer.told = untold
	m.outer.pending = m.Enter()
	m.draws.painter.Invalidate()
	m.draws.dirty = true
	return nil
}
