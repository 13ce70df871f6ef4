package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui/frame"
)

// mode says what keys mean just now, and what of it is shown.
type mode interface {
	key(m *Model, k uv.KeyPressEvent) tea.Cmd
	chip() string
	sheet() frame.Sheet
	numbers() bool // panes show their numbers
}

// plain is what most modes show: nothing.
type plain struct{}

func (plain) chip() string       { return "" }
func (plain) sheet() frame.Sheet { return frame.Sheet{} }
func (plain) numbers() bool      { return false }

// enter changes the mode; after d, if it is not 0, it ends by itself. Where there is no
// room for a layout none is entered that has to be seen.
func (m *Model) enter(to mode, d time.Duration) tea.Cmd {
	if m.view.refused() && !blind(to) {
		to, d = passThrough{}, 0
	}
	m.keepDraft()
	m.mode = to
	m.draws.dirty = true
	if d == 0 {
		return nil
	}
	return m.after(d, overMsg{to})
}

// blind reports whether a mode may go on where nothing of it is shown: its keys mean
// what they always mean.
func blind(to mode) bool {
	switch to.(type) {
	case passThrough, *prefix, *repeating:
		return true
	}
	return false
}

// unseen ends what cannot be seen any more: there is no room for a layout.
func (m *Model) unseen() (cmd tea.Cmd) {
	switch on := m.mode.(type) {
	case *palette:
		on.search.stop()
	case *history:
		on.cancel()
	case *pasting:
		cmd = m.say(noRoomToAsk, true)
	case *prefix:
		on.shown = nil
	}
	if !blind(m.mode) {
		m.enter(passThrough{}, 0)
	}
	for _, p := range m.view.panes {
		m.endCopy(p)
	}
	m.grab = grab{}
	return cmd
}

// overMsg ends a mode, if it is still the same one.
type overMsg struct{ mode mode }

func (o overMsg) apply(m *Model) tea.Cmd {
	if m.mode != o.mode {
		return nil
	}
	return m.enter(passThrough{}, 0)
}

// passThrough sends keys to the focused pane's program, or to its strip.
type passThrough struct{ plain }

func (passThrough) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	if name == m.keys.prefix {
		return m.prefixed()
	}
	if a := m.keys.free(name); a != nil {
		return m.do(a)
	}
	switch p := m.view.focused(); {
	case p != nil && p.copy != nil:
		return m.copyKey(p, k)
	case p != nil && p.dead && m.view.refused():
		return nil // its strip is not in sight
	case p != nil && p.dead:
		return stripMode{}.key(m, k)
	}
	return m.sendKey(k)
}

// prefixed begins the prefix mode.
func (m *Model) prefixed() tea.Cmd {
	m.view.side.under = false
	to := &prefix{name: m.keys.prefix}
	cmd := tea.Batch(m.enter(to, 0), m.after(restTime, restedMsg{to}), m.reload(false))
	if m.keys.seen {
		return cmd
	}
	m.keys.seen = true
	if used := m.cfg.PrefixUsed; used != nil {
		return tea.Batch(cmd, func() tea.Msg { used(); return nil })
	}
	return cmd
}

// prefix takes one key of the bindings.
type prefix struct {
	plain
	name  string
	shown *whichKey // the keys, once it rests
}

func (p *prefix) chip() string { return p.name }

func (p *prefix) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	if name == "" { // a modifier alone
		return nil
	}
	if p.shown.scroll(name, m.view.size) {
		m.draws.dirty = true
		return nil
	}
	a := m.keys.bound(name)
	leave := m.enter(passThrough{}, 0)
	if a == nil {
		return leave
	}
	cmd := m.do(a)
	if a.has(repeats) {
		return tea.Batch(leave, cmd, m.enter(&repeating{since: time.Now()}, repeatTime))
	}
	return tea.Batch(leave, cmd)
}

// repeating follows a repeatable binding: for a while more of its kind work
// without the prefix. Any other key means what it means without it.
type repeating struct {
	plain
	since time.Time // tells it from an earlier one whose time is over
}

func (*repeating) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	if a := m.keys.bound(keyName(uv.Key(k))); a != nil && a.has(repeats) {
		return tea.Batch(m.do(a), m.enter(&repeating{since: time.Now()}, repeatTime))
	}
	m.enter(passThrough{}, 0)
	return m.mode.key(m, k)
}

// numbersTime is how long the panes' numbers show.
const numbersTime = time.Second

// numbers shows the panes' numbers; a digit goes to its pane.
type numbers struct {
	plain
	since time.Time
}

func (*numbers) numbers() bool { return true }

func (*numbers) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	m.enter(passThrough{}, 0)
	if n := k.Text; len(n) == 1 && n >= "1" && n <= "9" {
		if i := int(n[0] - '1'); i < len(m.view.order) {
			m.setFocus(m.view.order[i])
			return nil
		}
	}
	return m.mode.key(m, k)
}

// confirm asks before something is lost. Only its own keys answer: enter, which
// a person may have typed for the program, does nothing.
type confirm struct {
	plain
	panes []panes.PaneID // to be closed
	text  frame.Sheet
}

var confirmKeys = frame.Hints{{Key: "y", Verb: "close"}, {Key: "n", Verb: "keep"}}

// ask opens the sheet that asks whether to close panes.
func (m *Model) ask(text frame.Sheet, ids ...panes.PaneID) tea.Cmd {
	text.Keys = confirmKeys
	return m.enter(&confirm{panes: ids, text: text}, 0)
}

func (m *Model) askPane(id panes.PaneID, text, comfort string) tea.Cmd {
	return m.ask(frame.Sheet{Title: "Close this pane?", Text: text, Comfort: comfort}, id)
}

func (*confirm) chip() string         { return "confirm" }
func (c *confirm) sheet() frame.Sheet { return c.text }

func (c *confirm) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	switch keyName(uv.Key(k)) {
	case "y":
		m.lead()
		return tea.Batch(m.enter(passThrough{}, 0), m.shut(c.panes...))
	case "n", "esc":
		return m.enter(passThrough{}, 0)
	}
	return nil
}

// stripQuiet is how long no key must have gone to a pane before its strip takes
// one: who types when the agent dies must not dismiss it (resume.md §5).
const stripQuiet = 700 * time.Millisecond

// stripMode takes the keys of a dead pane's strip. All others are swallowed: they
// were meant for a program that is gone.
type stripMode struct{ plain }

func (stripMode) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	p := m.view.focused()
	quiet := m.quiet(p)
	p.keyAt = time.Now()
	if !quiet || k.IsRepeat {
		return nil
	}
	name := keyName(uv.Key(k))
	for _, s := range p.acts {
		if s.Key == name {
			m.lead()
			return s.act(m, m.view.focus)
		}
	}
	return nil
}

// quiet reports whether no key went to a pane of late, neither from this client
// nor from another.
func (m *Model) quiet(p *pane) bool {
	last := p.keyAt
	if p.term != nil {
		if at := p.term.LastKey(); at.After(last) {
			last = at
		}
	}
	return last.IsZero() || time.Since(last) >= stripQuiet
}

// keyName is how bindings and strips name a key: what it types, or the name of
// the key with its modifiers. "" for a modifier alone.
func keyName(k uv.Key) string {
	k.Mod &^= uv.ModCapsLock | uv.ModNumLock | uv.ModScrollLock
	if k.Code >= uv.KeyLeftShift && k.Code <= uv.KeyIsoLevel5Shift {
		return ""
	}
	if k.Mod&^uv.ModShift == 0 && k.Text != "" && k.Text != " " {
		return k.Text
	}
	// Terminals disagree on whether shift belongs to a character that takes it.
	if k.Mod == uv.ModShift && k.Code > ' ' && k.Code < 0x7f {
		if k.ShiftedCode != 0 {
			return string(k.ShiftedCode)
		}
		k.Mod = 0
	}
	k.Text = ""
	return k.Keystroke()
}
