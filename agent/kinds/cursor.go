package kinds

import "reprise/agent"

// cursor is the Cursor CLI.
func cursor() *program {
	return &program{
		facts:  agent.Facts{Name: "cursor-agent", Label: "cursor", Program: "cursor-agent", OwnProcesses: 1, HomeEnv: "CURSOR_CONFIG_DIR"},
		resume: []string{"--resume=" + sessionMark},
		ids:    uuids,
		verbs: set("login", "logout", "status", "whoami", "about", "update", "upgrade", "mcp", "models", "ls", "resume", "create-chat",
			"install-shell-integration", "uninstall-shell-integration", "generate-rule", "rule", "sandbox", "acp", "help"),
		store: store{home: "~/.cursor", pattern: "{home}/chats/*/{session_id}/meta.json", has: []string{`"hasConversation":true`, `"hasConversation": true`}, elsewhere: true},
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
			store:   "older versions write no such file. The database beside it is read for the history, all as others document it",
			ids:     "not looked at",
			quit:    "not looked at: the exit status tells",
			notes:   "Its hooks stand in hooks.json of its own folders alone, where nothing of ours is written: name the chat (`cursor-agent create-chat` prints the id of a new one).",
		},
	}
}
