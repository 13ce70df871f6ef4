package pump

import "unicode/utf8"

// state is where in a token the pump is.
type state uint8

const (
	ground     state = iota
	escape           // after ESC, or ESC ESC
	control          // in CSI: parameters and intermediates
	single           // after SS3: digits, then one character
	coords           // in the legacy mouse report: need bytes of any value
	linux            // after ESC [ [: one character
	letter           // in a UTF-8 sequence: need continuation bytes
	body             // in a string
	bodyEsc          // after an ESC in a string
	swallow          // in a string that became too long
	swallowEsc       // after an ESC there
	swallowCSI       // in a control sequence that became too long
	paste
)

const (
	esc = 0x1b
	bel = 0x07
	can = 0x18
	sub = 0x1a
)

// step takes one byte or, where it cannot belong to the token, ends the token and
// leaves the byte. It always makes progress: a state that leaves a byte goes back
// to ground or escape.
func (p *Pump) step(b []byte) []byte {
	c := b[0]
	switch p.state {
	case ground:
		p.begin(c)
	case escape:
		return p.afterEscape(b)
	case control:
		return p.inControl(b)
	case single:
		return p.inSingle(b)
	case coords:
		p.take(c)
		if p.need--; p.need == 0 {
			p.finish()
		}
	case linux:
		p.take(c)
		p.finish()
	case letter:
		if c&0xc0 != 0x80 {
			p.broken()
			return b
		}
		p.take(c)
		if p.need--; p.need == 0 {
			p.finishLetter()
		}
	case bodyEsc:
		return p.afterBody(b)
	case swallow, swallowEsc:
		p.swallowed(c)
	case swallowCSI:
		if c < 0x20 || c >= 0x7f {
			p.state = ground
			return b
		}
		if c >= 0x40 {
			p.state = ground
		}
	}
	return b[1:]
}

func (p *Pump) take(c byte) { p.tok = append(p.tok, c) }

// enter takes c as the first byte of something that goes on.
func (p *Pump) enter(c byte, s state) {
	p.take(c)
	p.state = s
}

// begin takes a token's first byte, or the one that alt's ESC stands before.
func (p *Pump) begin(c byte) {
	switch n := letterLength(c); {
	case c == esc:
		p.enter(c, escape)
	case n > 1:
		p.need = n - 1
		p.enter(c, letter)
	case n == 0: // no character begins so
		p.take(c)
		p.broken()
	default:
		p.take(c)
		p.finish()
	}
}

// letterLength is how many bytes a UTF-8 sequence that begins with c has; 0: none
// begins so.
func letterLength(c byte) int {
	switch {
	case c < utf8.RuneSelf:
		return 1
	case c >= 0xc2 && c <= 0xdf:
		return 2
	case c >= 0xe0 && c <= 0xef:
		return 3
	case c >= 0xf0 && c <= 0xf4:
		return 4
	}
	return 0
}

func (p *Pump) finishLetter() {
	i := 0
	for p.tok[i] == esc {
		i++
	}
	if r, n := utf8.DecodeRune(p.tok[i:]); r == utf8.RuneError && n <= 1 || r < 0xa0 {
		p.broken()
		return
	}
	p.finish()
}

// afterEscape decides by the byte behind ESC. PM and SOS (ESC ^, ESC X) are not
// among the introducers: no terminal sends them, and alt+^ must not wait.
func (p *Pump) afterEscape(b []byte) []byte {
	c := b[0]
	switch c {
	case esc:
		if len(p.tok) == 2 {
			// The third in a row: the first one was a key.
			p.tok = p.tok[:1]
			p.finish()
			p.tok, p.state = append(p.tok, esc), escape
		}
		p.take(c)
	case '[':
		p.enter(c, control)
	case 'O':
		p.enter(c, single)
	case ']', 'P', '_':
		p.enter(c, body)
	default:
		p.begin(c)
	}
	return b[1:]
}

func (p *Pump) inControl(b []byte) []byte {
	c := b[0]
	last := p.tok[len(p.tok)-1]
	first := last == '[' && p.tok[len(p.tok)-2] == esc
	switch {
	case c >= 0x30 && c <= 0x3f && (last < 0x20 || last > 0x2f), c >= 0x20 && c <= 0x2f:
		p.take(c)
		if len(p.tok) > maxCSI {
			p.tok, p.state = p.tok[:0], swallowCSI
		}
	case first && c == 'M':
		p.need = 3
		p.enter(c, coords)
	case first && c == '[':
		p.enter(c, linux)
	case c >= 0x40 && c <= 0x7e:
		p.take(c)
		p.finish()
	case p.ambiguous():
		p.finish()
		return b
	default:
		p.broken()
		return b
	}
	return b[1:]
}

func (p *Pump) inSingle(b []byte) []byte {
	c := b[0]
	switch {
	case c >= '0' && c <= '9' && len(p.tok) < 8:
		p.take(c)
	case c > 0x20 && c < 0x7f:
		p.take(c)
		p.finish()
	case p.ambiguous(): // alt+O, then something else
		p.finish()
		return b
	default:
		p.broken()
		return b
	}
	return b[1:]
}

// string takes a string's bytes in one go.
func (p *Pump) string(b []byte) []byte {
	introducer := p.tok[len(p.tok)-1]
	if p.ambiguous() && !repliesBegin(introducer, b[0]) {
		p.finish() // alt+] or alt+P or alt+_, and then something else
		return b
	}
	osc := stringIntroducer(p.tok) == ']'
	for i, c := range b {
		if c != esc && c != can && c != sub && (c != bel || !osc) {
			continue
		}
		if !p.takeBody(b[:i]) {
			return b[i:]
		}
		p.take(c)
		if c == esc {
			p.state = bodyEsc
		} else {
			p.finish()
		}
		return b[i+1:]
	}
	p.takeBody(b)
	return nil
}

// takeBody is false when the string became too long.
func (p *Pump) takeBody(b []byte) bool {
	if len(p.tok)+len(b) > maxString {
		p.tok, p.state = nil, swallow
		return false
	}
	p.tok = append(p.tok, b...)
	return true
}

func stringIntroducer(tok []byte) byte {
	i := 0
	for tok[i] == esc {
		i++
	}
	return tok[i]
}

// repliesBegin reports whether a terminal's answer can go on with c. Answers
// begin with a number, or for DCS with a request's marks, for OSC with the l or L
// of a title, for APC with kitty's G; a person who typed alt+] goes on otherwise.
func repliesBegin(introducer, c byte) bool {
	if c >= '0' && c <= '9' {
		return introducer != '_'
	}
	switch introducer {
	case ']':
		return c == 'l' || c == 'L'
	case 'P':
		return c == '>' || c == '!' || c == '$' || c == '+' || c == '|' || c == '?'
	}
	return c == 'G'
}

// afterBody decides by the byte behind an ESC in a string.
func (p *Pump) afterBody(b []byte) []byte {
	if b[0] == '\\' {
		p.take(b[0])
		p.finish()
		return b[1:]
	}
	// A new sequence began: the string never ended.
	p.tok = p.tok[:len(p.tok)-1]
	p.broken()
	p.enter(esc, escape)
	return b
}

func (p *Pump) swallowed(c byte) {
	switch {
	case c == bel || c == can || c == sub || p.state == swallowEsc && c == '\\':
		p.state = ground
	case c == esc:
		p.state = swallowEsc
	default:
		p.state = swallow
	}
}
