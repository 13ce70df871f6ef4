package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent/past"
	"reprise/panes"
	"reprise/ui/frame"
)

// opensPast leads to a past session, for those who do not only look on. A session that
// is to be opened gets a tab.
func opensPast(from Past, r past.Row, how PastHow) func(m *Model) tea.Cmd {
	return changes(func(m *Model) tea.Cmd {
		host, after := m.cfg.Host, m.view.tab.ID
		return m.opensIn(from, r, how, func() (panes.PaneID, error) { return host.NewTab("", after) })
	})
}

// opensIn leads to a past session, or to the pane that is made for it.
func (m *Model) opensIn(from Past, r past.Row, how PastHow, newPane func() (panes.PaneID, error)) tea.Cmd {
	return m.run(func(ctx context.Context) tea.Msg {
		to, pane, err := from.OpenPast(ctx, r, how, func(context.Context) (panes.PaneID, error) { return newPane() })
		return openedPastMsg{place{session: to, pane: pane}, from, r, err}
	})
}

// openedPastMsg says where a past session is now.
type openedPastMsg struct {
	place
	from Past
	row  past.Row
	err  error
}

func (o openedPastMsg) apply(m *Model) tea.Cmd {
	var held *HeldError
	switch {
	case errors.As(o.err, &held) && m.mode == mode(passThrough{}): // what a person does meanwhile goes first
		return m.enter(&heldPast{from: o.from, row: o.row, held: held}, 0)
	case o.err != nil:
		return m.say(o.err.Error(), true)
	case o.session == m.cfg.Host: // its tab may be newer than what was last looked at
		return m.reveal(o.pane)
	}
	return m.goTo(o.place)
}

// heldPast asks what to do with a past session that another program has open. As that
// of confirm, only its own keys answer.
type heldPast struct {
	plain
	from Past
	row  past.Row
	held *HeldError
}

func (*heldPast) chip() string { return "confirm" }

func (h *heldPast) sheet() frame.Sheet {
	keys := frame.Hints{{Key: "o", Verb: "resume anyway"}}
	n := 1
	if h.row.Forks {
		keys[n], n = frame.Hint{Key: "f", Verb: "fork"}, n+1
	}
	keys[n] = frame.Hint{Key: "esc", Verb: "leave it"}
	comfort := ""
	if h.row.Forks {
		comfort = "A fork is a copy with an id of its own."
	}
	return frame.Sheet{Title: "Open elsewhere", Text: clean(h.held.Error()), Comfort: comfort, Keys: keys}
}

func (h *heldPast) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	var how PastHow
	switch name := keyName(uv.Key(k)); {
	case name == "esc" || name == "n":
		return m.enter(passThrough{}, 0)
	case name == "o":
		how.Anyway = true
	case name == "f" && h.row.Forks:
		how.Fork = true
	default:
		return nil
	}
	return both(m.enter(passThrough{}, 0), opensPast(h.from, h.row, how)(m))
}
