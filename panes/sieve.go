package panes

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// maxSieved bounds a sequence that passes a sieve; the longest are links.
const maxSieved = 8 << 10

// sieve lets through what it names of a terminal's stream, and of everything else
// nothing: no control, no C1, no broken UTF-8, no piece of a sequence. Whatever
// is left open ends with the next control character, at the latest with the
// input.
type sieve struct {
	controls string // C0 characters
	finals   string // of control sequences with plain parameters
	links    bool   // OSC 8
}

var (
	// plainText lets text through.
	plainText = sieve{controls: "\t"}
	// styledLine lets through what one line is written with. SI, which keeps two
	// cells apart that would be one cluster (vt.AppendText), changes nothing
	// where SO never comes.
	styledLine = sieve{controls: "\t\x0f", finals: "m", links: true}
	// drawing lets through what only changes cells and moves the cursor.
	drawing = sieve{controls: "\t\x0f\r\n", finals: "mH", links: true}
)

// appendTo appends what passes of src.
func (s sieve) appendTo(dst, src []byte) []byte {
	for len(src) > 0 {
		n, passes := s.next(src)
		if passes {
			dst = append(dst, src[:n]...)
		}
		src = src[n:]
	}
	return dst
}

// next is how long the first piece is, and whether it passes.
func (s sieve) next(b []byte) (n int, passes bool) {
	switch c := b[0]; {
	case c == 0x1B:
		return s.sequence(b)
	case c < 0x20 || c == 0x7F:
		return 1, strings.IndexByte(s.controls, c) >= 0
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRune(b)
		return n, r >= 0xA0 && (r != utf8.RuneError || n > 1)
	}
	for n = 1; n < len(b) && b[n] >= 0x20 && b[n] < 0x7F; n++ {
	}
	return n, true
}

// sequence measures what begins with ESC (ECMA-48, 5.3 to 5.6).
func (s sieve) sequence(b []byte) (n int, passes bool) {
	if len(b) == 1 {
		return 1, false
	}
	switch b[1] {
	case '[':
		return s.controlSequence(b)
	case ']', 'P', 'X', '^', '_', 'k':
		return s.controlString(b)
	}
	for n = 1; n < len(b) && b[n] >= 0x20 && b[n] < 0x30; n++ { // intermediates
	}
	if n < len(b) && b[n] >= 0x30 && b[n] < 0x7F {
		n++
	}
	return n, false
}

func (s sieve) controlSequence(b []byte) (n int, passes bool) {
	plain := true
	for n = 2; n < len(b); n++ {
		switch c := b[n]; {
		case c >= '0' && c <= ';':
		case c >= 0x20 && c < 0x40:
			plain = false
		case c >= 0x40 && c < 0x7F:
			return n + 1, plain && n < maxSieved && strings.IndexByte(s.finals, c) >= 0
		default:
			return n, false
		}
	}
	return n, false
}

func (s sieve) controlString(b []byte) (n int, passes bool) {
	for n = 2; n < len(b) && b[n] >= 0x20 && b[n] < 0x7F; n++ {
	}
	link := s.links && n < maxSieved && bytes.HasPrefix(b, []byte("\x1b]8;")) && bytes.IndexByte(b[4:n], ';') >= 0
	for ; n < len(b) && b[n] >= 0x20 && b[n] != 0x7F; n++ { // not ASCII: no link, but its string all the same
		link = false
	}
	switch rest := b[n:]; {
	case bytes.HasPrefix(rest, []byte("\x1b\\")):
		return n + 2, link
	case len(rest) > 0 && rest[0] == 0x07:
		return n + 1, link
	}
	return n, false
}
