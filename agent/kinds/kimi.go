package kinds

import "reprise/agent"

// kimi is Moonshot's Kimi Code.
func kimi() *program {
	return &program{
		facts: agent.Facts{
			Name: "kimi", Label: "kimi", Program: "kimi", OwnProcesses: 1, HomeEnv: "KIMI_CODE_HOME",
		},
		resume: []string{"--session", sessionMark},
		ids:    "session_*",
		verbs: set("acp", "config", "doctor", "export", "fork", "kill", "list", "login", "migrate", "provider", "rc", "server", "session",
			"tui", "upgrade", "update", "vis", "web", "install-desktop"),
		options: table(
			row(goesOn, maybe, "--session", "-S", "--resume", "-r"),
			row(latest, none, "--continue", "-c", "-C"),
			row(plain, one, "--prompt", "-p"),
			row(plain, none, "--help", "-h", "--version", "-V"),
			row(drop, one, "--agent", "--agent-file"), // refused beside a session's id
			row(keep, one, "--model", "-m", "--add-dir", "--skills-dir", "--output-format"),
			row(keep, none, "--yolo", "-y", "--yes", "--auto-approve", "--auto", "--plan", "--rc", "--remote-control"),
		),
		about: about{
			hooks:   variableOnly,
			version: "2.1.0",
			store:   "`~/.kimi-code/sessions/`; what of it is there before the first message was not looked at",
			ids:     "`/new` begins another one",
			quit:    "the exit status tells",
			notes:   "Its hooks stand in its own config.toml alone, where nothing of ours is written: add one that runs `$REPRISE_HOOK` ([custom agents](custom-agents.md#hooks)), or name the session.",
		},
	}
}
