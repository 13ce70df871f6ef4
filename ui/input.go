package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/panes/input"
	"reprise/panes/vt"
	"reprise/ui/pump"
)

// input takes one event of the client's terminal.
func (m *Model) input(e pump.Event) tea.Cmd {
	if e.Paste {
		return m.pasted(e)
	}
	return m.event(m.outer.meaning(e))
}

func (m *Model) event(ev uv.Event) tea.Cmd {
	switch ev := ev.(type) {
	case uv.KeyPressEvent:
		return m.keyed(ev)
	case uv.KeyReleaseEvent:
		return m.release(ev)
	case uv.MouseEvent:
		return m.mouse(ev)
	case uv.FocusEvent:
		m.view.blurred = false
		m.tellFocus()
		m.draws.dirty = true // what happened meanwhile is seen now
	case uv.BlurEvent:
		m.view.blurred = true
		m.tellFocus()
		m.draws.dirty = true
	default:
		return m.answered(ev)
	}
	return nil
}

// modes are what a terminal's program asked for.
func modesOf(t *panes.Terminal) vt.Modes {
	if t == nil {
		return vt.Modes{}
	}
	return t.State().Modes
}

// sendKey sends a key to the focused pane's program, and to those that are typed into
// together with it.
func (m *Model) sendKey(k uv.KeyPressEvent) (cmd tea.Cmd) {
	if m.cfg.ReadOnly {
		return nil
	}
	for _, id := range m.takers() {
		p := m.view.panes[id]
		if p == nil || p.term == nil {
			continue
		}
		p.keyAt = time.Now()
		m.lead()
		cmd = both(cmd, m.send(p, input.Encode(k, modesOf(p.term))))
	}
	return cmd
}

// release passes a key's release on; only programs that asked for it get it.
func (m *Model) release(k uv.KeyReleaseEvent) (cmd tea.Cmd) {
	p := m.view.focused()
	if _, pass := m.mode.(passThrough); !pass || p == nil || !p.takes() || m.cfg.ReadOnly {
		return nil
	}
	if m.keys.free(keyName(uv.Key(k))) != nil { // it never saw the press
		return nil
	}
	for _, id := range m.takers() {
		if p := m.view.panes[id]; p != nil {
			cmd = both(cmd, m.send(p, input.Encode(k, modesOf(p.term))))
		}
	}
	return cmd
}

// send queues bytes for a pane's program and says so if they find no room.
func (m *Model) send(p *pane, b []byte) tea.Cmd {
	if len(b) == 0 || p.term == nil {
		return nil
	}
	return m.sent(p, m.typeAt(p.term, b))
}

func (m *Model) sent(p *pane, err error) tea.Cmd {
	if errors.Is(err, panes.ErrInputFull) {
		return m.say(p.name+" is not reading; 1 MiB of input waits. Keys typed now are dropped until it reads.", true)
	}
	return nil // it has ended: its strip says so
}

// pasted passes a paste on, in pieces. It is never a command, whatever the mode;
// where a line is asked for it is text.
func (m *Model) pasted(e pump.Event) tea.Cmd {
	switch p := m.mode.(type) {
	case *prompt:
		p.insert(string(e.Raw))
		m.draws.dirty = true
		return nil
	case *promptBox:
		return p.pasted(m, e)
	case *palette:
		return p.insert(m, string(e.Raw))
	case *history:
		return p.insert(m, string(e.Raw))
	}
	if p := m.view.focused(); p != nil && p.copy != nil && len(m.paste.to) == 0 {
		return m.pasteTyped(p, e.Raw)
	}
	if m.cfg.ReadOnly {
		return nil
	}
	return m.receive(e)
}
