package ui_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// quick is a terminal that takes a frame at once, while it is told to.
type quick struct {
	mu     sync.Mutex
	faulty bool // guarded by mu: the next write panics
	takes  bool // guarded by mu
	now    int  // guarded by mu: frames that were taken at once
	waited int  // guarded by mu: writes that may wait
	got    strings.Builder
}

func (q *quick) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fail()
	q.waited++
	return q.got.Write(p)
}

func (q *quick) TryWrite(p []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.takes {
		q.fail()
		q.now++
		q.got.Write(p)
	}
	return q.takes
}

func (q *quick) counts() (now, waited int, text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.now, q.waited, q.got.String()
}

func (q *quick) take(yes bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takes = yes
}

// breaks lets the next write panic.
func (q *quick) breaks() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.faulty = true
}

func (q *quick) fail() {
	if q.faulty {
		q.faulty = false
		panic("a fault")
	}
}

// straight is an input that hands on what is typed, in the goroutine that types it.
type straight struct {
	to   chan io.Writer
	done chan struct{}
}

func (s *straight) Read([]byte) (int, error) { panic("it is handed on") }

func (s *straight) WriteTo(w io.Writer) (int64, error) {
	s.to <- w
	<-s.done
	return 0, nil
}

// taker is a program whose pty takes keys at once.
type taker struct {
	*program
	mu  sync.Mutex
	now int // guarded by mu: keys that were
}

func (p *taker) TTY() panes.TTY { return p }

func (p *taker) TryWrite(b []byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now += len(b)
	return len(b)
}

func (p *taker) at() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// In a Program a key is at its program, and its echo's frame at the terminal, without a
// turn of another goroutine of the client's, unless the terminal is slow.
func TestAKeyAndItsEchoTakeNoDetour(t *testing.T) {
	var p *taker
	host := panes.NewHost(panes.HostOptions{
		Emulator: func(s panes.Size, _ func([]byte)) panes.Emulator { return &emulator{cols: s.Cols, rows: s.Rows} },
		Launch:   func(s panes.Spec) (panes.Process, error) { p = &taker{program: newProgram(s)}; return p, nil },
	})
	id, err := host.Split("", panes.Right, panes.Size{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	term, err := host.Start(t.Context(), panes.Spec{Pane: id, Argv: []string{"sh"}, Dir: "/"})
	if err != nil {
		t.Fatal(err)
	}
	host.Point(id, term.ID())
	in, out := &straight{make(chan io.Writer, 1), make(chan struct{})}, &quick{takes: true}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- ui.Run(ctx, ui.Config{
			Host: host, Resumer: &agents{host: host, views: map[panes.PaneID]agent.PaneView{}, queue: map[panes.PaneID][]string{}},
			In: in, Out: out, Size: panes.Size{Cols: 80, Rows: 24},
			Profile: colorprofile.TrueColor, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Workspace: newWorkspace("reprise"),
		})
	}()
	shows := func(what string) {
		t.Helper()
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			if _, _, text := out.counts(); strings.Contains(text, what) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("not in time: %s", what)
			}
		}
	}
	keys := <-in.to
	p.out <- []byte("ready\n")
	shows("ready")
	const typed = "abcdefghij"
	for i, key := range typed {
		before := p.at()
		if _, err := io.WriteString(keys, string(key)); err != nil {
			t.Fatal(err)
		}
		if got := p.at(); got == before && i > 0 { // the writer may not have begun to wait
			t.Errorf("key %q was handed on and is not at its program", key)
		}
		p.out <- []byte("echo of " + string(key) + "\n")
		shows("echo of " + string(key))
	}
	now, waited, _ := out.counts()
	out.take(false)
	p.out <- []byte("slow\n")
	shows("slow")
	if _, n, _ := out.counts(); n == waited {
		t.Error("a frame that was not taken at once was not written by the hand")
	}
	if now == 0 {
		t.Error("no frame was taken at once")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	close(in.done)
	p.end <- panes.Exit{}
	<-term.Done()
}

// Keys that are typed before the Program has begun, or while it does, reach their program
// in the order in which they were typed.
func TestKeysTypedAtTheStartStayInOrder(t *testing.T) {
	run(t, 1, func(c *client) {
		var later []tea.Msg // what the Program has received, and gives a turn later
		l := ui.NewLoop(c.m, func(msg tea.Msg) {
			if _, commands := msg.(tea.BatchMsg); !commands {
				later = append(later, msg)
			}
		})
		told := make(chan struct{})
		go func() {
			defer close(told)
			l.Tell(letter('a'))
			l.Tell(letter('b'))
		}()
		synctest.Wait() // it has told what it can
		l.Init()
		<-told
		l.Tell(letter('c'))
		for _, msg := range later {
			l.Take(msg)
		}
		synctest.Wait()
		if got := c.programs[0].typed(); got != "abc" {
			t.Errorf("the program was sent %q", got)
		}
		if kept := c.m.Typed(); len(kept) > 0 {
			t.Errorf("%d terminals are kept, though they may be closed", len(kept))
		}
	})
}

func letter(r rune) tea.Msg {
	return ui.Input(pump.Event{Ev: uv.KeyPressEvent{Code: r, Text: string(r)}, Raw: []byte(string(r))})
}

// Whoever tells something at the end of a client is not held.
func TestWhoTellsAnEndedClientGoesOn(t *testing.T) {
	run(t, 1, func(c *client) {
		l, told := ui.NewLoop(c.m, func(tea.Msg) {}), false
		go func() {
			l.Tell(letter('a'))
			told = true
		}()
		synctest.Wait()
		l.Over() // Init was never called
		synctest.Wait()
		if !told {
			t.Error("it waits for ever")
		}
	})
}

// A fault beside Update, in whichever goroutine, ends the client with an error, and what
// the next start begins with is saved.
func TestAFaultBesideUpdateIsAnError(t *testing.T) {
	for _, c := range []struct {
		name  string
		takes bool   // the terminal, at once
		typed string // or else a program prints
	}{
		{"a frame that is written at once, for a key", true, "\x02"},
		{"a frame that is written at once, for an echo", true, ""},
		{"a frame that is waited for", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			host, term, p := oneProgram(t)
			in, out := &straight{make(chan io.Writer, 1), make(chan struct{})}, &quick{takes: c.takes}
			ended, saved := make(chan error, 1), 0
			go func() {
				ended <- ui.Run(t.Context(), ui.Config{
					Host: host, Resumer: &agents{host: host, views: map[panes.PaneID]agent.PaneView{}, queue: map[panes.PaneID][]string{}},
					In: in, Out: out, Size: panes.Size{Cols: 80, Rows: 24},
					Profile: colorprofile.TrueColor, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Workspace: newWorkspace("reprise"),
					Save: func(context.Context) error { saved++; return nil },
				})
			}()
			keys := <-in.to
			p.out <- []byte("ready\n")
			for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
				if _, _, text := out.counts(); strings.Contains(text, "ready") {
					break
				}
				if time.Now().After(end) {
					t.Fatal("nothing is shown")
				}
			}
			out.breaks()
			if c.typed != "" {
				_, _ = io.WriteString(keys, c.typed)
			} else {
				p.out <- []byte("more\n")
			}
			var err error
			select {
			case err = <-ended:
			case <-time.After(patience):
				t.Fatal("the client does not end")
			}
			if err == nil || !strings.Contains(err.Error(), "a fault") || saved != 1 {
				t.Errorf("it ended with %v, saved %d times", err, saved)
			}
			close(in.done)
			p.end <- panes.Exit{}
			<-term.Done()
		})
	}
}
