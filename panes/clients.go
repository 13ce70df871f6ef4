package panes

import "slices"

// ClientID names one attached client: any name, the same in each call.
type ClientID string

// clients says how large each pane is shown by whom. A pane has one size, that of
// the client which was typed at last, among those that show it: one that only
// looks on changes nothing for the others.
type clients struct {
	order  []ClientID // who was typed at last comes first
	wishes map[ClientID]map[PaneID]Size
}

func (c *clients) wish(id ClientID, p PaneID, s Size) {
	if c.wishes == nil {
		c.wishes = map[ClientID]map[PaneID]Size{}
	}
	if c.wishes[id] == nil {
		c.wishes[id] = map[PaneID]Size{}
		c.order = append(c.order, id)
	}
	c.wishes[id][p] = s
}

// size is the pane's; false: nobody shows it.
func (c *clients) size(p PaneID) (Size, bool) {
	for _, id := range c.order {
		if s, ok := c.wishes[id][p]; ok {
			return s, true
		}
	}
	return Size{}, false
}

func (c *clients) hide(id ClientID, p PaneID) { delete(c.wishes[id], p) }

func (c *clients) leads(id ClientID) bool { return len(c.order) > 0 && c.order[0] == id }

// lead puts a client first. One that shows nothing yet has no place.
func (c *clients) lead(id ClientID) {
	if at := slices.Index(c.order, id); at > 0 {
		c.order = slices.Insert(slices.Delete(c.order, at, at+1), 0, id)
	}
}

func (c *clients) forget(id ClientID) {
	c.order = slices.DeleteFunc(c.order, func(o ClientID) bool { return o == id })
	delete(c.wishes, id)
}

// keep drops the panes that has does not name.
func (c *clients) keep(has func(PaneID) bool) {
	for _, w := range c.wishes {
		for p := range w {
			if !has(p) {
				delete(w, p)
			}
		}
	}
}

// SetSize tells the size in which a client shows a pane. If no client that was
// typed at later shows it too, its terminal follows, and programs started for it
// later get it.
func (h *Host) SetSize(c ClientID, p PaneID, s Size) {
	h.showing(func() {
		if h.layout.has(p) {
			h.clients.wish(c, p, s.clamp())
		}
	})
}

// Hide tells that a client shows a pane no more (another one is zoomed, another
// tab is in front): its size follows those that still do. If there are none, it
// keeps its size.
func (h *Host) Hide(c ClientID, p PaneID) {
	h.showing(func() { h.clients.hide(c, p) })
}

// Lead tells that a client was typed at: the sizes of the panes that it shows
// follow it. It costs nothing for the client that leads already, so it may be
// called for every key.
func (h *Host) Lead(c ClientID) {
	h.mu.Lock()
	leads := h.clients.leads(c)
	h.mu.Unlock()
	if !leads {
		h.showing(func() { h.clients.lead(c) })
	}
}

// Forget tells that a client is gone; it must not be named again. Panes that
// nobody shows now keep their size.
func (h *Host) Forget(c ClientID) {
	h.SetFocus(c, "")
	h.showing(func() { h.clients.forget(c) })
}

// PaneSize is the size in which a program is started for a pane: as it is shown,
// or was last; 80×24 if it never was.
func (h *Host) PaneSize(p PaneID) Size {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.paneSize(p)
}

// paneSize is PaneSize; h.mu is held.
func (h *Host) paneSize(p PaneID) Size {
	if s, ok := h.sizes[p]; ok {
		return s
	}
	return defaultSize
}

// showing changes who shows what, and resizes the terminals that this concerns.
func (h *Host) showing(change func()) {
	h.mu.Lock()
	change()
	changed := h.settle()
	h.mu.Unlock()
	for _, p := range changed {
		h.fit(p)
	}
}

// settle brings sizes up to date and lists the panes that have another one now;
// h.mu is held.
func (h *Host) settle() (changed []PaneID) {
	for _, w := range h.clients.wishes {
		for p := range w {
			if s, _ := h.clients.size(p); h.sizes[p] != s {
				h.sizes[p] = s
				changed = append(changed, p)
			}
		}
	}
	return changed
}

// fit gives the terminal that a pane shows the pane's size. Calls may overtake one
// another; the last one sets the newest size.
func (h *Host) fit(p PaneID) {
	h.mu.Lock()
	t := h.shown[p]
	h.mu.Unlock()
	if t == nil {
		return
	}
	err := t.resizeTo(func() (Size, bool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		s, ok := h.sizes[p]
		return s, ok && h.shown[p] == t // else it is for whoever changed that
	})
	if err != nil {
		h.o.Log.Warn("resize", "err", err)
	}
}
