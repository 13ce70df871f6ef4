package kinds

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"reprise/agent"
	"reprise/panes"
)

// claude is Anthropic's Claude Code.
type claude struct{}

var _ agent.Witness = claude{}

// claudeOptions is the table of claude's options (claude --help, 2.1.197, and
// what its documentation names beside it). One that is missing is kept with the
// word after it.
var claudeOptions = map[string]option{
	"--session-id": {one, names},
	"--resume":     {maybe, goesOn}, "-r": {maybe, goesOn},
	"--continue": {none, goesOn}, "-c": {none, goesOn},
	"--from-pr": {maybe, goesOn}, "--teleport": {maybe, goesOn},
	"--fork-session": {none, fork},
	"--settings":     {one, config},

	"--print": {none, plain}, "-p": {none, plain},
	"--help": {none, plain}, "-h": {none, plain},
	"--version": {none, plain}, "-v": {none, plain},
	"--bg": {none, plain}, "--background": {none, plain}, // the session lives in a daemon
	"--tmux": {maybe, plain}, "--cloud": {maybe, plain}, "--remote": {maybe, plain},
	"--init-only": {none, plain},

	"--init": {none, drop}, "--maintenance": {none, drop},
	"--file":     {many, drop}, // downloaded at the first start
	"--worktree": {maybe, place}, "-w": {maybe, place},

	"--add-dir": {many, keep}, "--mcp-config": {many, keep}, "--betas": {many, keep}, "--tools": {many, keep},
	"--allowedTools": {many, keep}, "--allowed-tools": {many, keep},
	"--disallowedTools": {many, keep}, "--disallowed-tools": {many, keep},
	"--agent": {one, keep}, "--agents": {one, keep},
	"--system-prompt": {one, keep}, "--system-prompt-file": {one, keep},
	"--append-system-prompt": {one, keep}, "--append-system-prompt-file": {one, keep},
	"--model": {one, keep}, "--fallback-model": {one, keep}, "--effort": {one, keep},
	"--permission-mode": {one, keep}, "--setting-sources": {one, keep},
	"--plugin-dir": {one, keep}, "--plugin-url": {one, keep}, "--plugin-dir-no-mcp": {one, keep},
	"--name": {one, keep}, "-n": {one, keep}, "--debug-file": {one, keep},
	"--max-budget-usd": {one, keep}, "--max-turns": {one, keep}, "--json-schema": {one, keep},
	"--input-format": {one, keep}, "--output-format": {one, keep}, "--permission-prompt-tool": {one, keep},
	"--remote-control-session-name-prefix": {one, keep},
	"--debug":                              {maybe, keep}, "-d": {maybe, keep},
	"--remote-control": {maybe, keep}, "--rc": {maybe, keep}, "--prompt-suggestions": {maybe, keep},
	"--allow-dangerously-skip-permissions": {none, keep}, "--dangerously-skip-permissions": {none, keep},
	"--ax-screen-reader": {none, keep}, "--bare": {none, keep}, "--brief": {none, keep},
	"--chrome": {none, keep}, "--no-chrome": {none, keep}, "--disable-slash-commands": {none, keep},
	"--exclude-dynamic-system-prompt-sections": {none, keep}, "--ide": {none, keep},
	"--include-hook-events": {none, keep}, "--include-partial-messages": {none, keep},
	"--no-session-persistence": {none, keep}, "--replay-user-messages": {none, keep},
	"--safe-mode": {none, keep}, "--strict-mcp-config": {none, keep}, "--verbose": {none, keep},
}

// claudeCommands are the subcommands: nothing of them is a session in a pane.
var claudeCommands = set("agents", "auth", "auto-mode", "config", "doctor", "gateway", "install", "mcp",
	"plugin", "plugins", "project", "remote-control", "setup-token", "ultrareview", "update", "upgrade")

func (claude) Facts() agent.Facts {
	return agent.Facts{
		Name: "claude", Label: "claude", Program: "claude",
		OwnProcesses: 1, PresetsID: true, HomeEnv: "CLAUDE_CONFIG_DIR",
	}
}

func (k claude) Launch(in agent.LaunchInput) (agent.Command, error) {
	p := parse(claudeOptions, in.Flags)
	_, isPlain := last(p, plain)
	if w := words(p); isPlain || len(w) > 0 && claudeCommands[w[0]] {
		return agent.Command{Argv: append([]string{"claude"}, in.Flags...), Plain: true}, nil
	}
	if in.Anew {
		p = claudeAnew(p)
	}
	ours, id := claudeSession(p, in.Session)
	start := claudeStart
	if _, forks := last(p, fork); forks {
		start = claudeForkStart
	}
	return k.command(in, p, start, id, ours, without(p, config)), nil
}

func (k claude) Resume(in agent.LaunchInput) (agent.Command, error) {
	if !in.Session.Valid() {
		return agent.Command{}, fmt.Errorf("resume claude: %q is no session id", in.Session)
	}
	p := parse(claudeOptions, in.Flags)
	rest := repeated(p)
	if a, ok := last(p, place); ok {
		rest = append(rest, claudeWorktree(in, a)...)
	}
	return k.command(in, p, claudeStart, in.Session, []string{"--resume", string(in.Session)}, rest), nil
}

// command puts together what we say of the session, the settings with our hooks
// and the rest of the person's arguments.
func (k claude) command(in agent.LaunchInput, p []argument, start string, id agent.SessionID, ours, rest []string) agent.Command {
	theirs, given := last(p, config)
	settings, notice := claudeSettings(in, start, theirs.value, given)
	argv := append([]string{"claude"}, ours...)
	if settings != "" {
		argv = append(argv, "--settings", settings)
	}
	return agent.Command{
		Argv:    append(argv, rest...),
		Env:     withHome(nil, k.Facts(), in.Home),
		Session: id, Notice: notice,
	}
}

// claudeSession is what our side says of the session: the id we choose, unless
// the person's own arguments name or ask for a session. A fork may be given an
// id, any other continuation may not (claude ends with exit 1).
func claudeSession(p []argument, preset agent.SessionID) (args []string, id agent.SessionID) {
	if a, ok := last(p, names); ok {
		return nil, sessionUUID(a.value)
	}
	_, forks := last(p, fork)
	if a, ok := last(p, goesOn); ok && !forks {
		if a.name == "--resume" || a.name == "-r" {
			return nil, sessionUUID(a.value)
		}
		return nil, ""
	}
	if !preset.Valid() {
		return nil, ""
	}
	return []string{"--session-id", string(preset)}, preset
}

// claudeAnew is what stays of the arguments when a session that never had a
// conversation is replaced: a fork of a named session is forked again.
func claudeAnew(p []argument) []argument {
	_, forks := last(p, fork)
	from, _ := last(p, goesOn)
	again := forks && sessionUUID(from.value) != ""
	var out []argument
	for _, a := range p {
		switch {
		case a.name == "":
		case a.does == keep, a.does == config, a.does == place:
			out = append(out, a)
		case again && (a.does == fork || a.does == goesOn):
			out = append(out, a)
		}
	}
	return out
}

// What the hook of a session's start is called in our hook's argv. Of a fork
// claude first says the id of the session that was forked, then, with the first
// prompt, its own (seen with 2.1.197).
const (
	claudeStart     = "SessionStart"
	claudeForkStart = "SessionStart:fork"
)

// claudeEvents are the events that call us, in our words.
var claudeEvents = []struct {
	name string
	what agent.HookWhat
}{
	{claudeStart, agent.HookStart},
	{"UserPromptSubmit", agent.HookPrompt},
	{"Stop", agent.HookStop},
	{"PermissionRequest", agent.HookAsk},
	{"Notification", agent.HookOther},
	{"SessionEnd", agent.HookGoodbye},
}

func (claude) Hook(event string, fields map[string]json.RawMessage) agent.HookFacts {
	forked := event == claudeForkStart
	if forked {
		event = claudeStart
	}
	f := agent.HookFacts{What: agent.HookOther, Session: session(fields, "session_id")}
	for _, e := range claudeEvents {
		if e.name == event {
			f.What = e.what
		}
	}
	switch f.What {
	case agent.HookStart:
		f.Reason = reason(fields, "source")
		if forked && f.Reason == "resume" {
			f.Session = ""
		}
	case agent.HookGoodbye:
		f.Reason = reason(fields, "reason")
		// The only reason that is the person's own: SIGHUP and SIGTERM give "other".
		f.Certain = f.Reason == "prompt_input_exit"
	case agent.HookOther:
		f.Reason = reason(fields, "notification_type")
	}
	return f
}

// Holds reads sessions/PID.json, which claude writes at its start and removes at a
// clean end: a file of a former process with this pid proves nothing.
func (claude) Holds(home string, p panes.ProcessID, id agent.SessionID) bool {
	root, ok := homeDir(home, ".claude")
	if !ok {
		return false
	}
	data, err := readFile(filepath.Join(root, "sessions", strconv.Itoa(p.PID)+".json"), settingsMax)
	if err != nil {
		return false
	}
	var s struct {
		SessionID agent.SessionID `json:"sessionId"`
		ProcStart string          `json:"procStart"` // field 22 of proc(5) stat, on Linux
	}
	if json.Unmarshal(data, &s) != nil || s.SessionID != id {
		return false
	}
	return runtime.GOOS != "linux" || s.ProcStart == "" || s.ProcStart == strconv.FormatUint(p.Start, 10)
}

// Transcript looks for projects/<directory>/<id>.jsonl with a message in it: the
// file may hold a title and modes alone, which claude does not resume (seen with
// 2.1.197, killed 0.1 s after the first answer). Any directory counts: how claude
// writes a path as a name is its own affair.
func (claude) Transcript(home, _ string, id agent.SessionID) agent.Transcript {
	_, t := claudeFile(home, id)
	return t
}

func claudeFile(home string, id agent.SessionID) (path string, t agent.Transcript) {
	root, ok := homeDir(home, ".claude")
	if !ok || !id.Valid() {
		return "", agent.CannotTell
	}
	return find(root, hasMessage, "projects", "*", string(id)+".jsonl")
}

// claudeWorktree leads a session back to its worktree: resumed without the
// option, claude finds the conversation and works on it in the wrong directory
// (seen with 2.1.197). Given without a name, the option would make another one; the
// name that claude chose stands in the name of the conversation's folder.
func claudeWorktree(in agent.LaunchInput, a argument) []string {
	if a.value != "" {
		return a.tokens
	}
	path, t := claudeFile(in.Home, in.Session)
	if t != agent.HasTranscript {
		return nil
	}
	trees, _ := os.ReadDir(filepath.Join(in.Dir, ".claude", "worktrees")) // none can be read: none is known
	for _, tree := range trees {
		if strings.HasSuffix(filepath.Base(filepath.Dir(path)), folderName(filepath.Join("/.claude/worktrees", tree.Name()))) {
			return []string{"--worktree=" + tree.Name()}
		}
	}
	return nil
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

func hasMessage(path string) (bool, error) {
	return hasLine(path, `"type":"user"`, `"type":"assistant"`)
}

// set makes a set of words.
func set(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}
