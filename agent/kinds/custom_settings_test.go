package kinds_test

import (
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
