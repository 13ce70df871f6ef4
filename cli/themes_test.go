package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/ui/theme"
)

// always is a built-in theme for every background.
func always(name string) theme.Choice {
	t, ok := theme.ByName(name)
	if !ok {
		panic(name)
	}
	return theme.Always(t)
}

// themeFolder makes a folder of themes.
func themeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name+".toml"), text)
	}
	return dir
}

func TestThemesOfOnesOwn(t *testing.T) {
	bakelite, _ := theme.ByName("bakelite")
	for name, c := range map[string]struct {
		files  map[string]string
		config string
		want   func(dark, light *theme.Theme) // of what ink and paper would be
		wrong  []string
	}{
		"none": {config: "", want: func(*theme.Theme, *theme.Theme) {}},
		"a built-in one": {config: "ui.theme = 'bakelite'", want: func(d, l *theme.Theme) {
			*d, *l = bakelite, bakelite
		}},
		"a pair": {config: "ui.theme = {light = 'bakelite'}", want: func(_, l *theme.Theme) { *l = bakelite }},
		"one that changes some of its base": {
			files:  map[string]string{"dusk": "base = 'bakelite'\nmuted = '#a0a0A0'\nerr = {rgb = '#ff0000', palette = 196, ansi = 9}\nrule = {ansi = 'default'}\nbackground = '#101010'\n"},
			config: "ui.theme = {dark = 'dusk'}",
			want: func(d, _ *theme.Theme) {
				*d = bakelite
				d.Name, d.Background = "dusk", 0x101010
				d.Choose(theme.Muted, theme.Value{RGB: 0xa0a0a0, Palette: 247, ANSI: bakelite.Tokens[theme.Muted].ANSI})
				d.Choose(theme.Err, theme.Value{RGB: 0xff0000, Palette: 196, ANSI: 9})
				rule := bakelite.Tokens[theme.Rule]
				rule.ANSI = theme.Default16
				d.Choose(theme.Rule, rule)
			},
		},
		"one that is based on another": {
			files:  map[string]string{"a": "base = 'b'\n", "b": "bar = '#000000'\n"},
			config: "ui.theme = {dark = 'a'}",
			want: func(d, _ *theme.Theme) {
				d.Name = "a"
				d.Choose(theme.Bar, theme.Value{RGB: 0, Palette: 16, ANSI: theme.Default16})
			},
		},
		"what is wrong is named, the rest is in force": {
			files:  map[string]string{"a": "txt = '#000000'\nmuted = 'grey'\nbase = 'a'\nerr = {palette = 3}\nsel = {ansi = 16}\nbar = {hue = 1}\nbackground = 1\nhit = '#000000'\n"},
			config: "[ui]\ntheme = {dark = 'a'}",
			want: func(d, _ *theme.Theme) {
				d.Name = "a"
				d.Choose(theme.Hit, theme.Value{RGB: 0, Palette: 16, ANSI: theme.Default16})
			},
			wrong: []string{
				"themes/a.toml line 1: unknown key txt, did you mean text? The rest is in force.",
				`themes/a.toml line 2: muted takes a colour such as "#7db7f0", or {rgb = "#7db7f0", palette = 111, ansi = 6}. The rest is in force.`,
				"themes/a.toml line 3: base: theme a is based on itself. The rest is in force.",
				"themes/a.toml line 4: err takes a palette entry from 16 to 255: those before are another colour in each terminal. The rest is in force.",
				`themes/a.toml line 5: sel takes an ANSI colour from 0 to 15, or "default". The rest is in force.`,
				`themes/a.toml line 6: bar takes a colour such as "#7db7f0", or {rgb = "#7db7f0", palette = 111, ansi = 6}. The rest is in force.`,
				`themes/a.toml line 7: background takes a colour such as "#13161b". The rest is in force.`,
			},
		},
		"one that is not there": {
			files:  map[string]string{"dusk": ""},
			config: "[ui]\ntheme = 'dsk'",
			want:   func(*theme.Theme, *theme.Theme) {},
			wrong:  []string{"config.toml line 2: ui.theme: there is no theme dsk, did you mean dusk? The rest is in force."},
		},
		"no name": {
			config: "[ui]\ntheme = '../x'\n", want: func(*theme.Theme, *theme.Theme) {},
			wrong: []string{"config.toml line 2: ui.theme " + themeTakes + ". The rest is in force."},
		},
		"no TOML": {
			files: map[string]string{"a": "text = \n"}, config: "ui.theme = {dark = 'a'}",
			want:  func(d, _ *theme.Theme) { d.Name = "a" },
			wrong: []string{"themes/a.toml line 1: incomplete number. None of the file is in force."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := decodeConfig([]byte(c.config), themeFolder(t, c.files))
			if err != nil {
				t.Fatal(err)
			}
			dark, light := theme.Ink(), always("paper").Light
			c.want(&dark, &light)
			got := r.c.Themes
			if got.Dark.Name == "" {
				got.Dark = theme.Ink()
			}
			if got.Light.Name == "" {
				got.Light = always("paper").Light
			}
			if d := cmp.Diff(theme.Choice{Dark: dark, Light: light}, got); d != "" {
				t.Errorf("themes (-want +got):\n%s", d)
			}
			said := r.said()
			if name == "no TOML" && len(said) == 1 && strings.HasPrefix(said[0], "themes/a.toml line 1: ") && strings.HasSuffix(said[0], ". None of the file is in force.") {
				return // the words between are the parser's
			}
			if d := cmp.Diff(c.wrong, said); d != "" {
				t.Errorf("what is wrong (-want +got):\n%s", d)
			}
		})
	}
}

// A theme is followed as config.toml is: when it is written, when it is wrong, and
// when it comes or goes.
func TestThemesAreFollowed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "themes"), 0o700); err != nil {
		t.Fatal(err)
	}
	path, own := filepath.Join(dir, "config.toml"), filepath.Join(dir, "themes", "dusk.toml")
	write(t, path, "ui.theme = 'dusk'\n")
	l := &liveConfig{path: path}
	_, wrong, again := l.client([]string{"REPRISE_UI_ASCII=on"})
	if len(wrong) != 1 || !strings.Contains(wrong[0], "there is no theme dusk") {
		t.Errorf("without the file: %q", wrong)
	}
	write(t, own, "text = '#ffffff'\n")
	r := again(t.Context(), false)
	if !r.Changed || r.Settings.Theme.Dark.Tokens[theme.Text].RGB != 0xffffff || r.Notices != nil || !r.Settings.ASCII {
		t.Errorf("the theme came: %+v", r)
	}
	write(t, own, "text = '#eeeeee'\nmuted = 3\n")
	if r := again(t.Context(), false); !r.Changed || r.Settings.Theme.Dark.Tokens[theme.Text].RGB != 0xeeeeee || len(r.Notices) != 1 {
		t.Errorf("the theme changed: %+v", r)
	}
	if r := again(t.Context(), false); r.Changed {
		t.Errorf("nothing changed: %+v", r)
	}
	if r.Settings.Said("words") || !r.Settings.Said("words") {
		t.Error("what was said is not remembered")
	}
	for n := range 3 * maxSaid {
		r.Settings.Said(strings.Repeat("x", n+1))
	}
	if len(l.words) > maxSaid {
		t.Errorf("%d sentences are remembered", len(l.words))
	}
}

func FuzzTheme(f *testing.F) {
	for _, s := range []string{"", "text = '#ffffff'", "base = 'x'", "err = {rgb = 1}", "a.b = 1", "hit = {ansi = -2}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		files := themeFiles{}
		got := files.decode(b, "x", "themes/x.toml")
		for _, v := range got.Tokens {
			if v.RGB > 0xffffff || v.Palette < 16 || v.ANSI < theme.Default16 || v.ANSI > 15 {
				t.Errorf("%q gives %+v", b, v)
			}
		}
		for _, w := range files.wrong {
			if !strings.HasPrefix(w, "themes/x.toml") {
				t.Errorf("%q is told as %q", b, w)
			}
		}
	})
}
