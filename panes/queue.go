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
	// writePiece is how much is written at once: about what a tty's input
	// queue takes (4096 on Linux).
	writePiece = 4096
)

// queue is what waits to be written to a program, in the order in which it came,
// so that a reply never lands inside a paste or a key. It never blocks a sender.
type queue struct {
	mu      sync.Mutex
	filled  chan struct{} // capacity one
	pieces  []piece       // guarded by mu
	out     piece         // guarded by mu: being written
	input   int           // guarded by mu: bytes of the person's that wait or are being written
	replies int           // guarded by mu: likewise
	closed  bool          // guarded by mu
}

type piece struct {
	b     []byte
	reply bool
}

func newQueue() *queue { return &queue{filled: make(chan struct{}, 1)} }

// put adds a copy of b whole, or nothing: ErrInputFull, ErrEnded.
func (q *queue) put(b []byte, reply bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	count, limit := &q.input, maxInput
	if reply {
		count, limit = &q.replies, maxReplies
	}
	switch {
	case q.closed:
		return ErrEnded
	case len(b) > limit-*count:
		return ErrInputFull
	case len(b) == 0:
		return nil
	}
	*count += len(b)
	if last := len(q.pieces) - 1; last >= 0 && q.pieces[last].reply == reply {
		q.pieces[last].b = append(q.pieces[last].b, b...)
	} else {
		q.pieces = append(q.pieces, piece{append([]byte(nil), b...), reply})
	}
	select {
	case q.filled <- struct{}{}:
	default:
	}
	return nil
}

// next waits for the next piece, at most writePiece bytes; false: closed. What it
// returns counts as waiting until done.
func (q *queue) next() (piece, bool) {
	for {
		if p, ok, closed := q.take(); ok || closed {
			return p, ok
		}
		<-q.filled
	}
}

func (q *queue) take() (p piece, ok, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return piece{}, false, true
	case len(q.out.b) > 0:
		return q.out, true, false // what was not written of it
	case len(q.pieces) == 0:
		return piece{}, false, false
	}
	first := &q.pieces[0]
	n := min(len(first.b), writePiece)
	q.out = piece{first.b[:n], first.reply}
	if first.b = first.b[n:]; len(first.b) == 0 {
		q.pieces = q.pieces[1:]
	}
	if len(q.pieces) == 0 {
		q.pieces = nil // lets a large paste's memory go
	}
	return q.out, true, false
}

// done says that n bytes of what next returned were written or given up.
func (q *queue) done(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.out.reply {
		q.replies -= n
	} else {
		q.input -= n
	}
	if q.out.b = q.out.b[n:]; len(q.out.b) == 0 {
		q.out = piece{}
	}
}

// waiting is a copy of all that is not written yet.
func (q *queue) waiting() (pieces []piece) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range append([]piece{q.out}, q.pieces...) {
		if len(p.b) > 0 {
			pieces = append(pieces, piece{slices.Clone(p.b), p.reply})
		}
	}
	return pieces
}

// close drops what waits and ends next.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		q.pieces = nil
		close(q.filled)
	}
}
