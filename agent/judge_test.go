package agent_test

import (
	"testing"
	"time"

	"reprise/agent"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestJudge(t *testing.T) {
	const mine, other = agent.SessionID("sess-1"), agent.SessionID("sess-2")
	live := agent.Binding{Origin: agent.Origin{Kind: "claude"}, Session: mine, LastEvent: "start", LastEventAt: noon}
	ended := func(r agent.EndReason, unsure bool) agent.Binding {
		b := live
		b.Reason, b.Unsure, b.Ended = r, unsure, noon
		return b
	}
	fresh := live
	fresh.LastEvent, fresh.LastEventAt = "", time.Time{}
	unknown := fresh
	unknown.Session = ""
	pinned := fresh
	pinned.Pinned = true
	ev := func(w agent.HookWhat, s agent.SessionID) agent.HookEvent {
		return agent.HookEvent{Nonce: "n", Kind: "claude", What: w, Session: s, FiredAt: noon.Add(time.Second), Depth: 1}
	}
	with := func(e agent.HookEvent, change func(*agent.HookEvent)) agent.HookEvent {
		change(&e)
		return e
	}
	early := func(e *agent.HookEvent) { e.FiredAt = noon.Add(-time.Second) }
	certain := func(e *agent.HookEvent) { e.Certain = true }
	broken := func(e *agent.HookEvent) { e.Depth = agent.DepthBroken }
	depth := func(n int) func(*agent.HookEvent) { return func(e *agent.HookEvent) { e.Depth = n } }

	const ignore = "ignore"
	type want = agent.Verdict
	for name, c := range map[string]struct {
		e      agent.HookEvent
		b      agent.Binding
		status agent.TerminalStatus
		own    int
		want   want
	}{
		"start of the bound session":             {e: ev(agent.HookStart, mine), b: live},
		"first id":                               {e: ev(agent.HookStart, mine), b: unknown, want: want{Rebind: mine}},
		"first id with a prompt":                 {e: ev(agent.HookPrompt, mine), b: unknown, want: want{Rebind: mine, Prompted: true}},
		"first hook of a resume names another":   {e: ev(agent.HookStart, other), b: fresh, want: want{Rebind: other, Unprompt: true}},
		"first hook, any event, names another":   {e: ev(agent.HookAsk, other), b: fresh, want: want{Rebind: other, Unprompt: true}},
		"a start in spite of a pin":              {e: ev(agent.HookStart, other), b: pinned, want: want{Rebind: other, Unprompt: true}},
		"a prompt in spite of a pin":             {e: ev(agent.HookPrompt, other), b: pinned, want: want{Rebind: other, Prompted: true}},
		"any event does not move a pin":          {e: ev(agent.HookAsk, other), b: pinned, want: want{Why: ignore}},
		"a pin, parents unknown":                 {e: with(ev(agent.HookStart, other), broken), b: pinned, want: want{Why: ignore}},
		"/clear":                                 {e: ev(agent.HookStart, other), b: live, want: want{Rebind: other, Unprompt: true}},
		"prompt in another session":              {e: ev(agent.HookPrompt, other), b: live, want: want{Rebind: other, Prompted: true}},
		"late start of a former session":         {e: with(ev(agent.HookStart, other), early), b: live, want: want{Why: ignore}},
		"stop of a former session":               {e: ev(agent.HookStop, other), b: live, want: want{Why: ignore}},
		"question of a former session":           {e: ev(agent.HookAsk, other), b: live, want: want{Why: ignore}},
		"turn begins":                            {e: ev(agent.HookPrompt, mine), b: live, want: want{Prompted: true}},
		"turn begins, no id told":                {e: ev(agent.HookPrompt, ""), b: live, want: want{Prompted: true}},
		"turn ends":                              {e: ev(agent.HookStop, mine), b: live, want: want{Prompted: true}},
		"it rests, which is no message":          {e: ev(agent.HookRest, mine), b: live},
		"it rests and tells its first id":        {e: ev(agent.HookRest, mine), b: unknown, want: want{Rebind: mine}},
		"sign of life":                           {e: ev(agent.HookOther, mine), b: live},
		"question":                               {e: ev(agent.HookAsk, mine), b: live},
		"uncertain goodbye moves nothing":        {e: ev(agent.HookGoodbye, mine), b: live, want: want{Why: ignore}},
		"certain goodbye":                        {e: with(ev(agent.HookGoodbye, mine), certain), b: live, want: want{Goodbye: true}},
		"certain goodbye of another session":     {e: with(ev(agent.HookGoodbye, other), certain), b: live, want: want{Why: ignore}},
		"wrong nonce":                            {e: with(ev(agent.HookStart, other), func(e *agent.HookEvent) { e.Nonce = "x" }), b: live, want: want{Why: ignore}},
		"no nonce":                               {e: with(ev(agent.HookStart, other), func(e *agent.HookEvent) { e.Nonce = "" }), b: live, want: want{Why: ignore}},
		"wrong kind":                             {e: with(ev(agent.HookStart, other), func(e *agent.HookEvent) { e.Kind = "codex" }), b: live, want: want{Why: ignore}},
		"an option for an id":                    {e: ev(agent.HookStart, "--dangerous"), b: live, want: want{Why: ignore}},
		"nested":                                 {e: with(ev(agent.HookStart, other), depth(2)), b: live, want: want{Why: ignore}},
		"nested turn of the bound session":       {e: with(ev(agent.HookPrompt, mine), depth(2)), b: live, want: want{Why: ignore}},
		"nested certain goodbye":                 {e: with(ev(agent.HookGoodbye, mine), certain), own: -1, b: live, want: want{Why: ignore}},
		"two processes of its own":               {e: with(ev(agent.HookStart, other), depth(2)), own: 2, b: live, want: want{Rebind: other, Unprompt: true}},
		"broken chain, bound session":            {e: with(ev(agent.HookPrompt, mine), broken), b: live, want: want{Prompted: true}},
		"broken chain, another session":          {e: with(ev(agent.HookStart, other), broken), b: live, want: want{Why: ignore}},
		"broken chain, no session told":          {e: with(ev(agent.HookPrompt, ""), broken), b: unknown, want: want{Why: ignore}},
		"broken chain, first id":                 {e: with(ev(agent.HookStart, mine), broken), b: unknown, want: want{Why: ignore}},
		"revival by a start":                     {e: ev(agent.HookStart, mine), b: ended(agent.Detached, false), want: want{Reopen: true}},
		"revival by another id":                  {e: ev(agent.HookAsk, other), b: ended(agent.Detached, true), want: want{Reopen: true, Rebind: other, Unprompt: true}},
		"revival of a terminal-exited row":       {e: ev(agent.HookStart, mine), b: ended(agent.TerminalExited, false), want: want{Reopen: true}},
		"revival with a turn of another id":      {e: ev(agent.HookPrompt, other), b: ended(agent.Detached, false), want: want{Reopen: true, Rebind: other, Prompted: true}},
		"straggler after the end":                {e: ev(agent.HookStop, mine), b: ended(agent.TerminalExited, false), want: want{Why: ignore}},
		"straggler prompt after the end":         {e: ev(agent.HookPrompt, mine), b: ended(agent.Detached, true), want: want{Why: ignore}},
		"start fired before the end":             {e: with(ev(agent.HookStart, mine), early), b: ended(agent.Detached, false), want: want{Why: ignore}},
		"start fired at the end":                 {e: with(ev(agent.HookStart, mine), func(e *agent.HookEvent) { e.FiredAt = noon }), b: ended(agent.Detached, false), want: want{Why: ignore}},
		"start in a terminal that exited":        {e: ev(agent.HookStart, other), b: ended(agent.TerminalExited, false), status: agent.TerminalExit, want: want{Why: ignore}},
		"start in a terminal that was disposed":  {e: ev(agent.HookStart, other), b: ended(agent.Detached, false), status: agent.TerminalDisposed, want: want{Why: ignore}},
		"start after the claim":                  {e: ev(agent.HookStart, other), b: ended(agent.Resuming, false), want: want{Why: ignore}},
		"start after the resume":                 {e: ev(agent.HookStart, other), b: ended(agent.Resumed, false), want: want{Why: ignore}},
		"start after a disposal":                 {e: ev(agent.HookStart, other), b: ended(agent.Disposed, false), want: want{Why: ignore}},
		"certain goodbye makes an unsure sure":   {e: with(ev(agent.HookGoodbye, mine), certain), b: ended(agent.Detached, true), status: agent.TerminalExit, want: want{Goodbye: true}},
		"uncertain goodbye of an unsure":         {e: ev(agent.HookGoodbye, mine), b: ended(agent.Detached, true), want: want{Why: ignore}},
		"certain goodbye of a sure":              {e: with(ev(agent.HookGoodbye, mine), certain), b: ended(agent.Detached, false), want: want{Why: ignore}},
		"certain goodbye of a candidate":         {e: with(ev(agent.HookGoodbye, mine), certain), b: ended(agent.TerminalExited, false), want: want{Why: ignore}},
		"certain goodbye of a disposed one":      {e: with(ev(agent.HookGoodbye, mine), certain), b: ended(agent.Disposed, false), want: want{Why: ignore}},
		"certain goodbye of another, unsure row": {e: with(ev(agent.HookGoodbye, other), certain), b: ended(agent.Detached, true), want: want{Why: ignore}},
	} {
		t.Run(name, func(t *testing.T) {
			term := agent.Terminal{Nonce: "n", Status: agent.TerminalActive}
			if c.status != "" {
				term.Status = c.status
			}
			own := 1
			switch {
			case c.own > 0:
				own = c.own
			case c.own < 0:
				own = 0
			}
			got := agent.Judge(c.e, term, c.b, own)
			if c.want.Why == ignore {
				if !got.Ignore || got.Why == "" {
					t.Fatalf("got %+v, want it ignored with a reason", got)
				}
				got.Ignore, got.Why = false, ""
				c.want.Why = ""
			}
			got.Why = ""
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestMovesHaveEveryCell(t *testing.T) {
	rows := []agent.Standing{
		{Reason: agent.Live},
		{Reason: agent.Detached},
		{Reason: agent.Detached, Unsure: true},
		{Reason: agent.TerminalExited},
		{Reason: agent.Resuming},
		{Reason: agent.Resumed},
		{Reason: agent.Disposed},
	}
	if len(agent.Moves) != len(rows) {
		t.Errorf("%d rows, want %d", len(agent.Moves), len(rows))
	}
	for _, row := range rows {
		for asked := agent.AskSure; asked <= agent.AskDisposed; asked++ {
			if _, ok := agent.Moves[row][asked]; !ok {
				t.Errorf("no cell for %+v asked %d", row, asked)
			}
		}
	}
}
