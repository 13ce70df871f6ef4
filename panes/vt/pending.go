package vt

import (
	"strconv"
	"unicode/utf8"
)

// appendPending appends what the parser has of a sequence or a character that is
// not complete.
func (p *parser) appendPending(b []byte) []byte {
	switch p.state {
	case stateGround:
		return p.rune.appendPending(b)
	case stateEscape:
		return append(b, 0x1B)
	case stateEscapeIntermediate:
		b = append(b, 0x1B, p.inter)
		if p.bad {
			b = append(b, p.inter)
		}
		return b
	case stateCSI:
		return p.appendCSI(b)
	}
	b = append(b, 0x1B, p.kind)
	switch {
	case p.bad && p.kind == ']':
		b = append(b, badString...)
	case p.bad && p.kind == 'P':
	default:
		b = append(b, p.str...)
	}
	if p.state == stateStringEscape {
		b = append(b, 0x1B)
	}
	return b
}

// badString begins an OSC that is swallowed whatever follows: no command has such a
// number.
const badString = "999999;"

func (p *parser) appendCSI(b []byte) []byte {
	b = append(b, "\x1b["...)
	if p.bad {
		return append(b, "  "...) // no sequence has two intermediates
	}
	if p.prefix != 0 {
		b = append(b, p.prefix)
	}
	for i := range min(p.n, maxParams) {
		if i > 0 {
			b = append(b, ";:"[p.sub>>i&1])
		}
		if v := p.params[i]; v != missing {
			b = strconv.AppendInt(b, int64(v), 10)
		}
	}
	if p.n > maxParams {
		b = append(b, ';')
	}
	if p.inter != 0 {
		b = append(b, p.inter)
	}
	return b
}

// appendPending appends the bytes of a character that is not complete. How many
// there were shows in the value: longer forms begin where shorter ones end.
func (u *runeReader) appendPending(b []byte) []byte {
	if u.need == 0 {
		return b
	}
	r, n := u.r, int(u.need)
	lead, had := rune(0xC0), 0
	switch limits := pendingLimits[n]; {
	case r < limits[0]:
		lead = [...]rune{1: 0xC0, 2: 0xE0, 3: 0xF0}[n]
	case r < limits[1]:
		lead, had = [...]rune{1: 0xE0, 2: 0xF0}[n], 1
	default:
		lead, had = 0xF0, 2
	}
	b = append(b, byte(lead|r>>(6*had)))
	for had--; had >= 0; had-- {
		b = append(b, byte(0x80|r>>(6*had)&0x3F))
	}
	return b
}

// pendingLimits are, by how many bytes are missing, the values from which on there
// were two bytes and three.
var pendingLimits = [...][2]rune{
	1: {0x20, 0x400},
	2: {0x10, utf8.MaxRune},
	3: {utf8.MaxRune, utf8.MaxRune},
}
