package kinds_test

import (
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// A word that a person gives as a session's id is one by the rule of its kind, or none.
func TestNamed(t *testing.T) {
	all, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, own := range map[string]string{
		"claude": other, "codex": other, "opencode": theirs, "amp": thread, "crush": "a1.b-2", "kimi": "session_1",
	} {
		k, _ := all.Kind(name)
		n := k.(agent.Namer)
		if got := n.Named(own); string(got) != own {
			t.Errorf("%s: %q is %q", name, own, got)
		}
		for _, word := range []string{"", "-" + own, "--resume", "../" + own, own + "/x", own + " ", "latest\x00"} {
			if got := n.Named(word); got.Valid() && string(got) != own {
				t.Errorf("%s: %q is taken for a session's id: %q", name, word, got)
			}
		}
	}
}
