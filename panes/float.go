package panes

// A pane may float over a tab: one at most, which no split of the tab knows of. It
// goes where a person wants it for a moment, and keeps its program when it is hidden.

// floatShare is how much of the area's height a floating pane has, of floatWhole.
const (
	floatShare = 3
	floatWhole = 5
)

// Float gives a tab a floating pane. ErrNoTab. ErrNoPane: it has one, or made is a pane
// already. ErrFull.
func (l Layout) Float(tab TabID, made PaneID) (Layout, error) {
	at := l.index(tab)
	switch {
	case at < 0:
		return l, ErrNoTab
	case l.Tabs[at].Floating != "" || made == "" || l.has(made):
		return l, ErrNoPane
	case len(l.Panes()) >= MaxPanes:
		return l, ErrFull
	}
	l = l.Clone()
	l.Tabs[at].Floating = made
	return l, nil
}

// PlaceFloating is where the floating pane stands when it is shown: over the full width
// at the foot of the area, under its title row. Without one there is nowhere.
func (t Tab) PlaceFloating(area Size) Placed {
	if t.Floating == "" {
		return Placed{}
	}
	w, all := max(area.Cols, 0), max(area.Rows, 0)
	h := min(max(all*floatShare/floatWhole, MinRows+1), all)
	title := Rect{Y: all - h, W: w, H: min(h, 1)}
	return Placed{Pane: t.Floating, Title: title, Grid: Rect{Y: title.Y + title.H, W: w, H: h - title.H}}
}

// has reports whether a pane is the tab's.
func (t *Tab) has(p PaneID) bool {
	return p != "" && (t.Floating == p || t.Root.path(p) != nil)
}

// slot is where the name of a pane of the tab stands.
func (t *Tab) slot(p PaneID) *PaneID {
	if t.Floating == p {
		return &t.Floating
	}
	path := t.Root.path(p)
	return &path[len(path)-1].Pane
}

// Float is Layout.Float with a new pane.
func (h *Host) Float(tab TabID) (PaneID, error) {
	id := NewPaneID()
	if err := h.edit(func(l Layout) (Layout, error) { return l.Float(tab, id) }); err != nil {
		return "", err
	}
	return id, nil
}
