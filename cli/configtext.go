package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reprise/agent/kinds"
	"reprise/ui"
)

// configHead begins the file that init writes.
const configHead = `# Settings of Reprise. Each line that is commented out says what is in force without
# it: take the # away and change it. Keys, ui, bar and notifications are in force as
# soon as the prefix is pressed, all else for what is opened from then on.
# reprise config check names what is wrong; more is in docs/config.md.
`

// bindsHead explains the table of keys there.
const bindsHead = `# A key and its action: "prefix v" is v after the prefix, "alt+x" needs none, and ""
# instead of an action takes away what a key does.
`

// text is a config as a file that sets all of it. With comments it is one that sets
// nothing yet: each line is commented out, under what it is for.
func (c *config) text(comments bool) string { return c.textFrom(comments, nil) }

// textFrom is the same; source, if there is one, says behind each value where it comes
// from.
func (c *config) textFrom(comments bool, source func(setting) string) string {
	var b strings.Builder
	off := ""
	if comments {
		off = "# "
		b.WriteString(configHead)
	}
	table := ""
	for _, s := range settings() {
		in, key := "", s.key
		if i := strings.LastIndexByte(s.key, '.'); i >= 0 {
			in, key = s.key[:i], s.key[i+1:]
		}
		if in != table {
			fmt.Fprintf(&b, "\n[%s]\n", in)
			table = in
		}
		if comments {
			fmt.Fprintf(&b, "\n# %s\n", s.doc)
		}
		fmt.Fprintf(&b, "%s%s = %s", off, key, tomlText(s.get(c)))
		if source != nil {
			fmt.Fprintf(&b, "  # %s", source(s))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n[%s]\n", bindsKey)
	if comments {
		b.WriteString(bindsHead)
	}
	for _, bind := range c.binds() {
		fmt.Fprintf(&b, "%s%s = %s\n", off, tomlText(bind.Key), tomlText(bind.Action))
	}
	for i := range c.Agents {
		b.WriteString(agentText(&c.Agents[i]))
	}
	return b.String()
}

// binds are all keys that are in force, then those of the preset that are not.
func (c *config) binds() []ui.Bind {
	keys, _ := ui.NewKeymap(c.Keys)
	preset, _ := ui.NewKeymap(ui.KeySettings{Prefix: c.Keys.Prefix, Preset: c.Keys.Preset})
	all := keys.Binds()
	for _, b := range preset.Binds() {
		if !slices.ContainsFunc(all, func(o ui.Bind) bool { return o.Key == b.Key }) {
			all = append(all, ui.Bind{Key: b.Key})
		}
	}
	return all
}

// agentText is the table of an agent of the person's own.
func agentText(k *kinds.Custom) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n[agents.%s]\n", k.Name)
	for _, s := range agentSettings() {
		switch v := s.get(k).(type) {
		case nil:
		case map[string]any: // a line for each
			for _, key := range slices.Sorted(maps.Keys(v)) {
				fmt.Fprintf(&b, "%s.%s = %s\n", s.key, tomlKey(key), tomlText(v[key]))
			}
		case []string:
			fmt.Fprintf(&b, "%s = %s\n", s.key, tomlList(v))
		default:
			fmt.Fprintf(&b, "%s = %s\n", s.key, tomlText(v))
		}
	}
	return b.String()
}

// listWidth is about how long a line of a long list becomes, in bytes.
const listWidth = 120

// tomlList is a list of strings, in several lines if it is long.
func tomlList(list []string) string {
	if all := tomlText(list); len(all) <= listWidth {
		return all
	}
	var b strings.Builder
	width := listWidth
	for _, s := range list {
		one := tomlString(s) + ","
		if width += len(one) + 1; width > listWidth {
			b.WriteString("\n ")
			width = len(one) + 2
		}
		b.WriteString(" " + one)
	}
	return "[" + b.String() + "\n]"
}

// tomlKey is a key of a table: bare where it can be.
func tomlKey(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		return s
	}
	return tomlString(s)
}

// tomlText writes a value as TOML does: a string, a number, a boolean, a list, a table or
// an environment.
func tomlText(v any) string {
	switch v := v.(type) {
	case string:
		return tomlString(v)
	case []string:
		all := make([]string, len(v))
		for i, s := range v {
			all[i] = tomlString(s)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case []any:
		all := make([]string, len(v))
		for i, e := range v {
			all[i] = tomlText(e)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		var all []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, tomlKey(key)+" = "+tomlText(v[key]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	case environ:
		all := make([]string, len(v))
		for i, kv := range v {
			name, value, _ := strings.Cut(kv, "=")
			all[i] = tomlString(name) + " = " + tomlString(value)
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// tomlString is a basic string of TOML; one with quotes or backslashes is a literal
// one where that is possible.
func tomlString(s string) string {
	if strings.ContainsAny(s, `"\`) && !strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || r < ' ' || r == 0x7f }) {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// environ are variables, KEY=value.
type environ []string

// some is a value to be written, nil if it is the zero one.
func some[T cmp.Ordered](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// list is a list to be written, nil if it is empty.
func list[T ~[]string](v T) any {
	if len(v) == 0 {
		return nil
	}
	return v
}
