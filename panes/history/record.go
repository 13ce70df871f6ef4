package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"reprise/panes"
)

// MaxText is the longest text that is ever read back, in bytes.
const MaxText = 16 << 20

// Why a history cannot be read.
var (
	// ErrDamaged: it is cut short, changed, or nothing of ours.
	ErrDamaged = errors.New("saved scrollback is damaged")
	// ErrNewer: a newer version of this program wrote it.
	ErrNewer = errors.New("saved scrollback is of a newer version")
)

// Record is what a pane showed at a time.
type Record struct {
	At   time.Time // when it was saved, to the millisecond; read back in UTC
	Cols int       // how wide the pane was, 1 to panes.MaxSide
	Text []byte    // lines, each self-contained: they are cut off at the front
}

// A file is two frames of zstd: a skippable one, which is the header, and the
// text's. So any zstd shows the text.
//
//	magic number of a skippable frame, length of what follows: uint32 each
//	"reprise", a zero byte
//	version, columns: uint16 each
//	length of the text: uint32
//	time: int64, milliseconds since 1970
//	the text's frame, with its checksum
//
// Numbers are little-endian, as zstd's are.
const (
	skippable = 0x184D2A5E
	magic     = "reprise\x00"
	version   = 1

	bodySize   = len(magic) + 2 + 2 + 4 + 8
	headerSize = 8 + bodySize
	// maxFile leaves room for text that cannot be compressed.
	maxFile = MaxText + 64<<10
	maxTime = 253402300800000 // the year 10000
)

// codec has coders for use again. They have tables of some MiB: the collector may
// take them between two saves.
type codec struct{ encoders, decoders sync.Pool }

func (c *codec) encode(r Record) ([]byte, error) {
	w, _ := c.encoders.Get().(*zstd.Encoder)
	if w == nil {
		var err error
		w, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, err
		}
	}
	defer c.encoders.Put(w)
	le := binary.LittleEndian
	b := make([]byte, 0, headerSize+len(r.Text)/8)
	b = le.AppendUint32(b, skippable)
	b = le.AppendUint32(b, uint32(bodySize))
	b = append(b, magic...)
	b = le.AppendUint16(b, version)
	b = le.AppendUint16(b, uint16(min(max(r.Cols, 1), panes.MaxSide)))
	b = le.AppendUint32(b, uint32(len(r.Text)))
	b = le.AppendUint64(b, uint64(r.At.UnixMilli()))
	return w.EncodeAll(r.Text, b), nil
}

// decode reads a file. It takes no more memory than the file and the text that it
// promises, which is at most MaxText.
func (c *codec) decode(b []byte) (Record, error) {
	le := binary.LittleEndian
	if len(b) < headerSize || le.Uint32(b) != skippable || string(b[8:8+len(magic)]) != magic {
		return Record{}, fmt.Errorf("%w: no header", ErrDamaged)
	}
	h := b[8+len(magic):]
	if v := le.Uint16(h); v > version {
		return Record{}, fmt.Errorf("%w: %d", ErrNewer, v)
	}
	r := Record{Cols: int(le.Uint16(h[2:]))}
	size, at := le.Uint32(h[4:]), int64(le.Uint64(h[8:]))
	if le.Uint16(h) == 0 || le.Uint32(b[4:]) != uint32(bodySize) || r.Cols < 1 || r.Cols > panes.MaxSide ||
		size > MaxText || at < 0 || at >= maxTime {
		return Record{}, fmt.Errorf("%w: the header makes no sense", ErrDamaged)
	}
	r.At = time.UnixMilli(at).UTC()
	d, _ := c.decoders.Get().(*zstd.Decoder)
	if d == nil {
		var err error
		d, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxText),
			zstd.WithDecoderMaxWindow(MaxText), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return Record{}, err
		}
	}
	defer c.decoders.Put(d)
	text, err := d.DecodeAll(b[headerSize:], make([]byte, 0, size))
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(text) != int(size) {
		return Record{}, fmt.Errorf("%w: %d bytes of text instead of %d", ErrDamaged, len(text), size)
	}
	r.Text = text
	return r, nil
}

// newest is the end of a text, at most n bytes, from the start of a line; of a
// single line, from the start of a character.
func newest(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	at := len(text) - n
	if nl := bytes.IndexByte(text[at-1:], '\n'); nl >= 0 && at+nl < len(text) {
		return text[at+nl:]
	}
	for range utf8.UTFMax - 1 {
		if at+1 < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
	}
	return text[at:]
}
