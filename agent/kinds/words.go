package kinds

import (
	"slices"
	"strings"
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
		if at := slices.IndexFunc(pattern, func(s string) bool { return strings.Contains(s, sessionMark) }); unnamed && at >= 0 {
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
