package kinds

import (
	"bytes"

	"reprise/agent"
)

// gemini is Google's Gemini CLI.
func gemini() *program {
	return &program{
		facts: agent.Facts{
			Name: "gemini", Label: "gemini", Program: "gemini",
			OwnProcesses: 2, PresetsID: true, EscClears: true, HomeEnv: "GEMINI_CLI_HOME", // a wrapper starts the program again
		},
		begin:  []string{"--session-id", sessionMark},
		resume: []string{"--resume", sessionMark},
		ids:    uuids,
		verbs:  set("mcp", "extensions", "extension", "skills", "skill", "hooks", "hook", "gemma"),
		// Since 2026-09 it takes the machine's settings only from files of root, wherever
		// the variable leads.
		hooks: hooking{
			form: "gemini-settings-file", at: "GEMINI_CLI_SYSTEM_SETTINGS_PATH", defaults: "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
			linux: "/etc/gemini-cli/settings.json", darwin: "/Library/Application Support/GeminiCli/settings.json",
			rootOnly: true,
			// Its retention takes conversations away that were resumed (its issue 27368).
			add: map[string]any{"general": map[string]any{"sessionRetention": map[string]any{"enabled": false}}},
		},
		events: geminiForm(),
		signs: signs{
			titles:  []title{{"✦ ", agent.Working}, {"✋ ", agent.AsksPermission}, {"◇ ", agent.Idle}},
			screens: []look{{agent.AsksPermission, "3. No, suggest changes (esc)", []string{"Allow execution of", "● 1. Allow once"}, 0}},
		},
		store: store{home: "~/.gemini", below: ".gemini", pattern: "{home}/tmp/*/chats/session-*-{session_id:8}.json*", holds: geminiHolds},
		options: table(
			row(names, one, "--session-id"),
			row(goesOn, maybe, "--resume", "-r"),
			row(latest, one, "--session-file"),
			row(plain, one, "--prompt", "-p", "--delete-session"),
			row(plain, none, "--help", "-h", "--version", "-v", "--list-sessions", "--list-extensions", "-l", "--acp", "--experimental-acp"),
			row(drop, one, "--prompt-interactive", "-i"),
			row(place, maybe, "--worktree", "-w"),
			row(keep, one, "--model", "-m", "--approval-mode", "--output-format", "-o"),
			row(keep, many, "--policy", "--admin-policy", "--allowed-mcp-server-names", "--allowed-tools", "--extensions", "-e", "--include-directories"),
			row(keep, none, "--debug", "-d", "--skip-trust", "--sandbox", "-s", "--yolo", "-y", "--screen-reader", "--raw-output", "--accept-raw-output-risk"),
		),
		about: about{
			hooks:   "settings of this launch, by `GEMINI_CLI_SYSTEM_SETTINGS_PATH`; for root alone",
			version: "0.61.0",
			seen:    "launch, resume, two in one directory, hooks, permissions, store, /clear, SIGKILL and SIGHUP",
			ids:     "`/clear` begins a session with another id, and the hook tells it. Compaction keeps the id. No fork.",
			quit:    "exit 0 after `/quit`; its SessionEnd says `exit` then and after SIGHUP alike, so it proves nothing",
			notes: "An id is taken from its launch on, also without a message: a session that never had one starts under a new id. " +
				"An unknown id ends with status 42. It outlives its terminal, and is ended before it is resumed. " +
				"Since September 2026 it takes injected settings only from files that belong to root, in folders that belong to root: " +
				"for other users it runs without hooks, and its own clean-up (`general.sessionRetention`), which our settings switch off, may delete resumed conversations: switch it off in `~/.gemini/settings.json`.",
		},
	}
}

// geminiForm are gemini's events.
func geminiForm() []event {
	return []event{
		{name: "SessionStart", what: agent.HookStart, reason: "source"},
		{name: "BeforeAgent", what: agent.HookPrompt},
		{name: "AfterAgent", what: agent.HookStop},
		{name: "AfterTool", what: agent.HookWork},
		{
			name: "Notification", what: agent.HookOther, reason: "notification_type",
			words: map[string]map[string]agent.HookWhat{"notification_type": {"ToolPermission": agent.HookAsk}},
		},
		// The same word for /quit and a hang-up: the exit status tells them apart.
		{name: "SessionEnd", what: agent.HookGoodbye, reason: "reason"},
	}
}

// geminiHolds looks for a message of the person in one of the files of a session,
// which are named by its first eight letters and appear at the start. A line that
// begins with $set has the machine's description in the form of a message.
func geminiHolds(path string, id agent.SessionID) (bool, error) {
	ours, err := hasLine(path, `"sessionId":"`+string(id)+`"`)
	if !ours || err != nil {
		return false, err
	}
	return anyLine(path, func(line []byte) bool {
		return !bytes.HasPrefix(line, []byte(`{"$set"`)) && bytes.Contains(line, []byte(`"type":"user"`))
	})
}
