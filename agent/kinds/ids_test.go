package kinds

import (
	"testing"

	"reprise/agent"
)

// An id in the name of a file is taken only if there is one way to read it.
func TestIDInAName(t *testing.T) {
	const id = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
	for _, c := range []struct {
		form          idForm
		pattern, name string
		want          agent.SessionID
	}{
		{"", "rollout-*-{session_id}.jsonl", "rollout-2026-" + id + ".jsonl", ""},
		{"", "rollout-*-{session_id}.jsonl", "rollout-2026-11-abc.jsonl", ""},
		{"", "rollout-*-{session_id}.jsonl", "rollout-2026-abc.jsonl", "abc"},
		{"", "rollout-*-{session_id}.jsonl", "rollout-abc.jsonl", ""},
		{"", "*{session_id}.jsonl", "abc.jsonl", ""},
		{"", "log/*/{session_id}/x", "log/a-b/" + id + "/x", id},
		{"", "{session_id}.jsonl", id + ".jsonl", id},
		{"", "{session_id}.jsonl", "--yolo.jsonl", ""},
		{uuids, "rollout-*-{session_id}.jsonl", "rollout-2026-" + id + ".jsonl", id},
		{uuids, "*{session_id}.jsonl", "2026" + id + ".jsonl", id},
		{"ses_*", "run-*-{session_id}.db", "run-1-2-ses_a-b.db", "ses_a-b"},
		{"ses_*", "run-*-{session_id}.db", "run-1-ses_a-ses_b.db", ""},
		{"ses_*", "*{session_id}", "xses_a", "ses_a"},
	} {
		if got := c.form.in(c.name, c.pattern); got != c.want {
			t.Errorf("%q in %s of the form %q: %q, want %q", c.pattern, c.name, c.form, got, c.want)
		}
	}
}
