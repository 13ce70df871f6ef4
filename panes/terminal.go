package panes

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"reprise/panes/vt"
)

// Errors of a Terminal.
var (
	// ErrInputFull: the program does not read; nothing was taken.
	ErrInputFull = errors.New("the program is not reading its input")
	// ErrEnded: the program has ended.
	ErrEnded = errors.New("the program has ended")
	// ErrGate: the gate was opened or closed before.
	ErrGate = errors.New("the gate was used already")
)

const (
	// syncHold is how long a program may keep a synchronized update open before
	// what it drew is shown (design.md §3).
	syncHold = 150 * time.Millisecond
	// drainTime is how long output is still awaited from a pty whose process has
	// ended. Only a grandchild that holds the pty makes it last that long.
	drainTime = 250 * time.Millisecond
	// reopenTime is how long the reader waits while nobody has the pty's other
	// side open.
	reopenTime = 100 * time.Millisecond

	readSize     = 32 << 10
	maxLineCells = 200
)

// Emulator turns a program's output into a screen. *vt.Emulator is one. Calls
// are made under the terminal's lock.
type Emulator interface {
	io.Writer
	Resize(cols, rows int)
	Snapshot(dst *vt.Screen)
	State() vt.State
}

// Terminal is one life of one program in a pty, with its screen. All methods are
// safe for concurrent use.
type Terminal struct {
	spec    Spec
	proc    Process
	emulate func(Size, func([]byte)) Emulator
	log     *slog.Logger
	owner   atomic.Pointer[owner] // another host's once it was given to it
	input   *queue
	halt    *halt
	seq     atomic.Uint64
	news    Watch        // seq moved
	keyAt   atomic.Int64 // Unix nanoseconds; 0: never
	draft   draft
	died    chan struct{}
	read    chan struct{} // closed when the reader has ended
	done    chan struct{}

	// sizing orders resizes, so that screen and pty end with the same size. It
	// is taken before mu, and before the host's lock.
	sizing sync.Mutex

	mu       sync.Mutex // after the host's lock; no I/O under it
	emulator Emulator
	size     Size
	gate     gateState
	update   update
	broken   error
	muted    bool // what is written comes from no program of ours (recall)
	asked    asked
	last
}

// last is the end of a terminal's program.
type last struct {
	exit    Exit
	endedAt time.Time // zero: it runs
	then    []func()  // that wait for it (AfterDone)
}

// update is a synchronized update of the program.
type update struct {
	timer  *time.Timer // runs while one is open and not shown
	held   bool        // the open one was not shown yet
	forced bool        // the open one has lasted too long: it is shown as it comes
}

type gateState int

const (
	gateWaits gateState = iota
	gateMoves           // is being opened or closed
	gateOpen
	gateShut
)

// newTerminal makes a terminal for a process; run takes that over.
func newTerminal(spec Spec, proc Process, h *Host) *Terminal {
	t := &Terminal{
		spec: spec, proc: proc, emulate: h.o.Emulator, log: h.o.Log, size: spec.Size,
		halt: newHalt(), died: make(chan struct{}), read: make(chan struct{}), done: make(chan struct{}),
	}
	t.input = newQueue(func() { t.spawn("writer", t.runWriter) })
	t.ownedBy(h)
	if t.emulate == nil {
		t.emulate = func(size Size, reply func([]byte)) Emulator {
			o := vt.Options{Cols: size.Cols, Rows: size.Rows, Reply: reply, Scrollback: h.o.Scrollback}
			o.Foreground, o.Background = h.Colors()
			if h.o.Clipboard {
				o.Clipboard = t.clipped
			}
			if h.o.Call != nil {
				o.Notify = t.notified
			}
			return vt.New(o)
		}
	}
	t.seq.Store(1)
	t.emulator = t.newEmulator()
	t.recallHistory(spec.History)
	t.spec.History = nil
	return t
}

func (t *Terminal) run() {
	t.spawn("reader", t.runReader)
	t.spawn("writer", t.runWriter) // of what waits already
	if p, ok := t.proc.(sleeper); ok && p.whenEnded(func() { t.guard("waiter", t.runWaiter) }) {
		return
	}
	t.spawn("waiter", t.runWaiter)
}

// sleeper is a Process whose end is waited for together with that of all others: a
// goroutine for each costs as much memory as an empty screen.
type sleeper interface {
	// whenEnded has f called, in a goroutine of its own, when the process has ended.
	// false: Wait has to wait.
	whenEnded(f func()) bool
}

func (t *Terminal) newEmulator() Emulator {
	return t.emulate(t.size, func(reply []byte) {
		if !t.muted {
			// Full: a program that asks without reading answers. Ended: nobody asks.
			_ = t.input.put(reply, replied)
		}
	})
}

// spawn is how every goroutine of a terminal starts: a fault costs this
// terminal, not the others.
func (t *Terminal) spawn(name string, f func()) {
	go t.guard(name, f)
}

func (t *Terminal) guard(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.breakDown(fmt.Errorf("%s: %v", name, r))
		}
	}()
	f()
}

// breakDown records a fault; only the first one is logged, and that elsewhere:
// t.mu is held.
func (t *Terminal) breakDown(err error) {
	if t.broken != nil {
		return
	}
	t.broken = err
	stack := string(debug.Stack())
	t.spawn("log", func() {
		t.log.Error("terminal is broken", "terminal", t.spec.ID, "err", err, "stack", stack)
	})
}

// Broken is the first fault of our own that this terminal met; nil: none. Its
// program runs on.
func (t *Terminal) Broken() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.broken
}

// ID is the terminal's id.
func (t *Terminal) ID() TerminalID { return t.spec.ID }

// Spec is what it was started with, without its History. Its slices must not be
// written to.
func (t *Terminal) Spec() Spec { return t.spec }

// Process is the process that was started: first the shim, then, under the same
// identity, the program.
func (t *Terminal) Process() ProcessID { return t.proc.ID() }

// OpenGate lets the shim exec the program. It fails if the gate was closed or the
// shim is gone.
func (t *Terminal) OpenGate() error { return t.useGate(gateOpen) }

// CloseGate ends the shim without the program having run. ErrGate: too late.
func (t *Terminal) CloseGate() error { return t.useGate(gateShut) }

func (t *Terminal) useGate(to gateState) error {
	t.mu.Lock()
	was := t.gate
	if was == gateWaits {
		t.gate = gateMoves
	}
	t.mu.Unlock()
	if was != gateWaits {
		return fmt.Errorf("gate of terminal %s: %w", t.spec.ID, ErrGate)
	}
	err := t.proc.Gate(to == gateOpen)
	if err != nil {
		to = gateShut
		err = fmt.Errorf("gate of terminal %s: %w", t.spec.ID, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gate = to
	return err
}

// GateOpen reports whether the program was let run.
func (t *Terminal) GateOpen() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.gate == gateOpen
}

// Done is closed when the process has ended and its last output was taken in.
func (t *Terminal) Done() <-chan struct{} { return t.done }

// AfterDone calls f once when Done is closed; at once if it is. f must not block.
func (t *Terminal) AfterDone(f func()) {
	t.mu.Lock()
	select {
	case <-t.done:
		t.mu.Unlock()
		f()
	default:
		t.then = append(t.then, f)
		t.mu.Unlock()
	}
}

// Exit is how it ended and when; false while it runs.
func (t *Terminal) Exit() (Exit, time.Time, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.exit, t.endedAt, !t.endedAt.IsZero()
}

// Send queues what a person typed. ErrInputFull: over 1 MiB waits, nothing of b was
// taken. ErrEnded: the program has ended.
func (t *Terminal) Send(b []byte) error { return t.told(b, typed, t.input.put) }

// Type is Send to a program that is not told before Flush, which the caller calls soon.
func (t *Terminal) Type(b []byte) error { return t.told(b, typed, t.input.lay) }

// Paste queues what a person pasted, or a piece of it. The terminal keeps b: nobody
// may write to it any more. ErrInputFull: over MaxPaste waits, nothing of b was
// taken. ErrEnded: the program has ended.
func (t *Terminal) Paste(b []byte) error { return t.told(b, pasted, t.input.put) }

func (t *Terminal) told(b []byte, of source, put func([]byte, source) error) error {
	err := put(b, of)
	if err == nil && len(b) > 0 {
		t.typed()
		t.draft.take(b, of, time.Now())
	}
	return err
}

// Report queues what the client tells the program of itself: the mouse, the
// focus. It is not typing: LastKey stays. Errors as of Send.
func (t *Terminal) Report(b []byte) error { return t.input.put(b, typed) }

// Clipping is what a program last set the clipboard to (OSC 52).
type Clipping struct {
	Text []byte // at most 768 KiB; not to be written to
	N    uint64 // how often it was set; 0: never
}

// Clipping is what the program last set the clipboard to.
func (t *Terminal) Clipping() Clipping {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked.clip
}

// clipped is called by the emulator, under mu.
func (t *Terminal) clipped(text []byte) {
	if !t.muted {
		t.asked.clip = Clipping{slices.Clone(text), t.asked.clip.N + 1}
	}
}

// LastKey is when a person last typed here; zero: never.
func (t *Terminal) LastKey() time.Time {
	if at := t.keyAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// Resize sets the size of pty and screen; it is brought within 1 and MaxSide.
func (t *Terminal) Resize(s Size) error {
	return t.resizeTo(func() (Size, bool) { return s.clamp(), true })
}

// resizeTo is Resize to a size that is asked for once no other resize is under
// way: so the last of several sets what is right then. false: it stays.
func (t *Terminal) resizeTo(size func() (Size, bool)) error {
	t.sizing.Lock()
	defer t.sizing.Unlock()
	s, ok := size()
	if !ok {
		return nil
	}
	t.mu.Lock()
	if s == t.size {
		t.mu.Unlock()
		return nil
	}
	t.size = s
	t.guarded("resize", func(e Emulator) { e.Resize(s.Cols, s.Rows) })
	ended := !t.endedAt.IsZero()
	t.seq.Add(1)
	t.mu.Unlock()
	// The screen first: what the program draws for its new size finds it there.
	var err error
	if !ended {
		err = t.proc.TTY().SetSize(s)
	}
	t.wake()
	if err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("resize terminal %s: %w", t.spec.ID, err)
	}
	return nil
}

// Size is the size of the pty and of the screen.
func (t *Terminal) Size() Size {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size
}

// Seq changes whenever the screen or the state may have changed. It takes no
// lock.
func (t *Terminal) Seq() uint64 { return t.seq.Load() }

// Subscribe returns a channel of capacity one that is signalled when Seq changes,
// until cancel is called.
func (t *Terminal) Subscribe() (wake <-chan struct{}, cancel func()) { return t.news.Subscribe() }

// wake tells that seq moved, under no lock: first who waits for this terminal alone.
func (t *Terminal) wake() {
	t.news.Wake()
	t.owner.Load().wake()
}

// Snapshot copies the screen and returns the Seq it belongs to.
func (t *Terminal) Snapshot(dst *vt.Screen) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.guarded("snapshot", func(e Emulator) { e.Snapshot(dst) })
	return t.seq.Load()
}

// State is what the emulator knows beside its cells.
func (t *Terminal) State() (s vt.State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.guarded("state", func(e Emulator) { s = e.State() })
	return s
}

// Text is the terminal's scrollback and screen as lines; nil if its emulator
// cannot tell. It holds the terminal's lock while it copies.
func (t *Terminal) Text(what vt.Text) (b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.guarded("text", func(e Emulator) {
		if e, ok := e.(interface {
			AppendText(b []byte, what vt.Text) []byte
		}); ok {
			b = e.AppendText(nil, what)
		}
	})
	return b
}

// Dump is a stream that, written to a new emulator of the terminal's size, makes
// the same one; nil if its emulator cannot tell. It holds the terminal's lock
// while it copies.
func (t *Terminal) Dump() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, _ := t.dump()
	return b
}

// dump is Dump; false: the emulator cannot tell. t.mu is held.
func (t *Terminal) dump() (b []byte, ok bool) {
	t.guarded("dump", func(e Emulator) {
		if e, can := e.(interface{ AppendDump(b []byte) []byte }); can {
			b = e.AppendDump(nil)
			ok = true // it may have panicked
		}
	})
	return b, ok
}

// setColors tells a running emulator the outer terminal's colours, if it cares.
func (t *Terminal) setColors(fg, bg vt.Color) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.guarded("colours", func(e Emulator) {
		if e, ok := e.(interface{ SetColors(fg, bg vt.Color) }); ok {
			e.SetColors(fg, bg)
		}
	})
}

// LastLine is the last line on the screen that is not blank, at most 200 cells,
// without the blanks around it; "" if the screen is empty.
func (t *Terminal) LastLine() string { return strings.Join(t.LastLines(1), "") }

// LastLines are the last n lines on the screen that are not blank, the last one last,
// each as LastLine is.
func (t *Terminal) LastLines(n int) (lines []string) {
	var screen vt.Screen
	t.Snapshot(&screen)
	var b []byte
	for y := screen.Rows - 1; y >= 0 && len(lines) < n; y-- {
		b = b[:0]
		row := screen.Row(y)
		for _, c := range row[:min(len(row), maxLineCells)] {
			b = screen.AppendText(b, c)
		}
		if line := strings.TrimSpace(string(b)); line != "" {
			lines = append(lines, line)
		}
	}
	slices.Reverse(lines)
	return lines
}

// Signal signals the process group that the program leads. ErrEnded: it is gone.
func (t *Terminal) Signal(sig os.Signal) error {
	if err := t.proc.Signal(sig); err != nil {
		return fmt.Errorf("signal terminal %s: %w", t.spec.ID, err)
	}
	return nil
}

// guarded calls the emulator, t.mu held. An emulator that panics is replaced by
// a new one: the screen is lost, the program goes on.
func (t *Terminal) guarded(what string, f func(Emulator)) {
	defer func() {
		if r := recover(); r != nil {
			t.breakDown(fmt.Errorf("emulator: %s: %v", what, r))
			t.emulator = t.newEmulator()
		}
	}()
	f(t.emulator)
}
