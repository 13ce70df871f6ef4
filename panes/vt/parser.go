package vt

import (
	"encoding/binary"
	"unicode/utf8"
)

const (
	maxParams = 32    // further parameters of a sequence are dropped
	maxParam  = 65535 // a parameter's greatest value
	maxString = 1 << 20
	// maxControl bounds what is kept of a DCS: only short queries are understood.
	maxControl = 4 << 10
)

type parserState uint8

const (
	stateGround parserState = iota
	stateEscape
	stateEscapeIntermediate
	stateCSI
	stateString       // in an OSC, DCS, APC, PM or SOS
	stateStringEscape // behind an ESC in one
)

// parser splits a stream into text, controls and sequences, as the state machine
// of the VT500 does (Paul Williams, vt100.net/emu/dec_ansi_parser), with colons as
// ECMA-48 has them. Everything is kept between writes, so it does not matter how
// a stream is cut.
type parser struct {
	state  parserState
	kind   byte // what introduced a string: ] P _ ^ X k
	prefix byte // < = > ? of a control sequence, 0 for none
	inter  byte // its intermediate byte, 0 for none
	bad    bool // the sequence is malformed and will be ignored
	bell   bool // the string ended in BEL: so will the answer
	n      int  // how many parameters there are
	params [maxParams]int32
	sub    uint32 // bit i: parameter i was joined to the one before by a colon
	str    []byte
	rune   runeReader
}

// missing stands for a parameter that was not given.
const missing = -1

// Write takes a piece of a program's output, cut anywhere. It always takes all
// of it; the error is always nil.
func (e *Emulator) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		switch e.parser.state {
		case stateGround:
			p = e.ground(p)
		case stateString:
			p = e.collectString(p)
		case stateCSI:
			p = e.collectCSI(p)
		default:
			e.step(p[0])
			p = p[1:]
		}
	}
	return n, nil
}

// ground takes text, controls and simple sequences up to the first ESC of others.
func (e *Emulator) ground(p []byte) []byte {
	for len(p) > 0 {
		c := p[0]
		switch {
		case e.parser.rune.need > 0:
			p = e.finishRune(p)
		case c >= 0x20 && c < 0x7F:
			n := asciiLen(p)
			e.printASCII(p[:n])
			p = p[n:]
		case c == 0x1B:
			if n := e.wholeCSI(p[1:]); n > 0 {
				p = p[1+n:]
				continue
			}
			e.parser.escape()
			return p[1:]
		case c < 0x80:
			e.control(c)
			p = p[1:]
		default:
			if n := e.printPlain(p); n > 0 {
				p = p[n:]
			} else if r, n := utf8.DecodeRune(p); n > 1 {
				e.char(r)
				p = p[n:]
			} else {
				p = e.finishRune(p)
			}
		}
	}
	return nil
}

// asciiLen is how many of the bytes 0x20 to 0x7E p begins with, looked at by eights.
func asciiLen(p []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for len(p)-n >= 8 {
		x := binary.LittleEndian.Uint64(p[n:])
		low := x &^ high // no sum of these carries into the next byte
		if (x|(low+ones)|^(low+0x60*ones))&high != 0 {
			break
		}
		n += 8
	}
	for n < len(p) && p[n]-0x20 < 0x5F {
		n++
	}
	return n
}

// finishRune reads byte by byte where a code point is cut or broken.
func (e *Emulator) finishRune(p []byte) []byte {
	for len(p) > 0 {
		r, taken, done := e.parser.rune.next(p[0])
		if taken {
			p = p[1:]
		}
		if done {
			e.char(r)
			return p
		}
	}
	return p
}

// char takes a code point. C1 controls that came as code points are obeyed where
// they stand alone; the introducers among them are dropped, as their end could
// not be told from text.
func (e *Emulator) char(r rune) {
	if r >= 0x80 && r < 0xA0 {
		if f := escTable[r-0x40]; f != nil && c1Alone[r-0x80] {
			e.last.forget()
			f(e)
		}
		return
	}
	if isReserved(r) {
		r = utf8.RuneError
	}
	e.sets.single = 0 // SS2 and SS3 are for one character, whichever it is
	e.print(r)
}

// c1Alone are IND, NEL, HTS, RI, SS2, SS3, SPA and EPA.
var c1Alone = [32]bool{0x04: true, 0x05: true, 0x08: true, 0x0D: true, 0x0E: true, 0x0F: true, 0x16: true, 0x17: true}

func (p *parser) escape() {
	p.state = stateEscape
	p.prefix, p.inter, p.bad = 0, 0, false
}

// step takes one byte in or behind an escape.
func (e *Emulator) step(c byte) {
	p := &e.parser
	if p.state == stateStringEscape {
		if c == '\\' {
			p.state = stateGround
			e.endString()
			return
		}
		p.str = p.str[:0] // any other sequence cancels the string
		p.escape()
	}
	if c < 0x20 || c == 0x7F {
		e.controlInside(c)
		return
	}
	if p.state == stateEscapeIntermediate {
		if c < 0x30 {
			p.bad = true // no sequence that is known has two
			return
		}
		p.state = stateGround
		if !p.bad {
			e.escIntermediate(p.inter, c)
		}
		return
	}
	switch c {
	case '[':
		p.state, p.n, p.sub = stateCSI, 0, 0
	case ']', 'P', '_', '^', 'X', 'k':
		p.state, p.kind, p.str = stateString, c, p.str[:0]
	default:
		if c < 0x30 {
			p.state, p.inter = stateEscapeIntermediate, c
			return
		}
		p.state = stateGround
		if c < 0x80 {
			if f := escTable[c]; f != nil {
				e.last.forget()
				f(e)
			}
		}
	}
}

// controlInside takes a control in the middle of a sequence: it is obeyed where
// it stands; CAN and SUB end the sequence, ESC begins another.
func (e *Emulator) controlInside(c byte) {
	switch c {
	case 0x18, 0x1A:
		e.parser.state = stateGround
	case 0x1B:
		e.parser.escape()
	default:
		e.control(c)
	}
}

// wholeCSI takes a control sequence behind its ESC if all of it is there and it has
// only numbers and semicolons, as nearly all have, and returns its length; 0: it is
// for the states to take.
func (e *Emulator) wholeCSI(b []byte) int {
	if len(b) < 2 || b[0] != '[' {
		return 0
	}
	p := &e.parser
	n, v := 0, int32(missing)
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c-'0' <= 9:
			v = min(max(v, 0)*10+int32(c-'0'), maxParam)
		case c == ';':
			if n == maxParams-1 {
				return 0
			}
			p.params[n] = v
			n, v = n+1, missing
		case c >= 0x40 && c < 0x7F:
			if n > 0 || v != missing {
				p.params[n] = v
				n++
			}
			p.prefix, p.inter, p.bad = 0, 0, false
			p.n, p.sub = n, 0
			e.csi(c)
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// collectCSI takes a control sequence's bytes up to its final.
func (e *Emulator) collectCSI(b []byte) []byte {
	p := &e.parser
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9':
			p.digit(c)
		case c == ';' || c == ':':
			p.separator(c == ':')
		case c < 0x20 || c == 0x7F:
			e.controlInside(c)
			if p.state != stateCSI {
				return b[i+1:]
			}
		case c < 0x30:
			p.bad = p.bad || p.inter != 0
			p.inter = c
		case c < 0x40:
			p.bad = p.bad || p.n > 0 || p.prefix != 0 || p.inter != 0
			p.prefix = c
		case c < 0x80:
			p.state = stateGround
			p.n = min(p.n, maxParams)
			if !p.bad {
				e.csi(c)
			}
			return b[i+1:]
		default:
			p.bad = true
		}
	}
	return nil
}

func (p *parser) digit(c byte) {
	p.bad = p.bad || p.inter != 0
	p.begin()
	if p.n > maxParams {
		return
	}
	v := &p.params[p.n-1]
	*v = min(max(*v, 0)*10+int32(c-'0'), maxParam)
}

func (p *parser) separator(colon bool) {
	p.bad = p.bad || p.inter != 0
	p.begin()
	if p.n >= maxParams {
		p.n = maxParams + 1
		return
	}
	p.params[p.n] = missing
	if colon {
		p.sub |= 1 << p.n
	}
	p.n++
}

func (p *parser) begin() {
	if p.n == 0 {
		p.params[0] = missing
		p.n = 1
	}
}

// arg is parameter i; one that is missing or 0 is def.
func (p *parser) arg(i, def int) int {
	if i >= p.n || p.params[i] <= 0 {
		return def
	}
	return int(p.params[i])
}

// collectString takes a string's bytes up to what ends it: ST (ESC \), for an OSC
// BEL too, or CAN and SUB, which drop it.
func (e *Emulator) collectString(b []byte) []byte {
	p := &e.parser
	i := 0
	for i < len(b) {
		c := b[i]
		if c == 0x1B || c == 0x18 || c == 0x1A || c == 0x07 && p.kind == ']' {
			break
		}
		i++
	}
	limit := 0
	switch p.kind {
	case ']':
		limit = maxString
	case 'P':
		limit = maxControl
	}
	if len(p.str)+i > limit {
		p.bad = true // too long to be of use, or of no use at all
	} else {
		p.str = append(p.str, b[:i]...)
	}
	if i == len(b) {
		return nil
	}
	switch b[i] {
	case 0x1B:
		p.state, p.bell = stateStringEscape, false
	case 0x07:
		p.state, p.bell = stateGround, true
		e.endString()
	default:
		p.state, p.str = stateGround, p.str[:0]
	}
	return b[i+1:]
}

func (e *Emulator) endString() {
	p := &e.parser
	switch {
	case p.bad:
	case p.kind == ']':
		e.osc(p.str)
	case p.kind == 'P':
		e.dcs(p.str)
	}
	if p.str = p.str[:0]; cap(p.str) > 1<<16 {
		p.str = nil // a large one is rare and need not stay
	}
}
