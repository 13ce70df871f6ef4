package vt

import "strconv"

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
	had := 1
	for _, from := range pendingFrom[u.need] {
		if u.r >= from {
			had++
		}
	}
	lead := ^rune(0) << (8 - had - int(u.need)) // as many ones as the character has bytes
	for shift := 6 * (had - 1); shift >= 0; shift -= 6 {
		b = append(b, byte(lead|u.r>>shift&0x3F))
		lead = 0x80
	}
	return b
}

// pendingFrom are, by how many bytes are missing, the values from which on there
// were two bytes and three: the least of a form of three, and of one of four.
var pendingFrom = [...][]rune{1: {0x800 >> 6, 0x10000 >> 6}, 2: {0x10000 >> 12}, 3: nil}
