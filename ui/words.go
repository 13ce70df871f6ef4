package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"reprise/panes/vt"
)

// maxWords bounds what a program may put into the chrome, in characters.
const maxWords = 400

// clean makes text of programs and paths fit for the chrome: one line, no
// controls, nothing that turns the direction of writing, bounded.
func clean(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < 0x7f
	}
	if plain && len(s) <= maxWords {
		return s
	}
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > maxWords {
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r' || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Co, r):
		case unicode.Is(unicode.Cf, r) && r != '\u200d': // a joiner makes emoji
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// capital begins words as a sentence does.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// tilde shortens the home directory in a path.
func tilde(path, home string) string {
	if home == "" || home == "/" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

// spinners are characters that agents put before their title to show that they
// work: nothing moves in our chrome (look.md §9).
const spinners = "·•●○◐◑◒◓◴◵◶◷∗∙⏺⏳⌛✳✢✶✻✽✷✸✹✺✴*|/-\\"

// sameWords reports whether two states make the same words: the title without its
// spinner and the directory.
func sameWords(a, b *vt.State) bool {
	return a.Dir == b.Dir && (a.Title == b.Title || unspun(a.Title) == unspun(b.Title))
}

// task is what a program says that it works on: its title without the spinner.
func task(title string) string {
	return strings.TrimSpace(unspun(clean(title)))
}

func unspun(title string) string {
	return strings.TrimLeftFunc(title, func(r rune) bool {
		return r == ' ' || r >= 0x2800 && r <= 0x28ff || r > 0x7f && strings.ContainsRune(spinners, r)
	})
}
