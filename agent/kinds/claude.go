package kinds

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"reprise/agent"
	"reprise/panes/disk"
)

// claude is Anthropic's Claude Code, which also writes down which process has
// which session.
func claude() *program {
	return &program{
		facts: agent.Facts{
			Name: "claude", Label: "claude", Program: "claude",
			OwnProcesses: 1, PresetsID: true, EscClears: true, HomeEnv: "CLAUDE_CONFIG_DIR",
			Fork: []string{"--resume", sessionMark, "--fork-session"},
		},
		begin:  []string{"--session-id", sessionMark},
		resume: []string{"--resume", sessionMark},
		ids:    uuids,
		// A copy may be given an id, any other continuation may not.
		forks: true,
		verbs: set("agents", "auth", "auto-mode", "config", "doctor", "gateway", "install", "mcp",
			"plugin", "plugins", "project", "remote-control", "setup-token", "ultrareview", "update", "upgrade"),
		trees:   "claude",
		hooks:   hooking{form: "claude-settings", at: "--settings"},
		events:  claudeEvents(),
		signs:   claudeSigns(),
		store:   store{home: "~/.claude", pattern: "{home}/projects/*/{session_id}.jsonl", has: claudeMessage},
		running: claudeFiles,
		options: claudeOptions(),
		about: about{
			hooks:   "`--settings`, joined with yours",
			version: "2.1.197",
			seen:    "all, but for what waits for an answer (AskUserQuestion, Elicitation) and for a turn that fails",
			ids: "`/clear` and `/resume` go over to another id, and the hook tells it; `--fork-session` makes a copy under the id that we choose. " +
				"Compaction keeps the id.",
			quit:  "SessionEnd with `prompt_input_exit` comes for nothing else; exit 0",
			notes: "Where several processes go on with one session, one branch is lost: it is never opened twice.",
		},
	}
}

// claudeEvents are the events that call us. PostToolUse costs a call for each
// tool: nothing else tells that a permission was given.
func claudeEvents() []event {
	asks := map[string]map[string]agent.HookWhat{"tool_name": {"AskUserQuestion": agent.HookAnswer}}
	return []event{
		{name: "SessionStart", what: agent.HookStart, reason: "source"},
		{name: "UserPromptSubmit", what: agent.HookPrompt},
		{name: "Stop", what: agent.HookStop},
		{name: "StopFailure", what: agent.HookFail, reason: "error"},
		{name: "PermissionRequest", what: agent.HookAsk, words: asks},
		{name: "Elicitation", what: agent.HookAnswer},
		{name: "ElicitationResult", what: agent.HookWork},
		{name: "PostToolUse", what: agent.HookWork},
		{name: "PostToolUseFailure", what: agent.HookWork},
		{name: "Notification", what: agent.HookOther, reason: "notification_type"},
		// The only reason that is the person's own: SIGHUP and SIGTERM give "other".
		{name: "SessionEnd", what: agent.HookGoodbye, reason: "reason", sure: "prompt_input_exit"},
	}
}

// claudeSigns are its titles and looks, seen with 2.1.197. A title that spins not is that
// of a dialog, too.
func claudeSigns() signs {
	return signs{
		titles: []title{{spinner, agent.Working}, {"✳ ", agent.Quiet}},
		screens: []look{
			{agent.AsksPermission, "Esc to cancel", []string{"Do you want to", "❯ 1. Yes"}, 0},
			{agent.Working, "esc to interrupt", nil, 0},
			{agent.Idle, "? for shortcuts", nil, 0},
		},
	}
}

// claudeOptions is the table of claude's options (claude --help, 2.1.197, and
// what its documentation names beside it).
func claudeOptions() map[string]option {
	return table(
		row(names, one, "--session-id"),
		row(goesOn, maybe, "--resume", "-r"),
		row(latest, none, "--continue", "-c"), row(latest, maybe, "--from-pr", "--teleport"),
		row(fork, none, "--fork-session"),
		row(config, one, "--settings"),
		row(place, maybe, "--worktree", "-w"),
		row(plain, none, "--print", "-p", "--help", "-h", "--version", "-v", "--init-only"),
		row(plain, none, "--bg", "--background"), // the session lives in a daemon
		row(plain, maybe, "--tmux", "--cloud", "--remote"),
		row(drop, none, "--init", "--maintenance"),
		row(drop, many, "--file"), // downloaded at the first start
		row(keep, many, "--add-dir", "--mcp-config", "--betas", "--tools",
			"--allowedTools", "--allowed-tools", "--disallowedTools", "--disallowed-tools"),
		row(keep, one, "--agent", "--agents", "--system-prompt", "--system-prompt-file",
			"--append-system-prompt", "--append-system-prompt-file", "--model", "--fallback-model", "--effort",
			"--permission-mode", "--setting-sources", "--plugin-dir", "--plugin-url", "--plugin-dir-no-mcp",
			"--name", "-n", "--debug-file", "--max-budget-usd", "--max-turns", "--json-schema",
			"--input-format", "--output-format", "--permission-prompt-tool", "--remote-control-session-name-prefix"),
		row(keep, maybe, "--debug", "-d", "--remote-control", "--rc", "--prompt-suggestions"),
		row(keep, none, "--allow-dangerously-skip-permissions", "--dangerously-skip-permissions",
			"--ax-screen-reader", "--bare", "--brief", "--chrome", "--no-chrome", "--disable-slash-commands",
			"--exclude-dynamic-system-prompt-sections", "--ide", "--include-hook-events", "--include-partial-messages",
			"--no-session-persistence", "--replay-user-messages", "--safe-mode", "--strict-mcp-config", "--verbose"),
	)
}

// claudeMessage are words of which a line has one that is a message. The file may hold a
// title and modes alone, which claude does not resume (seen with 2.1.197, killed 0.1 s
// after the first answer).
var claudeMessage = []string{`"type":"user"`, `"type":"assistant"`}

// claudeWorktree leads a session back to its worktree: resumed without the
// option, claude finds the conversation and works on it in the wrong directory
// (seen with 2.1.197). Given without a name, the option would make another one; the
// name that claude chose stands in the name of the conversation's folder.
func claudeWorktree(k *program, in agent.LaunchInput, a argument) []string {
	if a.value != "" {
		return a.tokens
	}
	path, t := k.store.find(in.Home, in.Session)
	if t != agent.HasTranscript {
		return nil
	}
	at := filepath.Join(in.Dir, ".claude", "worktrees")
	// None can be read: none is known.
	trees, _ := disk.In(at, disk.Glance, func(func()) ([]os.DirEntry, error) { return os.ReadDir(at) })
	for _, tree := range trees {
		if strings.HasSuffix(filepath.Base(filepath.Dir(path)), folderName(filepath.Join("/.claude/worktrees", tree.Name()))) {
			return k.placed(a, tree.Name())
		}
	}
	return nil
}

// placed is the option that gives a session its place, with a name: the one that the
// person gave or, as short ones take no =, a long one of the same use.
func (k *program) placed(a argument, name string) []string {
	long := func(option string) bool { return strings.HasPrefix(option, "--") && k.options[option].does == place }
	names := slices.Sorted(maps.Keys(k.options))
	option := a.name
	if at := slices.IndexFunc(names, long); !long(option) && at >= 0 {
		option = names[at]
	}
	switch {
	case long(option):
		return []string{option + "=" + name}
	case isOption(name):
		return nil
	}
	return []string{option, name}
}

// folderName is a path as claude writes it in the name of a folder.
func folderName(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, path)
}

// set makes a set of words.
func set(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}
