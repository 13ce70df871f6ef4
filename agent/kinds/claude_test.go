package kinds_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/panes"
)

const (
	preset = agent.SessionID("11111111-2222-4333-8444-555555555555")
	other  = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
)

func kind(t testing.TB, name string, custom ...kinds.Custom) agent.Kind {
	t.Helper()
	r, err := kinds.New(custom)
	if err != nil {
		t.Fatal(err)
	}
	k, ok := r.Kind(name)
	if !ok {
		t.Fatalf("no kind %s", name)
	}
	return k
}

// launchCase is one command line of a kind without hooks.
type launchCase struct {
	name    string
	flags   []string
	anew    bool
	argv    string // joined with |
	session agent.SessionID
	plain   bool
}

func checkLaunch(t *testing.T, k agent.Kind, cases []launchCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := append([]string(nil), c.flags...)
			got, err := k.Launch(agent.LaunchInput{Session: preset, Flags: c.flags, Anew: c.anew})
			if err != nil {
				t.Fatal(err)
			}
			if argv := strings.Join(got.Argv, "|"); argv != c.argv {
				t.Errorf("argv\n got %s\nwant %s", argv, c.argv)
			}
			if got.Session != c.session || got.Plain != c.plain {
				t.Errorf("session %q plain %v, want %q %v", got.Session, got.Plain, c.session, c.plain)
			}
			if d := cmp.Diff(before, c.flags); d != "" {
				t.Errorf("the person's flags were changed: %s", d)
			}
		})
	}
}

func checkResume(t *testing.T, k agent.Kind, cases []launchCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := k.Resume(agent.LaunchInput{Session: preset, Flags: c.flags})
			if err != nil {
				t.Fatal(err)
			}
			if argv := strings.Join(got.Argv, "|"); argv != c.argv {
				t.Errorf("argv\n got %s\nwant %s", argv, c.argv)
			}
			if got.Session != preset {
				t.Errorf("session %q", got.Session)
			}
		})
	}
}

func TestClaudeLaunch(t *testing.T) {
	id := string(preset)
	checkLaunch(t, kind(t, "claude"), []launchCase{
		{name: "alone", argv: "claude|--session-id|" + id, session: preset},
		{name: "flags and a message", flags: []string{"--model", "x", "fix it"}, argv: "claude|--session-id|" + id + "|--model|x|fix it", session: preset},
		{name: "message behind --", flags: []string{"--add-dir", "a", "b", "--", "-x"}, argv: "claude|--session-id|" + id + "|--add-dir|a|b|--|-x", session: preset},
		{name: "own id", flags: []string{"--session-id", other}, argv: "claude|--session-id|" + other, session: other},
		{name: "own id joined", flags: []string{"--session-id=" + other}, argv: "claude|--session-id=" + other, session: other},
		{name: "resume", flags: []string{"--resume", other}, argv: "claude|--resume|" + other, session: other},
		{name: "resume short", flags: []string{"-r", other, "go on"}, argv: "claude|-r|" + other + "|go on", session: other},
		{name: "resume picker", flags: []string{"--resume"}, argv: "claude|--resume"},
		{name: "resume by words", flags: []string{"--resume", "auth bug"}, argv: "claude|--resume|auth bug"},
		{name: "continue", flags: []string{"-c", "--model", "x"}, argv: "claude|-c|--model|x"},
		{name: "from a pull request", flags: []string{"--from-pr", "7"}, argv: "claude|--from-pr|7"},
		{name: "fork", flags: []string{"--resume", other, "--fork-session"}, argv: "claude|--session-id|" + id + "|--resume|" + other + "|--fork-session", session: preset},
		{name: "print", flags: []string{"-p", "hello"}, argv: "claude|-p|hello", plain: true},
		{name: "print in a cluster", flags: []string{"-pc"}, argv: "claude|-pc", plain: true},
		{name: "subcommand", flags: []string{"mcp", "list"}, argv: "claude|mcp|list", plain: true},
		{name: "subcommand behind flags", flags: []string{"--model", "x", "doctor"}, argv: "claude|--model|x|doctor", plain: true},
		{name: "version", flags: []string{"--version"}, argv: "claude|--version", plain: true},
		{name: "a value that looks like a subcommand", flags: []string{"--model", "mcp"}, argv: "claude|--session-id|" + id + "|--model|mcp", session: preset},
		{name: "anew", anew: true, flags: []string{"--session-id", other, "--model=x", "-c", "fix it"}, argv: "claude|--session-id|" + id + "|--model=x", session: preset},
		{name: "anew in a worktree", anew: true, flags: []string{"-w", "hi"}, argv: "claude|--session-id|" + id + "|-w|hi", session: preset},
		{name: "anew after a fork", anew: true, flags: []string{"--resume", other, "--fork-session", "hi"}, argv: "claude|--session-id|" + id + "|--resume|" + other + "|--fork-session", session: preset},
		{name: "anew after a fork of the latest", anew: true, flags: []string{"-c", "--fork-session"}, argv: "claude|--session-id|" + id, session: preset},
	})
}

func TestClaudeResume(t *testing.T) {
	r := "claude|--resume|" + string(preset)
	checkResume(t, kind(t, "claude"), []launchCase{
		{name: "alone", argv: r},
		{
			name:  "flags stay, the message goes",
			flags: []string{"--model", "x", "--permission-mode=plan", "--add-dir", "a", "b", "--dangerously-skip-permissions", "fix it"},
			argv:  r + "|--model|x|--permission-mode=plan|--add-dir|a|b|--dangerously-skip-permissions",
		},
		{name: "a message behind --", flags: []string{"--verbose", "--", "--not-an-option"}, argv: r + "|--verbose"},
		{name: "what named the session goes", flags: []string{"--session-id", other, "--resume=" + other, "-c", "--fork-session", "--from-pr", "7", "-r"}, argv: r},
		{name: "a picker's term goes", flags: []string{"-r", "term", "--model", "x"}, argv: r + "|--model|x"},
		{name: "short with its value", flags: []string{"-nname", "-r" + other}, argv: r + "|-nname"},
		{name: "an unknown option keeps its word", flags: []string{"--newest", "7", "fix it"}, argv: r + "|--newest|7"},
		{name: "an unknown option before a message", flags: []string{"--newest", "fix it"}, argv: r + "|--newest"},
		{name: "a worktree is found again", flags: []string{"-w", "w", "--model", "x"}, argv: r + "|--model|x|-w|w"},
		{name: "no second worktree is made", flags: []string{"--worktree", "--model", "x"}, argv: r + "|--model|x"},
	})
}

var hookCommand = agent.HookCommand{Program: "/state/bin/it's a prog", State: "/state dir", Nonce: "n0"}

// wantHooks are claude's settings with nothing but our hooks.
func wantHooks(t *testing.T) map[string]any {
	t.Helper()
	hooks := map[string]any{}
	for _, e := range []string{"SessionStart", "UserPromptSubmit", "Stop", "StopFailure", "PermissionRequest", "Elicitation", "ElicitationResult", "PostToolUse", "PostToolUseFailure", "Notification", "SessionEnd"} {
		hooks[e] = []any{map[string]any{"hooks": []any{map[string]any{
			"type": "command", "timeout": 5.0, "command": `'/state/bin/it'\''s a prog' hook '/state dir' claude n0 ` + e,
		}}}}
	}
	return map[string]any{"hooks": hooks}
}

// settingsOf is the value of the only --settings of a command line.
func settingsOf(t *testing.T, argv []string) string {
	t.Helper()
	value, n := "", 0
	for i, a := range argv {
		if a == "--settings" {
			value = argv[i+1]
			n++
		}
		if v, ok := strings.CutPrefix(a, "--settings="); ok {
			value = v
			n++
		}
	}
	if n != 1 {
		t.Fatalf("%d settings in %q", n, argv)
	}
	return value
}

func TestClaudeSettings(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("theirs.json", `{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}`)
	write("array.json", `[1]`)
	write("long.json", `{"a":"`+strings.Repeat("x", 1<<20)+`"}`)
	merged := wantHooks(t)
	merged["model"] = "x"
	hooks := merged["hooks"].(map[string]any)
	hooks["Stop"] = append([]any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "mine"}}}}, hooks["Stop"].([]any)...)

	for _, c := range []struct {
		name  string
		flags []string
		want  any // a map: joined; a string: theirs alone
	}{
		{"none", nil, wantHooks(t)},
		{"a file, relative", []string{"--settings", "theirs.json"}, merged},
		{"a file, absolute", []string{"--settings=" + filepath.Join(dir, "theirs.json")}, merged},
		{"JSON", []string{"--settings", ` {"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}`}, merged},
		{"no such file", []string{"--settings", "absent.json"}, "absent.json"},
		{"no object", []string{"--settings", "array.json"}, "array.json"},
		{"too long", []string{"--settings", "long.json"}, "long.json"},
		{"a folder", []string{"--settings", "."}, "."},
		{"malformed", []string{"--settings", `{"a"`}, `{"a"`},
		{"hooks of another form", []string{"--settings", `{"hooks":[]}`}, `{"hooks":[]}`},
		{"an event of another form", []string{"--settings", `{"hooks":{"Stop":1}}`}, `{"hooks":{"Stop":1}}`},
		{"null", []string{"--settings", `{"hooks":null}`}, `{"hooks":null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := agent.LaunchInput{Session: preset, Flags: c.flags, Dir: dir, Hook: hookCommand}
			k := kind(t, "claude")
			for what, make := range map[string]func(agent.LaunchInput) (agent.Command, error){"launch": k.Launch, "resume": k.Resume} {
				got, err := make(in)
				if err != nil {
					t.Fatal(err)
				}
				value := settingsOf(t, got.Argv)
				if theirs, ok := c.want.(string); ok {
					if value != theirs || got.Notice == "" {
						t.Errorf("%s: settings %s, notice %q", what, value, got.Notice)
					}
					continue
				}
				var m any
				if err := json.Unmarshal([]byte(value), &m); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, m); d != "" || got.Notice != "" {
					t.Errorf("%s: notice %q, settings (-want +got):\n%s", what, got.Notice, d)
				}
			}
		})
	}
}

// TestClaudeForkHook: the first start of a fork names the session it came from.
func TestClaudeForkHook(t *testing.T) {
	k := kind(t, "claude")
	in := agent.LaunchInput{Session: preset, Flags: []string{"-r", other, "--fork-session"}, Hook: hookCommand}
	fork, err := k.Launch(in)
	back, err2 := k.Resume(in)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if !strings.Contains(settingsOf(t, fork.Argv), "claude n0 SessionStart:fork") {
		t.Errorf("fork %q", fork.Argv)
	}
	if strings.Contains(settingsOf(t, back.Argv), ":fork") {
		t.Errorf("resume %q", back.Argv)
	}
}

func TestClaudeHooks(t *testing.T) {
	checkHooks(t, kind(t, "claude"), []hookCase{
		{"SessionStart", `{"session_id":"` + other + `","source":"resume"}`, agent.HookFacts{What: agent.HookStart, Session: other, Reason: "resume"}},
		{"UserPromptSubmit", `{"session_id":"` + other + `","prompt":"x"}`, agent.HookFacts{What: agent.HookPrompt, Session: other}},
		{"Stop", `{"session_id":"` + other + `"}`, agent.HookFacts{What: agent.HookStop, Session: other}},
		{"PermissionRequest", `{"session_id":"` + other + `"}`, agent.HookFacts{What: agent.HookAsk, Session: other}},
		{"PermissionRequest", `{"tool_name":"AskUserQuestion"}`, agent.HookFacts{What: agent.HookAnswer}},
		{"PermissionRequest", `{"tool_name":["AskUserQuestion"]}`, agent.HookFacts{What: agent.HookAsk}},
		{"Elicitation", `{}`, agent.HookFacts{What: agent.HookAnswer}},
		{"PostToolUse", `{"session_id":"` + other + `","tool_response":{}}`, agent.HookFacts{What: agent.HookWork, Session: other}},
		{"StopFailure", `{"session_id":"` + other + `","error":"rate_limit"}`, agent.HookFacts{What: agent.HookFail, Session: other, Reason: "rate_limit"}},
		{"Notification", `{"notification_type":"idle_prompt"}`, agent.HookFacts{What: agent.HookOther, Reason: "idle_prompt"}},
		{"SessionEnd", `{"session_id":"` + other + `","reason":"prompt_input_exit"}`, agent.HookFacts{What: agent.HookGoodbye, Session: other, Reason: "prompt_input_exit", Certain: true}},
		{"SessionStart:fork", `{"session_id":"` + other + `","source":"resume"}`, agent.HookFacts{What: agent.HookStart, Reason: "resume"}},
		{"SessionStart:fork", `{"session_id":"` + other + `","source":"clear"}`, agent.HookFacts{What: agent.HookStart, Session: other, Reason: "clear"}},
		{"SessionEnd", `{"reason":"other"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "other"}},
		{"SessionEnd", `{"reason":"clear"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "clear"}},
		{"SessionEnd", `{"reason":["prompt_input_exit"]}`, agent.HookFacts{What: agent.HookGoodbye}},
		{"SessionStart", `{"session_id":"--resume"}`, agent.HookFacts{What: agent.HookStart}},
		{"SessionStart", `{"session_id":"../../x"}`, agent.HookFacts{What: agent.HookStart}},
		{"SessionStart", `{"session_id":7,"source":"` + strings.Repeat("\\u001b[2Jé", 40) + `"}`, agent.HookFacts{What: agent.HookStart, Reason: strings.Repeat("[2J", 40)[:64]}},
		{"Invented", `{}`, agent.HookFacts{What: agent.HookOther}},
	})
}

type hookCase struct {
	event, payload string
	want           agent.HookFacts
}

func checkHooks(t *testing.T, k agent.Kind, cases []hookCase) {
	t.Helper()
	for _, c := range cases {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.payload), &fields); err != nil {
			t.Fatal(err)
		}
		if got := k.Hook(c.event, fields); got != c.want {
			t.Errorf("%s %s:\n got %+v\nwant %+v", c.event, c.payload, got, c.want)
		}
	}
}

// TestClaudeWorktree: the worktree that claude named is found by the conversation.
func TestClaudeWorktree(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	for _, d := range []string{
		filepath.Join(dir, ".claude/worktrees/other"), filepath.Join(dir, ".claude/worktrees/calm.owl_1"),
		filepath.Join(home, "projects/-x-proj--claude-worktrees-calm-owl-1"),
	} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(home, "projects/-x-proj--claude-worktrees-calm-owl-1", string(preset)+".jsonl")
	if err := os.WriteFile(file, []byte(`{"type":"user"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	mine := func(name string, places ...string) kinds.Custom {
		return kinds.Custom{
			Name: name, Command: name, ResumeArgs: []string{"--go", "{session_id}"}, Roles: kinds.CustomRoles{Place: places},
			Sessions: kinds.CustomSessions{Worktree: "claude"}, Store: kinds.CustomStore{Format: "claude"},
		}
	}
	custom := []kinds.Custom{mine("long", "-t, --tree [NAME]"), mine("short", "-t [NAME]")}
	for _, c := range []struct{ name, flag, want string }{
		{"claude", "--worktree", "claude|--resume|" + string(preset) + "|--worktree=calm.owl_1"},
		{"claude", "-w", "claude|--resume|" + string(preset) + "|--worktree=calm.owl_1"},
		{"long", "--tree", "long|--go|" + string(preset) + "|--tree=calm.owl_1"},
		{"long", "-t", "long|--go|" + string(preset) + "|--tree=calm.owl_1"},
		{"short", "-t", "short|--go|" + string(preset) + "|-t|calm.owl_1"},
	} {
		got, err := kind(t, c.name, custom...).Resume(agent.LaunchInput{Session: preset, Flags: []string{c.flag}, Home: home, Dir: dir})
		if err != nil || strings.Join(got.Argv, "|") != c.want {
			t.Errorf("%s %s: %q, %v", c.name, c.flag, got.Argv, err)
		}
	}
}

func TestClaudeHolds(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"1": `{"pid":1,"sessionId":"` + other + `","procStart":"77"}`, "2": `{"sessionId":"` + other + `"}`, "3": `{"sessionId":`, "4": `{"sessionId":5}`,
	} {
		if err := os.WriteFile(filepath.Join(home, "sessions", name+".json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := kind(t, "claude").(agent.Witness)
	for _, c := range []struct {
		pid   int
		start uint64
		id    agent.SessionID
		want  bool
	}{
		{1, 77, other, true},
		{1, 77, preset, false},
		{2, 5, other, true},
		{3, 5, other, false},
		{4, 5, other, false},
		{5, 5, other, false},
	} {
		if got := w.Holds(home, panes.ProcessID{PID: c.pid, Start: c.start}, c.id); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if runtime.GOOS == "linux" && w.Holds(home, panes.ProcessID{PID: 1, Start: 78}, other) {
		t.Error("another process with the pid")
	}
}
