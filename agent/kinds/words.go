package kinds

import (
	"slices"
	"strings"

	"reprise/agent"
)

// leads reports whether words begin a command line.
func leads(line, words []string) bool {
	return len(words) > 0 && len(line) >= len(words) && slices.Equal(line[:len(words)], words)
}

// wordAt is a word of a line, "" if it has none there.
func wordAt(line []string, i int) string {
	if i >= len(line) {
		return ""
	}
	return line[i]
}

// front are the words of a kind's arguments in front of its first option.
func front(args []string) []string {
	if at := slices.IndexFunc(args, isOption); at >= 0 {
		return args[:at]
	}
	return args
}

// markAt is the place of the first argument with the session's mark, -1 if none has it.
func markAt(args []string) int {
	return slices.IndexFunc(args, func(a string) bool { return strings.Contains(a, sessionMark) })
}

// matched counts the words at the beginning of a line that a pattern fits, none unless all
// of its own are there: its session's mark stands for any word, or for one left out at
// the end of the line.
func matched(line, pattern []string) int {
	for i, p := range pattern {
		switch mark := strings.Contains(p, sessionMark); {
		case mark && i == 0:
			return 0 // any word would do
		case mark && i == len(line):
			return i
		case !mark && wordAt(line, i) != p:
			return 0
		}
	}
	return len(pattern)
}

// naming counts the first words of a person's line that say which session is meant, or
// that one begins: they are no places. copied are those of them that ask for a copy of a
// session whose id they have.
func (k *program) naming(p []argument) (all, copied int) {
	w := words(p)
	_, unnamed := last(p, latest)
	match := func(pattern []string) int {
		if at := markAt(pattern); unnamed && at >= 0 {
			pattern = pattern[:at]
		}
		n := matched(w, pattern)
		all = max(all, n)
		return n
	}
	for _, pattern := range [][]string{append(slices.Clone(k.again), sessionMark), front(k.resume), front(k.begin)} {
		match(pattern)
	}
	for _, pattern := range [][]string{append(slices.Clone(k.copies), sessionMark), front(k.facts.Fork)} {
		n, id := match(pattern), slices.Index(pattern, sessionMark)
		if id >= 0 && id < n && k.named(w[id]) != "" {
			copied = max(copied, n)
		}
	}
	return all, copied
}

// begun is how a session begins where the person's own words begin as begin does.
func (k *program) begun(p []argument, begin []string, id agent.SessionID) (rest []argument, left []string, session agent.SessionID) {
	w, said := words(p), front(begin)
	at := markAt(said)
	if at >= 0 {
		said = said[:at]
	}
	switch {
	case !marked(begin): // goose session: all of it is said
		return p, nil, id
	case !leads(w, said): // another command
		return p, nil, ""
	case at >= 0 && len(w) > at:
		return p, nil, k.named(w[at])
	}
	n := 0 // words so far
	return slices.DeleteFunc(p, func(a argument) bool {
		if a.name == "" {
			n++
		}
		return a.name == "" && n <= len(said)
	}), begin, id
}
