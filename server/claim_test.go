package server_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"reprise/server"
)

// A claim goes on where the listener stood: clients of before and after are served,
// and nobody else gets the socket meanwhile.
func TestClaim(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	path := socketIn(t)
	l, err := server.Listen(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := l.Claim()
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := net.Dial("unix", path) // nobody accepts yet
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = waiting.Close() }()
	heir, err := c.Listener()
	if err != nil {
		t.Fatal(err)
	}
	server.Abandon(l) // as an exec does: its descriptors are closed, nothing else
	if _, err := server.Listen(ctx, path); !errors.Is(err, server.ErrRunning) {
		t.Errorf("another server got %v, want ErrRunning", err)
	}
	s := &server.Server{Request: func(context.Context, string, []byte) ([]byte, error) { return []byte("heir"), nil }}
	ended := make(chan error, 1)
	serving, stop := context.WithCancel(ctx)
	go func() { ended <- s.Serve(serving, heir) }()
	if b, err := server.Request(ctx, path, "who", nil); string(b) != "heir" || err != nil {
		t.Errorf("asked: %q, %v", b, err)
	}
	stop()
	if err := errors.Join(<-ended, heir.Close()); err != nil {
		t.Error(err)
	}
	next, err := server.Listen(ctx, path)
	if err != nil {
		t.Fatalf("after its end: %v", err)
	}
	_ = next.Close()
}

// What cannot be taken over says so and takes nothing.
func TestClaimOfNothing(t *testing.T) {
	for name, c := range map[string]server.Claim{
		"no descriptors": {Path: "/nowhere/s", Socket: -1, Lock: -1},
	} {
		if l, err := c.Listener(); err == nil {
			t.Errorf("%s: %v", name, l.Path())
		}
	}
}
