package agent_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"reprise/agent"
)

// events gathers what a coordinator tells.
type events struct {
	mu  sync.Mutex
	all []agent.Event
}

func (e *events) set(cfg *agent.Config) {
	cfg.Event = func(one agent.Event) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.all = append(e.all, one)
	}
}

// taken are the events since it was last called, as words.
func (e *events) taken(w *world, s *server) (out []string) {
	w.Helper()
	time.Sleep(2 * time.Second)
	s.settle()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, one := range e.all {
		if one.Label != "robot" || one.At.IsZero() {
			w.Errorf("event %+v", one)
		}
		what := []string{"", "done", "asks", "exited", "failed"}[one.What]
		out = append(out, fmt.Sprintf("%d %s %s", slices.Index(w.panes, one.Pane), what, one.Words))
	}
	e.all = nil
	return out
}

func TestWhatBecomesOfAgentsIsTold(t *testing.T) {
	bubble(t, 2, func(w *world) {
		var got events
		s := w.start(got.set)
		expect := func(what string, want ...string) {
			t.Helper()
			if all := got.taken(w, s); !slices.Equal(all, want) {
				t.Errorf("%s: told %q, want %q", what, all, want)
			}
		}
		p := s.spoken(1)
		expect("it started and was spoken to")
		s.hook(p, agent.HookStop, p.session)
		expect("its turn ended", "1 done ")
		s.hook(p, agent.HookAsk, p.session)
		s.hook(p, agent.HookOther, p.session)
		expect("it asks", "1 asks ")
		s.hook(p, agent.HookWork, p.session)
		expect("it was allowed to")
		s.hook(p, agent.HookStop, p.session)
		s.hook(p, agent.HookStop, p.session)
		expect("its turn ended, told twice", "1 done ")
		s.hook(p, agent.HookPrompt, p.session)
		s.hook(p, agent.HookStop, p.session)
		expect("a short turn", "1 done ")
		s.hook(p, agent.HookFail, p.session)
		expect("a turn failed", "1 failed robot stopped: its model's service gave an error")
		s = s.exec(image{change: got.set})
		expect("an upgrade")
		s.hook(p, agent.HookStop, "another")
		expect("another session's turn ended")
		p.killed(bySignal(syscall.SIGHUP))
		expect("it was killed", "1 exited robot ended with SIGHUP")
		s.hook(p, agent.HookStop, p.session)
		expect("a straggler")

		w.must(os.RemoveAll(w.dir))
		s.resume(1)
		all := got.taken(w, s)
		if len(all) != 1 || all[0] != "1 failed "+s.view(1).Reason {
			t.Errorf("told %q, and the pane says %q", all, s.view(1).Reason)
		}
		s.view(1)
		expect("it still cannot be resumed")
	})
}

// What a person ends is no news, and neither is what is tried again by itself.
func TestWhatIsNoNewsIsNotTold(t *testing.T) {
	bubble(t, 2, func(w *world) {
		var got events
		s := w.start(got.set)
		s.spoken(0)
		w.must(s.c.End(context.Background(), w.panes[0]))
		if all := got.taken(w, s); all != nil {
			t.Errorf("told %q of what a person closed", all)
		}
		p := s.spoken(1)
		p.killed(sigkill)
		got.taken(w, s)
		s.resume(1)
		s.in(1).ends(1) // at once: it is tried again
		s.wants(1, agent.PaneWaiting)
		if all := got.taken(w, s); all != nil {
			t.Errorf("told %q of what is tried again", all)
		}
	})
}

func TestOneThatDiesTooOftenFailed(t *testing.T) {
	bubble(t, 1, func(w *world) {
		var got events
		s := w.start(got.set)
		s.spoken(0).killed(sigkill)
		got.taken(w, s)
		var all []string
		for range agent.DefaultPolicy().PauseDeaths {
			s.byPerson(0)
			s.in(0).ends(1)
			s.settle()
			all = append(all, got.taken(w, s)...)
		}
		if v := s.wants(0, agent.PanePaused); !slices.Equal(all, []string{"0 failed " + v.Reason}) {
			t.Errorf("told %q, and the pane says %q", all, v.Reason)
		}
	})
}
