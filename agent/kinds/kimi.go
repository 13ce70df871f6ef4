package kinds

import (
	"fmt"
	"strings"

	"reprise/agent"
)

// kimi is Moonshot's Kimi Code.
func kimi() *program {
	return &program{
		facts: agent.Facts{
			Name: "kimi", Label: "kimi", Program: "kimi", Programs: []string{"kimi-code"}, // as its process calls itself
			OwnProcesses: 1, HomeEnv: "KIMI_CODE_HOME",
		},
		resume: []string{"--session", sessionMark},
		ids:    "session_*",
		verbs: set("acp", "config", "doctor", "export", "fork", "help", "kill", "list", "login", "migrate", "provider", "rc", "remote", "server", "session",
			"tui", "upgrade", "update", "vis", "web", "install-desktop"),
		signs: signs{screens: []look{
			{agent.AsksPermission, "↑/↓ select · 1/2/3/4 choose", []string{"▶"}, 1},
			{agent.AsksAnswer, "↑↓ select", []string{"→ ["}, 1},
		}},
		store: store{home: "~/.kimi-code", pattern: "{home}/sessions/*/{session_id}/agents/main/wire.jsonl", has: []string{`"type":"turn.prompt"`}},
		options: table(
			row(goesOn, maybe, "--session", "-S", "--resume", "-r"),
			row(latest, none, "--continue", "-c", "-C"),
			row(plain, one, "--prompt", "-p"),
			row(plain, none, "--help", "-h", "--version", "-V"),
			row(drop, one, "--agent", "--agent-file"), // refused beside a session's id, which brings its agent back
			row(keep, one, "--model", "-m", "--add-dir", "--skills-dir", "--output-format"),
			row(keep, none, "--yolo", "-y", "--yes", "--auto-approve", "--auto", "--plan"),
		),
		about: about{
			hooks:   variableOnly,
			version: "2.1.0",
			seen:    "launch, resume, options, two in one directory, hooks of your own, store, permissions, /new, /exit, SIGKILL, SIGHUP and SIGTERM",
			ids:     "it has one from the first message on; `/new` begins another one at once, and a hook tells it. `kimi fork` makes a copy and ends",
			quit:    "exit 0 after `/exit`, 143 after SIGTERM; its SessionEnd says `exit` after `/exit` and for the session that `/new` left, and does not come with a signal",
			own: ownHooks{".kimi-code/config.toml", tomlHooks(
				"SessionStart start", "UserPromptSubmit prompt", "PermissionRequest ask", "PermissionResult work", "PreToolUse answer AskUserQuestion",
				"PostToolUse work", "PostToolUseFailure work", "Stop stop", "Interrupt stop", "StopFailure fail",
			)},
			notes: "Its hooks stand in its own configuration alone, where nothing of ours is written: without those above, name the session. What was said in its last tenths of a second is lost when it is killed.",
		},
	}
}

// tomlHooks are hooks of the person's: of each its event, our word for it and, if it is
// for one tool alone, the tool.
func tomlHooks(hooks ...string) string {
	var text strings.Builder
	for _, h := range hooks {
		of := strings.Fields(h)
		fmt.Fprintf(&text, "[[hooks]]\nevent = %q\n", of[0])
		if len(of) > 2 {
			fmt.Fprintf(&text, "matcher = %q\n", of[2])
		}
		fmt.Fprintf(&text, "command = '%s'\n", ownHook(of[1]))
	}
	return text.String()
}
