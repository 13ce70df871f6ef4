package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"reprise/ui/theme"
)

// autoTheme is ink on a dark background and paper on a light one.
const autoTheme = "auto"

// themeNames are the themes for a dark background and a light one.
type themeNames struct{ Dark, Light string }

// themeName is what a theme may be called: its file is NAME.toml.
var themeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`) })

// maxThemes bounds the folder of themes: files beyond that are not looked at.
const maxThemes = 256

// themesOf is the folder of a person's own themes, beside config.toml.
func themesOf(config string) string { return filepath.Join(filepath.Dir(config), "themes") }

const themeTakes = `takes "auto", the name of a theme, or a pair such as {light = "paper", dark = "bakelite"}`

// setTheme reads ui.theme. Whether there is such a theme is found out afterwards.
func setTheme(c *config, v any) error {
	switch v := v.(type) {
	case string:
		if !themeName().MatchString(v) {
			return errors.New(themeTakes)
		}
		c.Theme = themeNames{v, v}
		return nil
	case map[string]any:
		names := themeNames{autoTheme, autoTheme}
		for key, one := range v {
			name, _ := one.(string)
			to := map[string]*string{"dark": &names.Dark, "light": &names.Light}[key]
			if to == nil || !themeName().MatchString(name) {
				return errors.New(themeTakes)
			}
			*to = name
		}
		c.Theme = names
		return nil
	}
	return errors.New(themeTakes)
}

func getTheme(c *config) any {
	if c.Theme.Dark == c.Theme.Light {
		return c.Theme.Dark
	}
	return environ{"light=" + c.Theme.Light, "dark=" + c.Theme.Dark}
}

func themeSchema() map[string]any {
	name := map[string]any{"type": "string", "pattern": themeName().String(), "examples": append([]string{autoTheme}, theme.Names()...)}
	return map[string]any{"anyOf": []any{name, map[string]any{
		"type": "object", "additionalProperties": false, "properties": map[string]any{"light": name, "dark": name},
	}}}
}

// findThemes finds what ui.theme names. A theme that there is not leaves the choice to
// the background.
func (r *reading) findThemes(folder string) {
	f := themeFiles{folder: folder}
	missing := f.choose(r.c)
	for _, words := range missing {
		r.fault("ui.theme", "%s", words)
	}
	r.themes = append(r.themes, f.wrong...)
}

// themeFiles reads themes of a person's own.
type themeFiles struct {
	folder string   // "": there are none
	wrong  []string // in files, one sentence each
	under  []string // way: those that are being read, each based on the next
}

// choose sets the themes that a config names, and says which of them there are not.
func (f *themeFiles) choose(c *config) (missing []string) {
	c.Themes = theme.Choice{}
	find := func(name string) (t theme.Theme) {
		if name == autoTheme {
			return t
		}
		t, missed := f.load(name)
		if missed != "" {
			missing = append(missing, "ui.theme: "+missed)
		}
		return t
	}
	if c.Themes.Dark = find(c.Theme.Dark); c.Theme.Light == c.Theme.Dark {
		c.Themes.Light = c.Themes.Dark
		return missing
	}
	c.Themes.Light = find(c.Theme.Light)
	return missing
}

// names lists the themes of the folder.
func (f *themeFiles) names() (all []string) {
	if f.folder == "" {
		return nil
	}
	entries, _ := os.ReadDir(f.folder)
	for _, e := range entries[:min(len(entries), maxThemes)] {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			all = append(all, name)
		}
	}
	return all
}

// load finds a theme by its name: a built-in one, or one of the folder. missed says
// that there is none, "" if there is. What is wrong in its file is gathered.
func (f *themeFiles) load(name string) (t theme.Theme, missed string) {
	if t, ok := theme.ByName(name); ok {
		return t, ""
	}
	if slices.Contains(f.under, name) {
		return t, fmt.Sprintf("theme %s is based on itself.", name)
	}
	own := f.names()
	if !slices.Contains(own, name) {
		if near := nearest(name, append(theme.Names(), own...)); near != "" {
			return t, fmt.Sprintf("there is no theme %s, did you mean %s?", name, near)
		}
		return t, fmt.Sprintf("there is no theme %s: put it into themes/%s.toml.", name, name)
	}
	f.under = append(f.under, name)
	defer func() { f.under = f.under[:len(f.under)-1] }()
	file := "themes/" + name + ".toml"
	data, err := readSmall(filepath.Join(f.folder, name+".toml"), file)
	if err == nil {
		return f.decode(data, name, file), ""
	}
	f.wrong = append(f.wrong, noneInForce(err)...)
	return named(theme.Ink(), name), ""
}

func named(t theme.Theme, name string) theme.Theme {
	t.Name = name
	return t
}

// The keys of a theme's file beside its tokens.
const (
	baseKey       = "base"
	backgroundKey = "background"
)

// decode reads a theme's file: its base, which is ink if it names none, and what it
// changes of it.
func (f *themeFiles) decode(data []byte, name, file string) theme.Theme {
	tree, lines, err := decodeTOML(data, file)
	if err != nil {
		f.wrong = append(f.wrong, noneInForce(err)...)
		return named(theme.Ink(), name)
	}
	var faults []fault
	wrong := func(key, words string) { faults = append(faults, fault{lineOf(lines, key), words}) }
	t := theme.Ink()
	if base, ok := tree[baseKey].(string); ok {
		if found, missed := f.load(base); missed != "" {
			wrong(baseKey, "base: "+missed)
		} else {
			t = found
		}
	} else if tree[baseKey] != nil {
		wrong(baseKey, "base takes the name of a theme.")
	}
	t.Name = name
	known := append([]string{baseKey, backgroundKey}, theme.TokenNames()...)
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		tok, isToken := theme.TokenOf(key)
		switch {
		case isToken:
			v, err := tokenValue(tree[key], t.Tokens[tok])
			if err != nil {
				wrong(key, key+" "+err.Error()+".")
				continue
			}
			t.Choose(tok, v)
		case key == backgroundKey:
			c, ok := rgb(tree[key])
			if !ok {
				wrong(key, `background takes a colour such as "#13161b".`)
				continue
			}
			t.Background = c
		case key != baseKey:
			wrong(key, unknownKey(key, known))
		}
	}
	slices.SortStableFunc(faults, func(a, b fault) int { return a.line - b.line })
	for _, w := range faults {
		f.wrong = append(f.wrong, fmt.Sprintf("%s line %d: %s The rest is in force.", file, w.line, w.what))
	}
	return t
}

// tokenValue reads a token's value: a colour, from which the one for 256 colours
// follows, or a table of the values for each kind of terminal. What it does not say
// stays as it was.
func tokenValue(v any, was theme.Value) (theme.Value, error) {
	const takes = `takes a colour such as "#7db7f0", or {rgb = "#7db7f0", palette = 111, ansi = 6}`
	table, isTable := v.(map[string]any)
	if !isTable {
		table = map[string]any{"rgb": v}
	}
	for key, one := range table {
		n, isNumber := one.(int64)
		switch key {
		case "rgb":
			c, ok := rgb(one)
			if !ok {
				return was, errors.New(takes)
			}
			was.RGB = c
			if _, given := table["palette"]; !given {
				was.Palette = theme.Nearest(c)
			}
		case "palette":
			if !isNumber || n < 16 || n > 255 {
				return was, errors.New("takes a palette entry from 16 to 255: those before are another colour in each terminal")
			}
			was.Palette = uint8(n)
		case "ansi":
			if one == "default" {
				n, isNumber = theme.Default16, true
			}
			if !isNumber || n < theme.Default16 || n > 15 {
				return was, errors.New(`takes an ANSI colour from 0 to 15, or "default"`)
			}
			was.ANSI = int8(n)
		default:
			return was, errors.New(takes)
		}
	}
	return was, nil
}

var hexColour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#[0-9a-fA-F]{6}$`) })

// rgb reads a colour, #rrggbb.
func rgb(v any) (theme.RGB, bool) {
	s, ok := v.(string)
	if !ok || !hexColour().MatchString(s) {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	return theme.RGB(n), err == nil
}

// all reads every theme of the folder, for what is wrong in them.
func (f *themeFiles) all() (themes []theme.Theme) {
	for _, name := range f.names() {
		_, builtin := theme.ByName(name)
		switch {
		case builtin || name == autoTheme:
			f.wrong = append(f.wrong, fmt.Sprintf("themes/%s.toml has the name of a built-in theme and is never used: give it another name.", name))
		case !themeName().MatchString(name):
			f.wrong = append(f.wrong, fmt.Sprintf("themes/%s.toml is never used: a theme's name has a-z, 0-9, - and _.", name))
		default:
			if t, missed := f.load(name); missed == "" {
				themes = append(themes, t)
			}
		}
	}
	return themes
}
