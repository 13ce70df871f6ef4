package kinds

import (
	"encoding/json"
	"io"
	"os"

	"reprise/agent"
	"reprise/panes/disk"
)

// codex is OpenAI's Codex CLI. It takes no id from outside: a hook tells it, with
// the first prompt.
func codex() *program {
	return &program{
		facts: agent.Facts{
			Name: "codex", Label: "codex", Program: "codex",
			OwnProcesses: 1, HomeEnv: "CODEX_HOME", Fork: []string{"fork", sessionMark},
		},
		resume:  []string{"resume", sessionMark},
		again:   []string{"resume"},
		copies:  []string{"fork"},
		ids:     uuids,
		options: codexOptions(),
		verbs:   codexCommands(),
		trees:   "codex",
		hooks:   hooking{form: "codex-overrides", at: "-c"},
		events:  codexForm(),
		signs:   codexSigns(),
		// It appears with the first prompt. Behind .jsonl there may be a compression's ending.
		store:   store{home: "~/.codex", pattern: "{home}/sessions/*/*/*/rollout-*-{session_id}.jsonl*"},
		running: "rollout-*-{session_id}.jsonl",
		about: about{
			version: "0.171.0",
			seen:    "all but PostToolUse",
			hooks:   "`-c hooks.…`, trusted for this launch alone",
			ids:     "`/new` and `/clear` begin another one, `codex fork` a copy: the hook tells each with its next message. Compaction keeps it.",
			quit:    "exit 0 after `/exit`; there is no event for it",
			notes: "Its id comes with the first message. It is kept out of its shared server, which would go on with a turn after the terminal died. " +
				"A session that is open elsewhere is locked.",
		},
	}
}

// codexOptions is the table of codex's options (codex, codex resume and codex
// fork --help, 0.171.0).
func codexOptions() map[string]option {
	return table(
		row(keep, one, "--config", "-c", "--enable", "--disable", "--model", "-m", "--profile", "-p", "--local-provider",
			"--sandbox", "-s", "--ask-for-approval", "-a", "--cd", "-C", "--add-dir"),
		row(keep, none, "--oss", "--approve-for-me", "--dangerously-bypass-approvals-and-sandbox", "--yolo",
			"--dangerously-bypass-hook-trust", "--full-auto", "--search", "--no-alt-screen", "--no-daemon", "--strict-config"),
		row(drop, many, "--image", "-i"), // belongs to the first prompt
		row(drop, none, "--all", "--include-non-interactive"),
		row(place, none, "--worktree"),
		row(latest, none, "--last"),
		row(plain, none, "--help", "-h", "--version", "-V"),
		// The session lives in another server, where our hooks do not run.
		row(plain, one, "--remote", "--remote-auth-token-env"),
	)
}

// codexSigns are its titles and looks; it also tells more, by OSC 7501.
func codexSigns() signs {
	return signs{
		titles: []title{{"[ ! ] Action Required", agent.AsksPermission}, {"[ . ] Action Required", agent.AsksPermission}, {spinner, agent.Working}},
		screens: []look{
			{agent.AsksPermission, "Press enter to confirm or esc to cancel", []string{"Would you like to", "› 1. Yes"}, 0},
		},
	}
}

// metaMax bounds the first line of a session's file, in bytes: it holds the base
// instructions.
const metaMax = 1 << 20

// codexCommands are the subcommands that are no session in a pane.
func codexCommands() map[string]bool {
	return set("agents", "exec", "e", "review", "login", "logout", "mcp", "mcp-server", "plugin",
		"app", "app-server", "remote-control", "completion", "update", "doctor", "sandbox", "debug", "apply", "a",
		"queue", "archive", "delete", "migrate-rollouts", "migrate-nfs-db", "unarchive", "cloud", "cloud-tasks",
		"exec-server", "execpolicy", "features", "proto", "responses-api-proxy", "stdio-to-uds", "help")
}

// codexWorktree leads a session back to the worktree that was made for it, whose
// path stands in the first line of its file. Without it codex asks which
// directory is meant.
func codexWorktree(k *program, in agent.LaunchInput, _ argument) []string {
	path, _ := k.store.find(in.Home, in.Session)
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var meta struct{ Payload struct{ Cwd string } }
	if json.NewDecoder(io.LimitReader(f, metaMax)).Decode(&meta) != nil {
		return nil
	}
	if !disk.IsDir(meta.Payload.Cwd, disk.Glance) {
		return nil
	}
	return []string{"-C", meta.Payload.Cwd}
}
