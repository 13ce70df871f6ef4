package agent

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"reprise/panes"
)

// LaunchRequest is a first launch in a pane: an agent, a command or a shell.
type LaunchRequest struct {
	Pane panes.PaneID
	Kind string   // agent kind's name; "" for a command
	Argv []string // a command's argv; an agent's own arguments (without the program); empty with Kind "": the person's shell
	Dir  string
	Env  []string
	// Scratch is a file that goes when the program has ended (panes.Spec).
	Scratch string
	// New says that the pane was just made: nothing of it is looked for.
	New bool
}

// Act is what a person asks of a dead pane.
type Act int

// Acts on a dead pane.
const (
	ActDismiss  Act = iota // the candidate stays, but does not resume by itself
	ActShell               // a shell in the same directory (dismisses a candidate, settles an unsure goodbye)
	ActRunAgain            // the same program once more, as it was first launched
)

// Look is what one client shows: it orders the queue and, with scope visible,
// decides what may resume.
type Look struct {
	Client  string // any name of the client; the same in each report
	Focused panes.PaneID
	Visible []panes.PaneID // best first
}

// Config is what a Coordinator is made of. Store, Host and Instance are needed.
type Config struct {
	Store    Store
	Host     Host
	Registry Registry
	Instance InstanceID
	Policy   Policy   // zero: DefaultPolicy
	Settings Settings // zero: DefaultSettings
	// Shell is the argv of the person's shell; empty: $SHELL, else /bin/sh.
	Shell []string
	// Hook is how agents call us; its nonce is set for each launch. It is asked before
	// one and may wait until the program is there. nil: they do not.
	Hook func() HookCommand
	// Typing is asked before a shell is started; nil: agents that are typed in it are
	// left alone.
	Typing func() Typing
	// Limit is shared by the coordinators of one process; nil: its own, of
	// Settings.Parallel.
	Limit *Limit
	// Processes is the system's process table; nil: SystemProcesses.
	Processes ProcessTable
	// Environ is the environment of the workspace, in which programs are looked up;
	// nil: the process's own. SetEnviron changes it.
	Environ []string
	Log     *slog.Logger
	Now     func() time.Time
	// Panes lists the panes of the workspace in reading order; nil: every pane
	// that was ever asked about is taken to exist.
	Panes func() []panes.PaneID
	// NewPane makes a pane for a resumed session whose own pane is gone; nil or
	// false: there is no room for one.
	NewPane func() (panes.PaneID, bool)
	// History is asked before each start of a program for what its terminal shows
	// above it (panes.Spec.History); nil: nothing. It may read files.
	History func(HistoryRequest) []byte
	// ClosePane takes a pane out of the layout, after a clean end with
	// after_exit = close.
	ClosePane func(panes.PaneID)
	// Event is told what becomes of agents, by the loop; it must not block. nil:
	// nobody is.
	Event func(Event)
}

// Coordinator brings sessions back. One per process. Its methods are safe for
// concurrent use; View, Look and Subscribe do no I/O.
type Coordinator struct {
	cfg Config
	// ctx ends with Stop. Steps that must be finished once begun run beyond it.
	ctx    context.Context
	cancel context.CancelFunc
	wake   chan struct{} // capacity one: the loop has something to look at
	limit  *Limit
	work   sync.WaitGroup
	once   sync.Once     // Stop
	sweeps chan struct{} // a lock, of capacity one: one sweep at a time; before mu
	outer

	// mu guards what follows. Nothing under it does I/O or calls into the host.
	mu       sync.Mutex
	stopping bool
	brake
	heir     *State // to be taken over
	places   map[panes.PaneID]*place
	lives    map[panes.TerminalID]*life
	flights  map[panes.TerminalID]*flight
	queue    []*flight
	starting map[panes.TerminalID]chan struct{} // resumed, no sign yet; closed at the first hook
	failures map[panes.TerminalID]failure
	looks    map[string]Look
	subs     subscribers
	env      []string // in which programs are looked up; never written to
	limbo    []limbo
	ticket   uint64
	beat     beat
}

// outer are the locks that are taken before mu, in their order.
type outer struct {
	turns sync.Mutex   // one turn of the loop, or Stop's last one, at a time
	ends  sync.RWMutex // held by End; by Move, to keep it out

	takings sync.Mutex // one TakeIn at a time
}

// brake is what a handover stops, and waits for.
type brake struct {
	held  chan struct{} // not nil: nothing begins until it is closed
	opens int           // how many OpenSessions and pins are under way
}

// subscribers are who wants to know when a View may have changed.
type subscribers struct {
	panes.Watch
	events []Event // yet to be told
}

// beat is when the loop last did what it does only now and then.
type beat struct {
	hooks, sweep, complained time.Time
	probed                   time.Time // while in trouble
	observed                 time.Time
	trouble                  string  // "" none
	version                  Version // of the store, when all panes were last to be read
	observing                bool    // somebody is to be observed again
	sweeping                 bool
	looked                   bool // a client has said what it shows
}

// NewCoordinator makes a coordinator. Run must be called for it to notice deaths,
// hooks and dead instances.
func NewCoordinator(cfg Config) *Coordinator {
	if len(cfg.Policy.Backoff) == 0 {
		cfg.Policy = DefaultPolicy()
	}
	if cfg.Settings == (Settings{}) {
		cfg.Settings = DefaultSettings()
	}
	if cfg.Limit == nil {
		cfg.Limit = NewLimit(cfg.Settings.Parallel)
	}
	if cfg.Environ == nil {
		cfg.Environ = os.Environ()
	}
	if len(cfg.Shell) == 0 {
		cfg.Shell = []string{"/bin/sh"}
		if sh := lookup(cfg.Environ, "SHELL"); sh != "" {
			cfg.Shell = []string{sh}
		}
	}
	if cfg.Processes == nil {
		cfg.Processes = SystemProcesses()
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c := &Coordinator{
		sweeps:   make(chan struct{}, 1),
		cfg:      cfg,
		limit:    cfg.Limit,
		wake:     make(chan struct{}, 1),
		places:   map[panes.PaneID]*place{},
		lives:    map[panes.TerminalID]*life{},
		flights:  map[panes.TerminalID]*flight{},
		starting: map[panes.TerminalID]chan struct{}{},
		failures: map[panes.TerminalID]failure{},
		looks:    map[string]Look{},
	}
	c.env = cfg.Environ
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Subscribe returns a channel of capacity one, signalled when any View may have
// changed.
func (c *Coordinator) Subscribe() (wake <-chan struct{}, cancel func()) { return c.subs.Subscribe() }

// Look takes in what a client shows now. A client that shows nothing (any more)
// is forgotten.
func (c *Coordinator) Look(l Look) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.Focused == "" && len(l.Visible) == 0 {
		delete(c.looks, l.Client)
	} else {
		c.looks[l.Client] = l
		c.beat.looked = true
	}
	if l.Focused != "" {
		c.placeOf(l.Focused).used = c.cfg.Now()
	}
	for _, p := range l.Visible {
		c.placeOf(p)
	}
	c.dispatch()
	c.publishAll() // places in the queue change
}

// nudge lets the loop look at once.
func (c *Coordinator) nudge() { signal(c.wake) }

func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // one is waiting already
	}
}

// spawn starts a goroutine of the coordinator. A fault in it is logged and ends
// only itself: one bad session must not take the others along.
func (c *Coordinator) spawn(what string, run func()) {
	c.work.Go(func() {
		defer c.recovered(what)
		run()
	})
}

func (c *Coordinator) recovered(what string) {
	if r := recover(); r != nil {
		c.cfg.Log.Error("panic", "in", what, "value", r, "stack", string(debug.Stack()))
	}
}

// durable is a context for a step that must be finished once begun, also while
// the coordinator stops; it is bounded so that a stuck disk ends nothing but the
// step.
func durable(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
}

// note writes to the ledger. A ledger that cannot be written stops nothing.
func (c *Coordinator) note(n Note) {
	ctx, cancel := durable(c.ctx)
	defer cancel()
	if n.At.IsZero() {
		n.At = c.cfg.Now()
	}
	err := c.cfg.Store.AddNote(ctx, n)
	c.Saved(err)
	if err != nil {
		c.cfg.Log.Warn("ledger", "what", n.What, "terminal", n.Terminal, "err", err)
	}
}
