package ui

import (
	"bytes"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/panes/input"
	"reprise/panes/vt"
	"reprise/ui/frame"
	"reprise/ui/pump"
)

// paste is one paste, of which pieces come in. Its bytes are nobody's copy: what
// waits is held here until it is sent, then by the terminals that it goes to.
type paste struct {
	to    []taker // where it began: it ends there too
	holds bool    // nothing is sent before its end is seen, or the person was asked
	held  [][]byte
	size  int  // of what is held, in bytes
	ends  int  // line ends in it
	open  bool // the last line has none
	cut   bool // it was too long: the rest is dropped
}

// taker is a program that a paste goes to, as it was when the paste began.
type taker struct {
	pane  panes.PaneID
	term  *panes.Terminal
	modes vt.Modes
	full  bool // a piece found no room: the rest is dropped
}

const (
	// joined is up to where small pieces are held as one.
	joined = pump.MaxPiece
	// maxFirst is how much of its first line is shown of a paste, in cells.
	maxFirst = 100
)

// newPaste begins a paste into panes; those whose program cannot take it are left
// out.
func (m *Model) newPaste(ids []panes.PaneID) (ps paste) {
	for _, id := range ids {
		p := m.view.panes[id]
		if p == nil || !p.takes() {
			continue
		}
		t := taker{pane: id, term: p.term, modes: modesOf(p.term)}
		ps.holds = ps.holds || !t.modes.BracketedPaste && !m.cfg.PasteUnasked
		ps.to = append(ps.to, t)
	}
	if len(ps.to) > 0 {
		m.lead()
	}
	return ps
}

// takes reports whether what is typed or pasted in a pane goes to a program.
func (p *pane) takes() bool { return p.term != nil && !p.dead && p.copy == nil }

// receive takes in one event of a paste that comes from the client's terminal.
func (m *Model) receive(e pump.Event) (cmd tea.Cmd) {
	ps := &m.paste
	if e.Start {
		*ps = paste{}
		if _, pass := m.mode.(passThrough); pass {
			*ps = m.newPaste(m.takers())
			cmd = m.openPaste(ps)
		}
	}
	if f := m.view.focused(); f != nil && len(ps.to) == 0 {
		f.keyAt = time.Now() // swallowed by a strip: it is typing all the same
	}
	cmd = both(cmd, m.add(ps, e.Raw))
	if e.End {
		cmd = both(cmd, m.endPaste(ps))
		*ps = paste{}
	}
	return cmd
}

// openPaste sends what goes before a paste, unless it is held.
func (m *Model) openPaste(ps *paste) (cmd tea.Cmd) {
	if ps.holds {
		return nil
	}
	for i := range ps.to {
		cmd = both(cmd, m.hand(&ps.to[i], input.PasteStart(ps.to[i].modes)))
	}
	return cmd
}

// add adds a piece, which nobody may write to any more.
func (m *Model) add(ps *paste, b []byte) tea.Cmd {
	switch {
	case len(b) == 0 || len(ps.to) == 0:
		return nil
	case !ps.holds:
		return m.pass(ps, b)
	case ps.cut || len(b) > panes.MaxPaste-ps.size:
		ps.cut = true
		return nil
	}
	ps.size += len(b)
	ps.ends += bytes.Count(b, []byte{'\n'}) + bytes.Count(b, []byte{'\r'}) - bytes.Count(b, []byte("\r\n"))
	ps.open = b[len(b)-1] != '\n' && b[len(b)-1] != '\r'
	if last := len(ps.held) - 1; last >= 0 && len(ps.held[last])+len(b) <= joined {
		ps.held[last] = append(ps.held[last], b...)
		return nil
	}
	ps.held = append(ps.held, b)
	return nil
}

// pass sends a piece to all that it goes to.
func (m *Model) pass(ps *paste, b []byte) (cmd tea.Cmd) {
	var forms [2][]byte // with marks, and as if typed: the same bytes for all
	for i := range ps.to {
		t := &ps.to[i]
		form := &forms[0]
		if !t.modes.BracketedPaste {
			form = &forms[1]
		}
		if *form == nil {
			*form = input.PastePiece(b, t.modes)
		}
		cmd = both(cmd, m.hand(t, *form))
	}
	return cmd
}

// hand gives a piece to a program.
func (m *Model) hand(t *taker, b []byte) tea.Cmd {
	p := m.view.panes[t.pane]
	if p == nil || p.term != t.term || t.full || len(b) == 0 {
		return nil
	}
	p.keyAt = time.Now()
	if err := t.term.Paste(b); err != nil {
		t.full = true
		if !p.dead {
			return m.say(fmt.Sprintf("%s is not reading; %d MiB of a paste wait. The rest is dropped.", p.name, panes.MaxPaste>>20), true)
		}
	}
	return nil
}

// endPaste ends a paste. One that was held is sent now, if it has but one line: else
// the person is asked.
func (m *Model) endPaste(ps *paste) tea.Cmd {
	switch {
	case !ps.holds:
		ps.close()
		return nil
	case ps.ends == 0:
		return m.sendHeld(ps)
	case m.view.refused():
		return m.say(noRoomToAsk, true)
	}
	return m.enter(&pasting{paste: *ps, text: m.pasteText(ps)}, 0)
}

// noRoomToAsk says what became of a paste that a person would have been asked about.
const noRoomToAsk = "Nothing was pasted: there was no room to ask. Make the terminal larger, then paste again."

// close sends what goes behind a paste. It goes out even if a piece did not: a
// program left inside a paste would take keys for pasted text.
func (ps *paste) close() {
	if ps.holds {
		return
	}
	for _, t := range ps.to {
		_ = t.term.Send(input.PasteEnd(t.modes)) // to the dead it is of no use
	}
}

// sendHeld sends what was held, to the programs that still run.
func (m *Model) sendHeld(ps *paste) tea.Cmd {
	now := m.newPaste(nil)
	for _, t := range ps.to {
		if p := m.view.panes[t.pane]; p != nil && p.term == t.term && !p.dead {
			t.modes = modesOf(t.term) // it may have asked for marks meanwhile
			now.to = append(now.to, t)
		}
	}
	if len(now.to) == 0 {
		return m.say("Nothing was pasted: the program it was for has ended.", true)
	}
	m.lead()
	cmd := m.openPaste(&now)
	for i, b := range ps.held {
		ps.held[i] = nil
		cmd = both(cmd, m.pass(&now, b))
	}
	now.close()
	if ps.cut {
		cmd = both(cmd, m.say(fmt.Sprintf("The paste is longer than %d MiB: the rest was dropped.", panes.MaxPaste>>20), true))
	}
	return cmd
}

// pasting asks whether lines are to be pasted into a program that would take them
// for typed ones.
type pasting struct {
	plain
	paste paste
	text  frame.Sheet
}

var pastingKeys = frame.Hints{{Key: "y", Verb: "paste"}, {Key: "n", Verb: "drop"}}

func (*pasting) chip() string         { return "confirm" }
func (q *pasting) sheet() frame.Sheet { return q.text }

func (q *pasting) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	switch keyName(uv.Key(k)) {
	case "y":
		return both(m.enter(passThrough{}, 0), m.sendHeld(&q.paste))
	case "n", "esc":
		return m.enter(passThrough{}, 0)
	}
	return nil
}

// pasteText is the question.
func (m *Model) pasteText(ps *paste) frame.Sheet {
	s := frame.Sheet{Title: "Paste 1 line and enter?", Keys: pastingKeys}
	lines := ps.ends
	if ps.open {
		lines++
	}
	if lines > 1 {
		s.Title = "Paste " + grouped(uint64(lines)) + " lines?"
	}
	if mib := ps.size >> 20; mib > 0 {
		s.Count = fmt.Sprintf("%d MiB", mib)
	}
	first, _, _ := bytes.Cut(ps.held[0], []byte{'\n'})
	first, _, _ = bytes.Cut(first, []byte{'\r'})
	line := clean(string(first[:min(len(first), 4*maxWords)]))
	if line = frame.Cut(line, maxFirst, "…"); line == "" {
		line = "(empty)"
	}
	s.Text = "First line: " + line
	var names []string
	for _, t := range ps.to {
		if p := m.view.panes[t.pane]; p != nil && !t.modes.BracketedPaste {
			names = append(names, p.name)
		}
	}
	switch len(names) {
	case 0: // its pane is gone
	case 1:
		s.Comfort = names[0] + " takes each line as if it were typed, with enter at its end."
	default:
		s.Comfort = fmt.Sprintf("%s and %d more take each line as if it were typed, with enter at its end.", names[0], len(names)-1)
	}
	return s
}

// pasteInto pastes what was copied last into a pane, and into those that are typed
// into together with it.
func (m *Model) pasteInto(p *pane) tea.Cmd {
	if p == nil || p.term == nil || p.dead {
		return nil
	}
	if len(m.copied) == 0 {
		return m.say("Nothing was copied yet.", false)
	}
	m.endCopy(p)
	ids := m.takers()
	if p != m.view.focused() {
		ids = ids[:0]
		for id, o := range m.view.panes {
			if o == p {
				ids = append(ids, id)
			}
		}
	}
	ps := m.newPaste(ids)
	cmd := m.openPaste(&ps)
	cmd = both(cmd, m.add(&ps, m.copied))
	return both(cmd, m.endPaste(&ps))
}
