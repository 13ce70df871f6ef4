package server

import (
	"io"
	"net"
	"time"

	"reprise/server/early"
)

// What ends in time on a free machine ends in time here: only a terminal that takes
// nothing at all waits this long.
func init() {
	for _, t := range []*time.Duration{&askTime, &resetTime, &answerTime, &rescueTime, &goodbyeTime} {
		*t = 2 * time.Second
	}
}

// Bounds and words that tests in server_test compare with.
const (
	MaxSocketPath = maxSocketPath
	MaxClients    = maxClients
	MaxPending    = maxPending
	MaxPiece      = maxPiece
	ReadyVar      = early.ReadyVar
	Head          = headBytes
)

// Frame is a frame as tests see it.
type Frame struct {
	Kind    byte
	Payload []byte
}

// AppendFrame appends a frame, whatever its kind.
func AppendFrame(b []byte, k byte, payload []byte) []byte { return appendFrame(b, kind(k), payload) }

// Frames decodes all of r.
func Frames(r io.Reader) (all []Frame, err error) {
	d := &decoder{r: r}
	for {
		f, err := d.next()
		if err != nil {
			return all, err
		}
		all = append(all, Frame{byte(f.kind), append([]byte(nil), f.payload...)})
	}
}

// FramesTo decodes r up to a frame of kind k.
func FramesTo(r io.Reader, k byte) (all []Frame, err error) {
	d := &decoder{r: r}
	for {
		f, err := d.next()
		if err != nil {
			return all, err
		}
		all = append(all, Frame{byte(f.kind), append([]byte(nil), f.payload...)})
		if byte(f.kind) == k {
			return all, nil
		}
	}
}

// Held is how much memory a decoder holds after reading r.
func Held(r io.Reader) int {
	d := &decoder{r: r}
	for {
		if _, err := d.next(); err != nil {
			return cap(d.buf)
		}
	}
}

// Interpret parses a frame's payload as its receiver would.
func Interpret(f Frame) {
	switch kind(f.Kind) {
	case kindHello:
		_, _ = parseHello(f.Payload)
	case kindResize, kindResumed:
		if s := parseSize(f.Payload); s != s.clamped() {
			panic("size out of bounds")
		}
	case kindDetached:
		parseDetached(f.Payload)
	case kindRequest:
		_, _, _ = parseRequest(f.Payload)
	case kindRefused, kindFailed:
		printable(f.Payload)
	}
}

// RestOfFrame and Printable are what their lower-case namesakes are.
var (
	RestOfFrame = restOfFrame
	Printable   = printable
)

// Fence tells after the given output and input whether an answer is still to come.
func Fence(steps ...[2]string) bool {
	var f fence
	for _, s := range steps {
		f.asked += questions([]byte(s[0]))
		f.typed([]byte(s[1]))
	}
	return f.open()
}

// MaxRequests is how many requests are answered at a time.
const MaxRequests = maxRequests

// Outbox is a client's output without a handler.
type Outbox struct {
	o    *outbox
	done chan struct{}
}

// NewOutbox starts one; what ends it is told to onErr.
func NewOutbox(c *net.UnixConn, stuck time.Duration, onErr func(error)) (*Outbox, error) {
	o, err := newOutbox(c, stuck, onErr)
	if err != nil {
		return nil, err
	}
	b := &Outbox{o, make(chan struct{})}
	go func() { o.run(); close(b.done) }()
	return b, nil
}

func (b *Outbox) Write(p []byte) (int, error) { return b.o.output(p) }

// Awake sends a frame that is no output.
func (b *Outbox) Awake() { b.o.wake() }

// Finish sends the last words and waits until they were written.
func (b *Outbox) Finish() {
	b.o.finish(appendDetached(nil, Farewell{}, true))
	<-b.done
}

// MaxUnread is how much input waits for a handler.
const MaxUnread = maxUnread

// Abandon closes a listener's descriptors as an exec does.
func Abandon(l *Listener) {
	_ = l.socket.Close()
	_ = l.lock.Close()
}

// FirstPiece is what is written of s to a terminal at once.
func FirstPiece(s string) string { return firstPiece(s) }

// CanLend says whether terminals are lent on this system.
const CanLend = canLend

// Stopped reports whether a process is stopped.
func Stopped(pid int) bool {
	f, err := openState(pid)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return stopped(f)
}

// Now is output that is not waited for.
func (b *Outbox) Now(p []byte) bool { return b.o.outputNow(p) }

// Inbox is a client's input without a client.
type Inbox struct{ *inbox }

// NewInbox makes one.
func NewInbox() Inbox { return Inbox{newInbox()} }

func (i Inbox) Put(p []byte) { i.put(p) }
func (i Inbox) Close()       { i.close() }
