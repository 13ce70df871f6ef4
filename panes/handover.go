package panes

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Errors of handing over.
var (
	// ErrNotPaused: Host.Pause comes first.
	ErrNotPaused = errors.New("the terminal is not paused")
	// ErrGateWaits: its program was not let run yet, and would never be; go on
	// and try again.
	ErrGateWaits = errors.New("the terminal's gate is still closed")
	// ErrPasteWaits: more of a paste waits for its program than is carried over; try
	// again when it was read.
	ErrPasteWaits = errors.New("a long paste is still being read: wait for it, or close its pane")
)

// Handover is a terminal on its way to the next image of this process (Reexec),
// which keeps pid, children and descriptors. It can be written as JSON; it has
// what the program was given and what was typed at it, so it is for nobody else.
type Handover struct {
	Spec    Spec      `json:"spec"`
	Process ProcessID `json:"process"`
	// FD is the master's side of the pty, which Reexec must let through; -1 if
	// the process has ended.
	FD       int       `json:"fd"`
	GateOpen bool      `json:"gate_open"` // false: its shim ends without running the program
	Size     Size      `json:"size"`
	LastKey  time.Time `json:"last_key"` // zero: never
	Draft    int       `json:"draft"`    // letters that were typed and not sent off
	Dropped  int       `json:"dropped"`  // of them, where escape pressed twice empties the line
	Escapes  time.Time `json:"escapes"`  // when that was; zero: never
	Pasting  bool      `json:"pasting"`  // the end of a paste with marks has not come
	Input    []Waiting `json:"input,omitempty"`
	Dump     []byte    `json:"dump"`
	Ended    time.Time `json:"ended"` // zero: it runs
	Exit     Exit      `json:"exit"`
}

// Waiting is input that was not written to the program yet.
type Waiting struct {
	Bytes []byte `json:"bytes"`
	Reply bool   `json:"reply,omitempty"` // the terminal's own answer to a query
	Paste bool   `json:"paste,omitempty"`
}

func (w Waiting) source() source {
	switch {
	case w.Reply:
		return replied
	case w.Paste:
		return pasted
	}
	return typed
}

// Handover describes the terminal for Adopt and changes nothing: if the process
// stays what it is, the terminal goes on when the pause ends. ErrNotPaused,
// ErrGateWaits, ErrPasteWaits: not now. What is sent to it later is not in it.
func (t *Terminal) Handover() (Handover, error) {
	x, err := t.handover()
	if err != nil {
		return Handover{}, fmt.Errorf("hand over terminal %s: %w", t.spec.ID, err)
	}
	return x, nil
}

func (t *Terminal) handover() (Handover, error) {
	x := Handover{Spec: t.spec, Process: t.proc.ID(), FD: -1, LastKey: t.LastKey()}
	t.draft.handOver(&x)
	paused := t.halt.on()
	waiting, err := t.input.waiting()
	if err != nil {
		return Handover{}, err
	}
	for _, p := range waiting {
		x.Input = append(x.Input, Waiting{Bytes: p.b, Reply: p.of == replied, Paste: p.of == pasted})
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	x.Size, x.Ended, x.Exit, x.GateOpen = t.size, t.endedAt, t.exit, t.gate == gateOpen
	switch {
	case !x.Ended.IsZero():
	case !paused:
		return Handover{}, ErrNotPaused
	case t.gate == gateWaits || t.gate == gateMoves:
		return Handover{}, ErrGateWaits
	default:
		c, ok := t.proc.(*child)
		if !ok {
			return Handover{}, errors.New("its process is not the system's")
		}
		if x.FD, err = c.tty.fd(); err != nil {
			return Handover{}, err
		}
	}
	var ok bool
	if x.Dump, ok = t.dump(); !ok {
		return Handover{}, errors.New("its emulator cannot be carried over")
	}
	return x, nil
}

// Adopt makes a terminal of what an earlier image of this process handed over. The
// terminal owns the descriptor from then on; no pane shows it yet. If its process
// is no child of ours the pty is closed, which hangs the program up.
func (h *Host) Adopt(x Handover) (*Terminal, error) {
	t, err := h.adopt(x)
	if err != nil {
		return nil, fmt.Errorf("take over %s: %w", x.Spec.name(), err)
	}
	h.wake()
	return t, nil
}

func (h *Host) adopt(x Handover) (*Terminal, error) {
	spec := x.Spec
	if spec.ID == "" {
		return nil, errors.New("it has no id")
	}
	if _, err := h.reserve(spec); err != nil {
		return nil, err
	}
	defer h.release(spec.ID)
	h.launching.RLock()
	defer h.launching.RUnlock()
	c, err := x.child()
	if err != nil {
		return nil, err
	}
	spec.History = nil
	spec.Size = x.Size.clamp()
	t := newTerminal(spec, c, h)
	t.recall(x.Dump)
	if t.gate = gateShut; x.GateOpen {
		t.gate = gateOpen
	}
	t.draft.takeOver(x)
	if !x.LastKey.IsZero() {
		t.keyAt.Store(x.LastKey.UnixNano())
	}
	if x.Ended.IsZero() {
		t.goOn(x.Input)
	} else {
		t.rest(x.Ended, x.Exit)
	}
	h.mu.Lock()
	h.terminals = append(h.terminals, t)
	h.mu.Unlock()
	return t, nil
}

// goOn is run for a terminal that ran before.
func (t *Terminal) goOn(input []Waiting) {
	for _, w := range input {
		if err := t.input.put(w.Bytes, w.source()); err != nil {
			t.log.Warn("input is lost", "terminal", t.spec.ID, "bytes", len(w.Bytes), "err", err)
		}
	}
	// The image before may have ended between the screen's resize and the pty's.
	if err := t.proc.TTY().SetSize(t.size); err != nil {
		t.log.Warn("resize", "terminal", t.spec.ID, "err", err)
	}
	t.mu.Lock()
	open := false
	t.guarded("state", func(e Emulator) { open = e.State().Modes.Synchronized })
	t.show(open)
	t.mu.Unlock()
	t.run()
}

// rest makes a new terminal a dead one.
func (t *Terminal) rest(since time.Time, exit Exit) {
	t.endedAt, t.exit = since, exit
	t.input.close()
	close(t.died)
	close(t.read)
	close(t.done)
}

// child is the process that was handed over.
func (x Handover) child() (*child, error) {
	if !x.Ended.IsZero() {
		return &child{id: x.Process, reaped: true}, nil
	}
	tty, err := inherited(x.FD)
	if err != nil {
		return nil, err
	}
	p, err := lookProc(x.Process.PID)
	if err == nil && (p.ID != x.Process || p.Parent != os.Getpid()) {
		err = fmt.Errorf("process %d is no child of this one", x.Process.PID)
	}
	if err != nil {
		_ = tty.Close()
		return nil, err
	}
	return &child{id: x.Process, tty: tty}, nil
}

// inherited takes over the master's side of a pty.
func inherited(fd int) (*master, error) {
	if fd <= 2 {
		return nil, fmt.Errorf("descriptor %d is no pty", fd)
	}
	if _, err := unix.IoctlGetTermios(fd, getTermios); err != nil {
		return nil, fmt.Errorf("descriptor %d is no pty: %w", fd, err)
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, fmt.Errorf("take over descriptor %d: %w", fd, err)
	}
	return newMaster(fd, "pty")
}

// HostHandover is a whole host on its way to the next image of this process.
type HostHandover struct {
	Layout    []byte                `json:"layout"` // EncodeLayout
	Terminals []Handover            `json:"terminals"`
	Shown     map[PaneID]TerminalID `json:"shown"`
	Sizes     map[PaneID]Size       `json:"sizes"`
	Retiring  []TerminalID          `json:"retiring,omitempty"`
	// Environ is the environment of programs; nil: the process's own.
	Environ []string `json:"environ"`
}

// FDs are the descriptors that Reexec must let through.
func (x HostHandover) FDs() []int {
	var fds []int
	for _, t := range x.Terminals {
		if t.FD >= 0 {
			fds = append(fds, t.FD)
		}
	}
	return fds
}

// Handover describes the whole host, which must be paused, for AdoptAll. Errors as
// of Terminal.Handover. It changes nothing.
func (h *Host) Handover() (HostHandover, error) {
	h.mu.Lock()
	x := HostHandover{Shown: map[PaneID]TerminalID{}, Sizes: map[PaneID]Size{}, Environ: slices.Clone(h.env)}
	layout, terminals := h.layout.Clone(), slices.Clone(h.terminals)
	for p, t := range h.shown {
		x.Shown[p] = t.ID()
	}
	for p, s := range h.sizes {
		x.Sizes[p] = s
	}
	for id := range h.retiring {
		x.Retiring = append(x.Retiring, id)
	}
	h.mu.Unlock()
	var err error
	if x.Layout, err = EncodeLayout(layout); err != nil {
		return HostHandover{}, err
	}
	for _, t := range terminals {
		one, err := t.Handover()
		if err != nil {
			return HostHandover{}, err
		}
		x.Terminals = append(x.Terminals, one)
	}
	return x, nil
}

// AdoptAll fills a new host with what an earlier image of this process handed
// over. It goes on where a terminal cannot be adopted and tells in the end; such a
// pane shows none.
func (h *Host) AdoptAll(x HostHandover) error {
	l, err := DecodeLayout(x.Layout)
	if err != nil {
		return err
	}
	h.SetLayout(l)
	h.mu.Lock()
	if x.Environ != nil {
		h.env = lastWins(x.Environ)
	}
	for p, s := range x.Sizes {
		if l.has(p) {
			h.sizes[p] = s.clamp()
		}
	}
	h.mu.Unlock()
	var failed []error
	for _, one := range x.Terminals {
		if _, err := h.Adopt(one); err != nil {
			failed = append(failed, err)
		}
	}
	for p, id := range x.Shown {
		h.Point(p, id)
	}
	for _, id := range x.Retiring {
		h.Retire(id)
	}
	return errors.Join(failed...)
}
