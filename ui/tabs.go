package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/ui/alert"
	"reprise/ui/frame"
)

// tab is a tab of the layout, and where this client is in it.
type tab struct {
	panes.Tab
	whole []panes.PaneID // its panes, in reading order
	order []panes.PaneID // but a floating one
	least panes.Size     // in which all of them fit
	focus panes.PaneID   // one of them
	last  panes.PaneID   // had the focus before
	zoom  bool           // asked for by the person
	trail []panes.PaneID // where there are stacks: who had the focus, the latest first
}

// take takes on what the layout says of the tab. The focus stays if its pane did.
func (t *tab) take(l panes.Tab) {
	t.Tab, t.whole, t.least = l, l.Panes(), l.Smallest()
	t.order = t.whole
	if l.Floating != "" {
		t.order = t.order[:len(t.order)-1]
	}
	t.trail = slices.DeleteFunc(t.trail, func(p panes.PaneID) bool { return !slices.Contains(t.order, p) })
	if !t.has(t.focus) {
		t.focus, t.last = t.last, ""
		if !t.has(t.focus) {
			t.focus = t.order[0]
		}
	}
}

// front is at which panes stacks are open: each where this client was last.
func (t *tab) front() []panes.PaneID {
	p := t.base()
	if at := slices.Index(t.trail, p); at != 0 {
		if at > 0 {
			t.trail = slices.Delete(t.trail, at, at+1)
		}
		t.trail = slices.Insert(t.trail, 0, p)
	}
	return t.trail
}

// takeTabs takes on the tabs of a new layout. If the one that is shown is gone,
// another one is.
func (m *Model) takeTabs() {
	v := &m.view
	was, at, known := v.focus, slices.Index(v.tabs, v.tab), v.tabs
	v.tabs = nil
	for _, l := range v.layout.Tabs {
		i := slices.IndexFunc(known, func(t *tab) bool { return t.ID == l.ID })
		t := new(tab)
		if i >= 0 {
			t = known[i]
		}
		t.take(l)
		v.tabs = append(v.tabs, t)
	}
	if len(v.tabs) > 0 && !slices.Contains(v.tabs, v.tab) {
		v.tab = v.heir(at)
	}
	if v.focus != was || !v.had { // the host knows nothing of a new client, or of one that comes from another session
		m.tellFocus()
	}
}

// heir is the tab that is shown instead of one that is gone: where the pane went
// that had the focus, else the one shown before, else the one beside it.
func (v *view) heir(at int) *tab {
	if t := v.holder(v.focus); t != nil {
		t.focus = v.focus
		return t
	}
	for _, t := range v.tabs {
		if t.ID == v.before {
			return t
		}
	}
	return v.tabs[max(0, min(at-1, len(v.tabs)-1))]
}

// holder is the tab of a pane; nil: there is no such pane.
func (v *view) holder(p panes.PaneID) *tab {
	for _, t := range v.tabs {
		if t.has(p) {
			return t
		}
	}
	return nil
}

// number is a tab's number, from 1; 0: it is none of the tabs.
func (v *view) number(t *tab) int { return slices.Index(v.tabs, t) + 1 }

// title is what a tab is called: by its person, or by what runs in it.
func (v *view) title(t *tab) string {
	if t.Name != "" {
		return t.Name
	}
	if p := v.panes[t.base()]; p != nil {
		return p.name
	}
	return ""
}

// tabMarks are the states that a tab tells of its panes, the worst first; news only
// while nobody has seen it, and what is an alert unless that is switched off.
var tabMarks = []struct {
	state, shown frame.State
	news         bool
	off          alert.Kinds
}{
	{state: frame.Permission, shown: frame.Permission, off: alert.Waiting.Set()},
	{state: frame.Question, shown: frame.Question, off: alert.Waiting.Set()},
	{state: frame.Failed, shown: frame.Failed},
	{state: frame.Paused, shown: frame.Failed},
	{state: frame.PermissionGuess, shown: frame.PermissionGuess, off: alert.Waiting.Set()},
	{state: frame.QuestionGuess, shown: frame.QuestionGuess, off: alert.Waiting.Set()},
	{state: frame.Done, shown: frame.Done, off: alert.Done.Set()},
	{state: frame.Exited, shown: frame.Exited, news: true},
	{state: frame.Notified, shown: frame.Notified, news: true},
	{state: frame.Rang, shown: frame.Rang, news: true},
	{state: frame.Active, shown: frame.Active, news: true},
	{state: frame.Silent, shown: frame.Silent, news: true},
}

// mark is the worst state of a tab's panes that needs to be told.
func (v *view) mark(t *tab, off alert.Kinds) frame.State {
	best := len(tabMarks)
	for _, id := range t.whole {
		p := v.panes[id]
		if p == nil {
			continue
		}
		for i, is := range tabMarks[:best] {
			if p.news.look == is.state || p.look == is.state && !is.news && off&is.off == 0 {
				best = i
				break
			}
		}
	}
	if best == len(tabMarks) {
		return frame.Normal
	}
	return tabMarks[best].shown
}

// summary is what the status bar tells of all panes, made when what it depends on changes.
type summary struct {
	of   summaryFacts
	tabs []frame.Tab

	failed, resuming, waits, working, agents int
}

// summaryFacts are all that a summary depends on.
type summaryFacts struct {
	worded int
	seq    uint64
	tab    panes.TabID
	focus  panes.PaneID
	off    alert.Kinds
}

// summed is what the status bar tells of all panes.
func (v *view) summed(off alert.Kinds) *summary {
	s, now := &v.sum, summaryFacts{v.worded, v.seq, v.tab.ID, v.focus, off}
	if s.of == now {
		return s
	}
	*s = summary{of: now, tabs: s.tabs[:0]}
	for _, t := range v.tabs {
		s.tabs = append(s.tabs, frame.Tab{Name: v.title(t), Mark: v.mark(t, off), Current: t == v.tab})
	}
	for _, p := range v.panes {
		switch p.look {
		case frame.Failed, frame.Paused:
			s.failed++
		case frame.Resuming:
			s.resuming++
		case frame.Permission, frame.Question:
			s.waits++
		case frame.Working:
			s.working++
		}
		if p.agent.Kind != "" && !p.dead {
			s.agents++
		}
	}
	return s
}

// showTab goes to a tab by its place, from 0; nothing happens if there is none.
func (m *Model) showTab(at int) tea.Cmd {
	if tabs := m.view.tabs; at >= 0 && at < len(tabs) {
		m.setFocus(tabs[at].focus)
	}
	return nil
}

func toTab(at int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.showTab(at) }
}

// besideTab goes on by n tabs, round at the ends.
func besideTab(n int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		v := &m.view
		if at := v.number(v.tab) - 1; at >= 0 {
			return m.showTab((at + n + len(v.tabs)) % len(v.tabs))
		}
		return nil
	}
}

func lastTab(m *Model) tea.Cmd {
	return m.showTab(slices.IndexFunc(m.view.tabs, func(t *tab) bool { return t.ID == m.view.before }))
}
