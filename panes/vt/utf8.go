package vt

import "unicode/utf8"

// runeReader reads UTF-8 byte by byte. What is broken becomes one U+FFFD for each
// maximal part of a sequence that is right so far (Unicode 15, section 3.9,
// "U+FFFD Substitution of Maximal Subparts").
type runeReader struct {
	r      rune
	need   int8 // how many bytes are missing
	lo, hi byte // what the next must lie between
}

// next takes c. done: r is a whole code point. taken is false if c does not
// belong to it and must be given again.
func (u *runeReader) next(c byte) (r rune, taken, done bool) {
	if u.need > 0 {
		if c < u.lo || c > u.hi {
			u.need = 0
			return utf8.RuneError, false, true
		}
		u.lo, u.hi = 0x80, 0xBF
		u.r = u.r<<6 | rune(c&0x3F)
		u.need--
		return u.r, true, u.need == 0
	}
	u.lo, u.hi = 0x80, 0xBF
	switch {
	case c < 0x80:
		return rune(c), true, true
	case c < 0xC2 || c > 0xF4:
		return utf8.RuneError, true, true
	case c < 0xE0:
		u.r, u.need = rune(c&0x1F), 1
	case c < 0xF0:
		u.r, u.need = rune(c&0x0F), 2
	default:
		u.r, u.need = rune(c&0x07), 3
	}
	switch c { // no overlong forms, surrogates, or anything over U+10FFFF
	case 0xE0:
		u.lo = 0xA0
	case 0xED:
		u.hi = 0x9F
	case 0xF0:
		u.lo = 0x90
	case 0xF4:
		u.hi = 0x8F
	}
	return 0, true, false
}
