package kinds

import (
	_ "embed"
	"path/filepath"

	"reprise/agent"
)

//go:embed pi.js
var piSource string

// pi is the pi coding agent.
func pi() *program {
	return &program{
		facts: agent.Facts{
			Name: "pi", Label: "pi", Program: "pi", OwnProcesses: 1, HomeEnv: "PI_CODING_AGENT_DIR",
			Fork: []string{"--fork", sessionMark},
		},
		resume: []string{"--session", sessionMark},
		ids:    uuids,
		verbs:  set("install", "remove", "uninstall", "update", "list", "config"),
		hooks:  hooking{form: "pi-extension", at: "--extension"},
		store:  store{home: "~/.pi/agent", pattern: "{home}/sessions/*/*_{session_id}.jsonl", has: []string{`"role":"user"`}},
		options: table(
			row(goesOn, one, "--session"),
			row(latest, none, "--continue", "-c", "--resume", "-r"),
			row(latest, one, "--fork"), // makes a copy, whose id the hook tells
			row(plain, one, "--export"), row(plain, maybe, "--list-models"),
			row(plain, none, "--print", "-p", "--help", "-h", "--version", "-v"),
			row(keep, one, "--provider", "--model", "--api-key", "--system-prompt", "--append-system-prompt", "--mode", "--session-dir",
				"--models", "--tools", "-t", "--thinking", "--extension", "-e", "--skill", "--prompt-template", "--theme"),
			row(keep, none, "--no-session", "--no-tools", "-nt", "--no-builtin-tools", "-nbt", "--no-extensions", "-ne", "--no-skills", "-ns",
				"--no-prompt-templates", "-np", "--no-themes", "--no-context-files", "-nc", "--verbose", "--offline"),
		),
		about: about{
			hooks:   "an extension of this launch, by `--extension`",
			version: "0.74.2",
			seen:    "launch, resume, hooks, store, /new, SIGKILL and SIGHUP",
			ids:     "`/new`, `/resume`, `/fork` and `/clone` go over to another id, and the hook tells it. Compaction and `/tree` keep it.",
			quit:    "session_shutdown says `quit`; whether a signal says so, too, was not looked at, so it proves nothing",
			notes:   "It asks for no permissions. An unknown id is searched among those that begin so.",
		},
	}
}

// piExtension is an extension of this launch.
func piExtension(k *program, in agent.LaunchInput, _ []argument) injection {
	if in.Hook.Program == "" {
		return injection{}
	}
	own, err := script(k, in.Hook, piSource)
	if err != nil {
		return injection{notice: withoutHooks(k, err.Error())}
	}
	return injection{args: []string{k.hooks.at, filepath.Join(in.Hook.Folder, own.Name)}, files: []file{own}}
}
