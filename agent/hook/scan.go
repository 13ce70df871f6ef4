package hook

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"sync"
)

// Bounds of a payload: claude's holds whole messages and tool outputs, of which
// we want a few short words.
const (
	payloadMax = 16 << 20 // bytes read
	keyMax     = 64       // bytes of a key, with its quotes
	valueMax   = 1024     // bytes of a value that is kept
	fieldsMax  = 64       // values that are kept
)

// Fields are the scalars at the top level of a payload, as they were written.
type Fields = map[string]json.RawMessage

var errNotJSON = errors.New("not a JSON object")

// scanner reads the top-level scalars of one JSON object and skips everything
// else without keeping it. Safe for concurrent use of run and fields: on a slow
// pipe the caller takes what came so far.
type scanner struct {
	r *bufio.Reader

	mu    sync.Mutex
	found Fields // guarded by mu
}

func newScanner(r io.Reader) *scanner {
	return &scanner{r: bufio.NewReaderSize(io.LimitReader(r, payloadMax), 32<<10), found: Fields{}}
}

// fields is a copy of what was found so far.
func (s *scanner) fields() Fields {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.found)
}

// run reads to the end of the object, not of the stream: not every agent closes
// the pipe.
func (s *scanner) run() error {
	if c, err := s.next(); err != nil || c != '{' {
		return errNotJSON
	}
	for {
		c, err := s.next()
		if err != nil || c == '}' {
			return err
		}
		if c == ',' {
			continue
		}
		if c != '"' {
			return errNotJSON
		}
		key, err := s.text(keyMax)
		if err != nil {
			return err
		}
		if c, err = s.next(); err != nil || c != ':' {
			return errNotJSON
		}
		value, err := s.value()
		if err != nil {
			return err
		}
		s.keep(key, value)
	}
}

// keep stores one scalar; what was cut off or is malformed is not.
func (s *scanner) keep(key, value []byte) {
	var name string
	if value == nil || json.Unmarshal(key, &name) != nil || !json.Valid(value) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.found[name]; again || len(s.found) < fieldsMax {
		s.found[name] = value
	}
}

// next is the next byte that is no white space.
func (s *scanner) next() (byte, error) {
	for {
		c, err := s.r.ReadByte()
		if err != nil || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c, err
		}
	}
}

// value reads one value: a scalar is returned, nil stands for a skipped one.
func (s *scanner) value() ([]byte, error) {
	c, err := s.next()
	switch {
	case err != nil:
		return nil, err
	case c == '"':
		return s.text(valueMax)
	case c == '{' || c == '[':
		return nil, s.skip()
	}
	var out []byte
	for ; err == nil; c, err = s.r.ReadByte() {
		if c == ',' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			return out, s.r.UnreadByte()
		}
		if len(out) == keyMax { // no number or word is that long
			return nil, errNotJSON
		}
		out = append(out, c)
	}
	return nil, err
}

// text reads the rest of a string whose opening quote was read, and returns it
// with its quotes, or nil if it is longer than limit.
func (s *scanner) text(limit int) ([]byte, error) {
	out := []byte{'"'}
	for escaped := false; ; {
		c, err := s.r.ReadByte()
		if err != nil {
			return nil, err
		}
		if len(out) > limit {
			out = out[:limit+1] // too long: only its end matters
		}
		out = append(out, c)
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			if len(out) > limit {
				return nil, nil
			}
			return out, nil
		}
	}
}

// skip reads to the end of an object or a list whose opening was read.
func (s *scanner) skip() error {
	for depth := 1; depth > 0; {
		c, err := s.r.ReadByte()
		if err != nil {
			return err
		}
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			if _, err := s.text(0); err != nil {
				return err
			}
		}
	}
	return nil
}
