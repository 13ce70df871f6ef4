package agent_test

import (
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
)

func TestStatusOf(t *testing.T) {
	const (
		hook, protocol, title, screen       = agent.ByHook, agent.ByProtocol, agent.ByTitle, agent.ByScreen
		works, asks, answer, done, idle, no = agent.Working, agent.AsksPermission, agent.AsksAnswer, agent.TurnDone, agent.Idle, agent.DoingUnknown
	)
	type said struct {
		by          agent.Source
		doing       agent.Doing
		since, last int // seconds
	}
	for name, tt := range map[string]struct {
		all  []said
		now  int
		want agent.Doing
		by   agent.Source
	}{
		"nothing":                            {nil, 9, no, 0},
		"a hook":                             {[]said{{hook, works, 1, 1}}, 9, works, hook},
		"the protocol":                       {[]said{{protocol, works, 1, 1}}, 1, works, protocol},
		"a title":                            {[]said{{title, asks, 1, 1}}, 1, asks, title},
		"the screen":                         {[]said{{screen, asks, 1, 1}}, 1, asks, screen},
		"the protocol is before the title":   {[]said{{protocol, works, 1, 1}, {title, idle, 3, 3}}, 9, works, protocol},
		"the screen is last":                 {[]said{{title, idle, 1, 1}, {screen, asks, 5, 5}}, 9, idle, title},
		"and never against a hook":           {[]said{{hook, works, 1, 1}, {screen, asks, 5, 5}}, 9, works, hook},
		"a screen without work must stand":   {[]said{{hook, works, 1, 1}, {screen, agent.Quiet, 3, 3}}, 7, works, hook},
		"a screen without work that stands":  {[]said{{hook, works, 1, 1}, {screen, agent.Quiet, 3, 3}}, 8, idle, screen},
		"the hook has told of work since":    {[]said{{hook, works, 1, 6}, {screen, agent.Quiet, 3, 3}}, 10, works, hook},
		"but not of more":                    {[]said{{hook, works, 1, 6}, {screen, agent.Quiet, 3, 3}}, 11, idle, screen},
		"a title tells more than a screen":   {[]said{{hook, works, 1, 1}, {title, works, 1, 1}, {screen, agent.Quiet, 3, 3}}, 99, works, hook},
		"a hook is before an older title":    {[]said{{title, works, 1, 1}, {hook, asks, 2, 2}}, 9, asks, hook},
		"a newer title must stand":           {[]said{{hook, works, 1, 1}, {title, idle, 5, 5}}, 6, works, hook},
		"a newer title that stands":          {[]said{{hook, works, 1, 1}, {title, idle, 5, 5}}, 7, idle, title},
		"the hook has repeated it":           {[]said{{hook, works, 1, 6}, {title, idle, 5, 5}}, 9, works, hook},
		"a title knows no turn that is done": {[]said{{hook, done, 1, 1}, {title, idle, 2, 2}}, 9, done, hook},
		"an error, then idle":                {[]said{{hook, agent.TurnFailed, 1, 1}, {protocol, done, 2, 2}}, 9, agent.TurnFailed, hook},
		"a title knows no answer":            {[]said{{hook, answer, 1, 1}, {title, asks, 2, 2}}, 9, answer, hook},
		"quiet is no end of a question":      {[]said{{hook, asks, 1, 1}, {title, agent.Quiet, 2, 2}}, 9, asks, hook},
		"but of a turn":                      {[]said{{hook, works, 1, 1}, {title, agent.Quiet, 2, 2}}, 9, idle, title},
		"quiet alone":                        {[]said{{title, agent.Quiet, 2, 2}}, 2, idle, title},
		"a title of a question that is over": {[]said{{hook, asks, 1, 1}, {title, idle, 3, 3}}, 9, idle, title},
		"an interrupted question":            {[]said{{hook, answer, 1, 1}, {protocol, idle, 3, 3}}, 9, idle, protocol},
	} {
		var all agent.Evidences
		at := func(s int) time.Time { return time.Unix(int64(s), 0) }
		for _, s := range tt.all {
			all[s.by] = agent.Evidence{Doing: s.doing, Since: at(s.since), Last: at(s.last)}
		}
		got := agent.StatusOf(all, at(tt.now))
		if got.Doing != tt.want || got.By != tt.by || tt.by != 0 && got.Since != all[tt.by].Since {
			t.Errorf("%s: %+v, want %q by %v", name, got, tt.want, tt.by)
		}
		if got.Guess() != (tt.by == screen) {
			t.Errorf("%s: a guess: %v", name, got.Guess())
		}
	}
	if s := (agent.Status{Doing: done}); s.Seen(true).Doing != idle || s.Seen(false).Doing != done {
		t.Errorf("done, seen: %v; unseen: %v", s.Seen(true), s.Seen(false))
	}
}

// What hooks tell is what a pane's view says, from the first to the agent's end.
func TestHooksTellWhatAnAgentDoes(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.agent(0)
		if got := s.view(0).Status; got != (agent.Status{}) {
			t.Errorf("before any hook: %+v", got)
		}
		for _, step := range []struct {
			what   agent.HookWhat
			reason string
			want   agent.Doing
			same   bool // it does so since the step before
		}{
			{what: agent.HookRest, want: agent.Idle}, // there was no turn
			{what: agent.HookStart, want: agent.Idle, same: true},
			{what: agent.HookPrompt, want: agent.Working},
			{what: agent.HookWork, want: agent.Working, same: true},
			{what: agent.HookStart, reason: "compact", want: agent.Working, same: true},
			{what: agent.HookAsk, want: agent.AsksPermission},
			{what: agent.HookOther, want: agent.AsksPermission, same: true},
			{what: agent.HookWork, want: agent.Working},
			{what: agent.HookAnswer, want: agent.AsksAnswer},
			{what: agent.HookStop, want: agent.TurnDone},
			{what: agent.HookPrompt, want: agent.Working},
			{what: agent.HookPrompt, want: agent.Working}, // it was interrupted
			{what: agent.HookFail, want: agent.TurnFailed},
			{what: agent.HookStop, want: agent.TurnFailed, same: true},
			{what: agent.HookRest, want: agent.TurnFailed, same: true},
			{what: agent.HookStart, reason: "clear", want: agent.Idle},
			{what: agent.HookRest, want: agent.Idle, same: true},
			{what: agent.HookAsk, want: agent.AsksPermission},
			{what: agent.HookRest, want: agent.TurnDone},
		} {
			before := s.view(0).Status
			now := time.Now()
			s.hook(p, step.what, p.session, func(e *agent.HookEvent) { e.Reason = step.reason })
			time.Sleep(2 * time.Second)
			synctest.Wait()
			got := s.view(0).Status
			want := agent.Status{Doing: step.want, By: agent.ByHook, Since: now}
			if step.same {
				want.Since = before.Since
			}
			if got.Doing != want.Doing || got.By != want.By || !got.Since.Equal(want.Since) {
				t.Errorf("%s %s: %+v, want %+v", step.what, step.reason, got, want)
			}
		}
		p.killed(sigkill)
		if got := s.wants(0, agent.PaneDue).Status; got.Doing != agent.Gone || got.Since.IsZero() {
			t.Errorf("after its end: %+v", got)
		}
		s.revived(0, p.session)
		if got := s.view(0).Status; got != (agent.Status{}) {
			t.Errorf("come back, before any hook: %+v", got)
		}
	})
}

// A hook whose clock runs ahead says what it says now.
func TestNoHookIsOfTheFuture(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.agent(0)
		s.hook(p, agent.HookPrompt, p.session, func(e *agent.HookEvent) { e.FiredAt = time.Now().Add(time.Hour) })
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := s.view(0).Status; got.Doing != agent.Working || got.Since.After(time.Now()) {
			t.Errorf("%+v at %v", got, time.Now())
		}
	})
}

func TestStatusGoesAlongWithAnUpgrade(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.told(p, agent.HookAsk)
		before := s.view(0).Status
		next := s.exec(image{})
		if got := next.view(0).Status; got.Doing != agent.AsksPermission || !got.Since.Equal(before.Since) {
			t.Errorf("%+v, was %+v", got, before)
		}
	})
}

func TestStatusGoesAlongWithAMove(t *testing.T) {
	bubble(t, 1, func(w *world) {
		from, to := w.neighbours()
		p := from.spoken(0)
		from.told(p, agent.HookAsk)
		before := from.view(0).Status
		w.must(from.move(0, to))
		to.settle()
		if got := to.view(0).Status; got.Doing != agent.AsksPermission || !got.Since.Equal(before.Since) {
			t.Errorf("%+v, was %+v", got, before)
		}
	})
}
