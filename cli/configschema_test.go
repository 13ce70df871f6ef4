package cli

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/ui/theme"
)

// A setting's values are told to editors, to readers of the documentation and to the
// environment by the same words; what the setting itself takes must be that.
func TestSettingsTakeWhatTheySay(t *testing.T) {
	for _, s := range settings() {
		c := defaultConfig()
		takes := func(v any, want bool) {
			t.Helper()
			if err := s.set(&c, v); (err == nil) != want {
				t.Errorf("%s = %v: %v, want it taken: %v", s.key, v, err, want)
			}
		}
		switch {
		case s.most != 0:
			takes(int64(s.least), true)
			takes(int64(s.most), true)
			takes(int64(s.least)-1, false)
			takes(int64(s.most)+1, false)
		case s.words != nil:
			for _, w := range s.words {
				takes(w, true)
			}
			takes("no such word", false)
			takes(true, s.flag)
			takes(false, s.flag)
		case s.other == "" || s.schema == nil:
			t.Errorf("%s says nothing of its values", s.key)
		}
		takes([]any{}, s.schema["type"] == "array")
		if pattern, ok := s.schema["pattern"].(string); ok {
			d := defaultConfig()
			for _, v := range []string{s.get(&d).(string), "36h", "1d12h", "x", "7", "-1d"} {
				if matches := regexp.MustCompile(pattern).MatchString(v); matches != (s.set(&c, v) == nil) {
					t.Errorf("%s = %q: the schema says %v", s.key, v, matches)
				}
			}
		}
	}
}

func TestSchema(t *testing.T) {
	b, err := json.Marshal(schema())
	if err != nil {
		t.Fatal(err)
	}
	type object struct {
		Type        string
		Properties  map[string]*object
		Default     any
		Description string
		Enum        []any
		Pattern     map[string]*object `json:"patternProperties"`
		Open        any                `json:"additionalProperties"`
	}
	var root object
	if err := json.Unmarshal(b, &root); err != nil {
		t.Fatal(err)
	}
	at := func(key string) *object {
		o := &root
		for _, part := range strings.Split(key, ".") {
			if o.Open != false || o.Properties[part] == nil {
				t.Fatalf("the schema does not have %s", key)
			}
			o = o.Properties[part]
		}
		return o
	}
	c := defaultConfig()
	for _, s := range settings() {
		o := at(s.key)
		if o.Description != s.doc || o.Default == nil {
			t.Errorf("%s: %+v", s.key, o)
		}
		if v := s.get(&c); len(o.Enum) > 0 && !slices.Contains(o.Enum, v) {
			t.Errorf("%s: its default %v is none of %v", s.key, v, o.Enum)
		}
	}
	for key := range tables {
		at(key)
	}
	one := at("agents").Pattern[agentName().String()]
	var want []string
	for _, s := range agentSettings() {
		want = append(want, s.key)
	}
	if d := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(maps.Keys(one.Properties))); d != "" {
		t.Errorf("an agent's keys (-want +got):\n%s", d)
	}
}

func TestTheEnvironmentOverrides(t *testing.T) {
	c, _ := parseConfig([]byte("resume.mode = 'ask'\nui.theme = 'ink'\nscrollback = 5\n"))
	got, wrong := c.overlaid([]string{
		"REPRISE_RESUME_MODE=off", "REPRISE_SCROLLBACK=77", "REPRISE_UI_THEME={light = 'dusk', dark = 'contrast'}",
		"REPRISE_RESUME_PARALLEL=99", "REPRISE_UI_ASCII=", "REPRISE_KEYS_PREFIX=ctrl+a", "REPRISE_NONE=1", "REPRISE_RESUME_MAX_AGE=0", "REPRISE_UI_SCREEN_READER=1",
	}, themeFolder(t, map[string]string{"dusk": "text = '#123456'\n"}))
	want := c
	want.ResumeMode, want.Scrollback, want.Keys.Prefix, want.MaxAge, want.ScreenReader = "off", 77, "ctrl+a", 0, "on"
	want.Theme, want.Themes = themeNames{"contrast", "dusk"}, theme.Choice{Dark: always("contrast").Dark, Light: got.Themes.Light}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("config (-want +got):\n%s", d)
	}
	if got.Themes.Light.Name != "dusk" {
		t.Errorf("the light theme is %s", got.Themes.Light.Name)
	}
	if d := cmp.Diff([]string{"REPRISE_RESUME_PARALLEL takes a number from 1 to 32. It is not in force."}, wrong); d != "" {
		t.Errorf("what is wrong (-want +got):\n%s", d)
	}
	if _, wrong := c.overlaid([]string{"REPRISE_UI_THEME=nope"}, ""); len(wrong) != 1 || !strings.HasPrefix(wrong[0], "REPRISE_UI_THEME: there is no theme nope") {
		t.Errorf("no such theme: %q", wrong)
	}
	// Each setting has a variable of its own, and none that means something else.
	seen := map[string]string{}
	for _, taken := range []string{"HOME", "PANE", "TERMINAL", "PID", "HOOK", "NONCE", "READY_FD", "FAILPOINT"} {
		seen["REPRISE_"+taken] = "a variable of Reprise"
	}
	for _, s := range settings() {
		if other := seen[s.variable()]; other != "" {
			t.Errorf("%s overrides %s and %s", s.variable(), s.key, other)
		}
		seen[s.variable()] = s.key
	}
}
