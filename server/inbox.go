package server

import (
	"io"
	"sync"
)

// maxUnread bounds input that the handler has not read; then the client waits,
// and behind it the terminal.
const maxUnread = 1 << 20

// inbox holds a client's input until the handler reads it.
type inbox struct {
	mu      sync.Mutex
	changed sync.Cond // any of the fields below
	buf     []byte
	read    int // bytes of buf that were read
	closed  bool
}

func newInbox() *inbox {
	i := &inbox{}
	i.changed.L = &i.mu
	return i
}

// put adds input; it blocks while there is too much. After close it drops it.
func (i *inbox) put(p []byte) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for !i.closed && i.unread() > 0 && i.unread()+len(p) > maxUnread {
		i.changed.Wait()
	}
	if i.closed {
		return
	}
	if i.unread() == 0 {
		i.buf, i.read = i.buf[:0], 0
	}
	i.buf = append(i.buf, p...)
	i.changed.Broadcast()
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

func (i *inbox) unread() int { return len(i.buf) - i.read }

func (i *inbox) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	i.changed.Broadcast()
}
