package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/panes/input"
	"reprise/panes/vt"
)

// grab is what the mouse does while a button is held, and where it was pressed.
type grab struct {
	pane   panes.PaneID // where it was pressed; "": at none
	does   grabbing
	side   panes.Direction // of pane, where the border is
	from   vt.Pos          // the cell, by its line
	moved  bool            // something is selected
	x, y   int
	at     time.Time
	clicks int // at one place, shortly after another
	edge   int // the mouse is beyond an edge of the pane: -1 above, 1 below
	serial int // of the press and the edge
}

type grabbing uint8

const (
	tells grabbing = iota // the program what the mouse does
	selecting
	moving  // a border
	opening // what it was pressed at
)

const (
	clickTime  = 400 * time.Millisecond // between the clicks of a double one
	edgeTime   = 50 * time.Millisecond  // between the lines that scroll past an edge
	wheelLines = 3
)

// mouse gives the focus to the pane that is clicked, and the event to the program
// under it, if it asked for it; else the mouse selects and scrolls. While a button
// is held the pane in which it was pressed gets everything.
func (m *Model) mouse(ev uv.MouseEvent) tea.Cmd {
	_, click := ev.(uv.MouseClickEvent)
	if _, side := m.mode.(*sideKeys); side && click && !m.cfg.NoMouse {
		m.enter(passThrough{}, 0) // whoever clicks is done with the keys there
	}
	if _, repeats := m.mode.(*repeating); repeats && click {
		m.enter(passThrough{}, 0)
	}
	if _, pass := m.mode.(passThrough); !pass || m.view.refused() {
		return nil
	}
	e := ev.Mouse()
	at, inside := m.under(e.X, e.Y)
	if m.cfg.NoMouse {
		return m.mouseFor(at, inside, ev)
	}
	g := &m.grab
	switch ev.(type) {
	case uv.MouseClickEvent:
		if tab, is := m.draws.composer.TabAt(e.X, e.Y); is {
			return m.showTab(tab)
		}
		if cmd, is := m.sideClick(e.X, e.Y); is {
			return cmd
		}
		m.setFocus(at.Pane)
		if m.press(e, at, inside) {
			return nil
		}
	case uv.MouseReleaseEvent:
		defer g.release()
	}
	if g.does == moving {
		m.moveBorder(e)
		return nil
	}
	if g.pane != "" {
		for _, pl := range m.view.placed {
			if pl.Pane == g.pane {
				at, inside = pl, true
			}
		}
	}
	p := m.view.panes[at.Pane]
	if !inside || p == nil || p.term == nil {
		return nil
	}
	if cmd, opened := m.openAt(p, at, ev); opened {
		return cmd
	}
	if m.ours(p, ev) {
		return m.copyMouse(p, at, ev)
	}
	return m.tellMouse(p, at, ev)
}

// mouseFor is mouse where it is for the focused pane's program alone.
func (m *Model) mouseFor(at panes.Placed, inside bool, ev uv.MouseEvent) tea.Cmd {
	p := m.view.focused()
	if !inside || at.Pane != m.view.focus || p == nil || p.term == nil || p.copy != nil {
		return nil
	}
	return m.tellMouse(p, at, ev)
}

// tellMouse tells a pane's program what the mouse does in it, if it asked for that.
func (m *Model) tellMouse(p *pane, at panes.Placed, ev uv.MouseEvent) tea.Cmd {
	if p.dead || m.cfg.ReadOnly {
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

// press notes where a button was pressed, and whether at a border, which it moves.
func (m *Model) press(e uv.Mouse, at panes.Placed, inside bool) (border bool) {
	g := &m.grab
	again := g.x == e.X && g.y == e.Y && time.Since(g.at) < clickTime
	*g = grab{x: e.X, y: e.Y, at: time.Now(), clicks: g.clicks + 1, serial: g.serial + 1}
	if !again {
		g.clicks = 1
	}
	if inside {
		g.pane = at.Pane
		return false
	}
	if e.Button != uv.MouseLeft || m.cfg.ReadOnly || m.view.zoomed() || at.Pane != "" && at.Pane == m.view.Floating {
		return false
	}
	for _, pl := range m.view.placed {
		t, r := pl.Title, pl.Grid
		switch {
		case t.H > 0 && e.Y == t.Y && t.Y > 0 && e.X >= t.X && e.X < t.X+t.W:
			if s := m.view.Stack(pl.Pane); len(s) > 0 && s[0] != pl.Pane {
				return true // between panes of a stack there is no border to move
			}
			g.pane, g.side = pl.Pane, panes.Up
		case e.X == r.X+r.W && e.Y >= r.Y-t.H && e.Y < r.Y+r.H:
			g.pane, g.side = pl.Pane, panes.Right
		default:
			continue
		}
		g.does = moving
		m.lead()
		return true
	}
	return false
}

func (g *grab) release() {
	g.pane, g.does, g.moved, g.edge = "", tells, false, 0
	g.serial++
}

// moveBorder moves the border that is held to where the mouse is.
func (m *Model) moveBorder(e uv.Mouse) {
	g, area := &m.grab, m.view.area()
	// The host's layout: the view's may be older than the last move.
	tab, _ := m.cfg.Host.Layout().TabOf(g.pane)
	for _, pl := range m.view.beside(tab.Arrange(area, m.view.front()...)) {
		if pl.Pane != g.pane {
			continue
		}
		n := e.X - (pl.Grid.X + pl.Grid.W)
		if g.side == panes.Up {
			n = pl.Title.Y - e.Y
		}
		m.cfg.Host.Grow(g.pane, g.side, n, area)
		m.draws.dirty = true
	}
}

// ours reports whether a mouse event is for selecting and scrolling: the pane is in
// copy mode, or its program does not ask for the mouse. The wheel over the
// alternate screen is the program's: there is nothing to scroll.
func (m *Model) ours(p *pane, ev uv.MouseEvent) bool {
	if m.grab.does == selecting || p.copy != nil {
		return true
	}
	modes := modesOf(p.term)
	_, wheel := ev.(uv.MouseWheelEvent)
	return p.dead || m.cfg.ReadOnly || modes.Mouse == 0 && !(wheel && modes.AltScreen)
}

// under is the pane at a place of the screen; inside: at its program's cells. What
// lies beyond the edge of a smaller screen is none of them.
func (m *Model) under(x, y int) (at panes.Placed, inside bool) {
	in := func(r panes.Rect) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }
	for _, pl := range slices.Backward(m.view.placed) { // what stands over others comes last
		if in(pl.Grid) {
			p := m.view.panes[pl.Pane]
			return pl, p != nil && x-pl.Grid.X < p.seen().Cols && y-pl.Grid.Y < p.seen().Rows
		}
		if in(pl.Title) {
			return pl, false
		}
	}
	return panes.Placed{}, false
}

// seen is the screen that the pane shows.
func (p *pane) seen() *vt.Screen {
	if p.copy != nil {
		return &p.copy.screen
	}
	return &p.screen
}

// cell is a place of the client's screen as a cell of the screen that the pane
// shows, of which r may show a part; kept within what is in sight of it.
func (p *pane) cell(x, y int, r panes.Rect) (col, row int) {
	s := p.seen()
	left, top := panes.Fit(s, panes.Size{Cols: r.W, Rows: r.H})
	return left + min(max(x-r.X, 0), max(min(r.W, s.Cols)-1, 0)), top + min(max(y-r.Y, 0), max(min(r.H, s.Rows)-1, 0))
}

// moved is a mouse event with its place as a cell of the pane's screen.
func (p *pane) moved(ev uv.MouseEvent, r panes.Rect) uv.Event {
	e := ev.Mouse()
	e.X, e.Y = p.cell(e.X, e.Y, r)
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
