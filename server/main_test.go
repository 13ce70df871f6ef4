package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"reprise/server"
)

// patience is how long a test waits for what must come; only a failing one waits
// that long.
const patience = time.Minute

// The test binary is its own server and client.
func TestMain(m *testing.M) {
	switch role := os.Getenv("SERVER_TEST_ROLE"); role {
	case "":
		os.Exit(m.Run())
	case "server":
		os.Exit(playServer(os.Args[1]))
	case "broken":
		server.Started().Tell(errors.New("the database is of tomorrow"))
		os.Exit(1)
	case "mute":
		fmt.Fprintln(os.Stderr, "panic: nothing works")
		os.Exit(2)
	case "hung":
		server.Started()
		time.Sleep(patience)
	case "ensure":
		os.Exit(playEnsure(os.Args[1]))
	case "ask":
		_, err := server.Request(context.Background(), os.Args[1], "echo", nil)
		fmt.Println(err)
		os.Exit(0)
	case "intrude":
		os.Exit(playIntruder(os.Args[1]))
	case "client":
		os.Exit(playClient(os.Args[1], os.Args[2:]))
	}
	os.Exit(99)
}

// pipeVar is set for clients that do not lend their terminals.
const pipeVar = "SERVER_TEST_PIPE"

// bothWays runs a test with clients that lend their terminals to the server, and with
// clients that are pipes.
func bothWays(t *testing.T, test func(t *testing.T)) {
	t.Run("lent", test)
	t.Run("pipe", func(t *testing.T) {
		t.Setenv(pipeVar, "1")
		test(t)
	})
}

func play(role string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "SERVER_TEST_ROLE="+role)
	return cmd
}

func playServer(socket string) int {
	starter := server.Started()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	l, err := server.Listen(ctx, socket)
	starter.Tell(err)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s := newServer()
	s.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := errors.Join(s.Serve(ctx, l), l.Close()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// launch is how tests start a server.
func launch(socket, role string) server.Launch {
	env := append(os.Environ(), "SERVER_TEST_ROLE="+role)
	return server.Launch{Argv: []string{os.Args[0], socket}, Env: env, Log: socket + ".log"}
}

func playEnsure(socket string) int {
	started, err := server.Ensure(context.Background(), socket, launch(socket, "server"))
	fmt.Printf("started=%v err=%v\n", started, err)
	return 0
}

// playIntruder does not care whose server it is.
func playIntruder(socket string) int {
	c, err := net.Dial("unix", socket)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	b, _ := io.ReadAll(c)
	fmt.Printf("%q\n", b)
	return 0
}

func playClient(socket string, args []string) int {
	f, err := server.Attach(context.Background(), socket, server.Attachment{
		Pipe:  os.Getenv(pipeVar) != "",
		Hello: server.Hello{Version: "1.2.3", Term: os.Getenv("TERM"), Env: []string{"LANG=C"}, Args: args},
	})
	if err != nil {
		fmt.Printf("[error: %v]\n", err)
		return 1
	}
	if f.Message != "" {
		fmt.Printf("[%s]\n", f.Message)
	}
	return f.Status
}

// What the handlers of these tests write. They set what a program sets, and put it
// back in the other order.
const (
	enter = "\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[>1u"
	leave = "\x1b[<u\x1b[?1004l\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l"
)

func newServer() *server.Server {
	var now atomic.Int32
	return &server.Server{
		Attach: func(ctx context.Context, c *server.Conn) error {
			now.Add(1)
			defer now.Add(-1)
			return attached(ctx, c)
		},
		Request: func(ctx context.Context, verb string, payload []byte) ([]byte, error) {
			if verb == "clients" {
				return strconv.AppendInt(nil, int64(now.Load()), 10), nil
			}
			return asked(ctx, verb, payload)
		},
		Version: "1.2.3", StuckAfter: patience,
	}
}

func asked(ctx context.Context, verb string, payload []byte) ([]byte, error) {
	switch verb {
	case "echo":
		return payload, nil
	case "pid":
		return []byte(strconv.Itoa(os.Getpid())), nil
	case "goroutines":
		return strconv.AppendInt(nil, int64(runtime.NumGoroutine()), 10), nil
	case "wait":
		<-ctx.Done()
		return nil, context.Cause(ctx)
	case "panic":
		panic("in a verb")
	case "large":
		return make([]byte, server.MaxPayload+1), nil
	}
	return nil, fmt.Errorf("no verb %q\x1b[31m", verb)
}

// attached obeys keys; others are echoed in capitals.
func attached(ctx context.Context, c *server.Conn) (err error) {
	if h := c.Hello(); len(h.Args) > 0 && h.Args[0] == "refuse" {
		return errors.New("no session of that name: see reprise ls")
	}
	c.Accept("")
	s := c.Hello().Size
	fmt.Fprintf(c, "%sREADY %dx%d %s\r\n", enter, s.Cols, s.Rows, c.Hello().Term)
	keys := make(chan byte)
	go func() {
		defer close(keys)
		b := make([]byte, 100)
		for {
			n, err := c.Read(b)
			if err != nil {
				return
			}
			for _, k := range b[:n] {
				select {
				case keys <- k:
				case <-ctx.Done():
				}
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			_, _ = io.WriteString(c, leave)
			return nil
		case s := <-c.Resized():
			fmt.Fprintf(c, "SIZE %dx%d\r\n", s.Cols, s.Rows)
		case <-c.Resumed():
			fmt.Fprintf(c, "%sRESUMED\r\n", enter)
		case k := <-keys:
			if over, err := obey(ctx, c, k); over {
				return err
			}
		}
	}
}

func obey(ctx context.Context, c *server.Conn, k byte) (over bool, err error) {
	switch k {
	case 'q':
		_, _ = io.WriteString(c, leave)
		c.Leave(server.Farewell{Status: 7, Message: "quit"})
		return true, nil
	case 'e':
		return true, errors.New("the handler failed")
	case 'p':
		panic("in a handler")
	case 'z':
		_, _ = io.WriteString(c, leave)
		c.Suspend()
		_, _ = io.WriteString(c, "NEVER SEEN")
	case 'a': // a question, and off at once
		_, _ = io.WriteString(c, "\x1b[c"+leave)
		return true, nil
	case 'f':
		line := strings.Repeat("flood ", 1000)
		for ctx.Err() == nil {
			_, _ = io.WriteString(c, line)
		}
		_, _ = io.WriteString(c, leave)
		return true, nil
	case 'x':
		c.Detach(errors.New("another client wanted to be alone"))
	default:
		_, _ = c.Write(bytes.ToUpper([]byte{k}))
	}
	return false, nil
}

// socketIn is a short path: that of t.TempDir may be too long.
func socketIn(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "srv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path, err := server.SocketPath(filepath.Join(dir, "run"), "s")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// serve runs a server in this process.
func serve(t testing.TB, s *server.Server) (socket string, stop func() error) {
	t.Helper()
	socket = socketIn(t)
	l, err := server.Listen(context.Background(), socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	stop = sync.OnceValue(func() error {
		cancel()
		err := <-done
		return errors.Join(err, l.Close())
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return socket, stop
}

// station is a client process on a pty.
type station struct {
	t      testing.TB
	master *os.File
	slave  *os.File
	cmd    *exec.Cmd
	before unix.Termios
	exited chan struct{}

	shown   chan struct{} // something was
	reading sync.Mutex    // held by a test: nothing is read
	mu      sync.Mutex
	seen    []byte
}

// newStation opens a pty and reads what is written to it.
func newStation(t testing.TB) *station {
	t.Helper()
	s := &station{t: t, exited: make(chan struct{}), shown: make(chan struct{}, 1)}
	var err error
	if s.master, s.slave, err = pty.Open(); err != nil {
		t.Skipf("no pty: %v", err)
	}
	t.Cleanup(func() { s.slave.Close(); s.master.Close() })
	if err := pty.Setsize(s.master, &pty.Winsize{Cols: 90, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	s.before = s.modes()
	go s.read()
	return s
}

func (s *station) read() {
	b := make([]byte, 64<<10)
	for {
		s.reading.Lock()
		n, err := s.master.Read(b)
		s.reading.Unlock()
		s.mu.Lock()
		s.seen = append(s.seen, b[:n]...)
		s.mu.Unlock()
		if err != nil {
			return
		}
		select {
		case s.shown <- struct{}{}:
		default:
		}
	}
}

// run starts a program in the terminal, as the leader of a session.
func (s *station) run(cmd *exec.Cmd) *station {
	s.t.Helper()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.slave, s.slave, s.slave
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.cmd = cmd
	go func() { cmd.Wait(); close(s.exited) }()
	s.t.Cleanup(func() { cmd.Process.Kill(); <-s.exited })
	return s
}

// attach starts a client and waits until it is shown something.
func attach(t testing.TB, socket string) *station {
	t.Helper()
	s := newStation(t).run(play("client", socket))
	s.await("READY 90x30 xterm-256color")
	return s
}

func (s *station) modes() unix.Termios {
	s.t.Helper()
	m, err := unix.IoctlGetTermios(int(s.slave.Fd()), getTermios)
	if err != nil {
		s.t.Fatal(err)
	}
	return *m
}

func (s *station) setModes(m unix.Termios) {
	s.t.Helper()
	if err := unix.IoctlSetTermios(int(s.slave.Fd()), setTermios, &m); err != nil {
		s.t.Fatal(err)
	}
}

// waiting is how many bytes a program would read, lines or not.
func (s *station) waiting() int {
	s.t.Helper()
	m := s.modes()
	m.Lflag &^= unix.ICANON
	s.setModes(m)
	n, err := unix.IoctlGetInt(int(s.slave.Fd()), inputWaiting)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *station) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.seen)
}

func (s *station) keys(k string) {
	s.t.Helper()
	if _, err := s.master.WriteString(k); err != nil {
		s.t.Fatal(err)
	}
}

func (s *station) await(text string) {
	s.t.Helper()
	eventually(s.t, func() bool { return strings.Contains(s.output(), text) }, func() string {
		return fmt.Sprintf("%q is not in %q", text, tail(s.output()))
	})
}

// exit waits for the client's end.
func (s *station) exit() int {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.t.Fatalf("the client does not end; it showed %q", tail(s.output()))
	}
	return s.cmd.ProcessState.ExitCode()
}

// isRight fails unless the terminal is as it was found.
func (s *station) isRight() {
	s.t.Helper()
	eventually(s.t, func() bool { return s.modes() == s.before && left(s.output()) == "" }, func() string {
		return fmt.Sprintf("the terminal was left with modes %s, termios as before: %v; it showed %q",
			left(s.output()), s.modes() == s.before, tail(s.output()))
	})
}

// lockedBuffer takes what a process prints.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// awaitServer waits until a socket takes clients.
func awaitServer(t testing.TB, socket string) {
	t.Helper()
	eventually(t, func() bool {
		_, err := server.Request(context.Background(), socket, "echo", nil)
		return err == nil
	}, func() string { return "no server" })
}

func tail(s string) string { return s[max(0, len(s)-300):] }

// left lists which private modes a terminal that was sent s still has set, or not
// set, against its defaults; and the kitty keyboard stack.
func left(s string) string {
	set := map[string]bool{"7": true, "25": true}
	kitty := 0
	for _, part := range strings.Split(s, "\x1b[")[1:] {
		end := strings.IndexFunc(part, func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			continue
		}
		args, final := part[:end], part[end]
		switch {
		case strings.HasPrefix(args, "?") && (final == 'h' || final == 'l'):
			for _, n := range strings.Split(args[1:], ";") {
				set[n] = final == 'h'
			}
		case strings.HasPrefix(args, ">") && final == 'u':
			kitty++
		case strings.HasPrefix(args, "<") && final == 'u':
			kitty = max(kitty-1, 0)
		}
	}
	var out []string
	for n, on := range set {
		if on != (n == "7" || n == "25") {
			out = append(out, n)
		}
	}
	if kitty > 0 {
		out = append(out, "kitty")
	}
	return strings.Join(out, " ")
}

func eventually(t testing.TB, ok func() bool, why func() string) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(why())
		}
	}
}
