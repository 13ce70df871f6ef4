package panes

// NewTab adds a tab of that name with a first pane, behind the tab after; "": at the
// end. ErrNoTab: there is no such one. ErrFull, ErrTabName.
func (h *Host) NewTab(name string, after TabID) (PaneID, error) {
	tab, p := NewTabID(), NewPaneID()
	err := h.edit(func(l Layout) (Layout, error) {
		l, err := l.NewTab(tab, p, after)
		if err != nil {
			return l, err
		}
		return l.RenameTab(tab, name)
	})
	if err != nil {
		return "", err
	}
	return p, nil
}

// RenameTab gives a tab a name; "": it is called by what runs in it again.
// ErrNoTab, ErrTabName.
func (h *Host) RenameTab(tab TabID, name string) error {
	return h.edit(func(l Layout) (Layout, error) { return l.RenameTab(tab, name) })
}

// RenamePane gives a pane a name; "": it is called as its program says again.
// ErrNoPane, ErrPaneName.
func (h *Host) RenamePane(p PaneID, name string) error {
	return h.edit(func(l Layout) (Layout, error) { return l.RenamePane(p, name) })
}

// MoveTab puts a tab at another place among the tabs, from 0; places beyond the
// ends mean the ends.
func (h *Host) MoveTab(tab TabID, to int) {
	_ = h.edit(func(l Layout) (Layout, error) { return l.MoveTab(tab, to), nil })
}

// Split puts a new pane beside pane p; p "" makes the first one. ErrNoRoom: a
// pane needs MinCols × MinRows (area is the size of the whole pane area).
// ErrNoPane: there is no p, or a first one was asked for and is not. ErrFull.
func (h *Host) Split(p PaneID, dir Direction, area Size) (PaneID, error) {
	id := NewPaneID()
	err := h.edit(func(l Layout) (Layout, error) { return l.Split(p, id, dir, area) })
	if err != nil {
		return "", err
	}
	return id, nil
}

// MovePane puts a pane beside another one, of its tab or of any, with what runs in
// it. ErrNoPane: one of them is not there, or both are the same. ErrNoRoom.
func (h *Host) MovePane(p, beside PaneID, dir Direction, area Size) error {
	return h.edit(func(l Layout) (Layout, error) { return l.MovePane(p, beside, dir, area) })
}

// Break gives a pane a tab of its own, with what runs in it; one that has a tab
// for itself stays. ErrNoPane, ErrFull.
func (h *Host) Break(p PaneID) error {
	tab := NewTabID()
	return h.edit(func(l Layout) (Layout, error) { return l.Break(p, tab) })
}

// Close takes a pane out of the layout; its neighbours get the room, and a tab
// goes with its last pane. The pane's terminal stays known until retired.
func (h *Host) Close(p PaneID) {
	_ = h.edit(func(l Layout) (Layout, error) { return l.Close(p), nil })
}

// Grow moves the border of p that lies in the direction outward by n cells (n < 0:
// inward). If p has none there, the opposite one moves the same way on the screen.
func (h *Host) Grow(p PaneID, dir Direction, n int, area Size) {
	_ = h.edit(func(l Layout) (Layout, error) { return l.Grow(p, dir, n, area), nil })
}
