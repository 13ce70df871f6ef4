package frame

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

func width(s string) int { return displaywidth.String(s) }

// Cut shortens s to n cells, at the end, by grapheme cluster; mark takes the
// place of what is gone. A wide cluster that does not fit goes whole.
func Cut(s string, n int, mark string) string {
	if width(s) <= n {
		return s
	}
	room := n - width(mark)
	if room < 0 {
		return head(mark, n)
	}
	return strings.TrimRight(head(s, room), " ") + mark
}

// head is as much of s as fits in n cells.
func head(s string, n int) string {
	used, end := 0, 0
	g := displaywidth.StringGraphemes(s)
	for g.Next() {
		if used += g.Width(); used > n {
			break
		}
		end += len(g.Value())
	}
	return s[:end]
}

// tail is as much of the end of s as fits in n cells.
func tail(s string, n int) string {
	skip := width(s) - n
	g := displaywidth.StringGraphemes(s)
	start := 0
	for skip > 0 && g.Next() {
		skip -= g.Width()
		start += len(g.Value())
	}
	return s[start:]
}

// CutPath shortens a path to n cells in its middle: the last element stays whole
// as long as it fits (~/w…/reprise).
func CutPath(p string, n int, mark string) string {
	if width(p) <= n {
		return p
	}
	if n < 5 {
		return Cut(p, n, mark)
	}
	room := n - width(mark)
	end := room - min(3, room/3)
	if i := strings.LastIndexByte(p, '/'); i > 0 && width(p[i:]) < room {
		last := i
		for i > 0 && width(p[i:]) <= end {
			last = i
			i = strings.LastIndexByte(p[:i], '/')
		}
		end = width(p[last:])
	}
	return head(p, room-end) + mark + tail(p, end)
}

// Wrap breaks s between words into at most rows lines of n cells; what does not
// fit in the last one is cut. A word longer than a line is broken by cluster. A
// sentence begins a line of its own where that takes no more lines.
func Wrap(s string, n, rows int, mark string) []string {
	lines := wrap(s, n, rows, mark)
	if len(lines) < 2 {
		return lines
	}
	var each []string
	for rest := s; rest != ""; {
		sentence := rest[:sentenceEnd(rest)]
		rest = strings.TrimLeft(rest[len(sentence):], " ")
		each = append(each, wrap(sentence, n, len(lines)+1, mark)...)
		if len(each) > len(lines) {
			return lines
		}
	}
	return each
}

// sentenceEnd is where the first sentence of s ends: after a full stop that a
// small letter does not follow.
func sentenceEnd(s string) int {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == '.' && s[i+1] == ' ' && (s[i+2] < 'a' || s[i+2] > 'z') {
			return i + 1
		}
	}
	return len(s)
}

func wrap(s string, n, rows int, mark string) []string {
	if n < 1 || rows < 1 {
		return nil
	}
	var lines []string
	rest := strings.TrimSpace(s)
	for rest != "" {
		if len(lines) == rows-1 || width(rest) <= n {
			return append(lines, Cut(rest, n, mark))
		}
		line := head(rest, n)
		if line == "" { // a wide cluster on a line of one cell
			return append(lines, mark)
		}
		if i := strings.LastIndexByte(line, ' '); i > 0 && rest[len(line)] != ' ' {
			line = line[:i]
		}
		rest = strings.TrimLeft(rest[len(line):], " ")
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// prose is text in a sentence: in ASCII its ellipsis is spelled out.
func prose(s string, ascii bool) string {
	if ascii {
		return strings.ReplaceAll(s, cutMark, "...")
	}
	return s
}
