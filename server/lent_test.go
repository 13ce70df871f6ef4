package server_test

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/server"
)

// lending skips where no terminal is lent.
func lending(t *testing.T) {
	t.Helper()
	if !server.CanLend {
		t.Skip("terminals are not lent on this system")
	}
}

// A terminal that is lent is read and written by the server: on the socket there are
// neither keys nor output, and it is given back when the client wants it, once.
func TestLentTerminal(t *testing.T) {
	lending(t)
	socket, _ := serve(t, newServer())
	s := newStation(t)
	raw := s.modes()
	raw.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG
	s.setModes(raw)
	c := rawConn(t, socket)
	c.SetDeadline(time.Now().Add(patience))
	own, err := unix.Open(s.slave.Name(), unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	greeting := bytes.Replace(hello(t, server.Protocol), []byte("{"), []byte(`{"Lends":true,`), 1)
	greeting[4] += byte(len(`"Lends":true,`)) // short enough for one byte
	_, _, err = c.WriteMsgUnix(greeting, unix.UnixRights(own), nil)
	if unix.Close(own); err != nil {
		t.Fatal(err)
	}
	send := func(k byte, payload []byte) {
		t.Helper()
		if _, err := c.Write(server.AppendFrame(nil, k, payload)); err != nil {
			t.Fatal(err)
		}
	}
	size := []byte{0, 90, 0, 30}
	frames, err := server.FramesTo(c, 'A')
	if err != nil || !bytes.Contains(frames[0].Payload, []byte(`"Borrows":true`)) {
		t.Fatalf("%v, %q", err, frames)
	}
	if s.output() != "" {
		t.Errorf("it writes %q before the terminal is lent", s.output())
	}
	send('L', nil)
	s.await("READY")
	s.keys("b")
	s.await("B")

	send('G', nil)
	send('G', nil)
	send('Z', nil)
	if frames, err = server.FramesTo(c, 'Y'); err != nil || len(frames) != 1 {
		t.Fatalf("%v, %q", err, frames)
	}
	s.keys("c")
	eventually(t, func() bool { return s.waiting() == 1 }, func() string { return "it read what was not for it" })
	if buf := make([]byte, 10); true {
		if n, err := s.slave.Read(buf); string(buf[:n]) != "c" {
			t.Fatalf("%q, %v", buf[:n], err)
		}
	}

	send('W', size)
	s.await("RESUMED")
	s.keys("d")
	s.awaitAfter("RESUMED", "D")
	send('D', nil)
	frames, err = server.FramesTo(c, 'X')
	var kinds strings.Builder
	for _, f := range frames {
		kinds.WriteByte(f.Kind)
	}
	if err != nil || kinds.String() != "wYX" {
		t.Errorf("%v, frames %q", err, kinds.String())
	}
	if strings.Contains(s.output(), "C") {
		t.Error("what was typed for another came to the handler")
	}
}

// A client that was stopped without a word keeps its terminal from being read and
// written; when it goes on it is drawn anew.
func TestStoppedClientLendsNothing(t *testing.T) {
	lending(t)
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	s.keys("b")
	s.await("B")
	s.cmd.Process.Signal(syscall.SIGSTOP)
	eventually(t, func() bool { return server.Stopped(s.cmd.Process.Pid) }, func() string { return "it runs" })
	s.keys("c")
	eventually(t, func() bool { return s.waiting() == 1 }, func() string { return "what was typed does not come" })
	other := attach(t, socket) // the server has had its turn when this one is served
	other.keys("b")
	other.await("B")
	other.keys("q")
	other.exit()
	if n := s.waiting(); n != 1 {
		t.Errorf("%d bytes wait, one was typed", n)
	}
	if strings.Contains(s.output(), "C") {
		t.Error("it was answered")
	}
	s.cmd.Process.Signal(syscall.SIGCONT)
	s.await("RESUMED")
	s.keys("d")
	s.awaitAfter("RESUMED", "D")
	s.keys("q")
	if s.exit() != 7 {
		t.Error("it was not told to quit")
	}
	s.isRight()
}
