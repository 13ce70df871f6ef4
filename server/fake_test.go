package server_test

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"reprise/server"
)

func suspendTwice(written chan struct{}) func(context.Context, *server.Conn) error {
	return func(_ context.Context, c *server.Conn) error {
		c.Accept("")
		c.Suspend()
		c.Suspend()
		fmt.Fprint(c, "never")
		close(written)
		<-c.Resumed()
		fmt.Fprint(c, "after")
		return nil
	}
}

// fakeServer answers one client with what a server may send, or may not.
func fakeServer(t *testing.T, play func(c *net.UnixConn)) (socket string) {
	t.Helper()
	socket = socketIn(t)
	if err := server.Folder(filepath.Dir(socket)); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.AcceptUnix()
		if err != nil {
			return
		}
		defer c.Close()
		play(c)
	}()
	return socket
}

func say(c *net.UnixConn, k byte, payload string) {
	c.Write(server.AppendFrame(nil, k, []byte(payload)))
}

// What was under way when a client suspended itself is not for the client that
// resumed.
func TestStaleOutputIsDropped(t *testing.T) {
	socket := fakeServer(t, func(c *net.UnixConn) {
		say(c, 'A', "{}")
		say(c, 'O', enter+"BEFORE"+leave)
		say(c, 'S', "")
		say(c, 'O', "STALE")
		server.FramesTo(c, 'W')
		say(c, 'O', "STALE")
		say(c, 'w', "")
		say(c, 'O', "FRESH")
		say(c, 'X', "\x03\x01done")
		server.FramesTo(c, 'B')
	})
	s := newStation(t).run(play("client", socket))
	if got := s.exit(); got != 3 {
		t.Errorf("status %d", got)
	}
	s.await("FRESH")
	s.await("[done]")
	if strings.Contains(s.output(), "STALE") {
		t.Errorf("stale output was shown: %q", s.output())
	}
	s.isRight()
}

// A server that is none, or mad, costs a client its attachment, not its terminal.
func TestMadServer(t *testing.T) {
	for name, c := range map[string]struct {
		says   string
		frames string
	}{
		"nothing":         {"the server is gone", ""},
		"no frame":        {"not this protocol", "HTTP/1.1 400 Bad Request\r\n\r\n"},
		"huge":            {"not this protocol", "A\xff\xff\xff\xff"},
		"half":            {"the server is gone", "A\x00\x00\x00\x02{"},
		"no JSON":         {"not this protocol", string(server.AppendFrame(nil, 'A', []byte("xx")))},
		"a reply":         {"not this protocol", string(server.AppendFrame(nil, 'P', nil))},
		"garbage later":   {"not this protocol", string(server.AppendFrame(nil, 'A', []byte("{}"))) + enter + "garbage"},
		"a client's":      {"not this protocol", string(server.AppendFrame(server.AppendFrame(nil, 'A', []byte("{}")), 'I', []byte("x")))},
		"half a frame":    {"the server is gone", string(server.AppendFrame(server.AppendFrame(nil, 'A', []byte("{}")), 'O', []byte(enter))) + "O\x00\x00"},
		"escape sequence": {"[error: bad[2J]", string(server.AppendFrame(nil, 'N', []byte("bad\x1b[2J")))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			socket := fakeServer(t, func(conn *net.UnixConn) { fmt.Fprint(conn, c.frames) })
			s := newStation(t).run(play("client", socket))
			if got := s.exit(); got != 1 {
				t.Errorf("status %d", got)
			}
			s.await(c.says)
			s.isRight()
		})
	}
}

// The client gives up on a server that lets it attach and then takes nothing.
func TestServerThatTakesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the client's deadline")
	}
	t.Parallel()
	over := make(chan struct{})
	defer close(over)
	socket := fakeServer(t, func(c *net.UnixConn) {
		say(c, 'A', "{}")
		say(c, 'O', enter+"READY")
		<-over
	})
	s := newStation(t).run(play("client", socket))
	s.await("READY")
	go func() {
		for {
			if _, err := s.master.WriteString(strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	}()
	s.exit()
	s.await("[error: the server has taken no input for 10s]")
	s.isRight()
}
