package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
)

// messageTime is how long a message stands in the status bar; noticeTime is that of
// one that nobody asked for and that says more.
const (
	messageTime = 5 * time.Second
	noticeTime  = 10 * time.Second
)

// status is what the status bar says beside the panes.
type status struct {
	text    string
	failure bool
	serial  int // of the message
	clock   string
	branch  string
	of      string // the directory whose branch it is
}

// say puts a message into the status bar for a while.
func (m *Model) say(text string, failure bool) tea.Cmd {
	return m.sayFor(messageTime, text, failure)
}

func (m *Model) sayFor(d time.Duration, text string, failure bool) tea.Cmd {
	s := &m.status
	s.text, s.failure = clean(text), failure
	s.serial++
	m.draws.dirty = true
	return m.after(d, hushMsg(s.serial))
}

// nextNotice says what the program had to say before the first frame, a piece at
// a time.
func (m *Model) nextNotice() tea.Cmd {
	if len(m.cfg.Notices) == 0 {
		return nil
	}
	text := m.cfg.Notices[0]
	m.cfg.Notices = m.cfg.Notices[1:]
	return m.sayFor(noticeTime, text, false)
}

// noticeMsg is a message that a command has.
type noticeMsg struct {
	text    string
	failure bool
}

func (n noticeMsg) apply(m *Model) tea.Cmd { return m.say(n.text, n.failure) }

// notice says once what an agent wants said.
func (m *Model) notice(p *pane) tea.Cmd {
	if p.agent.Notice == "" || p.said == p.agent.Candidate {
		return nil
	}
	p.said = p.agent.Candidate
	return m.sayFor(noticeTime, p.agent.Notice, false)
}

// hushMsg takes a message away, if no other came meanwhile.
type hushMsg int

func (h hushMsg) apply(m *Model) tea.Cmd {
	if int(h) != m.status.serial {
		return nil
	}
	m.status.text, m.status.failure = "", false
	m.draws.dirty = true
	return m.nextNotice()
}

// clockMsg comes once a minute.
type clockMsg struct{}

func (clockMsg) apply(m *Model) tea.Cmd {
	for _, p := range m.view.panes { // ages in strips
		m.word(p)
	}
	m.draws.dirty = true
	return tea.Batch(m.tick(time.Now()), m.branch())
}

// tick shows the minute and waits for the next.
func (m *Model) tick(now time.Time) tea.Cmd {
	now = now.Round(0)
	m.status.clock = now.Local().Format("15:04")
	return m.after(now.Truncate(time.Minute).Add(time.Minute).Sub(now), clockMsg{})
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
	dir := p.state.Dir
	if dir == "" {
		dir = p.agent.Dir
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// followBranch asks for the branch if the focused pane's directory is another one.
func (m *Model) followBranch() tea.Cmd {
	if m.workDir() == m.status.of {
		return nil
	}
	return m.branch()
}

// branch asks for the branch of the focused pane's directory.
func (m *Model) branch() tea.Cmd {
	dir := m.workDir()
	m.status.of = dir
	if dir == "" {
		m.status.branch = ""
		return nil
	}
	return m.run(func(context.Context) tea.Msg { return branchMsg{dir, clean(gitBranch(dir))} })
}

// maxHead bounds what is read of a file that says where a repository stands.
const maxHead = 1024

// gitBranch is the branch that the repository around dir is on: "" if there is
// none. It reads HEAD and runs nothing (gitrepository-layout(5)).
func gitBranch(dir string) string {
	for {
		git := filepath.Join(dir, ".git")
		if info, err := os.Stat(git); err == nil {
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

func readHead(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // a fifo would block
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, maxHead)
	n, _ := f.Read(b)
	return string(b[:n])
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
		if info, err := os.Stat(dir); err == nil && info.IsDir() && filepath.IsAbs(dir) {
			return dir
		}
	}
	return "/"
}
