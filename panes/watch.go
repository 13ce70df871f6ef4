package panes

import "sync"

// Watch wakes subscribers. A wake carries nothing and is never queued twice: who is
// woken asks for the state. The zero Watch is ready. Safe for concurrent use, also
// under other locks: its own is a leaf in the lock order.
type Watch struct {
	mu   sync.Mutex
	subs map[chan struct{}]struct{} // guarded by mu
}

// Subscribe returns a channel of capacity one that Wake signals until cancel is
// called; it is never closed.
func (w *Watch) Subscribe() (wake <-chan struct{}, cancel func()) {
	ch := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.subs == nil {
		w.subs = map[chan struct{}]struct{}{}
	}
	w.subs[ch] = struct{}{}
	return ch, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.subs, ch)
	}
}

// Wake signals every subscriber that has no signal waiting. It does not block.
func (w *Watch) Wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.subs {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}
