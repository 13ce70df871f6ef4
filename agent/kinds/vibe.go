package kinds

import "reprise/agent"

// vibe is Mistral Vibe.
func vibe() *program {
	return &program{
		facts: agent.Facts{
			Name: "vibe", Label: "vibe", Program: "vibe", OwnProcesses: 1, HomeEnv: "VIBE_HOME",
		},
		resume: []string{"--resume", sessionMark},
		options: table(
			row(goesOn, maybe, "--resume"),
			row(latest, none, "--continue", "-c"),
			row(plain, maybe, "--prompt", "-p"),
			row(plain, none, "--help", "-h", "--version", "-v", "--setup"),
			row(keep, one, "--max-turns", "--max-price", "--enabled-tools", "--output", "--agent", "--workdir", "--add-dir"),
			row(keep, none, "--trust", "--teleport"),
		),
		about: about{
			hooks:   variableOnly,
			version: "2.x (its source of 2026)",
			store:   "folders below `~/.vibe/logs/session/`, which are not named by the whole id",
			ids:     "not looked at",
			quit:    "the exit status tells",
			notes:   "No option makes it call us: name the session.",
		},
	}
}
