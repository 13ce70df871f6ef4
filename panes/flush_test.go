package panes_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"reprise/panes"
)

// taker is a script whose pty takes so many bytes at once; what it is written by the
// writer comes to in, as the script's does.
type taker struct {
	*script
	mu    sync.Mutex
	takes int    // guarded by mu
	now   string // guarded by mu: what it took at once
}

func (p *taker) TTY() panes.TTY { return p }

func (p *taker) TryWrite(b []byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := min(len(b), p.takes)
	p.now += string(b[:n])
	return n
}

func (p *taker) took() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// playOn is play with a taker.
func playOn(t *testing.T, p *taker) *panes.Terminal {
	t.Helper()
	p.script = newScript()
	h := panes.NewHost(panes.HostOptions{Emulator: newFake, Launch: func(panes.Spec) (panes.Process, error) { return p, nil }})
	term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/"})
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func over(term *panes.Terminal, s *script) {
	s.die <- panes.Exit{}
	close(s.out)
	<-term.Done()
}

// A key is written by who typed it, and its writer stays asleep; what the pty does not
// take is the writer's, in order.
func TestAKeyIsWrittenByWhoTypedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &taker{takes: 100}
		term := playOn(t, p)
		synctest.Wait() // the writer waits
		for _, key := range []string{"a", "b"} {
			if err := term.Type([]byte(key)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // a writer that was woken would have it by now
			term.Flush()
		}
		synctest.Wait()
		if got := p.took(); got != "ab" {
			t.Errorf("%q at once", got)
		}
		term.Flush() // of nothing
		p.mu.Lock()
		p.takes = 2
		p.mu.Unlock()
		_ = term.Type([]byte("cdef"))
		term.Flush()
		_ = term.Send([]byte("gh"))
		var rest string
		for len(rest) < 4 {
			rest += string(<-p.in)
		}
		if got := p.took() + rest; got != "abcdefgh" {
			t.Errorf("the program read %q", got)
		}
		over(term, p.script)
		if err := term.Type([]byte("x")); err == nil {
			t.Error("a dead program takes a key")
		}
		term.Flush()
	})
}

// What is typed while the writer waits for the program stays behind what it has in hand.
func TestAKeyWaitsBehindTheWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &taker{}
		term := playOn(t, p)
		_ = term.Send([]byte("first "))
		synctest.Wait() // the writer has it
		p.mu.Lock()
		p.takes = 100
		p.mu.Unlock()
		_ = term.Type([]byte("second "))
		term.Flush()
		synctest.Wait()
		if got := p.took(); got != "" {
			t.Errorf("%q overtook what the writer has", got)
		}
		var got string
		for len(got) < len("first second ") {
			got += string(<-p.in)
		}
		if got != "first second " {
			t.Errorf("the program read %q", got)
		}
		over(term, p.script)
	})
}

// A program of the system gets what was typed, and what does not fit its pty, once.
func TestFlushToAProgram(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", "stty -echo raw; echo up; head -c 20000 | tr -d '\\n' | wc -c; echo whole")
	waitText(t, term, "up")
	line := []byte(strings.Repeat("x", 10))
	for range 2000 {
		if err := term.Type(line); err != nil {
			t.Fatal(err)
		}
		term.Flush()
	}
	waitText(t, term, "whole")
	if text := screenText(term); !strings.Contains(text, "20000") {
		t.Errorf("the program read another number of bytes:\n%s", text)
	}
}
