package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/agent/kinds"
	"reprise/ui"
	"reprise/ui/theme"
)

func TestKeysInTheConfig(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		want  ui.KeySettings
		wrong []string
	}{
		"none": {want: ui.KeySettings{Prefix: "ctrl+b", Preset: "tmux", Copy: "vi"}},
		"all of it": {
			text: "[keys]\nprefix = 'ctrl+a'\npreset = 'alt'\ncopy = 'emacs'\n[keys.bind]\n'prefix v' = 'split-right'\n'alt+x' = 'close'\n'prefix x' = ''\n",
			want: ui.KeySettings{Prefix: "ctrl+a", Preset: "alt", Copy: "emacs", Binds: []ui.Bind{{Key: "prefix v", Action: "split-right"}, {Key: "alt+x", Action: "close"}, {Key: "prefix x"}}},
		},
		"what is wrong is named with its line": {
			text: "[keys]\nprefix = 'ctrl+'\npreset = 'screen'\nbinds = 1\n[keys.bind]\n'prefix v' = 'split-rihgt'\n'prefix pgupp' = 'zoom'\n'x' = 'close'\n'prefix .' = 3\n'alt+v' = 'zoom'\n'prefix w' = 'do it all'\n",
			want: ui.KeySettings{Prefix: "ctrl+b", Preset: "tmux", Copy: "vi", Binds: []ui.Bind{
				{Key: "prefix v", Action: "split-rihgt"}, {Key: "prefix pgupp", Action: "zoom"}, {Key: "x", Action: "close"}, {Key: "alt+v", Action: "zoom"}, {Key: "prefix w", Action: "do it all"},
			}},
			wrong: []string{
				`config.toml line 2: keys.prefix takes a key such as "ctrl+b", and "ctrl+" names none. The rest is in force.`,
				`config.toml line 3: keys.preset takes "tmux" or "alt". The rest is in force.`,
				"config.toml line 4: unknown key keys.binds, did you mean keys.bind? The rest is in force.",
				`config.toml line 6: keys.bind "prefix v": unknown action split-rihgt, did you mean split-right? The rest is in force.`,
				`config.toml line 7: keys.bind "prefix pgupp": "pgupp" names no key. The rest is in force.`,
				`config.toml line 8: keys.bind "x": is a key that programs need: put prefix before it, or a modifier. The rest is in force.`,
				`config.toml line 9: keys.bind "prefix ." takes an action's name, or "" for none. The rest is in force.`,
				`config.toml line 11: keys.bind "prefix w": unknown action do it all. The rest is in force.`,
			},
		},
		"of two names of one key the first is in force": {
			text:  "[keys.bind]\n'prefix pageup' = 'zoom'\n'prefix pgup' = 'close'\n",
			want:  ui.KeySettings{Prefix: "ctrl+b", Preset: "tmux", Copy: "vi", Binds: []ui.Bind{{Key: "prefix pageup", Action: "zoom"}, {Key: "prefix pgup", Action: "close"}}},
			wrong: []string{`config.toml line 3: keys.bind "prefix pgup": is the same key as prefix pageup. The rest is in force.`},
		},
		"no table": {
			text:  "keys = {bind = ['x']}\n",
			want:  ui.KeySettings{Prefix: "ctrl+b", Preset: "tmux", Copy: "vi"},
			wrong: []string{"config.toml line 1: keys.bind takes a table of keys and actions. The rest is in force."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, wrong := parseConfig([]byte(c.text))
			if d := cmp.Diff(c.want, got.Keys); d != "" {
				t.Errorf("keys (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.wrong, wrong); d != "" {
				t.Errorf("what is wrong (-want +got):\n%s", d)
			}
		})
	}
}

// What is shown is a config.toml that sets the same, keys that were taken away and
// agents too; what init writes sets the defaults, line by line.
func TestConfigText(t *testing.T) {
	mine := defaultConfig()
	mine.Theme, mine.Themes.Light = themeNames{autoTheme, "bakelite"}, always("bakelite").Light
	mine.Parallel, mine.MaxAge, mine.Clipboard = 7, 36*60*60e9, "write"
	mine.Keys = ui.KeySettings{Prefix: "ctrl+a", Preset: "alt", Copy: "emacs", Binds: []ui.Bind{{Key: `prefix \`, Action: "zoom"}, {Key: "prefix '", Action: "close"}, {Key: "prefix x"}, {Key: "alt+x"}}}
	mine.Agents = []kinds.Custom{{
		Name: "mine", Command: `/opt/a "b'\c`, Label: "m", NewArgs: []string{"--id", "{session_id}"}, ResumeArgs: []string{"-r", "a\tb", "{session_id}"},
		Env: []string{"A=1", "B=x=y"}, Processes: 2, Programs: []string{"p"}, Options: []string{"--yolo"}, Transcript: "/t/{session_id}", HomeEnv: "H",
		Commands: []string{"mcp"}, Hooks: "claude-settings-file:X",
	}, {Name: "other", Command: "o"}}
	uncommented := regexp.MustCompile(`(?m)^# (\S+|'[^']*'|"[^"]*") = `)
	for name, c := range map[string]struct {
		of   config
		text string
	}{
		"the defaults":           {defaultConfig(), ptr(defaultConfig()).text(false)},
		"one's own":              {mine, mine.text(false)},
		"what init writes":       {defaultConfig(), ptr(defaultConfig()).text(true)},
		"without comment signs":  {defaultConfig(), uncommented.ReplaceAllString(ptr(defaultConfig()).text(true), "$1 = ")},
		"shown of what is shown": {mine, ptr(parsed(t, mine.text(false))).text(false)},
	} {
		t.Run(name, func(t *testing.T) {
			got := parsed(t, c.text)
			if d := cmp.Diff(c.of.binds(), got.binds()); d != "" {
				t.Errorf("keys (-want +got):\n%s", d)
			}
			want := c.of
			want.Keys.Binds, got.Keys.Binds = nil, nil
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("config (-want +got):\n%s\nof\n%s", d, c.text)
			}
		})
	}
	if text := uncommented.ReplaceAllString(ptr(defaultConfig()).text(true), "$1 = "); strings.Count(text, "\n# ") > len(settings())+10 {
		t.Errorf("some of what init writes is not a setting:\n%s", text)
	}
}

func ptr(c config) *config { return &c }

func parsed(t *testing.T, text string) config {
	t.Helper()
	c, wrong := parseConfig([]byte(text))
	if len(wrong) > 0 {
		t.Errorf("%q of\n%s", wrong, text)
	}
	return c
}

// docs/config.md, the defaults, the values and the table of settings say the same.
func TestSettingsAreDocumentedWithTheirDefaults(t *testing.T) {
	b, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\| (.+?) \\| `([^|]+)` \\| (.+) \\|$").FindAllStringSubmatch(string(b), -1)
	want, got := map[string]string{}, map[string]string{}
	c := defaultConfig()
	for _, s := range settings() {
		want[s.key] = s.markdown() + ", default " + tomlText(s.get(&c))
	}
	for _, row := range rows {
		got[row[1]] = row[2] + ", default " + row[3]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("docs/config.md tells other values or defaults (-code +docs):\n%s", d)
	}
}

func TestConfigCommand(t *testing.T) {
	home := t.TempDir()
	t.Setenv("REPRISE_HOME", home)
	path := filepath.Join(home, "config", "config.toml")
	run := func(args ...string) (out string, err error) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		cmd := configCommand()
		cmd.SetArgs(args)
		cmd.SetOut(&stdout)
		cmd.SetErr(&stderr)
		cmd.SilenceErrors = true
		err = cmd.ExecuteContext(context.Background())
		return stdout.String() + stderr.String(), err
	}
	must := func(want string, args ...string) {
		t.Helper()
		if out, err := run(args...); err != nil || !strings.Contains(out, want) {
			t.Errorf("config %q: %q, %v; want %q", args, out, err, want)
		}
	}
	must(path+"\n", "path")
	must("there is no "+path, "check")
	must("prefix = \"ctrl+b\"  # default\n", "show")
	must(path+"\n", "init")
	first, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(first), "# Settings of Reprise.") {
		t.Fatalf("init wrote %q, %v", first, err)
	}
	if out, err := run("init"); err == nil || !strings.Contains(err.Error(), "stays as it is") {
		t.Errorf("a second init: %q, %v", out, err)
	}
	must("nothing is wrong in "+path, "check")
	write(t, path, "[keys]\nprefix = 'ctrl+a'\n[keys.bind]\n'prefix v' = 'splt'\n[agents.a]\ncommand = 'a'\nprocesses = 99\n")
	out, err := run("check")
	var status exitError
	if !errors.As(err, &status) || status != 1 {
		t.Errorf("check of a bad file: %v", err)
	}
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "line 4: ") || !strings.Contains(lines[1], "line 7: ") {
		t.Errorf("check says %q", out)
	}
	must("prefix = \"ctrl+a\"  # config.toml line 2\n", "show")
	t.Setenv("REPRISE_KEYS_PREFIX", "ctrl+x")
	must("prefix = \"ctrl+x\"  # REPRISE_KEYS_PREFIX\n", "show")
	t.Setenv("REPRISE_KEYS_PREFIX", "ctrl")
	must("prefix = \"ctrl+a\"  # config.toml line 2\n", "show")
	must("REPRISE_KEYS_PREFIX takes a key", "show")
	t.Setenv("REPRISE_KEYS_PREFIX", "")
	must("bakelite  dark   contrast", "themes")
	must(`"title": "config.toml of Reprise"`, "schema")
	must("unknown action splt", "show")
	must("prefix = \"ctrl+b\"\n", "show", "--defaults")
	write(t, path, "[keys\n")
	if out, err := run("check"); err == nil || !strings.Contains(out, "None of the file is in force.") {
		t.Errorf("check of no TOML: %q, %v", out, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := run("check"); err == nil || !strings.Contains(out, "is not a file") {
		t.Errorf("check of a folder: %q, %v", out, err)
	}
	if _, err := run(); err == nil {
		t.Error("config alone says nothing")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	// Another file each time: times of files may be coarse.
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func TestTheConfigIsFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	l := &liveConfig{path: path}
	_, wrong, again := l.client(nil)
	if wrong != nil {
		t.Errorf("without a file %q is wrong", wrong)
	}
	if r := again(t.Context(), false); r.Changed || r.Notices != nil {
		t.Errorf("nothing changed: %+v", r)
	}
	write(t, path, "ui.theme = 'paper'\n")
	r := again(t.Context(), false)
	if !r.Changed || r.Settings.Theme != always("paper") || r.Notices != nil {
		t.Errorf("the file came: %+v", r)
	}
	if r := again(t.Context(), false); r.Changed {
		t.Errorf("nothing changed since: %+v", r)
	}
	if r := again(t.Context(), true); !r.Changed || len(r.Notices) != 1 {
		t.Errorf("asked for: %+v", r)
	}
	write(t, path, "ui.theme = 'ink'\nui.ascii = 'maybe'\n")
	// Another client sees it first, and is told; this one is told too.
	_, wrong, other := l.client(nil)
	if len(wrong) != 1 {
		t.Errorf("the first who sees it is told %q", wrong)
	}
	if _, wrong, _ := l.client(nil); wrong != nil {
		t.Errorf("who comes later is told %q", wrong)
	}
	if r := again(t.Context(), false); !r.Changed || r.Settings.Theme != always("ink") || len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "line 2") {
		t.Errorf("a fault in it: %+v", r)
	}
	if r := other(t.Context(), false); r.Changed {
		t.Errorf("who came after that: %+v", r)
	}
	write(t, path, "ui.theme = \n")
	if r := again(t.Context(), false); r.Settings.Theme != always("ink") || len(r.Notices) != 1 || !strings.HasSuffix(r.Notices[0], "What was in force before stays.") {
		t.Errorf("no TOML: %+v", r)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if r := again(t.Context(), false); !r.Changed || r.Settings.Theme != (theme.Choice{}) || r.Notices != nil {
		t.Errorf("the file went: %+v", r)
	}
}

func TestAges(t *testing.T) {
	for _, text := range []string{"0", "7d", "1d12h0m0s", "36h0m0s", "90m0s", "1h30m0s", "2d"} {
		d, err := parseAge(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parseAge(ageText(d)); err != nil || again != d {
			t.Errorf("%s is written as %q: %v, %v", text, ageText(d), again, err)
		}
	}
}
