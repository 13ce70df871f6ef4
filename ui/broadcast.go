package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/ui/frame"
)

// cast says which panes are typed into together. It is this client's own, and is
// gone with it: nobody finds keys going to many panes who did not just ask for it.
type cast struct {
	on     bool
	set    []panes.PaneID // that are typed into, while it is on
	marked []panes.PaneID // by the person, to be the next set
	to     []panes.PaneID // what takers returned last
	draft  draft          // the person's own: it goes with them to other sessions
}

func init() {
	actions = append(actions,
		action{"broadcast", "broadcast", "Type into all panes of the tab or the marked ones, or stop it", 0, broadcast},
		action{"mark", "mark", "Mark this pane: broadcast types into the marked ones", own, markPane},
		action{"join", "bring here", "Bring the marked panes here, with what runs in them", 0, joinMarked},
		action{"unmark", "unmark", "Take all marks off that broadcast goes by", own, unmarkAll},
	)
	bindings = append(bindings, binding{"E", "broadcast"}, binding{"m", "mark"}, binding{"J", "join"}, binding{"M", "unmark"})
}

// broadcast begins typing into several panes, or ends it.
func broadcast(m *Model) tea.Cmd {
	c := &m.view.cast
	m.draws.dirty = true
	if c.on {
		c.on, c.set = false, nil
		return m.say("Keys go to the focused pane alone again.", false)
	}
	set := c.marked
	if len(set) == 0 {
		set = m.view.order
	}
	if len(set) < 2 {
		return m.say("There is but one pane to type into: split it, or mark panes in other tabs"+m.keyIn("mark")+".", true)
	}
	c.on, c.set = true, slices.Clone(set)
	if !slices.Contains(c.set, m.view.focus) { // keys are to do what was asked for
		m.setFocus(c.set[0])
	}
	return nil
}

// keyIn is an action's first key, in brackets after a space; "" without one.
func (m *Model) keyIn(action string) string {
	if keys := m.keys.keysOf(action); len(keys) > 0 {
		return " (" + keys[0] + ")"
	}
	return ""
}

// markPane marks the focused pane, or takes its mark off.
func markPane(m *Model) tea.Cmd {
	c := &m.view.cast
	list := &c.marked
	if c.on {
		list = &c.set
	}
	m.draws.dirty = true
	if at := slices.Index(*list, m.view.focus); at >= 0 {
		*list = slices.Delete(*list, at, at+1)
		return m.narrowed()
	}
	*list = append(*list, m.view.focus)
	return nil
}

func unmarkAll(m *Model) tea.Cmd {
	m.view.cast.marked = nil
	m.draws.dirty = true
	return nil
}

// recast drops the panes that are gone.
func (m *Model) recast() tea.Cmd {
	c := &m.view.cast
	gone := func(id panes.PaneID) bool { return m.view.panes[id] == nil }
	c.marked, c.set = slices.DeleteFunc(c.marked, gone), slices.DeleteFunc(c.set, gone)
	return m.narrowed()
}

// narrowed ends what goes to one pane only.
func (m *Model) narrowed() tea.Cmd {
	c := &m.view.cast
	if !c.on || len(c.set) > 1 {
		return nil
	}
	c.on, c.set = false, nil
	m.draws.dirty = true
	return m.say("One pane is left: keys go to the focused pane alone again.", false)
}

// takers are the panes that get what is typed now: the focused one, and if it is one
// of those that are typed into together, the others whose programs can take it. The
// answer holds until the next call.
func (m *Model) takers() []panes.PaneID {
	c := &m.view.cast
	c.to = append(c.to[:0], m.view.focus)
	if !m.casts(m.view.focus) {
		return c.to
	}
	for _, id := range c.set {
		if id != m.view.focus && m.casts(id) {
			c.to = append(c.to, id)
		}
	}
	return c.to
}

// casts reports whether a pane gets what is typed into the others of its set.
func (m *Model) casts(id panes.PaneID) bool {
	c, p := &m.view.cast, m.view.panes[id]
	return c.on && p != nil && p.takes() && slices.Contains(c.set, id)
}

// loud fills the status bar with what must not be overlooked.
func (m *Model) loud(b *frame.Bar) {
	c := &m.view.cast
	if !c.on {
		return
	}
	b.Typed = len(c.set)
	b.Prefix, b.Hint = "", frame.Hints{}
	if key := m.keys.keyOf("broadcast"); key != "" {
		b.Prefix, b.Hint = m.keys.prefix, stopHint(key)
	}
}

func stopHint(key string) frame.Hints { return frame.Hints{{Key: key, Verb: "stops it"}} }

// markedWords stand in the title of a marked pane, in place of its directory.
const markedWords = "marked"

// marks reports whether a pane is marked to be in the next set.
func (c *cast) marks(id panes.PaneID) bool { return !c.on && slices.Contains(c.marked, id) }
