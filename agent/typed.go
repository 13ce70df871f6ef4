package agent

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reprise/panes"
)

// ErrNoShell says that there is no shell of ours in which an agent could be typed:
// what is typed runs as if we were not there.
var ErrNoShell = errors.New("it was not typed in a shell of ours")

// Typing is what shells are given, so that agents typed in them are known.
type Typing struct {
	// Folder has a program for the name of each agent, and is put first in PATH.
	// "": agents that are typed are left alone.
	Folder string
	Socket string // where those programs ask
}

// SocketKey is the variable that tells a shell's programs Typing.Socket.
const SocketKey = "REPRISE_SOCKET"

// TypedRequest is an agent that a person typed in a pane's shell. Its process waits
// to become the agent.
type TypedRequest struct {
	Shell panes.TerminalID // where it was typed
	Kind  string
	Args  []string // without the program
	Dir   string
	Env   []string // all that the shell gave it, without what is there for us
	// Process becomes the agent, Above are its ancestors, the nearest first.
	Process panes.ProcessID
	Above   []panes.Proc
	runs    bool // it is the agent already
}

// TypedCommand is how a typed agent is to be run.
type TypedCommand struct {
	Args []string
	Env  []string // changes of its environment: KEY=value sets, a bare KEY unsets
}

// Environ is an environment with the changes.
func (t TypedCommand) Environ(env []string) []string { return applied(env, t.Env) }

// typing is what this process knows of an agent that was typed in a shell. Guarded by
// Coordinator.mu.
type typing struct {
	shell   panes.TerminalID
	gone    time.Time // when its process was first seen gone; zero: it runs
	goodbye bool      // a hook said that a person has quit it
}

// Typed makes an agent that a person types in a pane's shell one of ours: from then on
// the pane holds its session. It is recorded before it runs. ErrNoShell: it is none of
// ours to keep, because it is run by another agent, begins no session, or runs
// elsewhere than in the shell's pane.
func (c *Coordinator) Typed(ctx context.Context, r TypedRequest) (TypedCommand, error) {
	if err := c.admit(ctx); err != nil {
		return TypedCommand{}, err
	}
	sh := c.lives[r.Shell]
	if sh == nil || sh.kind != "" || sh.ended || sh.disposed || c.placeOf(sh.pane).closed || !c.below(sh, r) {
		c.mu.Unlock()
		return TypedCommand{}, ErrNoShell
	}
	pl := c.placeOf(sh.pane)
	pl.launching++ // no upgrade until it is known
	c.work.Add(1)
	pane := sh.pane
	c.mu.Unlock()
	defer c.work.Done()

	ctx, cancel := durable(ctx)
	defer cancel()
	cmd, err := c.typed(ctx, pane, r)
	c.mu.Lock()
	pl.launching--
	c.mu.Unlock()
	if ferr := c.refresh(ctx, pane); ferr != nil {
		c.cfg.Log.Warn("refresh", "pane", pane, "err", ferr)
	}
	return cmd, err
}

// TakeIn is Typed for one that runs already, and was started without us: no hook of it
// will tell anything. Of one that is ours it does nothing.
func (c *Coordinator) TakeIn(ctx context.Context, r TypedRequest) error {
	c.takings.Lock()
	defer c.takings.Unlock()
	known := false
	err := c.each(typedAs(r.Process), func(*life) error { known = true; return nil })
	if known || err != nil {
		return err
	}
	r.runs = true
	_, err = c.Typed(ctx, r)
	return err
}

// below reports whether a process was started from a shell, with no agent in between.
// mu is held.
func (c *Coordinator) below(sh *life, r TypedRequest) bool {
	if r.Process == sh.process { // exec, in the shell
		return true
	}
	for _, p := range r.Above {
		if p.ID == sh.process {
			return true
		}
		agents := c.cfg.Registry.All()
		if slices.ContainsFunc(agents, func(k Kind) bool { return runs(p, k.Facts()) }) {
			return false
		}
	}
	return false
}

func (c *Coordinator) typed(ctx context.Context, pane panes.PaneID, r TypedRequest) (TypedCommand, error) {
	own := exported(c.environ(), r.Env)
	p, err := c.plan(LaunchRequest{Pane: pane, Kind: r.Kind, Argv: r.Args, Dir: r.Dir, Env: own})
	if err != nil {
		return TypedCommand{}, err
	}
	if p.binding == nil {
		return TypedCommand{}, ErrNoShell
	}
	if r.runs {
		p.argv, p.env, p.notice = append(p.argv[:1:1], r.Args...), own, ""
	} else if err := panes.WriteFolder(p.folder, p.files); err != nil {
		return TypedCommand{}, err
	}
	if err := c.askedTwice(ctx, r.Process); err != nil {
		return TypedCommand{}, err
	}
	now := c.cfg.Now()
	t := Terminal{
		ID: panes.NewTerminalID(), Pane: pane, Dir: r.Dir, Argv: p.argv, Env: p.env, Nonce: p.nonce, Process: r.Process,
		Instance: c.cfg.Instance, Shell: r.Shell, GateOpen: true, Status: TerminalActive, Created: now,
	}
	p.binding.Terminal, p.binding.Started = t.ID, now
	l := &life{
		id: t.ID, pane: pane, nonce: t.Nonce, process: t.Process, kind: r.Kind, notice: p.notice, typed: &typing{shell: r.Shell},
		first: true, begun: true, started: now, gateOpen: true, gateNoted: true,
	}
	err = c.cfg.Store.Begin(ctx, t, p.binding)
	if errors.Is(err, ErrNoShell) {
		return TypedCommand{}, errors.Join(err, panes.RemoveFolder(p.folder))
	}
	if err != nil {
		// It may be recorded all the same. The person's agent starts in any case.
		l.doubtful = 5
		c.Saved(err)
		c.cfg.Log.Warn("record a typed agent", "terminal", t.ID, "agent", r.Kind, "err", err)
	}
	c.mu.Lock()
	c.lives[t.ID] = l
	c.soilTwins(l, p.binding.Session)
	c.mu.Unlock()
	c.nudge()
	c.cfg.Log.Info("typed", "terminal", t.ID, "agent", r.Kind, "shell", r.Shell, "dir", r.Dir)
	env := append(slices.Clone(p.env[len(own):]), "REPRISE_NONCE="+t.Nonce, "REPRISE_TERMINAL="+string(t.ID),
		fmt.Sprintf("REPRISE_PID=%d", t.Process.PID), SocketKey)
	return TypedCommand{Args: p.argv[1:], Env: env}, nil
}

// typedAs are the lives of a process that was typed in a shell.
func typedAs(p panes.ProcessID) func(*life) bool {
	return func(l *life) bool { return l.typed != nil && l.process == p && !l.ended }
}

// askedTwice takes back what was recorded for a process that asks once more: the
// answer was lost, in an upgrade for example, so that it never ran as that.
func (c *Coordinator) askedTwice(ctx context.Context, p panes.ProcessID) error {
	return c.each(typedAs(p), func(l *life) error {
		e := Ending{Terminal: l.id, At: c.cfg.Now(), Asked: TerminalExited, FirstFailed: true, Alone: true, Why: "never ran: it was asked for again"}
		if _, err := c.writeEnd(ctx, l, e); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.lives, l.id)
		return nil
	})
}

// passing are variables of a shell that say nothing of what it starts, and those that
// a pane gives each program. A name that ends in * is a prefix.
var passing = []string{"_", "PWD", "OLDPWD", "SHLVL", "TERM", "COLORTERM", "TERM_PROGRAM", "COLUMNS", "LINES", "PS1", "REPRISE", "REPRISE_*"}

// exportedMax bounds what is kept of a shell's own environment, in bytes. Of a larger
// one nothing is: a part of it may be worse.
const exportedMax = 256 << 10

// exported is what a shell gives its programs beyond the workspace's environment, as
// changes of that: what the resumed agent must be given once more.
func exported(workspace, shell []string) []string {
	given := map[string]string{}
	for _, kv := range workspace {
		if key, _, ok := strings.Cut(kv, "="); ok {
			given[key] = kv
		}
	}
	var changes []string
	size := 0
	for _, kv := range shell {
		key, _, ok := strings.Cut(kv, "=")
		if !ok || key == "" || strings.ContainsRune(kv, 0) || passes(key) {
			continue
		}
		if given[key] != kv {
			changes = append(changes, kv)
			size += len(kv)
		}
		delete(given, key)
	}
	if size > exportedMax {
		return nil
	}
	for key := range given {
		if !passes(key) {
			changes = append(changes, key) // it was unset
		}
	}
	slices.Sort(changes)
	return changes
}

func passes(key string) bool {
	return slices.Contains(loginVariables, key) || slices.ContainsFunc(passing, func(name string) bool {
		prefix, isPrefix := strings.CutSuffix(name, "*")
		return key == name || isPrefix && strings.HasPrefix(key, prefix)
	})
}

// shellEnviron is what a shell is given so that agents typed in it are known.
func (c *Coordinator) shellEnviron(argv, env []string) []string {
	path := lookup(c.environ(env...), "PATH")
	if c.cfg.Typing == nil || path == "" || !c.isShell(argv) {
		return nil
	}
	t := c.cfg.Typing()
	if t.Folder == "" {
		return nil
	}
	return []string{"PATH=" + t.Folder + string(filepath.ListSeparator) + path, SocketKey + "=" + t.Socket}
}

// isShell reports whether a command line is an interactive shell.
func (c *Coordinator) isShell(argv []string) bool {
	name := filepath.Base(argv[0])
	return name == filepath.Base(c.cfg.Shell[0]) ||
		len(argv) == 1 && slices.Contains([]string{"sh", "bash", "dash", "fish", "ksh", "mksh", "nu", "xonsh", "zsh"}, name)
}

// takeTyped records the ends of agents that were typed in a shell. Nobody but the
// shell is told how they end.
func (c *Coordinator) takeTyped(ctx context.Context, now time.Time) error {
	return c.each(func(l *life) bool { return l.typed != nil && !l.ended }, func(l *life) error { return c.takeOneTyped(ctx, l, now) })
}

func (c *Coordinator) takeOneTyped(ctx context.Context, l *life, now time.Time) error {
	term := c.cfg.Host.Terminal(l.typed.shell)
	d := Death{Terminal: l.id, At: now, GateOpen: true, First: true, Started: l.started}
	over := term == nil
	if !over {
		var exit panes.Exit
		d.LastKey = term.LastKey()
		if exit, d.At, over = term.Exit(); over {
			d.Exit = &exit // the agent had the shell's pty: it ends as that does
		} else {
			d.At = now
		}
	}
	runs := c.cfg.Processes.Runs(l.process)
	c.mu.Lock()
	sh := c.lives[l.typed.shell]
	first := !runs && l.typed.gone.IsZero()
	if first {
		l.typed.gone = now
		c.publish(c.placeOf(l.pane))
	}
	// The shell's own end is recorded first: what its pane holds follows from both.
	wait := over && sh != nil && !sh.ended
	c.mu.Unlock()
	if wait || !over && runs {
		return nil
	}
	if first || over { // a goodbye that it sent before it ended must be known
		if err := c.takeHooks(ctx); err != nil {
			return err
		}
	}
	c.mu.Lock()
	d.Turn, d.Stopping, d.Disposed = l.turn, c.stopping, l.disposed
	sure := l.typed.goodbye || l.disposed || c.stopping
	due := l.typed.gone.Add(c.cfg.Policy.Settle(d.LastKey, l.typed.gone))
	c.mu.Unlock()
	if !over && !sure && now.Before(due) {
		return nil // its shell may have been told to end, too [P7]
	}
	e := c.cfg.Policy.Classify(d)
	if over && !first && d.Exit != nil && d.Exit.Signal == 0 && !d.Stopping && !d.Disposed {
		// It had ended before its shell, whose exit says nothing of it: a person who
		// leaves both, one after the other, is done.
		e.Asked, e.Unsure, e.FirstFailed, e.Why = Detached, true, false, "it ended, then its shell did"
	}
	if !over && !d.Stopping && !d.Disposed {
		e.Alone, e.FirstFailed, e.Why = true, !d.Turn, "it ended, its shell lives on"
	}
	return c.recordTyped(ctx, l, e, d.LastKey)
}

// recordTyped writes down the end of a typed agent.
func (c *Coordinator) recordTyped(ctx context.Context, l *life, e Ending, lastKey time.Time) error {
	reason, err := c.writeEnd(ctx, l, e)
	if err != nil {
		return err
	}
	c.cfg.Log.Info("ended", "terminal", l.id, "agent", l.kind, "reason", string(reason), "why", e.Why)
	if c.cfg.Hook != nil {
		if err := panes.RemoveFolder(c.launchFolder(c.cfg.Hook().State, l.nonce)); err != nil {
			c.cfg.Log.Warn("remove the files of a launch", "terminal", l.id, "err", err)
		}
	}
	c.mu.Lock()
	l.ended, l.exited = true, e.At
	if e.Exit != nil {
		l.exit = *e.Exit
	}
	if e.Asked == Detached && reason == Detached && !l.typed.goodbye {
		l.settleAt = e.At.Add(c.cfg.Policy.Settle(lastKey, e.At))
	}
	c.soilTwins(l, "")
	c.mu.Unlock()
	err = c.refresh(ctx, l.pane)
	c.mu.Lock()
	c.exited(l)
	if e.Alone || c.placeOf(l.pane).closed && l.settleAt.IsZero() { // no pane shows it
		delete(c.lives, l.id)
	}
	c.mu.Unlock()
	return err
}
