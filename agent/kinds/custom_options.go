package kinds

import (
	"fmt"
	"slices"
	"strings"
)

// What becomes of options that no list has, in a description's words.
const (
	repeats = "repeat"
	dropped = "drop"
)

// customOptions makes the table of options from what the description tells: its
// options, those in front of the session's id, and those that ask for a copy. Where
// two tell something else of one option, the later of them is right.
func customOptions(c Custom) (map[string]option, error) {
	table := forkOptions(c.ForkArgs)
	lists := func(all ...customList) error {
		for _, l := range all {
			for _, o := range l.rows {
				names, takes, ok := optionRow(o)
				if !ok {
					return fmt.Errorf(`%s: %q is not of the form "--name", "--name VALUE", "--name [VALUE]" or "--name VALUE..."`, l.key, o)
				}
				for _, name := range names {
					table[name] = option{takes, l.does}
				}
			}
		}
		return nil
	}
	commands := slices.DeleteFunc(slices.Clone(c.Commands), func(w string) bool { return !isOption(w) })
	if err := lists(customList{"options", c.Options, keep}, customList{"once", c.Once, drop}, customList{"commands", commands, plain}); err != nil {
		return nil, err
	}
	namingOptions(table, c.ForkArgs, latest) // whose copy it is only a hook tells
	if err := lists(customList{"latest", c.Latest, latest}); err != nil {
		return nil, err
	}
	namingOptions(table, c.NewArgs, names)
	namingOptions(table, c.ResumeArgs, goesOn)
	return table, lists(
		customList{"id_options", c.Roles.ID, names}, customList{"resume_options", c.Roles.Resume, goesOn},
		customList{"fork_options", c.Roles.Fork, fork}, customList{"place_options", c.Roles.Place, place},
	)
}

// customList is a list of options of a description.
type customList struct {
	key  string
	rows []string
	does role
}

// optionRow reads options as a help text writes them: "--yolo", "-m, --model NAME",
// "--resume [ID]" for a value that may be left out, "--add-dir DIR..." for several.
func optionRow(s string) (names []string, takes arity, ok bool) {
	s = strings.NewReplacer("[=", " [", "=", " ").Replace(s)
	f := strings.Fields(s)
	for i, w := range f {
		name, more := strings.CutSuffix(w, ",")
		if !isOption(name) || strings.ContainsAny(name, "[]<>,\x00") {
			return nil, none, false
		}
		names = append(names, name)
		switch {
		case more:
			continue
		case i == len(f)-1:
			return names, none, true
		case i == len(f)-2 && !isOption(f[i+1]):
			return names, valueArity(f[i+1]), true
		}
		break
	}
	return nil, none, false
}

// valueArity is how many values an option takes, by the word that stands for them.
func valueArity(word string) arity {
	switch {
	case strings.HasSuffix(word, "..."), strings.HasSuffix(word, "…"):
		return many
	case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]"):
		return maybe
	}
	return one
}

// optionText writes an option as optionRow reads it.
func optionText(name string, takes arity) string {
	return name + map[arity]string{none: "", one: " VALUE", maybe: " [VALUE]", many: " VALUE..."}[takes]
}

// forkOptions are those of the arguments that make a copy, by what stands behind each: a
// list that names one knows better.
func forkOptions(args []string) map[string]option {
	table := map[string]option{}
	for i, a := range args {
		name, _, valued := strings.Cut(a, "=")
		valued = valued || i+1 < len(args) && !isOption(args[i+1])
		switch {
		case isOption(name) && valued:
			table[name] = option{one, fork}
		case isOption(name):
			table[name] = option{none, fork}
		}
	}
	return table
}

// namingOptions are those in front of the session's id.
func namingOptions(table map[string]option, args []string, does role) {
	for i, a := range args {
		name, value, joined := strings.Cut(a, "=")
		switch {
		case joined && isOption(name) && value == sessionMark:
			table[name] = option{one, does}
		case a == sessionMark && i > 0 && isOption(args[i-1]):
			table[args[i-1]] = option{one, does}
		}
	}
}
