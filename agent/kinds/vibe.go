package kinds

import "reprise/agent"

// vibe is Mistral Vibe.
func vibe() *program {
	return &program{
		facts: agent.Facts{
			Name: "vibe", Label: "vibe", Program: "vibe", OwnProcesses: 1, HomeEnv: "VIBE_HOME",
		},
		resume: []string{"--resume", sessionMark},
		store:  store{home: "~/.vibe", pattern: "{home}/logs/session/*_{session_id:8}/messages.jsonl", has: []string{`"role": "user"`, `"role":"user"`}, elsewhere: true},
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
			store:   "read for the history, all as its source documents it; where its `config.toml` says, if it has a `save_dir` that begins with `/` or `~/`; what a project's settings or its environment say is not followed",
			ids:     "not looked at",
			quit:    "the exit status tells",
			notes:   "No option makes it call us: name the session.",
		},
	}
}
