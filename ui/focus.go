package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
)

// settleTime is how long the focus must stay at a pane to be remembered.
const settleTime = time.Second

// settle notes that the focus is at another pane.
func (m *Model) settle() tea.Cmd {
	if m.cfg.Focused == nil || m.cfg.ReadOnly || m.view.focus == m.settling {
		return nil
	}
	m.settling = m.view.focus
	return m.after(settleTime, settledMsg(m.view.focus))
}

// settledMsg comes when the focus may have settled at a pane.
type settledMsg panes.PaneID

func (s settledMsg) apply(m *Model) tea.Cmd {
	if m.view.focus != panes.PaneID(s) {
		return nil
	}
	tell := m.focusTold()
	if tell == nil {
		return nil
	}
	return m.run(func(context.Context) tea.Msg { tell(); return nil })
}

// focusTold tells where the focus is to be at the next start; nil: that is known.
func (m *Model) focusTold() func() {
	id, tell := m.view.focus, m.cfg.Focused
	if tell == nil || m.cfg.ReadOnly || id == "" || id == m.settled {
		return nil
	}
	m.settled = id
	return func() { tell(id) }
}

// setFocus moves the keyboard to a pane, and shows its tab. The programs that ask
// for it are told.
func (m *Model) setFocus(p panes.PaneID) {
	v := &m.view
	t := v.holder(p)
	if t == nil || p == v.focus {
		return
	}
	if t != v.tab {
		v.before, v.tab = v.tab.ID, t
	}
	if p != t.focus {
		t.last, t.focus = t.focus, p
	}
	m.tellFocus()
	m.draws.dirty = true
}

// tellFocus tells the host where this client's keyboard is. One who only looks on has
// it nowhere.
func (m *Model) tellFocus() {
	p := m.view.focus
	if m.view.blurred || m.presence == stopped || m.cfg.ReadOnly {
		p = ""
	}
	m.cfg.Host.SetFocus(m.cfg.Client, p)
}
