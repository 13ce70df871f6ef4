package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// maxSessionName bounds what can be typed as a session's name, in bytes; what else a
// name must be the workspace says.
const maxSessionName = 64

// renameSession asks for the session's name.
func renameSession(m *Model) tea.Cmd {
	w := m.cfg.Workspace
	name := clean(w.Name())
	return m.prompt(prompt{
		title: "Rename session " + name, verb: "rename", limit: maxSessionName, text: name, cursor: len(name),
		done: func(m *Model, text string) tea.Cmd {
			to := strings.TrimSpace(text)
			if to == w.Name() {
				return nil
			}
			return m.run(func(ctx context.Context) tea.Msg {
				if err := w.Rename(ctx, to); err != nil {
					return noticeMsg{text: fmt.Sprintf("Could not rename the session: %v", err), failure: true}
				}
				return renamedMsg{}
			})
		},
	})
}

// renamedMsg says that the session may have another name.
type renamedMsg struct{}

func (renamedMsg) apply(m *Model) tea.Cmd {
	for _, p := range m.view.panes { // their titles have it
		m.word(p)
	}
	m.draws.dirty = true
	return nil
}
