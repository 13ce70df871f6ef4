package kinds

import "reprise/agent"

// droid is Factory's Droid.
func droid() *program {
	return &program{
		facts: agent.Facts{
			Name: "droid", Label: "droid", Program: "droid", OwnProcesses: 1, HomeEnv: "FACTORY_HOME_OVERRIDE",
			Fork: []string{"--fork", sessionMark},
		},
		resume: []string{"--resume", sessionMark},
		again:  []string{"resume"},
		ids:    uuids,
		verbs:  set("resume", "exec", "daemon", "search", "find", "update", "mcp", "plugin", "computer", "doctor", "help"),
		hooks:  hooking{form: "claude-settings-file", at: "--settings"},
		events: []event{
			{name: "SessionStart", what: agent.HookStart, reason: "source"},
			{name: "UserPromptSubmit", what: agent.HookPrompt},
			{name: "Stop", what: agent.HookStop},
			{name: "PostToolUse", what: agent.HookWork},
			{name: "Notification", what: agent.HookOther, reason: "notification_type"},
			{name: "SessionEnd", what: agent.HookGoodbye, reason: "reason"},
		},
		options: table(
			row(goesOn, maybe, "--resume", "-r"),
			row(latest, none, "--last"), row(latest, one, "--fork"),
			row(config, one, "--settings"),
			row(plain, none, "--help", "-h", "--version", "-v"),
			row(place, maybe, "--worktree", "-w"),
			row(keep, one, "--append-system-prompt", "--append-system-prompt-file", "--cwd", "--worktree-dir", "--auto"),
			row(keep, none, "--use-spec", "--disable-builtin-skills"),
		),
		about: about{
			hooks:   "`--settings`, a file of this launch, joined with yours",
			version: "0.225.2",
			seen:    "its help",
			store:   "`~/.factory/sessions/FOLDER/ID.jsonl`, read for the history as others document it, and not asked before a resume",
			ids:     "not looked at: what its SessionStart tells is taken",
			quit:    "not looked at: the exit status tells",
			notes:   "Our hooks are in the file of `--settings`, which is merged for one process; whether it takes hooks from there could not be seen, as nothing runs without an account. If it does not, its id stays unknown and the pane does not come back.",
		},
	}
}
