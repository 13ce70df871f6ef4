package agent_test

import (
	"strings"
	"testing"

	"reprise/agent"
)

func TestSessionIDValid(t *testing.T) {
	for id, want := range map[agent.SessionID]bool{
		"a": true, "9": true, "Z-._:": true, "ses_1a": true, agent.SessionID(strings.Repeat("a", 128)): true,
		"11111111-2222-4333-8444-555555555555": true,
		"":                                     false, "-p": false, "--resume": false, ".x": false, "_x": false, ":": false, "a b": false,
		"a/b": false, "a\n": false, "a\x00b": false, "é": false, "aé": false, "a;b": false, agent.SessionID(strings.Repeat("a", 129)): false,
	} {
		if id.Valid() != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}
