package ui

import (
	"github.com/charmbracelet/x/ansi"

	"reprise/panes"
)

// clipped is how far a client has seen what a pane's program set the clipboard to.
type clipped struct {
	by *panes.Terminal
	n  uint64
}

// clip hands on what programs of visible panes set the clipboard to: the person's
// clipboard is where the person is. What was set before this client saw the
// program is not set again.
func (m *Model) clip() {
	seen := m.draws.clips
	for _, pl := range m.view.placed {
		p := m.view.panes[pl.Pane]
		if p == nil || p.term == nil {
			continue
		}
		now := p.term.Clipping()
		if was := seen[pl.Pane]; was.by == p.term && now.N > was.n {
			m.outer.pending += ansi.SetSystemClipboard(string(now.Text))
		} else if was.by == p.term {
			continue
		}
		seen[pl.Pane] = clipped{p.term, now.N}
	}
	if len(seen) > len(m.view.panes) {
		for id := range seen {
			if m.view.panes[id] == nil {
				delete(seen, id)
			}
		}
	}
}
