package ui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/panes"
)

// Session is one open session of the server, as a client needs it.
type Session struct {
	Workspace Workspace
	Host      *panes.Host // tells the session from others, whatever its name
	Resumer   Resumer
	Launcher  Launcher
	Peers     Peers
	// Client names this client to Host and Resumer. Focus, Focused and Save are as in
	// Config.
	Client  panes.ClientID
	Focus   panes.PaneID
	Focused func(panes.PaneID)
	Save    func(context.Context) error
}

// Sessions are the open sessions of the server. List does no I/O.
type Sessions interface {
	// List tells them in the order of their names; of each only Workspace, Host and
	// Resumer are told.
	List() []Session
	// Enter makes this client one of another session's; an error says why that cannot
	// be. The client belongs to both until Left is called with the name that it had in
	// the one before: then nothing of that is needed any more.
	Enter(ctx context.Context, to *panes.Host) (Session, error)
	Left(before panes.ClientID)
	// Starts tells what can be started, and where. It may read files.
	Starts(ctx context.Context) Starts
	// Subscribe returns a channel of capacity one that is signalled when another
	// session was opened or closed, or when the state of an agent in one is another.
	Subscribe() (wake <-chan struct{}, cancel func())
}

// Starts is what can be started, and where.
type Starts struct {
	Agents []agent.Facts // that are installed
	Dirs   []string      // in which something was started of late, the newest first
	Past   []past.Row    // sessions of agents, the last used first
}

// own is the session that this client shows.
func (m *Model) own() Session {
	return Session{Workspace: m.cfg.Workspace, Host: m.cfg.Host, Resumer: m.cfg.Resumer}
}

// sessions are those of the server: this client's own one is always among them.
func (m *Model) sessions() []Session {
	if m.cfg.Sessions != nil {
		if all := m.cfg.Sessions.List(); len(all) > 0 {
			return all
		}
	}
	return []Session{m.own()}
}

// subscribe follows what a session tells, and nothing of the one before.
func (m *Model) subscribe() {
	done := make(chan struct{})
	m.draws.done = done
	host, a := m.cfg.Host.Subscribe()
	agt, b := m.cfg.Resumer.Subscribe()
	alerts, c := m.status.notices.follow(m.cfg.Workspace.Happened())
	m.unsub = []func(){a, b, c, func() { close(done) }}
	var peers, sessions <-chan struct{}
	if m.cfg.Peers != nil {
		var c func()
		peers, c = m.cfg.Peers.Subscribe()
		m.unsub = append(m.unsub, c)
		m.peers = m.cfg.Peers.List(m.cfg.Client)
	}
	if m.cfg.Sessions != nil {
		var c func()
		sessions, c = m.cfg.Sessions.Subscribe()
		m.unsub = append(m.unsub, c)
	}
	m.draws.wait = waiter(wakes{host, agt, alerts, peers, sessions, m.cfg.Rewritten}, done)
	m.draws.waiting = false
}

// unsubscribe ends what subscribe began; nothing follows this client there any more.
func (m *Model) unsubscribe() {
	for _, f := range m.unsub {
		f()
	}
	m.unsub = nil
	m.draws.ear.close()
	m.cfg.Resumer.Look(agent.Look{Client: string(m.cfg.Client)})
	m.status.notices.log.Sight(m.cfg.Client, nil)
	m.cfg.Host.Forget(m.cfg.Client)
}

// woken takes the end of a wait; false: it was for the session before.
func (m *Model) woken(done <-chan struct{}) bool {
	if done != m.draws.done {
		return false
	}
	m.draws.waiting = false
	return true
}

// sessionsMsg says that something of other sessions may have changed.
type sessionsMsg struct{ done <-chan struct{} }

func (s sessionsMsg) apply(m *Model) tea.Cmd {
	if m.woken(s.done) {
		m.view.side.news++ // a sidebar that is opened later is to know, too
		m.draws.dirty = m.draws.dirty || m.view.sideShown()
	}
	return nil
}

// paneGone says that a pane was closed meanwhile.
const paneGone = "That pane is gone."

// place is a pane of a session, and perhaps a line of its text.
type place struct {
	session *panes.Host
	pane    panes.PaneID // "": where the session's focus is
	tab     int          // the place is this tab, not its pane: 0 for no
	line    *textLine    // nil: its screen
}

// goTo shows a place, in another session if need be.
func (m *Model) goTo(to place) tea.Cmd {
	switch {
	case to.session == m.cfg.Host:
		return m.arrive(to)
	case m.view.going: // by keys that came too fast, or because this session ended
		return nil
	}
	m.view.going = true
	enter := m.cfg.Sessions.Enter
	return m.run(func(ctx context.Context) tea.Msg {
		s, err := enter(ctx, to.session)
		return enteredMsg{s, to, err}
	})
}

// followPane is what comes when a session has no pane any more: its client goes where the
// pane went that it showed last, or leaves.
func (m *Model) followPane() tea.Cmd {
	if m.view.going {
		return nil
	}
	for _, s := range m.sessions() {
		if s.Host != m.cfg.Host && slices.Contains(s.Host.Layout().Panes(), m.view.focus) {
			return m.goTo(place{session: s.Host, pane: m.view.focus})
		}
	}
	return m.leave()
}

// enteredMsg brings the session that this client is to show.
type enteredMsg struct {
	Session
	to  place
	err error
}

func (e enteredMsg) apply(m *Model) tea.Cmd {
	if m.quit { // the session that is left is being saved; who leaves belongs to none
		return nil
	}
	if e.err != nil {
		m.view.going, m.draws.dirty = false, true
		if len(m.view.all) == 0 { // there is no way back, and asking again would not end
			return m.leave()
		}
		return m.say(fmt.Sprintf("Could not go there: %v", e.err), true)
	}
	left := m.move(e.Session)
	known := m.sync()
	return both(left, both(known, m.arrive(e.to)))
}

// move lets the client show another session. What it knew of the one before is
// dropped but what is the person's own: what was copied or written, the keys, the terminal.
func (m *Model) move(s Session) tea.Cmd {
	tell, save, left, log := m.focusTold(), m.cfg.Save, m.cfg.Sessions.Left, m.cfg.Log
	before := m.cfg.Client
	for _, p := range m.view.panes {
		m.endCopy(p)
	}
	m.paste.close() // its program would take what comes later for pasted text
	m.unsubscribe()
	c := &m.cfg
	c.Workspace, c.Host, c.Resumer, c.Launcher, c.Peers = s.Workspace, s.Host, s.Resumer, s.Launcher, s.Peers
	c.Client, c.Focus, c.Focused, c.Save = s.Client, s.Focus, s.Focused, s.Save
	m.keepDraft()
	size, blurred, side, written := m.view.size, m.view.blurred, m.view.side, m.view.cast.draft
	m.view = newView(m.cfg)
	m.view.size, m.view.blurred, m.view.side, m.view.cast.draft = size, blurred, side, written
	m.mode, m.grab, m.paste, m.peers = passThrough{}, grab{}, paste{}, nil
	m.fired, m.acting = map[panes.TerminalID]firing{}, map[panes.PaneID]bool{}
	m.settled, m.settling, m.asking, m.saving, m.unsaved = s.Focus, s.Focus, false, false, false
	m.status.of, m.draws.echo = "", echo{}
	m.subscribe()
	m.draws.dirty = true
	return m.run(func(ctx context.Context) tea.Msg {
		if tell != nil {
			tell()
		}
		if save != nil {
			if err := save(ctx); err != nil {
				log.Error("the layout of the session before was not saved", "err", err)
			}
		}
		left(before)
		return nil
	})
}

// arrive gives the focus to a place of this session.
func (m *Model) arrive(to place) tea.Cmd {
	if to.pane == "" {
		return nil
	}
	if m.view.holder(to.pane) == nil {
		return m.say(paneGone, false)
	}
	m.setFocus(to.pane)
	if to.line == nil {
		return nil
	}
	return both(m.sync(), m.showLine(to.pane, to.line))
}
