package cli

import (
	"fmt"
	"slices"
	"strings"

	"reprise/ui"
)

// settings are what the config says of a client.
func (c config) settings() ui.Settings {
	keys, _ := ui.NewKeymap(c.Keys) // what is wrong was said when it was read
	return ui.Settings{
		Keys: keys, Theme: c.Themes, ASCII: c.ASCII == "on", NoASCII: c.ASCII == "off", Opener: c.Opener,
		Reader: c.ScreenReader == "on",
		Bar:    &c.Bar, Alerts: c.alerts(),
		PasteUnasked: c.ConfirmPaste == "off", NoMouse: c.Mouse == "off",
	}
}

// setPrefix reads keys.prefix.
func setPrefix(c *config, v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("takes a key such as %q", ui.DefaultPrefix)
	}
	if _, err := ui.ParseKey(s); err != nil {
		return fmt.Errorf("takes a key such as %q, and %q names none", ui.DefaultPrefix, s)
	}
	c.Keys.Prefix = s
	return nil
}

// bindsKey is the table of keys and actions.
const bindsKey = "keys.bind"

// binds reads the table of keys and actions, in the order of the file: which of two
// names of one key came first can be said.
func (r *reading) binds(v any) {
	table, ok := v.(map[string]any)
	if !ok {
		r.fault(bindsKey, "%s takes a table of keys and actions.", bindsKey)
		return
	}
	var keys []string
	for key := range table {
		keys = append(keys, key)
	}
	line := func(key string) int { return r.lines[bindsKey+"."+key] }
	slices.SortFunc(keys, func(a, b string) int {
		if d := line(a) - line(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, key := range keys {
		action, ok := table[key].(string)
		if !ok {
			r.fault(bindsKey+"."+key, `%s %q takes an action's name, or "" for none.`, bindsKey, key)
			continue
		}
		r.c.Keys.Binds = append(r.c.Keys.Binds, ui.Bind{Key: key, Action: action})
	}
}

// checkBinds names what is wrong with the keys, when the whole file is read: it may
// depend on the prefix.
func (r *reading) checkBinds() {
	_, faults := ui.NewKeymap(r.c.Keys)
	for _, f := range faults {
		near := nearest(f.Unknown, ui.ActionNames())
		switch {
		case f.Unknown != "" && near != "":
			r.fault(bindsKey+"."+f.Key, "%s %q: %s, did you mean %s?", bindsKey, f.Key, f.What, near)
		default:
			r.fault(bindsKey+"."+f.Key, "%s %q: %s.", bindsKey, f.Key, f.What)
		}
	}
}
