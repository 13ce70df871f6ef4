package kinds

import (
	"testing"

	"reprise/agent"
)

// Titles as the real programs gave them, and others.
func TestTitles(t *testing.T) {
	reg, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind, title string
		want        agent.Doing
	}{
		{"claude", "✳ Claude Code", agent.Quiet},
		{"claude", "⠂ fake", agent.Working},
		{"claude", "⠐ fake", agent.Working},
		{"claude", "me@host: ~/w", ""},
		{"claude", "is it ✳ done?", ""},
		{"claude", "", ""},
		{"codex", "⠋ fake | proj", agent.Working},
		{"codex", "[ ! ] Action Required | fake | proj", agent.AsksPermission},
		{"codex", "[ . ] Action Required | fake | proj", agent.AsksPermission},
		{"codex", "fake | proj", ""},
		{"codex", "Action Required", ""},
		{"gemini", "✦  Working… (proj)   ", agent.Working},
		{"gemini", "✋  Action Required (proj)   ", agent.AsksPermission},
		{"gemini", "◇  Ready (proj)   ", agent.Idle},
		{"qwen", "Qwen - proj", ""},
	} {
		k, _ := reg.Kind(tt.kind)
		if got := k.(agent.Expressive).Title(tt.title); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.kind, tt.title, got, tt.want)
		}
	}
}
