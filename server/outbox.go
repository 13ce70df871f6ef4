package server

import (
	"errors"
	"io"
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

// sink is where an outbox writes: a client's socket, or its terminal.
type sink interface {
	io.WriteCloser
	SetWriteDeadline(t time.Time) error
	SyscallConn() (syscall.RawConn, error)
}

// outbox sends a client's frames in order, or, to its terminal, bare output. What is
// taken at once is sent by the caller; the rest waits for one writer, and callers wait
// for it once maxPending bytes do.
type outbox struct {
	to    sink
	bare  bool // output goes out without a frame's head, and nothing else does
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
	held    bool  // nothing is written
	cut     bool  // what is being written is given up
	lossy   bool  // something was
	err     error // why nothing more goes out
}

func newOutbox(to sink, stuck time.Duration, onErr func(error)) (*outbox, error) {
	raw, err := to.SyscallConn()
	if err != nil {
		return nil, err
	}
	o := &outbox{to: to, raw: raw, stuck: stuck, onErr: onErr}
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

// outputNow is output that never blocks: all of p is sent or kept, or (false) nothing,
// and then output would have to wait, or knows the error.
func (o *outbox) outputNow(p []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	heads := (len(p)/maxPiece + 1) * headBytes
	if o.err != nil || o.closed || len(o.buf) > 0 || o.writing || len(p)+heads > maxPending {
		return false
	}
	for len(p) > 0 && !o.asleep {
		n := min(len(p), maxPiece)
		o.put(kindOutput, p[:n])
		p = p[n:]
	}
	return true
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

// rest stops writing, after what waits was written, or given up once d is over. Output
// is dropped until goOn.
func (o *outbox) rest(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asleep = true
	o.changed.Broadcast()
	late := false
	timer := time.AfterFunc(d, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		late = true
		o.changed.Broadcast()
	})
	defer timer.Stop()
	for o.err == nil && !o.held && (o.writing || len(o.buf) > 0) {
		if late || d <= 0 {
			o.buf, o.cut, o.lossy = o.buf[:0], true, true
			_ = o.to.SetWriteDeadline(time.Now())
			if !o.writing {
				break
			}
		}
		o.changed.Wait()
	}
	o.buf, o.cut, o.held = o.buf[:0], false, true
}

// whole reports whether all output that was taken went out.
func (o *outbox) whole() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err == nil && !o.lossy
}

// goOn lets output through again.
func (o *outbox) goOn() {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.to.SetWriteDeadline(time.Time{})
	o.asleep, o.held, o.lossy = false, false, false
	o.changed.Broadcast()
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
	idle := len(o.buf) == 0 && !o.writing && !o.held
	if o.bare {
		o.buf = append(o.buf, payload...)
	} else {
		o.buf = appendFrame(o.buf, k, payload)
	}
	if idle {
		n := o.now(o.buf)
		if !o.bare {
			o.begun = restOfFrame(o.buf, n)
		}
		o.buf = o.buf[:copy(o.buf, o.buf[n:])]
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
		cut := o.cut
		o.writing, o.spare = false, b[:0]
		o.changed.Broadcast()
		o.mu.Unlock()
		if err == nil || cut {
			continue
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			o.onErr(ErrGone) // first: who meets the failure asks why
			o.fail(ErrGone)
			return
		}
		if o.bare {
			o.onErr(ErrStuck) // first: who meets the failure asks why
			o.fail(ErrStuck)
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
	for (len(o.buf) == 0 || o.held) && !o.closed && o.err == nil {
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
	for n < len(b) && err == nil && o.goesOn() {
		var m int
		m, err = o.to.Write(b[n:min(len(b), n+maxPiece)])
		n += m
	}
	_ = o.to.SetWriteDeadline(time.Time{})
	return n, err
}

// goesOn gives the next piece its time, unless what is left was given up.
func (o *outbox) goesOn() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.cut {
		_ = o.to.SetWriteDeadline(time.Now().Add(o.stuck))
	}
	return !o.cut
}

// farewell gives up on a stuck client: its handler is freed, and what it will
// read if it ever reads again is the end of the frame that has begun, and why it
// was detached.
func (o *outbox) farewell(rest []byte) {
	o.onErr(ErrStuck) // first: who meets the failure asks why
	o.fail(ErrStuck)
	last := appendDetached(rest[:len(rest):len(rest)], Farewell{Status: 1, Message: ErrStuck.Error()}, false)
	_ = o.to.SetWriteDeadline(time.Now().Add(lastWords))
	if _, err := o.to.Write(last); err != nil {
		_ = o.to.Close()
	}
}
