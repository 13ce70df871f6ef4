package server_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/server"
)

// socketPair is two ends with as little between them as the system allows.
func socketPair(t testing.TB) (a, b *net.UnixConn) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	var ends [2]*net.UnixConn
	for i, fd := range fds {
		f := os.NewFile(uintptr(fd), "pair")
		c, err := net.FileConn(f)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		ends[i] = c.(*net.UnixConn)
		t.Cleanup(func() { c.Close() })
	}
	ends[0].SetWriteBuffer(1)
	return ends[0], ends[1]
}

// pattern is output whose every byte tells its place.
func pattern(from, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((from + i) * 7 % 251)
	}
	return b
}

// checkOutput fails unless the frames' output is the pattern from its beginning.
func checkOutput(t *testing.T, frames []server.Frame) (n int) {
	t.Helper()
	for _, f := range frames {
		if f.Kind != 'O' {
			continue
		}
		if string(f.Payload) != string(pattern(n, len(f.Payload))) {
			t.Fatalf("the frame after %d bytes is another one", n)
		}
		n += len(f.Payload)
	}
	return n
}

// However a client reads, what it gets are whole frames in order; if it stops
// reading, up to a place between two, and then why it was detached.
func TestOutboxFrames(t *testing.T) {
	for seed := range uint64(200) {
		dice := rand.New(rand.NewPCG(seed, 0))
		ours, theirs := socketPair(t)
		var cause error
		ended := make(chan struct{})
		stop := seed%2 == 0 // stops to read
		stuck := patience
		if stop {
			stuck = 20 * time.Millisecond
		}
		o, err := server.NewOutbox(ours, stuck, func(err error) { cause = err; close(ended) })
		if err != nil {
			t.Fatal(err)
		}
		take := dice.IntN(200_000)
		r := &reluctant{c: theirs, left: take, dice: rand.New(rand.NewPCG(seed, 1)), until: ended}
		if !stop {
			r.until = nil
		}
		type result struct {
			frames []server.Frame
			err    error
		}
		got := make(chan result)
		go func() {
			frames, err := server.FramesTo(r, 'X')
			got <- result{frames, err}
		}()
		written, failed := 0, error(nil)
		for failed == nil && (stop || written < take) {
			p := pattern(written, 1+dice.IntN(5000)*dice.IntN(20)/10)
			if dice.IntN(10) == 0 {
				o.Awake()
			}
			var n int
			n, failed = o.Write(p)
			written += n
		}
		if stop {
			<-ended
			if !errors.Is(cause, server.ErrStuck) || !errors.Is(failed, server.ErrStuck) {
				t.Fatalf("seed %d: ended by %v, written until %v", seed, cause, failed)
			}
		} else {
			if failed != nil {
				t.Fatalf("seed %d: %v", seed, failed)
			}
			o.Finish()
		}
		res := <-got
		if res.err != nil {
			t.Fatalf("seed %d: %v after %d frames", seed, res.err, len(res.frames))
		}
		if n := checkOutput(t, res.frames); n > written || !stop && n != written {
			t.Fatalf("seed %d: %d bytes came of %d", seed, n, written)
		}
		ours.Close()
		theirs.Close()
	}
}

// reluctant reads some bytes in odd pieces, and the rest after until.
type reluctant struct {
	c     io.Reader
	left  int
	dice  *rand.Rand
	until chan struct{}
}

func (r *reluctant) Read(p []byte) (int, error) {
	if r.left <= 0 && r.until != nil {
		<-r.until
	}
	n, err := r.c.Read(p[:min(len(p), 1+r.dice.IntN(3000))])
	r.left -= n
	return n, err
}

// What waits for a client that does not read is bounded.
func TestOutboxIsBounded(t *testing.T) {
	ours, _ := socketPair(t)
	o, err := server.NewOutbox(ours, 50*time.Millisecond, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for err == nil {
		var n int
		n, err = o.Write(make([]byte, 1000))
		written += n
	}
	// One such amount may be in the writer's hands, and the kernel has a little.
	if most := 3 * server.MaxPending; written > most {
		t.Errorf("%d bytes were taken of a client that reads none, at most %d are right", written, most)
	}
}

// A client that is asked to suspend itself twice is asked once, and what is
// written until it is back is dropped.
func TestSuspendOnce(t *testing.T) {
	written := make(chan struct{})
	srv := newServer()
	srv.Attach = suspendTwice(written)
	socket, _ := serve(t, srv)
	c := rawConn(t, socket)
	c.Write(hello(t, server.Protocol))
	<-written
	c.Write(server.AppendFrame(server.AppendFrame(nil, 'Z', nil), 'W', []byte{0, 80, 0, 24}))
	frames, err := server.FramesTo(c, 'X')
	if err != nil {
		t.Fatal(err)
	}
	kinds := ""
	for _, f := range frames {
		kinds += string(rune(f.Kind))
	}
	if kinds != "ASwOX" || string(frames[3].Payload) != "after" {
		t.Errorf("frames %q, output %q", kinds, frames[3].Payload)
	}
}

// Input that its handler does not read waits with the client.
func TestInputIsBounded(t *testing.T) {
	srv := newServer()
	srv.Attach = func(ctx context.Context, c *server.Conn) error {
		c.Accept("")
		<-ctx.Done()
		return nil
	}
	socket, _ := serve(t, srv)
	c := rawConn(t, socket)
	c.Write(hello(t, server.Protocol))
	piece := server.AppendFrame(nil, 'I', make([]byte, server.MaxPiece))
	sent := 0
	for {
		// Far longer than a server that reads takes, and what ends the test.
		c.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
		n, err := c.Write(piece)
		if sent += n; err != nil {
			break
		}
		if sent > 4*server.MaxUnread {
			t.Fatalf("%d bytes were taken", sent)
		}
	}
}
