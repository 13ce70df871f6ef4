package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent/kinds"
)

func TestParseConfig(t *testing.T) {
	with := func(change func(*config)) config {
		c := defaultConfig()
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		text  string
		want  config
		wrong []string
	}{
		"empty": {text: "", want: defaultConfig()},
		"all of it": {
			text: "after_exit = 'hold'\n[resume]\nmode = 'ask'\nscope = 'all'\nparallel = 5\nmax_age = '1d12h'\n[ui]\ntheme = 'paper'\nascii = 'on'\n",
			want: with(func(c *config) {
				c.AfterExit, c.ResumeMode, c.ResumeScope, c.Parallel = "hold", "ask", "all", 5
				c.MaxAge, c.Theme, c.Themes, c.ASCII = 36*time.Hour, themeNames{"paper", "paper"}, always("paper"), "on"
			}),
		},
		"dotted keys": {text: "resume.mode = 'off'\n", want: with(func(c *config) { c.ResumeMode = "off" })},
		"an unknown key is named and the rest applies": {
			text:  "# mine\nresume.mod = 'ask'\nafter_exit = 'hold'\n",
			want:  with(func(c *config) { c.AfterExit = "hold" }),
			wrong: []string{"config.toml line 2: unknown key resume.mod, did you mean resume.mode? The rest is in force."},
		},
		"an unknown table": {
			text:  "\n[colours]\nbg = 1\n",
			want:  defaultConfig(),
			wrong: []string{"config.toml line 2: unknown key colours. The rest is in force."},
		},
		"bad values are named, the rest applies": {
			text: "[resume]\nmode = 'sometimes'\nparallel = 0\nmax_age = 7\nscope = 'all'\n",
			want: with(func(c *config) { c.ResumeScope = "all" }),
			wrong: []string{
				`config.toml line 2: resume.mode takes "auto", "ask" or "off". The rest is in force.`,
				"config.toml line 3: resume.parallel takes a number from 1 to 32. The rest is in force.",
				`config.toml line 4: resume.max_age takes an age such as "7d" or "36h". The rest is in force.`,
			},
		},
		"an agent": {
			text: "[agents.mine]\ncommand = '/opt/mine'\nnew_args = ['--id', '{session_id}']\nresume_args = ['--resume', '{session_id}']\nenv = {B = '2', A = '1'}\nprocesses = 2\n" +
				"fork_args = ['--copy', '{session_id}']\nlatest = ['--last']\nonce = ['--say TEXT']\nkeep_words = 'on'\n[agents.other]\ncommand = 'other'\nkeep_words = false\n" +
				"[agents.wrong]\ncommand = 'wrong'\nkeep_words = ['on']\n",
			want: with(func(c *config) {
				c.Agents = []kinds.Custom{{
					Name: "mine", Command: "/opt/mine", NewArgs: []string{"--id", "{session_id}"},
					ResumeArgs: []string{"--resume", "{session_id}"}, Env: []string{"A=1", "B=2"}, Processes: 2,
					ForkArgs: []string{"--copy", "{session_id}"}, Latest: []string{"--last"}, Once: []string{"--say TEXT"}, KeepWords: true,
				}, {Name: "other", Command: "other"}}
			}),
			wrong: []string{`config.toml line 16: agents.wrong.keep_words takes "on" or "off"; this agent is left out. The rest is in force.`},
		},
		"what an agent's hooks mean": {
			text: "[agents.mine]\ncommand = 'mine'\nformat = 'claude'\nunlisted = 'drop'\nhooks = 'gemini-settings-file:MINE'\nhooks_add = {a = {b = [1, 2.5, true, 'x']}}\n" +
				"events.Stop = 'stop'\nevents.Ask = {what = 'ask', reason = 'why', when = {why = {question = 'answer'}}}\n" +
				"[agents.b]\ncommand = 'b'\nevents = {Stop = 1}\n[agents.c]\ncommand = 'c'\nevents.Stop = {what = 'stop', whose = 'x'}\n" +
				"[agents.d]\ncommand = 'd'\nhooks_add = {a = nan}\n[agents.e]\ncommand = 'e'\nformat = 'word'\nevents = 'Stop'\n" +
				"[agents.f]\ncommand = 'f'\nevents.Stop = {what = 'stop', when = {why = 'x'}}\n" +
				"[agents.g]\ncommand = 'g'\nresume_args = ['x']\n[agents.g2]\ncommand = 'g'\nevents.'A;B' = 'stop'\n[agents.codex]\ncommand = 'x'\n",
			want: with(func(c *config) {
				c.Agents = []kinds.Custom{{
					Name: "mine", Command: "mine", Store: kinds.CustomStore{Format: "claude"}, Roles: kinds.CustomRoles{Unlisted: "drop"}, Hooks: "gemini-settings-file:MINE",
					Calls: kinds.CustomCalls{
						Add: map[string]any{"a": map[string]any{"b": []any{int64(1), 2.5, true, "x"}}},
						Events: map[string]kinds.CustomEvent{
							"Stop": {What: "stop"}, "Ask": {What: "ask", Reason: "why", When: map[string]map[string]string{"why": {"question": "answer"}}},
						},
					},
				}}
			}),
			wrong: []string{
				`config.toml line 11: agents.b.events of Stop takes a text such as "start", or a table; this agent is left out. The rest is in force.`,
				"config.toml line 14: agents.c.events of Stop takes no whose: what, reason, certain and when are its keys; this agent is left out. The rest is in force.",
				"config.toml line 17: agents.d.hooks_add takes a table of texts, numbers, booleans, lists and tables; this agent is left out. The rest is in force.",
				"config.toml line 20: agents.e.format takes " + orList(formats()) + "; this agent is left out. The rest is in force.",
				`config.toml line 21: agents.e.events takes a table: SessionStart = "start"; this agent is left out. The rest is in force.`,
				`config.toml line 24: agents.f.events of Stop when.why takes a table: {Ask = "answer"}; this agent is left out. The rest is in force.`,
				"config.toml line 27: agents.g: resume_args must contain {session_id}; this agent is left out. The rest is in force.",
				`config.toml line 30: agents.g2: events: "A;B" is no event: its name is letters, digits, _ - and ., at most 64; this agent is left out. The rest is in force.`,
				"config.toml line 31: agents.codex: the name is taken; choose another; this agent is left out. The rest is in force.",
			},
		},
		"a wrong agent is left out whole": {
			text: "[agents.a]\ncommand = 'a'\nnew_args = 'x'\n[agents.b]\ncommand = 'b'\nbackground = 1\n[agents.c]\nlabel = 'c'\n[agents.D]\ncommand = 'd'\n",
			want: with(func(c *config) { c.Agents = []kinds.Custom{{Name: "b", Command: "b"}} }),
			wrong: []string{
				"config.toml line 3: agents.a.new_args takes a list of texts; this agent is left out. The rest is in force.",
				"config.toml line 6: unknown key agents.b.background. The rest is in force.",
				"config.toml line 7: agents.c has no command; this agent is left out. The rest is in force.",
				"config.toml line 9: an agent is a table [agents.NAME] with a name of a-z, 0-9 and -. The rest is in force.",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, wrong := parseConfig([]byte(c.text))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("config (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.wrong, wrong); d != "" {
				t.Errorf("what is wrong (-want +got):\n%s", d)
			}
		})
	}
}

func TestParseConfigSyntaxError(t *testing.T) {
	got, wrong := parseConfig([]byte("after_exit = 'hold'\nresume = [\n"))
	if d := cmp.Diff(defaultConfig(), got); d != "" {
		t.Errorf("a broken file applies: %s", d)
	}
	if len(wrong) != 1 || !strings.Contains(wrong[0], "line ") || !strings.HasSuffix(wrong[0], "None of the file is in force.") {
		t.Errorf("told %q", wrong)
	}
}

func TestLoadConfigFiles(t *testing.T) {
	dir := t.TempDir()
	if _, wrong := loadConfig(filepath.Join(dir, "none.toml")); wrong != nil {
		t.Errorf("a missing file is wrong: %q", wrong)
	}
	big := filepath.Join(dir, "big.toml")
	if err := os.WriteFile(big, []byte(strings.Repeat("#", maxConfig+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{big, dir} { // a directory cannot be read as a file
		c, wrong := loadConfig(path)
		if len(wrong) != 1 {
			t.Errorf("%s: told %q", path, wrong)
		}
		if d := cmp.Diff(defaultConfig(), c); d != "" {
			t.Errorf("%s applies: %s", path, d)
		}
	}
}

// Every setting must be in the documentation.
func TestSettingsDocumented(t *testing.T) {
	b, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings() {
		if !strings.Contains(string(b), "`"+s.key+"`") {
			t.Errorf("docs/config.md does not tell of %s", s.key)
		}
	}
	if b, err = os.ReadFile("../docs/custom-agents.md"); err != nil {
		t.Fatal(err)
	}
	for _, s := range agentSettings() {
		if !strings.Contains(string(b), "`"+s.key+"`") {
			t.Errorf("docs/custom-agents.md does not tell of %s", s.key)
		}
	}
}

func TestParseAge(t *testing.T) {
	for s, want := range map[string]time.Duration{"0": 0, "7d": 168 * time.Hour, "1d1h": 25 * time.Hour, "90m": 90 * time.Minute, "0d": 0} {
		if got, err := parseAge(s); err != nil || got != want {
			t.Errorf("parseAge(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "d", "x", "-1d", "-3h", "1.5d", "7 d", "99999999d", "1d-2h"} {
		if got, err := parseAge(s); err == nil {
			t.Errorf("parseAge(%q) = %v, want an error", s, got)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{"", "a", "[resume]\nmode='ask'", "[agents.x]\ncommand='x'\nenv={A='1'}", "a.b.c=1", "[[agents]]\nx=1", "agents=3"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, wrong := parseConfig(b)
		if c.Parallel < 1 || c.Parallel > 32 || !slices.Contains([]string{"auto", "ask", "off"}, c.ResumeMode) {
			t.Errorf("%q gives %+v", b, c)
		}
		for _, w := range wrong {
			if !strings.HasPrefix(w, "config.toml") {
				t.Errorf("%q is told as %q", b, w)
			}
		}
	})
}

func TestNearest(t *testing.T) {
	among := []string{"claude", "codex", "resume.mode"}
	for word, want := range map[string]string{"clade": "claude", "codx": "codex", "resume.mod": "resume.mode", "vim": "", "": ""} {
		if got := nearest(word, among); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
