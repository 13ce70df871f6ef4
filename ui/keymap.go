package ui

import (
	"fmt"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui/frame"
)

// DefaultPrefix is tmux's.
const DefaultPrefix = "ctrl+b"

// afterPrefix marks a key that works after the prefix, where settings name it.
const afterPrefix = "prefix "

// Bind gives a key an action: "prefix v" is v after the prefix, "alt+x" a key that
// needs none. Action "" takes away what the key does.
type Bind struct{ Key, Action string }

// KeySettings is what a person sets of keys.
type KeySettings struct {
	Prefix string // as ParseKey reads it; "" or one that names no key: DefaultPrefix
	Preset string // one of Presets; "" or an unknown one: the first
	Copy   string // copy mode's keys, one of CopyKeys; "" or an unknown one: the first
	Binds  []Bind // beside the preset's, in order
}

// BindFault is what is wrong with a Bind; it is not in force.
type BindFault struct {
	Key  string // of the Bind, as it was written
	What string // what is wrong, after the key
	// Unknown is an action that there is not, "" if that is not what is wrong.
	Unknown string
}

// Keymap says what keys do. It is never changed.
type Keymap struct {
	prefix    string
	press     uv.KeyPressEvent // the prefix, for programs
	after     []binding        // after the prefix
	bare      []binding        // without it
	copy      *copySet         // in copy mode
	firstHint frame.Hints      // what the first run says
}

// presets are sets of keys that one setting chooses. Each has tmux's keys after the
// prefix; bare are those that it adds without.
var presets = []struct {
	name string
	bare []binding
}{
	{"tmux", nil},
	// What people type in a shell with alt is left out: b, d, f, the dot, backspace.
	{"alt", append(altTabs(), []binding{
		{"alt+left", "focus-left"},
		{"alt+right", "focus-right"},
		{"alt+up", "focus-up"},
		{"alt+down", "focus-down"},
		{"alt+enter", "split-right"},
		{"alt+-", "split-down"},
		{"alt+x", "close"},
		{"alt+z", "zoom"},
		{"alt+o", "focus-next"},
		{"alt+;", "focus-last"},
		{"alt+c", "new-tab"},
		{"alt+n", "next-tab"},
		{"alt+p", "previous-tab"},
		{"alt+space", "layout-next"},
		{"alt+{", "swap-previous"},
		{"alt+}", "swap-next"},
		{"alt+?", "help"},
	}...)},
}

// altTabs are the keys of the tabs that have a digit.
func altTabs() (all []binding) {
	for n := '1'; n <= '9'; n++ {
		all = append(all, binding{"alt+" + string(n), "tab-" + string(n)})
	}
	return all
}

// Presets names the sets of keys, the default first.
func Presets() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.name)
	}
	return names
}

// NewKeymap makes a keymap. What is wrong in s is named, and all else is in force.
func NewKeymap(s KeySettings) (*Keymap, []BindFault) {
	k := &Keymap{after: slices.Clone(bindings), copy: copySetOf(s.Copy)}
	if k.prefix = canonical(s.Prefix); k.prefix == "" {
		k.prefix = DefaultPrefix
	}
	k.press, _ = ParseKey(k.prefix)
	// Twice it goes to the program, whatever tmux has on that key.
	k.after = set(k.after, k.prefix, "send-prefix")
	for _, p := range presets {
		if p.name == s.Preset {
			k.bare = slices.Clone(p.bare)
		}
	}
	k.bare = set(k.bare, k.prefix, "")
	var faults []BindFault
	taken := map[string]string{} // by one canonical name: as it was written
	for _, b := range s.Binds {
		if f := k.bind(b, taken); f.What != "" {
			f.Key = b.Key
			faults = append(faults, f)
		}
	}
	k.firstHint = k.hint()
	return k, faults
}

// bind applies one Bind.
func (k *Keymap) bind(b Bind, taken map[string]string) BindFault {
	written, after := strings.CutPrefix(b.Key, afterPrefix)
	name := canonical(strings.TrimSpace(written))
	full := name
	if after {
		full = afterPrefix + name
	}
	switch {
	case name == "":
		return BindFault{What: fmt.Sprintf("%q names no key", strings.TrimSpace(written))}
	case taken[full] != "":
		return BindFault{What: fmt.Sprintf("is the same key as %s", taken[full])}
	case b.Action != "" && byName(b.Action) == nil:
		return BindFault{What: "unknown action " + b.Action, Unknown: b.Action}
	case !after && name == k.prefix:
		return BindFault{What: "is the prefix"}
	case !after && !bareable(name):
		return BindFault{What: "is a key that programs need: put prefix before it, or a modifier"}
	}
	taken[full] = b.Key
	if after {
		k.after = set(k.after, name, b.Action)
	} else {
		k.bare = set(k.bare, name, b.Action)
	}
	return BindFault{}
}

// bareable reports whether a key may be taken from programs: one with ctrl, alt or
// super, or a function key.
func bareable(name string) bool {
	k, err := ParseKey(name)
	return err == nil && (k.Mod&^uv.ModShift != 0 || k.Code >= uv.KeyF1 && k.Code <= uv.KeyF12)
}

// set gives a key an action in a list of bindings; "" takes it out.
func set(list []binding, key, action string) []binding {
	list = slices.DeleteFunc(list, func(b binding) bool { return b.key == key })
	if action == "" {
		return list
	}
	return append(list, binding{key, action})
}

// bound is the action of a key after the prefix; nil if there is none.
func (k *Keymap) bound(key string) *action { return lookUp(k.after, key) }

// free is the action of a key without the prefix; nil if there is none.
func (k *Keymap) free(key string) *action { return lookUp(k.bare, key) }

func lookUp(list []binding, key string) *action {
	for _, b := range list {
		if b.key == key {
			return byName(b.action)
		}
	}
	return nil
}

// keyOf is the first key of an action after the prefix; "" if there is none.
func (k *Keymap) keyOf(action string) string {
	for _, b := range k.after {
		if b.action == action {
			return b.key
		}
	}
	return ""
}

// Keys are all keys of an action, as people say them: "ctrl+b %".
func (k *Keymap) Keys(action string) []string { return k.keysOf(action) }

// keysOf are all keys of an action, as people say them.
func (k *Keymap) keysOf(action string) (keys []string) {
	for _, b := range k.after {
		if b.action == action {
			keys = append(keys, k.prefix+" "+b.key)
		}
	}
	for _, b := range k.bare {
		if b.action == action {
			keys = append(keys, b.key)
		}
	}
	return keys
}

// Binds lists every key and its action, as settings name them.
func (k *Keymap) Binds() []Bind {
	var all []Bind
	for _, b := range k.after {
		if b.key != k.prefix || b.action != "send-prefix" { // it follows from the prefix
			all = append(all, Bind{afterPrefix + b.key, b.action})
		}
	}
	for _, b := range k.bare {
		all = append(all, Bind{b.key, b.action})
	}
	return all
}

// ActionNames names every action that a key can have, in the order of help.
func ActionNames() []string {
	var names []string
	for _, a := range actions {
		names = append(names, a.name)
	}
	return names
}
