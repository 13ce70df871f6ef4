package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui/frame"
)

func init() {
	actions = append(actions, action{"sidebar", "sidebar", "List sessions, tabs and panes at the left; again: close the list", own, showSidebar})
	bindings = append(bindings, binding{"tab", "sidebar"})
}

// sidebar is the list of sessions, tabs and panes at the left. It is this client's own
// and goes with it from session to session.
type sidebar struct {
	open   bool
	under  bool   // the keyboard was in it when the prefix was pressed
	news   uint64 // counts what other sessions told
	worded uint64 // counts changes of what it says of this session's panes
	made   sideFacts
	title  string
	list   *frame.SideList
	to     []place // by row: where it leads; no session: nowhere
}

// sideFacts are all that the rows depend on.
type sideFacts struct {
	seq, news, worded uint64
	clock             string // ages are told in minutes
	tab               panes.TabID
	focus             panes.PaneID
	keys              bool
}

// sideShown reports whether the sidebar is shown: it is open and there is room.
func (v *view) sideShown() bool { return v.side.open && v.size.Cols >= frame.MinSideCols }

// sideCols is how many columns it takes from the panes.
func (v *view) sideCols() int {
	if v.sideShown() {
		return frame.SideCols + 1
	}
	return 0
}

// showSidebar opens the sidebar and moves the keyboard there, or closes it if that
// was there.
func showSidebar(m *Model) tea.Cmd {
	s := &m.view.side
	if s.open && s.under {
		return m.closeSidebar()
	}
	s.open, s.made = true, sideFacts{} // nobody counted what changed meanwhile
	switch {
	case m.outer.reader:
		s.open = false
		return m.say("The sidebar is for the eye: the palette"+m.inKeys("palette")+" finds panes.", false)
	case !m.view.sideShown():
		s.open = false
		return m.say(fmt.Sprintf("The sidebar needs %d columns: the palette%s finds panes.", frame.MinSideCols, m.inKeys("palette")), false)
	}
	return m.enter(&sideKeys{}, 0)
}

// inKeys says how an action is reached; "" if by no key.
func (m *Model) inKeys(name string) string {
	if keys := m.keys.keysOf(name); len(keys) > 0 {
		return " (" + keys[0] + ")"
	}
	return ""
}

func (m *Model) closeSidebar() tea.Cmd {
	m.view.side.open, m.view.side.under = false, false
	return m.enter(passThrough{}, 0)
}

// sideKeys moves the selection in the sidebar.
type sideKeys struct {
	plain
	at    place // what is selected
	moved bool  // else it is the focused pane
}

func (*sideKeys) chip() string { return "sidebar" }

var sideHints = [6]frame.Hint{{Key: "enter", Verb: "go"}, {Key: "up down", Verb: "move"}, {Key: "q", Verb: "close"}, {Key: "esc", Verb: "back"}}

func (s *sideKeys) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	side := &m.view.side
	if !m.view.sideShown() { // the terminal became too small for it
		m.enter(passThrough{}, 0)
		return m.mode.key(m, k)
	}
	if step, moves := listStep(name); moves {
		s.at, s.moved = side.beside(step), true
		side.made = sideFacts{}
		m.draws.dirty = true
		return nil
	}
	switch name {
	case m.keys.prefix:
		cmd := m.prefixed()
		side.under = true
		return cmd
	case "enter", "l", "right":
		to := side.selected()
		leave := m.enter(passThrough{}, 0)
		return both(leave, m.goTo(to))
	case "q":
		return m.closeSidebar()
	case "esc", "ctrl+c":
		return m.enter(passThrough{}, 0)
	}
	return nil
}

// selected is where the selected row leads.
func (s *sidebar) selected() place {
	if s.list == nil || s.list.Selected >= len(s.to) {
		return place{}
	}
	return s.to[s.list.Selected]
}

// beside is where the row leads that is so many rows on; rows that lead nowhere do not
// count.
func (s *sidebar) beside(n int) place {
	if s.list == nil {
		return place{}
	}
	at, step := s.list.Selected, 1
	if n < 0 {
		n, step = -n, -1
	}
	for i := at + step; n > 0 && i >= 0 && i < len(s.to); i += step {
		if s.to[i].session != nil {
			at = i
			n--
		}
	}
	return s.to[at]
}

// sideScene is what the frame shows of the sidebar. Rows are made anew only when what
// they tell has changed.
func (m *Model) sideScene() frame.Side {
	v := &m.view
	if !v.sideShown() || v.refused() {
		return frame.Side{}
	}
	keys, on := m.mode.(*sideKeys)
	s := &v.side
	now := sideFacts{seq: v.seq, news: s.news, worded: s.worded, clock: m.status.clock, tab: v.tab.ID, focus: v.focus, keys: on}
	if s.list == nil || s.made != now {
		at := place{session: m.cfg.Host, pane: v.focus}
		if on && keys.moved {
			at = keys.at
		}
		m.listSide(at)
		s.made = now
	}
	return frame.Side{Title: s.title, List: s.list, Focus: on}
}

// sideNeeds are the states that the heading counts.
var sideNeeds = []struct {
	state frame.State
	words string
}{
	{frame.Failed, "failed"},
	{frame.Paused, "paused"},
	{frame.Resuming, "resuming"},
}

// listSide makes the rows, with the one selected that leads to a place.
func (m *Model) listSide(at place) {
	s := &m.view.side
	list := &frame.SideList{}
	s.to = s.to[:0]
	count := map[string]int{}
	add := func(r frame.SideRow, to place) {
		if to == at {
			list.Selected = len(list.Rows)
		}
		list.Rows, s.to = append(list.Rows, r), append(s.to, to)
	}
	var session *panes.Host
	var cards []card
	for _, one := range m.sessions() { // in an order of their own: nothing moves when one is gone to
		cards = m.cardsOf(one, cards)
	}
	for _, c := range cards {
		if c.host != session {
			if session != nil {
				add(frame.SideRow{}, place{})
			}
			session = c.host
			add(frame.SideRow{Level: frame.SideSession, Name: c.session}, place{session: c.host})
		}
		if c.first {
			to := c.place()
			if c.host == m.cfg.Host && c.tab <= len(m.view.tabs) {
				to.pane = m.view.tabs[c.tab-1].focus
			}
			to.tab = c.tab
			add(frame.SideRow{Level: frame.SideTab, Name: strconv.Itoa(c.tab) + " " + c.tabName, Note: c.dir}, to)
		}
		add(frame.SideRow{Level: frame.SidePane, Name: cmp.Or(c.given, c.name), State: c.look, Word: c.word}, c.place())
		for _, need := range sideNeeds {
			if need.state == c.look {
				count[need.words]++
			}
		}
	}
	words := waitWords(cards, time.Now())
	for _, need := range sideNeeds {
		if n := count[need.words]; n > 0 {
			words = append(words, fmt.Sprint(n, " ", need.words))
			delete(count, need.words)
		}
	}
	if s.title = strings.Join(words, ", "); s.title == "" {
		s.title = "Sessions"
	}
	s.list = list
}

// sideClick goes where the row at a cell leads; false: there is none.
func (m *Model) sideClick(x, y int) (cmd tea.Cmd, is bool) {
	row, is := m.draws.composer.SideAt(x, y)
	s := &m.view.side
	if !is || row >= len(s.to) || s.to[row].session == nil {
		return nil, is
	}
	return m.goTo(s.to[row]), true
}
