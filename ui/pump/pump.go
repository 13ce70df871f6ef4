// Package pump cuts what a client's terminal sends into events: each with its
// meaning, as uv.EventDecoder reads it, and with the bytes themselves.
//
// It stands in for Bubble Tea's own reader, which holds complete two-byte
// sequences back until the line is silent (a held alt+b types nothing), loses
// bytes of pastes, and makes a message of every character that is pasted
// without marks.
//
// A Pump belongs to one goroutine. Memory is bounded whatever arrives.
package pump

import (
	"bytes"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// Event is one thing that the terminal said.
type Event struct {
	// Raw is the event's bytes; of a paste, the pasted bytes without the marks.
	// It belongs to the receiver.
	Raw []byte
	// Ev is the meaning; nil for a paste. It is never a uv.MultiEvent.
	//
	// A report of the cursor's position in the first row has the form of F3 with
	// modifiers and is taken for that: only who asked knows better.
	//
	// Text that came too fast to be typed is one uv.KeyPressEvent of code
	// uv.KeyExtended, with the text as it came: it may hold line ends and tabs.
	Ev uv.Event
	// Paste marks a piece of a bracketed paste: at most MaxPiece bytes, never
	// ending between CR and LF, and the mark that ends the paste is never inside.
	// The first event of a paste has Start and no bytes, the last one has End.
	Paste, Start, End bool
}

const (
	// EscapeTime is how long an ESC (or ESC [, which is also alt+[) waits for the
	// rest of a sequence before it is taken for a key.
	EscapeTime = 25 * time.Millisecond
	// SequenceTime is how long a sequence that can be nothing else waits. It is
	// long because the rest is on its way and would be read as typed keys.
	SequenceTime = time.Second
	// MaxPiece is the longest piece of a paste, and of text too fast to be typed.
	MaxPiece = 32 << 10

	// maxString is where a string (OSC, DCS, APC) is given up; the rest of it is
	// swallowed.
	maxString = 1 << 20
	// maxCSI is longer than any sequence of keys or reports; the rest of a longer
	// one is swallowed.
	maxCSI = 4096
	// runLength is the shortest run of text in one read that is not typing: four
	// seconds of a held key that a stuck connection delivers at once.
	runLength = 128
	// runHead is how many characters of a run are still keys of their own, so that
	// a prefix key before it meets one key.
	runHead = 16
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Pump is a tokenizer. Use New.
type Pump struct {
	emit func(Event)
	dec  uv.EventDecoder

	state state
	tok   []byte // the token so far; empty in ground
	need  int    // bytes that a state with a known length still waits for
	// held is the tail of a paste that may belong to the end mark or to a CR LF.
	held []byte
}

// New makes a Pump that hands its events to emit, in order, from within Feed and
// Timeout.
func New(emit func(Event)) *Pump { return &Pump{emit: emit} }

// Feed takes the next bytes. Afterwards Wait says whether the caller must call
// Timeout unless more bytes come first.
func (p *Pump) Feed(b []byte) {
	for len(b) > 0 {
		switch p.state {
		case paste:
			b = p.pasted(b)
		case ground:
			b = p.text(b)
		case body:
			b = p.string(b)
		default:
			b = p.step(b)
		}
	}
}

// Wait is how long to wait for more bytes before Timeout; 0: nothing is held
// back. A paste may pause as long as it likes.
func (p *Pump) Wait() time.Duration {
	switch {
	case p.state == ground || p.state == paste:
		return 0
	case p.ambiguous():
		return EscapeTime
	}
	return SequenceTime
}

// Timeout hands out what is held back as it stands: a lone ESC is the esc key.
func (p *Pump) Timeout() {
	switch {
	case p.state == ground || p.state == paste:
	case p.ambiguous():
		p.finish()
	default:
		p.broken()
	}
}

// Close hands out what is left at the end of the input.
func (p *Pump) Close() {
	p.Timeout()
	if p.state == paste {
		p.emit(Event{Raw: p.held, Paste: true, End: true})
		p.held, p.state = nil, ground
	}
}

// ambiguous reports whether what is held back is also a key by itself: esc, alt
// with a character that introduces sequences, or what urxvt sends for shift with
// an editing key (CSI number $).
func (p *Pump) ambiguous() bool {
	switch p.state {
	case escape:
		return true
	case control:
		return p.tok[len(p.tok)-1] == '[' || urxvtShift(p.tok)
	case single, body:
		return p.tok[len(p.tok)-2] == esc
	}
	return false
}

// urxvtShift reports whether tok is CSI number $. A report of a mode ends so too
// before its last byte, but has a prefix.
func urxvtShift(tok []byte) bool {
	n := len(tok) - 1
	return n >= 3 && n <= 4 && tok[n] == '$' && tok[2] >= '0' && tok[2] <= '9' && tok[n-1] >= '0' && tok[n-1] <= '9'
}

// finish emits the token as an event.
func (p *Pump) finish() {
	raw := bytes.Clone(p.tok)
	p.tok, p.state, p.need = p.tok[:0], ground, 0
	if cap(p.tok) > MaxPiece {
		p.tok = nil // do not keep a rare long string's memory
	}
	if string(raw) == pasteStart {
		p.state = paste
		p.emit(Event{Paste: true, Start: true})
		return
	}
	p.decode(raw)
}

// broken emits the token as bytes without a meaning.
func (p *Pump) broken() {
	raw := bytes.Clone(p.tok)
	giveUp := p.state == swallow || p.state == swallowEsc || p.state == swallowCSI
	p.tok, p.state, p.need = p.tok[:0], ground, 0
	if !giveUp {
		p.emit(Event{Raw: raw, Ev: uv.UnknownEvent(raw)})
	}
}

// text takes bytes at a token's start.
func (p *Pump) text(b []byte) []byte {
	if run := textRun(b); run >= runLength {
		head := 0
		for range runHead {
			_, n := utf8.DecodeRune(b[head:])
			p.decode(bytes.Clone(b[head : head+n]))
			head += n
		}
		for rest := b[head:run]; len(rest) > 0; {
			n := cutText(rest, MaxPiece)
			s := string(rest[:n])
			p.emit(Event{Raw: []byte(s), Ev: uv.KeyPressEvent{Code: uv.KeyExtended, Text: s}})
			rest = rest[n:]
		}
		return b[run:]
	}
	return p.step(b)
}

// textRun is the length of the text that b begins with: whole characters, line
// ends and tabs. It gives up where a run could not be long any more.
func textRun(b []byte) int {
	if len(b) < runLength {
		return 0
	}
	i := 0
	for i < len(b) {
		switch c := b[i]; {
		case c >= ' ' && c < 0x7f, c == '\r', c == '\n', c == '\t':
			i++
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError || r < 0xa0 {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return i
}

// cutText is the length of the longest head of b, at most limit, that ends
// between characters.
func cutText(b []byte, limit int) int {
	if len(b) <= limit {
		return len(b)
	}
	for !utf8.RuneStart(b[limit]) {
		limit--
	}
	return limit
}

// pasted takes bytes within a paste.
func (p *Pump) pasted(b []byte) []byte {
	if len(p.held) > 0 {
		// Only a tail is held, so this copies once for each read.
		b = append(p.held, b...)
		p.held = nil
	}
	if i := bytes.Index(b, []byte(pasteEnd)); i >= 0 {
		rest := b[i+len(pasteEnd):]
		p.state = ground
		p.pieces(b[:i], true)
		return rest
	}
	keep := pasteTail(b)
	p.held = bytes.Clone(b[len(b)-keep:])
	p.pieces(b[:len(b)-keep], false)
	return nil
}

// pasteTail is how many bytes at b's end may belong to what comes next.
func pasteTail(b []byte) int {
	for k := min(len(pasteEnd)-1, len(b)); k > 0; k-- {
		if bytes.HasPrefix([]byte(pasteEnd), b[len(b)-k:]) {
			return k
		}
	}
	if len(b) > 0 && b[len(b)-1] == '\r' {
		return 1
	}
	return 0
}

func (p *Pump) pieces(b []byte, end bool) {
	for len(b) > MaxPiece {
		n := MaxPiece
		if b[n-1] == '\r' {
			n--
		}
		p.emit(Event{Raw: bytes.Clone(b[:n]), Paste: true})
		b = b[n:]
	}
	if len(b) > 0 || end {
		p.emit(Event{Raw: bytes.Clone(b), Paste: true, End: end})
	}
}
