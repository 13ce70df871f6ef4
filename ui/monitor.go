package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/ui/alert"
)

// heed is what a monitored pane was last seen to do.
type heed struct {
	kinds  alert.Kinds // for which it is monitored
	seq    uint64      // of its terminal; 0: it was not looked at yet
	at     time.Time   // when it printed last
	silent bool        // that was told, or it never printed since it is monitored
}

// monitor looks at the panes that are monitored. What it sees the session is told;
// several clients that see the same tell it once. Nobody looks while no client is
// attached: then there is nobody to be told either.
func (m *Model) monitor() tea.Cmd {
	n := &m.status.notices
	if n.heeded == 0 {
		return nil
	}
	now, after := time.Now(), m.cfg.Alerts.SilentAfter()
	next := time.Duration(0)
	for id, p := range m.view.panes {
		h := &p.news.heed
		if h.kinds == 0 || p.term == nil {
			h.seq = 0
			continue
		}
		if seq := p.term.Seq(); seq != h.seq {
			if h.seq != 0 && h.kinds.Has(alert.Activity) {
				m.status.notices.log.Add(alert.Alert{Pane: id, Kind: alert.Activity})
			}
			h.seq, h.at, h.silent = seq, now, false
		}
		if !h.kinds.Has(alert.Silence) || h.silent {
			continue
		}
		rest := after - now.Sub(h.at)
		if rest <= 0 {
			h.silent = true
			m.status.notices.log.Add(alert.Alert{Pane: id, Kind: alert.Silence})
		} else if next == 0 || rest < next {
			next = rest
		}
	}
	if next == 0 || n.armed {
		return nil
	}
	n.armed = true
	return m.after(next, silenceMsg{})
}

// silenceMsg comes when a pane may have been silent for long enough.
type silenceMsg struct{}

func (silenceMsg) apply(m *Model) tea.Cmd {
	m.status.notices.armed = false
	m.draws.dirty = true
	return nil
}

// monitorWords call what panes can be monitored for.
var monitorWords = map[alert.Kind]string{alert.Activity: "activity", alert.Silence: "silence"}

// monitorPane has the focused pane monitored, or no more.
func monitorPane(k alert.Kind) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		p := m.view.focused()
		if p == nil {
			return nil
		}
		return m.setMonitor(k, p.name, m.view.focus)
	}
}

// monitorTab has all panes of the tab monitored; if all are, none any more.
func monitorTab(k alert.Kind) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.setMonitor(k, "this tab", m.view.whole...) }
}

func (m *Model) setMonitor(k alert.Kind, what string, of ...panes.PaneID) tea.Cmd {
	log := m.status.notices.log
	on := slices.ContainsFunc(of, func(p panes.PaneID) bool { return !log.Monitored(p).Has(k) })
	log.Monitor(k, on, of...)
	if on {
		return m.say("You are told of "+monitorWords[k]+" in "+what+".", false)
	}
	return m.say("You are no longer told of "+monitorWords[k]+" in "+what+".", false)
}
