package panes

import (
	"errors"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// exits waits for the ends of all processes together, in one goroutine: it sleeps where
// all files do that are waited for, at a file (epoll(7)) that can be read when one of
// the processes' files (pidfd_open(2)) can be.
type exits struct {
	mu    sync.Mutex
	begun bool           // guarded by mu
	err   error          // guarded by mu: nobody can be waited for
	epoll int            // set once, by begin
	then  map[int]func() // guarded by mu; by pidfd, which it owns
}

var ends = &exits{then: map[int]func(){}}

func (c *child) whenEnded(f func()) bool { return ends.add(c.id.PID, f) == nil }

// add has f called in a goroutine of its own when a child has ended, which stays a
// zombie. If waiting fails later f is called, too: it has to wait for itself.
func (e *exits) add(pid int, f func()) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.begun {
		e.begun, e.err = true, e.begin()
	}
	if e.err != nil {
		return e.err
	}
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK) // kernel before 5.10, or a sandbox: there is none
	if err != nil {
		return err
	}
	if err := unix.EpollCtl(e.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}); err != nil {
		_ = unix.Close(fd)
		return err
	}
	e.then[fd] = f
	return nil
}

// begin starts the goroutine, which stays. mu is held.
func (e *exits) begin() (err error) {
	if e.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if err := unix.SetNonblock(e.epoll, true); err != nil { // or a thread would read it
		_ = unix.Close(e.epoll)
		return err
	}
	go e.run(os.NewFile(uintptr(e.epoll), "ends of processes"))
	return nil
}

func (e *exits) run(file *os.File) {
	defer func() { _ = file.Close() }()
	raw, err := file.SyscallConn()
	for err == nil {
		var ended [16]unix.EpollEvent
		var n int
		var fail error
		err = raw.Read(func(epoll uintptr) bool {
			n, fail = unix.EpollWait(int(epoll), ended[:], 0)
			return n != 0 // also where it failed
		})
		if fail != unix.EINTR {
			err = errors.Join(err, fail)
		}
		e.mu.Lock()
		for _, event := range ended[:max(n, 0)] {
			e.call(int(event.Fd))
		}
		e.mu.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
	for fd := range e.then {
		e.call(fd)
	}
}

// call calls who waits at a pidfd and forgets that. mu is held.
func (e *exits) call(fd int) {
	f := e.then[fd]
	delete(e.then, fd)
	_ = unix.EpollCtl(e.epoll, unix.EPOLL_CTL_DEL, fd, nil)
	_ = unix.Close(fd)
	go f()
}
