package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Why an attachment ends: the causes of a handler's context (context.Cause). Their
// texts are what the person reads.
var (
	// ErrAsked: the client asked for it.
	ErrAsked = errors.New("detached")
	// ErrGone: the client's process ended.
	ErrGone = errors.New("the client is gone")
	// ErrStuck: the client took no output for the server's StuckAfter.
	ErrStuck = errors.New("detached because this terminal took no output for too long: attach again when it does")
	// ErrShutdown: Serve's context ended.
	ErrShutdown = errors.New("the server was ended: what it ran comes back at the next start")
)

// errFault is what a person reads of a panic.
var errFault = errors.New("detached because of a fault of this program, which is told in its log: attach again")

// Conn is one attached client as its handler sees it: Read is what its terminal
// says, Write goes to its terminal. Its methods may be called from anywhere. After
// the handler has returned it is of no use.
//
// Whoever sets modes of the terminal by Write puts them back by Write before
// Suspend and before the handler returns nil. When that did not happen (an error,
// the server's death, the client's own end) the client writes the reset given to
// Accept, and if it cannot, the server does.
type Conn struct {
	id      uint64
	pid     int
	hello   Hello
	version string // the server's
	state   *rescue
	in      *inbox
	out     *outbox
	lent    *lent // nil: the client is a pipe
	end     context.CancelCauseFunc

	resized chan Size
	resumed chan struct{}

	mu       sync.Mutex
	accepted bool      // guarded by mu
	reset    string    // guarded by mu
	farewell *Farewell // guarded by mu
}

// ID numbers the server's attachments from 1.
func (c *Conn) ID() uint64 { return c.id }

// PID is the client's process as the kernel tells it, 0 if it does not.
func (c *Conn) PID() int { return c.pid }

// Hello is what the client said of itself.
func (c *Conn) Hello() Hello { return c.hello }

// Accept answers the client, which then gives its terminal over. reset is what
// puts the terminal's modes right in an emergency, empty: Reset. A handler that
// returns an error before it refuses the client with the error's text. The first
// Write accepts too.
func (c *Conn) Accept(reset string) { c.accept(reset) }

func (c *Conn) accept(reset string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.accepted {
		return
	}
	c.accepted, c.reset = true, reset
	if reset == "" {
		c.reset = Reset
	}
	b, err := json.Marshal(acceptedFrame{Version: c.version, Reset: c.reset, Borrows: c.lent != nil})
	if err != nil || len(b) > maxHello {
		b = []byte("{}") // the client has the standard one
	}
	c.state.begin(c.reset) // before the client can have read it
	c.out.send(kindAccepted, b)
}

// Read takes input, at least one byte. io.EOF: no more comes. After a request to
// detach it still delivers answers of the terminal.
func (c *Conn) Read(p []byte) (int, error) { return c.in.Read(p) }

// WriteTo (io.WriterTo) gives w what Read would return until no more comes, in the
// goroutine that took it in: nobody else has to be woken for a key. While w blocks,
// the terminal waits.
func (c *Conn) WriteTo(w io.Writer) (int64, error) { return c.in.WriteTo(w) }

// Write sends output. It blocks while the client is slow; when the client takes
// nothing for the server's StuckAfter it returns ErrStuck, as it does after other
// ends. While the client is suspended output is dropped, all of it: draw anew
// after Resumed.
func (c *Conn) Write(p []byte) (int, error) {
	c.accept("")
	if c.lent != nil {
		return c.lent.show(p)
	}
	return c.out.output(p)
}

// TryWrite is Write that never waits: it takes all of p or (false) nothing. Errors are
// left to Write.
func (c *Conn) TryWrite(p []byte) (taken bool) {
	c.accept("")
	if c.lent != nil {
		return c.lent.showNow(p)
	}
	return c.out.outputNow(p)
}

// Resized delivers the terminal's size after changes; only the latest waits.
func (c *Conn) Resized() <-chan Size { return c.resized }

// Resumed delivers after the client was suspended, by Suspend or from outside,
// and shows output again. Its terminal is as a new one: set modes and draw.
// Its size, if that changed, is in Resized by then.
func (c *Conn) Resumed() <-chan struct{} { return c.resumed }

// Suspend lets the client stop itself, as ctrl-z does in other programs. Where
// nothing could continue it, Resumed comes at once.
func (c *Conn) Suspend() {
	c.giveBack(c.out.stuck)
	c.out.suspend()
}

// giveBack lets go of a terminal that was lent, and tells the client.
func (c *Conn) giveBack(d time.Duration) {
	if c.lent == nil {
		return
	}
	if tell, owed := c.lent.giveBack(d); tell {
		b := []byte{0}
		if owed {
			b[0] = 1
		}
		c.out.send(kindBack, b)
	}
}

// take reads and writes the terminal from here on, if it was lent.
func (c *Conn) take() {
	if c.lent != nil {
		c.lent.take()
	}
}

// failed is told why a terminal that was lent takes nothing more.
func (c *Conn) failed(err error) {
	if errors.Is(err, ErrStuck) {
		c.end(err)
		return
	}
	c.out.send(kindGone, nil)
}

// Detach ends the handler's context with cause, whose text the person reads
// unless Leave said something else.
func (c *Conn) Detach(cause error) { c.end(cause) }

// Leave sets what the client exits with and says. The last call counts.
func (c *Conn) Leave(f Farewell) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.farewell = &f
}

// finish tells the client how its handler ended.
func (c *Conn) finish(ctx context.Context, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cause := context.Cause(ctx)
	f := Farewell{Message: ErrAsked.Error()}
	switch {
	case err != nil:
		f = Farewell{Status: 1, Message: err.Error()}
	case c.farewell != nil:
		f = *c.farewell
	case errors.Is(cause, ErrStuck):
		f = Farewell{Status: 1, Message: cause.Error()}
	case cause != nil:
		f = Farewell{Message: cause.Error()}
	}
	if !c.accepted {
		c.out.finish(appendFrame(nil, kindRefused, text(f.Message)))
		return
	}
	c.giveBack(c.out.stuck)
	tidy := err == nil && (c.lent == nil || c.lent.screen.whole())
	c.out.finish(appendDetached(nil, f, tidy))
}

// receive takes the client's frames until it goes. done: it said goodbye.
func (c *Conn) receive(d *decoder) (done bool, err error) {
	for {
		f, err := d.next()
		if err != nil {
			return false, err
		}
		switch f.kind {
		case kindInput:
			c.in.put(f.payload)
		case kindResize:
			latest(c.resized, parseSize(f.payload))
		case kindDetach:
			c.end(ErrAsked)
		case kindSuspended:
			c.state.pause(true)
			c.giveBack(0) // it has it back; one that said nothing of it has it now
			c.out.sleep()
		case kindResumed:
			c.state.pause(false)
			latest(c.resized, parseSize(f.payload))
			c.out.wake()
			c.take()
			latest(c.resumed, struct{}{})
		case kindLend:
			c.take()
		case kindGive:
			c.giveBack(askTime / 2)
		case kindBye:
			return true, nil
		default:
			return false, fmt.Errorf("frame %q from a client: %w", byte(f.kind), errWire)
		}
	}
}

// latest replaces what waits in a channel of capacity one. There is one sender.
func latest[T any](ch chan T, v T) {
	for {
		select {
		case ch <- v:
			return
		default:
		}
		select {
		case <-ch:
		default:
		}
	}
}
