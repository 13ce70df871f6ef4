package kinds

import (
	"maps"
	"strings"
)

// arity says how many words an option takes, as commander (claude) and clap
// (codex) read them.
type arity int

const (
	none  arity = iota
	one         // the next word, whatever it looks like
	maybe       // the next word unless it looks like an option
	many        // the next word, and all after it up to the next option
)

// role says what an option means for a session.
type role int

const (
	keep   role = iota // repeated when the session comes back
	drop               // meant for the first start only
	plain              // no session comes of it: --help, --print
	names              // its value is the session's id: --session-id
	goesOn             // goes on with a session, named by its value if there is one: --resume
	latest             // goes on with a session that only the program knows: --continue
	place              // gives the session a directory of its own
	fork               // goes on with a copy of the session under a new id
	config             // carries configuration that ours is joined with
)

// option is one row of a kind's table of options.
type option struct {
	takes arity
	does  role
}

// row is options of one form, table all of a program's.
func row(does role, takes arity, names ...string) map[string]option {
	m := make(map[string]option, len(names))
	for _, name := range names {
		m[name] = option{takes, does}
	}
	return m
}

func table(rows ...map[string]option) map[string]option {
	all := map[string]option{}
	for _, r := range rows {
		maps.Copy(all, r)
	}
	return all
}

// argument is one option with its values, or one word that belongs to none.
type argument struct {
	name   string // "" for a word
	does   role
	value  string   // the first value, or the word
	tokens []string // as they stood on the command line
}

// parse cuts a command line into options and words. Of an option that is not in
// the table it is not known whether it takes a value: a word that follows is
// taken as one, unless it has white space in it, which makes it a message.
func parse(table map[string]option, args []string) []argument {
	var out []argument
	for len(args) > 0 {
		tok := args[0]
		switch {
		case tok == "--":
			out = append(out, argument{name: tok, does: drop, tokens: args[:1:1]})
			for i := range args[1:] {
				w := args[1+i : 2+i : 2+i]
				out = append(out, argument{value: w[0], tokens: w})
			}
			return out
		case !isOption(tok):
			out = append(out, argument{value: tok, tokens: args[:1:1]})
			args = args[1:]
		default:
			var a argument
			a, args = parseOption(table, args)
			out = append(out, a)
		}
	}
	return out
}

// parseOption takes one option with its values off the front of args.
func parseOption(table map[string]option, args []string) (argument, []string) {
	tok, rest := args[0], args[1:]
	name, value, joined := strings.Cut(tok, "=")
	opt, known := table[name]
	if !strings.HasPrefix(tok, "--") && len(tok) > 2 {
		// -mVALUE, -m=VALUE, or several without value in one word: -vh.
		name = tok[:2]
		opt, known = table[name]
		switch {
		case known && opt.takes == none:
			return argument{name: name, does: opt.does, tokens: []string{name}},
				append([]string{"-" + tok[2:]}, rest...)
		case known:
			value, joined = strings.TrimPrefix(tok[2:], "="), true
		default:
			name = tok
		}
	}
	a := argument{name: name, does: opt.does, value: value}
	if joined {
		a.tokens = args[:1:1]
		return a, rest
	}
	n := valueWords(opt.takes, rest)
	if !known {
		n = 0
		if len(rest) > 0 && !isOption(rest[0]) && !strings.ContainsAny(rest[0], " \t\n") {
			n = 1
		}
	}
	if n > 0 {
		a.value = rest[0]
	}
	a.tokens = args[: 1+n : 1+n]
	return a, rest[n:]
}

// valueWords counts the words that an option of this arity takes from rest.
func valueWords(takes arity, rest []string) int {
	switch {
	case takes == none || len(rest) == 0:
		return 0
	case takes == one:
		return 1
	case takes == maybe:
		if isOption(rest[0]) {
			return 0
		}
		return 1
	}
	n := 1
	for n < len(rest) && !isOption(rest[n]) {
		n++
	}
	return n
}

// isOption reports whether a word looks like an option; "-" alone is a word.
func isOption(tok string) bool { return len(tok) > 1 && tok[0] == '-' }

// without is the command line again, except for the arguments of one role.
func without(parsed []argument, r role) []string {
	var out []string
	for _, a := range parsed {
		if a.name == "" || a.does != r {
			out = append(out, a.tokens...)
		}
	}
	return out
}

// words are the arguments that belong to no option.
func words(parsed []argument) []string {
	var out []string
	for _, a := range parsed {
		if a.name == "" {
			out = append(out, a.value)
		}
	}
	return out
}

// last is the last argument with a role; commander and clap let it win.
func last(parsed []argument, r role) (argument, bool) {
	for i := len(parsed) - 1; i >= 0; i-- {
		if parsed[i].name != "" && parsed[i].does == r {
			return parsed[i], true
		}
	}
	return argument{}, false
}
