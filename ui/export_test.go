package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/ui/frame"
	"reprise/ui/paint"
	"reprise/ui/pump"
)

// Input is the message that brings an event of the pump.
func Input(e pump.Event) tea.Msg { return inputMsg(e) }

// Screen is the last frame as text.
func (m *Model) Screen() string {
	grid, _ := m.draws.composer.Frame(&m.draws.scene)
	var b strings.Builder
	for y := range grid.H {
		for x := range grid.W {
			b.Write(grid.AppendText(nil, grid.Cells[y*grid.W+x]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Focus is the pane that has the focus.
func (m *Model) Focus() panes.PaneID { return m.view.focus }

// Zoomed reports whether one pane of several is shown.
func (m *Model) Zoomed() bool { return m.view.zoomed() }

// Bound reports whether a key after the prefix does something.
func (k *Keymap) Bound(key string) bool { return k.bound(key) != nil }

// Bindings lists keys after the prefix and actions; Actions the actions' names.
func (k *Keymap) Bindings() (keys, names []string) {
	for _, b := range k.after {
		keys, names = append(keys, b.key), append(names, b.action)
	}
	return keys, names
}

// Actions lists the names and helps of the actions.
func Actions() (names, helps []string) {
	for _, a := range actions {
		names, helps = append(names, a.name), append(helps, a.help)
	}
	return names, helps
}

// KeysOf are all keys of an action.
func (k *Keymap) KeysOf(action string) []string { return k.keysOf(action) }

// CopyActs lists what keys do in copy mode: the keys of each set, and the help.
func CopyActs() (keys [][]string, helps []string) {
	for i := range copyActs {
		var row []string
		for _, s := range copySets {
			row = append(row, s.of(&copyActs[i]))
		}
		keys, helps = append(keys, row), append(helps, copyActs[i].help)
	}
	return keys, helps
}

// FirstHint is the first run's hint.
func (k *Keymap) FirstHint() frame.Hints { return k.firstHint }

// KeyName is how bindings name a key.
var KeyName = keyName

// Task and Clean are what becomes of a program's title.
var (
	Task  = task
	Clean = clean
)

type panicMsg struct{}

func (panicMsg) apply(*Model) tea.Cmd { panic("a fault") }

// Panic is a message whose handling panics.
func Panic() tea.Msg { return panicMsg{} }

// Equipped is what an environment says that its terminal shows.
func Equipped(env []string) (underlines, links bool) {
	var p paint.Painter
	equip(&p, env)
	return p.Underlines, p.Links
}

// Redraw is a wake-up after quiet: a frame is drawn now. Its command is dropped.
func (m *Model) Redraw() {
	m.draws.due = time.Time{}
	m.Rewake()
}

// Rewake is a wake-up, whenever the last frame was. Its command is dropped.
func (m *Model) Rewake() {
	m.draws.pacing = false
	m.Update(wakeMsg{m.draws.done})
	if m.draws.writing {
		m.Update(m.draws.write())
	}
}

// Resumed is the message that the client is back after it was suspended.
func Resumed() tea.Msg { return resumedMsg{} }

// FormOf is how an environment's terminal is notified.
func FormOf(env []string) func(title, body string, n int) string { return formOf(env) }

// BranchOf is the directory whose branch was last asked for.
func (m *Model) BranchOf() string { return m.status.of }

// Harmless refuses local files that an opener may run.
var Harmless = harmless

// Loop is a model's turn in a Program.
type Loop = loop

// NewLoop is one whose Program takes messages by send.
func NewLoop(m *Model, send func(tea.Msg)) *Loop {
	l := newLoop(m)
	l.send = send
	return l
}

// Tell is what the input does with its events, Take what the Program does with a message,
// Over what comes behind its end.
func (l *loop) Tell(msg tea.Msg)         { l.tell(msg) }
func (l *loop) Take(msg tea.Msg) tea.Msg { return l.take(l, msg) }
func (l *loop) Over()                    { _ = l.over() }

// Err is the fault that ended the client, if one did.
func (m *Model) Err() error { return m.err }

// Typed are the terminals that the driver keeps of those that were typed at.
func (m *Model) Typed() []*panes.Terminal {
	return slices.DeleteFunc(slices.Clone(m.draws.driver.typed[:cap(m.draws.driver.typed)]), func(t *panes.Terminal) bool { return t == nil })
}
