package agent_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// queues makes prompts wait for the agent of a pane.
func (s *server) queues(pane int, texts ...string) {
	s.w.Helper()
	for _, text := range texts {
		if q := s.prompts(agent.PromptRequest{Pane: s.w.panes[pane], Text: text, Queue: true}); q.ended(s.w) != nil || q.did != agent.PromptQueued {
			s.w.Fatalf("%s: %+v", text, q)
		}
	}
}

// typedAndSpoken types an agent in a shell, and begins a turn.
func (s *server) typedAndSpoken(pane int, shell *proc) *proc {
	s.w.Helper()
	p := s.types(pane, shell)
	s.told(p, agent.HookPrompt)
	return p
}

// What waits for an agent that died alone in its shell waits for its conversation: it
// is told to no other one, and is sent where that comes back.
func TestPromptsWaitForOneThatDiedAlone(t *testing.T) {
	bubble(t, 2, func(w *world) {
		var got events
		s := w.start(got.set)
		shell := s.shell(0)
		p := s.typedAndSpoken(0, shell)
		s.queues(0, "one", "two")
		p.killed(sigkill)
		s.holdsIn(0, "")
		if v := s.view(0); v.Prompts != 2 || !strings.Contains(v.Barred, "sent when its session is back") {
			t.Errorf("they wait: %+v", v)
		}
		if all := got.taken(w, s); !slices.ContainsFunc(all, func(words string) bool {
			return strings.Contains(words, "its session is kept, and 2 prompts wait for it")
		}) {
			t.Errorf("it was told %q", all)
		}
		other := s.types(0, shell)
		if q := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "hello"}); shell.got() != "hello\r" {
			t.Errorf("the next one there: %+v, typed %q", q, shell.got())
		}
		s.told(other, agent.HookPrompt)
		s.told(other, agent.HookStop)
		if v := s.view(0); shell.got() != "hello\r" || v.Prompts != 2 {
			t.Errorf("typed %q, %d wait", shell.got(), v.Prompts)
		}
		back := s.opened(w.past(p.session, 1))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if s.view(0).Prompts != 0 || s.view(1).Prompts != 2 || back.got() != "" {
			t.Errorf("it is coming back: %d and %d wait, typed %q", s.view(0).Prompts, s.view(1).Prompts, back.got())
		}
		s.told(back, agent.HookStart)
		if back.got() != "one\r" {
			t.Errorf("typed %q", back.got())
		}
		s.told(back, agent.HookPrompt)
		s.told(back, agent.HookStop)
		if back.got() != "one\rtwo\r" || s.view(1).Prompts != 0 || shell.got() != "hello\r" {
			t.Errorf("typed %q, %d wait; in the shell %q", back.got(), s.view(1).Prompts, shell.got())
		}
		s.told(back, agent.HookPrompt)
		if all := got.taken(w, s); slices.ContainsFunc(all, func(words string) bool { return strings.Contains(words, "dropped") }) {
			t.Errorf("it was told %q", all)
		}
	})
}

// They go along with an upgrade.
func TestPromptsOfOneThatDiedAloneAreHandedOver(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p := s.typedAndSpoken(0, s.shell(0))
		s.queues(0, "one")
		p.killed(sigkill)
		s.holdsIn(0, "")
		s = s.exec(image{})
		if v := s.view(0); v.Prompts != 1 {
			t.Errorf("after the upgrade: %+v", v)
		}
		back := s.opened(w.past(p.session, 1))
		s.told(back, agent.HookStart)
		if back.got() != "one\r" {
			t.Errorf("typed %q", back.got())
		}
		s.told(back, agent.HookPrompt)
	})
}

// held is a store in which a session is just being resumed.
type held struct {
	agent.Store
	pane panes.PaneID // of the dead terminal
	now  atomic.Bool
}

func (h *held) Holders(ctx context.Context, id agent.Identity) ([]agent.Holder, error) {
	all, err := h.Store.Holders(ctx, id)
	if h.now.Load() {
		all = append([]agent.Holder{{Reason: agent.Resuming, Terminal: agent.Terminal{Pane: h.pane}, Workspace: "its own"}}, all...)
	}
	return all, err
}

// Where a session that is being resumed will live is not known: what waits stays.
func TestPromptsStayUntilTheirSessionIsBack(t *testing.T) {
	bubble(t, 2, func(w *world) {
		h := &held{pane: w.panes[1]}
		s := w.start(func(c *agent.Config) { h.Store = c.Store; c.Store = h })
		p := s.typedAndSpoken(0, s.shell(0))
		s.queues(0, "one")
		h.now.Store(true)
		p.killed(sigkill)
		s.holdsIn(0, "")
		if v := s.view(0); v.Prompts != 1 || v.Barred != "the session of robot is being resumed" || s.view(1).Prompts != 0 {
			t.Errorf("%+v, %d wait in the other", v, s.view(1).Prompts)
		}
		h.now.Store(false)
		back := s.opened(w.past(p.session, 1))
		s.told(back, agent.HookStart)
		if back.got() != "one\r" {
			t.Errorf("typed %q", back.got())
		}
		s.told(back, agent.HookPrompt)
	})
}

// What lives in another session waits there for a person to go there: which one is said.
func TestPromptsOfASessionThatLivesInAnotherWorkspace(t *testing.T) {
	bubble(t, 1, func(w *world) {
		from, to := w.neighbours()
		p := from.typedAndSpoken(0, from.shell(0))
		from.queues(0, "one")
		p.killed(sigkill)
		from.holdsIn(0, "")
		r := w.past(p.session, 0)
		r.NewPane = func(context.Context) (panes.PaneID, error) { return "stays", nil }
		if got := to.pick(r); !got.Opened {
			t.Fatalf("%+v", got)
		}
		from.passes(time.Minute)
		if v := from.view(0); v.Prompts != 1 || !strings.Contains(v.Barred, "is open in session to") {
			t.Errorf("%+v", v)
		}
	})
}

// What waits in a pane is bounded, whomever it waits for.
func TestPromptsOfAPaneAreBounded(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p := s.typedAndSpoken(1, s.shell(1))
		s.queues(1, "given")
		p.killed(sigkill)
		s.holdsIn(1, "")
		shell := s.shell(0)
		for range agent.MaxWaiting / agent.MaxPrompts {
			one := s.typedAndSpoken(0, shell)
			s.queues(0, slices.Repeat([]string{"more"}, agent.MaxPrompts)...)
			one.killed(sigkill)
			s.holdsIn(0, "")
		}
		last := s.typedAndSpoken(0, shell)
		q := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "x", Queue: true})
		if err := q.ended(t); err == nil || !strings.Contains(err.Error(), "64 prompts wait in this pane") || s.view(0).Prompts != agent.MaxWaiting {
			t.Errorf("one more: %v, %d wait", err, s.view(0).Prompts)
		}
		s.hook(last, agent.HookStart, p.session) // that of the other pane
		s.passes(time.Minute)
		if v := s.view(1); v.Prompts != 1 || !strings.Contains(v.Barred, "too many prompts wait") || s.view(0).Prompts != agent.MaxWaiting {
			t.Errorf("to be given: %+v, %d wait", v, s.view(0).Prompts)
		}
		if n := s.c.CancelPrompts(w.panes[0]); n != agent.MaxWaiting {
			t.Errorf("%d cancelled", n)
		}
		s.passes(2 * time.Second)
		if shell.got() != "given\r" || s.view(1).Prompts != 0 {
			t.Errorf("typed %q, %d wait", shell.got(), s.view(1).Prompts)
		}
		s.told(&proc{spec: last.spec, session: p.session}, agent.HookPrompt)
	})
}

// A session of the same id in another home is another one. A build before did not hand
// over the homes of those for which prompts waited: they are found again.
func TestPromptsKnowTheHome(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		shell := s.shell(0)
		w.Setenv("ROBOT_HOME", w.dir)
		p := s.typedAndSpoken(0, shell)
		s.queues(0, "one")
		p.killed(sigkill)
		s.holdsIn(0, "")
		w.Setenv("ROBOT_HOME", w.state)
		other := s.types(0, shell)
		s.told(&proc{spec: other.spec, session: p.session}, agent.HookStart)
		s.told(&proc{spec: other.spec, session: p.session}, agent.HookStop)
		if v := s.view(0); v.Session != p.session || v.Prompts != 1 || shell.got() != "" {
			t.Errorf("in another home: typed %q, %+v", shell.got(), v)
		}
	})
	bubble(t, 1, func(w *world) {
		s := w.start()
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Kind: "robot", Dir: w.dir, Env: []string{"ROBOT_HOME=" + w.dir}}))
		p := s.in(0)
		s.told(p, agent.HookPrompt)
		s.queues(0, "one")
		p.killed(sigkill)
		p = s.revived(0, p.session)
		state, err := s.c.Handover(context.Background())
		w.must(err)
		if got := state.Talks[0].Waiting[0].Home; got != w.dir {
			t.Fatalf("its home is %q", got)
		}
		state.Talks[0].Waiting[0].Home = ""
		s = s.execed(state, image{})
		p.killed(sigkill)
		s.passes(time.Minute)
		p = s.revived(0, p.session)
		s.told(p, agent.HookStart)
		if v := s.view(0); p.got() != "one\r" || v.Prompts != 0 {
			t.Errorf("after the upgrade: typed %q, %+v", p.got(), v)
		}
		s.told(p, agent.HookPrompt)
	})
}

// An agent that is suspended in the shell is there when the other one has gone.
func TestPromptsWaitForOneThatIsSuspended(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		shell := s.shell(0)
		first := s.typedAndSpoken(0, shell)
		s.queues(0, "go on")
		second := s.types(0, shell)
		s.told(first, agent.HookStop)
		if v := s.view(0); shell.got() != "" || v.Prompts != 1 || !strings.Contains(v.Barred, "not in the foreground of its shell") {
			t.Errorf("typed %q, %+v", shell.got(), v)
		}
		s.hook(second, agent.HookGoodbye, second.session, func(e *agent.HookEvent) { e.Certain = true })
		second.ends(0)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if v := s.view(0); shell.got() != "go on\r" || v.Prompts != 0 {
			t.Errorf("typed %q, %d wait", shell.got(), v.Prompts)
		}
		s.told(first, agent.HookPrompt)
		s.holdsIn(0, first.session)
	})
}

// What waits for a candidate is sent where a person opens its session.
func TestPromptsGoWhereTheirSessionIsOpened(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.queues(0, "one")
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		back := s.opened(w.past(p.session, 1))
		s.wants(0, agent.PaneElsewhere)
		s.told(back, agent.HookStart)
		if back.got() != "one\r" || s.view(0).Prompts != 0 {
			t.Errorf("typed %q, %d wait", back.got(), s.view(0).Prompts)
		}
		s.told(back, agent.HookPrompt)
	})
}

// A conversation that had none yet begins anew: what waits for it waits for that.
func TestPromptsWaitForAFreshStart(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.agent(0)
		w.robot.says(p.session, agent.NoTranscript)
		s.queues(0, "one", "two")
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		if r := s.resume(0); !r.Fresh {
			t.Fatalf("%+v", r)
		}
		next := s.in(0)
		s.told(next, agent.HookStart)
		if next.got() != "one\r" || s.view(0).Prompts != 1 || next.session == p.session {
			t.Errorf("typed %q, %d wait", next.got(), s.view(0).Prompts)
		}
		s.told(next, agent.HookPrompt)
	})
}

// A dead duplicate that is dismissed gives up nothing of the conversation that lives
// elsewhere.
func TestPromptsOutliveADismissedDuplicate(t *testing.T) {
	for _, act := range []agent.Act{agent.ActDismiss, agent.ActShell} {
		bubble(t, 2, func(w *world) {
			var got events
			s := w.start(got.set)
			p := s.spoken(0)
			p.killed(sigkill)
			s.wants(0, agent.PaneDue)
			back := s.opened(w.past(p.session, 1))
			s.wants(0, agent.PaneElsewhere)
			s.told(back, agent.HookPrompt)
			s.queues(1, "one")
			w.must(s.c.Do(context.Background(), w.panes[0], act))
			s.settle()
			if n := s.view(1).Prompts; n != 1 {
				t.Errorf("act %d: %d wait; it was told %q", act, n, got.taken(w, s))
			}
			s.told(back, agent.HookStop)
			if back.got() != "one\r" {
				t.Errorf("act %d: typed %q", act, back.got())
			}
			s.told(back, agent.HookPrompt)
		})
	}
}

// Of two dead panes that could bring one conversation back, the one that is dismissed
// gives up what waits in it alone: the other may yet be resumed. With the last of them
// all of it is given up, also what waits in a third pane.
func TestPromptsOfADismissedTwin(t *testing.T) {
	for _, act := range []agent.Act{agent.ActDismiss, agent.ActShell} {
		bubble(t, 3, func(w *world) {
			var got events
			s := w.start(got.set)
			p, q := s.spoken(0), s.spoken(1)
			s.queues(0, "one")
			s.hook(q, agent.HookStart, p.session)
			s.passes(2 * time.Second)
			q.killed(sigkill)
			s.wants(1, agent.PaneElsewhere)
			p.killed(sigkill)
			s.wants(0, agent.PaneDue)
			s.wants(1, agent.PaneDue)
			state, err := s.c.Handover(context.Background())
			w.must(err)
			one := state.Talks[0].Waiting[0]
			state.Talks = []agent.TalkState{{Pane: w.panes[0], Waiting: []agent.WaitingPrompt{one, one}}}
			for _, p := range w.panes[1:] { // in a third one, too, as where the others were full
				state.Talks = append(state.Talks, agent.TalkState{Pane: p, Waiting: []agent.WaitingPrompt{one}})
			}
			s = s.execed(state, image{change: got.set})
			waits := func(when string, want ...int) {
				t.Helper()
				s.passes(time.Minute)
				for i, n := range want {
					if v := s.view(i); v.Prompts != n {
						t.Errorf("act %d, %s: %d wait in pane %d, want %d; it was told %q", act, when, v.Prompts, i, n, got.taken(w, s))
					}
				}
			}
			waits("both are dead", 2, 1, 1)
			w.must(s.c.Do(context.Background(), w.panes[0], act))
			waits("one is dismissed", 0, 1, 1)
			w.must(s.c.Do(context.Background(), w.panes[1], act))
			waits("both are", 0, 0, 0)
		})
	}
}

// What waits for a conversation that a person gave up is dropped, and said to be.
func TestPromptsAreDroppedByAPerson(t *testing.T) {
	type test struct {
		do  func(s *server, p *proc)
		why string
	}
	dies := func(s *server, p *proc) {
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
	}
	for name, c := range map[string]test{
		"dismissed": {func(s *server, p *proc) {
			dies(s, p)
			s.w.must(s.c.Do(context.Background(), s.w.panes[0], agent.ActDismiss))
		}, "its session was dismissed"},
		"a shell instead": {func(s *server, p *proc) {
			dies(s, p)
			s.w.must(s.c.Do(context.Background(), s.w.panes[0], agent.ActShell))
		}, "its session was dismissed"},
		"quit where it came back": {func(s *server, p *proc) {
			dies(s, p)
			back := s.opened(s.w.past(p.session, 1))
			s.hook(back, agent.HookGoodbye, p.session, func(e *agent.HookEvent) { e.Certain = true })
			back.ends(0)
		}, "its agent has ended"},
	} {
		bubble(t, 2, func(w *world) {
			var got events
			s := w.start(got.set)
			p := s.spoken(0)
			s.queues(0, "one")
			c.do(s, p)
			all := got.taken(w, s)
			if !slices.ContainsFunc(all, func(words string) bool {
				return strings.Contains(words, "failed A prompt that waited for robot was dropped: "+c.why)
			}) || s.view(0).Prompts+s.view(1).Prompts != 0 {
				t.Errorf("%s: it was told %q, %d and %d wait", name, all, s.view(0).Prompts, s.view(1).Prompts)
			}
		})
	}
}

// dying is a store of which a pane is read while its agent dies.
type dying struct {
	agent.Store
	die atomic.Pointer[func()] // nil: not now
}

func (d *dying) Pane(ctx context.Context, p panes.PaneID) (agent.PaneRecord, error) {
	if die := d.die.Swap(nil); die != nil {
		(*die)()
	}
	return d.Store.Pane(ctx, p)
}

// What waits is not sent to an agent that has just died, of which only the process's end
// is known yet: it waits until that is back.
func TestPromptsAreNotSentToTheDead(t *testing.T) {
	bubble(t, 1, func(w *world) {
		var got events
		d := &dying{}
		s := w.start(got.set, func(c *agent.Config) { d.Store = c.Store; c.Store = d })
		p := s.spoken(0)
		s.queues(0, "one")
		s.hook(p, agent.HookStop, p.session)
		die := func() {
			p.killed(sigkill)
			time.Sleep(10 * time.Millisecond) // until the server has seen it
		}
		d.die.Store(&die)
		s.passes(2 * time.Second)
		if all := got.taken(w, s); s.view(0).Prompts != 1 || slices.ContainsFunc(all, func(words string) bool { return strings.Contains(words, "not taken") }) {
			t.Errorf("%d wait; it was told %q", s.view(0).Prompts, all)
		}
		back := s.revived(0, p.session)
		s.told(back, agent.HookStart)
		if back.got() != "one\r" {
			t.Errorf("typed %q", back.got())
		}
		s.told(back, agent.HookPrompt)
	})
}
