package server

import (
	"context"
	"fmt"
	"net"
	"time"
)

// admit waits for a slot before the payload of a request is read, so that few are
// held at a time.
func (s *Server) admit(ctx context.Context, c *net.UnixConn) error {
	select {
	case s.requests <- struct{}{}:
		return c.SetReadDeadline(time.Now().Add(s.RequestTime))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// serveRequest answers one verb. A client that goes ends the handler's context.
func (s *Server) serveRequest(ctx context.Context, c *net.UnixConn, b []byte) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.RequestTime, fmt.Errorf("the server took more than %v", s.RequestTime))
	defer cancel()
	_ = c.SetReadDeadline(time.Time{})
	go func() {
		defer cancel()
		_, _ = c.Read(make([]byte, 1)) // nothing follows a request but its end
	}()
	reply, err := s.answer(ctx, b)
	frame := appendFrame(nil, kindReply, reply)
	switch {
	case err != nil:
		frame = appendFrame(nil, kindFailed, text(err.Error()))
	case len(reply) > MaxPayload:
		frame = appendFrame(nil, kindFailed, text(fmt.Sprintf("the answer has %d bytes, more than the %d that can be sent: ask for less", len(reply), MaxPayload)))
	}
	_ = c.SetWriteDeadline(time.Now().Add(s.StuckAfter))
	if _, err := c.Write(frame); err != nil && ctx.Err() == nil {
		s.Log.Warn("answer a request", "err", err)
	}
}

func (s *Server) answer(ctx context.Context, b []byte) (reply []byte, err error) {
	defer s.recovered("answer a request", &err)
	verb, payload, err := parseRequest(b)
	if err != nil {
		return nil, err
	}
	if s.Request == nil {
		return nil, fmt.Errorf("%s: this server takes no requests", verb)
	}
	return s.Request(ctx, verb, payload)
}

// FailedError is a verb's own failure, in the server's words.
type FailedError struct{ Text string }

func (e *FailedError) Error() string { return e.Text }

// Request asks the server of a socket for verb, at most 255 bytes, with a payload
// of at most MaxPayload bytes, and returns its answer. ErrNoServer: none is there;
// *FailedError: the verb failed; *RefusedError: it was not asked.
func Request(ctx context.Context, socket, verb string, payload []byte) (reply []byte, err error) {
	switch {
	case len(verb) > maxVerb:
		return nil, fmt.Errorf("request: a verb of %d bytes", len(verb))
	case len(payload) > MaxPayload:
		return nil, fmt.Errorf("%s: %d bytes are more than the %d that can be sent", verb, len(payload), MaxPayload)
	}
	c, err := dial(ctx, socket)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })()
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%s: %w", verb, context.Cause(ctx))
		}
	}()
	// A server that refuses answers without reading; what it said is still there.
	_, wrote := c.Write(appendRequest(nil, verb, payload))
	f, err := (&decoder{r: c}).next()
	switch {
	case ended(err):
		return nil, fmt.Errorf("%s: %w", verb, ErrLost)
	case err != nil && wrote != nil:
		return nil, fmt.Errorf("%s: send the request: %w", verb, wrote)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", verb, err)
	}
	switch f.kind {
	case kindReply:
		return f.payload, nil
	case kindFailed:
		return nil, &FailedError{printable(f.payload)}
	case kindRefused:
		return nil, &RefusedError{printable(f.payload)}
	}
	return nil, fmt.Errorf("%s: answered by frame %q: %w", verb, byte(f.kind), errWire)
}
