package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"reprise/agent"
	"reprise/panes"
)

// processLook tells what runs in a pane. It is a value, so that a test can have
// another system.
type processLook struct {
	kinds agent.Registry
	procs []panes.Proc
	cwd   func(pid int) string   // "": not known
	env   func(pid int) []string // what a process was started with
	files func(pid int) []string // paths that it holds open
}

// systemLook looks at this system, as it is now.
func systemLook(r agent.Registry) processLook {
	procs, _ := panes.Processes() // without them agents in tmux cannot be told
	return processLook{
		kinds: r, procs: procs, env: environOf, files: agent.SystemProcesses().OpenFiles,
		cwd: func(pid int) string { dir, _ := panes.Cwd(pid); return dir },
	}
}

// maxEnviron bounds what is read of a process's environment, in bytes.
const maxEnviron = 1 << 20

// environOf reads proc(5) environ; nothing where there is none.
func environOf(pid int) []string {
	f, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, maxEnviron)
	n, _ := f.Read(b)
	return strings.Split(string(b[:n]), "\x00")
}

// shells are programs that a pane opens anew rather than runs again.
var shells = []string{"sh", "bash", "zsh", "fish", "dash", "ksh", "csh", "tcsh", "nu", "xonsh", "elvish", "pwsh", "ash"}

func isShellName(s string) bool {
	return slices.Contains(shells, strings.TrimPrefix(filepath.Base(s), "-"))
}

// what tells the command of a pane and the agent that it is; without both it is a
// shell.
func (l processLook) what(w tmuxPane) (argv []string, found *foundAgent) {
	if w.pid == 0 {
		return l.saved(w)
	}
	tree := l.tree(w.pid)
	for _, p := range tree {
		if found := l.agent(p, tree, w.dir); found != nil {
			return p.Argv, found
		}
	}
	if len(tree) == 0 || isShellName(w.command) {
		return nil, nil
	}
	// What is in the foreground is the nearest to the pane's first process that has
	// its name; scripts have that of their interpreter.
	for _, p := range tree {
		if p.Name == w.command || len(p.Argv) > 0 && filepath.Base(p.Argv[0]) == w.command {
			return p.Argv, nil
		}
	}
	if len(tree) > 1 {
		return tree[1].Argv, nil
	}
	if isShellName(tree[0].Name) {
		return nil, nil
	}
	return tree[0].Argv, nil
}

// tree is a process and what it started, the nearest first.
func (l processLook) tree(pid int) (tree []panes.Proc) {
	at := slices.IndexFunc(l.procs, func(p panes.Proc) bool { return p.ID.PID == pid })
	if at < 0 {
		return nil
	}
	tree = []panes.Proc{l.procs[at]}
	for i := 0; i < len(tree) && len(tree) < len(l.procs); i++ {
		for _, p := range l.procs {
			if p.Parent == tree[i].ID.PID && !slices.ContainsFunc(tree, func(q panes.Proc) bool { return q.ID == p.ID }) {
				tree = append(tree, p)
			}
		}
	}
	return tree
}

// agent tells whether a process is an agent with a session of its own; nil: it is not.
func (l processLook) agent(p panes.Proc, tree []panes.Proc, dir string) *foundAgent {
	k := l.kindOf(p)
	if k == nil {
		return nil
	}
	if at := l.cwd(p.ID.PID); filepath.IsAbs(at) {
		dir = absolute(at)
	}
	home := agent.HomeOf(k, p.Argv, l.env(p.ID.PID), dir)
	found := newFound(k, p.Argv, dir, home)
	if found == nil {
		return nil
	}
	found.pid = p.ID.PID
	// What it says itself is newer than how it was started: a session may have been
	// cleared, or another one opened from within.
	if teller, ok := k.(agent.Teller); ok {
		for _, q := range tree {
			if !k.Facts().Runs(q) {
				continue
			}
			if id := teller.Running(home, q.ID, l.files(q.ID.PID)); id.Valid() {
				found.session = id
				break
			}
		}
	}
	return found
}

// kindOf is the kind whose program a process is; nil: none.
func (l processLook) kindOf(p panes.Proc) agent.Kind {
	for _, k := range l.kinds.All() {
		if len(p.Argv) > 0 && k.Facts().Runs(p) {
			return k
		}
	}
	return nil
}

// newFound is an agent with what its command line says; nil: that begins no session.
func newFound(k agent.Kind, argv []string, dir, home string) *foundAgent {
	f := k.Facts()
	flags := argv[1:]
	if !f.Runs(panes.Proc{Argv: argv[:1]}) && len(flags) > 0 { // an interpreter, and its script
		flags = flags[1:]
	}
	flags = slices.Clone(flags)
	cmd, err := k.Launch(agent.LaunchInput{Flags: flags, Home: home, Dir: dir})
	if err == nil && cmd.Plain {
		return nil
	}
	o := agent.Origin{Kind: f.Name, Home: home, Dir: dir, Flags: flags, Env: f.HomeEntry(home)}
	found := &foundAgent{origin: o}
	if err == nil && cmd.Session.Valid() {
		found.session = cmd.Session
	}
	return found
}

// saved tells the same of a pane that does not run: by its command line, as a save has
// it. Words of it cannot be told from one another where they had blanks in them.
func (l processLook) saved(w tmuxPane) (argv []string, found *foundAgent) {
	argv = strings.Fields(w.full)
	if len(argv) == 0 {
		if w.command == "" || isShellName(w.command) {
			return nil, nil
		}
		argv = []string{w.command}
	}
	if isShellName(argv[0]) && len(argv) == 1 {
		return nil, nil
	}
	if k := l.kindOf(panes.Proc{Argv: argv}); k != nil {
		if found := newFound(k, argv, w.dir, ""); found != nil {
			return argv, found
		}
	}
	if strings.ContainsAny(w.full, "'\"\\$`;&|<>(){}*?~#") {
		argv = []string{"/bin/sh", "-c", w.full}
	}
	return argv, nil
}
