package panes

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// maxOrder bounds an order, in bytes; exec(2) takes no more than about 6 MB.
const maxOrder = 8 << 20

// errOrder: a shim of its own is started, or says what is wrong.
var errOrder = errors.New("this cannot be ordered from a spare shim")

// Spare is a launch shim that is started before it is known what will be run, in a
// pty of its own: to load our binary once more takes about as long as all else that
// lies between a person and the first prompt. The first Start of a host takes it.
type Spare struct {
	ready chan *child // closed when the shim was started, or could not be
}

// order tells a spare shim what it becomes when its gate opens.
type order struct {
	Dir  string
	Argv []string
	Env  []string
}

// NewSpare starts a shim, by the argv prefix of one, and does not wait for it.
// Close it if nobody may take it.
func NewSpare(shim []string) *Spare {
	s := &Spare{ready: make(chan *child, 1)}
	go func() {
		defer close(s.ready)
		// The program's environment comes with the order. To look up what our own
		// terminal shows would cost the shim a tenth of its start.
		env := append(os.Environ(), "TERM=dumb")
		if c, err := startShim(shim, "/", env, Size{}.clamp()); err == nil {
			s.ready <- c
		}
	}()
	return s
}

// take lets the shim be that of a program; nil: it is taken, or not usable.
func (s *Spare) take(env []string, spec Spec) *child {
	if s == nil {
		return nil
	}
	c := <-s.ready
	if c == nil {
		return nil
	}
	err := errors.Join(c.tty.SetSize(spec.Size), sendOrder(c.gate, order{spec.Dir, spec.Argv, environment(env, spec)}))
	if err != nil {
		c.discard()
		return nil
	}
	return c
}

// Close ends the shim if nobody took it.
func (s *Spare) Close() {
	if c := <-s.ready; c != nil {
		c.discard()
	}
}

// discard ends a child that no terminal has.
func (c *child) discard() {
	_ = c.Gate(false)
	_ = c.tty.Close()
	c.Wait()
}

// sendOrder gives an order: its length, then its strings, which contain no NUL, each
// with one behind it: the folder, how many are the program's, these, the environment.
func sendOrder(w io.Writer, o order) error {
	all := slices.Concat([]string{o.Dir, strconv.Itoa(len(o.Argv))}, o.Argv, o.Env)
	b := []byte{0, 0, 0, 0}
	for _, s := range all {
		if strings.ContainsRune(s, 0) {
			return errOrder
		}
		b = append(append(b, s...), 0)
	}
	if len(b) > maxOrder {
		return errOrder
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	_, err := w.Write(b)
	return err
}

// readOrder reads an order and not a byte more: what follows opens the gate.
func readOrder(r io.Reader) (o order, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return o, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxOrder {
		return o, errOrder
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return o, err
	}
	all := strings.Split(string(b), "\x00")
	if len(all) < 3 {
		return o, errOrder
	}
	argc, err := strconv.Atoi(all[1])
	if err != nil || argc < 1 || argc > len(all)-3 {
		return o, errOrder
	}
	return order{Dir: all[0], Argv: all[2 : 2+argc], Env: all[2+argc : len(all)-1]}, nil
}
