package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui/frame"
)

// tabList lists the tabs; the person goes to one, or moves the pane there.
type tabList struct {
	plain
	rows
}

// showTabs opens the list.
func showTabs(m *Model) tea.Cmd {
	l := &tabList{}
	l.fill(m)
	l.step(m.view.number(m.view.tab) - 1)
	return m.enter(l, 0)
}

// fill makes the rows of the tabs that there are now.
func (l *tabList) fill(m *Model) {
	v := &m.view
	var list [][]string
	for i, t := range v.tabs {
		list = append(list, []string{strconv.Itoa(i + 1), v.title(t), counted(len(t.order), "pane"), v.mark(t, m.cfg.Alerts.Off).Words(m.outer.ascii)})
	}
	l.set(list)
}

func (*tabList) chip() string { return "tabs" }

var tabListKeys = frame.Hints{{Key: "enter", Verb: "go"}, {Key: "m", Verb: moveHere}, {Key: "esc", Verb: "close"}}

func (l *tabList) sheet() frame.Sheet {
	return frame.Sheet{Title: "Tabs", Count: strconv.Itoa(len(l.list.Rows)), List: l.list, Keys: tabListKeys}
}

func (l *tabList) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	switch name := keyName(uv.Key(k)); name {
	case "enter":
		return both(m.enter(passThrough{}, 0), m.showTab(l.at()))
	case "m":
		return both(m.enter(passThrough{}, 0), m.do(&action{run: l.join}))
	case "esc", "q":
		return m.enter(passThrough{}, 0)
	default:
		if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= panes.MaxTabs {
			l.step(n - 1 - l.at())
		} else {
			l.moved(name)
		}
	}
	l.fill(m)
	m.draws.dirty = true
	return nil
}

// join moves the focused pane into the selected tab.
func (l *tabList) join(m *Model) tea.Cmd {
	if l.at() >= len(m.view.tabs) {
		return nil
	}
	return m.joinPane(m.view.tabs[l.at()])
}
