package hook_test

import (
	"testing"

	"reprise/agent"
	"reprise/agent/hook"
	"reprise/agent/kinds"
	"reprise/panes"
)

func TestDepth(t *testing.T) {
	reg, err := kinds.New([]kinds.Custom{
		{Name: "gem", Command: "/opt/gem", Processes: 2},
		{Name: "mine", Command: "node", NewArgs: []string{"agent.js"}, Programs: []string{"a-name-longer-than-fifteen"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	named := chain("sh", "x")
	named[1].Name = "a-name-longer-t"
	for _, c := range []struct {
		name  string
		chain []panes.Proc
		root  int // index in the chain; -1: not in it
		want  int
	}{
		{"claude", chain("sh -c hook", "/opt/claude --model x"), 1, 1},
		{"no shell between", chain("claude"), 0, 1},
		{"above the terminal nothing counts", chain("sh", "claude", "reprise", "zsh", "claude"), 1, 1},
		{"nested", chain("sh", "claude -p", "zsh -c x", "claude"), 3, 2},
		{"nested without a shell", chain("sh", "claude -p", "claude"), 2, 2},
		{"another kind inside", chain("sh", "codex exec", "bash", "claude"), 3, 2},
		{"npm's launcher", chain("sh", "/lib/codex/codex -c x", "node /usr/bin/codex -c x"), 2, 1},
		{"launcher with options", chain("sh", "claude", "/usr/bin/node --no-warnings /usr/lib/claude.js"), 2, 1},
		{"a shell's launcher", chain("sh", "claude", "/bin/bash /usr/local/bin/claude"), 2, 1},
		{"nested under a launcher", chain("sh", "codex", "bash", "codex", "node /usr/bin/codex"), 4, 2},
		{"wrapper and child are both scripts", chain("sh", "node /opt/gem", "node /opt/gem"), 2, 2},
		{"an own title", chain("sh", "=gem", "node /opt/gem"), 2, 1},
		{"the hook's own command line is no script", chain("sh -c /state/claude", "dash -lc /x/codex", "claude"), 2, 1},
		{"an interpreter alone is no kind", chain("sh", "node agent.js"), 1, 0},
		{"a versioned interpreter", chain("sh", "python3.13 /opt/gem.py"), 1, 1},
		{"by the kernel's short name", named, 1, 1},
		{"login shell", chain("-claude"), 0, 1},
		{"broken", chain("sh", "claude"), -1, agent.DepthBroken},
		{"empty", nil, -1, agent.DepthBroken},
		{"no argv", []panes.Proc{{ID: panes.ProcessID{PID: 100}}}, 0, 0},
	} {
		root := panes.ProcessID{PID: 100 + c.root}
		if c.root < 0 {
			root.PID = 1
		}
		if got := hook.Depth(c.chain, root, reg); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	// The pid alone is not the process.
	if got := hook.Depth(chain("claude"), panes.ProcessID{PID: 100, Start: 7}, reg); got != agent.DepthBroken {
		t.Errorf("another start time: %d", got)
	}
}
