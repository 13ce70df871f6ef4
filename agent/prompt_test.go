package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes/vt"
)

// prompting is a prompt under way.
type prompting struct {
	over chan struct{}
	did  agent.Prompted
	err  error
}

func (s *server) prompts(r agent.PromptRequest) *prompting {
	p := &prompting{over: make(chan struct{})}
	go func() {
		defer close(p.over)
		p.did, p.err = s.c.Prompt(context.Background(), r)
	}()
	time.Sleep(2 * time.Second)
	synctest.Wait()
	return p
}

// ended is what came of it, by now.
func (p *prompting) ended(t testing.TB) error {
	t.Helper()
	select {
	case <-p.over:
	default:
		t.Error("the prompt is still under way")
		return nil
	}
	return p.err
}

func (s *server) told(p *proc, what agent.HookWhat) {
	s.hook(p, what, p.session)
	time.Sleep(2 * time.Second)
	synctest.Wait()
}

func TestAPromptIsTypedToAnIdleAgent(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.agent(0)
		r := agent.PromptRequest{Pane: w.panes[0], Text: "\n fix\x1b[201~ it\x03\r\n"}
		if err := s.prompts(r).ended(t); err == nil || !strings.Contains(err.Error(), "has not said that it is ready") || p.got() != "" {
			t.Errorf("before it was ready: %v, typed %q", err, p.got())
		}
		s.told(p, agent.HookStart)
		sent := s.prompts(r)
		if got := p.got(); got != " fix[201~ it\r" {
			t.Errorf("typed %q", got)
		}
		if err := s.prompts(r).ended(t); err == nil || !strings.Contains(err.Error(), "another prompt") {
			t.Errorf("a second one at once: %v", err)
		}
		s.told(p, agent.HookPrompt)
		if err := sent.ended(t); err != nil || sent.did != agent.PromptTaken {
			t.Errorf("taken: %v, %v", err, sent.did)
		}
		if err := s.prompts(r).ended(t); err == nil || !strings.Contains(err.Error(), "is working") {
			t.Errorf("while it works: %v", err)
		}
		s.told(p, agent.HookStop)
		if err := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "a\nb"}).ended(t); err == nil || !strings.Contains(err.Error(), "no paste of several lines") {
			t.Errorf("lines: %v", err)
		}
		for _, bad := range []string{"", " \n\t", "\x1b\x01", "\xff", strings.Repeat("x", agent.MaxPrompt+1)} {
			if err := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: bad}).ended(t); !errors.Is(err, agent.ErrPromptText) {
				t.Errorf("%.9q: %v", bad, err)
			}
		}
		n := len(p.got())
		lost := s.prompts(r)
		time.Sleep(time.Minute)
		if err := lost.ended(t); !errors.Is(err, agent.ErrNotTaken) || len(p.got()) == n {
			t.Errorf("no turn began: %v, typed %q", err, p.got()[n:])
		}
	})
}

func TestLinesArePastedAsOne(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.screens = true
		s := w.start()
		p := s.agent(0)
		s.told(p, agent.HookStart)
		p.prints("\x1b[?2004h")
		synctest.Wait() // it is read, not only taken
		sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "a\nb"})
		if got := p.got(); got != "\x1b[200~a\nb\x1b[201~\r" {
			t.Errorf("typed %q", got)
		}
		s.told(p, agent.HookPrompt)
		if err := sent.ended(t); err != nil {
			t.Error(err)
		}
	})
}

// What is typed to an agent that asks for a permission would be an answer to it.
func TestNoPromptAnswersAQuestion(t *testing.T) {
	for _, asks := range []agent.HookWhat{agent.HookAsk, agent.HookAnswer} {
		bubble(t, 1, func(w *world) {
			s := w.start()
			p := s.spoken(0)
			s.told(p, asks)
			for _, anyway := range []bool{false, true} {
				err := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "yes", Anyway: anyway}).ended(t)
				if err == nil || !strings.Contains(err.Error(), "waits for an answer of yours") {
					t.Errorf("%s, anyway %v: %v", asks, anyway, err)
				}
			}
			waits := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "go on", Queue: true, Anyway: true})
			if err := waits.ended(t); err != nil || waits.did != agent.PromptQueued || s.view(0).Prompts != 1 {
				t.Errorf("queued %v, %v, %d wait", waits.did, err, s.view(0).Prompts)
			}
			s.told(p, agent.HookWork) // the permission was given
			if p.got() != "" {
				t.Errorf("%s: typed %q", asks, p.got())
			}
			s.told(p, agent.HookStop)
			if p.got() != "go on\r" || s.view(0).Prompts != 0 {
				t.Errorf("at its next idle typed %q, %d wait", p.got(), s.view(0).Prompts)
			}
		})
	}
}

func TestPromptsWaitForTheirAgent(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.queues(0, "one", "two", "three")
		s.told(p, agent.HookStop)
		if p.got() != "one\r" {
			t.Errorf("typed %q", p.got())
		}
		s.told(p, agent.HookPrompt)
		// It dies and comes back: what waited is for the same conversation.
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		p = s.revived(0, p.session)
		if p.got() != "" || s.view(0).Prompts != 2 {
			t.Errorf("before it is ready: typed %q, %d wait", p.got(), s.view(0).Prompts)
		}
		s.told(p, agent.HookStart)
		if p.got() != "two\r" {
			t.Errorf("typed %q", p.got())
		}
		s.told(p, agent.HookPrompt)
		if n := s.c.CancelPrompts(w.panes[0]); n != 1 || s.view(0).Prompts != 0 {
			t.Errorf("%d cancelled, %d wait", n, s.view(0).Prompts)
		}
		s.told(p, agent.HookStop)
		if p.got() != "two\r" {
			t.Errorf("after the cancel typed %q", p.got())
		}
		s.told(p, agent.HookPrompt)
		for i := range agent.MaxPrompts + 1 {
			err := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "more", Queue: true}).ended(t)
			if (err != nil) != (i == agent.MaxPrompts) {
				t.Errorf("prompt %d: %v", i+1, err)
			}
		}
		if err := s.prompts(agent.PromptRequest{Pane: w.panes[1], Text: "x", Queue: true}).ended(t); err == nil {
			t.Error("to a pane without an agent: no error")
		}
	})
}

func TestPromptsGoAlongWithAnUpgrade(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		s.spoken(0)
		s.queues(0, "later")
		state, err := s.c.Handover(context.Background())
		w.must(err)
		s.c.GoOn()
		if len(state.Talks) != 1 || len(state.Talks[0].Waiting) != 1 {
			t.Errorf("%+v", state.Talks)
		}
		heir := agent.NewCoordinator(agent.Config{Store: s.db, Host: s.host, Instance: s.inst})
		heir.Adopt(state)
		if n := heir.CancelPrompts(w.panes[0]); n != 1 {
			t.Errorf("%d prompts were taken over", n)
		}
	})
}

// What another agent of the same shell is told begins no turn of this one.
func TestAPromptIsTakenByItsOwnAgent(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		shell := s.shell(0)
		first := s.types(0, shell)
		second := s.types(0, shell)
		sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "fix it"})
		if shell.got() != "fix it\r" {
			t.Fatalf("typed %q", shell.got())
		}
		s.told(first, agent.HookPrompt)
		select {
		case <-sent.over:
			t.Errorf("taken by another: %v, %v", sent.did, sent.err)
		default:
		}
		s.told(second, agent.HookPrompt)
		if err := sent.ended(t); err != nil || sent.did != agent.PromptTaken {
			t.Errorf("taken: %v, %v", err, sent.did)
		}
		// Nor does it say that one which was lost would not be lost again.
		s.told(second, agent.HookStop)
		lost := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "and this"})
		time.Sleep(time.Minute)
		if err := lost.ended(t); !errors.Is(err, agent.ErrNotTaken) {
			t.Errorf("no turn began: %v", err)
		}
		s.told(first, agent.HookStop)
		if err := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "x"}).ended(t); err == nil {
			t.Error("the next one was typed, too")
		}
	})
}

// Enter may be swallowed: it is pressed once more, once, if the agent says that it
// rests, and nobody and nothing else has a hand in it.
func TestASwallowedEnterIsPressedOnceMore(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(s *server, p *proc)
		new       bool // it has not said yet what it does
		want      string
	}{
		"it rests":        {func(*server, *proc) {}, false, "fix it\r\r"},
		"a turn began":    {func(s *server, p *proc) { s.hook(p, agent.HookPrompt, p.session) }, false, "fix it\r"},
		"it works":        {func(s *server, p *proc) { s.hook(p, agent.HookWork, p.session) }, false, "fix it\r"},
		"it asks":         {func(s *server, p *proc) { s.hook(p, agent.HookAsk, p.session) }, false, "fix it\r"},
		"a title":         {func(s *server, _ *proc) { s.tells(0, "* build", vt.Status{}) }, false, "fix it\r"},
		"a person typed":  {func(s *server, _ *proc) { s.key(0) }, false, "fix it\rx"},
		"a person's line": {func(s *server, _ *proc) { s.key(0); _ = s.host.Shown(s.w.panes[0]).Send([]byte("\r")) }, false, "fix it\rx\r"},
		"nobody knows":    {func(*server, *proc) {}, true, "fix it\r"},
	} {
		bubble(t, 1, func(w *world) {
			s := w.start()
			p := s.agent(0)
			if !c.new {
				s.told(p, agent.HookStart)
			}
			sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "fix it", Anyway: c.new})
			if p.got() != "fix it\r" {
				t.Errorf("%s: typed %q", name, p.got())
			}
			time.Sleep(1400 * time.Millisecond)
			c.meanwhile(s, p)
			time.Sleep(time.Minute)
			synctest.Wait()
			if p.got() != c.want {
				t.Errorf("%s: typed %q, want %q", name, p.got(), c.want)
			}
			if err := sent.ended(t); (err == nil) != (name == "a turn began") || err != nil && !errors.Is(err, agent.ErrNotTaken) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The wait goes on after that: a turn may begin by it.
func TestATurnBeginsByTheSecondEnter(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.agent(0)
		s.told(p, agent.HookStart)
		sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "fix it"})
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if p.got() != "fix it\r\r" {
			t.Errorf("typed %q", p.got())
		}
		s.told(p, agent.HookPrompt)
		if err := sent.ended(t); err != nil || sent.did != agent.PromptTaken {
			t.Errorf("taken: %v, %v", err, sent.did)
		}
	})
}
