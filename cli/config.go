package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"reprise/agent/kinds"
	"reprise/panes/vt"
	"reprise/ui"
	"reprise/ui/alert"
	"reprise/ui/frame"
	"reprise/ui/theme"
)

// maxConfig bounds what is read of a config file, in bytes.
const maxConfig = 1 << 20

// maxScrollback bounds a pane's history, in lines: about 25 MB.
const maxScrollback = 200_000

// config is what config.toml sets; defaultConfig has the values without one.
type config struct {
	ResumeMode  string        // auto, ask, off
	ResumeScope string        // visible, all
	Parallel    int           // 1 to 32 launches at once
	MaxAge      time.Duration // older candidates ask; 0: none is too old
	AfterExit   string        // shell, hold, close
	Theme       themeNames    // for a dark background and a light one
	ASCII       string        // auto, on, off
	Opener      string        // of links: auto, or a command
	Scrollback  int           // lines a pane keeps, 0 to maxScrollback
	Clipboard   string        // write, off
	// ConfirmPaste asks before lines are pasted as if typed, Mouse is whether the mouse
	// is ours where no program asks for it: on, off.
	ConfirmPaste, Mouse string
	// RestoreScrollback keeps panes' scrollback on disk: on, off.
	RestoreScrollback string
	// Typed makes agents known that are typed in a shell: on, off.
	Typed string
	// History reads the agents' own stores for past sessions: on, off.
	History string
	// ScreenReader draws for who hears the screen: on, off.
	ScreenReader string
	Themes       theme.Choice // what Theme names
	// Told is which notifications there are, Desktop whether lines go to the client's
	// terminal too: on, off. Silence is in seconds.
	Told    told
	Desktop string
	Quiet   alert.Hours
	Silence int
	Bar     frame.BarLayout
	Keys    ui.KeySettings
	Agents  []kinds.Custom
}

func defaultConfig() config {
	return config{
		ResumeMode: "auto", ResumeScope: "visible", Parallel: 2, MaxAge: 7 * 24 * time.Hour,
		AfterExit: "shell", Theme: themeNames{autoTheme, autoTheme}, ASCII: "auto", Opener: ui.DefaultOpener, Scrollback: vt.DefaultScrollback, Clipboard: "off", ConfirmPaste: "on", Mouse: "on",
		Told: allTold(), Desktop: "off", Silence: int(alert.DefaultSilence / time.Second), Bar: *frame.DefaultBar,
		RestoreScrollback: "on", History: "on", Typed: "on", ScreenReader: "off", Keys: ui.KeySettings{Prefix: ui.DefaultPrefix, Preset: ui.Presets()[0], Copy: ui.CopyKeys()[0]},
	}
}

// loadConfig reads config.toml. What is wrong in it is named, one sentence each,
// and the rest applies; without a file the defaults do.
func loadConfig(path string) (c config, wrong []string) {
	r, err := readConfig(path)
	return *r.c, append(r.said(), noneInForce(err)...)
}

// noneInForce says that a file gives nothing, if that is so.
func noneInForce(err error) []string {
	if err == nil {
		return nil
	}
	return []string{err.Error() + ". None of the file is in force."}
}

// readConfig reads config.toml as loadConfig does; err says why it cannot be
// read at all: then the defaults apply.
func readConfig(path string) (*reading, error) {
	data, err := readBounded(path)
	if err != nil {
		c := defaultConfig()
		return &reading{c: &c}, err
	}
	return decodeConfig(data, themesOf(path))
}

// readBounded reads a config file; one that is not there is empty.
func readBounded(path string) ([]byte, error) {
	data, err := readSmall(path, "config.toml")
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// readSmall reads a file of at most 1 MiB that messages call name.
func readSmall(path, name string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err == nil && st.Size() > maxConfig:
		return nil, errors.New(name + " is larger than 1 MiB")
	case err == nil && !st.Mode().IsRegular():
		return nil, errors.New(name + " is not a file")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w)", name, err)
	}
	return data, nil
}

func parseConfig(data []byte) (c config, wrong []string) {
	r, err := decodeConfig(data, "")
	return *r.c, append(r.said(), noneInForce(err)...)
}

// decodeConfig applies a config file. Themes of the person's own are looked for in
// the folder themes; "": there are none.
func decodeConfig(data []byte, themes string) (*reading, error) {
	c := defaultConfig()
	r := &reading{c: &c, from: map[string]int{}}
	tree, lines, err := decodeTOML(data, "config.toml")
	if err != nil {
		return r, err
	}
	r.lines = lines
	r.table("", tree)
	r.checkBinds()
	r.findThemes(themes)
	return r, nil
}

// decodeTOML reads a file that messages call name, and the lines of its keys.
func decodeTOML(data []byte, name string) (tree map[string]any, lines map[string]int, err error) {
	if err := toml.Unmarshal(data, &tree); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			return nil, nil, fmt.Errorf("%s line %d: %s", name, line, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return tree, keyLines(data), nil
}

// reading applies a decoded file to a config and gathers what is wrong in it.
type reading struct {
	c      *config
	lines  map[string]int
	from   map[string]int // the settings that the file sets, and their lines
	wrong  []fault
	themes []string // what is wrong with files of themes, in words
}

type fault struct {
	line int
	what string
}

// said is everything that is wrong, one sentence each.
func (r *reading) said() (all []string) {
	slices.SortStableFunc(r.wrong, func(a, b fault) int { return a.line - b.line })
	for _, f := range r.wrong {
		all = append(all, fmt.Sprintf("config.toml line %d: %s The rest is in force.", f.line, f.what))
	}
	return append(all, r.themes...)
}

func (r *reading) fault(key, format string, a ...any) {
	r.wrong = append(r.wrong, fault{lineOf(r.lines, key), fmt.Sprintf(format, a...)})
}

// lineOf is the line of a key, or of the table that it is in: an inline table's keys
// have none of their own.
func lineOf(lines map[string]int, key string) int {
	line := lines[key]
	for k := key; line == 0 && k != ""; line = lines[k] {
		k = k[:max(0, strings.LastIndexByte(k, '.'))]
	}
	return line
}

// tables are the tables whose keys are a person's own.
var tables = map[string]func(r *reading, v any){bindsKey: (*reading).binds, "agents": (*reading).agents}

func (r *reading) table(prefix string, t map[string]any) {
	for key, v := range t {
		full := strings.TrimPrefix(prefix+"."+key, ".")
		if read := tables[full]; read != nil {
			read(r, v)
			continue
		}
		i := slices.IndexFunc(settings(), func(s setting) bool { return s.key == full })
		sub, isTable := v.(map[string]any)
		switch {
		case i >= 0:
			if err := settings()[i].set(r.c, v); err != nil {
				r.fault(full, "%s %v.", full, err)
			} else {
				r.from[full] = lineOf(r.lines, full)
			}
		case isTable && r.known(full):
			r.table(full, sub)
		default:
			r.unknown(full, settingKeys())
		}
	}
}

// known reports whether some setting lies in the table.
func (r *reading) known(table string) bool {
	return slices.ContainsFunc(settings(), func(s setting) bool { return strings.HasPrefix(s.key, table+".") })
}

func (r *reading) unknown(key string, among []string) {
	r.fault(key, "%s", unknownKey(key, among))
}

func unknownKey(key string, among []string) string {
	if near := nearest(key, among); near != "" {
		return fmt.Sprintf("unknown key %s, did you mean %s?", key, near)
	}
	return fmt.Sprintf("unknown key %s.", key)
}

func settingKeys() []string {
	keys := []string{"agents", bindsKey}
	for _, s := range settings() {
		keys = append(keys, s.key)
	}
	return keys
}

// keyLines finds the line of every key; dotted keys stand whole.
func keyLines(data []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		full := ""
		if e.Kind == unstable.KeyValue {
			full = table
		}
		for it := e.Key(); it.Next(); {
			n := it.Node()
			full = strings.TrimPrefix(full+"."+string(n.Data), ".")
			if lines[full] == 0 {
				lines[full] = p.Shape(n.Raw).Start.Line
			}
		}
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			table = full
		}
	}
	return lines
}
