package ui

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/panes/vt"
)

// copyMouse selects with the mouse in a pane, and scrolls it.
func (m *Model) copyMouse(p *pane, at panes.Placed, ev uv.MouseEvent) tea.Cmd {
	e := ev.Mouse()
	col, row := p.cell(e.X, e.Y, at.Grid)
	switch ev.(type) {
	case uv.MouseWheelEvent:
		m.wheel(p, e.Button)
	case uv.MouseClickEvent:
		switch e.Button {
		case uv.MouseLeft:
			m.clicked(p, row, col)
		case uv.MouseMiddle:
			if !m.cfg.ReadOnly && len(m.copied) > 0 {
				m.lead()
				return m.pasteInto(p)
			}
		}
	case uv.MouseMotionEvent:
		if m.grab.does == selecting {
			return m.dragged(p, at.Grid, e, row, col)
		}
	case uv.MouseReleaseEvent:
		if m.grab.does == selecting && m.grab.moved {
			return m.dropped(p)
		}
	}
	return nil
}

// copyAuto is copyMode that ends by itself where the program's screen is.
func (m *Model) copyAuto(p *pane) *copying {
	on := p.copy != nil
	c := m.copyMode(p)
	if c != nil && !on {
		c.auto = true
	}
	if c != nil {
		c.Refresh()
	}
	return c
}

// wheel scrolls a pane; at the bottom the mode ends that the wheel began.
func (m *Model) wheel(p *pane, button uv.MouseButton) {
	n := wheelLines
	switch button {
	case uv.MouseWheelUp:
		n = -n
	case uv.MouseWheelDown:
		if p.copy == nil {
			return
		}
	default:
		return
	}
	c := m.copyAuto(p)
	if c == nil {
		return
	}
	c.Scroll(n)
	if c.auto && c.AtBottom() && m.grab.does != selecting && !c.find.typing {
		m.endCopy(p)
	}
}

// clicked begins a selection where the mouse is: of characters once it moves, of
// a word, of a line.
func (m *Model) clicked(p *pane, row, col int) {
	g := &m.grab
	g.does = selecting
	if g.clicks == 1 {
		if c := p.copy; c != nil {
			m.touch(p)
			c.Refresh()
			c.Unselect()
			c.MoveTo(row, col)
			g.from = c.Cursor()
			return
		}
		if x, ok := p.term.Extent(); ok {
			g.from = vt.Pos{Line: x.Screen + uint64(row), Col: col}
		}
		return
	}
	c := m.copyAuto(p)
	if c == nil {
		return
	}
	g.moved = true
	c.MoveTo(row, col)
	if g.clicks == 2 {
		c.SelectWord()
		return
	}
	c.SelectLine()
}

// dragged takes the selection to where the mouse is. Beyond an edge it scrolls
// there, line by line.
func (m *Model) dragged(p *pane, r panes.Rect, e uv.Mouse, row, col int) tea.Cmd {
	g := &m.grab
	if !g.moved && e.X == g.x && e.Y == g.y {
		return nil
	}
	c := m.copyAuto(p)
	if c == nil {
		return nil
	}
	if !g.moved {
		g.moved = true
		c.SelectFrom(g.from)
	}
	c.MoveTo(row, col)
	edge := 0
	switch {
	case e.Y < r.Y || e.Y == 0: // above the screen's first row there is nothing
		edge = -1
	case e.Y >= r.Y+r.H:
		edge = 1
	}
	if edge == g.edge {
		return nil
	}
	g.edge = edge
	g.serial++
	if edge == 0 {
		return nil
	}
	return m.after(edgeTime, edgeMsg{g.serial, col})
}

// edgeMsg scrolls on while the mouse is beyond an edge.
type edgeMsg struct{ serial, col int }

func (e edgeMsg) apply(m *Model) tea.Cmd {
	g := &m.grab
	p := m.view.panes[g.pane]
	if e.serial != g.serial || p == nil || p.copy == nil {
		return nil
	}
	c := p.copy
	m.touch(p)
	c.Refresh()
	c.Scroll(g.edge)
	row := 0
	if g.edge > 0 {
		row = c.screen.Rows - 1
	}
	c.MoveTo(row, e.col)
	return m.after(edgeTime, e)
}

// dropped copies what the mouse selected. A mode that it began ends, unless the
// person is looking at what was before.
func (m *Model) dropped(p *pane) tea.Cmd {
	c := p.copy
	if c == nil {
		return nil
	}
	m.touch(p)
	c.Refresh()
	text, cut := c.Yank(maxYank)
	if c.auto && c.AtBottom() {
		m.endCopy(p)
	}
	return m.copyOut(text, cut)
}
