package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes/vt"
)

// What was to be said in one conversation is never said in another.
func TestPromptsAreDroppedWithTheirConversation(t *testing.T) {
	for name, change := range map[string]func(s *server, p *proc){
		"/clear": func(s *server, p *proc) {
			s.hook(p, agent.HookStart, "another")
		},
		"quit": func(s *server, p *proc) {
			s.hook(p, agent.HookGoodbye, p.session, func(e *agent.HookEvent) { e.Certain = true })
			p.ends(0)
		},
	} {
		bubble(t, 1, func(w *world) {
			var got events
			s := w.start(got.set)
			p := s.spoken(0)
			s.queues(0, "drop the table", "drop the table")
			change(s, p)
			all := got.taken(w, s)
			if p.got() != "" || s.view(0).Prompts != 0 {
				t.Errorf("%s: typed %q, %d wait", name, p.got(), s.view(0).Prompts)
			}
			dropped := func(words string) bool {
				return strings.Contains(words, "failed 2 prompts that waited for robot were dropped")
			}
			if i := slices.IndexFunc(all, dropped); i < 0 || slices.ContainsFunc(all[i+1:], dropped) {
				t.Errorf("%s: it was told %q", name, all)
			}
		})
	}
}

// Who is told that prompts were dropped hears of all agents for which they waited.
func TestDroppedPromptsNameTheirAgents(t *testing.T) {
	for want, got := range map[string]string{
		"A prompt that waited for claude was dropped: why":                    agent.DroppedWords([]string{"claude"}, 1, "why"),
		"3 prompts that waited for claude were dropped: why":                  agent.DroppedWords([]string{"claude"}, 3, "why"),
		"2 prompts that waited for claude and codex were dropped: why":        agent.DroppedWords([]string{"claude", "codex"}, 2, "why"),
		"4 prompts that waited for claude, codex and robot were dropped: why": agent.DroppedWords([]string{"claude", "codex", "robot"}, 4, "why"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Each is judged by itself: what is said in the new conversation does not go with what
// was left of the old one.
func TestEachPromptIsJudgedByItself(t *testing.T) {
	bubble(t, 1, func(w *world) {
		var got events
		s := w.start(got.set)
		p := s.spoken(0)
		s.queues(0, "old")
		s.hook(p, agent.HookStart, "another")
		sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "new", Queue: true})
		if p.got() != "new\r" || s.view(0).Prompts != 0 {
			t.Errorf("typed %q, %d wait", p.got(), s.view(0).Prompts)
		}
		if all := got.taken(w, s); !slices.ContainsFunc(all, func(words string) bool {
			return strings.Contains(words, "failed A prompt that waited for robot was dropped: another conversation")
		}) {
			t.Errorf("it was told %q", all)
		}
		s.hook(p, agent.HookPrompt, "another")
		s.settle()
		time.Sleep(time.Second)
		if err := sent.ended(t); err != nil || sent.did != agent.PromptTaken {
			t.Errorf("the new one: %v, %d", err, sent.did)
		}
	})
}

// The session of an agent may be known only after several prompts wait: then it is
// that of all of them.
func TestPromptsLearnTheirSession(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.robot.facts.PresetsID = false
		s := w.start()
		p := s.agent(0)
		s.queues(0, "one", "two")
		s.hook(p, agent.HookStart, "first")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		s.hook(p, agent.HookPrompt, "first") // of "one", and a /clear right after it
		s.hook(p, agent.HookStart, "second")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if p.got() != "one\r" || s.view(0).Prompts != 0 {
			t.Errorf("typed %q, %d wait", p.got(), s.view(0).Prompts)
		}
	})
}

// Who asked may go once the paste is on its way: a paste without its enter would be
// there for the next one who types.
func TestAPromptIsNotCutInHalf(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.agent(0)
		s.told(p, agent.HookStart)
		ctx, cancel := context.WithCancel(context.Background())
		over := make(chan error, 1)
		go func() {
			_, err := s.c.Prompt(ctx, agent.PromptRequest{Pane: w.panes[0], Text: "fix it"})
			over <- err
		}()
		for p.got() == "" {
			time.Sleep(time.Millisecond)
		}
		if p.got() != "fix it" {
			t.Fatalf("typed %q", p.got())
		}
		cancel()
		time.Sleep(2 * time.Second)
		if p.got() != "fix it\r" {
			t.Errorf("typed %q", p.got())
		}
		s.told(p, agent.HookPrompt)
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
}

// An agent that works keeps what is typed for later: that is no failure.
func TestAPromptIsTypedToAnAgentThatWorks(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "and this", Anyway: true})
		time.Sleep(time.Second)
		synctest.Wait()
		if err := sent.ended(t); err != nil || sent.did != agent.PromptTyped || p.got() != "and this\r" {
			t.Errorf("%v, %d, typed %q", err, sent.did, p.got())
		}
		s.told(p, agent.HookStop)
		if next := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "x", Queue: true}); p.got() != "and this\rx\r" {
			t.Errorf("the next one: %+v, typed %q", next, p.got())
		}
	})
}

// Hooks count from the moment in which they are there, not from the next look at them.
func TestAPromptKnowsTheLastHook(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.told(p, agent.HookStop)
		s.hook(p, agent.HookAsk, p.session)
		_, err := s.c.Prompt(context.Background(), agent.PromptRequest{Pane: w.panes[0], Text: "yes"})
		if err == nil || !strings.Contains(err.Error(), "waits for an answer of yours") {
			t.Errorf("%v", err)
		}
		if p.got() != "" {
			t.Errorf("typed %q", p.got())
		}
	})
}

// What a person has half typed is not sent off with a prompt.
func TestNoPromptIsTypedIntoADraft(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.told(p, agent.HookStop)
		s.key(0)
		r := agent.PromptRequest{Pane: w.panes[0], Text: "fix it"}
		for _, r.Anyway = range []bool{false, true} {
			if err := s.prompts(r).ended(t); err == nil || !strings.Contains(err.Error(), "was not sent yet") {
				t.Errorf("anyway %v: %v", r.Anyway, err)
			}
		}
		r.Anyway, r.Queue = false, true
		if q := s.prompts(r); q.did != agent.PromptQueued || !strings.Contains(s.view(0).Barred, "was not sent yet") {
			t.Errorf("%+v, %+v", q, s.view(0))
		}
		if p.got() != "x" {
			t.Errorf("typed %q", p.got())
		}
		_ = s.host.Shown(w.panes[0]).Send([]byte{0x7f}) // taken back
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := p.got(); got != "x\x7ffix it\r" || s.view(0).Prompts != 0 {
			t.Errorf("typed %q, %d wait", got, s.view(0).Prompts)
		}
	})
}

// A prompt that is just being typed is not taken for what a person has half typed.
func TestAPromptIsNoDraft(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.queues(0, "one", "two")
		s.hook(p, agent.HookStop, p.session)
		for p.got() == "" {
			s.passes(time.Millisecond)
		}
		if p.got() != "one" {
			t.Fatalf("typed %q", p.got())
		}
		_, err := s.c.Prompt(context.Background(), agent.PromptRequest{Pane: w.panes[0], Text: "three"})
		if err == nil || !strings.Contains(err.Error(), "another prompt") {
			t.Errorf("another one: %v", err)
		}
		if v := s.view(0); v.Prompts != 1 || v.Barred != "" || p.got() != "one" {
			t.Errorf("typed %q, %+v", p.got(), v)
		}
		s.told(p, agent.HookPrompt)
		s.told(p, agent.HookStop)
		if p.got() != "one\rtwo\r" {
			t.Errorf("typed %q", p.got())
		}
		s.told(p, agent.HookPrompt)
	})
}

// Of an agent whose hooks tell nothing it is not said that it did not take a prompt; what
// it shows may tell that it did.
func TestAPromptToOneThatDoesNotTell(t *testing.T) {
	title := func(s *server, _ *proc) { s.tells(0, "* build", vt.Status{}); s.tells(0, "- build", vt.Status{}) }
	for name, c := range map[string]struct {
		tells     bool
		meanwhile func(s *server, p *proc)
		want      agent.Prompted
	}{
		"nothing tells": {false, func(*server, *proc) {}, agent.PromptSent},
		"its title":     {false, title, agent.PromptTaken},
		"what it wrote": {false, func(s *server, p *proc) { s.w.robot.writes(p, agent.Working); s.passes(3 * time.Second) }, agent.PromptTaken},
		"no hook":       {true, func(*server, *proc) {}, agent.PromptNot},
		"it starts":     {true, title, agent.PromptNot},
		"an odd hook":   {false, func(s *server, p *proc) { s.told(p, agent.HookStart) }, agent.PromptNot},
	} {
		bubble(t, 1, func(w *world) {
			w.robot.facts.TellsTurns = c.tells
			s := w.start()
			p := s.agent(0)
			sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "fix it", Anyway: true})
			c.meanwhile(s, p)
			s.passes(time.Second)
			if c.want != agent.PromptTaken {
				s.passes(time.Minute)
			}
			if err := sent.ended(t); sent.did != c.want || (err != nil) != (c.want == agent.PromptNot) || !strings.HasPrefix(p.got(), "fix it\r") {
				t.Errorf("%s: %v, %d, typed %q", name, err, sent.did, p.got())
			}
		})
	}
}

// One whose hooks tell nothing, but that says that it still rests, did not take a prompt:
// none of those that wait goes after it, until it is seen to work, or is another one.
func TestAPromptThatAnAgentRestsThroughIsLost(t *testing.T) {
	idle := vt.Status{State: "idle"}
	for name, c := range map[string]struct {
		meanwhile func(s *server, p *proc)
		sent      bool
	}{
		"it rests":  {func(*server, *proc) {}, false},
		"it worked": {func(s *server, _ *proc) { s.tells(0, "", vt.Status{State: "working"}); s.tells(0, "", idle) }, true},
		"it is new": {func(s *server, p *proc) { p.killed(sigkill); s.revived(0, p.session); s.tells(0, "", idle) }, true},
	} {
		bubble(t, 1, func(w *world) {
			w.robot.facts.TellsTurns = false
			s := w.start()
			p := s.agent(0)
			w.robot.says(p.session, agent.HasTranscript)
			s.tells(0, "", idle)
			r := agent.PromptRequest{Pane: w.panes[0], Text: "fix it"}
			lost := s.prompts(r)
			s.passes(time.Minute)
			if err := lost.ended(t); !errors.Is(err, agent.ErrNotTaken) || p.got() != "fix it\r\r" {
				t.Fatalf("%s: %v, %d, typed %q", name, err, lost.did, p.got())
			}
			if err := s.prompts(r).ended(t); err == nil || !strings.Contains(err.Error(), "may be in a dialog") {
				t.Errorf("%s: the next: %v", name, err)
			}
			r.Queue, r.Text = true, "go on"
			if q := s.prompts(r); q.ended(t) != nil || q.did != agent.PromptQueued {
				t.Errorf("%s: %+v", name, q)
			}
			c.meanwhile(s, p)
			s.passes(time.Second)
			if got := s.in(0).got(); strings.HasSuffix(got, "go on\r") != c.sent || (s.view(0).Prompts == 0) != c.sent {
				t.Errorf("%s: typed %q, %d wait", name, got, s.view(0).Prompts)
			}
		})
	}
}

// Where escape pressed twice empties the line there is no draft any more, if the agent
// rested: otherwise the first ended its turn, or refused what it asked.
func TestADraftIsDroppedByEscapes(t *testing.T) {
	for name, c := range map[string]struct {
		clears  bool
		before  agent.HookWhat // escape is pressed
		dropped bool
	}{
		"it rests":          {true, agent.HookStop, true},
		"it does not clear": {false, agent.HookStop, false},
		"it works":          {true, agent.HookWork, false},
		"it asks":           {true, agent.HookAsk, false},
	} {
		bubble(t, 1, func(w *world) {
			w.robot.facts.EscClears = c.clears
			s := w.start()
			p := s.spoken(0)
			s.told(p, c.before)
			s.key(0)
			for range 2 {
				_ = s.host.Shown(w.panes[0]).Send([]byte{0x1b})
			}
			if c.before != agent.HookStop {
				s.told(p, agent.HookStop)
			}
			sent := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "go on", Anyway: true})
			if c.dropped {
				s.told(p, agent.HookPrompt)
			}
			if err := sent.ended(t); (err == nil) != c.dropped || strings.HasSuffix(p.got(), "go on\r") != c.dropped {
				t.Errorf("%s: %v, typed %q", name, err, p.got())
			}
		})
	}
}
