package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// messageTime is how long a message stands in the status bar; noticeTime is that of
// one that nobody asked for and that says more.
const (
	messageTime = 5 * time.Second
	noticeTime  = 10 * time.Second
)

// status is what the status bar says beside the panes.
type status struct {
	text    string
	failure bool
	serial  int // of the message
	clock   string
	branch  string
	of      string // the directory whose branch it is
	host    string
	load    string
	notices notices
}

// say puts a message into the status bar for a while.
func (m *Model) say(text string, failure bool) tea.Cmd {
	return m.sayFor(messageTime, text, failure)
}

// sayFor says a message for a while, and keeps it in the log.
func (m *Model) sayFor(d time.Duration, text string, failure bool) tea.Cmd {
	m.status.notices.note(clean(text), failure)
	m.refillMessages()
	return m.show(d, text, failure)
}

// show puts a line into the status bar for a while.
func (m *Model) show(d time.Duration, text string, failure bool) tea.Cmd {
	s := &m.status
	s.text, s.failure = clean(text), failure
	s.serial++
	m.draws.dirty = true
	return m.after(d, hushMsg(s.serial))
}

// hush takes the message away: what the person begins now is told in its place.
func (m *Model) hush() {
	s := &m.status
	s.text, s.failure = "", false
	s.serial++
	m.draws.dirty = true
}

// nextNotice says what the program had to say before the first frame, a piece at
// a time.
func (m *Model) nextNotice() tea.Cmd {
	if len(m.cfg.Notices) == 0 {
		return nil
	}
	text := m.cfg.Notices[0]
	m.cfg.Notices = m.cfg.Notices[1:]
	return m.sayFor(noticeTime, text, false)
}

// noticeMsg is a message that a command has.
type noticeMsg struct {
	text    string
	failure bool
}

func (n noticeMsg) apply(m *Model) tea.Cmd { return m.say(n.text, n.failure) }

// notice says once what an agent wants said.
func (m *Model) notice(p *pane) tea.Cmd {
	if p.agent.Notice == "" || p.said == p.agent.Candidate {
		return nil
	}
	p.said = p.agent.Candidate
	return m.sayFor(noticeTime, p.agent.Notice, false)
}

// hushMsg takes a message away, if no other came meanwhile.
type hushMsg int

func (h hushMsg) apply(m *Model) tea.Cmd {
	if int(h) != m.status.serial {
		return nil
	}
	m.status.text, m.status.failure = "", false
	m.draws.dirty = true
	return m.nextNotice()
}

// clockMsg comes once a minute.
type clockMsg struct{}

func (clockMsg) apply(m *Model) tea.Cmd {
	for _, p := range m.view.panes { // ages in strips
		m.word(p)
	}
	m.machine()
	m.draws.dirty = true
	return tea.Batch(m.tick(time.Now()), m.branch())
}

// tick shows the minute and waits for the next.
func (m *Model) tick(now time.Time) tea.Cmd {
	now = now.Round(0)
	m.status.clock = now.Local().Format("15:04")
	return m.after(now.Truncate(time.Minute).Add(time.Minute).Sub(now), clockMsg{})
}
