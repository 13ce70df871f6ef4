package kinds_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/panes"
)

const (
	theirs = "ses_0123456789abcdef"
	thread = "T-aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
)

// TestProgramsLaunch: how each kind begins a session, what the person's own
// arguments change of that, and what begins none.
func TestProgramsLaunch(t *testing.T) {
	id := string(preset)
	for name, cases := range map[string][]launchCase{
		"gemini": {
			{name: "alone", argv: "gemini|--session-id|" + id, session: preset},
			{name: "flags and a message", flags: []string{"-m", "x", "-y", "fix it"}, argv: "gemini|--session-id|" + id + "|-m|x|-y|fix it", session: preset},
			{name: "own id", flags: []string{"--session-id=" + other}, argv: "gemini|--session-id=" + other, session: other},
			{name: "resume", flags: []string{"-r", other}, argv: "gemini|-r|" + other, session: other},
			{name: "resume the latest", flags: []string{"--resume", "latest"}, argv: "gemini|--resume|latest"},
			{name: "headless", flags: []string{"-p", "hi"}, argv: "gemini|-p|hi", plain: true},
			{name: "subcommand", flags: []string{"mcp", "list"}, argv: "gemini|mcp|list", plain: true},
			{name: "anew", anew: true, flags: []string{"-i", "hi", "--resume", other, "-m", "x", "word"}, argv: "gemini|--session-id|" + id + "|-m|x", session: preset},
		},
		"qwen": {
			{name: "alone", argv: "qwen|--session-id|" + id, session: preset},
			{name: "continue", flags: []string{"-c"}, argv: "qwen|-c"},
			{name: "resume", flags: []string{"--resume", other}, argv: "qwen|--resume|" + other, session: other},
			{name: "one shot", flags: []string{"--prompt=hi"}, argv: "qwen|--prompt=hi", plain: true},
			{name: "subcommand", flags: []string{"auth"}, argv: "qwen|auth", plain: true},
		},
		"copilot": {
			{name: "alone", argv: "copilot|--session-id=" + id, session: preset},
			{name: "resume", flags: []string{"--resume=" + other, "--yolo"}, argv: "copilot|--resume=" + other + "|--yolo", session: other},
			{name: "resume by name", flags: []string{"--resume", "my feature"}, argv: "copilot|--resume|my feature"},
			{name: "picker", flags: []string{"--resume"}, argv: "copilot|--resume"},
			{name: "continue", flags: []string{"--continue"}, argv: "copilot|--continue"},
			{name: "headless", flags: []string{"-p", "x", "--allow-all-tools"}, argv: "copilot|-p|x|--allow-all-tools", plain: true},
			{name: "subcommand", flags: []string{"login"}, argv: "copilot|login", plain: true},
		},
		"opencode": {
			{name: "alone", argv: "opencode"},
			{name: "project", flags: []string{"/p", "-m", "x"}, argv: "opencode|/p|-m|x"},
			{name: "session", flags: []string{"-s", theirs}, argv: "opencode|-s|" + theirs, session: theirs},
			{name: "a session of another form", flags: []string{"-s", other}, argv: "opencode|-s|" + other},
			{name: "continue", flags: []string{"-c"}, argv: "opencode|-c"},
			{name: "fork", flags: []string{"-s", theirs, "--fork"}, argv: "opencode|-s|" + theirs + "|--fork"},
			{name: "anew after a fork", anew: true, flags: []string{"/p", "-s", theirs, "--fork", "--prompt", "hi"}, argv: "opencode|/p|-s|" + theirs + "|--fork"},
			{name: "run", flags: []string{"run", "hi"}, argv: "opencode|run|hi", plain: true},
		},
		"pi": {
			{name: "alone", argv: "pi"},
			{name: "message", flags: []string{"--model", "x", "fix it"}, argv: "pi|--model|x|fix it"},
			{name: "session", flags: []string{"--session", other}, argv: "pi|--session|" + other, session: other},
			{name: "session file", flags: []string{"--session", "a/b.jsonl"}, argv: "pi|--session|a/b.jsonl"},
			{name: "picker", flags: []string{"-r"}, argv: "pi|-r"},
			{name: "print", flags: []string{"-p", "hi"}, argv: "pi|-p|hi", plain: true},
			{name: "install", flags: []string{"install", "x"}, argv: "pi|install|x", plain: true},
		},
		"grok": {
			{name: "alone", argv: "grok|--session-id|" + id, session: preset},
			{name: "own id", flags: []string{"-s", other}, argv: "grok|-s|" + other, session: other},
			{name: "resume", flags: []string{"-r", other}, argv: "grok|-r|" + other, session: other},
			{name: "fork", flags: []string{"-r", other, "--fork-session"}, argv: "grok|-r|" + other + "|--fork-session"},
			{name: "continue", flags: []string{"-c"}, argv: "grok|-c"},
		},
		"droid": {
			{name: "alone", argv: "droid"},
			{name: "resume", flags: []string{"resume", other}, argv: "droid|resume|" + other, session: other},
			{name: "resume picker", flags: []string{"resume"}, argv: "droid|resume"},
			{name: "resume option", flags: []string{"-r", other}, argv: "droid|-r|" + other, session: other},
			{name: "exec", flags: []string{"exec", "hi"}, argv: "droid|exec|hi", plain: true},
			{name: "anew", anew: true, flags: []string{"resume", other, "--auto", "low"}, argv: "droid|--auto|low"},
		},
		"amp": {
			{name: "alone", argv: "amp"},
			{name: "thread", flags: []string{"threads", "continue", thread}, argv: "amp|threads|continue|" + thread, session: thread},
			{name: "no thread", flags: []string{"threads", "continue", other}, argv: "amp|threads|continue|" + other},
			{name: "threads", flags: []string{"threads", "list"}, argv: "amp|threads|list", plain: true},
		},
		"goose": {
			{name: "alone", argv: "goose|session"},
			{name: "options", flags: []string{"--debug"}, argv: "goose|session|--debug"},
			{name: "session said", flags: []string{"session", "--debug"}, argv: "goose|session|--debug"},
			{name: "named", flags: []string{"session", "-r", "--session-id", "20251108_1"}, argv: "goose|session|-r|--session-id|20251108_1", session: "20251108_1"},
			{name: "latest", flags: []string{"-r"}, argv: "goose|session|-r"},
			{name: "run", flags: []string{"run", "-t", "hi"}, argv: "goose|run|-t|hi", plain: true},
		},
		"kimi": {
			{name: "alone", argv: "kimi"},
			{name: "session", flags: []string{"-r", "session_" + other}, argv: "kimi|-r|session_" + other, session: "session_" + other},
			{name: "continue", flags: []string{"-c"}, argv: "kimi|-c"},
			{name: "picker", flags: []string{"-S"}, argv: "kimi|-S"},
			{name: "one shot", flags: []string{"-p", "hi"}, argv: "kimi|-p|hi", plain: true},
			{name: "web", flags: []string{"web"}, argv: "kimi|web", plain: true},
		},
		"vibe":   {{name: "session", flags: []string{"--resume", "abc"}, argv: "vibe|--resume|abc", session: "abc"}},
		"hermes": {{name: "session", flags: []string{"chat", "-r", "20260323_1"}, argv: "hermes|chat|-r|20260323_1", session: "20260323_1"}},
		"crush":  {{name: "session", flags: []string{"-s", "abc"}, argv: "crush|-s|abc", session: "abc"}},
		"cursor-agent": {
			{name: "session", flags: []string{"--resume=" + other}, argv: "cursor-agent|--resume=" + other, session: other},
			{name: "print", flags: []string{"-p", "x"}, argv: "cursor-agent|-p|x", plain: true},
		},
		"mastracode": {{name: "alone", argv: "mastracode"}},
		"aider":      {{name: "alone", flags: []string{"--model", "x"}, argv: "aider|--model|x"}},
	} {
		t.Run(name, func(t *testing.T) { checkLaunch(t, kind(t, name), cases) })
	}
}

// TestProgramsResume: options stay, what named the session and the first message go.
func TestProgramsResume(t *testing.T) {
	id := string(preset)
	for name, cases := range map[string][]launchCase{
		"gemini": {
			{name: "alone", argv: "gemini|--resume|" + id},
			{
				name: "flags", flags: []string{"--session-id", other, "-m", "x", "-e", "a", "b", "--yolo", "-i", "hi", "fix it"},
				argv: "gemini|--resume|" + id + "|-m|x|-e|a|b|--yolo",
			},
		},
		"qwen": {
			{name: "flags", flags: []string{"-c", "--approval-mode", "plan", "-i", "hi", "word"}, argv: "qwen|--resume|" + id + "|--approval-mode|plan"},
		},
		"copilot": {
			{
				name: "flags", flags: []string{"--session-id", other, "--add-dir", "a", "--allow-tool", "x", "y", "-n", "name", "--yolo", "-i", "hi"},
				argv: "copilot|--resume=" + id + "|--add-dir|a|--allow-tool|x|y|--yolo",
			},
		},
		"opencode": {
			{name: "project", flags: []string{"/p", "-c", "--fork", "--agent", "x", "--prompt", "hi"}, argv: "opencode|--session|" + id + "|/p|--agent|x"},
		},
		"pi":           {{name: "flags", flags: []string{"-c", "-nt", "--model", "x", "hi"}, argv: "pi|--session|" + id + "|-nt|--model|x"}},
		"grok":         {{name: "flags", flags: []string{"-r", other, "--fork-session", "-m", "x", "hi"}, argv: "grok|--resume|" + id + "|-m|x"}},
		"droid":        {{name: "flags", flags: []string{"resume", other, "--auto", "low"}, argv: "droid|--resume|" + id + "|--auto|low"}},
		"amp":          {{name: "flags", flags: []string{"threads", "continue", thread, "--no-ide"}, argv: "amp|threads|continue|" + id + "|--no-ide"}},
		"goose":        {{name: "flags", flags: []string{"session", "-n", "x", "--with-builtin", "y"}, argv: "goose|session|--resume|--session-id|" + id + "|--with-builtin|y"}},
		"kimi":         {{name: "flags", flags: []string{"--agent", "a", "-y", "-m", "x"}, argv: "kimi|--session|" + id + "|-y|-m|x"}},
		"vibe":         {{name: "flags", flags: []string{"--agent", "plan", "hi"}, argv: "vibe|--resume|" + id + "|--agent|plan"}},
		"hermes":       {{name: "flags", flags: []string{"chat", "-q", "hi", "--yolo"}, argv: "hermes|--resume|" + id + "|--yolo"}},
		"crush":        {{name: "flags", flags: []string{"-C", "-y"}, argv: "crush|--session|" + id + "|-y"}},
		"cursor-agent": {{name: "flags", flags: []string{"--continue", "--model", "x", "hi"}, argv: "cursor-agent|--resume=" + id + "|--model|x"}},
	} {
		t.Run(name, func(t *testing.T) { checkResume(t, kind(t, name), cases) })
	}
}

func TestProgramsHooks(t *testing.T) {
	sid := `"session_id":"` + other + `"`
	camel := `"sessionId":"` + other + `"`
	for name, cases := range map[string][]hookCase{
		"gemini": {
			{"SessionStart", `{` + sid + `,"source":"startup"}`, agent.HookFacts{What: agent.HookStart, Session: other, Reason: "startup"}},
			{"BeforeAgent", `{` + sid + `,"prompt":"x"}`, agent.HookFacts{What: agent.HookPrompt, Session: other}},
			{"AfterAgent", `{` + sid + `}`, agent.HookFacts{What: agent.HookStop, Session: other}},
			{"AfterTool", `{` + sid + `}`, agent.HookFacts{What: agent.HookWork, Session: other}},
			{"Notification", `{"notification_type":"ToolPermission"}`, agent.HookFacts{What: agent.HookAsk, Reason: "ToolPermission"}},
			{"Notification", `{"notification_type":"New"}`, agent.HookFacts{What: agent.HookOther, Reason: "New"}},
			{"Notification", `{"notification_type":{}}`, agent.HookFacts{What: agent.HookOther}},
			{"SessionEnd", `{` + sid + `,"reason":"exit"}`, agent.HookFacts{What: agent.HookGoodbye, Session: other, Reason: "exit"}},
			{"SessionStart", `{"session_id":"--yolo"}`, agent.HookFacts{What: agent.HookStart}},
			{"Invented", `{` + sid + `}`, agent.HookFacts{What: agent.HookOther, Session: other}},
		},
		"qwen": {
			{"PermissionRequest", `{` + sid + `}`, agent.HookFacts{What: agent.HookAsk, Session: other}},
			{"Notification", `{"notification_type":"idle_prompt"}`, agent.HookFacts{What: agent.HookRest, Reason: "idle_prompt"}},
			{"StopFailure", `{"error":"` + strings.Repeat("\\u009b", 9) + `x"}`, agent.HookFacts{What: agent.HookFail, Reason: "x"}},
			{"SessionEnd", `{"reason":"prompt_input_exit"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "prompt_input_exit"}},
		},
		"copilot": {
			{"sessionStart", `{` + camel + `,"source":"new"}`, agent.HookFacts{What: agent.HookStart, Session: other, Reason: "new"}},
			{"userPromptSubmitted", `{` + camel + `}`, agent.HookFacts{What: agent.HookPrompt, Session: other}},
			{"agentStop", `{` + camel + `,"stopReason":"end_turn"}`, agent.HookFacts{What: agent.HookStop, Session: other, Reason: "end_turn"}},
			{"permissionRequest", `{}`, agent.HookFacts{What: agent.HookAsk}},
			{"sessionEnd", `{"reason":"user_exit"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "user_exit"}},
		},
		"opencode": { // its plugin speaks our words
			{"start", `{"session_id":"` + theirs + `"}`, agent.HookFacts{What: agent.HookStart, Session: theirs}},
			{"fail", `{"session_id":"` + theirs + `","reason":"APIError"}`, agent.HookFacts{What: agent.HookFail, Session: theirs, Reason: "APIError"}},
			{"ask", `{}`, agent.HookFacts{What: agent.HookAsk}},
		},
	} {
		t.Run(name, func(t *testing.T) { checkHooks(t, kind(t, name), cases) })
	}
}

// written is a file of a command, by its name.
func written(t *testing.T, c agent.Command, name string) string {
	t.Helper()
	i := slices.IndexFunc(c.Files, func(f panes.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no file %s, but the notice %q", name, c.Notice)
	}
	return string(c.Files[i].Data)
}

// folderHook is a hook command whose folder is below root.
func folderHook(root string) agent.HookCommand {
	return agent.HookCommand{Program: "/state/bin/it's a prog", State: "/state dir", Nonce: "n0", Folder: filepath.Join(root, "launch", "1.1-n0")}
}

// TestSettingsFile: qwen takes our hooks from a file that has the machine's own
// settings in it, and goes on finding the machine's defaults.
func TestSettingsFile(t *testing.T) {
	dir := t.TempDir()
	machine := filepath.Join(dir, "machine.json")
	const commented = "{ // no telemetry\n \"privacy\": {\"usageStatisticsEnabled\": false}, /* \"a\" */ \"url\": \"http://x//y\",\n" +
		`"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}`
	k := kind(t, "qwen")
	for _, c := range []struct {
		name, content string
		notice        string
	}{
		{name: "none"},
		{name: "with comments", content: commented},
		{name: "no object", content: `[1]`, notice: "are not a JSON object"},
		{name: "null", content: `null`, notice: "are not a JSON object"},
		{name: "half a comment", content: `{/*`, notice: "are not a JSON object"},
		{name: "hooks of another form", content: `{"hooks":{"Stop":1}}`, notice: "another form"},
		{name: "too long", content: `{"a":"` + strings.Repeat("x", 1<<20) + `"}`, notice: "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_ = os.Remove(machine)
			if c.content != "" {
				if err := os.WriteFile(machine, []byte(c.content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			in := agent.LaunchInput{Session: preset, Hook: folderHook(dir), Env: []string{"QWEN_CODE_SYSTEM_SETTINGS_PATH=" + machine}}
			got, err := k.Launch(in)
			if err != nil {
				t.Fatal(err)
			}
			if c.notice != "" {
				if !strings.Contains(got.Notice, c.notice) || len(got.Files) != 0 || !slices.Equal(got.Env, []string{"QWEN_HOME"}) {
					t.Fatalf("notice %q, env %q, %d files", got.Notice, got.Env, len(got.Files))
				}
				return
			}
			want := []string{
				"QWEN_HOME", "QWEN_CODE_SYSTEM_SETTINGS_PATH=" + filepath.Join(in.Hook.Folder, "settings.json"),
				"QWEN_CODE_SYSTEM_DEFAULTS_PATH=" + filepath.Join(dir, "system-defaults.json"),
			}
			if !slices.Equal(got.Env, want) {
				t.Errorf("env %q, want %q", got.Env, want)
			}
			var s struct {
				Privacy struct{ UsageStatisticsEnabled *bool }
				URL     string
				Hooks   map[string][]struct {
					Hooks []struct {
						Command string
						Timeout int
					}
				}
			}
			if err := json.Unmarshal([]byte(written(t, got, "settings.json")), &s); err != nil {
				t.Fatal(err)
			}
			stop := s.Hooks["Stop"]
			if c.content != "" && (s.Privacy.UsageStatisticsEnabled == nil || s.URL != "http://x//y" || stop[0].Hooks[0].Command != "theirs") {
				t.Errorf("the machine's settings are lost: %+v", s)
			}
			ours := stop[len(stop)-1].Hooks[0]
			if ours.Command != `'/state/bin/it'\''s a prog' hook '/state dir' qwen n0 Stop` || ours.Timeout != 5000 {
				t.Errorf("our hook is %+v", ours)
			}
		})
	}
}

// TestGeminiSettings: the retention that deletes resumed conversations is off, all
// else of the machine's settings stays; what belongs to somebody else gets no file.
func TestGeminiSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "open")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)); err != nil { // all may write there
		t.Fatal(err)
	}
	k := kind(t, "gemini")
	open, err := k.Launch(agent.LaunchInput{Session: preset, Hook: folderHook(dir)})
	if err != nil || len(open.Files) != 0 || !strings.Contains(open.Notice, "only from files of root") {
		t.Errorf("below %s: notice %q, %d files, %v", dir, open.Notice, len(open.Files), err)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root's files are taken")
	}
	machine := filepath.Join(dir, "m.json")
	if err := os.WriteFile(machine, []byte(`{"general":{"vimMode":true,"sessionRetention":{"enabled":true,"maxAge":"7d"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := k.Resume(agent.LaunchInput{
		Session: preset, Hook: folderHook("/nonexistent"),
		Env: []string{"GEMINI_CLI_SYSTEM_SETTINGS_PATH=" + machine, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH=/d"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal([]byte(written(t, got, "settings.json")), &s); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"vimMode": true, "sessionRetention": map[string]any{"enabled": false, "maxAge": "7d"}}
	if d := cmp.Diff(want, s["general"]); d != "" {
		t.Errorf("general (-want +got):\n%s", d)
	}
	if slices.ContainsFunc(got.Env, func(e string) bool { return strings.HasPrefix(e, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH") }) {
		t.Errorf("the person's defaults are moved: %q", got.Env)
	}
}

func TestCopilotPlugin(t *testing.T) {
	in := agent.LaunchInput{Session: preset, Flags: []string{"--plugin-dir", "mine"}, Hook: folderHook("/s")}
	got, err := kind(t, "copilot").Resume(in)
	if err != nil {
		t.Fatal(err)
	}
	if want := "copilot|--resume=" + string(preset) + "|--plugin-dir=/s/launch/1.1-n0|--plugin-dir|mine"; strings.Join(got.Argv, "|") != want {
		t.Errorf("argv %q", got.Argv)
	}
	var plugin struct{ Name, Hooks string }
	if err := json.Unmarshal([]byte(written(t, got, "plugin.json")), &plugin); err != nil || plugin.Hooks != "hooks.json" {
		t.Errorf("plugin %+v, %v", plugin, err)
	}
	var calls struct {
		Version int
		Hooks   map[string][]struct{ Bash string }
	}
	if err := json.Unmarshal([]byte(written(t, got, "hooks.json")), &calls); err != nil {
		t.Fatal(err)
	}
	if c := calls.Hooks["sessionStart"]; len(c) != 1 || c[0].Bash != `'/state/bin/it'\''s a prog' hook '/state dir' copilot n0 sessionStart` {
		t.Errorf("calls %+v", calls)
	}
}

// TestOpencodePlugin: our plugin is added to what the person's own variable says.
func TestOpencodePlugin(t *testing.T) {
	k := kind(t, "opencode")
	hook := folderHook("/it's a #1 folder")
	const ours = "file:///it%27s%20a%20%231%20folder/launch/1.1-n0/reprise.js"
	for _, c := range []struct {
		config, notice string
		want           map[string]any
	}{
		{want: map[string]any{"plugin": []any{ours}}},
		{config: `{"model":"a/b","plugin":["x",["y",{"z":1}]]} // mine`, want: map[string]any{"model": "a/b", "plugin": []any{"x", []any{"y", map[string]any{"z": 1.0}}, ours}}},
		{config: `{"plugin":null}`, want: map[string]any{"plugin": []any{ours}}},
		{config: `[]`, notice: "is not a JSON object"},
		{config: `{"plugin":"x"}`, notice: "is no list"},
	} {
		got, err := k.Launch(agent.LaunchInput{Hook: hook, Env: []string{"OPENCODE_CONFIG_CONTENT=" + c.config}})
		if err != nil {
			t.Fatal(err)
		}
		if c.notice != "" {
			if !strings.Contains(got.Notice, c.notice) || len(got.Env)+len(got.Files) != 0 {
				t.Errorf("%s: notice %q, env %q", c.config, got.Notice, got.Env)
			}
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(got.Env[0], "OPENCODE_CONFIG_CONTENT=")), &m); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, m); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.config, d)
		}
		if !strings.Contains(written(t, got, "reprise.js"), `const hook = ["/state/bin/it's a prog","hook","/state dir","opencode","n0"]`) {
			t.Error("the plugin does not call us")
		}
	}
}

// TestOwnHooksOnly: a kind that takes hooks from its own folders alone is told of
// ours in a variable, and its hooks speak our words.
func TestOwnHooksOnly(t *testing.T) {
	for _, name := range []string{"grok", "kimi", "vibe", "amp", "cursor-agent", "crush", "goose", "hermes", "mastracode", "aider"} {
		k := kind(t, name)
		got, err := k.Launch(agent.LaunchInput{Session: preset, Hook: folderHook("/s")})
		if want := `REPRISE_HOOK='/state/bin/it'\''s a prog' hook '/state dir' ` + name + " n0"; err != nil || !slices.Contains(got.Env, want) || len(got.Files) != 0 {
			t.Errorf("%s: env %q, %v", name, got.Env, err)
		}
		checkHooks(t, k, []hookCase{{"prompt", `{"session_id":"a"}`, agent.HookFacts{What: agent.HookPrompt, Session: "a"}}})
	}
}

// TestNoResume: who cannot come back says why.
func TestNoResume(t *testing.T) {
	for _, name := range []string{"mastracode", "aider"} {
		k := kind(t, name)
		if _, err := k.Resume(agent.LaunchInput{Session: preset}); err == nil || k.Facts().NoResume == "" || !strings.Contains(err.Error(), k.Facts().NoResume) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDroidSettings: droid takes a file, in which the person's own settings are.
func TestDroidSettings(t *testing.T) {
	in := agent.LaunchInput{Flags: []string{"--settings", `{"model":"x"}`, "--auto", "low"}, Hook: folderHook("/s")}
	got, err := kind(t, "droid").Launch(in)
	if err != nil || strings.Join(got.Argv, "|") != "droid|--settings|/s/launch/1.1-n0/settings.json|--auto|low" {
		t.Fatalf("argv %q, %v", got.Argv, err)
	}
	if s := written(t, got, "settings.json"); !strings.Contains(s, `"model":"x"`) || !strings.Contains(s, "droid n0 SessionStart") {
		t.Errorf("settings %s", s)
	}
}

// TestProgramsTranscript: the stores of files say whether a session has a message.
func TestProgramsTranscript(t *testing.T) {
	home := t.TempDir()
	put := func(path, content string) {
		t.Helper()
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	short := other[:8]
	put(".gemini/tmp/p/chats/session-2026-11-29T10-00-"+short+".jsonl", `{"sessionId":"`+other+`"}`+"\n"+`{"type":"user"}`)
	put(".gemini/tmp/p/chats/session-2026-11-29T10-01-"+short+".jsonl", `{"sessionId":"`+other+`"}`+"\n")
	put(".gemini/tmp/q/chats/session-2026-11-29T10-00-"+string(preset[:8])+".jsonl", `{"sessionId":"`+string(preset)+`"}`+"\n"+`{"$set":{"messages":[{"type":"user"}]}}`+"\n")
	put(".qwen/projects/-p/chats/"+other+".jsonl", `{"type":"user"}`)
	put(".copilot/session-state/"+other+"/events.jsonl", "{}")
	put(".pi/agent/sessions/--p--/2026-11-29T10_"+other+".jsonl", `{"type":"message","message":{"role":"user"}}`)
	put(".pi/agent/sessions/--p--/2026-11-29T10_"+string(preset)+".jsonl", `{"type":"session"}`)
	put(".copilot/session-state/"+string(preset)+"/workspace.yaml", "id: x")
	put(".kimi-code/sessions/wd_p_1/session_"+other+"/agents/main/wire.jsonl", `{"type":"turn.prompt"}`)
	put(".kimi-code/sessions/wd_p_1/session_"+string(preset)+"/agents/main/wire.jsonl", `{"type":"metadata"}`)
	for _, c := range []struct {
		kind, home string
		id         agent.SessionID
		want       agent.Transcript
	}{
		{"gemini", "", other, agent.HasTranscript},
		{"gemini", home, other, agent.HasTranscript},
		{"gemini", "", preset, agent.NoTranscript},
		{"gemini", "", agent.SessionID(short + "-0000-4000-8000-000000000000"), agent.NoTranscript}, // the same file name
		{"gemini", "", "short", agent.CannotTell},
		{"gemini", home + "/none", other, agent.CannotTell},
		{"qwen", "", other, agent.HasTranscript},
		{"qwen", home + "/.qwen", preset, agent.NoTranscript},
		{"copilot", "", other, agent.HasTranscript},
		{"copilot", "", preset, agent.NoTranscript},
		{"pi", "", other, agent.HasTranscript},
		{"pi", home + "/.pi/agent", preset, agent.NoTranscript},
		{"kimi", "", "session_" + other, agent.HasTranscript},
		{"kimi", home + "/.kimi-code", "session_" + preset, agent.NoTranscript},
		{"opencode", "", theirs, agent.CannotTell},
		{"grok", "", other, agent.CannotTell},
	} {
		if got := kind(t, c.kind).Transcript(c.home, "/p", c.id); got != c.want {
			t.Errorf("%s in %q, %s: %v, want %v", c.kind, c.home, c.id, got, c.want)
		}
	}
}
