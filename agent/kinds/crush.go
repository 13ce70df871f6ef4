package kinds

import "reprise/agent"

// crush is Charm's Crush.
func crush() *program {
	return &program{
		facts:  agent.Facts{Name: "crush", Label: "crush", Program: "crush", OwnProcesses: 1},
		resume: []string{"--session", sessionMark},
		verbs:  set("run", "dirs", "logs", "login", "projects", "schema", "update-providers", "completion", "help", "server", "session", "stats", "models"),
		options: table(
			row(goesOn, one, "--session", "-s"),
			row(latest, none, "--continue", "-C"),
			row(plain, none, "--help", "-h", "--version", "-v"),
			row(keep, one, "--cwd", "-c", "--data-dir", "-D", "--host", "-H"),
			row(keep, none, "--debug", "-d", "--yolo", "-y"),
		),
		about: about{
			hooks:   variableOnly,
			version: "commit 37f36e93 (its source)",
			store:   "a database in each project (`.crush/crush.db`), read for the history as its source has it: of those that `~/.local/share/crush/projects.json` lists",
			ids:     "a new session within it has another one",
			quit:    "not looked at: the exit status tells",
			notes: "It has one hook, PreToolUse, and takes it from its own configuration: `CRUSH_GLOBAL_CONFIG` would put another folder in that one's place. " +
				"One of yours may run `$REPRISE_HOOK work`, whose `session_id` is then known.",
		},
	}
}
