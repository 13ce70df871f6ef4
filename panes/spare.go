package panes

import (
	"errors"
	"os"
)

// Spare is a launch shim that is started before it is known what will be run, in a
// pty of its own: to load our binary once more takes about as long as all else that
// lies between a person and the first prompt. The first Start of a host takes it.
type Spare struct {
	ready chan *child // closed when the shim was started, or could not be
}

// NewSpare starts a shim, by its argv, and does not wait for it.
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
	if err := errors.Join(c.tty.SetSize(spec.Size), c.order(spec, environment(env, spec))); err != nil {
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
