package panes

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"reprise/panes/disk"
	"reprise/panes/vt"
)

// defaultSize is that of a program whose pane was never shown.
var defaultSize = Size{Cols: 80, Rows: 24}

// Host owns the terminals of this process and says which pane shows which, and
// how the panes are laid out. Safe for concurrent use.
type Host struct {
	o         HostOptions
	watch     Watch
	layoutSeq atomic.Uint64
	colors    atomic.Uint64 // foreground and background; atomic: a terminal asks under its own lock

	// launching is held by starts, and by Pause to keep them out. It is taken
	// before every other lock; of two hosts, that of the one that was born first.
	launching sync.RWMutex
	born      uint64

	focus focuses // where the clients' keyboards are

	news      atomic.Uint64 // NewsSeq
	newsWatch Watch         // it moved

	mu        sync.Mutex // before a terminal's lock; no I/O under it
	layout    Layout
	terminals []*Terminal             // in the order of their start
	retiring  map[TerminalID]bool     // to be forgotten once they have ended
	shown     map[PaneID]*Terminal    // what panes point at
	sizes     map[PaneID]Size         // as last shown
	clients   clients                 // who shows what, and how large
	env       []string                // nil: the process's own
	starting  map[TerminalID]struct{} // ids taken by a Start under way
}

// HostOptions configure a Host.
type HostOptions struct {
	// Shim is the argv of the launch shim: our own binary by its lasting path and
	// the hidden command that waits at the gate (gate.Run). It is asked at each start
	// and may wait until the binary is there.
	Shim func() []string
	// Spare is for the first Start; nil: none.
	Spare *Spare
	// Log takes faults; nil: nowhere. It never gets keys or pane contents.
	Log *slog.Logger
	// Emulator makes a terminal's emulator, which gives its replies to reply;
	// nil: a vt.Emulator, as Scrollback and Clipboard say.
	Emulator func(size Size, reply func([]byte)) Emulator
	// Scrollback is how many lines that left the top of its screen a terminal
	// keeps; 0: vt.DefaultScrollback; negative: none.
	Scrollback int
	// Clipboard lets programs set the clipboard (Terminal.Clipping).
	Clipboard bool
	// Call is told when a program calls for attention, under no lock but by the
	// goroutine that reads its output: it must not block. nil: nobody is.
	Call func(Call)
	// Told is told what a program tells its terminal of itself, when that changes, as
	// Call is. nil: nobody is.
	Told func(Told)
	// Typing is shared by all hosts of a machine; nil: the host has its own.
	Typing *Typing
	// Environ is the environment in which programs are started, KEY=value; nil:
	// the process's own. SetEnviron changes it.
	Environ []string
	// Launch starts a program's process behind a closed gate; nil: in a pty of
	// the system, by Shim.
	Launch func(spec Spec) (Process, error)
}

// births counts the hosts of this process.
var births atomic.Uint64

// NewHost makes a host without panes.
func NewHost(o HostOptions) *Host {
	h := &Host{
		born:     births.Add(1),
		retiring: map[TerminalID]bool{},
		shown:    map[PaneID]*Terminal{},
		sizes:    map[PaneID]Size{},
		starting: map[TerminalID]struct{}{},
	}
	if o.Typing == nil {
		o.Typing = new(Typing)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Launch == nil {
		o.Launch = func(spec Spec) (Process, error) {
			env := h.Environ()
			if c := o.Spare.take(env, spec); c != nil {
				return c, nil
			}
			return startChild(o.Shim(), env, spec)
		}
	}
	h.o = o
	if o.Environ != nil {
		h.env = lastWins(o.Environ)
	}
	return h
}

// SetColors sets the outer terminal's colours, which programs are told when they
// ask (OSC 10, 11).
func (h *Host) SetColors(fg, bg vt.Color) {
	h.mu.Lock()
	h.colors.Store(uint64(fg)<<32 | uint64(bg))
	terminals := slices.Clone(h.terminals)
	h.mu.Unlock()
	for _, t := range terminals {
		t.setColors(fg, bg)
	}
}

// Colors are what SetColors set; zero: not known.
func (h *Host) Colors() (fg, bg vt.Color) {
	both := h.colors.Load()
	return vt.Color(both >> 32), vt.Color(both)
}

// Start starts a program in a new pty behind a closed gate. The terminal is known
// to the host but no pane shows it yet. Its size is that of spec.Pane, if that
// was ever shown. An empty id is filled in. ErrNoDirectory: spec.Dir is gone.
func (h *Host) Start(ctx context.Context, spec Spec) (*Terminal, error) {
	if spec.ID == "" {
		spec.ID = NewTerminalID()
	}
	spec.Argv, spec.Env = slices.Clone(spec.Argv), slices.Clone(spec.Env)
	t, err := h.start(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", spec.name(), err)
	}
	h.wake()
	return t, nil
}

func (h *Host) start(ctx context.Context, spec Spec) (*Terminal, error) {
	if len(spec.Argv) == 0 || spec.Argv[0] == "" {
		return nil, errors.New("no program is named")
	}
	if err := checkDir(spec.Dir); err != nil {
		return nil, err
	}
	size, err := h.reserve(spec)
	if err != nil {
		return nil, err
	}
	defer h.release(spec.ID)
	spec.Size = size
	h.launching.RLock()
	defer h.launching.RUnlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := spec.writeFolder(); err != nil {
		return nil, err
	}
	proc, err := h.o.Launch(spec)
	if err != nil {
		_ = spec.removeFolder()
		return nil, err
	}
	t := newTerminal(spec, proc, h)
	t.run()
	h.mu.Lock()
	h.terminals = append(h.terminals, t)
	h.mu.Unlock()
	// It may have changed meanwhile.
	_ = t.resizeTo(func() (Size, bool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		s, ok := h.sizes[spec.Pane]
		return s, ok
	})
	return t, nil
}

// reserve takes a terminal id for one Start and says in which size.
func (h *Host) reserve(spec Spec) (Size, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, taken := h.starting[spec.ID]; taken || h.find(spec.ID) != nil {
		return Size{}, fmt.Errorf("terminal id %s is taken", spec.ID)
	}
	h.starting[spec.ID] = struct{}{}
	if _, ok := h.sizes[spec.Pane]; !ok && spec.Size != (Size{}) {
		return spec.Size.clamp(), nil
	}
	return h.paneSize(spec.Pane), nil
}

func (h *Host) release(t TerminalID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.starting, t)
}

// changed is told by a terminal, under no lock: with every read, so what is printed
// takes no lock of the host.
func (h *Host) changed(t *Terminal) {
	if ended(t) {
		h.mu.Lock()
		if h.retiring[t.ID()] && h.find(t.ID()) == t {
			h.forget(t)
		}
		h.mu.Unlock()
		h.wake()
		return
	}
	h.watch.Wake()
}

// wake tells of all but what a program printed, under no lock.
func (h *Host) wake() {
	h.news.Add(1)
	h.newsWatch.Wake()
	h.watch.Wake()
}

// NewsSeq changes whenever there is more than output: the layout, what a pane shows, or
// the end of a program. Who has asked for all that needs to look, until it changes, only
// at screens. It takes no lock.
func (h *Host) NewsSeq() uint64 { return h.news.Load() }

// SubscribeNews returns a channel that is signalled when NewsSeq has changed: see
// Watch.Subscribe.
func (h *Host) SubscribeNews() (wake <-chan struct{}, cancel func()) { return h.newsWatch.Subscribe() }

func ended(t *Terminal) bool {
	select {
	case <-t.Done():
		return true
	default:
		return false
	}
}

func checkDir(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%w: %q is not an absolute path", ErrNoDirectory, dir)
	}
	info, err := disk.Stat(dir, disk.Must)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoDirectory, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s is a file", ErrNoDirectory, dir)
	}
	if err := unix.Access(dir, unix.X_OK); err != nil {
		return fmt.Errorf("enter %s: %w", dir, err)
	}
	return nil
}

// find is a terminal by its id; h.mu is held.
func (h *Host) find(id TerminalID) *Terminal {
	for _, t := range h.terminals {
		if t.ID() == id {
			return t
		}
	}
	return nil
}

// Point lets the pane show the terminal, which takes on the pane's size. false:
// there is no such pane, or no such terminal.
func (h *Host) Point(p PaneID, id TerminalID) bool {
	h.mu.Lock()
	t := h.find(id)
	ok := t != nil && h.layout.has(p)
	if ok {
		h.shown[p] = t
	}
	h.mu.Unlock()
	if !ok {
		return false
	}
	h.fit(p)
	h.wake()
	return true
}

// Terminal is a terminal of this process, nil if unknown or retired.
func (h *Host) Terminal(id TerminalID) *Terminal {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.find(id)
}

// Terminals lists the terminals of this process in the order of their start, dead
// ones until retired.
func (h *Host) Terminals() []*Terminal {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.terminals)
}

// Retire forgets a dead terminal (its screen goes with it); one that lives is
// forgotten as soon as it has ended.
func (h *Host) Retire(id TerminalID) {
	h.mu.Lock()
	t := h.find(id)
	switch {
	case t == nil:
	case ended(t):
		h.forget(t)
	default:
		h.retiring[id] = true
	}
	h.mu.Unlock()
	// It may have ended before it was marked.
	if t != nil && ended(t) {
		h.changed(t)
	}
}

// forget drops every reference to a terminal; h.mu is held.
func (h *Host) forget(t *Terminal) {
	delete(h.retiring, t.ID())
	h.terminals = slices.DeleteFunc(h.terminals, func(o *Terminal) bool { return o == t })
	for p, s := range h.shown {
		if s == t {
			delete(h.shown, p)
		}
	}
}

// Shown is the terminal that a pane shows, dead or alive; nil: none.
func (h *Host) Shown(p PaneID) *Terminal {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shown[p]
}

// Subscribe returns a channel of capacity one that is signalled when anything
// on any screen or in the layout may have changed. It carries nothing: ask for
// the state.
func (h *Host) Subscribe() (wake <-chan struct{}, cancel func()) { return h.watch.Subscribe() }

// LayoutSeq changes whenever the layout may have changed. It takes no lock. Ask
// for it before Layout: one that is older than its layout is asked for again.
func (h *Host) LayoutSeq() uint64 { return h.layoutSeq.Load() }

// Layout is a copy of the layout.
func (h *Host) Layout() Layout {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.layout.Clone()
}

// SetLayout replaces the layout (opens a saved one). Panes that it lacks are
// forgotten; their terminals stay known until retired.
func (h *Host) SetLayout(l Layout) {
	l = l.Clone()
	_ = h.edit(func(Layout) (Layout, error) { return l, nil })
}

// SetMeta records what a pane shows, to open it again; its name stays: a person may
// have given it since m was made. false: no such pane.
func (h *Host) SetMeta(p PaneID, m PaneMeta) bool {
	return h.edit(func(l Layout) (Layout, error) {
		m.Name = l.Meta[p].Name
		return l.WithMeta(p, m)
	}) == nil
}

// edit replaces the layout by what change makes of it. The layout is never
// changed in place.
func (h *Host) edit(change func(Layout) (Layout, error)) error {
	h.mu.Lock()
	l, err := change(h.layout)
	if err == nil {
		h.layout = l
		h.layoutSeq.Add(1)
		for p := range h.shown {
			if !l.has(p) {
				delete(h.shown, p)
			}
		}
		for p := range h.sizes {
			if !l.has(p) {
				delete(h.sizes, p)
			}
		}
		h.clients.keep(l.has)
	}
	h.mu.Unlock()
	if err == nil {
		h.wake()
	}
	return err
}
