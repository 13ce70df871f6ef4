package db_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// images is a process that executes itself anew, twice: each image goes on as the
// instance of the one before. It says when it is the last, and ends with its input.
func images(ctx context.Context, dir string, args []string) error {
	self, err := panes.Identify(os.Getpid())
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, dir, db.Options{Judge: obey, Self: self})
	if err != nil {
		return err
	}
	if len(args) == 0 {
		inst, err := d.Register(ctx, "build-0")
		if err != nil {
			return err
		}
		w, err := d.OpenWorkspace(ctx, "held", dir, inst)
		if err != nil {
			return err
		}
		t := agent.Terminal{ID: "t", Pane: "p", Nonce: "n", Process: self, Instance: inst, Created: at(0)}
		b := bind("t", "s1")
		if err := errors.Join(d.Begin(ctx, t, &b), d.SaveLayout(ctx, w.Name, inst, []byte("first"))); err != nil {
			return err
		}
		return nextImage(d, dir, 1)
	}
	n, err1 := strconv.Atoi(args[0])
	fd, err2 := strconv.Atoi(args[2])
	inst := agent.InstanceID(args[1])
	if err := errors.Join(err1, err2, d.Adopt(ctx, "build-"+args[0], inst, fd)); err != nil {
		return err
	}
	if n < 2 {
		return nextImage(d, dir, n+1)
	}
	if err := d.SaveLayout(ctx, "held", inst, []byte("last")); err != nil {
		return err
	}
	fmt.Println("adopted")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, d.Close())
}

// nextImage executes this test's binary in the same process.
func nextImage(d *db.DB, dir string, n int) error {
	id, fd, err := d.Handover()
	if err != nil {
		return err
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0); err != nil {
		return err
	}
	return syscall.Exec(os.Args[0], []string{os.Args[0], dir, strconv.Itoa(n), string(id), strconv.Itoa(fd)}, os.Environ())
}

// A process that executes another image of itself is the same instance after it:
// nobody takes it for dead at any time, its workspace is still its own, and the
// binaries of the images before are kept for the agents that call them.
func TestAdoptAcrossExec(t *testing.T) {
	w := newWorld(t)
	cmd := helper(t, "images", w.dir)
	in := must(cmd.StdinPipe())(t)
	out := must(cmd.StdoutPipe())(t)
	cmd.Stderr = os.Stderr
	w.must(cmd.Start())
	said := make(chan string, 1)
	go func() {
		line := bufio.NewScanner(out)
		line.Scan()
		said <- line.Text()
	}()
	for line := ""; line != "adopted"; {
		select {
		case line = <-said:
			if line != "adopted" {
				t.Fatalf("it ended: %q, %v", line, cmd.Wait())
			}
		default:
		}
		if dead := w.deadOnes(); len(dead) != 0 {
			t.Fatal("taken for dead while it executes itself")
		}
	}
	ws := must(w.Workspaces(w.ctx))(t)
	if len(ws) != 1 || !ws[0].Live || ws[0].PID != cmd.Process.Pid {
		t.Errorf("the workspace: %+v", ws)
	}
	if _, err := w.OpenWorkspace(w.ctx, "held", w.dir, w.inst); !errors.Is(err, db.ErrOwned) {
		t.Errorf("opened by another: %v", err)
	}
	if got, want := must(w.Builds(w.ctx))(t), []string{"build-0", "build-1", "build-2", "test"}; !slices.Equal(got, want) {
		t.Errorf("builds %v, want %v", got, want)
	}
	if r := w.reason("t"); r != agent.Live {
		t.Errorf("its terminal is %q", r)
	}
	w.must(in.Close())
	w.must(cmd.Wait())
	if dead := w.deadOnes(); len(dead) != 1 || dead[0] != ws[0].Owner {
		t.Errorf("after its end %v are dead", dead)
	}
	if again := must(w.OpenWorkspace(w.ctx, "held", w.dir, w.inst))(t); string(again.Layout) != "last" {
		t.Errorf("layout %q", again.Layout)
	}
}

// again is the descriptor of an instance's lock as the next image has it: the same
// open file.
func again(t *testing.T, d *db.DB) (agent.InstanceID, int) {
	t.Helper()
	id, fd, err := d.Handover()
	if err != nil {
		t.Fatal(err)
	}
	return id, must(unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3))(t)
}

func TestAdoptInPlace(t *testing.T) {
	w := newWorld(t)
	must(w.OpenWorkspace(w.ctx, "x", w.dir, w.inst))(t)
	other := join(t, w.dir)
	id, fd := again(t, w.DB)
	next := open(t, w.dir, db.Options{})
	w.must(next.Adopt(w.ctx, "new", id, fd))
	w.must(next.SaveLayout(w.ctx, "x", id, []byte("one")))
	if got := must(next.Register(w.ctx, "new"))(t); got != id {
		t.Errorf("registered anew as %s", got)
	}
	if err := next.Adopt(w.ctx, "new", id, fd); err == nil {
		t.Error("adopted twice")
	}
	// The image before is gone with its descriptor: the lock is not.
	w.must(db.LoseLock(w.DB))
	w.begin("t", "s1")
	if dead := other.deadOnes(); len(dead) != 0 {
		t.Errorf("%v are dead", dead)
	}
	w.must(next.Close())
	if dead := other.deadOnes(); len(dead) != 1 || dead[0] != id {
		t.Errorf("after it left, %v are dead", dead)
	}
}

func TestAdoptRefuses(t *testing.T) {
	self := panes.ProcessID{PID: os.Getpid(), Start: 7, Boot: "boot"}
	for name, c := range map[string]struct {
		change func(w *world, id agent.InstanceID, fd *int) agent.InstanceID
		self   panes.ProcessID
		closed bool // the descriptor is closed: nothing may hold the lock any more
	}{
		"no such instance": {self: self, change: func(w *world, _ agent.InstanceID, _ *int) agent.InstanceID { return "nobody" }},
		"another file": {self: self, change: func(w *world, id agent.InstanceID, fd *int) agent.InstanceID {
			w.must(unix.Close(*fd))
			*fd = must(unix.Open(filepath.Join(w.dir, db.File), unix.O_RDONLY, 0))(w)
			return id
		}},
		"a closed descriptor": {self: self, change: func(w *world, id agent.InstanceID, fd *int) agent.InstanceID {
			w.must(unix.Close(*fd))
			return id
		}},
		"a lock that another process holds": {self: self, closed: true, change: func(w *world, id agent.InstanceID, fd *int) agent.InstanceID {
			w.must(unix.Close(*fd))
			*fd = must(unix.Open(filepath.Join(w.dir, "instances", string(id)+".lock"), unix.O_RDONLY, 0))(w)
			return id
		}},
		"another process": {closed: true, self: panes.ProcessID{PID: 4711, Start: 7, Boot: "boot"}},
		"a reused pid":    {closed: true, self: panes.ProcessID{PID: os.Getpid(), Start: 8, Boot: "boot"}},
		"swept": {self: self, closed: true, change: func(w *world, id agent.InstanceID, _ *int) agent.InstanceID {
			w.must(db.Exec(w.ctx, w.DB, `UPDATE instances SET swept = 1 WHERE id = ?`, id))
			return id
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, db.Options{Self: self})
			id, fd := again(t, w.DB)
			if c.change != nil {
				id = c.change(w, id, &fd)
			}
			next := open(t, w.dir, db.Options{Self: c.self})
			if err := next.Adopt(w.ctx, "new", id, fd); !errors.Is(err, db.ErrNotAdopted) {
				t.Errorf("adopted: %v", err)
			}
			if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); c.closed && err == nil {
				t.Error("the lock file is still open")
			} else if !c.closed && err == nil {
				w.must(unix.Close(fd))
			}
			if got, err := next.Register(w.ctx, "new"); err != nil || got == id {
				t.Errorf("registered as %q: %v", got, err)
			}
		})
	}
}

func TestHandoverOfNobody(t *testing.T) {
	d := open(t, t.TempDir(), db.Options{})
	if _, _, err := d.Handover(); !errors.Is(err, db.ErrNotAdopted) {
		t.Errorf("%v", err)
	}
}
