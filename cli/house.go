package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/db"
	"reprise/panes"
)

// Bounds of what is kept on disk.
const (
	keepLedger = 90 * 24 * time.Hour
	maxLog     = 8 << 20 // bytes; a larger log is set aside at the next start, one old one is kept
)

// stopTime is how long leaving may take: the database and the agents' first
// reaction to a hangup. What is not done by then the next start mends.
const stopTime = 3 * time.Second

// anyArea is for a pane that must be made whatever the client's size: one that is
// too small shows its panes one at a time.
var anyArea = panes.Size{Cols: 1 << 10, Rows: 1 << 8}

// house is everything that one process has open.
type house struct {
	paths     paths
	cfg       config
	log       *slog.Logger
	logFile   *os.File
	db        *db.DB
	instance  agent.InstanceID
	workspace db.Workspace
	kinds     *kinds.Registry
	host      *panes.Host
	coord     *agent.Coordinator
	program   string   // our own binary by its lasting path
	notices   []string // what went wrong on the way, for the person
	dir       string   // where we were started
	saving    sync.Mutex
	saved     []byte // the layout as it was last saved; guarded by saving
	running   sync.WaitGroup
	end       context.CancelFunc // ends the coordinator's loop
}

func openHouse(ctx context.Context, o runOptions) (_ *house, err error) {
	h := &house{end: func() {}}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if h.paths, err = findPaths(); err != nil {
		return nil, err
	}
	if err = h.paths.makeState(); err != nil {
		return nil, err
	}
	if h.dir, err = os.Getwd(); err != nil {
		return nil, fmt.Errorf("this directory is gone: go to one that exists, then start reprise again (%w)", err)
	}
	h.cfg, h.notices = loadConfig(h.paths.config)
	if o.noResume {
		h.cfg.ResumeMode = string(agent.ModeAsk)
	}
	if err = h.openLog(); err != nil {
		return nil, err
	}
	var wrong error
	if h.kinds, wrong = kinds.New(h.cfg.Agents); wrong != nil {
		h.notices = append(h.notices, "config.toml: "+strings.ReplaceAll(wrong.Error(), "\n", "; ")+". The rest is in force.")
	}
	if err = h.checkProgram(o.args); err != nil {
		return nil, err
	}
	var build string
	if h.program, build, err = install(h.paths.state); err != nil {
		return nil, err
	}
	if err = h.openStore(ctx, build); err != nil {
		return nil, err
	}
	scrollback := h.cfg.Scrollback
	if scrollback == 0 {
		scrollback = -1 // 0 would be the default
	}
	h.host = panes.NewHost(panes.HostOptions{
		Shim: []string{h.program, "gate"}, Log: h.log, Scrollback: scrollback, Clipboard: h.cfg.Clipboard == "write",
	})
	h.coord = h.newCoordinator()
	return h, nil
}

// openLog opens the log file: decisions, failures, never keys or pane contents.
func (h *house) openLog() (err error) {
	path := filepath.Join(h.paths.state, "reprise.log")
	if st, err := os.Stat(path); err == nil && st.Size() > maxLog {
		_ = os.Rename(path, path+".old")
	}
	if h.logFile, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return fmt.Errorf("the log file cannot be opened: %w; set REPRISE_HOME to a folder that can be written", err)
	}
	h.log = slog.New(slog.NewTextHandler(h.logFile, nil))
	return nil
}

// checkProgram says at once, before a screen is taken, that what was asked for
// cannot be run.
func (h *house) checkProgram(args []string) error {
	if len(args) == 0 {
		return nil
	}
	name, program := args[0], args[0]
	k, known := h.kinds.Kind(name)
	if known {
		program = k.Facts().Program
	}
	_, err := panes.LookPath(program, h.dir, os.Getenv("PATH"))
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
	return fmt.Errorf("%s is neither an agent (%s) nor a program in PATH: check how it is spelt, or install it", name, strings.Join(names, ", "))
}

// openStore opens the database and this directory's workspace in it.
func (h *house) openStore(ctx context.Context, build string) (err error) {
	self, err := panes.Identify(os.Getpid())
	if err != nil {
		h.log.Warn("identify this process", "err", err) // only the lock file tells then that it lives
	}
	h.db, err = db.Open(ctx, h.paths.state, db.Options{Self: self, Alive: panes.ProcessID.Alive, Kinds: h.kinds})
	if err != nil {
		return err
	}
	if h.db.SetAside != "" {
		h.notices = append(h.notices, fmt.Sprintf("The database was damaged and is now %s. Started empty; agents keep their own sessions.", filepath.Base(h.db.SetAside)))
	}
	if h.instance, err = h.db.Register(ctx, build); err != nil {
		return err
	}
	h.tidy(ctx)
	return h.openWorkspace(ctx)
}

// tidy forgets what is no longer needed. What fails is tried again at the next
// start.
func (h *house) tidy(ctx context.Context) {
	err := h.db.Prune(ctx, time.Now().Add(-keepLedger))
	builds, err2 := h.db.Builds(ctx)
	if err2 == nil {
		err2 = pruneBuilds(h.paths.state, builds)
	}
	if err := errors.Join(err, err2); err != nil {
		h.log.Warn("tidy the state folder", "err", err)
	}
}

// openWorkspace opens the workspace of this directory; one that another living
// process has open is not opened twice.
func (h *house) openWorkspace(ctx context.Context) (err error) {
	h.workspace, err = h.db.OpenWorkspace(ctx, "", h.dir, h.instance)
	var owned *db.OwnedError
	if !errors.As(err, &owned) {
		return err
	}
	h.notices = append(h.notices, fmt.Sprintf("%s is open in process %d.", owned.Name, owned.PID))
	base := owned.Name
	for try := 0; errors.As(err, &owned) && try < 100; try++ { // others may take names at the same time
		var name string
		if name, err = h.db.FreeName(ctx, base, h.dir); err == nil {
			h.workspace, err = h.db.OpenWorkspace(ctx, name, h.dir, h.instance)
		}
	}
	return err
}

func (h *house) newCoordinator() *agent.Coordinator {
	return agent.NewCoordinator(agent.Config{
		Store: h.db, Host: h.host, Registry: h.kinds, Instance: h.instance,
		Settings: agent.Settings{
			Mode: agent.Mode(h.cfg.ResumeMode), Scope: agent.Scope(h.cfg.ResumeScope),
			Parallel: h.cfg.Parallel, MaxAge: h.cfg.MaxAge, AfterExit: agent.AfterExit(h.cfg.AfterExit),
		},
		Hook:  agent.HookCommand{Program: h.program, State: h.paths.state},
		Log:   h.log,
		Panes: func() []panes.PaneID { return h.host.Layout().Panes() },
		NewPane: func() (panes.PaneID, bool) {
			p, err := h.addPane(anyArea)
			return p, err == nil
		},
		ClosePane: h.host.Close,
	})
}

// start lets the coordinator's loop run.
func (h *house) start() {
	ctx, cancel := context.WithCancel(context.Background())
	h.end = cancel
	h.running.Go(func() { h.coord.Run(ctx) })
}

// close leaves in order: the layout, the agents' records, the instance. It
// disposes nothing, and each step is tried whatever became of the one before.
func (h *house) close() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if h.coord != nil {
		if err := h.coord.Stop(ctx); err != nil {
			h.log.Error("stop", "err", err)
		}
	}
	h.end()
	h.running.Wait()
	// The agents get their hangup when this process ends and the ptys close.
	if h.db != nil {
		if err := h.db.Close(); err != nil {
			h.log.Error("close the database", "err", err)
		}
	}
	if h.logFile != nil {
		_ = h.logFile.Close()
	}
}
