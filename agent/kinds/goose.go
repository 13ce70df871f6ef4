package kinds

import "reprise/agent"

// goose is the goose agent, first Block's.
func goose() *program {
	return &program{
		facts: agent.Facts{
			Name: "goose", Label: "goose", Program: "goose", OwnProcesses: 1, HomeEnv: "GOOSE_PATH_ROOT",
			Fork: []string{"session", "--resume", "--session-id", sessionMark, "--fork"},
		},
		begin:  []string{"session"},
		resume: []string{"session", "--resume", "--session-id", sessionMark},
		verbs: set("configure", "info", "doctor", "version", "update", "recipe", "run", "schedule", "mcp", "acp", "bench", "web", "serve",
			"project", "projects", "term", "help", "completion", "completions", "plugin", "skills"),
		options: table(
			row(goesOn, one, "--session-id", "--id"),
			row(latest, none, "--resume", "-r"),
			row(fork, none, "--fork"),
			row(drop, one, "--name", "-n"), // names a session, too
			row(drop, none, "--history"),
			row(plain, none, "--help", "-h", "--version", "-V"),
			row(keep, one, "--max-turns", "--max-tool-repetitions", "--with-extension", "--with-remote-extension",
				"--with-streamable-http-extension", "--with-builtin", "--container"),
			row(keep, none, "--debug", "--no-profile"),
		),
		about: about{
			hooks:   variableOnly,
			version: "1.50.0 (its documentation)",
			store:   "a database (`~/.local/share/goose/sessions/sessions.db`), read for the history as others document it, and not asked before a resume",
			ids:     "not looked at",
			quit:    "the exit status tells",
			notes:   "No option makes it call us: name the session with `--session-id`.",
		},
	}
}
