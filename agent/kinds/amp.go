package kinds

import "reprise/agent"

// amp is Sourcegraph's Amp. Its threads are kept by its maker's server.
func amp() *program {
	return &program{
		facts:  agent.Facts{Name: "amp", Label: "amp", Program: "amp", OwnProcesses: 1},
		resume: []string{"threads", "continue", sessionMark},
		again:  []string{"threads", "continue"},
		ids:    "T-*",
		verbs: set("threads", "t", "login", "logout", "mcp", "permissions", "permission", "skill", "skills", "tools", "tool", "review", "update",
			"up", "usage", "version", "plugins", "doctor", "config", "help"),
		options: table(
			row(plain, maybe, "--execute", "-x"),
			row(plain, none, "--help", "-h", "--version", "-V"),
			row(keep, one, "--visibility", "--settings-file", "--log-level", "--log-file", "--mcp-config", "--mode", "-m"),
			row(keep, none, "--dangerously-allow-all", "--no-notifications", "--notifications", "--no-color", "--no-ide", "--ide", "--no-jetbrains"),
		),
		about: about{
			hooks:   variableOnly,
			version: "0.0.1790142911 (its help and plugin documentation)",
			store:   "its maker's server, which is not asked; what older versions left in `~/.local/share/amp/threads/` is read for the history as others document it, and not asked before a resume",
			ids:     "another thread may be chosen within it",
			quit:    "not looked at: it does not run without its server",
			notes:   "Plugins are taken from its own folders alone, where nothing of ours is written: one of yours may run `$REPRISE_HOOK` ([custom agents](custom-agents.md#hooks)), or name the thread.",
		},
	}
}
