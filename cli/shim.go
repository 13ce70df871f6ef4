package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"reprise/agent"
	"reprise/agent/hook"
	"reprise/agent/kinds"
	"reprise/panes"
	"reprise/panes/gate"
	"reprise/server"
)

// shimTime bounds how long a typed agent waits for the server. Without an answer it
// runs as if we were not there.
const shimTime = 5 * time.Second

// lostPause is the time between two questions to a server that was lost.
const lostPause = 50 * time.Millisecond

// shimFolder holds, beside a build, a program for each agent's name.
const shimFolder = "typed"

// shimText is what all of them are, by other names. A shell runs it, so it is quick, and
// whoever looks at what claude is reads what it does.
const shimText = `#!/bin/sh
# Reprise runs the agent of this file's name through this in its shell panes, so that its session
# comes back when the terminal dies; the agent itself is run as you typed it. resume.typed = "off"
# in Reprise's config.toml turns this off for new shells.
[ -x %[1]s ] || command -p sleep 1 # it is just being installed
exec %[1]s shim "${0##*/}" "$@"
`

// shimBody is its own name in the folder: no agent's (shimName).
const shimBody = ".shim"

// runShim is what a shell of ours runs when an agent's name is typed in it: reprise shim
// NAME ARGUMENTS. It asks the server, which makes the agent one of its own, and becomes
// the agent: the same process, so that signals, job control and its status are the shell's.
func runShim(args []string) int {
	if len(args) == 0 {
		return 127
	}
	name, env := args[0], os.Environ()
	path := withoutShims(os.Getenv("PATH"))
	program, err := panes.LookPath(name, "", path)
	switch {
	case errors.Is(err, panes.ErrNotExecutable):
		fmt.Fprintf(os.Stderr, "%s: permission denied\n", name)
		return gate.NoExec
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: command not found\n", name)
		return gate.NoProgram
	}
	// An agent's own shell finds the agents themselves.
	env = agent.TypedCommand{Env: []string{"PATH=" + path}}.Environ(env)
	argv := args
	if cmd, err := askTyped(name, program, args[1:], env); err == nil {
		argv, env = append([]string{name}, cmd.Args...), cmd.Environ(env)
	}
	err = syscall.Exec(program, argv, env)
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	return gate.NoExec
}

// askTyped asks the server of the shell's pane how the agent is to be run.
func askTyped(name, program string, args, env []string) (cmd agent.TypedCommand, err error) {
	socket, terminal := os.Getenv(agent.SocketKey), os.Getenv("REPRISE_TERMINAL")
	if socket == "" || terminal == "" || os.Getenv("REPRISE_NONCE") != "" ||
		!term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())) {
		return cmd, agent.ErrNoShell // another agent's doing, or a pipe
	}
	dir, err := os.Getwd()
	if err != nil {
		return cmd, err
	}
	payload, err := json.Marshal(typedQuery{panes.TerminalID(terminal), name, program, args, dir, env, os.Getpid()})
	if err != nil {
		return cmd, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), shimTime)
	defer cancel()
	reply, err := untilAnswered(ctx, func() ([]byte, error) { return server.Request(ctx, socket, "typed", payload) })
	if err != nil {
		return cmd, err
	}
	return cmd, json.Unmarshal(reply, &cmd)
}

// untilAnswered asks again while the server is lost under the question: it is being
// upgraded, and goes on as another image.
func untilAnswered(ctx context.Context, ask func() ([]byte, error)) ([]byte, error) {
	lost := false
	for {
		reply, err := ask()
		lost = lost || errors.Is(err, server.ErrLost)
		if !errors.Is(err, server.ErrLost) && !(lost && errors.Is(err, server.ErrNoServer)) {
			return reply, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(lostPause):
		}
	}
}

// withoutShims is PATH without folders of ours, of any build.
func withoutShims(path string) string {
	self, err := os.Executable()
	if err != nil {
		return path
	}
	builds := filepath.Dir(filepath.Dir(self))
	places := slices.DeleteFunc(filepath.SplitList(path), func(place string) bool {
		return filepath.Base(place) == shimFolder && filepath.Dir(filepath.Dir(place)) == builds
	})
	return strings.Join(places, string(filepath.ListSeparator))
}

// typedQuery is an agent that was typed in a shell.
type typedQuery struct {
	Terminal panes.TerminalID `json:"terminal"` // of the shell
	Name     string           `json:"name"`     // as it was typed
	Program  string           `json:"program"`  // what PATH has for it
	Args     []string         `json:"args"`
	Dir      string           `json:"dir"`
	Env      []string         `json:"env"`
	PID      int              `json:"pid"`
}

// typed makes an agent one of ours that a person types in a shell. A shell that went to
// another session meanwhile is asked there.
func (p *process) typed(ctx context.Context, q typedQuery) (cmd agent.TypedCommand, err error) {
	for before := (*house)(nil); ; {
		all := p.all()
		at := slices.IndexFunc(all, func(h *house) bool { return h.host.Terminal(q.Terminal) != nil })
		if at < 0 || all[at] == before {
			return cmd, agent.ErrNoShell
		}
		before = all[at]
		if cmd, err = before.typed(ctx, q); !errors.Is(err, agent.ErrNoShell) {
			return cmd, err
		}
	}
}

func (h *house) typed(ctx context.Context, q typedQuery) (cmd agent.TypedCommand, err error) {
	if h.cfg.Typed == "off" || !filepath.IsAbs(q.Dir) {
		return cmd, agent.ErrNoShell
	}
	kind := h.kindOf(q.Name, q.Program)
	id, err := panes.Identify(q.PID)
	if err != nil || kind == "" {
		return cmd, agent.ErrNoShell
	}
	return h.coord.Typed(ctx, agent.TypedRequest{
		Shell: q.Terminal, Kind: kind, Args: q.Args, Dir: q.Dir, Env: q.Env, Process: id, Above: panes.ParentChain(q.PID),
	})
}

// kindOf is the kind of agent that a program is, "" if none.
func (h *house) kindOf(name, program string) string {
	for _, k := range h.kinds.All() {
		f := k.Facts()
		if shimName(f) != name {
			continue
		}
		if filepath.Base(f.Program) == f.Program || sameProgram(f.Program, program) {
			return f.Name
		}
	}
	return ""
}

func sameProgram(a, b string) bool {
	sa, err := os.Stat(a)
	sb, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(sa, sb)
}

// shimName is what a person types to run a kind; "" if that says nothing of what runs.
func shimName(f agent.Facts) string {
	name := filepath.Base(f.Program)
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == ""
	if !plain || strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") || hook.Interprets(name) {
		return ""
	}
	return name
}

// typing is what the workspace's shells are given.
func (h *house) typing() agent.Typing {
	p := h.proc
	if h.cfg.Typed == "off" || p.listener == nil {
		return agent.Typing{}
	}
	if p.ahead.typed != nil {
		<-p.ahead.typed
	}
	folder, err := p.writeShims(h.kinds)
	if err != nil {
		p.log.Warn("agents that are typed in a shell are not known", "err", err)
		return agent.Typing{}
	}
	return agent.Typing{Folder: folder, Socket: p.listener.Path()}
}

// writeShims writes the shims of agents and tells their folder. It lies beside where the
// binary will: at the first prompt of a build nobody waits for that. They are there before
// the shell, which remembers what it found in PATH.
func (p *process) writeShims(registry *kinds.Registry) (folder string, err error) {
	program := installed(p.paths.state, p.build)
	folder = filepath.Join(filepath.Dir(program), shimFolder)
	if err := writeShims(folder, program, registry); err != nil {
		return "", err
	}
	time.AfterFunc(installAfter, func() {
		if p.program() != program { // said there
			_ = os.RemoveAll(folder)
		}
	})
	return folder, nil
}

// writeShims writes those that are not there yet: they belong to one build, and its
// text of them does not change. A person waits for it at the first start of a build, so
// there is one file with a name for each agent; symbolic links, each a file of its own,
// would take twenty times as long.
func writeShims(folder, program string, registry *kinds.Registry) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	body := filepath.Join(folder, shimBody)
	if _, err := os.Lstat(body); err != nil {
		if err := writeProgram(body, fmt.Sprintf(shimText, kinds.Quote(program))); err != nil {
			return fmt.Errorf("write %s: %w", body, err)
		}
	}
	there, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return fmt.Errorf("look for the shims of typed agents: %w", err)
	}
	for _, k := range registry.All() {
		name := shimName(k.Facts())
		_, found := slices.BinarySearchFunc(there, name, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
		if name == "" || found {
			continue
		}
		place := filepath.Join(folder, name)
		err := os.Link(body, place)
		if err != nil && !errors.Is(err, fs.ErrExist) { // not every file system gives a file several names
			err = os.Symlink(shimBody, place)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("write %s: %w", place, err)
		}
	}
	return nil
}

// writeProgram writes a program that others may look for at the same time.
func writeProgram(path, text string) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // gone after the rename
	_, err = tmp.WriteString(text)
	if err = errors.Join(err, tmp.Chmod(0o700), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
