package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/frame"
)

// newTab opens a shell in a tab of its own, where the focused pane's program is.
func newTab(m *Model) tea.Cmd {
	id, err := m.cfg.Host.NewTab("", m.view.tab.ID)
	if err != nil {
		return m.refuse("open a tab", err)
	}
	return m.openShell(id)
}

// refuse says why the layout was not changed.
func (m *Model) refuse(what string, err error) tea.Cmd {
	switch {
	case errors.Is(err, panes.ErrNoRoom):
		use := "use a new tab"
		if keys := m.keys.keysOf("new-tab"); len(keys) > 0 {
			use += " (" + keys[0] + ")"
		}
		return m.say(fmt.Sprintf("No room to %s: a pane needs %dx%d. Zoom out or %s.", what, panes.MinCols, panes.MinRows, use), true)
	case errors.Is(err, panes.ErrFull):
		return m.say(fmt.Sprintf("Could not %s: a session has at most %d tabs and %d panes. Close some.", what, panes.MaxTabs, panes.MaxPanes), true)
	}
	return m.say(fmt.Sprintf("Could not %s: %v", what, err), true)
}

// openShell opens a shell in a new pane, where the program of the focused one is,
// and gives it the focus.
func (m *Model) openShell(id panes.PaneID) tea.Cmd {
	var term *panes.Terminal
	told, started := "", ""
	p := m.view.focused()
	for p != nil && p.term == nil && p.beside != nil {
		p = p.beside // where its shell is about to start
	}
	if p != nil {
		term, told, started = p.term, p.state.Dir, p.agent.Dir
	}
	shown := m.reveal(id)
	if opened := m.view.panes[id]; opened != nil && opened.term == nil {
		opened.beside = p
	}
	host, l, home := m.cfg.Host, m.cfg.Launcher, m.cfg.Home
	launch := m.run(func(ctx context.Context) tea.Msg {
		err := l.Launch(ctx, agent.LaunchRequest{Pane: id, Dir: where(term, told, started, home)})
		if err != nil {
			host.Close(id)
			return noticeMsg{text: fmt.Sprintf("Could not open a shell: %v", err), failure: true}
		}
		return nil
	})
	return both(shown, launch)
}

// reveal takes on a change of the layout that was just made, and moves the focus to
// a pane, which has its size from then on.
func (m *Model) reveal(id panes.PaneID) tea.Cmd {
	m.draws.dirty = true
	known := m.sync() // else it could not have the focus
	m.setFocus(id)
	return both(known, m.sync())
}

// breakPane gives the focused pane a tab of its own.
func breakPane(m *Model) tea.Cmd {
	id := m.view.focus
	if len(m.view.whole) < 2 {
		return m.say("This pane has its tab for itself.", false)
	}
	return m.rearrange(id, "break out the pane", m.cfg.Host.Break(id))
}

// rearrange shows what became of a change of the layout, the focus being at the
// same pane.
func (m *Model) rearrange(id panes.PaneID, what string, err error) tea.Cmd {
	if err != nil {
		return m.refuse(what, err)
	}
	return m.reveal(id)
}

// joinPane moves the focused pane into a tab, beside the pane that has the focus
// there.
func (m *Model) joinPane(to *tab) tea.Cmd {
	id := m.view.focus
	if to == m.view.tab && !to.floats() {
		return m.say("The pane is in this tab already.", false)
	}
	return m.rearrange(id, "move the pane", m.putBeside(id, to.base()))
}

// putBeside moves a pane beside another one, or below it if there is no room.
func (m *Model) putBeside(id, beside panes.PaneID) (err error) {
	for _, dir := range []panes.Direction{panes.Right, panes.Down} {
		if err = m.cfg.Host.MovePane(id, beside, dir, m.view.area()); !errors.Is(err, panes.ErrNoRoom) {
			break
		}
	}
	return err
}

// joinMarked brings the marked panes here, beside the focused one. Those that there is
// room for stay marked no more.
func joinMarked(m *Model) tea.Cmd {
	c, v := &m.view.cast, &m.view
	if len(c.marked) == 0 {
		return m.say("No pane is marked"+m.keyIn("mark")+".", true)
	}
	var moved panes.PaneID
	for _, id := range slices.Clone(c.marked) {
		if id == v.focus {
			continue
		}
		if err := m.putBeside(id, v.base()); err != nil {
			return m.rearrange(id, "move the pane", err)
		}
		c.marked = slices.DeleteFunc(c.marked, func(p panes.PaneID) bool { return p == id })
		moved = id
	}
	if moved == "" {
		return m.say("Only this pane is marked: go where it is to be, then bring it there.", true)
	}
	return m.reveal(moved)
}

// renameTab asks for the tab's name.
func renameTab(m *Model) tea.Cmd {
	t := m.view.tab
	return m.prompt(prompt{
		title: fmt.Sprintf("Rename tab %d", m.view.number(t)), verb: "rename",
		comfort: "Left empty, it is called by what runs in it.",
		limit:   panes.MaxTabName, text: t.Name, cursor: len(t.Name),
		done: func(m *Model, text string) tea.Cmd {
			if err := m.cfg.Host.RenameTab(t.ID, strings.TrimSpace(text)); err != nil {
				return m.refuse("rename the tab", err)
			}
			return nil
		},
	})
}

// renamePane asks for the name of the pane with the focus.
func renamePane(m *Model) tea.Cmd {
	id := m.view.focus
	name := m.view.layout.Meta[id].Name
	return m.prompt(prompt{
		title: "Rename the pane", verb: "rename",
		comfort: "Left empty, it is called as its program says.",
		limit:   panes.MaxPaneName, text: name, cursor: len(name),
		done: func(m *Model, text string) tea.Cmd {
			if err := m.cfg.Host.RenamePane(id, strings.TrimSpace(text)); err != nil {
				return m.refuse("rename the pane", err)
			}
			return nil
		},
	})
}

// moveTab asks for the tab's new place.
func moveTab(m *Model) tea.Cmd {
	t, n := m.view.tab, len(m.view.tabs)
	return m.prompt(prompt{
		title: "Move the tab to", verb: "move", count: fmt.Sprintf("1 to %d", n), limit: len(strconv.Itoa(panes.MaxTabs)),
		done: func(m *Model, text string) tea.Cmd {
			to, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || to < 1 || to > n {
				return m.say(fmt.Sprintf("There is no place %s: the tabs have 1 to %d.", text, n), true)
			}
			m.cfg.Host.MoveTab(t.ID, to-1)
			return nil
		},
	})
}

// closeTab closes the tab: at once if nothing is lost by it, else the person is
// asked.
func closeTab(m *Model) tea.Cmd {
	ask := loss{panes: m.view.whole}
	shells := map[int]string{}
	for _, id := range m.view.whole {
		p := m.view.panes[id]
		switch {
		case p == nil || p.dead || p.term == nil:
		case p.agent.Kind != "":
			ask.agents = true
			ask.programs = append(ask.programs, p.name)
		case !isShell(p.term.Spec()):
			ask.programs = append(ask.programs, p.name)
		default:
			shells[p.term.Process().PID] = p.name
		}
	}
	return m.run(func(context.Context) tea.Msg {
		for _, program := range childrenOf(shells) {
			ask.programs = append(ask.programs, clean(program))
		}
		return ask
	})
}

// loss is what is lost when panes are closed.
type loss struct {
	panes    []panes.PaneID
	programs []string
	agents   bool
}

func (l loss) apply(m *Model) tea.Cmd {
	if len(l.programs) == 0 {
		return m.shut(l.panes...)
	}
	return m.ask(l.sheet(), l.panes...)
}

// sheet asks whether that is wanted.
func (l loss) sheet() frame.Sheet {
	s := frame.Sheet{Title: "Close this tab?"}
	if n := len(l.programs); n > 1 {
		s.Text = strings.Join(l.programs[:n-1], ", ") + " and " + l.programs[n-1] + " run in this tab. Closing ends them"
		if l.agents {
			s.Text += "; agents among them will not resume by themselves"
		}
	} else {
		s.Text = l.programs[0] + " runs in this tab. Closing ends it"
		if l.agents {
			s.Text += "; it will not resume by itself"
		}
	}
	s.Text += "."
	if l.agents {
		s.Comfort = "The conversations stay in the agents' own histories."
	}
	return s
}

// childrenOf names programs that the given processes run, one for each.
func childrenOf(shells map[int]string) (names []string) {
	if len(shells) == 0 {
		return nil
	}
	procs, err := panes.Processes()
	if err != nil {
		return nil // what cannot be known does not stand in the way
	}
	for _, p := range procs {
		if _, ok := shells[p.Parent]; ok {
			delete(shells, p.Parent)
			names = append(names, p.Name)
		}
	}
	return names
}
