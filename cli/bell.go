package cli

import "sync"

// bell wakes whoever subscribed to it; it carries nothing. The zero bell is ready.
type bell struct {
	mu   sync.Mutex
	subs map[int]chan struct{} // guarded by mu
	last int                   // guarded by mu: of subs
}

// Subscribe returns a channel of capacity one that is signalled when it rings.
func (b *bell) Subscribe() (wake <-chan struct{}, cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subs == nil {
		b.subs = map[int]chan struct{}{}
	}
	b.last++
	id, ch := b.last, make(chan struct{}, 1)
	b.subs[id] = ch
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subs, id)
	}
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ch := range b.subs {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}
