package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/panes/disk"
	"reprise/ui/frame"
)

// workDir is where a pane's program works: an agent in its session's directory,
// others where they say (OSC 7), else where their process is or was started.
func (p *pane) workDir() string {
	if p.agent.Kind != "" && p.agent.Dir != "" {
		return p.agent.Dir
	}
	dir := p.agent.Dir
	if dir == "" && p.term != nil {
		dir = p.term.Spec().Dir
	}
	for _, told := range []string{p.cwd, p.state.Dir} {
		if told != "" {
			dir = told
		}
	}
	return dir
}

// cwdTime is how long after a program's output its process is asked for its
// directory: most shells do not tell.
const cwdTime = 500 * time.Millisecond

// cwdMsg comes when it is time to ask.
type cwdMsg struct{}

func (cwdMsg) apply(m *Model) tea.Cmd {
	m.asking, m.view.asks = false, false
	asked := map[panes.PaneID]*panes.Terminal{}
	for id, p := range m.view.panes {
		if p.asks {
			asked[id], p.asks = p.term, false
		}
	}
	return m.run(func(context.Context) tea.Msg {
		found := cwdsMsg{}
		for id, term := range asked {
			if dir, err := panes.Cwd(term.Process().PID); err == nil { // else it is gone
				found[id] = cwd{term, dir}
			}
		}
		return found
	})
}

// cwdsMsg tells where processes are.
type cwdsMsg map[panes.PaneID]cwd

type cwd struct {
	term *panes.Terminal
	dir  string
}

func (found cwdsMsg) apply(m *Model) tea.Cmd {
	for id, at := range found {
		if p := m.view.panes[id]; p != nil && p.term == at.term && p.cwd != at.dir {
			p.cwd = at.dir
			m.word(p)
			m.draws.dirty = true
		}
	}
	return nil
}

// askCwd asks, a while later, where the processes are whose screens changed.
func (m *Model) askCwd() tea.Cmd {
	if m.asking || !m.view.asks {
		return nil
	}
	m.asking = true
	return m.after(cwdTime, cwdMsg{})
}

// branchMsg tells the git branch of a directory.
type branchMsg struct{ dir, branch string }

func (b branchMsg) apply(m *Model) tea.Cmd {
	if b.dir == m.status.of && b.branch != m.status.branch {
		m.status.branch = b.branch
		m.draws.dirty = true
	}
	return nil
}

// workDir is the focused pane's directory; "" if it is not known.
func (m *Model) workDir() string {
	p := m.view.focused()
	if p == nil {
		return ""
	}
	if dir := p.workDir(); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// followBranch asks for the branch if the focused pane's directory is another one,
// and if the branch is shown at all.
func (m *Model) followBranch() tea.Cmd {
	if !m.cfg.Bar.Has(frame.PartBranch) || m.workDir() == m.status.of {
		return nil
	}
	return m.branch()
}

// branch asks for the branch of the focused pane's directory, if it is shown.
func (m *Model) branch() tea.Cmd {
	dir := m.workDir()
	if !m.cfg.Bar.Has(frame.PartBranch) {
		dir = ""
	}
	m.status.of = dir
	if dir == "" {
		m.status.branch = ""
		return nil
	}
	return m.run(func(context.Context) tea.Msg {
		return branchMsg{dir, clean(gitBranch(dir))}
	})
}

// maxHead bounds what is read of a file that says where a repository stands.
const maxHead = 1024

// gitBranch is the branch that the repository around dir is on: "" if there is none, or
// if it cannot be seen. It reads HEAD and runs nothing (gitrepository-layout(5)).
func gitBranch(dir string) string {
	if !disk.IsDir(dir, disk.Glance) {
		return ""
	}
	for {
		git := filepath.Join(dir, ".git")
		info, err := disk.Stat(git, disk.Glance)
		if errors.Is(err, disk.ErrSilent) {
			return "" // one further up would be that of another repository
		}
		if err == nil {
			if !info.IsDir() { // a worktree
				git = strings.TrimSpace(strings.TrimPrefix(readHead(git), "gitdir:"))
				if !filepath.IsAbs(git) {
					git = filepath.Join(dir, git)
				}
			}
			ref, ok := strings.CutPrefix(strings.TrimSpace(readHead(filepath.Join(git, "HEAD"))), "ref: refs/heads/")
			if !ok {
				return ""
			}
			return ref
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// readHead is the beginning of a regular file; "" if it cannot be read.
func readHead(path string) string {
	head, _ := disk.In(path, disk.Glance, func(func()) (string, error) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() { // a fifo would block
			return "", err
		}
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		b := make([]byte, maxHead)
		n, _ := f.Read(b)
		return string(b[:n]), nil
	})
	return head
}

// where is the directory in which a split opens its shell: what the program of
// the pane says (OSC 7), else what its process has, else where it was started.
// It does I/O.
func where(term *panes.Terminal, told, started, home string) string {
	candidates := []string{told}
	if term != nil {
		if dir, err := panes.Cwd(term.Process().PID); err == nil {
			candidates = append(candidates, dir)
		}
	}
	for _, dir := range append(candidates, started, home) {
		if disk.IsDir(dir, disk.Glance) {
			return dir
		}
	}
	return "/"
}
