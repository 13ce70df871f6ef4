package kinds

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	"--worktree": {none, place},
	"--last":     {none, goesOn}, "--all": {none, drop}, "--include-non-interactive": {none, drop},

	"--help": {none, plain}, "-h": {none, plain}, "--version": {none, plain}, "-V": {none, plain},
	// The session lives in another server, where our hooks do not run.
	"--remote": {one, plain}, "--remote-auth-token-env": {one, plain},
}

// codexSigns are its titles and looks; it also tells more, by OSC 7501.
var codexSigns = signs{
	titles: []title{{"[ ! ] Action Required", agent.AsksPermission}, {"[ . ] Action Required", agent.AsksPermission}, {spinner, agent.Working}},
	screens: []look{
		{agent.AsksPermission, "Press enter to confirm or esc to cancel", []string{"Would you like to", "› 1. Yes"}},
	},
}

// Title is agent.Expressive's.
func (codex) Title(shown string) agent.Doing { return codexSigns.Title(shown) }

// Screen is agent.Expressive's.
func (codex) Screen(rows []string) agent.Doing { return codexSigns.Screen(rows) }

// metaMax bounds the first line of a session's file, in bytes: it holds the base
// instructions.
const metaMax = 1 << 20

// codexCommands are the subcommands that are no session in a pane.
var codexCommands = set("agents", "exec", "e", "review", "login", "logout", "mcp", "mcp-server", "plugin",
	"app", "app-server", "remote-control", "completion", "update", "doctor", "sandbox", "debug", "apply", "a",
	"queue", "archive", "delete", "migrate-rollouts", "migrate-nfs-db", "unarchive", "cloud", "cloud-tasks",
	"exec-server", "execpolicy", "features", "proto", "responses-api-proxy", "stdio-to-uds", "help")

func (codex) Facts() agent.Facts {
	return agent.Facts{
		Name: "codex", Label: "codex", Program: "codex",
		OwnProcesses: 1, HomeEnv: "CODEX_HOME", Fork: []string{"fork", sessionMark},
	}
}

func (codex) about() about {
	return about{
		version: "0.171.0",
		seen:    "all but PostToolUse",
		hooks:   "`-c hooks.…`, trusted for this launch alone",
		store:   "~/.codex/sessions/*/*/*/rollout-*-{session_id}.jsonl*",
		ids:     "`/new` and `/clear` begin another one, `codex fork` a copy: the hook tells each with its next message. Compaction keeps it.",
		quit:    "exit 0 after `/exit`; there is no event for it",
		notes: "Its id comes with the first message. It is kept out of its shared server, which would go on with a turn after the terminal died. " +
			"A session that is open elsewhere is locked.",
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
		if a, ok := last(p, place); ok {
			rest = append(rest, a.tokens...)
		}
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
	if _, ok := last(p, place); ok {
		argv = append(argv, codexWorktree(in)...)
	}
	return agent.Command{
		Argv:    append(argv, repeated(p)...),
		Env:     withHome(nil, k.Facts(), in.Home),
		Session: in.Session, Notice: notice,
	}, nil
}

func (codex) Named(word string) agent.SessionID { return sessionUUID(word) }

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
	_, t := codexFile(home, id)
	return t
}

func codexFile(home string, id agent.SessionID) (path string, t agent.Transcript) {
	root, ok := homeDir(home, ".codex")
	if !ok || !id.Valid() {
		return "", agent.CannotTell
	}
	// Behind .jsonl there may be a compression's ending.
	return find(root, isFile, "sessions", "*", "*", "*", "rollout-*-"+string(id)+".jsonl*")
}

// codexWorktree leads a session back to the worktree that was made for it, whose
// path stands in the first line of its file. Without it codex asks which
// directory is meant.
func codexWorktree(in agent.LaunchInput) []string {
	path, _ := codexFile(in.Home, in.Session)
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var meta struct{ Payload struct{ Cwd string } }
	if json.NewDecoder(io.LimitReader(f, metaMax)).Decode(&meta) != nil {
		return nil
	}
	if st, err := os.Stat(meta.Payload.Cwd); err != nil || !st.IsDir() || !filepath.IsAbs(meta.Payload.Cwd) {
		return nil
	}
	return []string{"-C", meta.Payload.Cwd}
}
