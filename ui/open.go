package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/disk"
	"reprise/panes/vt"
	"reprise/ui/hints"
)

// openerTime is how long a program that opens links is listened to: what went wrong
// shows soon, and some run as long as what they opened.
const openerTime = 3 * time.Second

// openHint opens a link with the person's opener, or a file in the editor.
func (m *Model) openHint(id panes.PaneID, h hints.Hint) tea.Cmd {
	if m.cfg.ReadOnly {
		return m.say("This client only looks on: attach without --read-only to open something.", false)
	}
	m.lead()
	if h.Kind == hints.Path {
		return m.openFile(id, h)
	}
	return m.openLink(h.Text)
}

// openAt opens what a mouse event is at, with ctrl: a link, or a file where no program
// wants the mouse. The rest of that click goes nowhere.
func (m *Model) openAt(p *pane, at panes.Placed, ev uv.MouseEvent) (cmd tea.Cmd, opened bool) {
	e := ev.Mouse()
	if _, click := ev.(uv.MouseClickEvent); !click || e.Mod != uv.ModCtrl || e.Button != uv.MouseLeft {
		return nil, m.grab.does == opening
	}
	col, row := p.cell(e.X, e.Y, at.Grid)
	h, found := hints.At(p.seen(), row, col)
	if !found || h.Kind != hints.Link && (h.Kind != hints.Path || !m.ours(p, ev)) {
		return nil, false
	}
	m.grab.does = opening
	return m.openHint(at.Pane, h), true
}

// openLink gives a link to the program that opens links. No shell sees it, and it
// is an argument that begins with its scheme.
func (m *Model) openLink(link string) tea.Cmd {
	safe, err := hints.Openable(link)
	if err != nil {
		return m.say(fmt.Sprintf("Not opened: %v (%s).", err, clean(link)), true)
	}
	env, home := environ(m.cfg.Env), m.cfg.Home
	argv := append(opener(m.cfg.Opener), safe)
	return m.run(func(ctx context.Context) tea.Msg {
		if err := harmless(hints.LocalFile(safe)); err != nil {
			return noticeMsg{text: fmt.Sprintf("Not opened: %v.", err), failure: true}
		}
		ctx, cancel := context.WithTimeout(ctx, openerTime)
		defer cancel()
		err := panes.Spawn(ctx, argv, home, env)
		switch {
		case errors.Is(err, panes.ErrNotInPath), errors.Is(err, panes.ErrNoFile):
			return unopenedMsg{safe, fmt.Sprintf("%s is not there to open links: set ui.opener in config.toml. The link was copied.", argv[0])}
		case err != nil:
			return unopenedMsg{safe, fmt.Sprintf("Could not open the link, it was copied (%v).", err)}
		}
		return noticeMsg{text: "Opened " + clean(safe)}
	})
}

// unopenedMsg says that a link was not opened; it is copied instead.
type unopenedMsg struct{ link, why string }

func (u unopenedMsg) apply(m *Model) tea.Cmd {
	return both(m.copyOut([]byte(u.link), false), m.say(u.why, true))
}

// DefaultOpener is the opener that a setting names for the system's.
const DefaultOpener = "auto"

// opener is the program that opens links, with its arguments.
func opener(setting string) []string {
	if words := strings.Fields(setting); len(words) > 0 && setting != DefaultOpener {
		return words
	}
	if runtime.GOOS == "darwin" {
		return []string{"open"}
	}
	return []string{"xdg-open"}
}

// runs are the endings of files and folders that an opener starts, or that may make it
// start another program, whatever their mode: desktop entries, and what macOS takes for
// programs, scripts of its terminals, installers and shortcuts.
var runs = []string{
	".desktop", ".appimage", ".jar", ".app", ".command", ".tool", ".terminal", ".term", ".webloc", ".inetloc", ".fileloc", ".url",
	".scpt", ".scptd", ".applescript", ".workflow", ".action", ".shortcut", ".pkg", ".mpkg", ".dmg", ".prefpane", ".mobileconfig",
}

// harmless refuses local files that an opener may run: a program only has to print
// a link to one that it wrote. A folder whose name has an ending may be a bundle, which
// macOS runs or gives to whichever program claims the ending.
func harmless(file string) error {
	if file == "" {
		return nil
	}
	st, err := disk.Stat(file, disk.Glance)
	if err != nil {
		return fmt.Errorf("there is no file %s", clean(file))
	}
	ending := strings.ToLower(filepath.Ext(strings.TrimLeft(filepath.Base(file), ".")))
	switch {
	case slices.Contains(runs, ending), st.IsDir() && ending != "",
		!st.IsDir() && (!st.Mode().IsRegular() || st.Mode()&0o111 != 0):
		return fmt.Errorf("%s may be run when it is opened", clean(file))
	}
	return nil
}

// openFile opens a file in the editor, at its line; a path is meant from the
// directory of the pane that shows it.
func (m *Model) openFile(id panes.PaneID, h hints.Hint) tea.Cmd {
	p := m.view.panes[id]
	if p == nil {
		return nil
	}
	term, told, started, home := p.term, p.state.Dir, p.agent.Dir, m.cfg.Home
	if p.agent.Kind != "" && started != "" {
		term, told = nil, "" // an agent names files from its session's directory
	}
	argv := editor(m.cfg.Env)
	return m.run(func(context.Context) tea.Msg {
		dir := where(term, told, started, home)
		file := h.File
		if rest, ok := strings.CutPrefix(file, "~/"); ok {
			file = filepath.Join(home, rest)
		} else if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		// Absolute and clean: it is no option, and no URL to any editor.
		file = filepath.Clean(file)
		if st, err := disk.Stat(file, disk.Glance); err != nil || !st.Mode().IsRegular() {
			return noticeMsg{text: "There is no file " + tilde(clean(file), home) + ".", failure: true}
		}
		return editMsg{beside: id, argv: atLine(argv, file, h.Line), dir: dir}
	})
}

// editor is the person's editor, with its arguments, as git chooses it.
func editor(env environ) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(env.get(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// lineStyles are how editors are told a line that do not know +LINE, as vi, emacs,
// nano and most others do.
var lineStyles = []struct {
	editors []string
	args    func(file string, line string) []string
}{
	{[]string{"code", "codium", "cursor", "windsurf"}, func(file, line string) []string { return []string{"--goto", file + ":" + line} }},
	{[]string{"hx", "helix", "zed", "zeditor", "subl", "micro"}, func(file, line string) []string { return []string{file + ":" + line} }},
}

// atLine appends a file to an editor's arguments, with a line if there is one.
func atLine(argv []string, file string, line int) []string {
	argv = slices.Clip(argv)
	if line <= 0 {
		return append(argv, file)
	}
	for _, s := range lineStyles {
		if slices.Contains(s.editors, filepath.Base(argv[0])) {
			return append(argv, s.args(file, strconv.Itoa(line))...)
		}
	}
	return append(argv, "+"+strconv.Itoa(line), file)
}

// editMsg opens a command in a pane beside another one.
type editMsg struct {
	beside panes.PaneID
	argv   []string
	dir    string
	// text is looked at from its end, in a file that goes with the pane; nil: argv names
	// what is.
	text []byte
}

func (e editMsg) apply(m *Model) tea.Cmd {
	id, err := m.splitAnywhere(e.beside)
	if err != nil {
		return m.refuse("open the editor", err)
	}
	shown := m.reveal(id)
	host, l := m.cfg.Host, m.cfg.Launcher
	return both(shown, m.run(func(ctx context.Context) tea.Msg {
		if err := e.launch(ctx, l, id); err != nil {
			host.Close(id)
			return noticeMsg{text: fmt.Sprintf("Could not open the editor: %v", err), failure: true}
		}
		return editedMsg{id, host.Shown(id)}.after(ctx)
	}))
}

// launch starts the editor. What a pane showed is written down only now, and not left
// where nobody looks at it.
func (e editMsg) launch(ctx context.Context, l Launcher, id panes.PaneID) error {
	r := agent.LaunchRequest{Pane: id, Argv: e.argv, Dir: e.dir}
	if e.text == nil {
		return l.Launch(ctx, r)
	}
	path, err := panes.WriteScratch(e.text)
	if err != nil {
		return err
	}
	r.Argv, r.Scratch = atLine(e.argv, path, max(1, bytes.Count(e.text, []byte("\n")))), path
	if err := l.Launch(ctx, r); err != nil {
		_ = os.Remove(path)
		return err
	}
	return nil
}

// splitAnywhere makes a pane beside another one, across its longer side, or a tab where
// that one has no room or floats.
func (m *Model) splitAnywhere(id panes.PaneID) (panes.PaneID, error) {
	m.view.zoom = false
	dirs := []panes.Direction{panes.Right, panes.Down}
	if s := m.view.panes[id]; s != nil && s.size.Cols < sideBySide {
		slices.Reverse(dirs)
	}
	for _, dir := range dirs {
		to, err := m.cfg.Host.Split(id, dir, m.view.area())
		if !errors.Is(err, panes.ErrNoRoom) && !errors.Is(err, panes.ErrFloats) {
			return to, err
		}
	}
	return m.cfg.Host.NewTab("", m.view.tab.ID)
}

// sideBySide is the least width of a pane that is split into left and right, in
// columns.
const sideBySide = 160

// editedMsg says that an editor has ended.
type editedMsg struct {
	pane panes.PaneID
	term *panes.Terminal
}

// after waits for the editor's end. One that outlives this client leaves its pane.
func (e editedMsg) after(ctx context.Context) tea.Msg {
	if e.term == nil {
		return nil
	}
	select {
	case <-e.term.Done():
		return e
	case <-ctx.Done():
		return nil
	}
}

// apply closes an editor's pane; one that failed stays, to be read.
func (e editedMsg) apply(m *Model) tea.Cmd {
	if exit, _, ended := e.term.Exit(); !ended || exit != (panes.Exit{}) || m.cfg.Host.Shown(e.pane) != e.term {
		return nil
	}
	return m.shut(e.pane)
}

// editScrollback opens what the focused pane shows, and what it showed before, in
// the editor. It is a copy: nothing of it comes back.
func editScrollback(m *Model) tea.Cmd {
	p := m.view.focused()
	if p == nil || p.term == nil {
		return m.say("This pane has no text to look at.", false)
	}
	id, term, home := m.view.focus, p.term, m.cfg.Home
	argv := editor(m.cfg.Env)
	return m.run(func(context.Context) tea.Msg {
		text := term.Text(vt.Text{History: -1})
		if text == nil {
			text = []byte{}
		}
		return editMsg{beside: id, argv: argv, dir: home, text: text}
	})
}
