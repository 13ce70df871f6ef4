package server_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// silent is a server that takes clients and says nothing to them.
func silent(t *testing.T) (socket string, came <-chan struct{}) {
	t.Helper()
	socket = socketIn(t)
	if err := os.MkdirAll(filepath.Dir(socket), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	all := make(chan struct{}, 10)
	go func() {
		for {
			c, err := l.AcceptUnix()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
			if _, err := c.Read(make([]byte, 1)); err == nil { // its greeting has begun
				all <- struct{}{}
			}
		}
	}()
	return socket, all
}

// Until a client's terminal is lent signals do what they do to other programs.
func TestSignalsWhileItGreets(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			socket, came := silent(t)
			s := newStation(t).run(play("client", socket))
			<-came
			_ = s.cmd.Process.Signal(sig)
			s.exit()
			if got, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !got.Signaled() || got.Signal() != sig {
				t.Errorf("it ended with %v", s.cmd.ProcessState)
			}
			s.isRight()
		})
	}
	t.Run("ctrl-z", func(t *testing.T) {
		socket, came := silent(t)
		s := inShell(t, socket)
		s.keys("$CLIENT $SOCKET\n")
		<-came
		s.keys("\x1a")
		s.await("Stopped")
		s.keys("kill -KILL %1\n")
		s.keys("echo in the sh''ell\n")
		s.awaitAfter("Stopped", "in the shell")
	})
}
