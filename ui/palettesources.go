package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/frame"
)

func init() {
	actions = append(actions,
		action{"palette", "palette", "Find panes, tabs, sessions, agents, text and actions, and go", own, showPalette("")},
		action{"start-agent", "start an agent", "Start an agent in a tab of its own, or beside this pane", 0, showPalette("start")},
	)
	bindings = append(bindings, binding{":", "palette"}, binding{"a", "start-agent"})
}

// What tab does with a choice.
const (
	inSplit  = "in a split"
	moveHere = "move pane here"
)

// sources are what the palette finds, text in panes apart.
var sources = []source{
	{"pane", paneChoices},
	{"tab", tabChoices},
	{"session", sessionChoices},
	{"start", startChoices},
	{"past", pastChoices},
	{"dir", dirChoices},
	{"key", keyChoices},
}

func paneChoices(m *Model, _ Starts) (list []choice) {
	for _, c := range m.cards() {
		if c.host == m.cfg.Host && c.pane == m.view.focus {
			continue
		}
		to := c.place()
		one := choice{
			Choice: frame.Choice{Text: c.label(), State: c.look, Note: c.where}, also: c.dir,
			do: func(m *Model) tea.Cmd { return m.goTo(to) },
		}
		if c.host == m.cfg.Host {
			one.verb, one.other = inSplit, changes(func(m *Model) tea.Cmd { return m.bring(to.pane) })
		}
		list = append(list, one)
	}
	return list
}

// changes marks what is not for those who only look on.
func changes(do func(m *Model) tea.Cmd) func(m *Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.do(&action{run: do}) }
}

// bring moves a pane of this session beside the focused one; from the scratch pane,
// beside the one under it.
func (m *Model) bring(id panes.PaneID) tea.Cmd {
	beside := m.view.base()
	if id == beside {
		return m.arrive(place{pane: id})
	}
	return m.rearrange(id, "move the pane", m.putBeside(id, beside))
}

func tabChoices(m *Model, _ Starts) (list []choice) {
	cards := m.cards()
	for i, c := range cards {
		if !c.first || c.host == m.cfg.Host && c.tab == m.view.number(m.view.tab) {
			continue
		}
		n := 1
		for n < len(cards)-i && !cards[i+n].first {
			n++
		}
		to := c.place()
		take := func(m *Model) tea.Cmd { return m.moveTo(Destination{Host: to.session}) }
		if c.host == m.cfg.Host && c.tab <= len(m.view.tabs) {
			there := m.view.tabs[c.tab-1]
			to.pane = there.focus
			take = func(m *Model) tea.Cmd { return m.joinTab(there.ID) }
		}
		list = append(list, choice{
			Choice: frame.Choice{Text: c.where, Note: counted(n, "pane")},
			do:     func(m *Model) tea.Cmd { return m.goTo(to) },
			verb:   moveHere, other: changes(take),
		})
	}
	return list
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func sessionChoices(m *Model, _ Starts) (list []choice) {
	for _, s := range m.sessions() {
		if s.Host == m.cfg.Host {
			continue
		}
		to := place{session: s.Host}
		list = append(list, choice{
			Choice: frame.Choice{Text: s.Workspace.Name(), Note: counted(len(s.Host.Layout().Panes()), "pane")},
			do:     func(m *Model) tea.Cmd { return m.goTo(to) },
			verb:   moveHere, other: changes(func(m *Model) tea.Cmd { return m.moveTo(Destination{Host: to.session}) }),
		})
	}
	return list
}

func startChoices(m *Model, s Starts) (list []choice) {
	dir := m.workDir()
	if dir == "" {
		dir = m.cfg.Home
	}
	note := strings.Join(m.keys.keysOf("start-agent"), " or ")
	for _, a := range s.Agents {
		r := agent.LaunchRequest{Kind: a.Name, Dir: dir}
		list = append(list, m.launches(fmt.Sprintf("%s in %s", a.Label, tilde(dir, m.cfg.Home)), note, a.Name, r))
	}
	return list
}

// pastChoices are past sessions of agents; those that are open are found as panes.
func pastChoices(m *Model, s Starts) (list []choice) {
	from, ok := m.cfg.Sessions.(Past)
	if !ok {
		return nil
	}
	now := time.Now()
	for _, r := range s.Past {
		if r.Standing.Open() {
			continue
		}
		list = append(list, choice{
			Choice: frame.Choice{Text: r.Kind + "  " + firstWords(r), Note: ShortAge(now.Sub(r.Used))}, also: r.Dir + " " + r.Last,
			do: opensPast(from, r, PastHow{}), text: string(r.Identity.Session),
		})
	}
	return list
}

// launches is a choice that starts something, in a tab or in a split.
func (m *Model) launches(text, note, also string, r agent.LaunchRequest) choice {
	return choice{
		Choice: frame.Choice{Text: text, Note: note}, also: also,
		do: changes(func(m *Model) tea.Cmd {
			id, err := m.cfg.Host.NewTab("", m.view.tab.ID)
			return m.launchIn(id, "open a tab", err, r)
		}),
		verb: inSplit, other: changes(func(m *Model) tea.Cmd {
			m.view.zoom = false
			beside := m.view.base() // the scratch pane itself cannot be split
			id, err := m.cfg.Host.Split(beside, panes.Right, m.view.area())
			if errors.Is(err, panes.ErrNoRoom) {
				id, err = m.cfg.Host.Split(beside, panes.Down, m.view.area())
			}
			return m.launchIn(id, "split", err, r)
		}),
	}
}

// launchIn starts something in a pane that was just made. The pane's place is saved
// before: after a crash in between a session would be in no pane. What cannot be
// started is said in the pane.
func (m *Model) launchIn(id panes.PaneID, what string, err error, r agent.LaunchRequest) tea.Cmd {
	if err != nil {
		return m.refuse(what, err)
	}
	r.Pane = id
	shown := m.reveal(id)
	host, l, save := m.cfg.Host, m.cfg.Launcher, m.cfg.Save
	return both(shown, m.run(func(ctx context.Context) tea.Msg {
		if save != nil {
			if err := save(ctx); err != nil {
				host.Close(id)
				return noticeMsg{text: fmt.Sprintf("Nothing was started: the layout could not be saved: %v", err), failure: true}
			}
		}
		if err := l.Launch(ctx, r); err != nil && host.Shown(id) == nil {
			return noticeMsg{text: fmt.Sprintf("Could not start it: %v", err), failure: true}
		}
		return nil
	}))
}

// dirChoices are directories of late: those in which panes are, then those in which
// something was started.
func dirChoices(m *Model, s Starts) (list []choice) {
	var dirs []string
	for _, c := range m.cards() {
		if dir, home := strings.CutPrefix(c.dir, "~"); home {
			c.dir = m.cfg.Home + dir
		}
		dirs = append(dirs, c.dir)
	}
	seen := map[string]bool{m.workDir(): true}
	for _, dir := range slices.Concat(dirs, s.Dirs) {
		if !filepath.IsAbs(dir) || seen[dir] {
			continue
		}
		seen[dir] = true
		one := m.launches(tilde(dir, m.cfg.Home), "", "", agent.LaunchRequest{Dir: dir})
		one.text = dir
		list = append(list, one)
	}
	return list
}

func keyChoices(m *Model, _ Starts) (list []choice) {
	for i := range actions {
		a := &actions[i]
		list = append(list, choice{
			Choice: frame.Choice{Text: a.help, Note: strings.Join(m.keys.keysOf(a.name), " or ")}, also: a.name + " " + a.verb, text: a.name,
			do: func(m *Model) tea.Cmd { return m.do(a) },
		})
	}
	return list
}
