package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"reprise/server"
	"reprise/testdata/lab"
)

func TestRequest(t *testing.T) {
	socket, _ := serve(t, newServer())
	ctx := context.Background()
	for _, payload := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("0123456789abcdef"), server.MaxPayload/16)} {
		got, err := server.Request(ctx, socket, "echo", payload)
		if err != nil || !bytes.Equal(got, payload) {
			t.Errorf("%d bytes: %d came back, %v", len(payload), len(got), err)
		}
	}
	for verb, says := range map[string]string{
		"nonsense":               `no verb "nonsense"[31m`,
		"panic":                  "a fault of this program",
		"large":                  "ask for less",
		strings.Repeat("v", 255): "no verb",
	} {
		var failed *server.FailedError
		if _, err := server.Request(ctx, socket, verb, nil); !errors.As(err, &failed) || !strings.Contains(err.Error(), says) {
			t.Errorf("%.20s: %v, want %q", verb, err, says)
		}
	}
	if _, err := server.Request(ctx, socket, "echo", make([]byte, server.MaxPayload+1)); err == nil {
		t.Error("more than can be sent was sent")
	}
	if _, err := server.Request(ctx, socketIn(t), "echo", nil); !errors.Is(err, server.ErrNoServer) {
		t.Errorf("without a server: %v", err)
	}
}

// A verb ends with who asked, and in time in any case.
func TestRequestEnds(t *testing.T) {
	ended := make(chan error, 1)
	s := newServer()
	s.Request = func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil, context.Cause(ctx)
	}
	s.RequestTime = 100 * time.Millisecond
	socket, _ := serve(t, s)
	if _, err := server.Request(context.Background(), socket, "wait", nil); err == nil || !strings.Contains(err.Error(), "took more than") {
		t.Error(err)
	}
	<-ended

	begun := make(chan struct{})
	s = newServer()
	s.Request = func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil, nil
	}
	socket, _ = serve(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-begun; cancel() }()
	if _, err := server.Request(ctx, socket, "wait", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRequestsWaitForTheirTurn(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	full := make(chan struct{}) // closed: as many are answered as may be
	s := newServer()
	s.Request = func(context.Context, string, []byte) ([]byte, error) {
		mu.Lock()
		now++
		if now > most {
			if most = now; most == server.MaxRequests {
				close(full)
			}
		}
		mu.Unlock()
		<-full
		for range 100 {
			runtime.Gosched() // for one more to come, if it may
		}
		mu.Lock()
		now--
		mu.Unlock()
		return nil, nil
	}
	socket, _ := serve(t, s)
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			if _, err := server.Request(context.Background(), socket, "x", nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most != server.MaxRequests {
		t.Errorf("%d at a time", most)
	}
}

// rawConn speaks to a server without the client.
func rawConn(t testing.TB, socket string) *net.UnixConn {
	t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return c
}

func hello(t testing.TB, protocol int, args ...string) []byte {
	t.Helper()
	b, err := json.Marshal(map[string]any{"Protocol": protocol, "Version": "0.9", "Size": server.Size{Cols: 80, Rows: 24}, "Args": args})
	if err != nil {
		t.Fatal(err)
	}
	return server.AppendFrame(nil, 'H', b)
}

func TestOtherProtocolIsRefused(t *testing.T) {
	socket, _ := serve(t, newServer())
	for _, b := range [][]byte{
		hello(t, server.Protocol+1),
		hello(t, 0),
		server.AppendFrame(nil, 'H', []byte(`{"Protocol":2,"Version":"0.9","Size":"80x24","Env":7}`)),
	} {
		c := rawConn(t, socket)
		c.Write(b)
		frames, _ := server.Frames(c)
		if len(frames) != 1 || frames[0].Kind != 'N' || !strings.Contains(string(frames[0].Payload), "upgrade") ||
			!strings.Contains(string(frames[0].Payload), "version 1.2.3 (protocol 1)") {
			t.Errorf("%q was answered by %q", b, frames)
		}
	}
}

// The client of an older server tells what it says.
func TestOtherProtocolIsTold(t *testing.T) {
	socket := socketIn(t)
	if err := server.Folder(filepath.Dir(socket)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err == nil {
			c.Write(server.AppendFrame(nil, 'N', []byte("come back with version 3")))
			c.Close() // with the hello unread
		}
	}()
	s := newStation(t).run(play("client", socket))
	s.exit()
	s.await("[error: come back with version 3]")
	s.isRight()
}

// Whatever a connection sends, others are served.
func TestGarbage(t *testing.T) {
	socket, _ := serve(t, newServer())
	s := attach(t, socket)
	ok := hello(t, server.Protocol)
	for name, b := range map[string][]byte{
		"nothing":            {},
		"half a head":        {'H', 0},
		"half a hello":       ok[:20],
		"no hello":           server.AppendFrame(nil, 'I', []byte("x")),
		"no JSON":            server.AppendFrame(nil, 'H', []byte("xxxx")),
		"a list":             server.AppendFrame(nil, 'H', []byte("[]")),
		"huge":               head('Q', 1<<32-1),
		"a verb's length":    server.AppendFrame(nil, 'Q', []byte{200, 'x'}),
		"HTTP":               []byte("GET / HTTP/1.1\r\n\r\n"),
		"garbage afterwards": append(bytes.Clone(ok), "garbage"...),
		"a server's frame":   server.AppendFrame(bytes.Clone(ok), 'O', []byte("x")),
		"two hellos":         append(bytes.Clone(ok), ok...),
		"a huge size":        server.AppendFrame(bytes.Clone(ok), 'R', []byte{255, 255, 255, 255}),
	} {
		c := rawConn(t, socket)
		c.Write(b)
		c.CloseWrite()
		if _, err := server.Frames(c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection is kept", name)
		}
	}
	s.keys("b")
	s.await("B")
}

func TestHelloMustComeSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the server's deadline")
	}
	t.Parallel()
	socket, _ := serve(t, newServer())
	c := rawConn(t, socket)
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("a silent connection: %v", err)
	}
}

func TestTooManyClients(t *testing.T) {
	socket, _ := serve(t, newServer())
	for range server.MaxClients {
		rawConn(t, socket)
	}
	eventually(t, func() bool {
		_, err := server.Request(context.Background(), socket, "echo", nil)
		var refused *server.RefusedError
		return errors.As(err, &refused) && strings.Contains(err.Error(), "detach one first")
	}, func() string { return "one more was served" })
}

// Any descriptor may come with a hello; none of them stays open.
func TestStrangeDescriptors(t *testing.T) {
	socket, _ := serve(t, newServer())
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pty: %v", err)
	}
	defer master.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, fds := range [][]int{{int(null.Fd())}, {int(w.Fd())}, {int(null.Fd()), int(w.Fd()), int(slave.Fd())}, {int(slave.Fd()), int(w.Fd())}} {
		c := rawConn(t, socket)
		if _, _, err := c.WriteMsgUnix(hello(t, server.Protocol), unix.UnixRights(fds...), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Errorf("refused for its descriptors: %v", err)
		}
		c.Close()
	}
	w.Close()
	slave.Close()
	// The pipe ends when nobody has its other end, and so does the terminal.
	r.SetReadDeadline(time.Now().Add(patience))
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("a descriptor was kept: %v", err)
	}
	eventually(t, func() bool {
		master.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		_, err := master.Read(make([]byte, 1000))
		return errors.Is(err, syscall.EIO) || errors.Is(err, io.EOF)
	}, func() string { return "the terminal was kept" })
}

func TestForeignUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can start a program as another user")
	}
	socket, _ := serve(t, newServer())
	// The folder alone keeps others out; here it does not.
	for dir := filepath.Dir(socket); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(socket, 0o666); err != nil {
		t.Fatal(err)
	}
	for role, says := range map[string]string{"ask": "it belongs to another user", "intrude": "this server is another user's"} {
		cmd := play(role, socket)
		cmd.Path = copyOfTests(t)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
		b, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(b), says) {
			t.Errorf("%s: %s %v, want %q", role, b, err, says)
		}
	}
}

// copyOfTests is the test binary where anybody can run it.
func copyOfTests(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "srv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "tests")
	lab.WriteProgram(t, path, b, 0o755)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// When the server ends it removes its socket and lets its handlers end.
func TestServeEnds(t *testing.T) {
	socket, stop := serve(t, newServer())
	a, b := attach(t, socket), attach(t, socket)
	rawConn(t, socket) // says nothing
	if err := stop(); err != nil {
		t.Error(err)
	}
	nothingLeft(t, socket)
	for _, s := range []*station{a, b} {
		s.exit()
		s.await("[the server was ended")
		s.isRight()
	}
}

// Who is refused because the server ends comes again at once: by then there is no
// server to be found, so that the next one is started.
func TestRefusedByOneThatEnds(t *testing.T) {
	srv := newServer()
	srv.Attach = func(context.Context, *server.Conn) error { return server.ErrShutdown }
	socket, _ := serve(t, srv)
	c := rawConn(t, socket)
	if _, err := c.Write(hello(t, server.Protocol)); err != nil {
		t.Fatal(err)
	}
	if all, err := server.FramesTo(c, 'N'); err != nil || !strings.Contains(string(all[len(all)-1].Payload), "the server was ended") {
		t.Errorf("it was told %q, %v", all, err)
	}
	nothingLeft(t, socket)
}

func TestHello(t *testing.T) {
	got := make(chan server.Hello, 2)
	ids := make(chan [2]int, 2)
	srv := newServer()
	srv.Attach = func(_ context.Context, c *server.Conn) error {
		got <- c.Hello()
		ids <- [2]int{int(c.ID()), c.PID()}
		c.Accept("")
		return nil
	}
	socket, _ := serve(t, srv)
	want := server.Hello{
		Version: "1.2.3", Size: server.Size{Cols: 90, Rows: 30}, Term: "xterm-256color",
		Env: []string{"LANG=C"}, Args: []string{"one", "two\nlines"},
	}
	for id := 1; id <= 2; id++ {
		s := newStation(t).run(play("client", append([]string{socket}, want.Args...)...))
		if diff := cmp.Diff(want, <-got); diff != "" {
			t.Error(diff)
		}
		if at := <-ids; at != [2]int{id, s.cmd.Process.Pid} {
			t.Errorf("attachment and process %v, want %d and %d", at, id, s.cmd.Process.Pid)
		}
		s.exit()
		s.await("[detached]")
	}
}

// The verb that ends the server is answered.
func TestServerEndsItself(t *testing.T) {
	socket := socketIn(t)
	l, err := server.Listen(context.Background(), socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	srv := newServer()
	srv.Request = func(context.Context, string, []byte) ([]byte, error) {
		cancel()
		return []byte("farewell"), nil
	}
	done := make(chan error, 1)
	go func() { done <- errors.Join(srv.Serve(ctx, l), l.Close()) }()
	if b, err := server.Request(context.Background(), socket, "end", nil); string(b) != "farewell" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	nothingLeft(t, socket)
}
