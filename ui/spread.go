package ui

import (
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
)

// spreads are the actions that spread the panes in one way, with tmux's key.
var spreads = []struct {
	name, words, key string
	preset           panes.Preset
}{
	{"layout-even-right", "all side by side", "alt+1", panes.EvenRight},
	{"layout-even-down", "all below one another", "alt+2", panes.EvenDown},
	{"layout-main-top", "the first one on top, the others side by side", "alt+3", panes.MainTop},
	{"layout-main-left", "the first one at the left, the others below one another", "alt+4", panes.MainLeft},
	{"layout-tiled", "in rows and columns", "alt+5", panes.Tiled},
	{"layout-stack", "one open, the others a line each", "alt+6", panes.Stacked},
}

func init() {
	actions = append(actions, action{"layout-next", "next layout", "Spread the panes in the next of six ways", 0, func(m *Model) tea.Cmd {
		return m.spread(func(area panes.Size) error { return m.cfg.Host.SpreadNext(m.view.tab.ID, area) })
	}})
	bindings = append(bindings, binding{"space", "layout-next"})
	for _, s := range spreads {
		actions = append(actions, action{s.name, "layout", "Spread the panes: " + s.words, 0, func(m *Model) tea.Cmd {
			return m.spread(func(area panes.Size) error { return m.cfg.Host.Spread(m.view.tab.ID, s.preset, area) })
		}})
		bindings = append(bindings, binding{s.key, s.name})
	}
	actions = append(actions,
		action{"swap-previous", "swap", "Let the pane change places with the one before it", 0, swap(-1)},
		action{"swap-next", "swap", "Let the pane change places with the next one", 0, swap(1)},
	)
	bindings = append(bindings, binding{"{", "swap-previous"}, binding{"}", "swap-next"})
}

// spread spreads the panes anew.
func (m *Model) spread(how func(area panes.Size) error) tea.Cmd {
	if len(m.view.order) < 2 {
		return nil
	}
	err := how(m.view.area())
	switch {
	case errors.Is(err, panes.ErrNoRoom):
		return m.say(fmt.Sprintf("No room for that layout: a pane needs %dx%d. Close a pane or make the window larger.", panes.MinCols, panes.MinRows), true)
	case err != nil:
		return m.say(fmt.Sprintf("Could not spread the panes: %v", err), true)
	}
	m.view.zoom, m.draws.dirty = false, true
	return nil
}

// swap lets the focused pane change places with another, so many places further; it
// keeps the focus.
func swap(step int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		v := &m.view
		n := len(v.order)
		at := slices.Index(v.order, v.focus)
		if n < 2 || at < 0 {
			return nil
		}
		v.zoom, m.draws.dirty = false, true
		if err := m.cfg.Host.Swap(v.focus, v.order[(at+step+n)%n]); err != nil {
			return m.say(fmt.Sprintf("Could not swap the panes: %v", err), true)
		}
		return nil
	}
}
