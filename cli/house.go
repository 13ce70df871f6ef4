package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/db"
	"reprise/panes"
	"reprise/panes/disk"
	"reprise/panes/gate"
	"reprise/panes/history"
)

// keepLedger is how long the ledger of decisions is kept.
const keepLedger = 90 * 24 * time.Hour

// tidyAfter is how long after its start a workspace tidies up: when what it opened, or
// brings back, is up.
const tidyAfter = 30 * time.Second

// stopTime is how long leaving may take: the database and the agents' first
// reaction to a hangup. What is not done by then the next start mends.
const stopTime = 3 * time.Second

// anyArea is for a pane that must be made whatever the client's size: one that is
// too small shows its panes one at a time.
var anyArea = panes.Size{Cols: 1 << 10, Rows: 1 << 8}

// house is one open workspace: its panes, what brings them back, and the part of
// the database that it owns as an instance of its own.
type house struct {
	proc       *process
	cfg        config
	db         *db.DB
	instance   agent.InstanceID
	workspace  db.Workspace // as it was found; it may be renamed
	name       atomic.Pointer[string]
	byDir      bool // it is what reprise opens in its directory; guarded by process.opening
	kinds      *kinds.Registry
	host       *panes.Host
	coord      *agent.Coordinator
	roster     guestbook
	keeper     *history.Keeper // nil: nothing is kept
	notices    []string        // what went wrong on the way, for the person
	dir        string          // where it was opened
	env        []string        // of whoever opened it
	noResume   bool            // nothing is resumed without being asked for
	furnishing sync.Mutex
	saving     sync.Mutex // one write to the workspace's row at a time
	saved      saved      // guarded by saving
	running    sync.WaitGroup
	focus      atomic.Pointer[panes.PaneID] // the pane that last had it
	end        context.CancelFunc           // ends the coordinator's loop
	visits     int                          // guarded by process.mu
	used       atomic.Pointer[time.Time]    // when it was last visited, or left
}

// saved is a layout as it was last saved, and its panes.
type saved struct {
	layout []byte
	panes  []panes.PaneID
}

// openHouse opens what a visit names, as it was saved.
func openHouse(ctx context.Context, p *process, v visit) (_ *house, err error) {
	h := newHouse(p, v)
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if st, err := disk.Stat(h.dir, disk.Must); errors.Is(err, disk.ErrSilent) {
		return nil, fmt.Errorf("the directory %s is on a disk that does not answer: go to another one, then start reprise again", h.dir)
	} else if err != nil || !st.IsDir() {
		return nil, fmt.Errorf("the directory %s is gone: go to one that exists, then start reprise again", h.dir)
	}
	if err = h.checkProgram(v.args, v.env); err != nil {
		return nil, err
	}
	if err = h.openStore(ctx); err != nil {
		return nil, err
	}
	if h.instance, err = h.db.Register(ctx, p.build); err != nil {
		return nil, err
	}
	if err = h.openWorkspace(ctx, v); err != nil {
		return nil, err
	}
	if f := h.workspace.Focus; f != "" {
		h.focus.Store(&f)
	}
	h.equip()
	if err = h.openPanes(ctx, v); err != nil {
		return nil, err
	}
	h.start()
	return h, nil
}

// adoptHouse goes on with a workspace of the program that was executed in this
// process before.
func adoptHouse(ctx context.Context, p *process, one houseLegacy) (_ *house, err error) {
	h := newHouse(p, visit{dir: one.Dir, env: one.Env, noResume: one.NoResume})
	h.byDir = one.ByDir
	h.used.Store(&one.Used)
	h.focus.Store(one.Focus)
	defer func() {
		if err != nil {
			one.abandon()
			h.close()
		}
	}()
	if err = h.openStore(ctx); err != nil {
		return nil, err
	}
	if err = h.db.Adopt(ctx, p.build, one.Instance, one.Lock); err != nil {
		return nil, err
	}
	h.instance = one.Instance
	if err = h.takeWorkspace(ctx, one.Name); err != nil {
		return nil, err
	}
	h.Happened().Adopt(one.Happened)
	h.equip()
	if err := h.host.AdoptAll(one.Host); err != nil { // the others are taken over
		p.log.Error("take over a terminal", "session", one.Name, "err", err)
	}
	h.saved.panes = h.host.Layout().Panes()
	for _, id := range h.saved.panes {
		if rec, err := h.db.Pane(ctx, id); err == nil && rec.Terminal != nil && h.host.Shown(id) == nil {
			h.showPast(id, rec.Terminal)
		}
	}
	h.coord.Adopt(one.Lives)
	h.start()
	return h, nil
}

// newHouse reads the settings for a workspace.
func newHouse(p *process, v visit) *house {
	h := &house{proc: p, dir: v.dir, env: v.env, noResume: v.noResume, end: func() {}}
	h.touch()
	h.cfg, _, _ = p.config.take(false) // what is wrong is said to a client
	h.cfg, _ = h.cfg.overlaid(v.env, themesOf(p.paths.config))
	if v.noResume {
		h.cfg.ResumeMode = string(agent.ModeAsk)
	}
	p.tutor.adjust(&h.cfg)
	h.kinds = p.registry(h.cfg.Agents)
	return h
}

// equip makes host and coordinator.
func (h *house) equip() {
	scrollback := h.cfg.Scrollback
	if scrollback == 0 {
		scrollback = -1 // 0 would be the default
	}
	h.host = panes.NewHost(panes.HostOptions{
		Shim: func() []string { return []string{h.proc.program(), gate.Command} }, Spare: h.proc.ahead.spare, Log: h.proc.log, Scrollback: scrollback, Clipboard: h.cfg.Clipboard == "write", Environ: h.env,
		Call: h.Happened().Called, Told: func(t panes.Told) { h.coord.Told(t) }, Typing: &h.proc.typing,
	})
	h.coord = h.newCoordinator()
}

// touch notes that the workspace is used now.
func (h *house) touch() {
	now := time.Now()
	h.used.Store(&now)
}

// empty reports whether the last pane was closed.
func (h *house) empty() bool { return len(h.host.Layout().Panes()) == 0 }

// checkProgram says at once, before a screen is taken, that what was asked for
// cannot be run.
func (h *house) checkProgram(args, env []string) error {
	if len(args) == 0 {
		return nil
	}
	name, program := args[0], args[0]
	k, known := h.kinds.Kind(name)
	if known {
		program = k.Facts().Program
	}
	_, err := panes.LookPath(program, h.dir, lookEnv(env, "PATH"))
	switch {
	case err == nil:
		return nil
	case known:
		return fmt.Errorf("%s is not in PATH: install it or fix PATH, then start again", program)
	case strings.Contains(name, "/"):
		return fmt.Errorf("%s cannot be run: %w", name, err)
	}
	var names []string
	for _, k := range h.kinds.All() {
		names = append(names, k.Facts().Name)
	}
	if near := nearest(name, names); near != "" {
		return fmt.Errorf("%s is neither an agent nor a program in PATH, did you mean %s?", name, near)
	}
	return fmt.Errorf("%s is neither an agent (%s) nor a program in PATH: check how it is spelt, or install it", name, someOf(names))
}

// openStore opens the database.
func (h *house) openStore(ctx context.Context) (err error) {
	if h.db, err = h.proc.ahead.takeStore(h.cfg.Agents); h.db == nil && err == nil {
		h.db, err = h.proc.openStore(ctx, h.kinds)
	}
	if err != nil {
		return err
	}
	if h.db.SetAside != "" {
		h.notices = append(h.notices, fmt.Sprintf("The database was damaged and is now %s. Started empty; agents keep their own sessions.", filepath.Base(h.db.SetAside)))
	}
	return nil
}

// tidy forgets what is no longer needed. What fails is tried again at the next
// start.
func (h *house) tidy(ctx context.Context) {
	panes.SweepScratch()
	err := h.db.Prune(ctx, time.Now().Add(-keepLedger))
	builds, err2 := h.db.Builds(ctx)
	if err2 == nil {
		err2 = pruneBuilds(h.proc.paths.state, builds)
	}
	if err := errors.Join(err, err2, h.tidyPast(ctx)); err != nil {
		h.proc.log.Warn("tidy the state folder", "err", err)
	}
}

// tidyPast forgets what panes showed that are in no layout any more; all of it,
// where nothing is to be kept.
func (h *house) tidyPast(ctx context.Context) error {
	stands := map[panes.PaneID]bool{}
	for _, open := range h.proc.all() { // a pane may be newer than the saved layout
		for _, p := range open.host.Layout().Panes() {
			stands[p] = true
		}
	}
	all, err := h.db.Workspaces(ctx)
	for i := 0; err == nil && i < len(all) && h.cfg.RestoreScrollback != "off"; i++ {
		var w db.Workspace
		if w, err = h.db.Workspace(ctx, all[i].Name); err != nil {
			break
		}
		for _, saved := range [][]byte{w.Layout, w.Previous} {
			if saved == nil {
				continue
			}
			l, err := panes.DecodeLayout(saved)
			if err != nil {
				return fmt.Errorf("look for panes of %s: %w", w.Name, err) // it may be a newer version's
			}
			for _, p := range l.Panes() {
				stands[p] = true
			}
		}
	}
	if err != nil {
		return err
	}
	return h.proc.past.Prune(func(p panes.PaneID) bool { return stands[p] })
}

// openWorkspace opens the workspace that is named, or else the directory's; one
// that another living process has open is not opened twice.
func (h *house) openWorkspace(ctx context.Context, v visit) error {
	name, err := v.named(ctx, h.db)
	if err != nil {
		return err
	}
	h.byDir = name == ""
	err = h.takeWorkspace(ctx, name)
	var owned *db.OwnedError
	if !errors.As(err, &owned) || name != "" || owned.PID == os.Getpid() {
		return err
	}
	h.notices = append(h.notices, fmt.Sprintf("%s is open in process %d.", owned.Name, owned.PID))
	base := owned.Name
	for try := 0; errors.As(err, &owned) && try < 100; try++ { // others may take names at the same time
		var name string
		if name, err = h.db.FreeName(ctx, base, h.dir); err == nil {
			err = h.takeWorkspace(ctx, name)
		}
	}
	return err
}

// takeWorkspace makes a saved workspace this instance's; "": the directory's.
func (h *house) takeWorkspace(ctx context.Context, name string) (err error) {
	h.workspace, err = h.db.OpenWorkspace(ctx, name, h.dir, h.instance)
	found := h.workspace.Name
	h.name.Store(&found)
	return err
}

func (h *house) newCoordinator() *agent.Coordinator {
	return agent.NewCoordinator(agent.Config{
		Store: h.db, Host: h.host, Registry: h.kinds, Instance: h.instance,
		Settings: agent.Settings{
			Mode: agent.Mode(h.cfg.ResumeMode), Scope: agent.Scope(h.cfg.ResumeScope),
			Parallel: h.cfg.Parallel, MaxAge: h.cfg.MaxAge, AfterExit: agent.AfterExit(h.cfg.AfterExit),
		},
		History: h.past, Limit: h.proc.limit, Event: h.happens,
		Hook: func() agent.HookCommand {
			return agent.HookCommand{Program: h.proc.program(), State: h.proc.paths.state}
		},
		Typing:  h.typing,
		Environ: h.env,
		Log:     h.proc.log,
		Panes:   func() []panes.PaneID { return h.host.Layout().Panes() },
		NewPane: func() (panes.PaneID, bool) {
			p, err := h.addPane(anyArea)
			return p, err == nil
		},
		ClosePane: func(p panes.PaneID) {
			h.host.Close(p)
			if h.empty() {
				h.proc.aside("close what is empty", h.proc.settle) // it ends the loop that we are called from
			}
		},
	})
}

// start lets the coordinator's loop run.
func (h *house) start() {
	ctx, cancel := context.WithCancel(context.Background())
	h.end = cancel
	h.running.Go(func() { h.coord.Run(ctx) })
	h.running.Go(func() { h.remember(ctx) })
	h.running.Go(func() { h.tell(ctx) })
	h.running.Go(func() {
		select {
		case <-ctx.Done():
		case <-time.After(tidyAfter):
			h.tidy(ctx)
		}
	})
	if h.keeper = h.keepHistory(); h.keeper != nil {
		h.running.Go(func() { h.keeper.Run(ctx) })
	}
}

// close leaves in order: the agents' records, the layout, what the panes showed, the
// instance. It
// disposes nothing, and each step is tried whatever became of the one before.
func (h *house) close() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if h.coord != nil {
		if err := h.coord.Stop(ctx); err != nil {
			h.proc.log.Error("stop", "err", err)
		}
		h.takeMeta(nil, time.Now())
		if err := h.saveLayout(ctx); err != nil {
			h.proc.log.Error("stop", "err", err)
		}
	}
	if h.proc.tutor != nil {
		h.endPrograms(ctx)
	}
	if h.keeper != nil {
		if err := h.keeper.Flush(ctx); err != nil {
			h.proc.log.Error("save the panes' scrollback", "err", err)
		}
	}
	h.end()
	h.running.Wait()
	// The agents get their hangup when the process ends and the ptys close.
	if h.db != nil {
		if err := h.db.Close(); err != nil {
			h.proc.log.Error("close the database", "err", err)
		}
	}
}
