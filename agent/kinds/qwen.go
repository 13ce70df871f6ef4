package kinds

import "reprise/agent"

// qwen is Alibaba's Qwen Code: made of gemini, with hooks like claude's.
func qwen() *program {
	return &program{
		facts: agent.Facts{
			Name: "qwen", Label: "qwen", Program: "qwen",
			OwnProcesses: 2, PresetsID: true, EscClears: true, HomeEnv: "QWEN_HOME", // a wrapper starts the program again
		},
		begin:  []string{"--session-id", sessionMark},
		resume: []string{"--resume", sessionMark},
		ids:    uuids,
		verbs:  set("mcp", "extensions", "auth", "hooks", "hook", "channel", "review"),
		hooks: hooking{
			form: "gemini-settings-file", at: "QWEN_CODE_SYSTEM_SETTINGS_PATH", defaults: "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
			linux: "/etc/qwen-code/settings.json", darwin: "/Library/Application Support/QwenCode/settings.json",
		},
		events: []event{
			{name: "SessionStart", what: agent.HookStart, reason: "source"},
			{name: "UserPromptSubmit", what: agent.HookPrompt},
			{name: "Stop", what: agent.HookStop},
			{name: "StopFailure", what: agent.HookFail, reason: "error"},
			{name: "PermissionRequest", what: agent.HookAsk},
			{name: "PostToolUse", what: agent.HookWork},
			{name: "PostToolUseFailure", what: agent.HookWork},
			{
				name: "Notification", what: agent.HookOther, reason: "notification_type",
				// At once, also after esc, of which nothing else tells. It is no sign of a message.
				words: map[string]map[string]agent.HookWhat{"notification_type": {"idle_prompt": agent.HookRest}},
			},
			// prompt_input_exit comes with SIGTERM, too: no goodbye is certain.
			{name: "SessionEnd", what: agent.HookGoodbye, reason: "reason"},
		},
		signs: signs{screens: []look{
			{agent.AsksPermission, spinner + " Waiting for user confirmation", []string{"Allow execution of", "› 1. Yes"}, 0},
		}},
		store: store{home: "~/.qwen", pattern: "{home}/projects/*/chats/{session_id}.jsonl", has: claudeMessage},
		options: table(
			row(names, one, "--session-id"),
			row(goesOn, maybe, "--resume", "-r"),
			row(latest, none, "--continue", "-c"),
			row(plain, one, "--prompt", "-p"),
			row(plain, none, "--help", "-h", "--version", "-v", "--list-extensions", "-l", "--acp"),
			row(drop, one, "--prompt-interactive", "-i", "--json-fd"),
			row(keep, one, "--telemetry-target", "--telemetry-otlp-endpoint", "--telemetry-otlp-protocol", "--telemetry-outfile",
				"--proxy", "--model", "-m", "--system-prompt", "--append-system-prompt", "--sandbox-image", "--approval-mode", "--channel",
				"--mcp-config", "--openai-logging-dir", "--openai-api-key", "--openai-base-url", "--input-format", "--output-format", "-o",
				"--json-file", "--json-schema", "--input-file", "--max-session-turns", "--auth-type"),
			row(keep, many, "--allowed-mcp-server-names", "--allowed-tools", "--extensions", "-e", "--include-directories", "--add-dir",
				"--core-tools", "--exclude-tools", "--disabled-slash-commands"),
			row(keep, none, "--telemetry", "--telemetry-log-prompts", "--debug", "-d", "--bare", "--chat-recording", "--sandbox", "-s",
				"--yolo", "-y", "--checkpointing", "--experimental-lsp", "--openai-logging", "--screen-reader", "--include-partial-messages"),
		),
		about: about{
			hooks:   "settings of this launch, by `QWEN_CODE_SYSTEM_SETTINGS_PATH`, with the machine's own in them",
			version: "0.15.10",
			seen:    "launch, resume, two in one directory, hooks, permissions, store, /clear, SIGKILL and SIGHUP",
			ids:     "`/clear` begins a session with another id, and the hook tells it. Compaction keeps the id. No fork.",
			quit:    "exit 0 after `/quit`; its SessionEnd says `prompt_input_exit` then and after SIGTERM alike",
			notes:   "A word of its own is a prompt that it answers once and ends; `-i` begins a conversation with one. It writes its own form over the settings of the launch, in the launch's folder.",
		},
	}
}
