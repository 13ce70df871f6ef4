package server

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lent is a client's terminal while the client lends it to us: what is typed is read
// here and what is shown is written here, without a turn of the client's process. The
// client goes on to own it: it says from when on it is lent, takes it back before it
// stops or ends, and puts its settings right. docs/adr/0008 has the reasons.
type lent struct {
	file   *os.File // a description that the client opened for this: non-blocking
	raw    syscall.RawConn
	in     *inbox
	screen *outbox
	client *os.File // its /proc/PID/stat

	looked atomic.Int64 // when the client was last seen to run as something was typed, in Unix nanoseconds

	mu      sync.Mutex
	changed sync.Cond // any of the fields below
	ours    bool      // we may read and write
	given   bool      // the client was told that it has it back
	reading bool      // a read is under way
	over    bool      // it will not be lent again
	takes   int       // how often it was lent
	fence   fence     // answers that are still to come, for the client to await
}

// newLent takes a copy of a descriptor, which may be anything a client sent.
func newLent(fd, pid int, in *inbox, stuck time.Duration, onErr func(error)) (*lent, error) {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR || flags&unix.O_NONBLOCK == 0 {
		return nil, errors.New("the descriptor is not one of the client's own")
	}
	client, err := openState(pid)
	if err != nil {
		return nil, err
	}
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	t := &lent{file: os.NewFile(uintptr(own), "terminal"), in: in, client: client}
	t.changed.L = &t.mu
	// No deadline: it cannot be polled, so a read of it could not be ended.
	err = t.file.SetReadDeadline(time.Time{})
	if err == nil {
		t.raw, err = t.file.SyscallConn()
	}
	if err == nil {
		t.screen, err = newOutbox(t.file, stuck, onErr)
	}
	if err != nil {
		_ = t.file.Close()
		_ = client.Close()
		return nil, err
	}
	t.screen.bare, t.screen.held = true, true
	return t, nil
}

// run reads until the terminal is gone (true) or will not be lent again.
func (t *lent) run() (gone bool) {
	buf := make([]byte, maxPiece)
	for t.begin() {
		takes := t.times()
		n, away, err := t.read(buf)
		t.end(buf[:max(n, 0)])
		switch {
		case n > 0:
			t.in.put(buf[:n])
		case away:
			t.leave(takes)
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
			return !errors.Is(err, os.ErrClosed)
		}
	}
	return false
}

// begin waits until the terminal may be read.
func (t *lent) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.ours && !t.over {
		t.changed.Wait()
	}
	t.reading = !t.over
	return t.reading
}

func (t *lent) end(typed []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fence.typed(typed)
	t.reading = false
	t.changed.Broadcast()
}

// read takes what was typed, unless the client is stopped (by kill -STOP, say, of which
// it could tell nobody): then it is for somebody else.
//
// At first it only asks whether something is there: a read that finds nothing waits for
// the kernel's thread that brought what was typed last.
func (t *lent) read(p []byte) (n int, away bool, err error) {
	var fail error
	woken := false
	err = t.raw.Read(func(fd uintptr) bool {
		if !woken {
			woken = true
			if n, err := unix.IoctlGetInt(int(fd), inputQueued); n == 0 && err == nil {
				return false
			}
		}
		if away = stopped(t.client); away { // 3 to 6 µs
			return true
		}
		n, fail = unix.Read(int(fd), p)
		return fail != unix.EAGAIN
	})
	if n > 0 {
		t.looked.Store(time.Now().UnixNano())
	}
	switch {
	case err != nil || away || n > 0:
		return n, away, err
	case fail == unix.EINTR:
		return 0, false, os.ErrDeadlineExceeded
	case fail == nil:
		fail = unix.EIO
	}
	return 0, false, fail
}

// leave lets go of the terminal without a word to the client, which is stopped: it
// asks for the terminal when it goes on. takes is how often it was lent when that was seen.
func (t *lent) leave(takes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.takes == takes { // else it was lent once more meanwhile
		t.ours = false
		t.screen.rest(0)
	}
}

// times is how often the terminal was lent so far.
func (t *lent) times() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.takes
}

// show is where output goes.
func (t *lent) show(p []byte) (int, error) {
	t.look()
	t.ask(p, 1)
	return t.screen.output(p)
}

// showNow is show for what is taken without waiting: all of p. false: nothing was taken.
func (t *lent) showNow(p []byte) bool {
	t.look()
	t.ask(p, 1) // an answer may come at once
	taken := t.screen.outputNow(p)
	if !taken {
		t.ask(p, -1)
	}
	return taken
}

// ask counts the questions in what is shown.
func (t *lent) ask(p []byte, sign int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fence.asked += sign * questions(p)
}

// lookAgain is how soon after something was typed the client is taken to run still: what
// is shown then is mostly the echo.
const lookAgain = time.Millisecond

// look lets go of the terminal if the client is stopped.
func (t *lent) look() {
	if time.Now().UnixNano()-t.looked.Load() < int64(lookAgain) {
		return
	}
	if takes := t.times(); stopped(t.client) {
		t.leave(takes)
	}
}

// take lets us read and write: the client lends the terminal from here on.
func (t *lent) take() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return
	}
	_ = t.file.SetReadDeadline(time.Time{})
	t.ours, t.given = true, false
	t.takes++
	t.changed.Broadcast()
	t.screen.goOn()
}

// giveBack lets go of the terminal, once what was shown so far has been written or d
// is over. It reports whether the client is to be told, and whether an answer of the
// terminal is still to come.
func (t *lent) giveBack(d time.Duration) (tell, owed bool) {
	t.screen.rest(d)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ours = false
	for t.reading {
		_ = t.file.SetReadDeadline(time.Now())
		t.changed.Wait()
	}
	t.ours = false // it may have been lent meanwhile, of which the client is told now
	tell, owed = !t.given, t.fence.open()
	t.given, t.fence = true, fence{}
	return tell, owed
}

// close lets go of the terminal for good. Nothing reads or writes it afterwards.
func (t *lent) close() {
	t.mu.Lock()
	t.over = true
	t.changed.Broadcast()
	t.mu.Unlock()
	t.screen.fail(ErrGone)
	t.giveBack(0)
	_ = t.file.Close()
	_ = t.client.Close()
}
