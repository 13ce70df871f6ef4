package server

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// maxPending bounds what waits for a client in our memory. It is small: what
	// waits is old, and what is drawn later is right.
	maxPending = 64 << 10
	// lastWords is how long a stuck client may take to hear why it was detached.
	lastWords = time.Hour
)

// outbox sends a client's frames in order. What the socket takes at once is sent
// by the caller; the rest waits for one writer, and callers wait for it once
// maxPending bytes do.
type outbox struct {
	conn  *net.UnixConn
	raw   syscall.RawConn
	try   func(fd uintptr) bool // writes trying, for now
	stuck time.Duration         // a client that takes nothing for so long is stuck
	onErr func(error)           // told once, without the lock, why nothing more goes out

	mu      sync.Mutex
	trying  []byte    // guarded by mu, as are all below
	taken   int       // of trying
	changed sync.Cond // any of the fields below
	buf     []byte    // whole frames, or what is left of one and whole frames
	spare   []byte
	begun   int   // bytes of a frame that has begun at the front of buf
	writing bool  // the writer has bytes in hand
	closed  bool  // nothing follows what is in buf
	asleep  bool  // output is dropped
	err     error // why nothing more goes out
}

func newOutbox(conn *net.UnixConn, stuck time.Duration, onErr func(error)) (*outbox, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	o := &outbox{conn: conn, raw: raw, stuck: stuck, onErr: onErr}
	o.changed.L = &o.mu
	o.try = func(fd uintptr) bool {
		o.taken, _ = unix.Write(int(fd), o.trying)
		return true
	}
	return o, nil
}

// output sends bytes for the terminal; while the client sleeps they are dropped.
// It blocks while too much waits.
func (o *outbox) output(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for sent := 0; sent < len(p); {
		piece := p[sent:min(len(p), sent+maxPiece)]
		for o.err == nil && !o.closed && !o.asleep && len(o.buf) > 0 && len(o.buf)+headBytes+len(piece) > maxPending {
			o.changed.Wait()
		}
		switch {
		case o.err != nil:
			return sent, o.err
		case o.closed:
			return sent, net.ErrClosed
		case !o.asleep:
			o.put(kindOutput, piece)
		}
		sent += len(piece)
	}
	return len(p), nil
}

// send queues a frame that is not dropped; it never blocks.
func (o *outbox) send(k kind, payload []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && !o.closed {
		o.put(k, payload)
	}
}

// suspend asks a client that is awake to suspend itself.
func (o *outbox) suspend() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && !o.closed && !o.asleep {
		o.put(kindSuspend, nil)
		o.asleep = true
		o.changed.Broadcast()
	}
}

// sleep drops output from here on: the client suspended itself.
func (o *outbox) sleep() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asleep = true
	o.changed.Broadcast()
}

// wake lets output through again, behind a frame that says so.
func (o *outbox) wake() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && !o.closed {
		o.put(kindAwake, nil)
		o.asleep = false
	}
}

// finish queues the last frame.
func (o *outbox) finish(last []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && !o.closed {
		o.buf = append(o.buf, last...)
		o.closed = true
		o.changed.Broadcast()
	}
}

// fail ends it without last words.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
		o.changed.Broadcast()
	}
}

// put appends a frame and sends what the socket takes without waiting. The lock
// is held.
func (o *outbox) put(k kind, payload []byte) {
	idle := len(o.buf) == 0 && !o.writing
	o.buf = appendFrame(o.buf, k, payload)
	if idle {
		n := o.now(o.buf)
		rest := restOfFrame(o.buf, n)
		o.buf = o.buf[:copy(o.buf, o.buf[n:])]
		o.begun = rest
	}
	if len(o.buf) > 0 {
		o.changed.Broadcast()
	}
}

// now writes without waiting and returns how much was taken. Errors are left to
// the writer, which meets them again.
func (o *outbox) now(b []byte) int {
	o.trying, o.taken = b, 0
	_ = o.raw.Write(o.try)
	o.trying = nil
	return max(o.taken, 0)
}

// run is the writer. It returns when everything was sent or nothing more can be.
func (o *outbox) run() {
	for {
		b, begun, ok := o.take()
		if !ok {
			return
		}
		n, err := o.write(b)
		o.mu.Lock()
		o.writing, o.spare = false, b[:0]
		o.changed.Broadcast()
		o.mu.Unlock()
		if err == nil {
			continue
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			o.fail(ErrGone)
			o.onErr(ErrGone)
			return
		}
		rest := begun - n
		if rest < 0 {
			rest = restOfFrame(b[begun:], n-begun)
		}
		o.farewell(b[n : n+rest])
		return
	}
}

// take waits for frames.
func (o *outbox) take() (b []byte, begun int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.buf) == 0 && !o.closed && o.err == nil {
		o.changed.Wait()
	}
	if len(o.buf) == 0 || o.err != nil {
		return nil, 0, false
	}
	b, begun = o.buf, o.begun
	o.buf, o.spare, o.begun, o.writing = o.spare[:0], nil, 0, true
	o.changed.Broadcast()
	return b, begun, true
}

// write sends in pieces, each of which has the whole time.
func (o *outbox) write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		_ = o.conn.SetWriteDeadline(time.Now().Add(o.stuck))
		var m int
		m, err = o.conn.Write(b[n:min(len(b), n+maxPiece)])
		n += m
	}
	_ = o.conn.SetWriteDeadline(time.Time{})
	return n, err
}

// farewell gives up on a stuck client: its handler is freed, and what it will
// read if it ever reads again is the end of the frame that has begun, and why it
// was detached.
func (o *outbox) farewell(rest []byte) {
	o.fail(ErrStuck)
	o.onErr(ErrStuck)
	last := appendDetached(rest[:len(rest):len(rest)], Farewell{Status: 1, Message: ErrStuck.Error()}, false)
	_ = o.conn.SetWriteDeadline(time.Now().Add(lastWords))
	if _, err := o.conn.Write(last); err != nil {
		_ = o.conn.Close()
	}
}
