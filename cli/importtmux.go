package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"reprise/panes"
)

const (
	// tmuxTime is for tmux to answer, maxTmux how much it may, in bytes; a save may be
	// as large.
	tmuxTime = 10 * time.Second
	maxTmux  = 4 << 20
)

// tmuxSource is where tmux's sessions are read.
type tmuxSource struct {
	file   string // "": a running tmux, else the last save
	socket string // "": the server that tmux itself would ask
}

// tmuxFields are asked of each pane: what may hold a tab comes last.
var tmuxFields = []string{
	"session_name", "window_index", "automatic-rename", "window_layout", "pane_id", "pane_pid",
	"pane_current_command", "window_name", "session_path", "pane_current_path",
}

func (s tmuxSource) read(ctx context.Context, look processLook, told io.Writer) ([]foreign, error) {
	if s.file != "" {
		return readResurrect(s.file, look, told)
	}
	all, err := s.running(ctx, look, told)
	if err == nil || s.socket != "" {
		return all, err
	}
	file := lastResurrect()
	if file == "" {
		return nil, fmt.Errorf("%w; there is no save of tmux-resurrect either: name one by --file", err)
	}
	fmt.Fprintf(told, "reprise: no tmux answers, so its last save is read: %s\n", file)
	return readResurrect(file, look, told)
}

// running asks a running tmux, which is not changed by that.
func (s tmuxSource) running(ctx context.Context, look processLook, told io.Writer) ([]foreign, error) {
	ctx, cancel := context.WithTimeout(ctx, tmuxTime)
	defer cancel()
	argv := []string{"tmux", "-u"} // else it replaces what is not ASCII
	if s.socket != "" {
		argv = append(argv, "-L", s.socket)
	}
	argv = append(argv, "list-panes", "-a", "-F", "#{"+strings.Join(tmuxFields, "}\t#{")+"}")
	out, err := panes.Run(ctx, argv, "", nil, maxTmux)
	if err != nil {
		return nil, fmt.Errorf("ask tmux for its panes: %w", err)
	}
	return parseTmux(string(out), look, told), nil
}

// lastResurrect is the last save of tmux-resurrect, where it keeps them by default;
// "": there is none.
func lastResurrect() string {
	home, _ := os.UserHomeDir()
	for _, dir := range []string{filepath.Join(home, ".tmux"), filepath.Join(xdg.DataHome, "tmux")} {
		path := filepath.Join(dir, "resurrect", "last")
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// tmuxPane is a pane as tmux tells it.
type tmuxPane struct {
	session, window, windowName, layout string
	named                               bool   // the window's name is a person's
	number                              int    // as the layout calls it; -1: by its order
	pid                                 int    // its first process; 0: it does not run
	command                             string // short name of what is in the foreground
	full                                string // its command line, where it does not run; "": not known
	sessionDir, dir                     string
}

// parseTmux reads what a running tmux answers. A pane that stands in several sessions
// is taken once.
func parseTmux(out string, look processLook, told io.Writer) []foreign {
	var all []tmuxPane
	seen := map[int]bool{}
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", len(tmuxFields))
		if len(f) < len(tmuxFields) {
			continue
		}
		number, err := strconv.Atoi(strings.TrimPrefix(f[4], "%"))
		if err != nil || seen[number] {
			continue
		}
		seen[number] = true
		pid, _ := strconv.Atoi(f[5])
		all = append(all, tmuxPane{
			session: f[0], window: f[1], named: f[2] == "0", layout: f[3], number: number, pid: pid,
			command: f[6], windowName: f[7], sessionDir: absolute(f[8]), dir: absolute(f[9]),
		})
	}
	return grouped(all, look, told)
}

// readResurrect reads a save of tmux-resurrect: lines of fields with tabs between, of
// panes and of windows. Its two forms differ in what stands before a pane's
// directory, and in what stands behind a window's layout.
func readResurrect(path string, look processLook, told io.Writer) ([]foreign, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the save of tmux-resurrect: %w", err)
	case !st.Mode().IsRegular() || st.Size() > maxTmux:
		return nil, fmt.Errorf("%s is no save of tmux-resurrect", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the save of tmux-resurrect: %w", err)
	}
	all := parseResurrect(string(b), look, told)
	if len(all) == 0 {
		return nil, fmt.Errorf("%s is no save of tmux-resurrect, or an empty one", path)
	}
	return all, nil
}

// Fields of a save's lines: of a pane 11, of which the last four tell what it showed;
// of a window the layout is the sixth of six, or the seventh of eight.
const (
	savedPane = 11
	oldWindow = 6
	newWindow = 8
)

func parseResurrect(text string, look processLook, told io.Writer) []foreign {
	type window struct{ layout, name string }
	windows := map[[2]string]window{}
	var all []tmuxPane
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case f[0] == "window" && len(f) == oldWindow:
			windows[[2]string{f[1], f[2]}] = window{layout: f[5]}
		case f[0] == "window" && len(f) >= newWindow:
			w := window{layout: f[6]}
			if f[7] == "off" { // automatic-rename: a person gave the name
				w.name = strings.TrimPrefix(f[3], ":")
			}
			windows[[2]string{f[1], f[2]}] = w
		case f[0] == "pane" && len(f) == savedPane:
			dir := absolute(strings.ReplaceAll(strings.TrimPrefix(f[7], ":"), `\ `, " "))
			all = append(all, tmuxPane{
				session: f[1], window: f[2], number: -1, command: f[9], full: strings.TrimPrefix(f[10], ":"), sessionDir: dir, dir: dir,
			})
		}
	}
	for i := range all {
		w := windows[[2]string{all[i].session, all[i].window}]
		all[i].layout, all[i].windowName, all[i].named = w.layout, w.name, w.name != ""
	}
	return grouped(all, look, told)
}

// grouped makes sessions and tabs of panes, in the order in which they come.
func grouped(all []tmuxPane, look processLook, told io.Writer) []foreign {
	var sessions []foreign
	for len(all) > 0 {
		first := all[0]
		n := 1
		for n < len(all) && all[n].session == first.session && all[n].window == first.window {
			n++
		}
		at := slices.IndexFunc(sessions, func(f foreign) bool { return f.name == first.session })
		if at < 0 {
			at, sessions = len(sessions), append(sessions, foreign{name: first.session, dir: first.sessionDir, from: "tmux"})
		}
		tab, err := tmuxTab(all[:n], look)
		if err != nil {
			fmt.Fprintf(told, "reprise: window %s of %s: its panes are put side by side: %v\n", oneLine(first.window), oneLine(first.session), err)
		}
		sessions[at].tabs = append(sessions[at].tabs, tab)
		all = all[n:]
	}
	return sessions
}

// tmuxTab makes a tab of a window's panes; an error says why its splits are lost.
func tmuxTab(window []tmuxPane, look processLook) (foreignTab, error) {
	t := foreignTab{}
	if window[0].named {
		t.name = window[0].windowName
	}
	ids, unused := map[int]panes.PaneID{}, map[panes.PaneID]bool{}
	for _, w := range window {
		p := foreignPane{id: panes.NewPaneID(), dir: w.dir}
		p.argv, p.agent = look.what(w)
		if p.agent != nil {
			p.dir = p.agent.origin.Dir
		}
		t.panes = append(t.panes, p)
		ids[w.number] = p.id
		unused[p.id] = true
	}
	order := 0
	root, err := panes.ParseTmuxLayout(window[0].layout, func(number int) panes.PaneID {
		id := ids[number]
		if window[0].number < 0 && order < len(t.panes) { // a save tells them by their order
			id = t.panes[order].id
		}
		order++
		delete(unused, id)
		return id
	})
	if err == nil && len(unused) > 0 {
		err = errors.New("its layout has not all of its panes")
	}
	if err == nil {
		t.root = root
		return t, nil
	}
	t.root = &panes.Node{Weight: 1}
	for _, p := range t.panes {
		t.root.Children = append(t.root.Children, &panes.Node{Pane: p.id, Weight: 1})
	}
	if len(t.panes) == 1 {
		t.root = t.root.Children[0]
	}
	return t, err
}
