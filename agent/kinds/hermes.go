package kinds

import "reprise/agent"

// hermes is Nous Research's Hermes Agent.
func hermes() *program {
	return &program{
		facts: agent.Facts{
			Name: "hermes", Label: "hermes", Program: "hermes", OwnProcesses: 1, HomeEnv: "HERMES_HOME",
		},
		resume:   []string{"--resume", sessionMark},
		store:    store{home: "~/.hermes"},
		profiles: true,
		verbs: set("model", "gateway", "setup", "skills", "memory", "sessions", "logs", "backup", "import", "profile", "doctor", "status",
			"update", "config", "completion", "uninstall", "version", "dashboard", "desktop", "tools", "mcp", "cron", "plugins", "hooks"),
		options: table(
			row(goesOn, one, "--resume", "-r"),
			row(latest, maybe, "--continue", "-c"),
			row(plain, none, "--help", "-h", "--version", "-V", "--oneshot"),
			row(drop, one, "--query", "-q", "--query-file"),
			row(place, none, "--worktree", "-w"),
			row(keep, one, "--profile", "-p", "--in", "--model", "-m", "--provider", "--toolsets", "-t", "--skills", "-s"),
			row(keep, none, "--yolo", "--pass-session-id", "--ignore-user-config", "--tui", "--verbose", "--quiet", "-Q"),
		),
		about: about{
			hooks:   variableOnly,
			version: "2026.9.24 (its documentation)",
			store:   "a database (`~/.hermes/state.db`), read for the history as its source documents it, and not asked before a resume; so are those of its profiles (`profiles/NAME/state.db`), whose homes they are: a session that begins in one (`-p NAME`, or as `hermes profile use` says) comes back there, and one of the home itself (`-p default`) too, whichever is active then",
			ids:     "`/new` begins another one; compaction may go on under a new id",
			quit:    "the exit status tells",
			notes:   "No option makes it call us: name the session.",
		},
	}
}
