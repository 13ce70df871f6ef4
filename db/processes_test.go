package db_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/db"
)

// Case 1 of resume.md §6: 8 processes and 200 candidates make 200 launches.
func TestProcessesRaceForCandidates(t *testing.T) {
	const racers = 8
	w := newWorld(t)
	for i, id := range ids(raceTerminals) {
		w.dead(id, agent.SessionID(fmt.Sprintf("s%d", i)))
	}
	cmds := make([]*exec.Cmd, racers)
	outs, errs := make([]bytes.Buffer, racers), make([]bytes.Buffer, racers)
	for i := range cmds {
		cmds[i] = helper(t, "race", w.dir)
		cmds[i].Stdout, cmds[i].Stderr = &outs[i], &errs[i]
		w.must(cmds[i].Start())
	}
	won := map[string]int{}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("racer %d: %v: %s", i, err, errs[i].String())
		}
		for _, id := range strings.Fields(strings.ReplaceAll(outs[i].String(), "resumed", "")) {
			won[id]++
		}
	}
	if len(won) != raceTerminals {
		t.Errorf("%d sessions were resumed, want %d", len(won), raceTerminals)
	}
	for id, n := range won {
		if n != 1 {
			t.Errorf("%s was resumed %d times", id, n)
		}
	}
	live, err := db.Count(w.ctx, w.DB, `SELECT count(*) FROM bindings WHERE end_reason IS NULL`)
	if err != nil || live != raceTerminals {
		t.Errorf("%d live successors (%v), want %d", live, err, raceTerminals)
	}
	if left := len(w.candidates()); left != 0 {
		t.Errorf("%d candidates are left", left)
	}
}

// Callers in one process, on two dead terminals of each session.
func TestGoroutinesRaceForTwins(t *testing.T) {
	w := newWorld(t)
	const sessions, callers = 20, 8
	all := ids(2 * sessions)
	for i, id := range all {
		w.dead(id, agent.SessionID(fmt.Sprintf("s%d", i%sessions)))
	}
	var mu sync.Mutex
	won := map[agent.SessionID]int{}
	var wait sync.WaitGroup
	for c := range callers {
		wait.Go(func() {
			for i := range all {
				id := all[(i*7+c*5)%len(all)]
				ref := agent.ClaimRef{Terminal: id, Owner: w.inst, Token: fmt.Sprint(c, id), At: at(20)}
				cand, ok, err := w.Claim(w.ctx, ref)
				if err != nil {
					t.Error(err)
				}
				if ok {
					mu.Lock()
					won[cand.Session]++
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	for s, n := range won {
		if n != 1 {
			t.Errorf("%s was claimed %d times", s, n)
		}
	}
	if len(won) != sessions {
		t.Errorf("%d sessions were claimed, want %d", len(won), sessions)
	}
}

// A process that is killed between or within statements leaves a sound database,
// and what it had committed.
func TestKilledBetweenStatements(t *testing.T) {
	w := newWorld(t)
	w.dead("t000", "s1")
	w.begin("t001", "s2")
	for range 5 {
		cmd := helper(t, "loop", w.dir)
		startUntil(t, cmd, "under way")
		w.must(cmd.Process.Kill())
		_ = cmd.Wait() // killed
		for _, dead := range w.deadOnes() {
			for id := range w.orphans(dead) {
				w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: id, Instance: dead, At: at(30)}))
			}
		}
		w.wantReason("t000", agent.TerminalExited)
	}
	if n, err := db.Count(w.ctx, w.DB, `SELECT count(*) FROM pragma_quick_check WHERE quick_check = 'ok'`); err != nil || n != 1 {
		t.Errorf("the database is not sound: %d %v", n, err)
	}

	cmd := helper(t, "hold", w.dir)
	startUntil(t, cmd, "under way")
	if _, err := w.OpenWorkspace(w.ctx, "held", w.dir, w.inst); err == nil {
		t.Error("its workspace was taken while it lives")
	}
	w.must(cmd.Process.Kill())
	_ = cmd.Wait() // killed
	w.wantReason("t000", agent.Resuming)
	w.wantReason("t001", agent.Disposed)
	dead := w.deadOnes()
	if len(dead) != 1 {
		t.Fatalf("dead: %v", dead)
	}
	w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: "t000", Instance: dead[0], At: at(31)}))
	w.wantReason("t000", agent.TerminalExited)
	if _, err := w.OpenWorkspace(w.ctx, "held", w.dir, w.inst); err != nil {
		t.Error(err)
	}
}

// The hook command's processes do not wait for one another.
func TestHookProcessesAtOnce(t *testing.T) {
	w := newWorld(t)
	w.begin("t", "s1")
	const n = 10
	cmds := make([]*exec.Cmd, n)
	for i := range cmds {
		cmds[i] = helper(t, "hook", w.dir, "t")
		w.must(cmds[i].Start())
	}
	failed := 0
	for _, cmd := range cmds {
		if cmd.Wait() != nil {
			failed++ // these are spooled by the hook command
		}
	}
	if applied := must(w.ApplyHooks(w.ctx, w.inst))(t); len(applied) != n-failed {
		t.Errorf("%d applied, %d of %d failed", len(applied), failed, n)
	}
}

// SQLite's waiting has no queue: a write that is out of luck tries again.
func TestWriteWaitsForOtherProcesses(t *testing.T) {
	for held, want := range map[time.Duration]bool{12 * time.Second: true, time.Hour: false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			other := open(t, w.dir, db.Options{})
			release := must(db.HoldWriteLock(w.ctx, other))(t)
			go func() {
				time.Sleep(held)
				release()
			}()
			begin := time.Now()
			err := w.AddNote(w.ctx, agent.Note{At: at(1), What: "message"})
			if (err == nil) != want || err != nil && !db.Busy(err) {
				t.Errorf("held for %v: %v", held, err)
			}
			if waited := time.Since(begin); waited > time.Minute {
				t.Errorf("waited %v", waited)
			}
			time.Sleep(held)
		})
	}
}
