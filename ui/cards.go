package ui

import (
	"fmt"
	"strconv"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/frame"
)

// card is a pane of any session in words.
type card struct {
	host    *panes.Host
	session string
	tab     int // its number, from 1
	tabName string
	where   string // its tab, and the session if that is not this client's
	pane    panes.PaneID
	term    *panes.Terminal // nil: nothing was started in it
	first   bool            // of its tab
	name    string          // an agent's label, a program
	task    string
	given   string // its name by its person, which task then is, too
	dir     string
	look    frame.State
	word    string // instead of the state's own
	status  agent.Status
}

// cards are the panes of all sessions, this client's own one first.
func (m *Model) cards() (all []card) {
	own := m.own()
	all = m.cardsOf(own, nil)
	for _, s := range m.sessions() {
		if s.Host != own.Host {
			all = m.cardsOf(s, all)
		}
	}
	return all
}

// cardsOf appends the panes of a session.
func (m *Model) cardsOf(s Session, all []card) []card {
	own := s.Host == m.cfg.Host
	name := clean(s.Workspace.Name())
	l := s.Host.Layout()
	for i, t := range l.Tabs {
		begin := len(all)
		for j, id := range t.Panes() {
			p := m.view.panes[id]
			if !own || p == nil {
				p = m.seenFrom(s, id, l.Meta[id])
			}
			all = append(all, card{
				host: s.Host, session: name, tab: i + 1, pane: id, term: p.term, first: j == 0,
				name: p.name, task: p.task, given: l.Meta[id].Name, dir: p.dir, look: p.look, word: p.word, status: p.agent.Status,
			})
		}
		title := m.tabTitle(own, t, all[begin:])
		for j := begin; j < len(all); j++ {
			c := &all[j]
			c.tabName = title
			if c.where = fmt.Sprint(c.tab, " ", title); !own {
				c.where = name + " › " + c.where
			}
		}
	}
	return all
}

// tabTitle is what a tab is called: by its person, or by what runs in it.
func (m *Model) tabTitle(own bool, t panes.Tab, in []card) string {
	switch {
	case t.Name != "":
		return clean(t.Name)
	case own:
		for _, known := range m.view.tabs {
			if known.ID == t.ID {
				return m.view.title(known)
			}
		}
	}
	if len(in) > 0 {
		return in[0].name
	}
	return ""
}

// seenFrom is a pane of another session, as far as words need it.
func (m *Model) seenFrom(s Session, id panes.PaneID, meta panes.PaneMeta) *pane {
	p := &pane{agent: s.Resumer.View(id), term: s.Host.Shown(id), dead: true}
	p.news.unseen = s.Workspace.Happened().Unseen(id)
	if p.term != nil {
		_, _, p.dead = p.term.Exit()
		p.state = p.term.State()
	}
	m.words(p, meta)
	return p
}

// label is a card in one line: what it is, and what it works on or where.
func (c *card) label() string {
	switch {
	case c.task != "":
		return c.name + "  " + c.task
	case c.dir != "":
		return c.name + "  " + c.dir
	case c.name == "":
		return "pane " + strconv.Itoa(c.tab)
	}
	return c.name
}

// place is where the pane is.
func (c *card) place() place { return place{session: c.host, pane: c.pane} }
