package ui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/ui/alert"
	"reprise/ui/frame"
)

// notices is how far this client has told of what happens in its session.
type notices struct {
	log    *alert.Log     // of the session
	seq    uint64         // of the log, when it was last asked
	last   uint64         // number of the last alert that was told
	sight  []panes.PaneID // as last reported: what the person has in sight
	rang   time.Time      // when the client's terminal was last rung
	sent   int            // notifications that it was sent
	said   []entry        // what the status bar said, the last alert.Keep
	armed  bool           // a silenceMsg is on its way
	heeded int            // panes that are monitored
}

// follow begins to tell of what happens in a session. What was before is in the log.
func (n *notices) follow(log *alert.Log) (wake <-chan struct{}, cancel func()) {
	n.log, n.last, n.sight, n.heeded = log, log.Last(), nil, 0
	n.seq = log.Seq() - 1 // marks are to be taken
	return log.Subscribe()
}

// news is what happened in a pane.
type news struct {
	unseen alert.Kinds // what nobody saw
	look   frame.State // the most urgent of it
	heed   heed
}

// ringTime is the least time between two bells at a client's terminal.
const ringTime = 250 * time.Millisecond

// alertLooks are what alerts look like, the most urgent first, also in title and tab
// until they are seen.
var alertLooks = []struct {
	kind  alert.Kind
	look  frame.State
	doing bool // its pane's state tells it for as long as it is so
}{
	{alert.Waiting, frame.Permission, true},
	{alert.Failure, frame.Failed, false},
	{alert.Done, frame.Done, true},
	{alert.Exit, frame.Exited, false},
	{alert.Message, frame.Notified, false},
	{alert.Bell, frame.Rang, false},
	{alert.Activity, frame.Active, false},
	{alert.Silence, frame.Silent, false},
}

// alertLook is the look of the most urgent of some kinds that are not switched off;
// Normal: none needs one.
func (m *Model) alertLook(of alert.Kinds) frame.State {
	for _, l := range alertLooks {
		if of.Has(l.kind) && !l.doing && m.cfg.Alerts.Marks(l.kind) {
			return l.look
		}
	}
	return frame.Normal
}

// reportSight tells which panes the person has in sight, when that changes: none
// while another window has the keyboard, or nothing is drawn. Who only looks on sees
// nothing for those who work there.
func (m *Model) reportSight() {
	n, shown := &m.status.notices, m.view.visible
	if m.view.blurred || m.view.refused() || m.presence != here || m.view.focus == "" || m.cfg.ReadOnly {
		shown = nil
	}
	if slices.Equal(shown, n.sight) {
		return
	}
	n.sight = slices.Clone(shown)
	m.status.notices.log.Sight(m.cfg.Client, n.sight)
}

// takeAlerts tells of what happened in the session since it was last asked.
func (m *Model) takeAlerts() (cmd tea.Cmd) {
	n := &m.status.notices
	log := n.log
	seq := log.Seq()
	if seq == n.seq {
		return nil
	}
	n.seq = seq
	n.heeded = 0
	for id, p := range m.view.panes {
		if unseen := log.Unseen(id); unseen != p.news.unseen {
			p.news.unseen = unseen
			m.word(p)
		}
		if p.news.heed.kinds = log.Monitored(id); p.news.heed.kinds != 0 {
			n.heeded++
		}
	}
	for _, a := range log.After(n.last) {
		n.last = a.N
		cmd = both(cmd, m.tell(&a))
	}
	m.refillMessages()
	return cmd
}

// tell tells of one alert: to the client's terminal what a program called for, and
// in a line what happened out of sight.
func (m *Model) tell(a *alert.Alert) tea.Cmd {
	now := time.Now()
	if !m.cfg.Alerts.Tells(a.Kind, now.Local()) {
		return nil
	}
	p := m.view.panes[a.Pane]
	called := a.Kind == alert.Bell || a.Kind == alert.Message
	switch {
	case a.Kind == alert.Message:
		m.sendNotice(clean(a.Title), clean(a.Words))
	case a.Kind == alert.Bell && now.Sub(m.status.notices.rang) >= ringTime:
		m.status.notices.rang = now
		m.outer.pending += "\a"
	}
	// Only agents are worth a line for a bell: shells ring for each mistyped key.
	if a.Seen || p == nil || called && p.agent.Kind == "" {
		return nil
	}
	words := m.alertWords(a)
	if !called && m.cfg.Alerts.Desktop && m.view.blurred {
		m.sendNotice("", words)
	}
	return m.show(noticeTime, words, a.Kind == alert.Failure)
}

// alertWords say what happened, in one line.
func (m *Model) alertWords(a *alert.Alert) string {
	who, where := "a pane that was closed", ""
	if p := m.view.panes[a.Pane]; p != nil {
		who = p.name
		if t := m.view.holder(a.Pane); t != nil && len(m.view.tabs) > 1 {
			where = fmt.Sprintf(" in tab %d", m.view.number(t))
		}
	}
	if a.Name != "" {
		who = clean(a.Name)
	}
	words := clean(a.Words)
	switch a.Kind {
	case alert.Bell:
		return who + where + " rang"
	case alert.Message:
		if a.Title != "" {
			words = clean(a.Title) + ": " + words
		}
		return who + where + ": " + words
	case alert.Done:
		return who + " is done" + where
	case alert.Waiting:
		if a.Guess {
			return who + " may wait for you" + where
		}
		return who + " waits for you" + where
	case alert.Activity:
		return who + where + " is active"
	case alert.Silence:
		return who + where + " is silent"
	case alert.Exit:
		return words + where
	}
	return words
}
