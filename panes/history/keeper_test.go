package history_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"reprise/panes"
	"reprise/panes/history"
	"reprise/panes/vt"
)

// program is a process that prints what a test lets it print.
type program struct {
	out  chan []byte
	gone chan struct{}
}

func (p *program) ID() panes.ProcessID    { return panes.ProcessID{PID: 1 << 30} }
func (p *program) TTY() panes.TTY         { return p }
func (p *program) Gate(bool) error        { return nil }
func (p *program) Signal(os.Signal) error { return nil }

func (p *program) Wait() panes.Exit {
	<-p.gone
	return panes.Exit{Signal: int(syscall.SIGKILL), Status: 128 + int(syscall.SIGKILL)}
}

func (p *program) Read(take func([]byte)) error {
	select {
	case out := <-p.out:
		take(out)
		return nil
	case <-p.gone:
		return io.EOF
	}
}

func (p *program) Write(b []byte) (int, error) { return len(b), nil }
func (p *program) StopReading(time.Time) error { return nil }
func (p *program) SetSize(panes.Size) error    { return nil }
func (p *program) Close() error                { return nil }

// stage is a host with programs, a keeper at work, and counts of what it does.
type stage struct {
	*panes.Host
	t      *testing.T
	store  *history.Store
	dir    string
	keeper *history.Keeper
	looks  atomic.Int64
	texts  atomic.Int64
	told   []error // read and written while everybody else waits
	slow   func()  // called before each text
	last   map[panes.PaneID]*program
}

// Layout counts a keeper's looks.
func (s *stage) Layout() panes.Layout {
	s.looks.Add(1)
	return s.Host.Layout()
}

// newStage must be called in a bubble of synctest.
func newStage(t *testing.T) *stage {
	t.Helper()
	var made []*program
	s := &stage{t: t, dir: filepath.Join(t.TempDir(), "h"), slow: func() {}, last: map[panes.PaneID]*program{}}
	s.store = history.NewStore(s.dir, history.Options{})
	s.Host = panes.NewHost(panes.HostOptions{Launch: func(spec panes.Spec) (panes.Process, error) {
		p := &program{out: make(chan []byte), gone: make(chan struct{})}
		made = append(made, p)
		s.last[spec.Pane] = p
		return p, nil
	}})
	s.keeper = history.NewKeeper(history.KeeperOptions{
		Host: s, Store: s.store,
		Text: func(term *panes.Terminal) []byte {
			s.slow()
			s.texts.Add(1)
			return screen(term)
		},
		Told: func(err error) { s.told = append(s.told, err) },
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.keeper.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		for _, p := range made {
			close(p.gone)
		}
	})
	return s
}

// open makes a pane with a program.
func (s *stage) open() panes.PaneID {
	s.t.Helper()
	var beside panes.PaneID
	if all := s.Host.Layout().Panes(); len(all) > 0 {
		beside = all[0]
	}
	p, err := s.Split(beside, panes.Down, panes.Size{Cols: 80, Rows: 100})
	if err != nil {
		s.t.Fatal(err)
	}
	s.run(p)
	return p
}

// run lets a pane show a new program.
func (s *stage) run(p panes.PaneID) {
	s.t.Helper()
	term, err := s.Start(s.t.Context(), panes.Spec{Pane: p, Argv: []string{"program"}, Dir: "/"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.Point(p, term.ID())
}

// print lets the pane's program print.
func (s *stage) print(p panes.PaneID, out string) {
	s.last[p].out <- []byte(out)
	synctest.Wait()
}

// pass lets time pass.
func (s *stage) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *stage) want(p panes.PaneID, want string) {
	s.t.Helper()
	if got := text(s.t, s.store, p); got != want {
		s.t.Errorf("saved is %q, want %q", got, want)
	}
}

// screen is what a terminal shows, without the blank lines below.
func screen(term *panes.Terminal) []byte {
	var scr vt.Screen
	term.Snapshot(&scr)
	var b []byte
	for y := range scr.Rows {
		for _, c := range scr.Row(y) {
			b = scr.AppendText(b, c)
		}
		b = append(bytes.TrimRight(b, " "), '\n')
	}
	return append(bytes.TrimRight(b, "\n"), '\n')
}

func TestKeeperWaitsUntilQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p := s.open()
		s.print(p, "one")
		s.pass(time.Second)
		s.want(p, "")
		s.pass(3 * time.Second)
		s.want(p, "one\n")
		r, err := s.store.Load(p)
		if err != nil || r.Cols != 80 || time.Since(r.At) > 4*time.Second {
			t.Errorf("%d columns at %v, %v", r.Cols, r.At, err)
		}
		s.print(p, " two")
		s.pass(4 * time.Second)
		s.want(p, "one two\n")
	})
}

// A pane that changes all the time is saved every 10 s, and once it is quiet.
func TestKeeperOfBusyPane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p := s.open()
		for range 600 {
			s.print(p, "x")
			s.pass(100 * time.Millisecond)
		}
		if got := s.texts.Load(); got < 4 || got > 6 {
			t.Errorf("saved %d times in a minute", got)
		}
		if got := s.looks.Load(); got > 62 {
			t.Errorf("looked %d times in a minute", got)
		}
		s.pass(5 * time.Second)
		s.want(p, strings.Repeat(strings.Repeat("x", 80)+"\n", 7)+strings.Repeat("x", 40)+"\n")
	})
}

// Of the busy neighbour a quiet pane is not saved again.
func TestKeeperLeavesQuietPanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p, q := s.open(), s.open()
		s.print(p, "quiet")
		s.pass(5 * time.Second)
		if err := s.store.Remove(p); err != nil {
			t.Fatal(err)
		}
		for range 60 {
			s.print(q, "x")
			s.pass(time.Second)
		}
		s.want(p, "")
	})
}

func TestKeeperSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		for range 5 {
			s.print(s.open(), "text")
		}
		s.pass(time.Minute)
		looks, texts := s.looks.Load(), s.texts.Load()
		if texts == 0 {
			t.Error("nothing was saved")
		}
		s.pass(10 * time.Minute)
		if l, n := s.looks.Load()-looks, s.texts.Load()-texts; l != 0 || n != 0 {
			t.Errorf("%d looks and %d texts while nothing changed", l, n)
		}
	})
}

// What is the same as before is not written: programs redraw a lot.
func TestKeeperSkipsSameText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p := s.open()
		s.print(p, "same")
		s.pass(5 * time.Second)
		if err := s.store.Remove(p); err != nil {
			t.Fatal(err)
		}
		s.print(p, "\rsame")
		s.pass(5 * time.Second)
		s.want(p, "")
		if s.texts.Load() != 2 {
			t.Errorf("%d texts", s.texts.Load())
		}
		s.print(p, "!")
		s.pass(5 * time.Second)
		s.want(p, "same!\n")
	})
}

func TestKeeperOfBlankPanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p, q := s.open(), s.open()
		save(t, s.store, p, "of the last start\n")
		s.print(p, "\x1b[2J") // it changes, but shows nothing
		s.print(q, "secret")
		s.pass(5 * time.Second)
		s.want(p, "of the last start\n")
		s.want(q, "secret\n")
		s.print(q, "\x1b[H\x1b[2J\x1b[3J") // cleared by a person: it is gone from the disk, too
		s.pass(5 * time.Second)
		s.want(q, "")
		// The next program starts with a blank screen.
		s.print(p, "text")
		s.pass(5 * time.Second)
		s.run(p)
		s.pass(time.Minute)
		s.want(p, "text\n")
		s.print(p, "more")
		s.pass(5 * time.Second)
		s.want(p, "more\n")
	})
}

func TestKeeperOfGonePanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p, q := s.open(), s.open()
		s.print(p, "p")
		s.print(q, "q")
		s.pass(5 * time.Second)
		s.Close(p)
		term := s.Shown(q)
		s.print(q, " and the end")
		s.pass(1100 * time.Millisecond) // it is known to have changed, but not saved
		close(s.last[q].gone)
		s.last[q].gone = make(chan struct{}) // for the cleanup
		<-term.Done()
		s.Retire(term.ID())
		s.pass(5 * time.Second)
		s.want(p, "p\n")
		s.want(q, "q\n")
		if err := s.keeper.Flush(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestKeeperFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p, q := s.open(), s.open()
		s.print(p, "p")
		s.print(q, "q")
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.keeper.Flush(over); !errors.Is(err, context.Canceled) {
			t.Errorf("after its end: %v", err)
		}
		synctest.Wait()
		if s.texts.Load() != 0 {
			t.Errorf("%d texts after its end", s.texts.Load())
		}
		if err := s.keeper.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.want(p, "p\n")
		s.want(q, "q\n")
		s.texts.Store(0)
		if err := s.keeper.Flush(t.Context()); err != nil || s.texts.Load() != 0 {
			t.Errorf("nothing to do: %d texts, %v", s.texts.Load(), err)
		}
	})
}

// A disk that hangs does not hold up the end.
func TestKeeperFlushHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p, q := s.open(), s.open()
		s.print(p, "p")
		s.print(q, "q")
		s.slow = func() { time.Sleep(time.Hour) }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := s.keeper.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("took %v", took)
		}
		s.pass(2 * time.Hour)
		// The loop goes on with what Flush left.
		s.slow = func() {}
		s.pass(10 * time.Minute)
		s.want(p, "p\n")
		s.want(q, "q\n")
	})
}

func TestKeeperFlushSurvivesFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p := s.open()
		s.print(p, "p")
		s.slow = func() { panic("fault") }
		if err := s.keeper.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "fault") {
			t.Errorf("%v", err)
		}
		s.slow = func() {}
		if err := s.keeper.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		s.want(p, "p\n")
	})
}

// Two saves are never under way at a time, and slow ones make the keeper rest.
func TestKeeperRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		var under atomic.Int64
		s.slow = func() {
			if under.Add(1) > 1 {
				t.Error("two saves at a time")
			}
			time.Sleep(time.Second)
			under.Add(-1)
		}
		p := s.open()
		for range 300 {
			s.print(p, "x")
			s.pass(time.Second)
			if s.texts.Load()%3 == 1 {
				go func() { _ = s.keeper.Flush(t.Context()) }()
			}
		}
		s.pass(10 * time.Minute)
		s.texts.Store(0)
		for range 300 {
			s.print(p, "x")
			s.pass(time.Second)
		}
		if got := s.texts.Load(); got < 8 || got > 15 {
			t.Errorf("%d saves of a second each in 5 minutes", got)
		}
	})
}

func TestKeeperTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		if err := os.WriteFile(s.dir, nil, 0o600); err != nil { // no folder can be made there
			t.Fatal(err)
		}
		p, q := s.open(), s.open()
		s.print(p, "p")
		s.print(q, "q")
		for range 10 {
			s.print(q, "q")
			s.pass(30 * time.Second)
		}
		if len(s.told) != 1 || !errors.Is(s.told[0], syscall.ENOTDIR) {
			t.Errorf("told %v", s.told)
		}
		if got := s.texts.Load(); got > 12 {
			t.Errorf("%d tries of two panes in 5 minutes", got)
		}
		if err := s.keeper.Flush(t.Context()); !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("flush: %v", err)
		}
		if err := os.Remove(s.dir); err != nil {
			t.Fatal(err)
		}
		s.pass(2 * time.Minute)
		if len(s.told) != 2 || s.told[1] != nil {
			t.Errorf("told %v", s.told)
		}
		s.want(p, "p\n")
		s.want(q, strings.Repeat("q", 11)+"\n")
		s.pass(time.Minute)
		looks := s.looks.Load()
		s.pass(10 * time.Minute)
		if got := s.looks.Load(); got != looks {
			t.Errorf("%d looks after it was well", got-looks)
		}
	})
}

// Whatever cannot be saved, the file of before stays.
func TestKeeperKeepsOldFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		p := s.open()
		s.print(p, "old")
		s.pass(5 * time.Second)
		path := filepath.Join(s.dir, string(p)+".zst")
		if err := os.Rename(path, path+".old"); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		s.print(p, " new")
		s.pass(time.Minute)
		if len(s.told) != 1 || s.told[0] == nil {
			t.Errorf("told %v", s.told)
		}
		// The pane is closed: there is nothing left that cannot be saved.
		s.Close(p)
		s.pass(time.Minute)
		if len(s.told) != 2 || s.told[1] != nil {
			t.Errorf("told %v", s.told)
		}
		if _, err := os.Stat(path + ".old"); errors.Is(err, fs.ErrNotExist) {
			t.Error("the old file is gone")
		}
	})
}
