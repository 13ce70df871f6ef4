package hints

import (
	"bytes"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// finder finds one kind of hints: an expression that finds too much, and a function
// that says what of it is one.
type finder struct {
	kind Kind
	form *regexp.Regexp
	take func(text []byte, m []int) (h Hint, begin, end int, ok bool)
}

// finders in the order of their rank. RE2 looks at each byte once, whatever the
// text.
var finders = sync.OnceValue(func() []finder {
	return []finder{
		{Link, regexp.MustCompile(`(?i:(?:https?|ftps?|file|ssh|git)://|mailto:)[!#-&(-;=?-\[\]_a-z~A-Z]+`), takeLink},
		{Path, regexp.MustCompile(`File "([^"]{1,1000})", line (\d{1,9})`), takeQuoted}, // Python's
		{Address, regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|/\d{1,2})?|[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}(?:/\d{1,3})?`), takeAddress},
		{Path, regexp.MustCompile(`((?:~|\.{1,2})?/?` + name + `(?:/` + name + `)*/?)(?::(\d{1,9})(?::\d{1,9})?|\((\d{1,9})(?:,\d{1,9})?\))?`), takePath},
		{Hash, regexp.MustCompile(`[0-9a-f]{7,64}`), takeHash},
	}
})

// name is an element of a path, as far as it can be told from what stands around.
const name = `[\p{L}\p{M}\p{N}_.@%+~-]+`

// pairs close what stands before a link or within it.
var pairs = map[byte]byte{')': '(', ']': '['}

// takeLink leaves out what ends the sentence, not the link.
func takeLink(text []byte, m []int) (h Hint, begin, end int, ok bool) {
	begin, end = m[0], m[1]
	for end > begin {
		c := text[end-1]
		open, closes := pairs[c]
		if !strings.ContainsRune(".,;:!?*", rune(c)) &&
			(!closes || bytes.Count(text[begin:end], []byte{open}) >= bytes.Count(text[begin:end], []byte{c})) {
			break
		}
		end--
	}
	_, rest, _ := bytes.Cut(text[begin:end], []byte(":"))
	if len(bytes.Trim(rest, "/")) == 0 || joined(text, begin, end, "") {
		return h, 0, 0, false
	}
	return Hint{Text: string(text[begin:end])}, begin, end, true
}

func takeQuoted(text []byte, m []int) (h Hint, begin, end int, ok bool) {
	file := string(text[m[2]:m[3]])
	h = Hint{File: file, Line: number(text[m[4]:m[5]])}
	h.Text = file + ":" + strconv.Itoa(h.Line)
	return h, m[2], m[3], !strings.HasPrefix(file, "<") // <stdin>
}

// extension ends the last element of what is taken for a path without a line.
var extension = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^/.]\.\pL[\pL\d]{0,7}$`) })

// takePath takes what has a line, begins as paths do, or has both a slash and an
// extension: "and/or" is none.
func takePath(text []byte, m []int) (h Hint, begin, end int, ok bool) {
	begin, end = m[2], m[1]
	for _, g := range []int{4, 6} {
		if m[g] >= 0 {
			h.Line = number(text[m[g]:m[g+1]])
		}
	}
	if h.Line == 0 {
		end = m[3]
		for end > begin && text[end-1] == '.' && !bytes.HasSuffix(text[begin:end], []byte("/..")) {
			end--
		}
		m[3] = end
	}
	h.File, h.Text = string(text[begin:m[3]]), string(text[begin:end])
	if !strings.ContainsFunc(h.File, unicode.IsLetter) || joined(text, begin, end, "/\\") {
		return h, 0, 0, false
	}
	head, _, slash := strings.Cut(h.File, "/")
	switch {
	case h.Line > 0:
		ok = strings.ContainsAny(h.File, "/.")
	case slash && (head == "" || head == "~" || head == "." || head == ".."):
		ok = true
	default:
		ok = slash && extension().MatchString(h.File)
	}
	return h, begin, end, ok
}

func takeAddress(text []byte, m []int) (h Hint, begin, end int, ok bool) {
	begin, end = m[0], m[1]
	if end > begin && text[end-1] == ':' && !bytes.HasSuffix(text[begin:end], []byte("::")) {
		end-- // "fe80::1: unreachable"
	}
	s := string(text[begin:end])
	_, noAddr := netip.ParseAddr(s)
	_, noPort := netip.ParseAddrPort(s)
	_, noPrefix := netip.ParsePrefix(s)
	if noAddr != nil && noPort != nil && noPrefix != nil || !strings.ContainsAny(s, "0123456789") || joined(text, begin, end, ":/") {
		return h, 0, 0, false
	}
	// What follows a dot is a longer number, such as that of a version.
	if begin > 0 && text[begin-1] == '.' || end+1 < len(text) && text[end] == '.' && text[end+1] >= '0' && text[end+1] <= '9' {
		return h, 0, 0, false
	}
	return Hint{Text: s}, begin, end, true
}

// takeHash takes hexadecimal numbers that are no decimal ones and no words.
func takeHash(text []byte, m []int) (h Hint, begin, end int, ok bool) {
	s := string(text[m[0]:m[1]])
	mixed := strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, "abcdef")
	return Hint{Text: s}, m[0], m[1], mixed && !joined(text, m[0], m[1], "")
}

// joined reports whether what stands before or behind is part of the same word;
// more are characters that are, before it.
func joined(text []byte, begin, end int, more string) bool {
	before, _ := utf8.DecodeLastRune(text[:begin])
	behind, _ := utf8.DecodeRune(text[end:])
	return begin > 0 && (isWord(before) || strings.ContainsRune(more, before)) || end < len(text) && isWord(behind)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// number is a line's number; 0: none.
func number(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return 0
	}
	return n
}
