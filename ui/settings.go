package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"reprise/ui/alert"
	"reprise/ui/frame"
	"reprise/ui/theme"
)

// Settings are what config.toml says of a client. They may change while it runs.
type Settings struct {
	Keys  *Keymap // nil: the defaults
	Theme theme.Choice
	// Said notes that something was said, and reports whether it had been before, by
	// whatever client. nil: by none.
	Said func(words string) bool
	// Rewritten is signalled when reading them again may bring others; that of the
	// first settings is looked at. nil: that is not known.
	Rewritten <-chan struct{}
	// Acted is told each action that is run, by its name, inside the event loop. nil:
	// nobody asks.
	Acted func(action string)
	// ASCII draws the chrome in ASCII; it is also drawn so where the environment or
	// the terminal's answer asks for it, unless NoASCII.
	ASCII, NoASCII bool
	// Reader is for who hears the screen: nothing is drawn but text, and each change
	// that a person must know of is one line at the foot.
	Reader bool
	// PasteUnasked lets lines be pasted unasked into a program that does not ask for
	// marks round a paste and would take them for typed ones.
	PasteUnasked bool
	// NoMouse leaves the mouse to the terminal, but where the focused pane's program
	// asks for it.
	NoMouse bool
	// Opener is the program that opens links, with arguments parted by blanks; the
	// link comes last. "" or DefaultOpener: the system's.
	Opener string
	Bar    *frame.BarLayout // nil: frame.DefaultBar
	Alerts alert.Settings
}

// Reloaded is what came of reading the settings again.
type Reloaded struct {
	Settings Settings
	Changed  bool     // they were read; else Settings are none
	Notices  []string // what is to be said, what is wrong first
}

// keyboard is what a client's keys mean, and what the person knows of them.
type keyboard struct {
	*Keymap
	seen    bool // the prefix was used
	reading bool // a reloadedMsg is on its way
	missed  bool // and they were written again since
}

func newKeyboard(cfg Config) keyboard {
	k := keyboard{Keymap: cfg.Keys, seen: cfg.PrefixUsed == nil || cfg.ReadOnly}
	if k.Keymap == nil {
		k.Keymap, _ = NewKeymap(KeySettings{})
	}
	return k
}

// hint is what the first run says after the prefix: how to learn all else. Without
// a key for that there is none.
func (k *Keymap) hint() frame.Hints {
	if key := k.keyOf("help"); key != "" {
		return frame.Hints{{Key: key, Verb: "shows " + byName("help").verb}}
	}
	return frame.Hints{}
}

// reload reads the settings again, if they changed or the person asks for it.
func (m *Model) reload(force bool) tea.Cmd {
	again := m.cfg.Reload
	if again == nil || m.keys.reading {
		return nil
	}
	m.keys.reading = true
	return m.run(func(ctx context.Context) tea.Msg { return reloadedMsg(again(ctx, force)) })
}

func reloadNow(m *Model) tea.Cmd {
	if m.cfg.Reload == nil {
		return m.say("This client has no config.toml to read.", false)
	}
	return m.reload(true)
}

// reloadedMsg brings settings that were read again.
type reloadedMsg Reloaded

func (r reloadedMsg) apply(m *Model) (cmd tea.Cmd) {
	missed := m.keys.missed
	m.keys.reading, m.keys.missed = false, false
	if missed {
		defer func() { cmd = both(cmd, m.reload(false)) }()
	}
	if r.Changed {
		m.take(r.Settings)
		r.Notices = append(r.Notices, m.paleWords()...)
	}
	if len(r.Notices) == 0 {
		return nil
	}
	m.cfg.Notices = append(m.cfg.Notices, r.Notices...)
	return m.nextNotice()
}

// rewrittenMsg says that reading the settings again may bring others.
type rewrittenMsg struct{ done <-chan struct{} }

func (r rewrittenMsg) apply(m *Model) tea.Cmd {
	m.woken(r.done)
	m.keys.missed = m.keys.reading
	return m.reload(false)
}

// take puts other settings in force.
func (m *Model) take(s Settings) {
	s.Rewritten = m.cfg.Rewritten
	m.cfg.Settings = s
	seen := m.keys.seen
	m.keys = newKeyboard(m.cfg)
	m.keys.seen = seen
	o := &m.outer
	o.theme, o.noASCII, o.reader = s.Theme, s.NoASCII, s.Reader
	o.ascii = s.ASCII || !s.NoASCII && (plainTerminal(m.cfg.Env) || m.draws.painter.Ambiguous)
	if o.reader && m.view.side.open { // it is for the eye
		m.view.side.open = false
		if _, on := m.mode.(*sideKeys); on {
			m.enter(passThrough{}, 0)
		}
	}
	o.retheme()
	m.machine()
	for _, p := range m.view.panes { // marks may be switched off now
		m.word(p)
	}
	m.draws.dirty = true
}
