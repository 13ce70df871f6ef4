package panes

import (
	"sync"
	"time"
)

// halt stops a terminal's reader and writer between two of their steps: there
// everything that was read is on the screen, and everything that was not written
// is in the queue.
type halt struct {
	mu      sync.Mutex
	changed *sync.Cond // of what follows
	halted  bool       // guarded by mu
	moving  int        // guarded by mu: how many are in a step
}

func newHalt() *halt {
	h := &halt{}
	h.changed = sync.NewCond(&h.mu)
	return h
}

// step runs one step, if need be later.
func (h *halt) step(f func()) {
	h.mu.Lock()
	for h.halted {
		h.changed.Wait()
	}
	h.moving++
	h.mu.Unlock()
	defer h.end() // it may panic
	f()
}

func (h *halt) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moving--
	h.changed.Broadcast()
}

// begin begins a step, which end ends; false: not now.
func (h *halt) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.halted {
		h.moving++
	}
	return !h.halted
}

// stop lets no further step begin, interrupts those under way and waits for their
// end. If they cannot be interrupted, nothing is stopped.
func (h *halt) stop(interrupt func() error) error {
	h.mu.Lock()
	h.halted = true
	h.mu.Unlock()
	if err := interrupt(); err != nil {
		h.resume()
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.moving > 0 {
		h.changed.Wait()
	}
	return nil
}

func (h *halt) resume() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.halted = false
	h.changed.Broadcast()
}

func (h *halt) on() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.halted
}

// Pause stops all terminals where nothing is on its way between them and their
// programs, until resume is called: what a program printed is on its screen or
// still in its pty, what was not written yet waits, and whoever dies meanwhile is
// seen dead afterwards. Programs notice nothing but that nobody reads. Starts wait.
// What is sent to a terminal meanwhile is written afterwards. It waits for
// processes that have just died, half a second at most.
func (h *Host) Pause() (resume func()) {
	h.launching.Lock()
	var all []func()
	for _, t := range h.Terminals() {
		all = append(all, t.pause())
	}
	return sync.OnceFunc(func() {
		for _, resume := range all {
			resume()
		}
		h.launching.Unlock()
	})
}

// pause stops a terminal whose process is the system's, or waits until it is done
// if that was reaped.
func (t *Terminal) pause() (resume func()) {
	c, ok := t.proc.(*child)
	if !ok {
		return func() {}
	}
	if !c.keep() {
		<-t.done
		return func() {}
	}
	if err := t.halt.stop(func() error { return c.tty.stop(time.Now()) }); err != nil {
		t.log.Warn("terminal cannot be paused", "terminal", t.spec.ID, "err", err)
		c.letGo()
		return func() {}
	}
	return func() {
		if err := c.tty.stop(time.Time{}); err != nil {
			t.log.Warn("terminal goes on without its output", "terminal", t.spec.ID, "err", err)
		}
		t.halt.resume()
		c.letGo()
	}
}
