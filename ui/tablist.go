package ui

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui/frame"
)

// tabList lists the tabs; the person goes to one, or moves the pane there.
type tabList struct {
	plain
	at   int // the selected row
	list *frame.List
}

// showTabs opens the list.
func showTabs(m *Model) tea.Cmd {
	l := &tabList{at: m.view.number(m.view.tab) - 1}
	l.fill(m)
	return m.enter(l, 0)
}

// fill makes the rows of the tabs that there are now.
func (l *tabList) fill(m *Model) {
	v := &m.view
	l.at = max(0, min(l.at, len(v.tabs)-1))
	l.list = &frame.List{Selected: l.at}
	for i, t := range v.tabs {
		count := fmt.Sprintf("%d panes", len(t.order))
		if len(t.order) == 1 {
			count = "1 pane"
		}
		l.list.Rows = append(l.list.Rows, []string{strconv.Itoa(i + 1), v.title(t), count, v.mark(t).Words(m.outer.ascii)})
	}
}

func (*tabList) chip() string { return "tabs" }

var tabListKeys = frame.Hints{{Key: "enter", Verb: "go"}, {Key: "m", Verb: "move pane here"}, {Key: "esc", Verb: "close"}}

func (l *tabList) sheet() frame.Sheet {
	return frame.Sheet{Title: "Tabs", Count: strconv.Itoa(len(l.list.Rows)), List: l.list, Keys: tabListKeys}
}

func (l *tabList) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	switch name {
	case "up", "k":
		l.at--
	case "down", "j":
		l.at++
	case "enter":
		return both(m.enter(passThrough{}, 0), m.showTab(l.at))
	case "m":
		return both(m.enter(passThrough{}, 0), m.do(&action{run: l.join}))
	case "esc", "q":
		return m.enter(passThrough{}, 0)
	default:
		if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= panes.MaxTabs {
			l.at = n - 1
		}
	}
	l.fill(m)
	m.draws.dirty = true
	return nil
}

// join moves the focused pane into the selected tab.
func (l *tabList) join(m *Model) tea.Cmd {
	if l.at >= len(m.view.tabs) {
		return nil
	}
	return m.joinPane(m.view.tabs[l.at])
}
