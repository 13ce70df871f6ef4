package ui

import (
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"
)

// errShut is what a write gets that comes after the last one.
var errShut = errors.New("the terminal was given back")

// outlet is the way to a client's terminal: one write at a time, whole, in order,
// and none after the last. A write blocks for as long as the terminal is slow, and
// whoever has the next turn waits for that.
type outlet struct {
	turn chan struct{} // a lock: of capacity one
	to   io.Writer     // guarded by turn
	shut bool          // guarded by turn
}

func newOutlet(to io.Writer) *outlet { return &outlet{turn: make(chan struct{}, 1), to: to} }

func (o *outlet) write(b []byte) error {
	o.turn <- struct{}{}
	defer func() { <-o.turn }()
	if o.shut {
		return errShut
	}
	_, err := o.to.Write(b)
	return err
}

// try writes b if that takes no waiting; false: nothing of it was written.
func (o *outlet) try(b []byte) bool {
	to, can := o.to.(interface{ TryWrite(p []byte) bool })
	if !can {
		return false
	}
	select {
	case o.turn <- struct{}{}:
	default:
		return false
	}
	defer func() { <-o.turn }()
	return !o.shut && to.TryWrite(b)
}

// last writes for the last time.
func (o *outlet) last(b []byte) {
	o.turn <- struct{}{}
	defer func() { <-o.turn }()
	if !o.shut {
		o.shut = true
		_, _ = o.to.Write(b)
	}
}

// writer makes the command that writes what the drawing has put out. Update goes
// on meanwhile: keys reach their programs while a slow terminal takes a frame. It
// draws the next one when this one was taken, so no more than one ever waits.
func (d *drawing) writer(to *outlet) tea.Cmd {
	// Made once: a message that fits in no word is a thing to collect.
	var fine tea.Msg = writtenMsg{}
	return func() tea.Msg {
		if err := to.write(d.out); err != nil {
			return writtenMsg{err}
		}
		return fine
	}
}

// writtenMsg says that the terminal took a frame, or that it takes nothing more.
type writtenMsg struct{ err error }

func (w writtenMsg) apply(m *Model) tea.Cmd {
	m.draws.writing = false
	if w.err == nil || m.quit {
		return nil
	}
	// It is gone, or gave up on: no fault of ours, and nobody is there to be told.
	m.cfg.Log.Info("client: the terminal takes nothing more", "err", w.err)
	return m.leave()
}
