package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"reprise/agent/kinds"
	"reprise/panes/vt"
	"reprise/ui"
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
	Theme       string        // auto, ink, paper
	ASCII       string        // auto, on, off
	Scrollback  int           // lines a pane keeps, 0 to maxScrollback
	Clipboard   string        // write, off
	// RestoreScrollback keeps panes' scrollback on disk: on, off.
	RestoreScrollback string
	Keys              ui.KeySettings
	Agents            []kinds.Custom
}

func defaultConfig() config {
	return config{
		ResumeMode: "auto", ResumeScope: "visible", Parallel: 2, MaxAge: 7 * 24 * time.Hour,
		AfterExit: "shell", Theme: "auto", ASCII: "auto", Scrollback: vt.DefaultScrollback, Clipboard: "off",
		RestoreScrollback: "on", Keys: ui.KeySettings{Prefix: ui.DefaultPrefix, Preset: ui.Presets()[0]},
	}
}

// setting is one key of config.toml.
type setting struct {
	key string
	doc string
	set func(c *config, v any) error
}

// settings is the whole of config.toml but the tables [keys.bind] and [agents.NAME].
var settings = []setting{
	{"resume.mode", "auto, ask or off", oneOf(func(c *config) *string { return &c.ResumeMode }, "auto", "ask", "off")},
	{"resume.scope", "visible or all", oneOf(func(c *config) *string { return &c.ResumeScope }, "visible", "all")},
	{"resume.parallel", "launches at once, 1 to 32", func(c *config, v any) error {
		n, ok := v.(int64)
		if !ok || n < 1 || n > 32 {
			return errors.New("takes a number from 1 to 32")
		}
		c.Parallel = int(n)
		return nil
	}},
	{"resume.max_age", `age from which a session asks first, such as "7d" or "36h"; "0" is never`, func(c *config, v any) error {
		s, ok := v.(string)
		d, err := parseAge(s)
		if !ok || err != nil {
			return errors.New(`takes an age such as "7d" or "36h"`)
		}
		c.MaxAge = d
		return nil
	}},
	{"after_exit", "shell, hold or close", oneOf(func(c *config) *string { return &c.AfterExit }, "shell", "hold", "close")},
	{"ui.theme", "auto, ink or paper", oneOf(func(c *config) *string { return &c.Theme }, "auto", "ink", "paper")},
	{"scrollback", "lines a pane keeps, 0 to 200000", func(c *config, v any) error {
		n, ok := v.(int64)
		if !ok || n < 0 || n > maxScrollback {
			return fmt.Errorf("takes a number from 0 to %d", maxScrollback)
		}
		c.Scrollback = int(n)
		return nil
	}},
	{"restore_scrollback", "on or off", oneOf(func(c *config) *string { return &c.RestoreScrollback }, "on", "off")},
	{"clipboard", "write or off", oneOf(func(c *config) *string { return &c.Clipboard }, "write", "off")},
	{"ui.ascii", "auto, on or off", oneOf(func(c *config) *string { return &c.ASCII }, "auto", "on", "off")},
	{"keys.prefix", "the key before others", setPrefix},
	{"keys.preset", "a set of keys to begin with", oneOf(func(c *config) *string { return &c.Keys.Preset }, ui.Presets()...)},
}

func oneOf(field func(*config) *string, words ...string) func(*config, any) error {
	return func(c *config, v any) error {
		s, ok := v.(string)
		if !ok || !slices.Contains(words, s) {
			return fmt.Errorf("takes %s", orList(words))
		}
		*field(c) = s
		return nil
	}
}

func orList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}

// parseAge reads a duration that may be in days: "7d", "1d12h", "36h", "0".
func parseAge(s string) (time.Duration, error) {
	var days time.Duration
	if head, tail, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(head, 10, 16)
		if err != nil {
			return 0, fmt.Errorf("bad age %q", s)
		}
		days, s = time.Duration(n)*24*time.Hour, tail
		if s == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("bad age %q", s)
	}
	return days + d, nil
}

// loadConfig reads config.toml. What is wrong in it is named, one sentence each,
// and the rest applies; without a file the defaults do.
func loadConfig(path string) (c config, wrong []string) {
	c = defaultConfig()
	st, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err == nil && st.Size() > maxConfig {
		return c, []string{"config.toml is larger than 1 MiB. None of it is in force."}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, []string{fmt.Sprintf("config.toml cannot be read. The defaults are in force. (%v)", err)}
	}
	return parseConfig(data)
}

func parseConfig(data []byte) (c config, wrong []string) {
	c = defaultConfig()
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			return c, []string{fmt.Sprintf("config.toml line %d: %s. None of the file is in force.", line, strings.TrimPrefix(at.Error(), "toml: "))}
		}
		return c, []string{fmt.Sprintf("config.toml: %v. None of the file is in force.", err)}
	}
	r := reading{c: &c, lines: keyLines(data)}
	r.table("", tree)
	r.checkBinds()
	slices.SortStableFunc(r.wrong, func(a, b fault) int { return a.line - b.line })
	for _, f := range r.wrong {
		wrong = append(wrong, fmt.Sprintf("config.toml line %d: %s The rest is in force.", f.line, f.what))
	}
	return c, wrong
}

// reading applies a decoded file to a config and gathers what is wrong in it.
type reading struct {
	c     *config
	lines map[string]int
	wrong []fault
}

type fault struct {
	line int
	what string
}

func (r *reading) fault(key, format string, a ...any) {
	line := r.lines[key]
	for k := key; line == 0 && k != ""; line = r.lines[k] { // an inline table has no line of its own
		k = k[:max(0, strings.LastIndexByte(k, '.'))]
	}
	r.wrong = append(r.wrong, fault{line, fmt.Sprintf(format, a...)})
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
		i := slices.IndexFunc(settings, func(s setting) bool { return s.key == full })
		sub, isTable := v.(map[string]any)
		switch {
		case i >= 0:
			if err := settings[i].set(r.c, v); err != nil {
				r.fault(full, "%s %v.", full, err)
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
	return slices.ContainsFunc(settings, func(s setting) bool { return strings.HasPrefix(s.key, table+".") })
}

func (r *reading) unknown(key string, among []string) {
	if near := nearest(key, among); near != "" {
		r.fault(key, "unknown key %s, did you mean %s?", key, near)
		return
	}
	r.fault(key, "unknown key %s.", key)
}

func settingKeys() []string {
	keys := []string{"agents", bindsKey}
	for _, s := range settings {
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
