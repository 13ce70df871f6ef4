package kinds

import (
	"strings"

	"reprise/agent"
)

// mastracode is Mastra Code.
func mastracode() *program {
	return &program{
		facts: agent.Facts{
			Name: "mastracode", Label: "mastracode", Program: "mastracode", OwnProcesses: 1, HomeEnv: "MASTRA_APP_DATA_DIR",
			NoResume: "it has no option that names a conversation",
		},
		verbs: set("plugin"),
		options: table(
			row(plain, one, "--prompt", "-p"),
			row(plain, none, "--help", "-h", "--version", "--acp"),
			row(keep, none, "--dangerous-auto-approve"),
		),
		about: about{
			hooks:   variableOnly,
			version: "0.32.1",
			seen:    "launch, hooks of your own, store, permissions, /new, a clean end, SIGKILL and SIGHUP",
			store:   "a database (`~/.local/share/mastracode/mastra.db`), read for the history",
			ids:     "`/new` and `/threads` go over to another thread; its hooks tell it, but for UserPromptSubmit, which still has the one before, and SessionStart, which may have none",
			quit:    "exit 0 after `/exit`, and after SIGHUP alike",
			own: ownHooks{".mastracode/hooks.json", mastraHooks(
				"AgentStart prompt", "PermissionRequest ask", "PermissionResult work", "PostToolUse work", "Stop stop",
			)},
			notes: "It goes on with the project's last thread by itself, whichever that is, also two at once: what two panes of one project would come back with cannot be told. " +
				"`--thread` is for runs without a screen, and a `MASTRA_RESOURCE_ID` for each pane would have it ask at each start whether another one's thread is to be copied.",
		},
	}
}

// mastraHooks is mastracode's file of the person's hooks: of each its event, and our word
// for it.
func mastraHooks(hooks ...string) string {
	lines := make([]string, 0, len(hooks))
	for _, h := range hooks {
		event, word, _ := strings.Cut(h, " ")
		command, _ := encode(ownHook(word)) // texts can be encoded
		lines = append(lines, `  "`+event+`": [{"type": "command", "command": `+command+`}]`)
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}\n"
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
