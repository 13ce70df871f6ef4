package kinds_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"reprise/agent"
)

const lone = "codex|-c|features.daemon_auto_start=false"

func TestCodexLaunch(t *testing.T) {
	checkLaunch(t, kind(t, "codex"), []launchCase{
		{name: "alone", argv: lone},
		{name: "flags and a message", flags: []string{"-m", "x", "fix it"}, argv: lone + "|-m|x|fix it"},
		{name: "resume", flags: []string{"resume", other}, argv: lone + "|resume|" + other, session: other},
		{name: "resume behind flags", flags: []string{"-m", "x", "resume", "--search", other, "go on"}, argv: lone + "|-m|x|resume|--search|" + other + "|go on", session: other},
		{name: "resume the latest", flags: []string{"resume", "--last"}, argv: lone + "|resume|--last"},
		{name: "resume the latest with a message", flags: []string{"resume", "--last", other}, argv: lone + "|resume|--last|" + other},
		{name: "resume by name", flags: []string{"resume", "auth"}, argv: lone + "|resume|auth"},
		{name: "fork", flags: []string{"fork", other}, argv: lone + "|fork|" + other},
		{name: "exec", flags: []string{"exec", "x"}, argv: "codex|exec|x", plain: true},
		{name: "login behind flags", flags: []string{"-c", "a=b", "login"}, argv: "codex|-c|a=b|login", plain: true},
		{name: "help of resume", flags: []string{"resume", "--help"}, argv: "codex|resume|--help", plain: true},
		{name: "another server", flags: []string{"--remote", "unix://"}, argv: "codex|--remote|unix://", plain: true},
		{name: "anew", anew: true, flags: []string{"resume", other, "-m", "x", "hi"}, argv: lone + "|-m|x"},
		{name: "anew after a fork", anew: true, flags: []string{"fork", other, "-m", "x", "hi"}, argv: lone + "|fork|" + other + "|-m|x"},
		{name: "anew after the latest", anew: true, flags: []string{"resume", "--last"}, argv: lone},
	})
}

func TestCodexResume(t *testing.T) {
	r := "codex|resume|" + string(preset) + "|-c|features.daemon_auto_start=false"
	checkResume(t, kind(t, "codex"), []launchCase{
		{name: "alone", argv: r},
		{
			name:  "flags stay, the message and its pictures go",
			flags: []string{"-m", "x", "--sandbox=read-only", "-C", "/d", "-i", "a.png", "b.png", "--search", "-c", "k=v", "fix it"},
			argv:  r + "|-m|x|--sandbox=read-only|-C|/d|--search|-c|k=v",
		},
		{name: "a former resume goes", flags: []string{"resume", "--last", "--all", "-mx", "hello"}, argv: r + "|-mx"},
		{name: "a former fork goes", flags: []string{"fork", other, "--no-alt-screen"}, argv: r + "|--no-alt-screen"},
		{name: "joined short", flags: []string{"-m=x", "-ck=v"}, argv: r + "|-m=x|-ck=v"},
	})
}

// TestCodexHookFlags reads the overrides as codex does: TOML values under dotted
// keys, and the hash of each definition as sorted JSON.
func TestCodexHookFlags(t *testing.T) {
	for _, program := range []string{"/state/bin/reprise", `/a "b"/\c/it's`, "/é/\t\x01<&>"} {
		hook := agent.HookCommand{Program: program, State: "/s", Nonce: "n"}
		got, err := kind(t, "codex").Launch(agent.LaunchInput{Hook: hook, Flags: []string{"-m", "x"}})
		if err != nil {
			t.Fatal(err)
		}
		var doc strings.Builder
		for i, a := range got.Argv[1 : len(got.Argv)-2] {
			if i%2 == 0 {
				if a != "-c" {
					t.Fatalf("argument %q", a)
				}
				continue
			}
			doc.WriteString(a + "\n")
		}
		var c struct{ Hooks map[string]any }
		if err := toml.Unmarshal([]byte(doc.String()), &c); err != nil {
			t.Fatalf("%v in\n%s", err, doc.String())
		}
		state := c.Hooks["state"].(map[string]any)
		keys := map[string]string{"SessionStart": "session_start", "UserPromptSubmit": "user_prompt_submit", "Stop": "stop", "PermissionRequest": "permission_request", "PostToolUse": "post_tool_use"}
		if len(state) != len(keys) || len(c.Hooks) != len(keys)+1 {
			t.Fatalf("hooks %v", c.Hooks)
		}
		for event, key := range keys {
			h := c.Hooks[event].([]any)[0].(map[string]any)["hooks"].([]any)[0].(map[string]any)
			if !strings.HasSuffix(h["command"].(string), " hook /s codex n "+event) {
				t.Errorf("command %q", h["command"])
			}
			h["async"] = false
			var b strings.Builder
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			if err := e.Encode(map[string]any{"event_name": key, "hooks": []any{h}}); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(strings.TrimSpace(b.String()))))
			entry := state["/<session-flags>/config.toml:"+key+":0:0"].(map[string]any)
			if entry["trusted_hash"] != want {
				t.Errorf("%s: hash %v, want %s of %s", event, entry["trusted_hash"], want, b.String())
			}
		}
	}
}

func TestCodexKeepsTheirHooks(t *testing.T) {
	for _, flags := range [][]string{
		{"-c", "hooks.Stop=[]"}, {"--config=hooks={}"}, {"-c", `"hooks".state={}`}, {"-chooks.Stop=[]"}, {"-c", " hooks . Stop=[]"},
	} {
		got, err := kind(t, "codex").Launch(agent.LaunchInput{Hook: hookCommand, Flags: flags})
		if err != nil {
			t.Fatal(err)
		}
		if want := lone + "|" + strings.Join(flags, "|"); strings.Join(got.Argv, "|") != want || got.Notice == "" {
			t.Errorf("%q: argv %q, notice %q", flags, got.Argv, got.Notice)
		}
	}
	for _, program := range []string{"/bad\xff", "/del\x7f"} {
		got, err := kind(t, "codex").Launch(agent.LaunchInput{Hook: agent.HookCommand{Program: program, State: "/s", Nonce: "n"}})
		if err != nil || strings.Join(got.Argv, "|") != lone || got.Notice == "" {
			t.Errorf("%q: argv %q, notice %q, %v", program, got.Argv, got.Notice, err)
		}
	}
}

func TestCodexHooks(t *testing.T) {
	checkHooks(t, kind(t, "codex"), []hookCase{
		{"SessionStart", `{"session_id":"` + other + `","source":"clear"}`, agent.HookFacts{What: agent.HookStart, Session: other, Reason: "clear"}},
		{"UserPromptSubmit", `{"session_id":"` + other + `"}`, agent.HookFacts{What: agent.HookPrompt, Session: other}},
		{"Stop", `{"session_id":"` + other + `"}`, agent.HookFacts{What: agent.HookStop, Session: other}},
		{"PermissionRequest", `{}`, agent.HookFacts{What: agent.HookAsk}},
		{"SessionEnd", `{"reason":"prompt_input_exit"}`, agent.HookFacts{What: agent.HookOther}},
	})
}

func TestCodexWorktree(t *testing.T) {
	home, tree := t.TempDir(), t.TempDir()
	day := filepath.Join(home, "sessions/2026/11/29")
	if err := os.MkdirAll(day, 0o700); err != nil {
		t.Fatal(err)
	}
	in := agent.LaunchInput{Session: preset, Flags: []string{"--worktree", "-m", "x"}, Home: home}
	for content, want := range map[string]string{
		`{"type":"session_meta","payload":{"cwd":"` + tree + `","id":"x"}}` + "\n{}": "|-C|" + tree,
		`{"payload":{"cwd":"` + tree + `/gone"}}`:                                    "",
		`{"payload":{"cwd":"."}}`:                                                    "",
		`{"payload":{"cwd":7}}`:                                                      "",
		`{`:                                                                          "",
	} {
		if err := os.WriteFile(filepath.Join(day, "rollout-1-"+string(preset)+".jsonl"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := kind(t, "codex").Resume(in)
		if want := "codex|resume|" + string(preset) + "|-c|features.daemon_auto_start=false|-m|x" + want; err != nil || strings.Join(got.Argv, "|") != want {
			t.Errorf("%s: %q, %v", content, got.Argv, err)
		}
	}
}
