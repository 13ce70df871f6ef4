package ui

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/vt"
)

// holdTime is how long a resumed agent may take to draw before its pane is shown
// as it is. Agents take one to three seconds.
const holdTime = 3 * time.Second

// hold keeps the last screen of a session's dead terminal in sight until its
// successor has drawn something: a person goes on reading, nothing flashes. Keys
// go to the successor all the while. The zero hold holds nothing.
type hold struct {
	until time.Time // zero: nothing is held
	next  vt.Screen // the successor's, while it is blank
	title string    // the dead program's, until the successor says one
}

func (h *hold) on() bool { return !h.until.IsZero() }

// over reports whether the successor's screen is to be shown: it has drawn, or it
// runs and time is up. One that died without a word leaves what there was to read.
func (h *hold) over(p *pane) bool {
	return h.on() && (!blank(&h.next) || !p.dead && !time.Now().Before(h.until))
}

// blank reports whether nothing is to be seen on a screen.
func blank(s *vt.Screen) bool {
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Rune != ' ' && c.Rune != 0 || c.BG != 0 {
			return false
		}
	}
	return true
}

// succeed takes on the terminal that a pane shows from now on.
func (m *Model) succeed(p *pane, term *panes.Terminal, told *agent.PaneView) tea.Cmd {
	title := m.titleOf(p)
	if p.hold.on() {
		title = p.hold.title
	}
	p.term, p.seq, p.titleSeq, p.state, p.cwd, p.asks = term, 0, 0, vt.State{}, "", false
	if term != nil {
		p.beside = nil
	}
	if term == nil || !resumed(&p.agent, told) {
		p.screen, p.hold = vt.Screen{}, hold{}
		return nil
	}
	p.hold = hold{until: time.Now().Add(holdTime), title: title}
	return m.after(holdTime, redrawMsg{})
}

// titleOf is what a pane's program calls itself. One that does not run yet, or is
// silent so far, is called as the one before it was, also before the server was started.
func (m *Model) titleOf(p *pane) string {
	switch {
	case p.state.Title != "":
		return p.state.Title
	case p.term == nil || p.dead:
		return cmp.Or(p.hold.title, m.view.layout.Meta[p.agent.Pane].Title)
	}
	return p.hold.title
}

// resumed reports whether a pane's new terminal carries on the session of the one
// before: the coordinator resumes it, or did since it was last asked.
func resumed(was, told *agent.PaneView) bool {
	return told.State == agent.PaneResuming || strips[was.State].saved && was.Kind != "" && was.Kind == told.Kind
}

// snapshot copies the screen of a pane's terminal.
func (p *pane) snapshot() {
	to := &p.screen
	if p.hold.on() {
		to = &p.hold.next
	}
	p.seq = p.term.Snapshot(to)
}

// release shows the successor's screen.
func (p *pane) release() {
	p.screen, p.hold = p.hold.next, hold{}
	if p.screen.Cols == 0 {
		p.seq = 0 // it was not shown and not copied yet
	}
}
