package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
)

func init() {
	actions = append(actions, action{"scratch", "scratch", "Show a shell over the tab, or hide it; it runs on", 0, scratch})
	bindings = append(bindings, binding{"`", "scratch"})
}

// A floating pane is shown while it has the focus: whoever goes elsewhere has hidden
// it. So there is nothing more to remember of it than where the focus is.

// floats reports whether the floating pane is shown.
func (t *tab) floats() bool { return t.Floating != "" && t.focus == t.Floating }

// base is the pane that has the focus, or has it again when the floating one is hidden.
func (t *tab) base() panes.PaneID {
	switch {
	case !t.floats():
		return t.focus
	case slices.Contains(t.order, t.last):
		return t.last
	}
	return t.order[0]
}

// has reports whether a pane is the tab's.
func (t *tab) has(p panes.PaneID) bool {
	return p != "" && (p == t.Floating || slices.Contains(t.order, p))
}

// scratch shows the tab's floating pane, or hides it. The first time it opens a shell.
func scratch(m *Model) tea.Cmd {
	v := &m.view
	switch {
	case v.floats():
		m.setFocus(v.base())
		return nil
	case v.Floating != "":
		m.setFocus(v.Floating)
		return nil
	}
	id, err := m.cfg.Host.Float(v.tab.ID)
	if err != nil {
		return m.refuse("open the scratch pane", err)
	}
	return m.openShell(id)
}
