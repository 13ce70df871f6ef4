package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui/frame"
)

func init() {
	actions = append(actions, action{"move-pane", "move pane", "Move the pane to another tab or session, with what runs in it", 0, showMove})
	bindings = append(bindings, binding{"@", "move-pane"})
}

// Destination is a session that a pane is taken to.
type Destination struct {
	Host *panes.Host // an open one; nil: a new one
	Name string      // of the new one; "": it is called by the pane's directory
}

// moveList lists where the focused pane can be moved: the person chooses.
type moveList struct {
	plain
	rows
	pane panes.PaneID
	to   []func(m *Model) tea.Cmd
}

// showMove opens the list.
func showMove(m *Model) tea.Cmd {
	l := &moveList{pane: m.view.focus}
	l.fill(m)
	return m.enter(l, 0)
}

// fill makes the rows of the tabs and sessions that there are now.
func (l *moveList) fill(m *Model) {
	v := &m.view
	l.to = nil
	var list [][]string
	add := func(kind, name, note string, to func(m *Model) tea.Cmd) {
		list, l.to = append(list, []string{kind, name, note}), append(l.to, to)
	}
	for i, t := range v.tabs {
		if t != v.tab || t.floats() {
			add("tab", strconv.Itoa(i+1)+" "+clean(v.title(t)), counted(len(t.order), "pane"), func(m *Model) tea.Cmd { return m.joinTab(t.ID) })
		}
	}
	if len(v.whole) > 1 {
		add("tab", "a new one", "", breakPane)
	}
	for _, s := range m.sessions() {
		if s.Host != m.cfg.Host {
			to := Destination{Host: s.Host}
			add("session", clean(s.Workspace.Name()), counted(len(s.Host.Layout().Panes()), "pane"), func(m *Model) tea.Cmd { return m.moveTo(to) })
		}
	}
	if m.cfg.Sessions != nil {
		add("session", "a new one…", "", askNewSession)
	}
	l.set(list)
}

func (*moveList) chip() string { return "move" }

var moveListKeys = frame.Hints{{Key: "enter", Verb: "move"}, {Key: "esc", Verb: "close"}}

func (l *moveList) sheet() frame.Sheet {
	if len(l.to) == 0 {
		return frame.Sheet{Title: "Move the pane to", Text: "There is no other tab.", Keys: frame.Hints{{Key: "esc", Verb: "close"}}}
	}
	return frame.Sheet{Title: "Move the pane to", Count: strconv.Itoa(len(l.to)), List: l.list, Keys: moveListKeys}
}

func (l *moveList) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	switch {
	case l.moved(name):
	case name == "esc" || name == "q":
		return m.enter(passThrough{}, 0)
	case name == "enter" && len(l.to) > 0:
		to := l.to[l.at()]
		if m.view.focus != l.pane {
			to = func(m *Model) tea.Cmd { return m.say(paneGone, false) }
		}
		return both(m.enter(passThrough{}, 0), m.do(&action{run: to}))
	}
	l.fill(m)
	m.draws.dirty = true
	return nil
}

// askNewSession asks for the name of the session that the focused pane moves to.
func askNewSession(m *Model) tea.Cmd {
	id := m.view.focus
	return m.prompt(prompt{
		title: "Move the pane to a new session", verb: "move", limit: maxSessionName,
		comfort: "Left empty, it is called by the pane's directory.",
		done: func(m *Model, text string) tea.Cmd {
			if m.view.focus != id {
				return m.say(paneGone, false)
			}
			return m.moveTo(Destination{Name: strings.TrimSpace(text)})
		},
	})
}

// joinTab moves the focused pane into a tab, if that is still there.
func (m *Model) joinTab(id panes.TabID) tea.Cmd {
	i := slices.IndexFunc(m.view.tabs, func(t *tab) bool { return t.ID == id })
	if i < 0 {
		return m.say("That tab is gone.", false)
	}
	return m.joinPane(m.view.tabs[i])
}

// moveTo takes the focused pane to another session; this client goes there with it.
func (m *Model) moveTo(to Destination) tea.Cmd {
	id, w := m.view.focus, m.cfg.Workspace
	return m.run(func(ctx context.Context) tea.Msg {
		host, err := w.MovePane(ctx, id, to)
		if err != nil {
			return noticeMsg{text: fmt.Sprintf("Could not move the pane: %v", err), failure: true}
		}
		return movedMsg{session: host, pane: id}
	})
}

// movedMsg says that a pane is in another session now.
type movedMsg place

func (t movedMsg) apply(m *Model) tea.Cmd { return m.goTo(place(t)) }
