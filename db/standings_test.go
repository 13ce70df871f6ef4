package db_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/past"
)

// Each session once: as the binding has it that lives, else the last one.
func TestStandings(t *testing.T) {
	w := newWorld(t)
	w.dead("t-1", "s-1")
	w.dead("t-2", "s-2")
	w.resume("t-2", "t-3") // lives
	w.begin("t-4", "s-4")
	w.end("t-4", agent.Detached, false, 5)
	w.begin("t-5", "") // no session yet
	shell := w.record("t-6")
	w.must(w.Begin(w.ctx, shell, nil))
	w.dead("t-7", "s-1") // a twin
	w.dead("t-8", "s-8")
	w.claim("t-8")
	got := must(w.Standings(w.ctx))(t)
	slices.SortFunc(got, func(a, b past.Standing) int { return strings.Compare(string(a.Session), string(b.Session)) })
	want := []struct {
		session agent.SessionID
		term    string
		reason  agent.EndReason
		open    bool
	}{
		{"s-1", "t-7", agent.TerminalExited, false},
		{"s-2", "t-3", agent.Live, true},
		{"s-4", "t-4", agent.Detached, false},
		{"s-8", "t-8", agent.Resuming, true},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, g := range got {
		x := want[i]
		if g.Session != x.session || string(g.Terminal) != x.term || g.Reason != x.reason || g.Open() != x.open ||
			g.Kind != "claude" || g.Home != "/home/.claude" || g.Dir != "/src" || (g.PID != 0) != (x.reason == agent.Live) {
			t.Errorf("got %+v, want %+v", g, x)
		}
	}
}

// Of what no hook told of it is not known whether it has a conversation; of what failed
// at its start it is.
func TestUnheardStandings(t *testing.T) {
	w := newWorld(t)
	w.dead("t-1", "silent")
	w.begin("t-2", "heard")
	w.hook(event("t-2", "startup", 1))
	w.begin("t-3", "failed")
	must(w.End(w.ctx, agent.Ending{Terminal: "t-3", At: at(1), Asked: agent.TerminalExited, FirstFailed: true}))(t)
	w.begin("t-4", "failed, then silent")
	must(w.End(w.ctx, agent.Ending{Terminal: "t-4", At: at(1), Asked: agent.TerminalExited, FirstFailed: true}))(t)
	w.begin("t-5", "failed, then silent")
	got := map[agent.SessionID]bool{}
	for _, s := range must(w.Standings(w.ctx))(t) {
		got[s.Session] = s.Unheard
	}
	if want := map[agent.SessionID]bool{"silent": true, "heard": false, "failed": false, "failed, then silent": true}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
