package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Times of a client.
const (
	acceptTime = 30 * time.Second       // for the server to answer the hello
	sendTime   = 10 * time.Second       // for the server to take a frame
	quietTime  = 10 * time.Millisecond  // without a byte, after which no more is awaited
	drainTime  = 200 * time.Millisecond // for the terminal to become quiet
)

// The short times, within which a person at a terminal that takes nothing is let go.
// They are longer in tests, whose machine may be busy for as long.
var (
	askTime     = 500 * time.Millisecond // for the server to let a client go that was told to
	resetTime   = 500 * time.Millisecond // for the terminal to take the reset
	answerTime  = 500 * time.Millisecond // for the terminal to answer what it was asked
	rescueTime  = 500 * time.Millisecond // for the terminal of a client that died to take the reset
	goodbyeTime = 500 * time.Millisecond // for clients to put their terminals right when the server ends
)

// RefusedError is a server's refusal, a sentence for the person.
type RefusedError struct{ Text string }

func (e *RefusedError) Error() string { return e.Text }

// Attachment says what is attached, and as what.
type Attachment struct {
	In, Out *os.File // the terminal; nil: stdin and stdout
	Pipe    bool     // the terminal is not lent to the server
	Hello   Hello    // its Size is filled in
}

// Attach gives the terminal to the server of a socket until the server lets it go,
// ctx ends, a signal (HUP, INT, QUIT, TERM) tells this process to end, the terminal
// is hung up (which is as SIGHUP), or the server dies. Whatever happens, the terminal is put back as it was before Attach
// returns; what is to be told is told afterwards. It handles this process's signals
// meanwhile and may stop this process.
//
// Errors: ErrNoServer, *RefusedError, ErrLost (also ErrUnanswered, if it went before
// it answered), and faults of the terminal.
func Attach(ctx context.Context, socket string, a Attachment) (Farewell, error) {
	if a.In == nil {
		a.In = os.Stdin
	}
	if a.Out == nil {
		a.Out = os.Stdout
	}
	tty, err := openTerminal(a.In, a.Out)
	if err != nil {
		return Farewell{}, err
	}
	defer tty.close()
	heed := newHeed()
	defer heed.stop()
	conn, err := dial(ctx, socket)
	if err != nil {
		return Farewell{}, err
	}
	defer func() { _ = conn.Close() }()
	c := &client{
		pipe: a.Pipe || !canLend || !tty.lendable(),
		conn: conn, dec: &decoder{r: bufio.NewReaderSize(conn, 2*maxPiece)}, tty: tty,
		showing: make(chan struct{}, 1), events: make(chan event), faults: make(chan error, 1),
		over: make(chan struct{}), back: make(chan byte, 1), lost: make(chan struct{}), heed: heed,
	}
	if err := c.greet(ctx, a.Hello); err != nil {
		return Farewell{}, err
	}
	return c.run(ctx)
}

// client is the pipe between a terminal and a server.
type client struct {
	conn  *net.UnixConn
	dec   *decoder
	tty   *terminal
	reset string

	greeted Size // what the server was told first; set before the goroutines begin

	sending sync.Mutex // one frame at a time
	frame   []byte     // guarded by sending

	// A terminal that is lent is read and written by the server, not by us.
	pipe bool          // it is not, unless the server says otherwise
	mine bool          // it is not just now; it belongs to run's goroutine
	back chan byte     // what the server says when it is ours again
	lost chan struct{} // closed when the server says nothing more

	showing chan struct{} // full while output is written
	deaf    atomic.Bool   // output is thrown away: it is not meant for us as we are now, whose modes are not set

	fenced sync.Mutex
	fence  fence // guarded by fenced

	events chan event    // what the server said, besides output
	faults chan error    // the first one waits
	over   chan struct{} // closed at the end
	heed   *heed
	typing sync.WaitGroup // the goroutine that reads the terminal
	loops  sync.WaitGroup // the others
}

// event is what ends or suspends the client.
type event struct {
	suspend  bool
	farewell Farewell
	tidy     bool // the terminal's modes are as they were
	err      error
}

// greet introduces us and waits to be accepted. The terminal is not touched: until
// then ctrl-c ends this process.
func (c *client) greet(ctx context.Context, h Hello) error {
	h.Size = c.tty.size()
	c.greeted = h.Size
	b, err := json.Marshal(helloFrame{Protocol: Protocol, Hello: h, Termios: &c.tty.found, Lends: !c.pipe})
	if err != nil || len(b) > maxHello {
		return fmt.Errorf("greet the server: a hello of %d bytes, %d are allowed", len(b), maxHello)
	}
	_ = c.conn.SetDeadline(time.Now().Add(acceptTime))
	stop := context.AfterFunc(ctx, func() { _ = c.conn.SetDeadline(time.Now()) })
	defer stop()
	// A server that refuses at once does not read; what it said is still there.
	wrote := sendWithFile(c.conn, appendFrame(nil, kindHello, b), c.tty.out)
	f, err := c.dec.next()
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("attach: %w", context.Cause(ctx))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("attach: the server did not answer within %v: end it with kill-server, which loses nothing, and start again", acceptTime)
	case ended(err):
		return fmt.Errorf("attach: %w", errors.Join(ErrLost, ErrUnanswered, wrote))
	case err != nil:
		return fmt.Errorf("attach: %w", err)
	case f.kind == kindRefused:
		return &RefusedError{printable(f.payload)}
	case f.kind != kindAccepted:
		return fmt.Errorf("attach: answered by frame %q: %w", byte(f.kind), errWire)
	}
	var accepted acceptedFrame
	if err := json.Unmarshal(f.payload, &accepted); err != nil {
		return fmt.Errorf("attach: %w", errWire)
	}
	c.pipe, c.mine = c.pipe || !accepted.Borrows, true
	if c.reset = accepted.Reset; c.reset == "" {
		c.reset = Reset
	}
	stop()
	return c.conn.SetDeadline(time.Time{})
}

// run moves bytes until something ends it.
func (c *client) run(ctx context.Context) (Farewell, error) {
	c.heed.ours()
	signals := c.heed.signals
	tidy := false
	defer func() { c.leave(tidy) }() // after a panic too
	if err := c.tty.raw(); err != nil {
		return Farewell{}, err
	}
	c.loops.Go(func() { c.guarded(c.show) })
	c.loops.Go(func() { c.guarded(c.sizes) })
	if err := c.start(kindLend); err != nil {
		return Farewell{}, err
	}
	for {
		var end *event
		select {
		case <-ctx.Done():
			end = c.ask(Farewell{Status: 1, Message: context.Cause(ctx).Error()})
		case s := <-signals:
			end = c.signalled(s, signals)
		case err := <-c.faults:
			end = &event{err: err}
		case e := <-c.events:
			end = &e
			if e.suspend {
				end = c.suspend(false, signals)
			}
		}
		if end == nil {
			continue
		}
		// Its window closed; SIGHUP says the same, if it comes to us at all. The SIGCONT that
		// the kernel sends with it may come first.
		if errors.Is(end.err, syscall.EIO) {
			end = c.ask(Farewell{Status: 128 + int(syscall.SIGHUP)})
		}
		tidy = end.tidy
		return end.farewell, end.err
	}
}

// signalled obeys a signal. What it returns ends the client.
func (c *client) signalled(s os.Signal, signals chan os.Signal) *event {
	switch s {
	case syscall.SIGTSTP:
		return c.suspend(true, signals)
	case syscall.SIGCONT: // somebody stopped us, and the shell has used the terminal since
		return c.wake(true)
	}
	number := 0
	if n, ok := s.(syscall.Signal); ok {
		number = int(n)
	}
	return c.ask(Farewell{Status: 128 + number}) // no words: a terminal that takes none would keep us
}

// ask asks the server to let us go, so that it can put modes back in order, and
// does without if it does not answer.
func (c *client) ask(f Farewell) *event {
	_ = c.conn.SetWriteDeadline(time.Now().Add(askTime)) // frees a sender that is stuck, too
	c.sending.Lock()
	_, err := c.conn.Write(appendFrame(nil, kindDetach, nil))
	c.sending.Unlock()
	if err != nil {
		return &event{farewell: f}
	}
	timeout := time.NewTimer(askTime)
	defer timeout.Stop()
	for {
		select {
		case e := <-c.events:
			if !e.suspend {
				return &event{farewell: f, tidy: e.tidy}
			}
		case err := <-c.faults:
			if err != nil {
				return &event{farewell: f}
			}
		case <-timeout.C:
			return &event{farewell: f}
		}
	}
}

// show writes what the server sends.
func (c *client) show() error {
	defer close(c.lost)
	for {
		f, err := c.dec.next()
		if err != nil {
			if !errors.Is(err, errWire) {
				err = ErrLost
			}
			return err
		}
		switch f.kind {
		case kindOutput:
			if err := c.output(f.payload); err != nil {
				return err
			}
		case kindSuspend:
			c.deaf.Store(true) // what has come so far has been written
			c.tell(event{suspend: true})
		case kindAwake:
			select { // what the server said before is of a time before
			case <-c.back:
			default:
			}
			c.deaf.Store(false)
		case kindBack:
			latest(c.back, f.payload[0])
		case kindGone:
			c.failed(fmt.Errorf("the terminal: %w", syscall.EIO))
		case kindDetached:
			farewell, tidy := parseDetached(f.payload)
			c.tell(event{farewell: farewell, tidy: tidy})
			return nil
		default:
			return fmt.Errorf("frame %q from the server: %w", byte(f.kind), errWire)
		}
	}
}

// output writes to the terminal. Interrupted, it drops the rest: another frame
// will be drawn over it.
func (c *client) output(p []byte) error {
	c.showing <- struct{}{}
	defer func() { <-c.showing }()
	if c.deaf.Load() {
		return nil
	}
	c.fenced.Lock()
	c.fence.asked += questions(p)
	c.fenced.Unlock()
	if _, err := c.tty.Write(p); err != nil && !errors.Is(err, errInterrupted) {
		return err
	}
	return nil
}

// startTyping begins to send what is typed.
func (c *client) startTyping() {
	c.typing.Go(func() {
		c.guarded(func() error {
			buf := make([]byte, maxPiece)
			for {
				n, err := c.tty.Read(buf)
				if errors.Is(err, errInterrupted) {
					return nil
				}
				if err != nil {
					return err
				}
				c.fenced.Lock()
				c.fence.typed(buf[:n])
				c.fenced.Unlock()
				if err := c.send(kindInput, buf[:n]); err != nil {
					return err
				}
			}
		})
	})
}

// sizes sends the terminal's size after changes: each time, as it may have gone and
// come back, and the terminal has cut its rows in between.
func (c *client) sizes() error {
	if c.tty.size() != c.greeted { // it changed while we greeted
		if err := c.sendSize(kindResize); err != nil {
			return err
		}
	}
	for {
		select {
		case <-c.over:
			return nil
		case <-c.heed.resize:
			if err := c.sendSize(kindResize); err != nil {
				return err
			}
		}
	}
}

// sendSize sends the terminal's size.
func (c *client) sendSize(k kind) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	return c.write(k, c.tty.size().bytes())
}

// send writes a frame.
func (c *client) send(k kind, payload []byte) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	return c.write(k, payload)
}

// write writes a frame; sending is held. That the server is gone is no error here:
// what it said last may not have been read yet, and show finds it out.
func (c *client) write(k kind, payload []byte) error {
	c.frame = appendFrame(c.frame[:0], k, payload)
	within := sendTime
	select {
	case <-c.over:
		within = askTime
	default:
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(within))
	_, err := c.conn.Write(c.frame)
	_ = c.conn.SetWriteDeadline(time.Time{}) // or its timer would wake an idle client
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the server has taken no input for %v", within)
	}
	return nil
}

// guarded runs a goroutine's work; its error or panic ends the client, and the
// terminal is put right all the same.
func (c *client) guarded(work func() error) {
	var err error
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("fault of this client: %v", r)
		}
		if err != nil {
			c.failed(err)
		}
	}()
	err = work()
}

// failed ends the client.
func (c *client) failed(err error) {
	select {
	case c.faults <- err:
	default: // one did already
	}
}

// tell hands an event to run, unless it is over.
func (c *client) tell(e event) {
	select {
	case c.events <- e:
	case <-c.over:
	}
}
