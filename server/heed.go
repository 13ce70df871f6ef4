package server

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// heed hears this process's signals. To let Go hear one takes a turn of a thread of its
// own, 0.1 to 0.2 ms each, so it is done while the server is greeted. Until the terminal is
// ours signals do what they would do otherwise: ctrl-c ends the process, ctrl-z stops it.
type heed struct {
	signals chan os.Signal
	resize  chan os.Signal // SIGWINCH: of its own, so that it crowds out no other
	ready   chan struct{}  // closed when all are heard
	taken   chan struct{}  // closed when run obeys them
	obeyed  chan struct{}  // closed when nobody else does any more
	take    func()         // closes taken
}

func newHeed() *heed {
	h := &heed{
		signals: make(chan os.Signal, 16), resize: make(chan os.Signal, 1),
		ready: make(chan struct{}), taken: make(chan struct{}), obeyed: make(chan struct{}),
	}
	h.take = sync.OnceFunc(func() { close(h.taken) })
	go h.hear()
	go h.obey()
	return h
}

func (h *heed) hear() {
	defer close(h.ready)
	signal.Notify(h.signals, syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	signal.Notify(h.resize, syscall.SIGWINCH)
	// Putting the terminal right must not stop us when another has the foreground.
	signal.Ignore(syscall.SIGTTOU)
}

// obey does what signals do by themselves.
func (h *heed) obey() {
	defer close(h.obeyed)
	for {
		select {
		case <-h.taken:
			return
		case s := <-h.signals:
			switch s {
			case syscall.SIGCONT:
			case syscall.SIGTSTP:
				if stoppable() { // only SIGSTOP stops a Go program that has caught SIGTSTP once
					_ = unix.Kill(os.Getpid(), unix.SIGSTOP)
				}
			default:
				<-h.ready // or it would be heard again
				signal.Reset(s)
				if n, ok := s.(syscall.Signal); ok {
					_ = unix.Kill(os.Getpid(), n)
				}
			}
		}
	}
}

// ours waits until all signals are heard, and by nobody else.
func (h *heed) ours() {
	h.take()
	<-h.obeyed
	<-h.ready
}

// stop hears nothing more.
func (h *heed) stop() {
	h.ours()
	signal.Stop(h.signals)
	signal.Stop(h.resize)
	signal.Reset(syscall.SIGTTOU)
}
