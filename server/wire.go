package server

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// Protocol is the number of the wire protocol. It changes when a peer of the
// other number could misread a frame. What never changes, so that each side can
// tell the other why it will not do: a frame's head, the hello's "protocol", the
// layouts of refused, request, reply and failed.
const Protocol = 1

// kind is a frame's type: the first of its five head bytes. The other four are
// the payload's length, big endian.
type kind byte

// The kinds. From the client:
const (
	kindHello     kind = 'H' // JSON: helloFrame; the first frame of a client, the tty's descriptor beside it
	kindRequest   kind = 'Q' // one byte of length, the verb, the verb's payload; the first and only frame of a request
	kindInput     kind = 'I' // what the terminal said
	kindResize    kind = 'R' // columns, rows: uint16 each
	kindDetach    kind = 'D' // the client wants to go
	kindSuspended kind = 'Z' // the client is about to stop itself, its terminal is as it was found
	kindResumed   kind = 'W' // columns, rows: the client goes on and shows nothing until it has seen awake
	kindBye       kind = 'B' // the client has put its terminal right and goes
	kindLend      kind = 'L' // the terminal is raw now: the server may read and write it
	kindGive      kind = 'G' // the client wants its terminal back
)

// From the server:
const (
	kindAccepted kind = 'A' // JSON: acceptedFrame
	kindRefused  kind = 'N' // text: a sentence for the person
	kindOutput   kind = 'O' // bytes for the terminal
	kindSuspend  kind = 'S' // the client shall stop itself
	kindAwake    kind = 'w' // answers resumed: what follows is meant for the resumed client
	kindDetached kind = 'X' // status, flags, text
	kindBack     kind = 'Y' // one byte: the server is out of the terminal; 1: an answer of it is still to come
	kindGone     kind = 'U' // the terminal that was lent is hung up
	kindReply    kind = 'P' // what a verb returned
	kindFailed   kind = 'F' // text: why a verb failed
)

// Bounds of payloads, in bytes.
const (
	maxPiece   = 32 << 10 // input and output, which are cut
	maxHello   = 256 << 10
	maxText    = 4 << 10
	maxVerb    = 255
	MaxPayload = 16 << 20 // of a request and of its reply
)

// payloads bounds what a frame of each kind may carry.
var payloads = map[kind]struct{ min, max int }{
	kindHello:     {2, maxHello},
	kindRequest:   {1, 1 + maxVerb + MaxPayload},
	kindInput:     {1, maxPiece},
	kindResize:    {sizeBytes, sizeBytes},
	kindDetach:    {0, 0},
	kindSuspended: {0, 0},
	kindResumed:   {sizeBytes, sizeBytes},
	kindBye:       {0, 0},
	kindLend:      {0, 0},
	kindGive:      {0, 0},
	kindAccepted:  {2, maxHello},
	kindRefused:   {0, maxText},
	kindOutput:    {1, maxPiece},
	kindSuspend:   {0, 0},
	kindAwake:     {0, 0},
	kindDetached:  {2, 2 + maxText},
	kindBack:      {1, 1},
	kindGone:      {0, 0},
	kindReply:     {0, MaxPayload},
	kindFailed:    {0, maxText},
}

// errWire is what every error about bytes that are no frames wraps: the peer is
// none of ours, or out of step.
var errWire = errors.New("not this protocol")

const headBytes = 5

// frame is one message. Its payload is the decoder's, until the next frame.
type frame struct {
	kind    kind
	payload []byte
}

// decoder reads frames. It holds no more memory than has arrived.
type decoder struct {
	r     io.Reader
	admit func(kind) error // asked before a payload is read; may be nil
	head  [headBytes]byte
	buf   []byte
}

// next reads a frame. io.EOF: the stream ended between two; any other error ends
// it as well.
func (d *decoder) next() (frame, error) {
	if _, err := io.ReadFull(d.r, d.head[:]); err != nil {
		return frame{}, err
	}
	k, n := kind(d.head[0]), binary.BigEndian.Uint32(d.head[1:])
	bounds, known := payloads[k]
	switch {
	case !known:
		return frame{}, fmt.Errorf("frame of kind %#x: %w", byte(k), errWire)
	case n < uint32(bounds.min) || n > uint32(bounds.max):
		return frame{}, fmt.Errorf("frame %q of %d bytes: %w", byte(k), n, errWire)
	}
	if d.admit != nil {
		if err := d.admit(k); err != nil {
			return frame{}, err
		}
	}
	if err := d.fill(int(n)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	return frame{k, d.buf}, nil
}

// fill reads n bytes into buf. A length is only a claim: the buffer grows with
// what comes.
func (d *decoder) fill(n int) error {
	d.buf = d.buf[:0]
	for len(d.buf) < n {
		have := len(d.buf)
		step := min(n-have, max(have, maxPiece))
		if cap(d.buf)-have < step {
			grown := make([]byte, have, have+step)
			copy(grown, d.buf)
			d.buf = grown
		}
		d.buf = d.buf[:have+step]
		got, err := io.ReadFull(d.r, d.buf[have:])
		if err != nil {
			d.buf = d.buf[:have+got]
			return err
		}
	}
	return nil
}

// appendFrame appends a whole frame to b. The payload's length must be within the
// kind's bounds.
func appendFrame(b []byte, k kind, payload []byte) []byte {
	b = append(b, byte(k))
	b = binary.BigEndian.AppendUint32(b, uint32(len(payload)))
	return append(b, payload...)
}

// restOfFrame is how many bytes behind the first done ones of b, which holds
// whole frames, belong to a frame that has begun.
func restOfFrame(b []byte, done int) int {
	end := 0
	for end < done {
		end += headBytes + int(binary.BigEndian.Uint32(b[end+1:]))
	}
	return end - done
}

// Size is a terminal's size in cells, 1 to MaxCells each.
type Size struct{ Cols, Rows int }

// MaxCells bounds a terminal's columns and rows as a client claims them: grids of
// that size are allocated.
const MaxCells = 2000

const sizeBytes = 4

func (s Size) clamped() Size {
	return Size{Cols: min(max(s.Cols, 1), MaxCells), Rows: min(max(s.Rows, 1), MaxCells)}
}

func (s Size) bytes() []byte {
	s = s.clamped()
	b := binary.BigEndian.AppendUint16(nil, uint16(s.Cols))
	return binary.BigEndian.AppendUint16(b, uint16(s.Rows))
}

// parseSize reads what the bounds of the kind made four bytes.
func parseSize(b []byte) Size {
	return Size{Cols: int(binary.BigEndian.Uint16(b)), Rows: int(binary.BigEndian.Uint16(b[2:]))}.clamped()
}

// Hello is what a client says of itself.
type Hello struct {
	Version  string   // of the program, for people
	Build    string   // which binary it is
	Size     Size     // of its terminal
	Profile  string   // what colours its terminal shows, in the caller's words
	Term     string   // its TERM
	Env      []string // chosen variables, NAME=value
	Dir      string   // where it was started
	Args     []string // what it was asked to show
	ReadOnly bool     // what it sends shall change nothing; the handler sees to that
}

// helloFrame is the hello on the wire.
type helloFrame struct {
	Protocol int
	Hello
	Termios *unix.Termios // of its terminal, as found
	Lends   bool          // the server may read and write the descriptor beside this, from kindLend on
}

func parseHello(b []byte) (helloFrame, error) {
	var h helloFrame
	if err := json.Unmarshal(b, &h); err != nil {
		// A hello of another protocol may have other fields: its number is what counts.
		var other struct{ Protocol int }
		if json.Unmarshal(b, &other) == nil && other.Protocol != Protocol {
			return helloFrame{Protocol: other.Protocol}, nil
		}
		return helloFrame{}, fmt.Errorf("hello: %w", errWire)
	}
	h.Size = h.Size.clamped()
	return h, nil
}

// acceptedFrame is the server's answer to a hello.
type acceptedFrame struct {
	Version string
	Reset   string // what puts the terminal's modes right
	Borrows bool   // the server reads and writes the terminal itself
}

// Farewell is how an attachment ended.
type Farewell struct {
	Status  int    // for the client's exit, 0 to 255
	Message string // for the person; empty when a signal ended the client
	// Again: the client may attach again at once, the server goes on as another
	// program. Message then says to what, in the handler's words.
	Again bool
}

// Flags of a farewell.
const (
	detachedTidy  = 1 << iota // the output already put the terminal's modes back
	detachedAgain             // see Farewell.Again
)

func appendDetached(b []byte, f Farewell, tidy bool) []byte {
	p := []byte{byte(min(max(f.Status, 0), 255)), 0}
	if tidy {
		p[1] |= detachedTidy
	}
	if f.Again {
		p[1] |= detachedAgain
	}
	return appendFrame(b, kindDetached, append(p, text(f.Message)...))
}

// parseDetached reads what the bounds of the kind made at least two bytes.
func parseDetached(b []byte) (f Farewell, tidy bool) {
	f = Farewell{Status: int(b[0]), Message: printable(b[2:]), Again: b[1]&detachedAgain != 0}
	return f, b[1]&detachedTidy != 0
}

func appendRequest(b []byte, verb string, payload []byte) []byte {
	p := make([]byte, 0, 1+len(verb)+len(payload))
	p = append(append(append(p, byte(len(verb))), verb...), payload...)
	return appendFrame(b, kindRequest, p)
}

func parseRequest(b []byte) (verb string, payload []byte, err error) {
	n := int(b[0])
	if len(b) < 1+n {
		return "", nil, fmt.Errorf("request: %w", errWire)
	}
	return string(b[1 : 1+n]), b[1+n:], nil
}

// text is a message as a frame carries it.
func text(s string) []byte {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText-len("…")-utf8.UTFMax], "") + "…"
	}
	return []byte(s)
}

// printable is a peer's text without what a terminal would obey.
func printable(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), "�"))
}
