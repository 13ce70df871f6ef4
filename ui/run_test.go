package ui_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/gate"
	"reprise/panes/vt"
	"reprise/ui"
)

// The test binary is the launch shim of its own panes.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "gate" {
		os.Exit(gate.Run())
	}
	os.Exit(m.Run())
}

// patience is how long a test waits for what must come; only a failing one waits
// that long.
const patience = time.Minute

// station is a client on a real pty, whose other side is our emulator.
type station struct {
	t      *testing.T
	master *os.File
	tty    *os.File
	host   *panes.Host
	agents *agents
	before unix.Termios
	stop   context.CancelFunc
	ended  chan error
	saved  atomic.Int32

	resized   chan panes.Size
	resumed   chan struct{}
	suspended chan string // what had been seen when the client was to be suspended

	mu       sync.Mutex
	terminal *vt.Emulator
	seen     strings.Builder
}

// open starts a client with one pane that runs a shell.
func open(t *testing.T, resumer func(*agents) ui.Resumer) *station {
	t.Helper()
	s := &station{
		t: t, ended: make(chan error, 1),
		resized: make(chan panes.Size, 1), resumed: make(chan struct{}, 1), suspended: make(chan string, 1),
	}
	var err error
	if s.master, s.tty, err = pty.Open(); err != nil {
		t.Skipf("no pty: %v", err)
	}
	if err := pty.Setsize(s.master, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	s.before = s.termios()
	replies := make(chan []byte, 1000)
	s.terminal = vt.New(vt.Options{Cols: 100, Rows: 30, Foreground: vt.ColorRGB | 0x202020, Background: vt.ColorRGB | 0xf8f8f8, Reply: func(b []byte) {
		replies <- append([]byte(nil), b...)
	}})
	go func() {
		for b := range replies {
			_, _ = s.master.Write(b)
		}
	}()
	go func() {
		defer close(replies)
		buf := make([]byte, 32<<10)
		for {
			n, err := s.master.Read(buf)
			s.mu.Lock()
			_, _ = s.terminal.Write(buf[:n])
			s.seen.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	s.host = panes.NewHost(panes.HostOptions{Shim: func() []string { return []string{os.Args[0], "gate"} }})
	s.agents = &agents{host: s.host, views: map[panes.PaneID]agent.PaneView{}, queue: map[panes.PaneID][]string{}}
	id, err := s.host.Split("", panes.Right, panes.Size{Cols: 100, Rows: 29})
	if err != nil {
		t.Fatal(err)
	}
	shell, err := s.host.Start(t.Context(), panes.Spec{Pane: id, Argv: []string{"sh"}, Env: []string{"PS1=ready> ", "ENV="}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.host.Point(id, shell.ID())
	if err := shell.OpenGate(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.stop = cancel
	saved, err := term.MakeRaw(s.tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		err := ui.Run(ctx, ui.Config{
			Host: s.host, Resumer: resumer(s.agents), Launcher: s.agents, In: s.tty, Out: s.tty,
			Size: panes.Size{Cols: 100, Rows: 30}, Resized: s.resized, Resumed: s.resumed, Suspend: s.suspend,
			Profile: colorprofile.TrueColor, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Workspace: newWorkspace("reprise"),
			Save: func(context.Context) error { s.saved.Add(1); return nil },
		})
		_ = term.Restore(s.tty.Fd(), saved)
		s.ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		_ = panes.EndProcess(context.Background(), shell.Process(), "", 100*time.Millisecond)
		_ = s.master.Close()
		_ = s.tty.Close()
	})
	return s
}

// suspend is the client's stop: it notes what the terminal had been told by then.
func (s *station) suspend() {
	// What was written before arrives at the other side a little later.
	s.until("terminal put back", func() bool { return !s.modes().AltScreen })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.suspended <- s.seen.String()
}

func (s *station) modes() vt.Modes {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.terminal.State().Modes
}

func plainResumer(a *agents) ui.Resumer { return a }

func (s *station) termios() unix.Termios {
	s.t.Helper()
	tio, err := unix.IoctlGetTermios(int(s.tty.Fd()), getTermios)
	if err != nil {
		s.t.Fatal(err)
	}
	return *tio
}

func (s *station) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sc vt.Screen
	s.terminal.Snapshot(&sc)
	var b []byte
	for y := range sc.Rows {
		for _, c := range sc.Row(y) {
			b = sc.AppendText(b, c)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// sees waits until the terminal shows something.
func (s *station) sees(want string) {
	s.t.Helper()
	s.until(fmt.Sprintf("%q on the screen", want), func() bool { return strings.Contains(s.screen(), want) })
}

func (s *station) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("no %s:\n%s", what, s.screen())
		}
	}
}

func (s *station) types(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.master, text); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for the client's end and checks that the terminal is as it was.
func (s *station) end() error {
	s.t.Helper()
	var err error
	select {
	case err = <-s.ended:
	case <-time.After(patience):
		s.t.Fatalf("the client does not end:\n%s", s.screen())
	}
	if got := s.termios(); got != s.before {
		s.t.Errorf("the terminal's settings are %+v, were %+v", got, s.before)
	}
	s.until("terminal put back", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		var sc vt.Screen
		s.terminal.Snapshot(&sc)
		m := s.terminal.State().Modes
		return sc.Cursor.Visible && !m.AltScreen && !m.BracketedPaste && !m.FocusEvents && !m.Synchronized && m.Mouse == 0 && m.Kitty == 0 && m.ModifyOtherKeys == 0
	})
	if n, err := unix.IoctlGetInt(int(s.tty.Fd()), inputWaiting); err != nil || n != 0 {
		s.t.Errorf("%d bytes of answers are left for the shell (%v)", n, err)
	}
	return err
}

func TestRunShowsAShellAndQuits(t *testing.T) {
	s := open(t, plainResumer)
	s.sees("ready>")
	s.types("echo $((6*7))-and-more\r")
	s.sees("42-and-more")
	s.until("raw mode and keyboard protocol", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		m := s.terminal.State().Modes
		return m.AltScreen && m.BracketedPaste && m.FocusEvents && m.Kitty == 1
	})
	// The background was asked for: a light one.
	s.until("theme for a light terminal", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		var sc vt.Screen
		s.terminal.Snapshot(&sc)
		bg := sc.Row(sc.Rows - 1)[50].BG
		return bg&vt.ColorRGB != 0 && bg&0xff > 0xe0
	})
	if fg, bg := s.host.Colors(); fg != vt.ColorRGB|0x202020 || bg != vt.ColorRGB|0xf8f8f8 {
		t.Errorf("programs are told the colours %x and %x", fg, bg)
	}
	s.types("\x02d")
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if s.saved.Load() == 0 {
		t.Error("the layout was not saved")
	}
}

func TestRunFollowsTheTerminalsSize(t *testing.T) {
	s := open(t, plainResumer)
	s.sees("ready>")
	s.mu.Lock()
	s.terminal.Resize(60, 20)
	s.mu.Unlock()
	if err := pty.Setsize(s.master, &pty.Winsize{Cols: 60, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	s.resized <- panes.Size{Cols: 60, Rows: 20}
	term := s.host.Shown(s.host.Layout().Panes()[0])
	s.until("resize of the program", func() bool { return term.Size() == panes.Size{Cols: 60, Rows: 19} })
	s.stop()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if s.saved.Load() != 1 {
		t.Errorf("the layout was saved %d times", s.saved.Load())
	}
}

// A client that is told to go while its first questions are unanswered leaves no
// answers behind.
func TestRunLeavesNoAnswersBehind(t *testing.T) {
	for range 5 {
		s := open(t, plainResumer)
		s.until("first frame", func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return strings.Contains(s.seen.String(), "\x1b[c")
		})
		s.stop()
		if err := s.end(); err != nil {
			t.Error(err)
		}
	}
}

func TestRunEndsWithItsTerminal(t *testing.T) {
	s := open(t, plainResumer)
	s.sees("ready>")
	_ = s.master.Close()
	// The other side is closed once the read that waits on it has returned.
	term := s.host.Shown(s.host.Layout().Panes()[0])
	s.until("end of the client", func() bool {
		_ = term.Send([]byte("\r"))
		select {
		case <-s.ended:
			return true
		default:
			return false
		}
	})
	if s.saved.Load() != 1 {
		t.Errorf("the layout was saved %d times", s.saved.Load())
	}
}

// faulty panics once it is told to.
type faulty struct {
	*agents
	now atomic.Bool
}

func (f *faulty) View(p panes.PaneID) agent.PaneView {
	if f.now.Load() {
		panic("a fault")
	}
	return f.agents.View(p)
}

func TestRunPutsTheTerminalBackAfterAPanic(t *testing.T) {
	var f *faulty
	s := open(t, func(a *agents) ui.Resumer { f = &faulty{agents: a}; return f })
	s.sees("ready>")
	f.now.Store(true)
	s.types("x")
	if err := s.end(); err == nil {
		t.Error("a panic is no error")
	}
	if s.saved.Load() == 0 {
		t.Error("the layout was not saved")
	}
}

func TestRunSuspendsAndComesBack(t *testing.T) {
	s := open(t, plainResumer)
	s.sees("ready>")
	s.until("keyboard protocol", func() bool { return s.modes().Kitty == 1 })
	s.types("\x02\x1a")
	var before string
	select {
	case before = <-s.suspended:
	case <-time.After(patience):
		t.Fatalf("it is not suspended:\n%s", s.screen())
	}
	if !strings.HasSuffix(before, ui.Reset) {
		t.Errorf("the terminal was not left as it was: %q", before[max(0, len(before)-100):])
	}
	shell := s.host.Shown(s.host.Layout().Panes()[0])
	if err := shell.Send([]byte("echo $((6*7))-meanwhile\r")); err != nil {
		t.Fatal(err)
	}
	was := shell.Seq()
	s.until("output of the shell", func() bool { return shell.Seq() > was })
	if got := s.modes(); got.AltScreen {
		t.Error("something was drawn on a terminal that was given back")
	}
	s.resized <- panes.Size{Cols: 100, Rows: 30}
	s.resumed <- struct{}{}
	s.sees("42-meanwhile")
	s.until("modes as before", func() bool {
		m := s.modes()
		return m.AltScreen && m.BracketedPaste && m.FocusEvents && m.Kitty == 1
	})
	s.types("exec echo bye-$((1+1))\r") // keys come through
	s.sees("bye-2")
	s.types("\x02d")
	if err := s.end(); err != nil {
		t.Error(err)
	}
}
