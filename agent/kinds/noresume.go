package kinds

import "reprise/agent"

// mastracode is Mastra Code.
func mastracode() *program {
	return &program{
		facts: agent.Facts{
			Name: "mastracode", Label: "mastracode", Program: "mastracode", OwnProcesses: 1,
			NoResume: "it has no option that names a conversation",
		},
		options: table(
			row(plain, none, "--help", "-h", "--version", "--acp"),
			row(keep, none, "--dangerous-auto-approve"),
		),
		about: about{
			hooks:   variableOnly,
			version: "0.32.1 (its files)",
			store:   "a database of threads, which is not asked",
			ids:     "`/new` and `/threads` go over to another thread",
			quit:    "not looked at",
			notes:   "It goes on with the project's last thread by itself, whichever that is: what two panes of one project would come back with cannot be told.",
		},
	}
}

// aider is Aider.
func aider() *program {
	return &program{
		facts: agent.Facts{
			Name: "aider", Label: "aider", Program: "aider", OwnProcesses: 1,
			NoResume: "it keeps one history for each folder, and no conversations by id",
		},
		options: table(
			row(plain, one, "--message", "--msg", "-m", "--message-file", "-f"),
			row(plain, none, "--help", "-h", "--version", "--list-models"),
		),
		about: about{
			hooks:   variableOnly,
			version: "0.86 (its documentation)",
			store:   "`.aider.chat.history.md` in the project",
			ids:     "has none",
			quit:    "not looked at",
			notes:   "`--restore-chat-history` reads the folder's history again, whoever wrote it.",
		},
	}
}
