package panes

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// NewTab adds a tab with a first pane, behind the tab after; "": at the end.
// ErrNoTab, ErrNoPane: one of the new ones is there, or after is not. ErrFull.
func (l Layout) NewTab(tab TabID, made PaneID, after TabID) (Layout, error) {
	if made == "" || l.has(made) {
		return l, ErrNoPane
	}
	at := len(l.Tabs)
	if after != "" {
		if at = l.index(after) + 1; at == 0 {
			return l, ErrNoTab
		}
	}
	if len(l.Panes()) >= MaxPanes {
		return l, ErrFull
	}
	return l.addTab(tab, made, at)
}

// addTab puts a tab with one pane at a place.
func (l Layout) addTab(tab TabID, p PaneID, at int) (Layout, error) {
	switch {
	case tab == "" || l.index(tab) >= 0:
		return l, ErrNoTab
	case len(l.Tabs) >= MaxTabs:
		return l, ErrFull
	}
	l = l.Clone()
	l.Tabs = slices.Insert(l.Tabs, at, Tab{ID: tab, Root: &Node{Pane: p, Weight: 1}})
	return l, nil
}

// RenameTab gives a tab a name; "": it is called by what runs in it again.
// ErrNoTab, ErrTabName.
func (l Layout) RenameTab(tab TabID, name string) (Layout, error) {
	at := l.index(tab)
	switch {
	case at < 0:
		return l, ErrNoTab
	case !validName(name, MaxTabName):
		return l, ErrTabName
	}
	l = l.Clone()
	l.Tabs[at].Name = name
	return l, nil
}

// validName reports whether a name of at most so many bytes can stand in a status bar
// or a title.
func validName(name string, most int) bool {
	if len(name) > most || !utf8.ValidString(name) {
		return false
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// MoveTab puts a tab at another place among the tabs, from 0; places beyond the
// ends mean the ends.
func (l Layout) MoveTab(tab TabID, to int) Layout {
	at := l.index(tab)
	if at < 0 {
		return l
	}
	l = l.Clone()
	moved := l.Tabs[at]
	l.Tabs = slices.Delete(l.Tabs, at, at+1)
	l.Tabs = slices.Insert(l.Tabs, min(max(to, 0), len(l.Tabs)), moved)
	return l
}

// MovePane puts a pane beside another one, of its tab or of any, which gives it
// half of its room. ErrNoPane: one of them is not there, or both are the same.
// ErrNoRoom, ErrFloats, as Split.
func (l Layout) MovePane(p, beside PaneID, dir Direction, area Size) (Layout, error) {
	from := l.holder(p)
	to := l.holder(beside)
	if from < 0 || p == beside || to < 0 {
		return l, ErrNoPane
	}
	if l.Tabs[to].Floating == beside {
		return l, ErrFloats
	}
	next := l.Clone()
	next.take(from, p)
	if err := next.Tabs[next.holder(beside)].insert(beside, p, dir, area); err != nil {
		return l, err
	}
	return next, nil
}

// Break gives a pane a tab of its own, behind the one that it is taken from; one
// that has a tab for itself stays. ErrNoPane, ErrNoTab, ErrFull, as NewTab.
func (l Layout) Break(p PaneID, tab TabID) (Layout, error) {
	from := l.holder(p)
	switch {
	case from < 0:
		return l, ErrNoPane
	case l.Tabs[from].Root.leaf() && l.Tabs[from].Floating == "":
		return l, nil
	}
	next := l.Clone()
	next.take(from, p)
	next, err := next.addTab(tab, p, from+1)
	if err != nil {
		return l, err
	}
	return next, nil
}
