package ui

import (
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui/alert"
	"reprise/ui/frame"
)

// entry is one line of the message log.
type entry struct {
	at    time.Time
	look  frame.State
	words string
	pane  panes.PaneID // "" if it is of none
}

// note keeps what the status bar says.
func (n *notices) note(words string, failure bool) {
	e := entry{at: time.Now(), words: words}
	if failure {
		e.look = frame.Failed
	}
	if len(n.said) == alert.Keep {
		n.said = n.said[:copy(n.said, n.said[1:])]
	}
	n.said = append(n.said, e)
}

// entries are the last lines of the log, the newest last: what this client said and
// what happened in the session, also before it came.
func (m *Model) entries() []entry {
	all := slices.Clone(m.status.notices.said)
	for _, a := range m.status.notices.log.After(0) {
		if a.Kind == alert.Bell && a.Seen { // of who types there
			continue
		}
		e := entry{at: a.At, words: m.alertWords(&a), pane: a.Pane}
		for _, l := range alertLooks {
			if l.kind == a.Kind {
				e.look = l.look
			}
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b entry) int { return a.at.Compare(b.at) })
	return all[max(0, len(all)-alert.Keep):]
}

// messages is the message log.
type messages struct {
	plain
	rows
	all []entry
}

var messageKeys = frame.Hints{{Key: "enter", Verb: "go"}, {Key: "esc", Verb: "close"}}

// showMessages opens the log at its newest line.
func showMessages(m *Model) tea.Cmd {
	s := &messages{}
	s.fill(m)
	return m.enter(s, 0)
}

// refillMessages takes new lines into the log that is open.
func (m *Model) refillMessages() {
	if s, open := m.mode.(*messages); open {
		s.fill(m)
	}
}

// fill makes the rows. Who stands at the newest line stays there, others at theirs.
func (s *messages) fill(m *Model) {
	newest := s.at() >= len(s.all)-1
	s.all = m.entries()
	var list [][]string
	today := time.Now().Local().YearDay()
	for _, e := range s.all {
		clock := e.at.Local().Format("15:04")
		if e.at.Local().YearDay() != today {
			clock = e.at.Local().Format("2 Jan 15:04")
		}
		list = append(list, []string{clock, e.look.Words(m.outer.ascii), e.words})
	}
	s.set(list)
	if newest {
		s.step(len(list))
	}
	m.draws.dirty = true
}

func (*messages) chip() string { return "messages" }

func (s *messages) sheet() frame.Sheet {
	if len(s.all) == 0 {
		return frame.Sheet{Title: "Messages", Text: "Nothing has happened yet.", Keys: messageKeys}
	}
	return frame.Sheet{Title: "Messages", Count: strconv.Itoa(len(s.all)), List: s.list, Keys: messageKeys}
}

func (s *messages) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	switch name := keyName(uv.Key(k)); name {
	case "esc", "q":
		return m.enter(passThrough{}, 0)
	case "enter":
		return s.visit(m)
	default:
		m.draws.dirty = s.moved(name) || m.draws.dirty
	}
	return nil
}

// visit goes to the pane of the selected line.
func (s *messages) visit(m *Model) tea.Cmd {
	leave := m.enter(passThrough{}, 0)
	if len(s.all) > 0 {
		if id := s.all[s.at()].pane; id != "" {
			m.setFocus(id)
		}
	}
	return leave
}
