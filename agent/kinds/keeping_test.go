package kinds_test

import (
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// Kinds whose conversations are the same files are known by one name of their store,
// however they come to lie there; others are not.
func TestKeeps(t *testing.T) {
	t.Setenv("HOME", "/me")
	as := func(name string, change ...func(*kinds.Custom)) kinds.Custom {
		c := kinds.Custom{Name: name, Command: "coder", NewArgs: []string{"--new", "{session_id}"}, ResumeArgs: []string{"--resume", "{session_id}"}}
		for _, f := range change {
			f(&c)
		}
		return c
	}
	printed, _ := kinds.Describe("claude") // as reprise config agent prints it
	printed.Name, printed.Store.Format = "printed", "claude"
	gemini, _ := kinds.Describe("gemini")
	gemini.Name, gemini.Store.Format = "my-gemini", "gemini"
	reg, err := kinds.New([]kinds.Custom{
		printed, gemini,
		as("bare", func(c *kinds.Custom) { c.Command = "/opt/claude" }),
		as("moved", func(c *kinds.Custom) { c.Command, c.Env = "claude", []string{"CLAUDE_CONFIG_DIR=/me/.work"} }),
		as("homed", func(c *kinds.Custom) { c.Command, c.Store.Home = "claude", "~/.work/" }),
		as("formed", func(c *kinds.Custom) { c.Store.Format, c.HomeEnv = "claude", "CODER_HOME" }),
		as("filed", func(c *kinds.Custom) { c.Transcript = "~/.claude/projects/*/{session_id}.jsonl" }),
		as("apart", func(c *kinds.Custom) { c.Command, c.Transcript = "claude", "~/.apart/{session_id}.jsonl" }),
		as("wrapped", func(c *kinds.Custom) { c.Command, c.Store.Format = "my-opencode", "opencode" }),
		as("coder"), as("again"), as("continued", func(c *kinds.Custom) { c.ResumeArgs = []string{"--continue", "{session_id}"} }),
		as("other", func(c *kinds.Custom) { c.Command = "other" }),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind, home, of, at string
		same               bool
	}{
		{"claude", "", "claude", "/me/.claude", true},
		{"claude", "/me/.claude/", "claude", "", true},
		{"claude", "", "claude", "/me/.work", false},
		{"printed", "", "claude", "", true},
		{"printed", "/x", "claude", "/x", true},
		{"printed", "", "claude", "/x", false},
		{"bare", "", "claude", "", true},
		{"moved", "", "claude", "", false},
		{"moved", "", "claude", "/me/.work", true},
		{"moved", "", "homed", "", true},
		{"formed", "", "claude", "", true},
		{"formed", "/me/.work", "homed", "", true},
		{"filed", "", "bare", "", true},
		{"apart", "", "claude", "", false},
		{"my-gemini", "", "gemini", "/me", true}, // its home lies in the folder that the variable names
		{"my-gemini", "/x", "gemini", "/x", true},
		{"my-gemini", "/x", "gemini", "", false},
		{"wrapped", "", "opencode", "", true},
		{"coder", "", "again", "", true},
		{"coder", "", "continued", "", false},
		{"coder", "", "other", "", false},
		{"coder", "", "unknown", "", false},
	} {
		one, other := agent.StoreOf(reg, c.kind, c.home), agent.StoreOf(reg, c.of, c.at)
		if (one == other) != c.same {
			t.Errorf("%s at %q keeps %q, %s at %q %q: want the same: %v", c.kind, c.home, one, c.of, c.at, other, c.same)
		}
	}
	stores := map[string]string{}
	for _, k := range known(t).All() {
		name := k.Facts().Name
		store := agent.StoreOf(known(t), name, "")
		if was := stores[store]; was != "" || store == "" {
			t.Errorf("%s keeps %q, as does %q", name, store, was)
		}
		stores[store] = name
	}
}

// known are the agents that need no description.
func known(t *testing.T) *kinds.Registry {
	t.Helper()
	r, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
