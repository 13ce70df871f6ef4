package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/panes/input"
	"reprise/panes/vt"
	"reprise/ui/pump"
)

// paste is the paste that comes in, in pieces.
type paste struct {
	to   *panes.Terminal // where it began: it ends there too
	pane panes.PaneID
	drop bool // a piece found no room: the rest is dropped
}

// input takes one event of the client's terminal.
func (m *Model) input(e pump.Event) tea.Cmd {
	if e.Paste {
		return m.pasted(e)
	}
	return m.event(e.Ev)
}

func (m *Model) event(ev uv.Event) tea.Cmd {
	switch ev := ev.(type) {
	case uv.KeyPressEvent:
		m.keyed()
		return m.mode.key(m, ev)
	case uv.KeyReleaseEvent:
		return m.release(ev)
	case uv.MouseEvent:
		return m.mouse(ev)
	case uv.FocusEvent:
		m.view.blurred = false
		m.sendFocus(m.view.focus, true)
	case uv.BlurEvent:
		m.sendFocus(m.view.focus, false)
		m.view.blurred = true
	default:
		return m.answered(ev)
	}
	return nil
}

// modes are what a terminal's program asked for.
func modesOf(t *panes.Terminal) vt.Modes {
	if t == nil {
		return vt.Modes{}
	}
	return t.State().Modes
}

// sendKey sends a key to the focused pane's program.
func (m *Model) sendKey(k uv.KeyPressEvent) tea.Cmd {
	p := m.view.focused()
	if p == nil || p.term == nil || m.cfg.ReadOnly {
		return nil
	}
	p.keyAt = time.Now()
	m.lead()
	return m.send(p, input.Encode(k, modesOf(p.term)))
}

// release passes a key's release on; only programs that asked for it get it.
func (m *Model) release(k uv.KeyReleaseEvent) tea.Cmd {
	p := m.view.focused()
	if _, pass := m.mode.(passThrough); !pass || p == nil || p.term == nil || p.dead || m.cfg.ReadOnly {
		return nil
	}
	return m.send(p, input.Encode(k, modesOf(p.term)))
}

// send queues bytes for a pane's program and says so if they find no room.
func (m *Model) send(p *pane, b []byte) tea.Cmd {
	if len(b) == 0 || p.term == nil {
		return nil
	}
	return m.sent(p, p.term.Send(b))
}

func (m *Model) sent(p *pane, err error) tea.Cmd {
	if errors.Is(err, panes.ErrInputFull) {
		return m.say(p.name+" is not reading; 1 MiB of input waits. Keys typed now are dropped until it reads.", true)
	}
	return nil // it has ended: its strip says so
}

// pasted passes a paste on, in pieces. It is never a command, whatever the mode;
// where a line is asked for it is text.
func (m *Model) pasted(e pump.Event) tea.Cmd {
	if p, asked := m.mode.(*prompt); asked {
		p.insert(string(e.Raw))
		m.draws.dirty = true
		return nil
	}
	if m.cfg.ReadOnly {
		return nil
	}
	ps := &m.paste
	if e.Start {
		*ps = paste{}
		if _, pass := m.mode.(passThrough); pass {
			if p := m.view.focused(); p != nil && p.term != nil && !p.dead {
				ps.to, ps.pane = p.term, m.view.focus
				m.lead()
			}
		}
	}
	p := m.view.panes[ps.pane]
	if p != nil {
		p.keyAt = time.Now()
	} else if f := m.view.focused(); f != nil {
		f.keyAt = time.Now() // swallowed by a strip: it is typing all the same
	}
	if ps.to == nil || p == nil {
		return nil
	}
	modes := modesOf(ps.to)
	var cmd tea.Cmd
	if e.Start {
		cmd = m.piece(p, input.PasteStart(modes))
	}
	if len(e.Raw) > 0 && !ps.drop {
		cmd = tea.Batch(cmd, m.piece(p, input.PastePiece(e.Raw, modes)))
	}
	if e.End {
		// The end mark goes out even if a piece did not: a program left inside a
		// paste would take keys for pasted text.
		_ = ps.to.Send(input.PasteEnd(modes))
		*ps = paste{}
	}
	return cmd
}

func (m *Model) piece(p *pane, b []byte) tea.Cmd {
	if len(b) == 0 {
		return nil
	}
	err := m.paste.to.Send(b)
	m.paste.drop = m.paste.drop || err != nil
	return m.sent(p, err)
}

// mouse shows the tab and gives the focus to the pane that is clicked, and the event to the program
// under it, if it asked for it. While a button is held the pane in which it was
// pressed gets everything.
func (m *Model) mouse(ev uv.MouseEvent) tea.Cmd {
	if _, pass := m.mode.(passThrough); !pass {
		return nil
	}
	e := ev.Mouse()
	at, inside := m.under(e.X, e.Y)
	switch ev.(type) {
	case uv.MouseClickEvent:
		if tab, is := m.draws.composer.TabAt(e.X, e.Y); is {
			return m.showTab(tab)
		}
		m.setFocus(at.Pane)
		m.drag = ""
		if inside {
			m.drag = at.Pane
		}
	case uv.MouseReleaseEvent:
		defer func() { m.drag = "" }()
	}
	if m.drag != "" {
		for _, pl := range m.view.placed {
			if pl.Pane == m.drag {
				at, inside = pl, true
			}
		}
	}
	p := m.view.panes[at.Pane]
	if !inside || p == nil || p.term == nil || p.dead || m.cfg.ReadOnly {
		return nil
	}
	if b := input.Encode(p.moved(ev, at.Grid), modesOf(p.term)); len(b) > 0 {
		if _, click := ev.(uv.MouseClickEvent); click {
			m.lead()
		}
		return m.sent(p, p.term.Report(b))
	}
	return nil
}

// under is the pane at a place of the screen; inside: at its program's cells. What
// lies beyond the edge of a smaller screen is none of them.
func (m *Model) under(x, y int) (at panes.Placed, inside bool) {
	in := func(r panes.Rect) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }
	for _, pl := range m.view.placed {
		if in(pl.Grid) {
			p := m.view.panes[pl.Pane]
			return pl, p != nil && x-pl.Grid.X < p.screen.Cols && y-pl.Grid.Y < p.screen.Rows
		}
		if in(pl.Title) {
			return pl, false
		}
	}
	return panes.Placed{}, false
}

// moved is a mouse event with its place counted from the upper left cell of the
// pane's screen, of which r may show a part; kept within what is seen of it.
func (p *pane) moved(ev uv.MouseEvent, r panes.Rect) uv.Event {
	left, top := panes.Fit(&p.screen, panes.Size{Cols: r.W, Rows: r.H})
	e := ev.Mouse()
	e.X = left + min(max(e.X-r.X, 0), max(min(r.W, p.screen.Cols)-1, 0))
	e.Y = top + min(max(e.Y-r.Y, 0), max(min(r.H, p.screen.Rows)-1, 0))
	switch ev.(type) {
	case uv.MouseClickEvent:
		return uv.MouseClickEvent(e)
	case uv.MouseReleaseEvent:
		return uv.MouseReleaseEvent(e)
	case uv.MouseWheelEvent:
		return uv.MouseWheelEvent(e)
	}
	return uv.MouseMotionEvent(e)
}
