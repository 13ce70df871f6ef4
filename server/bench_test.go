package server_test

import (
	"context"
	"testing"
	"time"

	"reprise/server"
)

// A key's way from a client to the handler and its echo back: what the socket
// costs of an echo, without the terminals.
func BenchmarkRoundTrip(b *testing.B) {
	srv := newServer()
	srv.Attach = func(_ context.Context, c *server.Conn) error {
		buf := make([]byte, 100)
		for {
			n, err := c.Read(buf)
			if err != nil {
				return err
			}
			if _, err := c.Write(buf[:n]); err != nil {
				return err
			}
		}
	}
	socket, _ := serve(b, srv)
	c := rawConn(b, socket)
	if _, err := c.Write(hello(b, server.Protocol)); err != nil {
		b.Fatal(err)
	}
	c.SetDeadline(time.Time{})
	key := server.AppendFrame(nil, 'I', []byte("k"))
	if _, err := c.Write(key); err != nil {
		b.Fatal(err)
	}
	if _, err := server.FramesTo(c, 'O'); err != nil {
		b.Fatal(err)
	}
	answer := make([]byte, 100)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if _, err := c.Write(key); err != nil {
			b.Fatal(err)
		}
		if _, err := c.Read(answer); err != nil {
			b.Fatal(err)
		}
	}
}

// Output at full speed.
func BenchmarkOutput(b *testing.B) {
	frame := make([]byte, 8<<10)
	start := make(chan int)
	srv := newServer()
	srv.Attach = func(_ context.Context, c *server.Conn) error {
		for range <-start {
			if _, err := c.Write(frame); err != nil {
				return err
			}
		}
		return nil
	}
	socket, _ := serve(b, srv)
	c := rawConn(b, socket)
	if _, err := c.Write(hello(b, server.Protocol)); err != nil {
		b.Fatal(err)
	}
	c.SetDeadline(time.Time{})
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	buf := make([]byte, 64<<10)
	b.ResetTimer()
	start <- b.N
	for got := 0; got < b.N*len(frame); {
		n, err := c.Read(buf)
		if err != nil {
			b.Fatal(err)
		}
		got += n
	}
}

// One verb and its answer.
func BenchmarkRequest(b *testing.B) {
	socket, _ := serve(b, newServer())
	for b.Loop() {
		if _, err := server.Request(context.Background(), socket, "echo", []byte("x")); err != nil {
			b.Fatal(err)
		}
	}
}

// The same between a terminal and a server in another process: what a person
// waits for, without the program.
func BenchmarkEcho(b *testing.B) {
	socket := socketIn(b)
	startServer(b, socket)
	s := attach(b, socket)
	for range s.shown { // the end of what came at first
		if len(s.shown) == 0 {
			break
		}
	}
	b.ResetTimer()
	for b.Loop() {
		s.keys("b")
		<-s.shown
	}
}
