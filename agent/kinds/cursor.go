package kinds

import "reprise/agent"

// cursor is the Cursor CLI.
func cursor() *program {
	return &program{
		facts:  agent.Facts{Name: "cursor-agent", Label: "cursor", Program: "cursor-agent", OwnProcesses: 1},
		resume: []string{"--resume=" + sessionMark},
		ids:    uuids,
		verbs: set("login", "logout", "status", "whoami", "about", "update", "upgrade", "mcp", "models", "ls", "resume", "create-chat",
			"install-shell-integration", "uninstall-shell-integration", "generate-rule", "rule", "sandbox", "acp", "help"),
		options: table(
			row(goesOn, maybe, "--resume"),
			row(latest, none, "--continue"),
			row(plain, none, "--print", "-p", "--help", "-h", "--version", "-v", "--list-models"),
			row(plain, maybe, "--cloud", "-c", "--background", "-b"), // the session lives elsewhere
			row(place, maybe, "--worktree", "-w"), row(drop, one, "--worktree-base"),
			row(keep, one, "--api-key", "-a", "--header", "-H", "--output-format", "--mode", "--model", "--sandbox", "--workspace", "--endpoint"),
			row(keep, none, "--stream-partial-output", "--plan", "--force", "-f", "--yolo", "--approve-mcps", "--trust", "--browser"),
		),
		about: about{
			hooks:   variableOnly,
			version: "2026 (its documentation)",
			store:   "`~/.cursor/chats/`, whose form is not documented",
			ids:     "not looked at",
			quit:    "not looked at: the exit status tells",
			notes:   "Its hooks stand in hooks.json of its own folders alone, where nothing of ours is written: name the chat (`cursor-agent create-chat` prints the id of a new one).",
		},
	}
}
