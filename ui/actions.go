package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/ui/alert"
)

// action is one thing that a person can ask for. The table serves the keys and
// every text on the screen that names one.
type action struct {
	name string // as a command, unique
	verb string // as a hint says it: one lower-case verb
	help string
	traits
	run func(m *Model) tea.Cmd
}

// traits are what else is to be known of an action.
type traits uint8

const (
	// own: it concerns this client alone. Who only looks on may do it.
	own traits = 1 << iota
	// repeats: it may be repeated for a while without the prefix.
	repeats
)

func (t traits) has(one traits) bool { return t&one != 0 }

// binding is a key and what it does.
type binding struct{ key, action string }

// numberedTabs is how many tabs have a key: 1 to 9, and 0 for the tenth.
const numberedTabs = 10

// repeatTime is how long a repeatable binding works without the prefix (tmux's
// repeat-time).
const repeatTime = 500 * time.Millisecond

// How far the border moves for ctrl and for alt with an arrow, as in tmux.
const (
	smallStep = 1
	largeStep = 5
)

var actions []action

// The table refers to functions that look things up in it, so it is filled here.
func init() {
	actions = []action{
		{"split-right", "split right", "Split the pane: a new one at its right", 0, split(panes.Right)},
		{"split-down", "split down", "Split the pane: a new one below it", 0, split(panes.Down)},
		{"close", "close", "Close the pane and end what runs in it", 0, closeFocused},
		{"focus-left", "focus", "Move the focus to the left", own, focusTo(panes.Left)},
		{"focus-right", "focus", "Move the focus to the right", own, focusTo(panes.Right)},
		{"focus-up", "focus", "Move the focus up", own, focusTo(panes.Up)},
		{"focus-down", "focus", "Move the focus down", own, focusTo(panes.Down)},
		{"focus-next", "next pane", "Move the focus to the next pane", own, focusNext},
		{"focus-last", "last pane", "Move the focus to the pane that had it before", own, func(m *Model) tea.Cmd { m.setFocus(m.view.last); return nil }},
		{"new-tab", "new tab", "Open a shell in a new tab", 0, newTab},
		{"next-tab", "next tab", "Go to the next tab", own, besideTab(1)},
		{"previous-tab", "previous tab", "Go to the previous tab", own, besideTab(-1)},
		{"last-tab", "last tab", "Go to the tab that was shown before", own, lastTab},
		{"tabs", "list tabs", "List the tabs; go to one, or move the pane there", own, showTabs},
		{"rename-tab", "rename tab", "Give the tab a name", 0, renameTab},
		{"move-tab", "move tab", "Move the tab to another place", 0, moveTab},
		{"close-tab", "close tab", "Close the tab and end what runs in it", 0, closeTab},
		{"break-pane", "break out", "Give the pane a tab of its own", 0, breakPane},
		{"rename-pane", "rename pane", "Give the pane a name, shown in place of its title", 0, renamePane},
		{"rename-session", "rename session", "Give the session a name", 0, renameSession},
		{"zoom", "zoom", "Show this pane alone, or all again", own, zoom},
		{"numbers", "numbers", "Show the panes' numbers; a digit then goes there", own, showNumbers},
		{"copy", "copy mode", "Look back through this pane's text, select and copy", own, beginCopy},
		{"copy-up", "page up", "Look back through this pane's text, a screen up", own, beginCopyUp},
		{"search", "search", "Search this pane's text, back from where it ends", own, beginSearch},
		{"hints", "hints", "Label the links, paths, hashes and addresses in sight: copy one, or open it", own, showHints},
		{"edit-scrollback", "edit text", "Open this pane's text, and what came before, in your editor", 0, editScrollback},
		{"paste", "paste", "Paste what was copied last", 0, pasteCopied},
		{"resume", "resume", "Resume this pane's session", 0, func(m *Model) tea.Cmd { return m.resumeByPerson(m.view.focus, false) }},
		{"detach", "detach", "Detach this client; what runs goes on, other clients stay", own, (*Model).leave},
		{"clients", "clients", "List the attached clients; another one can be detached", own, showClients},
		{"suspend", "suspend", "Suspend this client, as ctrl+z does in other programs", own, suspend},
		{"help", "every key", "List every action with its keys; one can be found and run", own, showHelp},
		{"reload-config", "reload", "Read config.toml again: its keys and looks are in force at once", own, reloadNow},
		{"messages", "messages", "List what was said and what happened; one can go there", own, showMessages},
		{"monitor-activity", "monitor", "Tell, or no more, when this pane prints out of sight", 0, monitorPane(alert.Activity)},
		{"monitor-silence", "monitor", "Tell, or no more, when this pane falls silent out of sight", 0, monitorPane(alert.Silence)},
		{"monitor-tab-activity", "monitor", "The same for output of all panes of this tab", 0, monitorTab(alert.Activity)},
		{"monitor-tab-silence", "monitor", "The same for silence of all panes of this tab", 0, monitorTab(alert.Silence)},
		{"send-prefix", "send prefix", "Send the prefix itself to the program", 0, sendPrefix},
	}
	for n := range numberedTabs {
		name := strconv.Itoa(n + 1)
		verb := "go to tab"
		if n == numberedTabs-1 {
			verb += " " + name // its key is another digit
		}
		actions = append(actions, action{"tab-" + name, verb, "Go to tab " + name, own, toTab(n)})
	}
	for dir, name := range []string{panes.Right: "right", panes.Down: "down", panes.Left: "left", panes.Up: "up"} {
		dir := panes.Direction(dir)
		actions = append(actions,
			action{"grow-" + name, "resize", "Move the pane's border by a cell: " + name, repeats, grow(dir, smallStep)},
			action{"grow-" + name + "-more", "resize", "Move the pane's border by five cells: " + name, repeats, grow(dir, largeStep)},
		)
	}
}

// bindings are tmux's keys after the prefix, and ours that it leaves free.
var bindings = []binding{
	{"%", "split-right"},
	{`"`, "split-down"},
	{"x", "close"},
	{"left", "focus-left"},
	{"right", "focus-right"},
	{"up", "focus-up"},
	{"down", "focus-down"},
	{"o", "focus-next"},
	{";", "focus-last"},
	{"c", "new-tab"},
	{"n", "next-tab"},
	{"p", "previous-tab"},
	{"l", "last-tab"},
	{"w", "tabs"},
	{",", "rename-tab"},
	{".", "move-tab"},
	{"&", "close-tab"},
	{"!", "break-pane"},
	{"T", "rename-pane"},
	{"$", "rename-session"},
	{"z", "zoom"},
	{"q", "numbers"},
	{"[", "copy"},
	{"pgup", "copy-up"},
	{"/", "search"},
	{"]", "paste"},
	{"F", "hints"},
	{"e", "edit-scrollback"},
	{"R", "resume"},
	{"?", "help"},
	{"~", "messages"},
	{"d", "detach"},
	{"D", "clients"},
	{"ctrl+z", "suspend"},
	{"ctrl+left", "grow-left"},
	{"ctrl+right", "grow-right"},
	{"ctrl+up", "grow-up"},
	{"ctrl+down", "grow-down"},
	{"alt+left", "grow-left-more"},
	{"alt+right", "grow-right-more"},
	{"alt+up", "grow-up-more"},
	{"alt+down", "grow-down-more"},
}

func init() {
	for n := range numberedTabs {
		bindings = append(bindings, binding{strconv.Itoa((n + 1) % numberedTabs), "tab-" + strconv.Itoa(n+1)})
	}
}

func byName(name string) *action {
	i := slices.IndexFunc(actions, func(a action) bool { return a.name == name })
	if i < 0 {
		return nil
	}
	return &actions[i]
}

// readOnlyChip says in the bar, and in a list, that a client only looks on.
const readOnlyChip = "read-only"

// do runs an action. One that changes something for others too makes this client
// the one whose sizes panes take, and is none for one who only looks on.
func (m *Model) do(a *action) tea.Cmd {
	if !a.has(own) {
		if m.cfg.ReadOnly {
			return m.say("This client only looks on: attach without --read-only to change something.", false)
		}
		m.lead()
	}
	if m.cfg.Acted != nil {
		m.cfg.Acted(a.name)
	}
	return a.run(m)
}

// lead tells that the person is at this client.
func (m *Model) lead() { m.cfg.Host.Lead(m.cfg.Client) }

func split(dir panes.Direction) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.view.zoom = false
		id, err := m.cfg.Host.Split(m.view.focus, dir, m.view.area())
		if err != nil {
			return m.refuse("split", err)
		}
		return m.openShell(id)
	}
}

func focusTo(dir panes.Direction) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if m.view.floats() {
			m.setFocus(m.view.base())
			return nil
		}
		m.view.zoom = false
		m.setFocus(m.view.tab.Neighbour(m.view.focus, dir, m.view.area(), m.view.front()...))
		m.draws.dirty = true
		return nil
	}
}

func focusNext(m *Model) tea.Cmd {
	v := &m.view
	if v.floats() {
		m.setFocus(v.base())
		return nil
	}
	if i := slices.Index(v.order, v.focus); i >= 0 {
		m.setFocus(v.order[(i+1)%len(v.order)])
	}
	return nil
}

func zoom(m *Model) tea.Cmd {
	if len(m.view.order) > 1 {
		m.view.zoom = !m.view.zoom
		m.draws.dirty = true
	}
	return nil
}

func grow(dir panes.Direction, n int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if !m.view.zoomed() {
			m.cfg.Host.Grow(m.view.focus, dir, n, m.view.area())
			m.draws.dirty = true
		}
		return nil
	}
}

func showNumbers(m *Model) tea.Cmd {
	m.view.zoom = false
	m.draws.dirty = true
	return m.enter(&numbers{since: time.Now()}, numbersTime)
}

func sendPrefix(m *Model) tea.Cmd { return m.sendKey(m.keys.press) }

// closeFocused closes the focused pane: at once if nothing is lost by it, else
// the person is asked.
func closeFocused(m *Model) tea.Cmd {
	id, p := m.view.focus, m.view.focused()
	if p == nil {
		return nil
	}
	switch {
	case p.dead || p.term == nil:
		return m.shut(id)
	case p.agent.Kind != "":
		return m.askPane(id, fmt.Sprintf("%s is running in %s. Closing ends it; it will not resume by itself.", p.name, p.dir),
			"The conversation stays in "+p.name+"'s own history.")
	case !isShell(p.term.Spec()):
		return m.askPane(id, fmt.Sprintf("%s is running in %s. Closing ends it.", p.name, p.dir), "")
	}
	shell := p.term.Process().PID
	return m.run(func(context.Context) tea.Msg { return busyMsg{id, childrenOf(map[int]string{shell: p.name})} })
}

// busyMsg tells what a shell runs.
type busyMsg struct {
	pane     panes.PaneID
	programs []string
}

func (b busyMsg) apply(m *Model) tea.Cmd {
	p := m.view.panes[b.pane]
	if p == nil {
		return nil
	}
	if len(b.programs) == 0 {
		return m.shut(b.pane)
	}
	return m.askPane(b.pane, fmt.Sprintf("%s runs %s in %s. Closing ends both.", p.name, clean(b.programs[0]), p.dir), "")
}

var shells = []string{"sh", "bash", "zsh", "fish", "dash", "ash", "ksh", "mksh", "tcsh", "csh", "nu", "elvish", "xonsh", "pwsh"}

func isShell(s panes.Spec) bool {
	return len(s.Argv) > 0 && slices.Contains(shells, programName(panes.Spec{Argv: []string{filepath.Base(s.Argv[0])}}))
}

// shut closes panes for good: what they run is ended on the person's behalf, their
// sessions do not come back by themselves. The stamp comes before the place is gone.
func (m *Model) shut(ids ...panes.PaneID) tea.Cmd {
	var cmds []tea.Cmd
	for _, id := range ids {
		if m.acting[id] {
			continue
		}
		m.acting[id] = true
		l, host := m.cfg.Launcher, m.cfg.Host
		cmds = append(cmds, m.run(func(ctx context.Context) tea.Msg {
			if err := l.End(ctx, id); err != nil {
				return actedMsg{id, fmt.Errorf("could not close the pane: %w", err)}
			}
			host.Close(id)
			return shutMsg(id)
		}))
	}
	return tea.Batch(cmds...)
}

// shutMsg says that a pane was closed.
type shutMsg panes.PaneID

func (s shutMsg) apply(m *Model) tea.Cmd {
	delete(m.acting, panes.PaneID(s))
	m.draws.dirty = true
	return nil
}
