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

// lead puts a client first and reports whether that changed anything.
func (c *clients) lead(id ClientID) bool {
	at := slices.Index(c.order, id)
	if at <= 0 {
		return false
	}
	c.order = slices.Insert(slices.Delete(c.order, at, at+1), 0, id)
	return true
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
	s = s.clamp()
	h.mu.Lock()
	if !h.layout.has(p) {
		h.mu.Unlock()
		return
	}
	h.clients.wish(c, p, s)
	todo := h.settle()
	h.mu.Unlock()
	h.resizeAll(todo)
}

// Lead tells that a client was typed at: the sizes of the panes follow it. It is
// cheap for the client that leads already.
func (h *Host) Lead(c ClientID) {
	h.mu.Lock()
	var todo map[*Terminal]Size
	if h.clients.lead(c) {
		todo = h.settle()
	}
	h.mu.Unlock()
	h.resizeAll(todo)
}

// Forget tells that a client is gone. Panes that nobody shows keep their size.
func (h *Host) Forget(c ClientID) {
	h.mu.Lock()
	h.clients.forget(c)
	todo := h.settle()
	h.mu.Unlock()
	h.resizeAll(todo)
}

// settle brings sizes up to date and returns the terminals to be resized; h.mu is
// held.
func (h *Host) settle() map[*Terminal]Size {
	var todo map[*Terminal]Size
	for _, w := range h.clients.wishes {
		for p := range w {
			s, _ := h.clients.size(p)
			if h.sizes[p] == s {
				continue
			}
			h.sizes[p] = s
			if t := h.shown[p]; t != nil {
				if todo == nil {
					todo = map[*Terminal]Size{}
				}
				todo[t] = s
			}
		}
	}
	return todo
}

func (h *Host) resizeAll(todo map[*Terminal]Size) {
	for t, s := range todo {
		h.resize(t, s)
	}
}
