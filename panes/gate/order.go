package gate

import (
	"errors"
	"io"
	"strconv"
	"syscall"
)

// maxOrder bounds an order, in bytes; exec(2) takes no more than about 6 MB.
const maxOrder = 8 << 20

// Errors of orders.
var (
	// ErrOrder: no shim can become this.
	ErrOrder = errors.New("its folder, arguments or environment contain a NUL or are too long")

	errClosed = errors.New("the gate was closed")
)

// Order tells a shim what it becomes when its gate opens.
type Order struct {
	Dir  string // "": where the shim is
	Argv []string
	Env  []string
}

// Send gives an order: its length in four bytes, the largest first, then its strings, which
// contain no NUL, each with one behind it: the folder, how many are the program's, these,
// the environment.
func (o Order) Send(w io.Writer) error {
	b := make([]byte, 4, 4<<10)
	whole := true
	add := func(s string) {
		for i := range len(s) {
			whole = whole && s[i] != 0
		}
		b = append(append(b, s...), 0)
	}
	add(o.Dir)
	add(strconv.Itoa(len(o.Argv)))
	for _, s := range o.Argv {
		add(s)
	}
	for _, s := range o.Env {
		add(s)
	}
	n := len(b) - 4
	if !whole || n > maxOrder {
		return ErrOrder
	}
	b[0], b[1], b[2], b[3] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
	_, err := w.Write(b)
	return err
}

// readOrder reads an order and not a byte more: what follows opens the gate.
func readOrder(p pipe) (o Order, err error) {
	var head [4]byte
	if err := p.readFull(head[:]); err != nil {
		return o, err
	}
	n := int(head[0])<<24 | int(head[1])<<16 | int(head[2])<<8 | int(head[3])
	if n > maxOrder {
		return o, ErrOrder
	}
	b := make([]byte, n)
	if err := p.readFull(b); err != nil {
		return o, err
	}
	return parseOrder(b)
}

func parseOrder(b []byte) (o Order, err error) {
	var all []string
	for at := 0; at < len(b); {
		if b[at] != 0 {
			at++
			continue
		}
		all = append(all, string(b[:at]))
		b, at = b[at+1:], 0
	}
	if len(b) > 0 || len(all) < 3 { // the last one has no end, or there is no program
		return o, ErrOrder
	}
	argc, err := strconv.Atoi(all[1])
	if err != nil || argc < 1 || argc > len(all)-2 {
		return o, ErrOrder
	}
	return Order{Dir: all[0], Argv: all[2 : 2+argc], Env: all[2+argc:]}, nil
}

// pipe is the end of a pipe to read from.
type pipe int

// readFull reads until b is full. errClosed: the pipe ended before.
func (p pipe) readFull(b []byte) error {
	for len(b) > 0 {
		n, err := syscall.Read(int(p), b)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return err
		case n <= 0:
			return errClosed
		default:
			b = b[n:]
		}
	}
	return nil
}
