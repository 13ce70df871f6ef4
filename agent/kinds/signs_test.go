package kinds

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/panes"
)

// Titles as the real programs gave them, and others.
func TestTitles(t *testing.T) {
	reg, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind, title string
		want        agent.Doing
	}{
		{"claude", "✳ Claude Code", agent.Quiet},
		{"claude", "⠂ fake", agent.Working},
		{"claude", "⠐ fake", agent.Working},
		{"claude", "me@host: ~/w", ""},
		{"claude", "is it ✳ done?", ""},
		{"claude", "", ""},
		{"codex", "⠋ fake | proj", agent.Working},
		{"codex", "[ ! ] Action Required | fake | proj", agent.AsksPermission},
		{"codex", "[ . ] Action Required | fake | proj", agent.AsksPermission},
		{"codex", "fake | proj", ""},
		{"codex", "Action Required", ""},
		{"gemini", "✦  Working… (proj)   ", agent.Working},
		{"gemini", "✋  Action Required (proj)   ", agent.AsksPermission},
		{"gemini", "◇  Ready (proj)   ", agent.Idle},
		{"qwen", "Qwen - proj", ""},
	} {
		k, _ := reg.Kind(tt.kind)
		if got := k.(agent.Expressive).Title(tt.title); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.kind, tt.title, got, tt.want)
		}
	}
}

// Screens as the real programs drew them, and text that only says such things.
func TestScreens(t *testing.T) {
	reg, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	const claudeFoot = "────────\n❯ \n────────\n? for shortcuts · ← for agents"
	for _, tt := range []struct {
		name, kind, screen string
		want               agent.Doing
	}{
		{"permission", "claude", "Bash command\n\ntouch x\nmake\n\nDo you want to proceed?\n❯ 1. Yes\n2. Yes, and always allow access to x\n3. No\n\nEsc to cancel · Tab to amend · ctrl+e to explain", agent.AsksPermission},
		{"edit", "claude", "Do you want to make this edit to main.go?\n❯ 1. Yes\n2. No\n\nEsc to cancel · Tab to amend", agent.AsksPermission},
		{"works", "claude", "● \n\n· Dilly-dallying… (3s · ↓ 1 tokens)\n\n────────\n❯ \n────────\nesc to interrupt · ← for agents", agent.Working},
		{"idle", "claude", "● done\n" + claudeFoot, agent.Idle},
		{"prose that asks", "claude", "● Do you want to proceed?\n❯ 1. Yes\n2. No\nEsc to cancel\n" + claudeFoot, agent.Idle},
		{"prose of work", "claude", "● press esc to interrupt\nesc to interrupt\n" + claudeFoot, agent.Idle},
		{"a question at the foot", "claude", "● Shall I go on?\nDo you want to proceed?\n❯ 1. Yes", ""},
		{"a foot alone", "claude", "● text\nEsc to cancel", ""},
		{"foot first", "claude", "Esc to cancel\nDo you want to proceed?\n❯ 1. Yes", ""},
		{"nothing", "claude", "", ""},
		{"permission", "codex", "• Running touch x\n\nWould you like to run the following command?\n\nReason: may I\n\n$ touch x\n\n› 1. Yes, proceed (y)\n2. No (esc)\n\nPress enter to confirm or esc to cancel", agent.AsksPermission},
		{"prose that asks", "codex", "Would you like to run the following command?\n› 1. Yes, proceed (y)\nPress enter to confirm or esc to cancel\n› Ask Codex to do anything\n  fake-model default · ~/proj", ""},
		{"permission", "gemini", "╭──╮\n│ ? Shell  touch x  │\n│ Allow execution of [Shell]?  │\n│   │\n│ ● 1. Allow once  │\n│   2. Allow for this session │\n│   3. No, suggest changes (esc) │\n╰──╯", agent.AsksPermission},
		{"permission", "copilot", "╭──╮\n│ Do you want to run this command? │\n│  │\n│ ❯ 1. Yes │\n│   3. No │\n│ │\n│ ↑/↓ to navigate · enter to select · esc to cancel │\n╰──╯", agent.AsksPermission},
		{"works", "copilot", "● no\n────\n❯\n────\n ◎ Working · 3 B esc esc interrupt    fake-mod", agent.Working},
		{"works, later", "copilot", "● no\n────\n❯\n────\n ◉ Working esc esc edit prompt    fake-mod", agent.Working},
		{"interrupted", "copilot", "● no\n────\n❯ go on\n────\n Interactive · Manual Approval · @ files", ""},
		{"permission", "qwen", "│ Allow execution of: 'touch'? │\n│ › 1. Yes, allow once │\n╰──╯\n⠏ Waiting for user confirmation...", agent.AsksPermission},
		{
			"permission", "kimi", "● Running a command · $ touch x\n────\n▶ Run this command?\ncwd: /p\n$ touch x\n  1. Approve once\n▶ 2. Approve for this session\n  3. Reject\n↑/↓ select · 1/2/3/4 choose · ↵ confirm\n────\n fake-model thinking  ~/proj\n   context: 1% (20/256k)",
			agent.AsksPermission,
		},
		{"question", "kimi", "question\n? Which?\n→ [1] A\n  [2] B\n↑↓ select  1-3 / ↵ choose  ←/→/tab switch  esc cancel\n────\nfake-model thinking\ncontext: 1%", agent.AsksAnswer},
		{"prose that asks", "kimi", "▶ Run this command?\n→ [1] A\n↑↓ select \n↑/↓ select · 1/2/3/4 choose\n╭──╮\n│ > │\n╰──╯\nfake-model thinking\ncontext: 1%", ""},
		{"few rows", "kimi", "context: 1%", ""},
		{"no manifest", "amp", "Do you want to proceed?\n❯ 1. Yes\nEsc to cancel", ""},
	} {
		k, _ := reg.Kind(tt.kind)
		if got := k.(agent.Expressive).Screen(strings.Split(tt.screen, "\n")); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.kind, tt.name, got, tt.want)
		}
	}
}

// What claude writes down of its processes.
func TestClaudeWritesDownWhatItDoes(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := panes.ProcessID{PID: 4711, Start: 99}
	for file, want := range map[string]agent.Doing{
		`{"sessionId":"s","procStart":"99","status":"idle","updatedAt":1796030504586}`:                     agent.Idle,
		`{"procStart":"99","status":"busy","updatedAt":1796030504586}`:                                     agent.Working,
		`{"procStart":"99","status":"waiting","waitingFor":"permission prompt","updatedAt":1796030504586}`: agent.AsksPermission,
		`{"procStart":"99","status":"waiting","waitingFor":"dialog open","updatedAt":1796030504586}`:       agent.AsksAnswer,
		`{"procStart":"99","status":"rm -rf"}`:                                                             "",
		`{"procStart":"99"}`:                                                                               "",
		`{`:                                                                                                "",
		`{"status":"busy","updatedAt":1796030504586,"x":"` + strings.Repeat("x", 2<<20) + `"}`:             "",
	} {
		if err := os.WriteFile(filepath.Join(home, "sessions", "4711.json"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		got, since := claude().witnessed().(agent.Doer).Does(home, p)
		if got != want || want != "" && since.UnixMilli() != 1796030504586 {
			t.Errorf("%.80s: %q since %v, want %q", file, got, since, want)
		}
	}
	for _, at := range []string{"-9000000000000000000", "-1", "0", "253402300799999", "253402300800000", "9000000000000000000"} {
		file := `{"procStart":"99","status":"busy","updatedAt":` + at + `}`
		if err := os.WriteFile(filepath.Join(home, "sessions", "4711.json"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, since := claude().witnessed().(agent.Doer).Does(home, p); got != agent.Working || !since.IsZero() {
			t.Errorf("written at %s: %q since %v, want that the time is not known", at, got, since)
		}
	}
	if runtime.GOOS == "linux" {
		file := `{"procStart":"98","status":"busy","updatedAt":1796030504586}`
		if err := os.WriteFile(filepath.Join(home, "sessions", "4711.json"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := claude().witnessed().(agent.Doer).Does(home, p); got != "" {
			t.Errorf("a former process's word was taken: %q", got)
		}
	}
}

// A description's own titles and screens are told as the built-in ones are.
func TestCustomSigns(t *testing.T) {
	c := Custom{
		Name: "coder", Command: "coder",
		Titles:  []string{"working: ⠿ ", "quiet:* "},
		Screens: []string{"permission: Esc to cancel | Do you want to | ❯ 1. Yes"},
	}
	k, err := newCustom(c)
	if err != nil {
		t.Fatal(err)
	}
	if k.Title("⠹ build") != agent.Working || k.Title("* build") != agent.Quiet || k.Title("build") != "" {
		t.Errorf("titles: %q %q %q", k.Title("⠹ build"), k.Title("* build"), k.Title("build"))
	}
	if got := k.Screen([]string{"Do you want to go?", "❯ 1. Yes", "Esc to cancel"}); got != agent.AsksPermission {
		t.Errorf("screen: %q", got)
	}
	if got := k.Screen([]string{"Do you want to go?", "Esc to cancel"}); got != "" {
		t.Errorf("screen of another: %q", got)
	}
	c.Screens = []string{"permission+1: enter to choose | Allow"}
	if k, err = newCustom(c); err != nil {
		t.Fatal(err)
	}
	if got := k.Screen([]string{"Allow it?", "enter to choose", "model x", "context 1%"}); got != agent.AsksPermission {
		t.Errorf("screen with rows below: %q", got)
	}
	if got := k.Screen([]string{"Allow it?", "enter to choose", ">", "model x", "context 1%"}); got != "" {
		t.Errorf("screen with text above: %q", got)
	}
	c.Screens = []string{"answer: choose one|→ "}
	if k, err = newCustom(c); err != nil {
		t.Fatal(err)
	}
	if got := k.Screen([]string{"→ a", "choose one"}); got != agent.AsksAnswer {
		t.Errorf("a screen with a space at an end: %q", got)
	}
	if got := k.Screen([]string{"→", "choose one"}); got != "" {
		t.Errorf("a screen without the space at an end: %q", got)
	}
	for _, bad := range []Custom{
		{Titles: []string{"idle+1: x"}},
		{Screens: []string{"idle+0: x"}},
		{Screens: []string{"idle+10: x"}},
		{Screens: []string{"+1: x"}},
		{Titles: []string{"works: x"}},
		{Titles: []string{"working:"}},
		{Titles: []string{"working"}},
		{Screens: []string{"exited: x"}},
		{Screens: []string{"idle: x | "}},
		{Screens: []string{"idle: | x"}},
	} {
		bad.Name, bad.Command = "coder", "coder"
		if _, err := newCustom(bad); err == nil {
			t.Errorf("%q %q was taken", bad.Titles, bad.Screens)
		}
	}
}
