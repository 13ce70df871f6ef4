// Package server lets many clients, each a terminal, attach to one process over a
// unix socket, and takes one-shot requests over the same socket. It knows nothing
// of what is shown or asked: that is up to two functions.
//
// The server draws. A client lends it the terminal (docs/adr/0008), which the server
// then reads and writes itself, or is a pipe: it sends what its terminal says and
// writes what it is sent (Attach). Frames of type, length and payload go both ways
// (wire.go). The client's terminal is put right however either of the two ends; for
// the client's own death its descriptor travels to the server.
//
// Only the user who started the server is let in. One process serves a socket
// (Listen); clients find or start it (Ensure).
//
// Nothing runs while nothing happens: there is no ticker in this package.
package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"time"
)

// Bounds of what clients can take of a server.
const (
	maxClients  = 256
	maxRequests = 16              // under way; others wait
	helloTime   = 5 * time.Second // for a connection's first frame
	requestTime = 30 * time.Second
	stuckAfter  = 10 * time.Second
	stopTime    = 5 * time.Second // for handlers, once they were told to end
)

// Server serves one socket. Its fields are set before Serve.
type Server struct {
	// Attach shows something to a client until it returns; the client is told how
	// (Conn). Its context ends with a cause: ErrAsked, ErrGone, ErrStuck,
	// ErrShutdown, or what was given to Detach. ErrShutdown from it ends Serve, if it
	// was not told to end before.
	Attach func(ctx context.Context, c *Conn) error
	// Request answers a verb; a payload and an answer are at most MaxPayload bytes.
	// Its context ends when the client goes, after RequestTime, or with Serve's. The
	// text of its error is what the client's Request returns.
	Request func(ctx context.Context, verb string, payload []byte) ([]byte, error)

	Version     string        // of the program, for people
	StuckAfter  time.Duration // how long a client may take no output; 0: 10 s
	RequestTime time.Duration // 0: 30 s
	Log         *slog.Logger  // nil: none. Never input, output or payloads

	requests chan struct{} // a slot each
	listener *Listener

	mu    sync.Mutex
	links map[*link]struct{} // guarded by mu; every connection
	last  uint64             // guarded by mu; the last attachment's number

	handlers sync.WaitGroup
	served   sync.WaitGroup
}

// link is one connection. What is nil is not known yet.
type link struct {
	socket *net.UnixConn
	pid    int
	state  *rescue // guarded by the server's mu
}

// Serve takes clients until ctx ends or the listener fails, then ends the handlers,
// tells the clients, and returns when they are gone or a few seconds have passed.
// The socket is gone before that, the listener's lock is the caller's to let go
// (Listener.Close). Serve is called once.
func (s *Server) Serve(ctx context.Context, l *Listener) error {
	s.setDefaults()
	s.listener = l
	inner, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() { l.stop() })
	defer stop()
	err := s.accept(inner, l)
	if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
		err = nil
	}
	l.stop()
	cancel(ErrShutdown)
	if !within(stopTime, &s.handlers) {
		s.Log.Warn("handlers are still running", "after", stopTime)
	}
	if !within(goodbyeTime, &s.served) {
		s.each(func(k *link) { _ = k.socket.Close() })
		within(goodbyeTime, &s.served)
	}
	return err
}

func (s *Server) setDefaults() {
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.StuckAfter <= 0 {
		s.StuckAfter = stuckAfter
	}
	if s.RequestTime <= 0 {
		s.RequestTime = requestTime
	}
	s.requests = make(chan struct{}, maxRequests)
	s.links = map[*link]struct{}{}
}

// within waits for what is under way.
func within(d time.Duration, wg *sync.WaitGroup) bool {
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

func (s *Server) accept(ctx context.Context, l *Listener) error {
	for {
		c, err := l.socket.AcceptUnix()
		switch {
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil && passing(err):
			// Out of descriptors, for example: there will be some again.
			s.Log.Warn("accept", "err", err)
			time.Sleep(100 * time.Millisecond)
			continue
		case err != nil:
			return fmt.Errorf("accept: %w", err)
		}
		k := &link{socket: c}
		if !s.add(k) {
			refuse(c, fmt.Errorf("%d terminals and requests are being served already: detach one first", maxClients))
			_ = c.Close()
			continue
		}
		s.served.Go(func() {
			defer s.remove(k)
			defer func() { _ = c.Close() }()
			defer s.recovered("serve a connection", nil)
			s.serve(ctx, k)
		})
	}
}

func (s *Server) add(k *link) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.links) >= maxClients {
		return false
	}
	s.links[k] = struct{}{}
	return true
}

func (s *Server) remove(k *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, k)
}

func (s *Server) each(do func(*link)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.links {
		do(k)
	}
}

// recovered logs a panic, so that what was wrong with one client ends nobody else.
func (s *Server) recovered(doing string, err *error) {
	if r := recover(); r != nil {
		s.Log.Error(doing, "panic", r, "stack", string(debug.Stack()))
		if err != nil {
			*err = errFault
		}
	}
}

// refuse tells a client why it will not be served. It does not wait: the frame is
// the first thing in an empty socket.
func refuse(c *net.UnixConn, why error) {
	_ = c.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = c.Write(appendFrame(nil, kindRefused, text(why.Error())))
}

// serve reads a connection's first frame and does what it is there for.
func (s *Server) serve(ctx context.Context, k *link) {
	p, err := checkPeer(k.socket)
	if err != nil {
		s.Log.Warn("refused a connection", "uid", p.uid, "pid", p.pid, "err", err)
		if errors.Is(err, errForeign) {
			refuse(k.socket, errors.New("this server is another user's: start your own"))
		}
		return
	}
	k.pid = p.pid
	_ = k.socket.SetReadDeadline(time.Now().Add(helloTime))
	first := &firstRead{UnixConn: k.socket, file: -1}
	admitted := false
	d := &decoder{r: bufio.NewReaderSize(first, maxPiece), admit: func(k2 kind) error {
		if k2 != kindRequest {
			return nil
		}
		err := s.admit(ctx, k.socket)
		admitted = err == nil
		return err
	}}
	f, err := d.next()
	if admitted {
		defer func() { <-s.requests }()
	}
	d.admit = nil
	state := newRescue(first.file, nil)
	defer state.close()
	switch {
	case err != nil:
		if !errors.Is(err, io.EOF) { // somebody only looked whether we are there
			s.Log.Warn("first frame", "pid", p.pid, "err", err)
		}
	case f.kind == kindRequest:
		s.serveRequest(ctx, k.socket, f.payload)
	case f.kind == kindHello:
		_ = k.socket.SetReadDeadline(time.Time{})
		s.serveClient(ctx, k, d, state, f.payload)
	default:
		s.Log.Warn("first frame", "pid", p.pid, "kind", string(rune(f.kind)))
	}
}

// serveClient runs the handler and feeds it until the client's end.
func (s *Server) serveClient(ctx context.Context, k *link, d *decoder, state *rescue, hello []byte) {
	h, err := parseHello(hello)
	switch {
	case err != nil:
		s.Log.Warn("hello", "pid", k.pid, "err", err)
		return
	case h.Protocol != Protocol:
		refuse(k.socket, s.mismatch(h))
		return
	}
	state.found = h.Termios
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	out, err := newOutbox(k.socket, s.StuckAfter, end)
	if err != nil {
		s.Log.Warn("client", "pid", k.pid, "err", err)
		return
	}
	// What waits in the kernel is old as well, see maxPending.
	_ = k.socket.SetWriteBuffer(maxPending)
	c := &Conn{
		pid: k.pid, hello: h.Hello, version: s.Version, state: state, in: newInbox(), out: out, end: end,
		resized: make(chan Size, 1), resumed: make(chan struct{}, 1),
	}
	if h.Lends && canLend {
		if c.lent, err = newLent(state.file, k.pid, c.in, s.StuckAfter, c.failed); err != nil {
			s.Log.Info("the client stays a pipe", "pid", k.pid, "err", err)
		}
	}
	s.mu.Lock()
	s.last++
	c.id, k.state = s.last, state
	s.mu.Unlock()

	var both sync.WaitGroup
	both.Go(out.run)
	if c.lent != nil {
		both.Go(c.lent.screen.run)
		both.Go(func() {
			if c.lent.run() {
				c.out.send(kindGone, nil)
			}
		})
	}
	s.handlers.Add(1)
	both.Go(func() {
		defer s.handlers.Done()
		c.finish(ctx, s.handle(ctx, c))
		c.in.close()
	})
	done, err := c.receive(d)
	c.giveBack(0) // so that nothing that its handler writes from here on is seen
	end(ErrGone)
	if c.lent != nil {
		c.lent.close()
	}
	switch {
	case done:
	case ended(err):
		s.Log.Info("client ended without goodbye", "pid", k.pid)
		s.rescue(k)
	default: // it lives, and puts itself right when it finds the socket closed
		s.Log.Warn("client", "pid", k.pid, "err", err)
	}
	c.in.close()
	out.fail(ErrGone)
	_ = k.socket.SetDeadline(time.Now()) // frees a writer that has last words
	both.Wait()
}

func (s *Server) handle(ctx context.Context, c *Conn) (err error) {
	defer s.recovered("attach", &err)
	if err = s.Attach(ctx, c); errors.Is(err, ErrShutdown) {
		s.listener.stop() // who is refused comes again at once, and is not to find us
	}
	return err
}

// rescue puts right the terminal of a client that died, unless another one has
// begun in it.
func (s *Server) rescue(k *link) {
	device := k.state.device()
	if device == 0 {
		return
	}
	taken := false
	s.each(func(other *link) {
		taken = taken || other != k && other.state != nil && other.state.device() == device
	})
	if taken {
		return
	}
	if err := k.state.run(); err != nil {
		s.Log.Warn("put a dead client's terminal right", "pid", k.pid, "err", err)
	}
}

// mismatch says what to do about a client of another protocol.
func (s *Server) mismatch(h helloFrame) error {
	return fmt.Errorf("the running server is version %s (protocol %d), this is %s (protocol %d): attach with the version that runs, or let the server go on as this one by reprise upgrade",
		orUnknown(s.Version), Protocol, orUnknown(h.Version), h.Protocol)
}

func orUnknown(version string) string {
	if version == "" {
		return "unknown"
	}
	return version
}
