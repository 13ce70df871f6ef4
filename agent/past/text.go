package past

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes text of a store fit for a screen: lines stay, every other control
// character and whatever turns the direction of writing goes, blanks at the ends of
// lines too. At most limit bytes are kept, and no rune is cut.
func plain(s string, limit int) string {
	var b strings.Builder
	blank, line := false, false // a blank, or a new line, is due before the next letter
	for i, r := range s {
		if b.Len() >= limit || i > 8*limit { // of what is dropped there may be much
			break
		}
		switch {
		case r == '\n' || r == '\r':
			line, blank = true, false
			continue
		case unicode.IsSpace(r):
			blank = true
			continue
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200d', r == utf8.RuneError:
			continue
		}
		switch {
		case b.Len() == 0:
		case line:
			b.WriteByte('\n')
		case blank:
			b.WriteByte(' ')
		}
		blank, line = false, false
		b.WriteRune(r)
	}
	return cut(b.String(), limit)
}

// cut shortens a text to limit bytes, between runes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
