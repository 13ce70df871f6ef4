package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"reprise/panes"
)

// ErrStopping says that nothing is started any more.
var ErrStopping = errors.New("reprise is stopping")

// plan is a first launch, thought through but not begun.
type plan struct {
	argv    []string
	env     []string
	label   string
	nonce   string
	notice  string
	files   []panes.File
	folder  string
	binding *Binding // nil: a shell or another command
}

// kind is the agent's name; "" for a shell or another command.
func (p plan) kind() string {
	if p.binding == nil {
		return ""
	}
	return p.binding.Kind
}

// Launch starts a program in a pane for the first time: an agent, a command or a
// shell. It is recorded before its gate opens. An error says why it could not
// begin, as a sentence for the person; the pane shows it too, and ActRunAgain
// tries once more.
func (c *Coordinator) Launch(ctx context.Context, r LaunchRequest) error {
	if err := c.admit(ctx); err != nil {
		return err
	}
	if c.moved(r.Pane) {
		c.mu.Unlock()
		return ErrMoved
	}
	pl := c.placeOf(r.Pane)
	pl.launching++
	c.work.Add(1)
	c.publish(pl)
	c.mu.Unlock()
	defer c.work.Done()

	// A caller that gives up must not leave half a launch behind.
	ctx, cancel := durable(ctx)
	defer cancel()
	err := c.launch(ctx, r)
	c.mu.Lock()
	pl.launching--
	pl.refused, pl.refusal = nil, ""
	if err != nil {
		pl.refused, pl.refusal = &r, err.Error()
	}
	c.mu.Unlock()
	if ferr := c.refresh(ctx, r.Pane); ferr != nil {
		c.cfg.Log.Warn("refresh", "pane", r.Pane, "err", ferr)
	}
	return err
}

func (c *Coordinator) launch(ctx context.Context, r LaunchRequest) error {
	if r.Dir == "" {
		r.Dir, _ = os.UserHomeDir()
	}
	p, err := c.plan(r)
	if err != nil {
		return err
	}
	t := Terminal{
		ID: panes.NewTerminalID(), Pane: r.Pane, Dir: r.Dir, Argv: p.argv, Env: p.env, Nonce: p.nonce,
		Instance: c.cfg.Instance, Status: TerminalActive, Created: c.cfg.Now(),
	}
	if err := failpoint("launch.start"); err != nil {
		return err
	}
	env := p.env
	if r.Kind == "" { // not part of the record: it is this process's, and this moment's
		env = joined(env, c.shellEnviron(p.argv, p.env))
	}
	var old panes.TerminalID
	if !r.New {
		old = c.before(ctx, r.Pane)
	}
	term, err := c.cfg.Host.Start(ctx, panes.Spec{
		ID: t.ID, Pane: r.Pane, Argv: p.argv, Dir: r.Dir, Env: env, Label: p.label, Nonce: p.nonce, Scratch: r.Scratch, Files: p.files, Folder: p.folder,
		History: c.history(HistoryRequest{Pane: r.Pane, Old: old, Kind: p.kind()}),
	})
	if errors.Is(err, panes.ErrNoDirectory) {
		return fmt.Errorf("%s cannot start: its folder %s is gone. Bring it back, then run it again", p.label, tilde(r.Dir))
	}
	if err != nil {
		return fmt.Errorf("%s cannot start: %w", p.label, err)
	}
	t.Process = term.Process()
	l := &life{id: t.ID, pane: r.Pane, nonce: t.Nonce, process: t.Process, first: true, started: t.Created, notice: p.notice}
	if p.binding != nil {
		p.binding.Terminal, p.binding.Started, l.kind = t.ID, t.Created, p.kind()
	}
	if err := c.begin(ctx, term, t, p, l); err != nil {
		return err
	}
	c.cfg.Log.Info("launched", "terminal", t.ID, "agent", l.kind, "dir", t.Dir)
	return nil
}

// begin records a launch, gives it the pane and lets it run.
func (c *Coordinator) begin(ctx context.Context, term *panes.Terminal, t Terminal, p plan, l *life) error {
	err := failpoint("launch.begin")
	if err == nil {
		err = c.cfg.Store.Begin(ctx, t, p.binding)
	}
	if err == nil {
		err = failpoint("launch.begun")
	}
	c.mu.Lock()
	c.lives[t.ID] = l
	if p.binding != nil {
		c.soilTwins(l, p.binding.Session)
	}
	closed := c.placeOf(t.Pane).closed
	if err != nil {
		// It may be recorded all the same: then its end is, too.
		l.begun, l.doubtful = true, 5
	}
	c.mu.Unlock()
	c.watch(term)
	if err != nil {
		c.shut(term)
		c.Saved(err)
		return fmt.Errorf("%s cannot start: its start cannot be written down: %w", p.label, err)
	}
	if closed || !c.cfg.Host.Point(t.Pane, t.ID) {
		c.shut(term)
		c.mu.Lock()
		l.begun = true
		c.placeOf(t.Pane).closed = true
		c.mu.Unlock()
		_, err := c.dispose(ctx, t.ID)
		return errors.Join(fmt.Errorf("%s was not started: its pane is closed", p.label), err)
	}
	c.clear(t.Pane, t.ID)
	if err := failpoint("launch.gate"); err != nil {
		c.cfg.Log.Warn("failpoint", "err", err)
	}
	if err := c.openGate(term, l, "launch."); err != nil {
		return fmt.Errorf("%s cannot start: %w", p.label, err)
	}
	return nil
}

// openGate lets a recorded program run, tells the store, and looks whether a
// person has ended it meanwhile.
func (c *Coordinator) openGate(t *panes.Terminal, l *life, points string) error {
	ctx, cancel := durable(c.ctx)
	defer cancel()
	opened := t.OpenGate()
	_ = failpoint(points + "opened")
	var disposed bool
	var told error
	if opened == nil {
		disposed, told = c.cfg.Store.GateOpened(ctx, l.id)
	} else {
		c.shut(t)
	}
	_ = failpoint(points + "gateopened")
	c.mu.Lock()
	l.gateOpen, l.gateNoted = opened == nil, opened == nil && told == nil
	l.started, l.begun = c.cfg.Now(), true
	c.mu.Unlock()
	if told != nil { // the loop tells it again
		c.cfg.Log.Warn("record open gate", "terminal", l.id, "err", told)
	}
	if disposed { // [P8]
		c.carryOut(l)
	}
	c.nudge()
	return opened
}

// shut ends a program's shim without the program having run.
func (c *Coordinator) shut(t *panes.Terminal) {
	if err := t.CloseGate(); err != nil && !errors.Is(err, panes.ErrGate) {
		c.cfg.Log.Warn("close gate", "terminal", t.ID(), "err", err)
	}
}

// clear forgets the dead terminals of a pane that shows another one now.
func (c *Coordinator) clear(p panes.PaneID, now panes.TerminalID) {
	var old []panes.TerminalID
	c.mu.Lock()
	for id, l := range c.lives {
		if l.pane == p && id != now && l.ended {
			old = append(old, id)
		}
	}
	c.mu.Unlock()
	for _, id := range old {
		c.forget(id)
	}
}

// plan says what a launch request runs.
func (c *Coordinator) plan(r LaunchRequest) (plan, error) {
	p := plan{argv: r.Argv, env: r.Env, label: c.label(r.Kind, r.Argv)}
	if r.Kind == "" {
		if len(p.argv) == 0 {
			p.argv = c.cfg.Shell
		}
		return p, c.findProgram(p.argv[0], r.Dir, r.Env)
	}
	k, ok := c.kind(r.Kind)
	if !ok {
		return p, fmt.Errorf("no agent is called %q. Look at the agents in config.toml", r.Kind)
	}
	f := k.Facts()
	env := c.environ(r.Env...)
	in := LaunchInput{Session: c.preset(k), Flags: r.Argv, Home: HomeOf(k, r.Argv, env, r.Dir), Dir: r.Dir, Hook: c.hook(), Env: env}
	cmd, err := k.Launch(in)
	if err != nil {
		return p, fmt.Errorf("%s cannot start: %w", f.Label, err)
	}
	if len(cmd.Argv) == 0 {
		return p, fmt.Errorf("%s cannot start: its kind names no program", f.Label)
	}
	p.argv, p.env, p.nonce, p.notice = cmd.Argv, joined(r.Env, cmd.Env), in.Hook.Nonce, cmd.Notice
	p.files, p.folder = cmd.Files, in.Hook.Folder
	if !cmd.Plain {
		origin := Origin{Kind: r.Kind, Home: in.Home, Dir: r.Dir, Flags: r.Argv, Env: r.Env}
		// A home that this process's environment names must be the same when
		// another process resumes the session; so must one that is named from its directory.
		if in.Home != "" && lookup(r.Env, f.HomeEnv) != in.Home {
			origin.Env = joined(r.Env, f.HomeEntry(in.Home))
		}
		p.binding = &Binding{Origin: origin, Session: cmd.Session}
	}
	return p, c.findProgram(cmd.Argv[0], r.Dir, p.env)
}

func (c *Coordinator) findProgram(program, dir string, env []string) error {
	_, err := panes.LookPath(program, dir, lookup(c.environ(env...), "PATH"))
	switch {
	case err == nil:
		return nil
	case filepath.Base(program) == program:
		return fmt.Errorf("%s is not in PATH. Install it or fix PATH, then run it again", program)
	}
	return fmt.Errorf("%s cannot be run: %w", tilde(program), err)
}

// preset is the id for a new session, "" if the kind takes none.
func (c *Coordinator) preset(k Kind) SessionID {
	if !k.Facts().PresetsID {
		return ""
	}
	return SessionID(uuid.NewString())
}
