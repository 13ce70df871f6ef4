package ui

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui/frame"
)

// Detacher is what Peers also are if they can let other clients go: those of that
// name. It does no I/O.
type Detacher interface{ Detach(name string) }

// peersMsg says that a client came or went, or has another size, or that the session
// was renamed.
type peersMsg struct{ done <-chan struct{} }

func (p peersMsg) apply(m *Model) tea.Cmd {
	if !m.woken(p.done) {
		return nil
	}
	was := m.peers
	m.peers = m.cfg.Peers.List(m.cfg.Client)
	if s, open := m.mode.(*clients); open {
		s.fill(m)
	}
	return both(renamedMsg{}.apply(m), m.announce(was))
}

// announce says who came or went: the last one, if several did.
func (m *Model) announce(was []Peer) (cmd tea.Cmd) {
	count := map[string]int{}
	for _, p := range m.peers {
		count[p.Name]++
	}
	for _, p := range was {
		if count[p.Name]--; count[p.Name] == -1 && !p.Self {
			cmd = m.say(p.Name+" left", false)
		}
	}
	for _, p := range m.peers {
		if count[p.Name] > 0 && !p.Self {
			cmd = m.say(p.Name+" attached", false)
		}
	}
	return cmd
}

// clients lists who is attached; other clients can be let go.
type clients struct {
	plain
	rows
	keys frame.Hints
}

// showClients opens the list; the first one of the others is selected.
func showClients(m *Model) tea.Cmd {
	if len(m.peers) == 0 {
		return m.say("No other client can attach here.", false)
	}
	c := &clients{}
	c.fill(m)
	c.step(max(0, slices.IndexFunc(m.peers, func(p Peer) bool { return !p.Self })))
	c.act(m)
	return m.enter(c, 0)
}

// fill makes the rows of who is attached now.
func (c *clients) fill(m *Model) {
	var list [][]string
	for _, p := range m.peers {
		row := []string{clean(p.Name), fmt.Sprintf("%dx%d", p.Size.Cols, p.Size.Rows), "", ""}
		if p.Read {
			row[2] = readOnlyChip
		}
		if p.Self {
			row[3] = "this client"
		}
		list = append(list, row)
	}
	c.set(list)
	c.act(m)
}

// act says what can be done with the selected client.
func (c *clients) act(m *Model) {
	c.keys = frame.Hints{{Key: "esc", Verb: "close"}}
	if c.detacher(m) != nil {
		c.keys = frame.Hints{{Key: "enter", Verb: "detach"}, {Key: "esc", Verb: "close"}}
	}
	m.draws.dirty = true
}

// detacher lets the selected client go; nil: this one must not, or cannot.
func (c *clients) detacher(m *Model) func() tea.Cmd {
	if c.at() >= len(m.peers) {
		return nil
	}
	p := m.peers[c.at()]
	if p.Self {
		return m.leave
	}
	d, able := m.cfg.Peers.(Detacher)
	if !able || m.cfg.ReadOnly {
		return nil
	}
	return func() tea.Cmd { d.Detach(p.Name); return nil }
}

func (*clients) chip() string { return "clients" }

func (c *clients) sheet() frame.Sheet {
	return frame.Sheet{Title: "Clients", Count: strconv.Itoa(len(c.list.Rows)), List: c.list, Keys: c.keys}
}

func (c *clients) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	switch name := keyName(uv.Key(k)); name {
	case "enter", "x":
		if detach := c.detacher(m); detach != nil {
			return detach()
		}
	case "esc", "q":
		return m.enter(passThrough{}, 0)
	default:
		c.moved(name)
	}
	c.act(m)
	return nil
}
