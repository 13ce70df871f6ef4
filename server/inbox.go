package server

import (
	"io"
	"sync"
)

// maxUnread bounds input that the handler has not read; then the client waits,
// and behind it the terminal.
const maxUnread = 1 << 20

// inbox holds a client's input until the handler reads it, or hands it on.
type inbox struct {
	mu      sync.Mutex
	changed sync.Cond // any of the fields below
	buf     []byte
	read    int // bytes of buf that were read
	closed  bool
	to      io.Writer // who gets what comes, once buf is empty; nil: nobody, it is read
	passing bool      // to has bytes in hand
	err     error     // of to
}

func newInbox() *inbox {
	i := &inbox{}
	i.changed.L = &i.mu
	return i
}

// put adds input, or hands it on; it blocks while there is too much. After close it
// drops it.
func (i *inbox) put(p []byte) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for !i.closed && (i.passing || i.unread() > 0 && (i.to != nil || i.unread()+len(p) > maxUnread)) {
		i.changed.Wait()
	}
	switch {
	case i.closed:
		return
	case i.to != nil:
		i.pass(p)
		return
	}
	if i.unread() == 0 {
		i.buf, i.read = i.buf[:0], 0
	}
	i.buf = append(i.buf, p...)
	i.changed.Broadcast()
}

// pass hands input on. The lock is held, but not meanwhile.
func (i *inbox) pass(p []byte) {
	var err error
	defer func() { // it may panic
		i.mu.Lock()
		i.passing = false
		if i.err == nil {
			i.err = err
		}
		i.changed.Broadcast()
	}()
	to := i.to
	i.passing = true
	i.mu.Unlock()
	_, err = to.Write(p)
}

// Read takes what is there, at least one byte; io.EOF after close, when all was
// read.
func (i *inbox) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for i.unread() == 0 && !i.closed {
		i.changed.Wait()
	}
	if i.unread() == 0 {
		return 0, io.EOF
	}
	n := copy(p, i.buf[i.read:])
	if i.read += n; i.unread() == 0 && cap(i.buf) > 2*maxPiece {
		i.buf, i.read = nil, 0 // a paste went by
	}
	i.changed.Broadcast()
	return n, nil
}

// WriteTo hands what is there to w, and then what comes in the goroutine that puts it,
// until close or an error of w. It is called once, and nobody reads any more.
func (i *inbox) WriteTo(w io.Writer) (n int64, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.to = w
	for i.err == nil && (i.unread() > 0 || i.passing || !i.closed) {
		if i.unread() == 0 || i.passing {
			i.changed.Wait()
			continue
		}
		b := i.buf[i.read:]
		i.buf, i.read = nil, 0
		n += int64(len(b))
		i.pass(b)
	}
	i.to = nil
	return n, i.err
}

func (i *inbox) unread() int { return len(i.buf) - i.read }

func (i *inbox) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	i.changed.Broadcast()
}
