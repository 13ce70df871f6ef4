package server

import (
	"errors"
	"sync"

	"golang.org/x/sys/unix"
)

// rescue puts a client's terminal right when the client's process died and cannot.
// The descriptor is used for nothing else.
type rescue struct {
	found *unix.Termios // as the client found it; nil: not known

	mu    sync.Mutex
	file  int    // guarded by mu; -1: none
	reset string // guarded by mu; empty: the terminal was not yet taken
	quiet bool   // guarded by mu: the client is suspended, its terminal is somebody else's
}

// newRescue takes over a descriptor, which may be anything a client sent.
func newRescue(file int, found *unix.Termios) *rescue {
	r := &rescue{found: found, file: -1}
	if file < 0 {
		return r
	}
	if _, err := unix.IoctlGetTermios(file, getTermios); err != nil {
		_ = unix.Close(file)
		return r
	}
	r.file = file
	return r
}

// begin says that the client gives its terminal over from here on.
func (r *rescue) begin(reset string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reset = reset
}

func (r *rescue) pause(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.quiet = on
}

// device tells terminals apart; 0: none.
func (r *rescue) device() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file < 0 {
		return 0
	}
	return device(r.file)
}

// run does it, within rescueTime. The shell may have taken the terminal back
// already: its settings are changed only if they still are the client's, and its
// input is thrown away only then.
func (r *rescue) run() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file < 0 || r.reset == "" || r.quiet {
		return nil
	}
	now, err := unix.IoctlGetTermios(r.file, getTermios)
	if err != nil {
		return nil // it is gone as well
	}
	if r.found != nil && sameModes(*now, rawOf(*r.found)) {
		discardInput(r.file)
		err = unix.IoctlSetTermios(r.file, setTermios, r.found)
	}
	err = errors.Join(err, writeWithin(r.file, r.reset, rescueTime))
	if errors.Is(err, unix.EIO) {
		return nil
	}
	return err
}

func (r *rescue) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file >= 0 {
		_ = unix.Close(r.file)
		r.file = -1
	}
}
