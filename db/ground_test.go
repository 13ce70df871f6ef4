package db_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// Which writes wait for the disk: those on which a session depends, and no other.
func TestWhichWritesWaitForTheDisk(t *testing.T) {
	db.Listen(t)
	w := newWorld(t)
	soon := func(what string) {
		t.Helper()
		for _, care := range db.Cares() {
			if care == "FULL" {
				t.Errorf("%s waits for the disk", what)
			}
		}
	}
	lasts := func(what string) {
		t.Helper()
		all := db.Cares()
		if len(all) == 0 || slices.ContainsFunc(all, func(care string) bool { return care != "FULL" }) {
			t.Errorf("%s: commits with %q", what, all)
		}
	}
	soon("an instance")
	_, err := w.OpenWorkspace(w.ctx, "ws", t.TempDir(), w.inst)
	w.must(err)
	w.must(w.SaveLayoutSoon(w.ctx, "ws", w.inst, []byte(`{}`)))
	shell := w.record("shell")
	w.must(w.Begin(w.ctx, shell, nil))
	_, err = w.GateOpened(w.ctx, shell.ID)
	w.must(err)
	soon("a shell")

	second := w.record("shell-2")
	second.Pane = shell.Pane
	w.must(w.Begin(w.ctx, second, nil))
	soon("a shell in the pane of another")

	one, b := w.record("agent"), bind("agent", "s1")
	w.must(w.Begin(w.ctx, one, &b))
	lasts("an agent's launch")
	_, err = w.GateOpened(w.ctx, one.ID)
	w.must(err)
	lasts("an agent's gate")
	typed, b := w.record("typed"), bind("typed", "s2")
	typed.Shell, typed.Pane = second.ID, second.Pane
	w.must(w.Begin(w.ctx, typed, &b))
	lasts("an agent typed in a shell")
	w.end("agent", agent.TerminalExited, false, 1)
	lasts("an end")
	instead := w.record("instead")
	instead.Pane = one.Pane
	w.must(w.Begin(w.ctx, instead, nil))
	lasts("a shell in the pane of an agent")
	_, err = w.Dispose(w.ctx, instead.ID, at(2))
	w.must(err)
	lasts("a person's kill")
	w.must(w.SaveLayout(w.ctx, "ws", w.inst, []byte(`{"a":1}`)))
	lasts("a layout")
}

// Only a log that is new, and far from being emptied, is written without any care.
func TestCareForTheLog(t *testing.T) {
	db.Listen(t)
	w := newWorld(t)
	want := func(what, care string) {
		t.Helper()
		if all := db.Cares(); len(all) != 1 || all[0] != care {
			t.Errorf("%s: commits with %q, want %q", what, all, care)
		}
	}
	want("the first write", "OFF")
	_, err := w.OpenWorkspace(w.ctx, "ws", t.TempDir(), w.inst)
	w.must(err)
	want("the second", "OFF")
	w.must(w.SaveLayoutSoon(w.ctx, "ws", w.inst, bytes.Repeat([]byte("x"), db.MaxLayout)))
	want("one that is large", "OFF")
	if st, err := os.Stat(filepath.Join(w.dir, db.File+"-wal")); err != nil || st.Size() < db.MaxUnsynced {
		t.Fatalf("the log: %v, %v", st, err)
	}
	w.must(w.SaveLayoutSoon(w.ctx, "ws", w.inst, []byte(`{}`)))
	want("one behind much", "NORMAL")

	second := newWorld(t)
	want("another new database", "OFF")
	join(t, second.dir)
	want("the first write to a log that is there", "NORMAL")
	second.begin("t", "s1")
	db.Cares()
	w.must(second.Begin(w.ctx, second.record("shell"), nil))
	want("after a write that lasts", "NORMAL")
}

// held is an fsync that is held back, and what it was asked for.
type held struct {
	mu    sync.Mutex
	names []string
	begun chan struct{}
	let   chan error
}

func hold(d *db.DB) *held {
	h := &held{begun: make(chan struct{}, 16), let: make(chan error, 16)}
	db.OnSync(d, func(name string) error {
		h.mu.Lock()
		h.names = append(h.names, filepath.Base(name))
		h.mu.Unlock()
		h.begun <- struct{}{}
		return <-h.let
	})
	return h
}

// A write that lasts is not reported before that which its log lies on is on the disk:
// the database's file and its name.
func TestWritesWaitForWhatTheLogLiesOn(t *testing.T) {
	w := &world{TB: t, DB: open(t, t.TempDir(), db.Options{}), ctx: t.Context()}
	h := hold(w.DB)
	w.inst = must(w.Register(w.ctx, "test"))(t) // waits for nothing
	done := make(chan error, 1)
	go func() {
		one, b := w.record("agent"), bind("agent", "s1")
		done <- w.Begin(w.ctx, one, &b)
	}()
	for range 2 { // the file, its name
		<-h.begun
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			n, err := db.Count(w.ctx, w.DB, `SELECT count(*) FROM bindings`)
			w.must(err)
			if n == 1 { // it is in the log, which would be worth nothing
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the log waits for what it lies on")
			}
		}
		select {
		case err := <-done:
			t.Fatalf("reported before that: %v", err)
		default:
		}
		h.let <- nil
	}
	w.must(<-done)
	h.mu.Lock()
	defer h.mu.Unlock()
	if want := []string{db.File, filepath.Base(w.Dir())}; !slices.Equal(h.names[:2], want) {
		t.Errorf("on the disk are %q, want %q", h.names, want)
	}
	close(h.let) // what was written soon
}

// What an earlier process made may not be on the disk: each process sees to it once.
func TestTheGroundIsSettledOnceInAProcess(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	if !db.Settled(w.DB) {
		t.Fatal("a write that lasts does not wait")
	}
	var again atomic.Int32 // what was written soon waits, too, a little later, for the log
	db.OnSync(w.DB, func(name string) error {
		if filepath.Base(name) == db.File {
			again.Add(1)
		}
		return nil
	})
	second := join(t, w.dir)
	second.begin("u", "s2")
	if n := again.Load(); n != 0 || !db.Settled(second.DB) {
		t.Errorf("the same process waited %d times more", n)
	}
}

// The disk did not take what the log lies on: nothing is promised any more.
func TestGroundThatTheDiskDoesNotTake(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC} {
		w := &world{TB: t, DB: open(t, t.TempDir(), db.Options{}), ctx: t.Context()}
		db.OnSync(w.DB, func(string) error { return errno })
		w.inst = must(w.Register(w.ctx, "test"))(t)
		for n := range 2 {
			one := w.record(panes.TerminalID(fmt.Sprint(n)))
			b := bind(one.ID, agent.SessionID(fmt.Sprint("s", n)))
			err := w.Begin(w.ctx, one, &b)
			var no agent.Unsaved
			if !errors.As(err, &no) || !errors.Is(err, errno) {
				t.Errorf("%v: launch %d: %v", errno, n, err)
			}
			db.OnSync(w.DB, func(string) error { return nil }) // it tells it once
		}
	}
}

// What was written soon gets to the disk without another write.
func TestWhatWasWrittenSoonIsPutOnTheDisk(t *testing.T) {
	w := &world{TB: t, DB: open(t, t.TempDir(), db.Options{}), ctx: t.Context()}
	names := make(chan string, 16)
	db.OnSync(w.DB, func(name string) error { names <- filepath.Base(name); return nil })
	w.inst = must(w.Register(w.ctx, "test"))(t)
	dir := filepath.Base(w.Dir())
	for _, want := range []string{db.File, dir, db.File + "-wal", dir} {
		select {
		case got := <-names:
			if got != want {
				t.Errorf("put on the disk: %s, want %s", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s was not put on the disk", want)
		}
	}
}

// A fault in what is done beside a write is logged, and ends nothing else.
func TestAFaultBesideAWrite(t *testing.T) {
	told := make(chan string, 16)
	log := slog.New(slog.NewTextHandler(telling(told), nil))
	w := &world{TB: t, DB: open(t, t.TempDir(), db.Options{Log: log}), ctx: t.Context()}
	db.OnSync(w.DB, func(string) error { panic("no disk") })
	w.inst = must(w.Register(w.ctx, "test"))(t) // written soon
	select {
	case line := <-told:
		if !strings.Contains(line, "no disk") {
			t.Error(line)
		}
	case <-time.After(time.Minute):
		t.Fatal("nobody was told")
	}
	db.OnSync(w.DB, func(string) error { return nil })
	w.begin("t", "s1")
}

// telling is written lines.
type telling chan<- string

func (c telling) Write(b []byte) (int, error) {
	c <- string(b)
	return len(b), nil
}

// A new database that a power cut left half there is found, whatever is in its log, and
// another one made: nothing was promised of it.
func TestHalfANewDatabase(t *testing.T) {
	blank := must(os.ReadFile("blank.db"))(t)
	const page = 4096
	torn := map[string][]byte{"empty": {}}
	for n := range len(blank) / page {
		torn[fmt.Sprint("cut at page ", n)] = blank[:n*page]
		b := bytes.Clone(blank)
		clear(b[n*page : (n+1)*page])
		torn[fmt.Sprint("without page ", n)] = b
	}
	w := newWorld(t)
	_, err := w.OpenWorkspace(w.ctx, "ws", t.TempDir(), w.inst)
	w.must(err)
	log := must(os.ReadFile(filepath.Join(w.dir, db.File+"-wal")))(t)
	for name, b := range torn {
		for _, log := range [][]byte{nil, log[:len(log)/2], log} {
			t.Run(fmt.Sprint(name, ", log of ", len(log)), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				path := filepath.Join(dir, db.File)
				if err := errors.Join(os.WriteFile(path, b, 0o600), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
					t.Fatal(err)
				}
				w := join(t, dir)
				if len(log) == 0 && len(b) > 0 && !strings.Contains(w.SetAside, "damaged") {
					t.Errorf("taken for whole")
				}
				w.dead("t", "s1")
				if got := w.candidates(); !got["t"] {
					t.Errorf("candidates: %v", got)
				}
				if n, err := db.CountWriting(w.ctx, w.DB, `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`); err != nil || n != 0 {
					t.Errorf("%d faults, %v", n, err)
				}
			})
		}
	}
}
