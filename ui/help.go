package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui/frame"
)

// maxQuery bounds what is typed to find an action, in bytes.
const maxQuery = 64

// help lists every action with its keys. What is typed narrows the list down.
type help struct {
	plain
	rows
	query string
	found []*action
}

var helpKeys = frame.Hints{{Key: "enter", Verb: "run"}, {Key: "esc", Verb: "close"}}

func showHelp(m *Model) tea.Cmd {
	h := &help{}
	h.find(m)
	return m.enter(h, 0)
}

func (*help) chip() string { return "help" }

func (h *help) sheet() frame.Sheet {
	return frame.Sheet{Title: "All keys", Count: fmt.Sprintf("%d of %d", len(h.found), len(actions)), List: h.list, Keys: helpKeys}
}

// find lists the actions that have every word that was typed in their keys, their
// help or their name.
func (h *help) find(m *Model) {
	h.found = nil
	l := &frame.List{Find: &frame.Find{Words: h.query, Empty: "No action has these words.", Rows: len(actions)}}
	words := strings.Fields(strings.ToLower(h.query))
	for i := range actions {
		a := &actions[i]
		row := []string{strings.Join(m.keys.keysOf(a.name), " or "), a.help, a.name}
		if hasAll(strings.ToLower(strings.Join(row, "\n")), words) {
			h.found = append(h.found, a)
			l.Rows = append(l.Rows, row)
		}
	}
	h.list = l
	m.draws.dirty = true
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (h *help) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	if h.paged(name) {
		m.draws.dirty = true
		return nil
	}
	switch name {
	case "esc":
		return m.enter(passThrough{}, 0)
	case "enter":
		if len(h.found) == 0 {
			return nil
		}
		leave := m.enter(passThrough{}, 0)
		return both(leave, m.do(h.found[h.at()]))
	case "backspace":
		runes := []rune(h.query)
		h.query = string(runes[:max(0, len(runes)-1)])
	case "ctrl+u":
		h.query = ""
	default:
		if k.Text == "" || k.Mod&^(uv.ModShift|uv.ModCapsLock|uv.ModNumLock|uv.ModScrollLock) != 0 || len(h.query)+len(k.Text) > maxQuery {
			return nil
		}
		h.query += clean(k.Text)
	}
	h.find(m)
	return nil
}
