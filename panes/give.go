package panes

import (
	"fmt"
	"slices"
)

// Give hands pane p over to another host of this process, with the terminal that it
// shows and those that are named: their programs, screens and input stay as they are
// and nothing of what is on its way is lost. place puts the pane into the other's
// layout; if it cannot, nothing has changed. ErrNoPane: this host has no p. Whoever
// had the focus in it has not any more, and both layouts have it for a moment.
// Nothing may be started in the pane meanwhile.
func (h *Host) Give(p PaneID, terminals []TerminalID, to *Host, place func(Layout) (Layout, error)) error {
	if h == to {
		return fmt.Errorf("give pane %s away: it is there already", p)
	}
	defer h.together(to)()
	given, err := h.given(p, terminals)
	if err == nil {
		err = to.edit(place)
	}
	if err != nil {
		return fmt.Errorf("give pane %s away: %w", p, err)
	}
	h.unfocus(p)
	to.accept(p, given)
	to.fit(p)
	_ = h.edit(func(l Layout) (Layout, error) { return l.Close(p), nil })
	h.mu.Lock()
	for _, t := range given.terminals {
		h.forget(t)
	}
	h.mu.Unlock()
	fg, bg := to.Colors()
	for _, t := range given.terminals {
		t.setColors(fg, bg)
		if ended(t) {
			to.changed(t) // it may have told this host
		}
	}
	h.wake()
	to.wake()
	return nil
}

// together keeps both hosts from being paused. The one that was made first is asked
// first, so that two pauses and two gifts cannot wait for each other.
func (h *Host) together(other *Host) (apart func()) {
	first, second := h, other
	if second.born < first.born {
		first, second = second, first
	}
	first.launching.RLock()
	second.launching.RLock()
	return func() {
		second.launching.RUnlock()
		first.launching.RUnlock()
	}
}

// gift is what goes with a pane.
type gift struct {
	terminals []*Terminal // in the order of their start
	shown     *Terminal
	retiring  []TerminalID
	size      Size // zero: it was never shown
}

// given lists what goes with pane p.
func (h *Host) given(p PaneID, terminals []TerminalID) (gift, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.layout.has(p) {
		return gift{}, ErrNoPane
	}
	g := gift{shown: h.shown[p], size: h.sizes[p]}
	for _, t := range h.terminals {
		if t == g.shown || slices.Contains(terminals, t.ID()) {
			g.terminals = append(g.terminals, t)
			if h.retiring[t.ID()] {
				g.retiring = append(g.retiring, t.ID())
			}
		}
	}
	return g, nil
}

// accept takes over what goes with a pane that is in the layout already.
func (h *Host) accept(p PaneID, g gift) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.terminals = append(h.terminals, g.terminals...)
	for _, id := range g.retiring {
		h.retiring[id] = true
	}
	if g.shown != nil {
		h.shown[p] = g.shown
		g.shown.ownedBy(h) // one of an earlier server is not among the terminals
	}
	if _, seen := h.sizes[p]; !seen && g.size != (Size{}) { // who shows it already has said how large it is
		h.sizes[p] = g.size
	}
	for _, t := range g.terminals {
		t.ownedBy(h)
	}
}

// unfocus takes all keyboards from a pane.
func (h *Host) unfocus(p PaneID) {
	f := &h.focus
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.anyAt(p) {
		return
	}
	for c, at := range f.of {
		if at == p {
			delete(f.of, c)
		}
	}
	h.tellFocus(p, false)
}
