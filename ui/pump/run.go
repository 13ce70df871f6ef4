package pump

import (
	"errors"
	"runtime/debug"
	"sync"
	"time"
)

// ErrClosed is what a Feeder says after Close, or after a fault of it or of emit.
var ErrClosed = errors.New("the input was closed")

// Feeder feeds a Pump what is written to it, in the goroutine that writes it, and keeps
// the escape timer. It is safe for concurrent use, emit is called by one at a time.
type Feeder struct {
	fault func(r any, stack []byte)

	mu     sync.Mutex
	p      *Pump       // guarded by mu
	timer  *time.Timer // guarded by mu: for the token that is held back; nil: none ever was
	due    time.Time   // guarded by mu: when that is over
	closed bool        // guarded by mu
}

// NewFeeder makes a Feeder that hands its events to emit, and to fault a panic, behind
// which it takes nothing more.
func NewFeeder(emit func(Event), fault func(r any, stack []byte)) *Feeder {
	return &Feeder{p: New(emit), fault: fault}
}

// Write takes the next bytes; it keeps none of them.
func (f *Feeder) Write(b []byte) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0, ErrClosed
	}
	defer f.guard(&err)
	f.p.Feed(b)
	f.wait()
	return len(b), nil
}

// guard ends the Feeder at a panic.
func (f *Feeder) guard(err *error) {
	if r := recover(); r != nil {
		f.closed, *err = true, ErrClosed
		f.fault(r, debug.Stack())
	}
}

// wait starts the timer, or lets it be.
func (f *Feeder) wait() {
	d := f.p.Wait()
	f.due = time.Now().Add(d) // first: the timer must not be over before
	switch {
	case d <= 0:
		if f.timer != nil {
			f.timer.Stop()
		}
	case f.timer == nil:
		f.timer = time.AfterFunc(d, f.timeout)
	default:
		f.timer.Reset(d)
	}
}

// timeout hands out what was held back, unless more came before it had its turn.
func (f *Feeder) timeout() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || time.Now().Before(f.due) {
		return
	}
	var err error
	defer f.guard(&err)
	f.p.Timeout()
	f.wait()
}

// Close hands out what is left. Nothing is taken afterwards.
func (f *Feeder) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.closed = true
	if f.timer != nil {
		f.timer.Stop()
	}
	var err error
	defer f.guard(&err)
	f.p.Close()
}
