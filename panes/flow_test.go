package panes_test

import (
	"errors"
	"io"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reprise/panes"
)

// script is a Process whose pty and death the test plays.
type script struct {
	out     chan []byte // what the program prints
	in      chan []byte // what it reads; a write waits until somebody reads
	die     chan panes.Exit
	stop    chan time.Time
	closed  chan struct{}
	closing sync.Once
	late    <-chan time.Time // the reader's
}

func newScript() *script {
	return &script{
		out: make(chan []byte), in: make(chan []byte), die: make(chan panes.Exit, 1),
		stop: make(chan time.Time, 1), closed: make(chan struct{}),
	}
}

func (s *script) ID() panes.ProcessID    { return panes.ProcessID{PID: 4711, Start: 1, Boot: "b"} }
func (s *script) TTY() panes.TTY         { return s }
func (s *script) Gate(bool) error        { return nil }
func (s *script) Signal(os.Signal) error { return nil }
func (s *script) Wait() panes.Exit       { return <-s.die }

func (s *script) Read(take func([]byte)) error {
	for {
		select {
		case b, ok := <-s.out:
			if !ok {
				return io.EOF
			}
			take(b)
			return nil
		case at := <-s.stop:
			s.late = time.After(time.Until(at))
		case <-s.late:
			return os.ErrDeadlineExceeded
		case <-s.closed:
			return os.ErrClosed
		}
	}
}

func (s *script) Write(p []byte) (int, error) {
	select {
	case s.in <- append([]byte(nil), p...):
		return len(p), nil
	case <-s.closed:
		return 0, os.ErrClosed
	}
}

func (s *script) StopReading(at time.Time) error { s.stop <- at; return nil }
func (s *script) SetSize(panes.Size) error       { return nil }
func (s *script) Close() error                   { s.closing.Do(func() { close(s.closed) }); return nil }

func play(t *testing.T) (*panes.Host, *panes.Terminal, *script) {
	t.Helper()
	s := newScript()
	h := panes.NewHost(panes.HostOptions{
		Emulator: newFake,
		Launch:   func(panes.Spec) (panes.Process, error) { return s, nil },
	})
	term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/"})
	if err != nil {
		t.Fatal(err)
	}
	return h, term, s
}

const (
	open = "\x1b[?2026h"
	shut = "\x1b[?2026l"
)

// A synchronized update holds seq and wake until it is closed, or for 150 ms.
func TestSynchronizedUpdate(t *testing.T) {
	type step struct {
		print string
		wait  time.Duration
		moves bool // seq moves in this step
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"closed in time", []step{{print: open + "a"}, {print: "b", wait: 100 * time.Millisecond}, {print: shut, moves: true}, {wait: time.Second}}},
		{"in one piece", []step{{print: open + "a" + shut, moves: true}, {wait: time.Second}}},
		{"too long", []step{{print: open + "a", wait: 149 * time.Millisecond}, {wait: 2 * time.Millisecond, moves: true}, {print: "b", moves: true}, {print: shut, moves: true}, {print: open + "c"}}},
		{"counted from its opening", []step{{print: open, wait: 100 * time.Millisecond}, {print: "b", wait: 49 * time.Millisecond}, {wait: 2 * time.Millisecond, moves: true}}},
		{"one after another", []step{{print: open}, {wait: 100 * time.Millisecond}, {print: shut, moves: true}, {print: open, wait: 100 * time.Millisecond}, {print: shut, moves: true}, {wait: time.Second}}},
		{"none", []step{{print: "a", moves: true}, {print: "b", moves: true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, term, s := play(t)
				wake, _ := h.Subscribe()
				for i, step := range tt.steps {
					before := term.Seq()
					if step.print != "" {
						s.out <- []byte(step.print)
					}
					synctest.Wait()
					time.Sleep(step.wait)
					synctest.Wait()
					if moved := term.Seq() != before; moved != step.moves {
						t.Errorf("step %d: seq moved: %v", i, moved)
					}
					select {
					case <-wake:
						if !step.moves {
							t.Errorf("step %d: woken", i)
						}
					default:
						if step.moves {
							t.Errorf("step %d: not woken", i)
						}
					}
				}
				s.die <- panes.Exit{}
				close(s.out)
				<-term.Done()
			})
		})
	}
}

// Death shows what was held.
func TestDeathEndsAnUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, term, s := play(t)
		s.out <- []byte(open + "half")
		synctest.Wait()
		before := term.Seq()
		s.die <- panes.Exit{Status: 1}
		close(s.out)
		<-term.Done()
		if term.Seq() == before || term.LastLine() == "" {
			t.Error("it is not shown")
		}
	})
}

// Death is the process's: what holds or floods the pty afterwards delays Done by
// 250 ms at most, and what it prints in them is taken in.
func TestDrain(t *testing.T) {
	tests := []struct {
		name  string
		after func(s *script)
		want  time.Duration
	}{
		{"closed at once", func(s *script) { close(s.out) }, 100 * time.Millisecond},
		{"held in silence", func(*script) {}, 250 * time.Millisecond},
		{"flooded", func(s *script) {
			for {
				select {
				case s.out <- []byte("more\n"):
					time.Sleep(time.Millisecond)
				case <-s.closed:
					return
				}
			}
		}, 260 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, term, s := play(t)
				born := time.Now()
				time.Sleep(time.Second)
				died := time.Now()
				s.die <- panes.Exit{Status: 4}
				go tt.after(s)
				<-term.Done()
				if took := time.Since(died); took > tt.want {
					t.Errorf("done after %v, want at most %v", took, tt.want)
				}
				exit, at, ok := term.Exit()
				if exit.Status != 4 || !at.Equal(died) || !ok || !at.After(born) {
					t.Errorf("exit %+v at %v %v, want 4 at %v", exit, at, ok, died)
				}
				<-s.closed // the pty is not left open
			})
		})
	}
}

// An error of the pty while the program lives is no end.
func TestReadErrorIsNoDeath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, term, s := play(t)
		close(s.out)
		time.Sleep(time.Hour)
		if _, _, dead := term.Exit(); dead {
			t.Error("it is called dead")
		}
		s.die <- panes.Exit{}
		<-term.Done()
	})
}

func TestInputOrderAndBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, term, s := play(t)
		send := func(b []byte) error { return term.Send(b) }
		// The writer hangs with this one.
		if err := send([]byte("first ")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		key := term.LastKey()
		if !key.Equal(time.Now()) {
			t.Errorf("last key %v", key)
		}
		s.out <- []byte("\x1b[c") // a query: its reply waits behind
		synctest.Wait()
		if err := send([]byte("last")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if err := send(make([]byte, 1<<20-10)); err != nil {
			t.Fatal(err) // first, last and this are 1 MiB
		}
		key = term.LastKey()
		time.Sleep(time.Second)
		if err := send([]byte("x")); !errors.Is(err, panes.ErrInputFull) {
			t.Errorf("one more: %v", err)
		}
		if !term.LastKey().Equal(key) {
			t.Error("a key that was not taken counts")
		}
		// Replies have their own reserve, and no more than that.
		for range 20_000 {
			s.out <- []byte("\x1b[c")
		}
		synctest.Wait()
		var got []byte
		for len(got) < len("first \x1b[?62clast") {
			got = append(got, <-s.in...)
		}
		if want := "first \x1b[?62clast"; string(got[:len(want)]) != want {
			t.Errorf("got %q, want %q", got[:len(want)], want)
		}
		total := len(got)
		synctest.Wait()
		for waits := true; waits; {
			select {
			case b := <-s.in:
				total += len(b)
				synctest.Wait()
			default:
				waits = false
			}
		}
		if most := 1<<20 + 64<<10; total > most || total < 1<<20+60<<10 {
			t.Errorf("%d bytes were written, want nearly %d", total, most)
		}
		if err := send([]byte("x")); err != nil {
			t.Errorf("after it read: %v", err)
		}
		s.die <- panes.Exit{}
		close(s.out)
		<-term.Done()
	})
}
