package kinds

import (
	"strings"

	"reprise/agent"
)

// grok is xAI's Grok Build.
func grok() *program {
	return &program{
		facts: agent.Facts{
			Name: "grok", Label: "grok", Program: "grok",
			OwnProcesses: 1, PresetsID: true, HomeEnv: "GROK_HOME",
			Fork: []string{"--resume", sessionMark, "--fork-session"},
		},
		begin:  []string{"--session-id", sessionMark},
		resume: []string{"--resume", sessionMark},
		ids:    uuids,
		verbs: set("agent", "clone", "completions", "cursor-worker", "dashboard", "doctor", "du", "disk-usage", "export", "help", "inspect",
			"leader", "login", "logout", "mcp", "memory", "models", "plugin", "sessions", "setup", "trace", "update", "usage", "version", "v",
			"worktree", "wrap"),
		store:   store{home: "~/.grok", pattern: "{home}/sessions/*/{session_id}/updates.jsonl", has: []string{`"sessionUpdate":"user_message_chunk"`}},
		running: "sessions/*/{session_id}/events.jsonl",
		options: table(
			row(names, one, "--session-id", "-s"),
			row(goesOn, maybe, "--resume", "-r"),
			row(latest, none, "--continue", "-c"),
			row(fork, none, "--fork-session"),
			row(plain, one, "--single", "-p", "--prompt-file", "--prompt-json"),
			row(plain, none, "--help", "-h", "--version", "-v"),
			row(place, maybe, "--worktree", "-w"),
			row(drop, one, "--worktree-ref", "--ref"), row(drop, none, "--restore-code"),
			row(keep, one, "--agent", "--agents", "--allow", "--allowedTools", "--cwd", "--debug-file", "--deny", "--disallowedTools",
				"--disallowed-tools", "--json-schema", "--leader-socket", "--model", "-m", "--max-turns", "--output-format",
				"--permission-mode", "--reasoning-effort", "--effort", "--rules", "--sandbox", "--system-prompt-override",
				"--system-prompt", "--tools"),
			row(keep, none, "--always-approve", "--debug", "--disable-web-search", "--fullscreen", "--include-partial-messages", "--minimal",
				"--no-alt-screen", "--no-plan", "--no-subagents", "--oauth", "--verbatim"),
		),
		about: about{
			hooks:   variableOnly,
			version: "1.0.41",
			seen:    "launch, resume, fork, two in one directory, hooks of your own, store, permissions, /new, /exit, SIGKILL, SIGHUP and SIGTERM",
			ids:     "a new session within it has another one; `--fork-session` makes a copy, whose id only a hook tells",
			quit:    "exit 0 after `/exit`; SIGHUP and SIGTERM look the same",
			own: ownHooks{".grok/hooks/reprise.json", grokHooks(
				"SessionStart start", "UserPromptSubmit prompt", "Notification ask permission_prompt", "PreToolUse answer ask_user_question",
				"PostToolUse work", "PostToolUseFailure work", "Stop stop", "StopCancelled stop", "StopFailure fail",
			)},
			notes: "Of an id that it does not know it asks its maker's server, and ends. Its hooks stand in `~/.grok/hooks/`, where nothing of ours is written: without those above, a change of its id is not followed.",
		},
	}
}

// grokHooks is grok's file of the person's hooks: of each its event, our word for it and,
// if it is for some alone, which. It puts a variable's value into the command itself, where
// the quotes of a shell would not hold it: so the command names none.
func grokHooks(hooks ...string) string {
	lines := make([]string, 0, len(hooks))
	for _, h := range hooks {
		of := strings.Fields(h)
		command, _ := encode("eval \"`printenv " + HookVariable + " || echo :` " + of[1] + "\"") // texts can be encoded
		matcher := ""
		if len(of) > 2 {
			matcher = `"matcher": "` + of[2] + `", `
		}
		lines = append(lines, `    "`+of[0]+`": [{`+matcher+`"hooks": [{"type": "command", "command": `+command+`, "timeout": 30}]}]`)
	}
	return "{\n  \"hooks\": {\n" + strings.Join(lines, ",\n") + "\n  }\n}\n"
}
