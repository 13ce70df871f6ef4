package kinds_test

import (
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// Where several fields of a payload give an event another meaning, the first by name
// counts, each time.
func TestEventsOfSeveralFields(t *testing.T) {
	c := coder
	c.Hooks = "claude-settings:--settings"
	c.Calls.Events = map[string]kinds.CustomEvent{"Told": {What: "other", When: map[string]map[string]string{
		"b": {"x": "stop"}, "a": {"x": "prompt"}, "c": {"x": "fail"}, "d": {"x": "work"},
	}}}
	k := kind(t, "coder", c)
	for range 50 {
		checkHooks(t, k, []hookCase{
			{"Told", `{"a":"x","b":"x","c":"x","d":"x"}`, agent.HookFacts{What: agent.HookPrompt}},
			{"Told", `{"a":"y","b":"x","c":"x","d":"x"}`, agent.HookFacts{What: agent.HookStop}},
			{"Told", `{"d":"x"}`, agent.HookFacts{What: agent.HookWork}},
			{"Told", `{}`, agent.HookFacts{What: agent.HookOther}},
		})
	}
	if !k.Facts().TellsTurns {
		t.Error("it does not tell that a turn begins")
	}
	delete(c.Calls.Events["Told"].When, "a")
	if kind(t, "coder", c).Facts().TellsTurns {
		t.Error("it tells that a turn begins")
	}
}

// What cannot be as it is said is refused.
func TestEventsThatCannotBe(t *testing.T) {
	end := func(word string) map[string]kinds.CustomEvent {
		return map[string]kinds.CustomEvent{"End": {What: "goodbye", Reason: "reason", Certain: word}}
	}
	dots := map[string]kinds.CustomEvent{"turn.end": {What: "stop"}}
	for name, c := range map[string]struct {
		hooks  string
		events map[string]kinds.CustomEvent
		says   string
	}{
		"a dot in a key":        {"codex-overrides:-c", dots, `events: "turn.end"`},
		"a dot elsewhere":       {"claude-settings:--settings", dots, ""},
		"a long word":           {"", end(strings.Repeat("x", 65)), "events.End: certain"},
		"a word of other signs": {"", end("tschüss"), "events.End: certain"},
		"a word of 64":          {"", end(strings.Repeat("x", 64)), ""},
	} {
		d := coder
		d.Hooks, d.Calls.Events = c.hooks, c.events
		if err := kinds.Check(d); (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
