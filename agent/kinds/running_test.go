package kinds_test

import (
	"testing"

	"reprise/agent"
	"reprise/panes"
)

func TestCodexTellsItsSession(t *testing.T) {
	const one = "/h/sessions/2026/11/29/rollout-2026-11-29T10-00-00-" + string(other) + ".jsonl"
	for name, c := range map[string]struct {
		files []string
		want  agent.SessionID
	}{
		"its file":         {[]string{"/dev/null", one, one}, other},
		"none":             {[]string{"/dev/null", "/h/rollout-x.jsonl", "/h/rollout-" + string(other) + ".txt"}, ""},
		"two sessions":     {[]string{one, "/h/rollout-1-" + string(preset) + ".jsonl"}, ""},
		"a hostile name":   {[]string{"/h/rollout-1---resume=aaaaaaaaaaaaaaaaaaaaaaaaaaa.jsonl"}, ""},
		"nothing is known": {nil, ""},
	} {
		if got := kind(t, "codex").(agent.Teller).Running("", panes.ProcessID{PID: 1}, c.files); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestGrokTellsItsSession(t *testing.T) {
	const below = "/h/.grok/sessions/%2Fw/"
	for name, c := range map[string]struct {
		files []string
		want  agent.SessionID
	}{
		"its file":                {[]string{"/dev/null", below + string(other) + "/events.jsonl", below + string(other) + "/updates.jsonl"}, other},
		"two, as /new leaves it":  {[]string{below + string(other) + "/events.jsonl", below + string(preset) + "/events.jsonl"}, ""},
		"another folder":          {[]string{"/h/.grok/logs/%2Fw/" + string(other) + "/events.jsonl", "/w/" + string(other) + "/events.jsonl"}, ""},
		"a short and a long path": {[]string{"events.jsonl", "/", "", below + "deep/" + string(other) + "/events.jsonl"}, ""},
		"a hostile name":          {[]string{below + "--resume=aaaaaaaaaaaaaaaaaaaaaaaaaaa/events.jsonl"}, ""},
	} {
		if got := kind(t, "grok").(agent.Teller).Running("", panes.ProcessID{PID: 1}, c.files); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
