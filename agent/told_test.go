package agent_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/vt"
)

// tells has the program of a pane tell its terminal something.
func (s *server) tells(pane int, title string, status vt.Status) {
	s.c.Told(panes.Told{Terminal: s.host.Shown(s.w.panes[pane]).ID(), Title: title, Status: status})
}

// does wants that the agent of a pane does something, and who says so.
func (s *server) does(pane int, want agent.Doing, by agent.Source) agent.Status {
	s.w.Helper()
	got := s.view(pane).Status
	if got.Doing != want || got.By != by {
		s.w.Errorf("it is %q by %v, want %q by %v", got.Doing, got.By, want, by)
	}
	return got
}

func TestWhatTheTerminalIsToldWithoutHooks(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		s.agent(0)
		now := time.Now()
		for _, step := range []struct {
			title  string
			status vt.Status
			want   agent.Doing
			by     agent.Source
		}{
			{title: "build it?", by: 0},
			{title: "* build", want: agent.Working, by: agent.ByTitle},
			{title: "- build", want: agent.Idle, by: agent.ByTitle},
			{title: "- build", status: vt.Status{State: "working"}, want: agent.Working, by: agent.ByProtocol},
			{title: "- build", status: vt.Status{State: "blocked", App: "robot", Kind: "permission"}, want: agent.AsksPermission, by: agent.ByProtocol},
			{status: vt.Status{State: "blocked"}, want: agent.AsksAnswer, by: agent.ByProtocol},
			{status: vt.Status{State: "error"}, want: agent.TurnFailed, by: agent.ByProtocol},
			{status: vt.Status{State: "done"}, want: agent.TurnDone, by: agent.ByProtocol},
			{status: vt.Status{State: "idle"}, want: agent.Idle, by: agent.ByProtocol},
			{title: "* build", status: vt.Status{State: "permission"}, want: agent.Working, by: agent.ByTitle},
			{by: 0},
		} {
			s.tells(0, step.title, step.status)
			if got := s.does(0, step.want, step.by); step.want != "" && !got.Since.Equal(now) {
				t.Errorf("since %v, want %v", got.Since, now)
			}
		}
		s.tells(0, "- build", vt.Status{})
		if err := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "go on"}).ended(t); err == nil || !strings.Contains(err.Error(), "may be in a dialog") {
			t.Errorf("a prompt to one whose title alone is quiet: %v", err)
		}
		// A shell's are nobody's, and so are those of a terminal that is not known.
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[1], Dir: w.dir}))
		s.tells(1, "* build", vt.Status{State: "working"})
		s.c.Told(panes.Told{Terminal: "t-none", Title: "* build"})
		s.does(1, "", 0)
	})
}

// What no hook tells: a turn that was interrupted. It takes its time, since a title may
// be drawn before the hook that says more has told.
func TestAnInterruptedTurnIsSeenByTheTitle(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.tells(0, "* build", vt.Status{})
		time.Sleep(time.Minute)
		s.does(0, agent.Working, agent.ByHook)
		s.tells(0, "- build", vt.Status{})
		s.does(0, agent.Working, agent.ByHook)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		s.does(0, agent.Idle, agent.ByTitle)
		s.told(p, agent.HookPrompt)
		s.does(0, agent.Working, agent.ByHook)
		// A turn that ends tells both ways, and a hook says more than a title.
		s.tells(0, "* build", vt.Status{})
		s.tells(0, "- build", vt.Status{})
		s.told(p, agent.HookStop)
		time.Sleep(time.Minute)
		s.does(0, agent.TurnDone, agent.ByHook)
	})
}

// A quiet title does not tell who was interrupted from who is in a dialog: a prompt
// waits for a better word.
func TestNoPromptIsTypedOnTheWordOfATitle(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.tells(0, "* build", vt.Status{})
		if q := s.prompts(agent.PromptRequest{Pane: w.panes[0], Text: "go on", Queue: true}); q.ended(t) != nil || q.did != agent.PromptQueued {
			t.Fatalf("%+v", q)
		}
		s.tells(0, "- build", vt.Status{})
		time.Sleep(time.Minute)
		synctest.Wait()
		s.does(0, agent.Idle, agent.ByTitle)
		if p.got() != "" || s.view(0).Prompts != 1 {
			t.Errorf("typed %q, %d wait", p.got(), s.view(0).Prompts)
		}
		s.told(p, agent.HookStop)
		if p.got() != "go on\r" || s.view(0).Prompts != 0 {
			t.Errorf("after the hook typed %q, %d wait", p.got(), s.view(0).Prompts)
		}
		s.told(p, agent.HookPrompt)
	})
}

// A program may tell as often as it likes: only what changes is news.
func TestAFloodOfTitlesIsNoNews(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		s.agent(0)
		s.settle()
		s.tells(0, "* 0", vt.Status{})
		first := s.view(0)
		wake, cancel := s.c.Subscribe()
		defer cancel()
		for i := range 10_000 {
			s.tells(0, fmt.Sprint("* ", i, strings.Repeat("x", i%200)), vt.Status{App: fmt.Sprint(i)})
		}
		select {
		case <-wake:
			t.Error("whoever looks was woken")
		default:
		}
		if got := s.view(0); got != first {
			t.Errorf("%+v, was %+v", got, first)
		}
	})
}

// What a program tells its terminal while its pane is moved is known afterwards.
func TestWhatIsToldDuringAMove(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.screens = true
		from, to := w.neighbours()
		p := from.agent(0)
		w.must(from.move(0, to, func() {
			p.prints("\x1b]2;* build\a")
			for term := from.host.Shown(w.panes[0]); term.Told().Title == ""; { // no time passes while the loop is kept out
				runtime.Gosched()
			}
		}))
		to.settle()
		to.does(0, agent.Working, agent.ByTitle)
		// An upgrade loses nothing of it either, even with the state.
		next := to.exec(image{lost: true})
		next.does(0, agent.Working, agent.ByTitle)
	})
}
