package panes

import "sync"

// watch wakes subscribers. A wake carries nothing and is never queued twice:
// who is woken asks for the state. The zero watch is ready. It is a leaf in the
// lock order.
type watch struct {
	mu   sync.Mutex
	subs map[chan struct{}]struct{} // guarded by mu
}

func (w *watch) subscribe() (<-chan struct{}, func()) {
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

func (w *watch) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.subs {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}
