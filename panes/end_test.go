package panes_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"reprise/panes"
	"reprise/testdata/lab"
)

func TestEndProcess(t *testing.T) {
	// The scripts print who must be gone; * is what outlives which signal.
	tests := []struct {
		name, script string
		signal       int // that ends the leader; 0: it exits by itself
		kin          int // processes beside the leader
	}{
		{"plain", `echo up; exec sleep 60`, 1, 0},
		{"ignores HUP", `trap "" HUP; echo up; exec sleep 60`, 15, 0},
		{"ignores HUP and TERM", `trap "" HUP TERM; echo up; while :; do sleep 60; done`, 9, 1},
		{"exits 0 on HUP", `trap "exit 0" HUP; echo up; while :; do sleep 0.02; done`, 0, 0},
		{"stopped", `echo up; kill -STOP $$; sleep 60`, 1, 0},
		{"child ignores all", `(trap "" HUP TERM; while :; do sleep 60; done) & sleep 0.2; echo up; exec sleep 60`, 1, 2},
		{"job in a group of its own", `set -m; sleep 60 & echo up; exec sleep 60`, 1, 1},
	}
	h := newHost(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			term := start(t, h, "bash", "-c", tt.script)
			waitText(t, term, "up")
			id, nonce := term.Process(), term.Spec().Nonce
			var kin []panes.ProcessID
			waitFor(t, "its kin", func() bool {
				kin = panes.Group(id, nonce)
				return len(kin) > tt.kin
			})
			if !slices.Contains(kin, id) {
				t.Errorf("%v lacks the leader", kin)
			}
			if err := panes.EndProcess(t.Context(), id, nonce, 300*time.Millisecond); err != nil {
				t.Fatal(err)
			}
			for _, p := range kin {
				if p.Alive() {
					t.Errorf("%v lives", p)
				}
			}
			if exit := waitDone(t, term); exit.Signal != tt.signal {
				t.Errorf("exit %+v, want signal %d", exit, tt.signal)
			}
			if err := panes.EndProcess(t.Context(), id, nonce, time.Second); err != nil {
				t.Errorf("end the dead: %v", err)
			}
		})
	}
}

// A session's process that has left the group and the session is not ended with
// it: it may serve others.
func TestEndProcessSparesStrangers(t *testing.T) {
	h := newHost(t)
	one := start(t, h, "sh", "-c", `setsid sleep 60 & echo child $!; exec sleep 60`)
	two := start(t, h, "sh", "-c", `echo up; exec sleep 60`)
	waitText(t, one, "child ")
	waitText(t, two, "up")
	pid, err := strconv.Atoi(strings.TrimPrefix(one.LastLine(), "child "))
	if err != nil {
		t.Fatal(err)
	}
	var stranger panes.ProcessID
	waitFor(t, "a session of its own", func() bool {
		stranger, err = panes.Identify(pid)
		return err == nil && !slices.Contains(panes.Group(one.Process(), one.Spec().Nonce), stranger)
	})
	if err := panes.EndProcess(t.Context(), one.Process(), one.Spec().Nonce, time.Second); err != nil {
		t.Fatal(err)
	}
	if !stranger.Alive() || !two.Process().Alive() {
		t.Error("a stranger was ended")
	}
	if err := panes.EndProcess(t.Context(), stranger, "", time.Second); err != nil || stranger.Alive() {
		t.Errorf("end it by its own name: %v", err)
	}
}

// A pid that was given to another process is not signalled, and is not kin.
func TestReusedPID(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", "echo up; exec sleep 60")
	waitText(t, term, "up")
	id := term.Process()
	others := map[string]panes.ProcessID{
		"other start": {PID: id.PID, Start: id.Start - 1, Boot: id.Boot},
		"other boot":  {PID: id.PID, Start: id.Start, Boot: "other"},
		"later start": {PID: id.PID, Start: id.Start + 1, Boot: id.Boot},
		"nobody":      {},
		"init":        {PID: 1, Start: 1, Boot: id.Boot},
		"minus one":   {PID: -1, Boot: id.Boot},
	}
	for name, other := range others {
		if other.Alive() {
			t.Errorf("%s: alive", name)
		}
		if kin := panes.Group(other, "wrong"); len(kin) != 0 {
			t.Errorf("%s: kin %v", name, kin)
		}
		if err := panes.EndProcess(t.Context(), other, "wrong", 50*time.Millisecond); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The nonce does not stand in for the boot: who carries it lives today.
	if kin := panes.Group(others["other boot"], term.Spec().Nonce); len(kin) != 0 {
		t.Errorf("kin of another boot: %v", kin)
	}
	for name, other := range others {
		if other.PID <= 1 {
			continue
		}
		if err := panes.SignalProcess(other, syscall.SIGKILL); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !id.Alive() {
		t.Error("it was ended under another's name")
	}
}

func TestEndProcessCancelled(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", `trap "" HUP TERM; echo up; while :; do sleep 1; done`)
	waitText(t, term, "up")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := panes.EndProcess(ctx, term.Process(), term.Spec().Nonce, time.Minute)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if !term.Process().Alive() {
		t.Error("it is gone")
	}
}

func TestZombieIsNotAlive(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	id, err := panes.Identify(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, "its end", func() bool { return !id.Alive() })
	if again, err := panes.Identify(cmd.Process.Pid); err != nil || again != id {
		t.Errorf("a zombie is %v (%v), want %v", again, err, id)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := panes.Identify(cmd.Process.Pid); !errors.Is(err, panes.ErrNoProcess) {
		t.Errorf("identify nobody: %v", err)
	}
}

func TestProcesses(t *testing.T) {
	// A name that would shift the fields of a stat line read carelessly.
	dir := t.TempDir()
	odd := filepath.Join(dir, "a) R 1 (b")
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	lab.WriteProgram(t, odd, b, 0o700)
	term := start(t, newHost(t), odd, "60")
	id := term.Process()
	var found panes.Proc
	waitFor(t, "the program", func() bool {
		all, err := panes.Processes()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			if p.ID == id {
				found = p
			}
		}
		return found.Exe == odd && len(found.Argv) > 0 && found.Name != "" && strings.HasPrefix(odd, filepath.Join(dir, found.Name))
	})
	want := panes.Proc{
		ID: id, Parent: os.Getpid(), Group: id.PID, Session: id.PID, Argv: []string{odd, "60"},
		Name: "a) R 1 (b", Nonce: term.Spec().Nonce, Exe: odd, TTY: found.TTY,
	}
	if fmt.Sprintf("%+v", found) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", found, want)
	}
	if found.TTY == "" {
		t.Error("it has no terminal")
	}
	chain := panes.ParentChain(id.PID)
	if len(chain) == 0 || chain[0].ID.PID != os.Getpid() {
		t.Errorf("its parents: %+v", chain)
	}
	if dir, err := panes.Cwd(id.PID); err != nil || dir != term.Spec().Dir {
		t.Errorf("its directory %q (%v), want %q", dir, err, term.Spec().Dir)
	}
	if panes.BootID() == "" {
		t.Error("no boot id")
	}
}

func TestTTYIsTheProgramsOwn(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", `echo "on $(tty) end"; exec sleep 60`)
	waitText(t, term, " end")
	all, err := panes.Processes()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(p panes.Proc) bool { return p.ID == term.Process() })
	if at < 0 {
		t.Fatal("not listed")
	}
	if want := "on /dev/" + all[at].TTY + " end"; term.LastLine() != want {
		t.Errorf("the program says %q, the table %q", term.LastLine(), want)
	}
}

func TestSignalReachesTheGroup(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", `sleep 60 & echo up; wait`)
	waitText(t, term, "up")
	var kin []panes.ProcessID
	waitFor(t, "two of them", func() bool {
		kin = panes.Group(term.Process(), term.Spec().Nonce)
		return len(kin) == 2
	})
	if err := term.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if exit := waitDone(t, term); exit.Signal != int(syscall.SIGTERM) {
		t.Errorf("exit %+v", exit)
	}
	waitFor(t, "the end of both", func() bool { return !kin[0].Alive() && !kin[1].Alive() })
}

// When no file can be opened, nobody is taken for gone.
func TestNobodyIsGoneUnseen(t *testing.T) {
	term := start(t, newHost(t), "sh", "-c", "echo up; exec sleep 60")
	waitText(t, term, "up")
	id := term.Process()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	alive, kin := id.Alive(), panes.Group(id, "")
	_, listed := panes.Processes()
	err := panes.EndProcess(t.Context(), id, "", time.Millisecond)
	if e := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); e != nil {
		t.Fatal(e)
	}
	if !alive || len(kin) != 1 || listed == nil || err == nil {
		t.Errorf("alive %v, kin %v, list %v, end %v", alive, kin, listed, err)
	}
	if !id.Alive() {
		t.Error("it was ended unseen")
	}
}
