package kinds

import (
	"encoding/json"
	"fmt"

	"reprise/agent"
)

// codex is OpenAI's Codex CLI. It takes no id from outside: a hook tells it, with
// the first prompt.
type codex struct{}

// codexOptions is the table of codex's options (codex, codex resume and codex
// fork --help, 0.171.0).
var codexOptions = map[string]option{
	"--config": {one, keep}, "-c": {one, keep},
	"--enable": {one, keep}, "--disable": {one, keep},
	"--model": {one, keep}, "-m": {one, keep}, "--profile": {one, keep}, "-p": {one, keep},
	"--oss": {none, keep}, "--local-provider": {one, keep},
	"--sandbox": {one, keep}, "-s": {one, keep}, "--ask-for-approval": {one, keep}, "-a": {one, keep},
	"--approve-for-me":                           {none, keep},
	"--dangerously-bypass-approvals-and-sandbox": {none, keep}, "--yolo": {none, keep},
	"--dangerously-bypass-hook-trust": {none, keep}, "--full-auto": {none, keep},
	"--cd": {one, keep}, "-C": {one, keep}, "--add-dir": {one, keep},
	"--search": {none, keep}, "--no-alt-screen": {none, keep}, "--no-daemon": {none, keep},
	"--strict-config": {none, keep},

	"--image": {many, drop}, "-i": {many, drop}, // belongs to the first prompt
	"--worktree": {none, drop}, // the session has its worktree by then
	"--last":     {none, goesOn}, "--all": {none, drop}, "--include-non-interactive": {none, drop},

	"--help": {none, plain}, "-h": {none, plain}, "--version": {none, plain}, "-V": {none, plain},
	// The session lives in another server, where our hooks do not run.
	"--remote": {one, plain}, "--remote-auth-token-env": {one, plain},
}

// codexCommands are the subcommands that are no session in a pane.
var codexCommands = set("agents", "exec", "e", "review", "login", "logout", "mcp", "mcp-server", "plugin",
	"app", "app-server", "remote-control", "completion", "update", "doctor", "sandbox", "debug", "apply", "a",
	"queue", "archive", "delete", "migrate-rollouts", "migrate-nfs-db", "unarchive", "cloud", "cloud-tasks",
	"exec-server", "execpolicy", "features", "proto", "responses-api-proxy", "stdio-to-uds", "help")

func (codex) Facts() agent.Facts {
	return agent.Facts{
		Name: "codex", Label: "codex", Program: "codex",
		OwnProcesses: 1, HomeEnv: "CODEX_HOME",
	}
}

func (k codex) Launch(in agent.LaunchInput) (agent.Command, error) {
	p := parse(codexOptions, in.Flags)
	w := words(p)
	verb := ""
	if len(w) > 0 && (w[0] == "resume" || w[0] == "fork") {
		verb = w[0]
	}
	if _, isPlain := last(p, plain); isPlain || len(w) > 0 && codexCommands[w[0]] {
		return agent.Command{Argv: append([]string{"codex"}, in.Flags...), Plain: true}, nil
	}
	var named agent.SessionID
	if _, latest := last(p, goesOn); verb != "" && len(w) > 1 && !latest {
		named = sessionUUID(w[1])
	}
	rest, id := in.Flags, agent.SessionID("")
	if verb == "resume" {
		id = named
	}
	if in.Anew {
		rest, id = repeated(p), ""
		if verb == "fork" && named != "" {
			rest = append([]string{"fork", string(named)}, rest...)
		}
	}
	ours, notice := codexHooks(in, p)
	return agent.Command{
		Argv:    append(append([]string{"codex"}, ours...), rest...),
		Env:     withHome(nil, k.Facts(), in.Home),
		Session: id, Notice: notice,
	}, nil
}

// Resume puts the id before every option, so that none can take it for its value.
func (k codex) Resume(in agent.LaunchInput) (agent.Command, error) {
	if !in.Session.Valid() {
		return agent.Command{}, fmt.Errorf("resume codex: %q is no session id", in.Session)
	}
	p := parse(codexOptions, in.Flags)
	ours, notice := codexHooks(in, p)
	argv := append([]string{"codex", "resume", string(in.Session)}, ours...)
	return agent.Command{
		Argv:    append(argv, repeated(p)...),
		Env:     withHome(nil, k.Facts(), in.Home),
		Session: in.Session, Notice: notice,
	}, nil
}

func (codex) Hook(event string, fields map[string]json.RawMessage) agent.HookFacts {
	f := agent.HookFacts{What: agent.HookOther, Session: session(fields, "session_id")}
	for _, e := range codexEvents {
		if e.name == event {
			f.What = e.what
		}
	}
	if f.What == agent.HookStart {
		f.Reason = reason(fields, "source")
	}
	return f
}

// Transcript looks for sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl, which
// appears with the first prompt.
func (codex) Transcript(home, _ string, id agent.SessionID) agent.Transcript {
	root, ok := homeDir(home, ".codex")
	if !ok || !id.Valid() {
		return agent.CannotTell
	}
	// Behind .jsonl there may be a compression's ending.
	return find(root, isFile, "sessions", "*", "*", "*", "rollout-*-"+string(id)+".jsonl*")
}
