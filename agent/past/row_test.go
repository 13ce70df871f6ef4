package past

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
)

func TestMerge(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	id := func(kind, home, session string) agent.Identity {
		return agent.Identity{Kind: kind, Home: home, Session: agent.SessionID(session)}
	}
	sources := []Source{{Store: Store{Kind: "claude"}, also: []agent.Identity{{Kind: "claude", Home: "/me/.claude"}}}, {Store: Store{Kind: "claude"}, Home: "/other"}}
	stored := []Conversation{
		{Identity: id("claude", "", "a"), First: "one", Used: at(10)},
		{Identity: id("claude", "", "b"), First: "two", Used: at(30)},
		{Identity: id("claude", "/other", "a"), First: "three", Used: at(20)},
	}
	standings := []Standing{
		{Identity: id("claude", "/me/.claude", "a"), Reason: agent.Live, Workspace: "w", Used: at(1)},
		{Identity: id("claude", "", "a"), Reason: agent.Detached, Used: at(9)}, // by another name of the home, over
		{Identity: id("coder", "", "x"), Dir: "/src", Prompted: true, Used: at(25), Reason: agent.Detached},
		{Identity: id("coder", "", "silent"), Used: at(26), Reason: agent.Detached},
		{Identity: id("coder", "", "unheard"), Used: at(27), Reason: agent.Detached, Unheard: true},
		{Identity: id("coder", "", "unheard, and empty"), Used: at(28), Reason: agent.Detached, Unheard: true},
		{Identity: id("claude", "", "b"), Used: at(29), Reason: agent.Detached, Unheard: true}, // its store tells
	}
	var got []string
	for _, r := range Merge(stored, standings, sources, func(s *Standing) bool { return strings.HasSuffix(string(s.Session), "empty") }) {
		state := "unknown"
		if r.Standing != nil {
			state = string(r.Standing.Reason)
		}
		got = append(got, r.Kind+" "+r.Home+" "+string(r.Identity.Session)+" "+r.First+" "+state)
	}
	want := []string{"claude  b two detached", "coder  unheard  detached", "coder  x  detached", "claude /other a three unknown", "claude /me/.claude a one "}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
