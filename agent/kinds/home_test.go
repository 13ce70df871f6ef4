package kinds_test

import (
	"slices"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// A session is resumed in the home it began in: also the default home, when our
// own environment names another one by then.
func TestHomeOfACommand(t *testing.T) {
	reg, err := kinds.New([]kinds.Custom{
		{Name: "plain", Command: "plain", NewArgs: []string{"{session_id}"}, ResumeArgs: []string{"{session_id}"}},
		{Name: "moved", Command: "moved", ResumeArgs: []string{"{session_id}"}, HomeEnv: "MOVED_HOME", Env: []string{"MOVED_HOME=/fixed"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind, home string
		want       []string
	}{
		{"claude", "", []string{"CLAUDE_CONFIG_DIR"}},
		{"claude", "/h", []string{"CLAUDE_CONFIG_DIR=/h"}},
		{"codex", "", []string{"CODEX_HOME"}},
		{"codex", "/h", []string{"CODEX_HOME=/h"}},
		{"plain", "", nil},
		{"moved", "", []string{"MOVED_HOME=/fixed"}},
	} {
		k, _ := reg.Kind(c.kind)
		cmd, err := k.Resume(agent.LaunchInput{Session: "11111111-2222-4333-8444-555555555555", Home: c.home, Dir: "/", Hook: agent.HookCommand{Program: "/bin/x", State: "/s", Nonce: "N"}})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(slices.Clone(cmd.Env), func(kv string) bool { return len(kv) > 12 && kv[:12] == "REPRISE_HOOK" })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s with home %q gets %q, want %q", c.kind, c.home, got, c.want)
		}
	}
}
