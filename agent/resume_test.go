package agent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes"
)

var sigkill = bySignal(syscall.SIGKILL)

func TestResumeAfterKill(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		q := s.revived(0, p.session)
		if again := s.resume(0); again.Resumed || again.Failure != "" { // case 2
			t.Errorf("repeated: %+v", again)
		}
		if r := s.c.Resume(context.Background(), agent.ResumeRequest{Terminal: p.spec.ID, Pane: w.panes[0], ByPerson: true}); r.Resumed || r.Failure != "" {
			t.Errorf("repeated for the old terminal: %+v", r)
		}
		if n := w.starts(p.session); n != 2 {
			t.Errorf("%d launches, want 2", n)
		}
		if s.host.Terminal(p.spec.ID) != nil {
			t.Error("the old terminal was not retired")
		}
		if q.spec.Nonce == p.spec.Nonce || q.spec.Nonce == "" {
			t.Error("the successor has the old nonce, or none")
		}
	})
}

func TestServerKilled(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		q := s.spoken(1)
		s.crash()
		s = w.start()
		s.revived(0, p.session)
		s.revived(1, q.session)
	})
}

// Case 1: callers in one process share one launch and its result.
func TestCallersCoalesce(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		v := s.wants(0, agent.PaneDue)
		results := make([]agent.ResumeResult, 20)
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		var wg sync.WaitGroup
		s.c.Hold(true) // until all have asked
		for i := range results {
			wg.Go(func() {
				ctx := context.Background()
				if i == 7 {
					ctx = gone // one caller's end is not the others'
				}
				results[i] = s.c.Resume(ctx, agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane})
			})
		}
		synctest.Wait()
		s.c.Hold(false)
		wg.Wait()
		s.settle()
		for i, r := range results {
			if i != 7 && (!r.Resumed || r.Successor != results[0].Successor) {
				t.Errorf("caller %d got %+v", i, r)
			}
		}
		if n := w.starts(p.session); n != 2 {
			t.Errorf("%d launches, want 2", n)
		}
	})
}

// Several servers on one database: the claim decides.
func TestServersRace(t *testing.T) {
	bubble(t, 10, func(w *world) {
		s := w.start()
		var want []agent.SessionID
		for i := range w.panes {
			want = append(want, s.spoken(i).session)
		}
		s.crash()
		all := []*server{w.start(), w.start(), w.start()}
		time.Sleep(10 * time.Second)
		var wg sync.WaitGroup
		for _, s := range all {
			wg.Go(s.show)
		}
		wg.Wait()
		if got := w.runs(); len(got) != len(want) {
			t.Errorf("%d sessions run, want %d", len(got), len(want))
		}
		for _, id := range want {
			if n := w.starts(id); n != 2 {
				t.Errorf("%d launches of %s, want 2", n, id)
			}
		}
	})
}

// Case 3.
func TestLaunchFails(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		w.machine.mu.Lock()
		w.broken = errors.New("fork: no memory")
		w.machine.mu.Unlock()
		if r := s.resume(0); r.Failure != agent.FailLaunch || r.Err == nil {
			t.Fatalf("got %+v", r)
		}
		v := s.wants(0, agent.PaneFailed)
		if v.Reason == "" || !strings.Contains(v.Reason, "Could not resume robot") {
			t.Errorf("reason %q", v.Reason)
		}
		w.machine.mu.Lock()
		w.broken = nil
		w.machine.mu.Unlock()
		if r := s.resume(0); r.Failure != agent.FailLaunch { // nobody but a person tries again
			t.Errorf("tried again: %+v", r)
		}
		if r := s.byPerson(0); !r.Resumed {
			t.Errorf("retry: %+v", r)
		}
		s.wants(0, agent.PaneNormal)
		if n := w.starts(p.session); n != 2 {
			t.Errorf("%d launches, want 2", n)
		}
	})
}

// Case 4: the kinds of refusal; the candidate stays in each.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		spoil, mend func(*world)
		want        agent.FailureKind
		words       string
		view        agent.PaneState
	}{
		"directory": {
			spoil: func(w *world) { w.must(os.Rename(w.dir, w.dir+".gone")) },
			mend:  func(w *world) { w.must(os.Rename(w.dir+".gone", w.dir)) },
			want:  agent.FailDirectory, words: "is gone. Bring it back, then retry.", view: agent.PaneFailed,
		},
		"binary": {
			spoil: func(w *world) { w.robot.mu.Lock(); w.robot.facts.Program = "robot-3000"; w.robot.mu.Unlock() },
			mend:  func(w *world) { w.robot.mu.Lock(); w.robot.facts.Program = "sh"; w.robot.mu.Unlock() },
			want:  agent.FailBinary, words: "robot-3000 is not in PATH. Install it or fix PATH, then retry.", view: agent.PaneFailed,
		},
		"home": {
			spoil: func(w *world) { w.must(os.Remove(filepath.Join(w.state, "home"))) },
			mend:  func(w *world) { w.must(os.Mkdir(filepath.Join(w.state, "home"), 0o700)) },
			want:  agent.FailHome, words: "its home", view: agent.PaneFailed,
		},
		"held": {
			spoil: func(w *world) {
				w.aliens = []panes.Proc{alien(w, w.log()[0].session)}
			},
			mend: func(w *world) { w.aliens = nil },
			want: agent.FailHeld, words: "Could not resume robot: process 4711 on pts/3 has this session open. End it there, then retry.", view: agent.PaneFailed,
		},
		"unsupported": {
			spoil: func(w *world) {
				w.robot.mu.Lock()
				w.robot.facts.NoResume = "it keeps no session id"
				w.robot.mu.Unlock()
			},
			mend: func(w *world) { w.robot.mu.Lock(); w.robot.facts.NoResume = ""; w.robot.mu.Unlock() },
			want: agent.FailUnsupported, words: "robot cannot be resumed: it keeps no session id", view: agent.PaneUnsupported,
		},
		"config removed": {
			spoil: func(w *world) { w.kinds.remove("robot") },
			mend:  func(w *world) { w.kinds.mu.Lock(); w.kinds.all["robot"] = w.robot; w.kinds.mu.Unlock() },
			want:  agent.FailUnsupported, words: "no agent of this name is configured", view: agent.PaneUnsupported,
		},
		"command": {
			spoil: func(w *world) { w.robot.mu.Lock(); w.robot.broken = errors.New("odd flags"); w.robot.mu.Unlock() },
			mend:  func(w *world) { w.robot.mu.Lock(); w.robot.broken = nil; w.robot.mu.Unlock() },
			want:  agent.FailLaunch, words: "Could not resume robot", view: agent.PaneFailed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				home := filepath.Join(w.state, "home")
				w.must(os.Mkdir(home, 0o700))
				s := w.start()
				w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Kind: "robot", Dir: w.dir, Env: []string{"ROBOT_HOME=" + home}}))
				p := s.in(0)
				s.hook(p, agent.HookPrompt, p.session)
				time.Sleep(time.Second)
				p.killed(sigkill)
				s.wants(0, agent.PaneDue)
				c.spoil(w)
				r := s.resume(0)
				if r.Failure != c.want || r.Resumed || r.Err == nil {
					t.Fatalf("got %+v, want %s", r, c.want)
				}
				if v := s.wants(0, c.view); !strings.Contains(v.Reason, c.words) || v.Failure != c.want {
					t.Errorf("shows %q (%s), want %q", v.Reason, v.Failure, c.words)
				}
				c.mend(w)
				if r := s.byPerson(0); !r.Resumed {
					t.Errorf("after mending: %+v", r)
				}
				if n := w.starts(p.session); n != 2 {
					t.Errorf("%d launches, want 2", n)
				}
			})
		})
	}
}

// A session that was opened from within a foreign process, without its id in argv.
func TestHeldByTheProgramsOwnWord(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		w.aliens = []panes.Proc{{ID: panes.ProcessID{PID: 4711, Start: 1, Boot: w.boot}, Parent: 1, Argv: []string{"vi"}}}
		w.robot.opened = map[int]agent.SessionID{4711: p.session}
		// The word of another program's process counts for nothing.
		w.robot.mu.Lock()
		w.aliens = append(w.aliens, panes.Proc{ID: panes.ProcessID{PID: 4712, Start: 1, Boot: w.boot}, Parent: 1, Argv: []string{"sh"}})
		w.robot.opened[4712] = p.session
		w.robot.mu.Unlock()
		if r := s.resume(0); r.Failure != agent.FailHeld || !strings.Contains(r.Err.Error(), "4712") {
			t.Fatalf("got %+v", r)
		}
	})
}

func TestOverrideOfAHeldSession(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		v := s.wants(0, agent.PaneDue)
		w.aliens = []panes.Proc{{ID: panes.ProcessID{PID: 4711, Start: 1, Boot: w.boot}, Parent: 1, Argv: []string{"sh", "--resume=" + string(p.session)}}}
		if r := s.resume(0); r.Failure != agent.FailHeld {
			t.Fatalf("got %+v", r)
		}
		r := s.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane, ByPerson: true, Override: true})
		if !r.Resumed {
			t.Errorf("override: %+v", r)
		}
	})
}
