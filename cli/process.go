package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
	"reprise/panes/disk"
	"reprise/panes/history"
	"reprise/server"
)

// maxLog bounds the log file, in bytes: a larger one is set aside at the next start,
// and one old one is kept.
const maxLog = 8 << 20

// installAfter is when a server copies its binary, unless it is needed before: a
// person waits for the first prompt.
const installAfter = 200 * time.Millisecond

// garbage is how much garbage, in percent of what is in use, a server lets lie that is up;
// before, nothing is collected below 4 MB. What panes print makes next to none, so that
// less costs little, and half of what an empty pane takes was garbage. With 50 a client
// that attaches waits for a collection.
const garbage = 65

// lonelyTime is how long a server waits for its first client.
const lonelyTime = 30 * time.Second

// process is everything that one server has open: the workspaces, and what they
// share.
type process struct {
	paths    paths
	log      *slog.Logger
	logFile  *os.File
	build    string
	program  func() string // our own binary by its lasting path; waits until it is there
	ahead    ahead         // what the first workspace needs
	listener *server.Listener
	stays    bool // without anything to show, too
	past     *history.Store
	limit    *agent.Limit // of all workspaces together
	config   liveConfig
	book     *book  // of past sessions
	tutor    *tutor // nil: this is none
	typing   panes.Typing
	news     panes.Watch // a workspace was opened, renamed or closed, or an agent's state changed
	kinds    knownKinds
	ctx      context.Context
	stop     context.CancelFunc

	opening sync.Mutex // one workspace is opened, closed or renamed at a time; before mu

	mu     sync.Mutex
	houses map[string]*house // by the workspace's name
	visits int               // attachments and requests under way
}

// openProcess opens the state folder and the log, and sees to a binary that
// stays.
func openProcess(ctx context.Context, stays bool) (*process, error) {
	paths, err := findPaths()
	if err != nil {
		return nil, err
	}
	return openProcessAt(ctx, paths, stays)
}

// openProcessAt is the same for a state folder of one's choice.
func openProcessAt(ctx context.Context, paths paths, stays bool) (*process, error) {
	p, err := newProcess(ctx, paths, stays)
	if err == nil {
		p.complete()
	}
	return p, err
}

// newProcess opens the state folder and the log: what the database needs.
func newProcess(ctx context.Context, paths paths, stays bool) (_ *process, err error) {
	p := &process{paths: paths, stays: stays, houses: map[string]*house{}}
	p.ctx, p.stop = context.WithCancel(ctx)
	if err = p.paths.makeState(); err != nil {
		return nil, err
	}
	src, path, build, err := self()
	if err != nil {
		return nil, err
	}
	_ = src.Close()
	p.build = build
	p.program = sync.OnceValue(func() string {
		program, _, err := install(p.paths.state)
		if err != nil {
			p.log.Warn("agents and panes are started by a binary that may be removed", "path", path, "err", err)
			return path
		}
		return program
	})
	p.config.path = p.paths.config
	if err := p.openLog(); err != nil {
		return nil, err
	}
	return p, nil
}

// complete makes the rest of what the workspaces share.
func (p *process) complete() {
	cfg, _, _ := p.config.take(false) // what is wrong with it is said by what is opened
	cfg, _ = cfg.overlaid(os.Environ(), themesOf(p.paths.config))
	p.limit = agent.NewLimit(cfg.Parallel)
	p.past = history.NewStore(filepath.Join(p.paths.state, "history"), history.Options{First: history.DefaultFirst})
	var err error
	if p.book, err = newBook(p.paths, cfg); err != nil {
		p.log.Warn("leave what agents keep alone", "err", err)
	}
	time.AfterFunc(installAfter, func() {
		p.program()
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(garbage)
		}
	})
}

// openLog opens the log file: decisions, failures, never keys or pane contents.
func (p *process) openLog() (err error) {
	path := p.paths.logFile()
	if st, err := os.Stat(path); err == nil && st.Size() > maxLog {
		_ = os.Rename(path, path+".old")
	}
	if p.logFile, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return fmt.Errorf("the log file cannot be opened: %w; set REPRISE_HOME to a folder that can be written", err)
	}
	p.log = slog.New(slog.NewTextHandler(p.logFile, nil))
	return nil
}

// serve takes clients until it is told to stop, or nothing is left to be shown.
// What runs then comes back at the next start: nothing is disposed.
func (p *process) serve(l *server.Listener) error {
	p.listener = l
	lonely := time.AfterFunc(lonelyTime, p.settle)
	defer lonely.Stop()
	p.aside("follow config.toml", func() { p.config.watch(p.ctx, p.log) })
	s := &server.Server{Attach: p.attach, Request: p.request, Version: versionText(), Log: p.log}
	err := s.Serve(p.ctx, l)
	p.closeHouses()
	return errors.Join(err, l.Close())
}

// close gives back what openProcess opened.
func (p *process) close() {
	p.stop()
	p.ahead.close()
	if p.book != nil {
		p.book.close()
	}
	if p.logFile != nil {
		_ = p.logFile.Close()
	}
}

// enter counts a visit, so that the server does not end under it; call what it
// returns when it is over.
func (p *process) enter() (over func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.visits++
	return func() {
		p.mu.Lock()
		p.visits--
		p.mu.Unlock()
		p.settle()
	}
}

// aside does some work beside who asks for it. A fault in it is logged, and ends nothing
// else: the process has others' agents.
func (p *process) aside(what string, work func()) {
	go func() {
		defer func() {
			if r := recover(); r != nil {
				p.log.Error(what, "err", r, "stack", string(debug.Stack()))
			}
		}()
		work()
	}()
}

// settle closes what shows nothing any more, and ends a server that has nothing
// left.
func (p *process) settle() {
	for _, h := range p.all() {
		if h.empty() {
			p.closeHouse(h)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.houses) == 0 && p.visits == 0 && !p.stays {
		p.stop()
	}
}

// all lists the open workspaces, the last used one first.
func (p *process) all() []*house {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []*house
	for _, h := range p.houses {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b *house) int {
		if c := b.used.Load().Compare(*a.used.Load()); c != 0 {
			return c
		}
		return strings.Compare(a.Name(), b.Name())
	})
	return all
}

// find is an open workspace; nil: there is none.
func (p *process) find(name string) *house {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.houses[name]
}

// ofDir is the open workspace that belongs to a directory; nil: there is none.
func (p *process) ofDir(dir string) *house {
	if real, err := disk.Real(dir, disk.Glance); err == nil {
		dir = real
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.houses { // byDir: opening is held by who asks
		if h.byDir && h.workspace.Dir == dir {
			return h
		}
	}
	return nil
}

// closeHouse closes a workspace that shows nothing any more, once nobody looks at
// it.
func (p *process) closeHouse(h *house) {
	p.opening.Lock()
	defer p.opening.Unlock()
	p.mu.Lock()
	gone := p.houses[h.Name()] != h || h.visits > 0 || !h.empty()
	if !gone {
		delete(p.houses, h.Name())
	}
	p.mu.Unlock()
	if gone {
		return
	}
	p.news.Wake()
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if err := h.db.RemoveWorkspace(ctx, h.Name(), h.instance, false); err != nil {
		h.proc.log.Warn("forget a session that ended", "session", h.Name(), "err", err)
	}
	h.close()
}

// closeHouses closes all of them, side by side: each may take its time.
func (p *process) closeHouses() {
	p.opening.Lock()
	defer p.opening.Unlock()
	var wg sync.WaitGroup
	for _, h := range p.all() {
		wg.Go(h.close)
	}
	wg.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.houses)
}

// open returns a workspace, opened if it was not, and counts a visit to it. The
// pane that was added for the caller's program is focus, if there is one.
func (p *process) open(ctx context.Context, v visit) (h *house, err error) {
	p.opening.Lock()
	defer p.opening.Unlock()
	if err := p.ctx.Err(); err != nil {
		return nil, server.ErrShutdown
	}
	h = p.already(v)
	if h != nil && v.fresh {
		return nil, fmt.Errorf("there is a session %s already: attach to it with reprise attach %s, or take another name", v.name, v.name)
	}
	if h == nil {
		if h, err = p.openNew(ctx, v); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	h.visits++
	h.touch()
	return h, nil
}

// openNew opens a workspace. The directory's own may be open by its name already.
func (p *process) openNew(ctx context.Context, v visit) (*house, error) {
	h, err := openHouse(ctx, p, v)
	var owned *db.OwnedError
	if errors.As(err, &owned) {
		if h = p.find(owned.Name); h != nil {
			h.byDir = true
			return h, nil
		}
	}
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.houses[h.Name()] = h
	p.news.Wake()
	return h, nil
}

// already is the open workspace that a visit is to.
func (p *process) already(v visit) *house {
	switch {
	case v.name != "":
		return p.find(v.name)
	case v.last:
		if all := p.all(); len(all) > 0 {
			return all[0]
		}
		return nil
	}
	return p.ofDir(v.dir)
}

// left ends a visit to a workspace.
func (p *process) left(h *house) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.visits--
}

// store is the database for a while: that of an open workspace, or one that is
// opened for it.
func (p *process) store(ctx context.Context) (d *db.DB, done func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.houses {
		h.visits++
		return h.db, func() { p.left(h) }, nil
	}
	if d, err = db.Open(ctx, p.paths.state, db.Options{Alive: panes.ProcessID.Alive, Log: p.log}); err != nil {
		return nil, nil, err
	}
	return d, func() { _ = d.Close() }, nil
}

// visit says which workspace is meant, and by whom.
type visit struct {
	name     string // "": the directory's
	last     bool   // the one that was used last, if no name is given
	fresh    bool   // it must not be there yet
	saved    bool   // it must be there
	dir      string
	env      []string
	args     []string // an agent or a command, to be shown in a pane of its own
	client   panes.ClientID
	area     panes.Size // of the panes on its terminal; zero: it has none
	noResume bool
}

// named is the saved workspace that a visit is to; "": its directory's.
func (v visit) named(ctx context.Context, d *db.DB) (name string, err error) {
	if v.name == "" && !v.last {
		return "", nil
	}
	all, err := d.Workspaces(ctx)
	if err != nil {
		return "", err
	}
	if v.name == "" {
		if len(all) == 0 {
			return "", errors.New("there is no session: reprise starts one")
		}
		last := slices.MaxFunc(all, func(a, b db.Workspace) int { return a.Used.Compare(b.Used) })
		return last.Name, nil
	}
	at := slices.IndexFunc(all, func(w db.Workspace) bool { return w.Name == v.name })
	switch {
	case v.fresh && at >= 0:
		return "", fmt.Errorf("there is a session %s already: attach to it with reprise attach %s, or take another name", v.name, v.name)
	case v.saved && at < 0:
		var names []string
		for _, w := range all {
			names = append(names, w.Name)
		}
		if near := nearest(v.name, names); near != "" {
			return "", fmt.Errorf("there is no session %s, did you mean %s?", v.name, near)
		}
		return "", fmt.Errorf("there is no session %s: reprise ls lists them, reprise new -s %s makes it", v.name, v.name)
	}
	return v.name, nil
}
