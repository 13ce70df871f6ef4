package kinds

import "reprise/agent"

// copilot is GitHub's Copilot CLI.
func copilot() *program {
	return &program{
		facts: agent.Facts{
			Name: "copilot", Label: "copilot", Program: "copilot",
			OwnProcesses: 1, PresetsID: true, EscClears: true, HomeEnv: "COPILOT_HOME",
		},
		begin:  []string{"--session-id=" + sessionMark},
		resume: []string{"--resume=" + sessionMark},
		ids:    uuids,
		verbs: set("app", "login", "logout", "help", "init", "config", "update", "version", "workflow", "sessions", "memories", "plugin",
			"mcp", "skill", "instruction", "lsp", "sandbox", "completion"),
		hooks:  hooking{form: "copilot-plugin", at: "--plugin-dir"},
		events: copilotForm(),
		signs:  copilotSigns(),
		store:  store{home: "~/.copilot", pattern: "{home}/session-state/{session_id}/events.jsonl"},
		options: table(
			row(names, one, "--session-id"),
			row(goesOn, maybe, "--resume", "-r"),
			row(latest, none, "--continue"), row(latest, maybe, "--connect"),
			row(plain, one, "--prompt", "-p", "--environment-host", "--environment-compute-id"),
			row(plain, none, "--help", "-h", "--version", "-v", "--acp"),
			row(drop, one, "--interactive", "-i", "--name", "-n", "--attachment"),
			row(drop, none, "--fleet", "--plan", "--banner", "--share-gist"), row(drop, maybe, "--share"),
			row(keep, one, "--model", "--reasoning-effort", "--context", "--auto-tier", "--agent", "-C", "--log-dir", "--extension-sdk-path",
				"--log-level", "--stream", "--output-format", "--add-dir", "--disable-mcp-server", "--enable-mcp-server",
				"--add-github-mcp-toolset", "--add-github-mcp-tool", "--plugin-dir", "--additional-mcp-config", "--mcp-github-auth",
				"--max-autopilot-continues", "--mode", "--dynamic-retrieval", "--max-ai-credits", "--usage-output-file"),
			row(keep, maybe, "--bash-env", "--mouse"),
			row(keep, many, "--allow-tool", "--deny-tool", "--available-tools", "--excluded-tools", "--secret-env-vars", "--allow-url", "--deny-url"),
			row(keep, none, "--trust-folder", "--silent", "-s", "--disable-client-telemetry", "--enable-memory", "--allow-all-tools",
				"--allow-all-paths", "--disallow-temp-dir", "--disable-builtin-mcps", "--enable-all-github-mcp-tools",
				"--allow-all-mcp-server-instructions", "--allow-all-urls", "--allow-all", "--yolo", "--autopilot", "--experimental",
				"--remote", "--remote-export", "--assisted-approval", "--no-custom-instructions", "--no-auto-update", "--no-ask-user",
				"--no-color", "--no-experimental", "--no-bash-env", "--no-mouse", "--no-remote", "--no-remote-export"),
		),
		about: about{
			hooks:   "a plugin of this launch, by `--plugin-dir`",
			version: "1.0.102",
			seen:    "launch, resume, two in one directory, hooks, permissions, store, /clear, `esc` in a turn, SIGKILL and SIGHUP",
			ids:     "`/clear` begins a session with another id, which the hook tells with the next message. Compaction keeps the id. No fork.",
			quit:    "exit 0 after `/exit`; its sessionEnd says `user_exit` then, after SIGHUP and after SIGTERM alike",
			notes:   "The first hook comes with the first message. It goes on in the directory in which a session began. A session that is open elsewhere is asked about. No hook tells of a turn that was interrupted: its screen does, as a guess.",
		},
	}
}

// copilotSigns are its looks. While it works one of the characters of its pulse is in
// front of what it does; after esc, of which no hook tells, it is gone.
func copilotSigns() signs {
	s := signs{screens: []look{
		{agent.AsksPermission, "↑/↓ to navigate · enter to select · esc to cancel", []string{"Do you want to", "❯ 1. Yes"}, 0},
	}}
	for _, pulse := range "∙∘○◎◉●" {
		s.screens = append(s.screens, look{agent.Working, string(pulse), nil, 0})
	}
	return s
}

// copilotForm are copilot's events.
func copilotForm() []event {
	return []event{
		{name: "sessionStart", what: agent.HookStart, reason: "source"},
		{name: "userPromptSubmitted", what: agent.HookPrompt},
		{name: "agentStop", what: agent.HookStop, reason: "stopReason"},
		{name: "permissionRequest", what: agent.HookAsk},
		{name: "postToolUse", what: agent.HookWork},
		{name: "notification", what: agent.HookOther, reason: "notification_type"},
		// The same word for /exit, a hang-up and SIGTERM.
		{name: "sessionEnd", what: agent.HookGoodbye, reason: "reason"},
	}
}

// copilotPlugin is a folder with a plugin that has nothing but our hooks.
func copilotPlugin(k *program, in agent.LaunchInput, _ []argument) injection {
	prefix := hookPrefix(in.Hook, k.facts.Name)
	if prefix == "" {
		return injection{}
	}
	hooks := map[string]any{}
	for _, e := range k.events {
		hooks[e.name] = []any{map[string]any{"type": "command", "bash": prefix + " " + e.name, "timeoutSec": hookTimeout}}
	}
	calls, err := encode(map[string]any{"version": 1, "hooks": hooks})
	if err != nil {
		return injection{notice: withoutHooks(k, err.Error())}
	}
	const plugin = `{"name":"reprise","version":"1.0.0","description":"Tells Reprise what happens in the session","hooks":"hooks.json"}`
	return injection{
		args:  []string{k.hooks.at + "=" + in.Hook.Folder},
		files: []file{{Name: "plugin.json", Data: []byte(plugin)}, {Name: "hooks.json", Data: []byte(calls)}},
	}
}
