package ui_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
)

// slow is a terminal that takes a write when it is let.
type slow struct {
	mu    sync.Mutex
	begun int
	got   bytes.Buffer
	let   chan error // each write takes one
}

func (s *slow) Write(b []byte) (int, error) {
	s.mu.Lock()
	s.begun++
	s.mu.Unlock()
	if err := <-s.let; err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(b)
}

func (s *slow) writes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

func (s *slow) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.String()
}

// The next frame is made when the last one was taken: what was skipped meanwhile
// is never shown, and nothing queues up. Others are not delayed.
func TestASlowTerminalSeesFewerFramesAndDelaysNobody(t *testing.T) {
	var out *slow
	runWith(t, 1, func(cfg *ui.Config) {
		out = &slow{let: make(chan error)}
		cfg.Out = out
	}, func(c *client) {
		d := c.beside("second", func(*ui.Config) {})
		defer d.m.Close()
		out.let <- nil // the first frame
		c.settle()
		was := out.writes()
		for i := range 20 {
			c.programs[0].out <- fmt.Appendf(nil, "line %d\n", i)
			c.wait(50 * time.Millisecond)
			d.settle()
			c.press("k")
		}
		if n := out.writes() - was; n != 1 {
			t.Errorf("%d writes at a time", n)
		}
		if got := c.programs[0].typed(); got != strings.Repeat("k", 20) {
			t.Errorf("%d of 20 keys reached the program while a frame was written", len(got))
		}
		d.sees("line 0 ", "line 19 ")
		out.let <- nil
		c.settle()
		if n := out.writes() - was; n != 2 {
			t.Errorf("%d writes after the frame was taken, want 2", n)
		}
		out.let <- nil
		c.settle()
		if got := out.text(); !strings.Contains(got, "line 0") || !strings.Contains(got, "line 19") {
			t.Errorf("the last state was not drawn: %q", got)
		}
		if n := out.writes() - was; n != 2 {
			t.Errorf("%d writes for what was drawn already", n)
		}
		c.programs[0].out <- []byte("more\n")
		c.settle()
		out.let <- errors.New("the client is stuck") // gave up on
		c.settle()
		if !c.quit || c.m.Err() != nil || c.saved != 1 {
			t.Errorf("after the end of its terminal: quit %v, err %v, saved %d times", c.quit, c.m.Err(), c.saved)
		}
		d.sees("more")
	})
}

func TestSuspend(t *testing.T) {
	var out *slow
	stopped := 0
	runWith(t, 1, func(cfg *ui.Config) {
		out = &slow{let: make(chan error, 100)}
		out.let <- nil
		cfg.Out = out
		cfg.Suspend = func() {
			if !strings.HasSuffix(out.text(), ui.Reset) {
				t.Error("the terminal is not put back when the client stops")
			}
			stopped++
		}
	}, func(c *client) {
		c.programs[0].out <- []byte("before\n")
		c.settle() // this frame is being written
		c.press("ctrl+b", "ctrl+z")
		c.settle()
		if stopped != 0 {
			t.Fatal("it stopped while a frame was being written")
		}
		c.press("ctrl+b", "ctrl+z") // once is enough
		out.let <- nil
		out.let <- nil
		c.settle()
		if stopped != 1 {
			t.Fatalf("it stopped %d times", stopped)
		}
		was := out.writes()
		c.programs[0].out <- []byte("meanwhile\n")
		c.wait(3 * time.Minute)
		if out.writes() != was {
			t.Error("something was written while it was stopped")
		}
		for range 5 {
			out.let <- nil
		}
		out.mu.Lock()
		out.got.Reset()
		out.mu.Unlock()
		c.update(ui.Resumed())
		c.settle()
		got := out.text()
		enter := strings.Index(got, "\x1b[?1049h")
		if enter < 0 || strings.Index(got, "before") < enter || strings.Index(got, "meanwhile") < enter {
			t.Errorf("it is not drawn anew behind what prepares the terminal: %q", got)
		}
		if !strings.Contains(got, "\x1b]2;zsh - reprise") {
			t.Error("the title is not told again")
		}
		c.press("ctrl+b", "ctrl+z")
		c.settle()
		if stopped != 2 {
			t.Error("it cannot be suspended again")
		}
	})
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "ctrl+z")
		c.sees("This client cannot be suspended.")
	})
}

// Keys go through a whole Program to their program while the terminal takes
// nothing; at the end the terminal is put back behind what it was taking.
func TestRunPassesKeysOnDuringASlowFrame(t *testing.T) {
	host, term, p := oneProgram(t)
	agents := &agents{host: host, views: map[panes.PaneID]agent.PaneView{}, queue: map[panes.PaneID][]string{}}
	in, keys := io.Pipe()
	out := &slow{let: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- ui.Run(ctx, ui.Config{
			Host: host, Resumer: agents, Launcher: agents, In: in, Out: out, Size: panes.Size{Cols: 80, Rows: 24},
			Profile: colorprofile.TrueColor, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Workspace: newWorkspace("reprise"),
		})
	}()
	until := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("not in time: %s", what)
			}
		}
	}
	out.let <- nil // what prepares it
	until("the first frame", func() bool { return out.writes() == 2 })
	if _, err := io.WriteString(keys, "typed"); err != nil {
		t.Fatal(err)
	}
	var got string
	until("the keys at their program", func() bool { got += p.typed(); return got == "typed" })
	if n := out.writes(); n != 2 {
		t.Errorf("%d writes were begun", n)
	}
	cancel()
	for done := false; !done; {
		select {
		case out.let <- nil:
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			done = true
		case <-time.After(patience):
			t.Fatal("the client does not end")
		}
	}
	if got := out.text(); !strings.HasSuffix(got, ui.Reset) || strings.Count(got, ui.Reset) != 1 {
		t.Errorf("the terminal is left with %q", got[max(0, len(got)-100):])
	}
	_ = keys.Close()
	p.end <- panes.Exit{}
	<-term.Done()
}
