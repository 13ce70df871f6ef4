package kinds_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// The machine's defaults are never looked for in the directory where an agent works:
// a cloned repository could bring them.
func TestDefaultsAreTheMachines(t *testing.T) {
	c := coder
	c.Hooks, c.Calls = "gemini-settings-file:MY_FILE", kinds.CustomCalls{Defaults: "MY_DEFAULTS"}
	if err := kinds.Check(c); err == nil || !strings.Contains(err.Error(), "hooks_defaults needs hooks_machine") {
		t.Errorf("defaults beside no file: %v", err)
	}
	c.Calls.Machine = "/nonexistent/settings.json"
	k := kind(t, "coder", c)
	for settings, want := range map[string]string{
		"":                       "MY_DEFAULTS=/nonexistent/system-defaults.json",
		"/elsewhere/mine.json":   "MY_DEFAULTS=/elsewhere/system-defaults.json",
		"nonexistent/mine.json":  "",
		"./nonexistent/own.json": "",
	} {
		got, err := k.Launch(agent.LaunchInput{Session: preset, Hook: folderHook("/s"), Env: []string{"MY_FILE=" + settings}})
		if err != nil || got.Notice != "" {
			t.Fatal(err, got.Notice)
		}
		at := slices.IndexFunc(got.Env, func(e string) bool { return strings.HasPrefix(e, "MY_DEFAULTS") })
		if set := at >= 0; set != (want != "") || set && got.Env[at] != want {
			t.Errorf("with %q: %q", settings, got.Env)
		}
	}
}

// A path that does not say where it begins is read as its program reads it: from the
// directory where it works.
func TestSettingsNamedFromTheDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.json"), []byte(`{"theirs":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := coder
	c.Hooks = "gemini-settings-file:MY_FILE"
	k := kind(t, "coder", c)
	for path, want := range map[string]bool{"mine.json": true, "./none/../mine.json": false, "none.json": false, filepath.Join(dir, "mine.json"): true} {
		got, err := k.Launch(agent.LaunchInput{Session: preset, Dir: dir, Hook: folderHook("/s"), Env: []string{"MY_FILE=" + path}})
		if err != nil || got.Notice != "" {
			t.Fatal(err, got.Notice)
		}
		if is := strings.Contains(written(t, got, "settings.json"), `"theirs":true`); is != want {
			t.Errorf("%s: their settings are taken over: %v", path, is)
		}
	}
}

// Settings that a session needs beside the hooks take none of ours away.
func TestAddedSettingsKeepOurHooks(t *testing.T) {
	c := coder
	c.Hooks = "gemini-settings-file:MY_FILE"
	c.Calls.Add = map[string]any{"hooks": map[string]any{
		"AfterAgent": []any{}, "SessionStart": []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "theirs"}}}},
	}}
	got, err := kind(t, "coder", c).Launch(agent.LaunchInput{Session: preset, Hook: folderHook("/s")})
	if err != nil || got.Notice != "" {
		t.Fatal(err, got.Notice)
	}
	var s struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal([]byte(written(t, got, "settings.json")), &s); err != nil {
		t.Fatal(err)
	}
	for event, n := range map[string]int{"AfterAgent": 1, "SessionStart": 2} {
		list := s.Hooks[event]
		if len(list) != n || !strings.HasSuffix(list[n-1].Hooks[0].Command, " coder n0 "+event) {
			t.Errorf("%s: %+v", event, list)
		}
	}
	c.Calls.Add = map[string]any{"hooks": "none"}
	got, err = kind(t, "coder", c).Launch(agent.LaunchInput{Session: preset, Hook: folderHook("/s")})
	if err != nil || got.Notice == "" || len(got.Files) > 0 {
		t.Errorf("hooks of another form: %+v, %v", got, err)
	}
}
