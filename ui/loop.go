package ui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
)

// loop is a model's turn in its Program. A key and its echo go through as few goroutines
// as can be: each that is woken may wake a thread on another processor, which costs an
// echo some 15 µs (docs/adr/0014-the-way-of-an-echo.md). So
//
//   - whoever has a message of ours calls Update, in turn with the Program's event loop;
//   - Update still does no I/O, but whoever called it tries the writes that it left, and
//     only what cannot be taken at once is a command;
//   - the commands of the steady state have a goroutine each that stays.
//
// A model without a loop hands all of them out as commands.
type loop struct {
	m    *Model
	send func(tea.Msg) // to the Program
	// release lets the Program go of a terminal that it never had: Bubble Tea's renderer,
	// which draws nothing here, would else wake the process every second for ever.
	release tea.Cmd
	stop    context.CancelFunc // ends the client

	turn sync.Mutex // for the model, until over
	open bool       // guarded by turn: Init was called, and the Program has not ended

	begun func() // closes began
	// began is closed when Init was called, or the Program has ended. What is told waits
	// for it: the Program takes a message before its turn comes, and one that was told
	// later would overtake it.
	began chan struct{}
}

func newLoop(m *Model) *loop {
	l := &loop{m: m, began: make(chan struct{})}
	l.begun = sync.OnceFunc(func() { close(l.began) })
	return l
}

var _ tea.Model = (*loop)(nil)

// Init is the model's, and lets go of the terminal.
func (l *loop) Init() tea.Cmd {
	l.turn.Lock()
	defer l.turn.Unlock()
	l.open = true
	defer l.begun()
	return tea.Batch(l.m.Init(), l.release)
}

// Update is the model's, for messages that are not ours.
func (l *loop) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	l.turn.Lock()
	defer l.turn.Unlock()
	_, cmd := l.m.Update(msg)
	return l, cmd
}

// View is the model's.
func (l *loop) View() tea.View { return l.m.View() }

// take is the Program's filter: messages of ours that were sent to it go no other way
// than those that were told.
func (l *loop) take(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ours := msg.(message); !ours {
		return msg
	}
	l.turn.Lock()
	defer l.turn.Unlock()
	if cmd := l.m.step(msg); cmd != nil {
		return tea.BatchMsg{cmd}
	}
	return nil
}

// tell is Program.Send for messages of ours: what one goroutine tells is taken in that
// order. It waits until the Program has begun.
func (l *loop) tell(msg tea.Msg) {
	if _, ours := msg.(message); ours {
		<-l.began
		if msg = l.now(msg); msg == nil {
			return
		}
	}
	l.send(msg)
}

// now lets the model take a message, and returns what is left for the Program.
func (l *loop) now(msg tea.Msg) tea.Msg {
	l.turn.Lock()
	defer l.turn.Unlock()
	if !l.open {
		return msg
	}
	if cmd := l.m.step(msg); cmd != nil {
		return tea.BatchMsg{cmd}
	}
	return nil
}

// over ends the turns, and says what fault there was: the model is the caller's.
func (l *loop) over() error {
	l.turn.Lock()
	defer l.turn.Unlock()
	l.open = false
	l.begun()
	return l.m.err
}

// broken ends the client, not the agents, at a panic that was met beside Update.
func (l *loop) broken(r any, stack []byte) {
	l.turn.Lock()
	defer l.turn.Unlock()
	if l.m.err == nil {
		l.m.err = fmt.Errorf("client: %v", r)
	}
	l.m.cfg.Log.Error("client is broken", "err", r, "stack", string(stack))
	l.stop()
}

// driver is what the model leaves to its loop.
type driver struct {
	direct bool              // ready and typed are seen to
	ready  bool              // a frame is to be written
	typed  []*panes.Terminal // have keys that are to be flushed
	hands  [hands]chan tea.Cmd
}

// hand is a goroutine for one kind of command.
type hand int

const (
	waits hand = iota
	writes
	paces
	listens
	hands
)

// hire starts the goroutines, until ctx ends.
func (l *loop) hire(ctx context.Context) {
	for i := range l.m.draws.driver.hands {
		work := make(chan tea.Cmd, 1)
		l.m.draws.driver.hands[i] = work
		go func() {
			defer func() {
				if r := recover(); r != nil {
					l.broken(r, debug.Stack())
				}
			}()
			for {
				select {
				case <-ctx.Done():
					return
				case cmd := <-work:
					if msg := cmd(); msg != nil {
						l.tell(msg)
					}
				}
			}
		}()
	}
}

// give lets a hand run a command, if there is one and it has no other waiting.
func (m *Model) give(h hand, cmd tea.Cmd) tea.Cmd {
	if work := m.draws.driver.hands[h]; work != nil && cmd != nil {
		select {
		case work <- cmd:
			return nil
		default:
		}
	}
	return cmd
}

// step is Update and the writes that it left.
func (m *Model) step(msg tea.Msg) tea.Cmd {
	d := &m.draws.driver
	d.direct = true
	_, cmd := m.Update(msg)
	d.flush() // keys before pictures
	for d.ready {
		d.ready = false
		if !m.out.try(m.draws.out) {
			cmd = both(cmd, m.give(writes, m.draws.write))
			break
		}
		_, more := m.Update(writtenMsg{})
		cmd = both(cmd, more)
	}
	d.flush()
	d.direct = false
	return cmd
}

// flush sends what was typed, and keeps none of those it was typed at.
func (d *driver) flush() {
	for _, t := range d.typed {
		t.Flush()
	}
	clear(d.typed)
	d.typed = d.typed[:0]
}

// put lets the frame that was drawn be written.
func (m *Model) put() tea.Cmd {
	m.draws.writing = true
	if m.draws.driver.direct {
		m.draws.driver.ready = true
		return nil
	}
	return m.give(writes, m.draws.write)
}

// typeAt gives a program what a person typed.
func (m *Model) typeAt(t *panes.Terminal, b []byte) error {
	if !m.draws.driver.direct {
		return t.Send(b)
	}
	m.draws.driver.typed = append(m.draws.driver.typed, t)
	return t.Type(b)
}
