package panes

import (
	"slices"
	"sync"
)

const (
	// maxInput is how much a person's input may wait: more than that is told.
	maxInput = 1 << 20
	// maxReplies is how many bytes of replies may wait. A program that asks
	// without reading the answers gets no more: it is of no use to it.
	maxReplies = 64 << 10
	// MaxPaste is how much of what was pasted may wait at a terminal, in bytes. It is
	// held as it came: whoever pastes need not wait until the program has read it.
	MaxPaste = 128 << 20
	// writePiece is how much is written at once: about what a tty's input
	// queue takes (4096 on Linux).
	writePiece = 4096
	// joined is up to where small pieces become one: a paste that comes in bits
	// costs no more than its bytes, and growing copies no more than this.
	joined = 64 << 10
)

// source is whose input a piece is.
type source uint8

const (
	typed source = iota
	pasted
	replied
	sources
)

// limits are how many bytes of each source may wait.
var limits = [sources]int{typed: maxInput, pasted: MaxPaste, replied: maxReplies}

// queue is what waits to be written to a program, in the order in which it came,
// so that a reply never lands inside a paste or a key. It never blocks a sender. Nobody
// waits at an empty one: a writer is begun when something is there for it.
type queue struct {
	begin  func() // begins a writer, which asks next until that says no; called under mu
	mu     sync.Mutex
	pieces []piece      // guarded by mu
	out    piece        // guarded by mu: being written
	taken  bool         // guarded by mu: somebody writes out
	writer bool         // guarded by mu: there is one, or one is being begun
	counts [sources]int // guarded by mu: bytes that wait or are being written
	closed bool         // guarded by mu
}

type piece struct {
	b     []byte
	of    source
	grown bool // b is the queue's own: more can be put behind it
}

// newQueue is a queue whose first writer the caller begins.
func newQueue(begin func()) *queue { return &queue{begin: begin, writer: true} }

// put adds b whole, or nothing: ErrInputFull, ErrEnded. What was pasted is kept as
// it is, and must not be written to; of all else it adds a copy.
func (q *queue) put(b []byte, of source) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.add(b, of)
	q.signal()
	return err
}

// lay is put that begins no writer: the caller takes what is there, or calls wake.
func (q *queue) lay(b []byte, of source) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.add(b, of)
}

// wake begins a writer if one is wanted.
func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.signal()
}

// signal is wake, the lock held.
func (q *queue) signal() {
	if q.closed || q.taken || q.writer || len(q.out.b)+len(q.pieces) == 0 {
		return
	}
	q.writer = true
	q.begin()
}

// add is put without a wake-up, the lock held.
func (q *queue) add(b []byte, of source) error {
	switch {
	case q.closed:
		return ErrEnded
	case len(b) > limits[of]-q.counts[of]:
		return ErrInputFull
	case len(b) == 0:
		return nil
	}
	q.counts[of] += len(b)
	last := len(q.pieces) - 1
	switch {
	case last >= 0 && q.pieces[last].joins(b, of):
		q.pieces[last].b = append(q.pieces[last].b, b...)
	case of == pasted && len(b) >= writePiece:
		q.pieces = append(q.pieces, piece{b: b, of: of})
	default:
		q.pieces = append(q.pieces, piece{append([]byte(nil), b...), of, true})
	}
	return nil
}

// joins reports whether b is put behind what waits already.
func (p *piece) joins(b []byte, of source) bool {
	large := of == pasted && len(b) >= writePiece // it stays where it is
	return p.grown && p.of == of && !large && len(p.b)+len(b) <= joined
}

// next is take for the writer, which ends with false.
func (q *queue) next() (piece, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p, ok := q.first()
	q.writer = ok
	return p, ok
}

// take returns the next piece, at most writePiece bytes; false: nothing is there for the
// caller. What it returns counts as waiting until done, and nobody else is given a piece
// until then.
func (q *queue) take() (piece, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.first()
}

// first is take, the lock held.
func (q *queue) first() (piece, bool) {
	switch {
	case q.taken:
		return piece{}, false // whoever has it signals
	case len(q.out.b) > 0:
		q.taken = true
		return q.out, true // what was not written of it
	case len(q.pieces) == 0:
		return piece{}, false
	}
	first := &q.pieces[0]
	n := min(len(first.b), writePiece)
	q.out = piece{b: first.b[:n], of: first.of}
	if first.b = first.b[n:]; len(first.b) == 0 {
		q.pieces = q.pieces[1:]
	}
	if len(q.pieces) == 0 {
		q.pieces = nil // lets a large paste's memory go
	}
	q.taken = true
	return q.out, true
}

// done says that n bytes of what next or take returned were written or given up.
func (q *queue) done(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken = false
	if q.closed {
		return
	}
	q.counts[q.out.of] -= n
	if q.out.b = q.out.b[n:]; len(q.out.b) == 0 {
		q.out = piece{}
	}
	q.signal()
}

// waiting is a copy of all that is not written yet. ErrPasteWaits: there is more of a
// paste than a copy should be made of.
func (q *queue) waiting() (pieces []piece, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, nil
	}
	if q.counts[pasted] > maxInput {
		return nil, ErrPasteWaits
	}
	for _, p := range append([]piece{q.out}, q.pieces...) {
		if len(p.b) > 0 {
			pieces = append(pieces, piece{b: slices.Clone(p.b), of: p.of})
		}
	}
	return pieces, nil
}

// close drops what waits: nothing is there from then on.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.pieces, q.out = nil, piece{}
	clear(q.counts[:])
}
