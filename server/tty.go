package server

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Reset puts a terminal's modes right when nobody else did. All of it is harmless
// where a mode was never set. The names are those of xterm's ctlseqs and of the
// kitty keyboard protocol.
const Reset = "\x1b[?2026l" + // the synchronized update first, or the rest is held back
	"\x1b[<u\x1b[>4;0m" + // kitty keyboard, modifyOtherKeys
	"\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l" + // mouse
	"\x1b[?1004l\x1b[?2004l\x1b[?2031l" + // focus, bracketed paste, light and dark
	"\x1b[?1l\x1b>" + // cursor keys, keypad
	"\x1b[?7h\x1b[0 q\x1b(B" + // autowrap, cursor shape, charset
	// The alternate screen. Around it the scroll region, where the cursor stays: there are
	// terminals whose screens have one each. Behind it the pen, which some keep by screen.
	"\x1b[m\x1b7\x1b[r\x1b8\x1b[?1049l\x1b7\x1b[r\x1b8\x1b[m\x1b[?25h"

// errInterrupted is what waiting for a terminal returns after interrupt.
var errInterrupted = errors.New("interrupted")

// isTerminal reports whether f is one.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	return err == nil
}

// rawOf is cfmakeraw(3).
func rawOf(t unix.Termios) unix.Termios {
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag &^= unix.CSIZE | unix.PARENB
	t.Cflag |= unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return t
}

// sameModes compares what rawOf changes.
func sameModes(a, b unix.Termios) bool {
	return a.Iflag == b.Iflag && a.Oflag == b.Oflag && a.Lflag == b.Lflag && a.Cflag == b.Cflag &&
		a.Cc[unix.VMIN] == b.Cc[unix.VMIN] && a.Cc[unix.VTIME] == b.Cc[unix.VTIME]
}

// terminal is the client's terminal as the client uses it. Reads and writes wait
// by select(2), which works for terminals on every system, so that they can be
// interrupted.
type terminal struct {
	in    int // as it was given to us: shared with the shell, never made non-blocking
	out   int // a file description of our own where one can be had, and then non-blocking
	found unix.Termios
	wake  [2]int // a byte in this pipe interrupts
}

// openTerminal keeps how the terminal is found.
func openTerminal(in, out *os.File) (_ *terminal, err error) {
	t := &terminal{in: int(in.Fd()), out: -1, wake: [2]int{-1, -1}}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	found, err := unix.IoctlGetTermios(t.in, getTermios)
	if err != nil || !isTerminal(out) {
		return nil, errors.New("input and output must be a terminal: start in one, over SSH with ssh -t")
	}
	t.found = *found
	if t.out, err = reopen(out); err != nil { // another user's since su, for example
		if t.out, err = unix.FcntlInt(out.Fd(), unix.F_DUPFD_CLOEXEC, 0); err != nil {
			return nil, fmt.Errorf("open the terminal again: %w", err)
		}
	}
	if err = unix.Pipe(t.wake[:]); err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	for _, fd := range t.wake {
		unix.CloseOnExec(fd)
	}
	return t, nil
}

func (t *terminal) close() {
	for _, fd := range []int{t.out, t.wake[0], t.wake[1]} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}

// lendable reports whether the server can use out in our place: it is a description of
// our own, of the terminal that is typed into.
func (t *terminal) lendable() bool {
	flags, err := unix.FcntlInt(uintptr(t.out), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_NONBLOCK != 0 && device(t.in) == device(t.out)
}

// size is the terminal's; 80×24 if it does not say.
func (t *terminal) size() Size {
	w, err := unix.IoctlGetWinsize(t.out, unix.TIOCGWINSZ)
	if err != nil || w.Col == 0 || w.Row == 0 {
		return Size{Cols: 80, Rows: 24}
	}
	return Size{Cols: int(w.Col), Rows: int(w.Row)}.clamped()
}

// foreground reports whether the terminal is ours just now: changing it from the
// background would stop us, or spoil it for who has it. A terminal that does not
// control us is.
func (t *terminal) foreground() bool {
	group, err := unix.IoctlGetInt(t.in, unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// raw lets every byte through. What was typed ahead stays.
func (t *terminal) raw() error {
	raw := rawOf(t.found)
	if err := unix.IoctlSetTermios(t.in, setTermios, &raw); err != nil {
		return fmt.Errorf("prepare the terminal: %w", err)
	}
	return nil
}

// restore sets the terminal as it was found and throws away what it sent: late
// answers would be typed into the shell.
func (t *terminal) restore() {
	if t.foreground() {
		discardInput(t.in)
		_ = unix.IoctlSetTermios(t.in, setTermios, &t.found)
	}
}

// interrupt ends Read and Write, now and until resume.
func (t *terminal) interrupt() { _, _ = unix.Write(t.wake[1], []byte{0}) }

func (t *terminal) resume() {
	var b [1]byte
	for ready(t.wake[0], 0) {
		if n, _ := unix.Read(t.wake[0], b[:]); n < 1 {
			return
		}
	}
}

// Read takes what was typed. An error: the terminal is gone, or interrupted.
func (t *terminal) Read(p []byte) (int, error) {
	for {
		if err := t.await(t.in, -1); err != nil {
			return 0, err
		}
		n, err := unix.Read(t.in, p)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
		case err != nil:
			return 0, fmt.Errorf("read the terminal: %w", err)
		case n == 0:
			return 0, fmt.Errorf("read the terminal: %w", unix.EIO)
		default:
			return n, nil
		}
	}
}

// Write writes all of p, unless interrupted or the terminal is gone.
func (t *terminal) Write(p []byte) (int, error) {
	for done := 0; ; {
		n, err := unix.Write(t.out, p[done:])
		done += max(n, 0)
		if done == len(p) {
			return done, nil
		}
		if errors.Is(err, unix.EAGAIN) {
			err = t.await(-1, t.out)
		}
		if errors.Is(err, unix.EINTR) {
			err = nil
		}
		if err != nil {
			return done, fmt.Errorf("write to the terminal: %w", err)
		}
	}
}

// await waits until in can be read or out written (-1: neither).
func (t *terminal) await(in, out int) error {
	for {
		var r, w unix.FdSet
		r.Set(t.wake[0])
		if in >= 0 {
			r.Set(in)
		}
		if out >= 0 {
			w.Set(out)
		}
		_, err := unix.Select(max(t.wake[0], in, out)+1, &r, &w, nil, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return fmt.Errorf("wait for the terminal: %w", err)
		case r.IsSet(t.wake[0]):
			return errInterrupted
		}
		return nil
	}
}

// ready reports whether fd can be read within d.
func ready(fd int, d time.Duration) bool {
	return selected(fd, d, false)
}

func selected(fd int, d time.Duration, write bool) bool {
	for end := time.Now().Add(d); ; {
		left := max(time.Until(end), 0)
		var n int
		var err error
		if fd < unix.FD_SETSIZE {
			var set unix.FdSet
			set.Set(fd)
			r, w := &set, (*unix.FdSet)(nil)
			if write {
				r, w = w, r
			}
			tv := unix.NsecToTimeval(left.Nanoseconds())
			n, err = unix.Select(fd+1, r, w, nil, &tv)
		} else { // a server has many descriptors
			events := int16(unix.POLLIN)
			if write {
				events = unix.POLLOUT
			}
			n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: events}}, int(left.Milliseconds()))
		}
		if err != unix.EINTR {
			return err == nil && n > 0
		}
	}
}

// writeWithin writes what a terminal takes in the given time. It does not block
// longer, even on a description that is not non-blocking: of those, a writable
// terminal takes a small piece.
func writeWithin(fd int, s string, d time.Duration) error {
	for end := time.Now().Add(d); s != ""; {
		if !selected(fd, time.Until(end), true) {
			return fmt.Errorf("write to the terminal: %w", os.ErrDeadlineExceeded)
		}
		piece := firstPiece(s)
		n, err := unix.Write(fd, []byte(piece))
		if err != nil && err != unix.EINTR && err != unix.EAGAIN {
			return fmt.Errorf("write to the terminal: %w", err)
		}
		n = max(n, 0)
		if at := strings.LastIndexByte(s[:min(n+1, len(s))], '\x1b'); n < len(piece) && at > 0 {
			n = at // a sequence that was cut is written again, from its beginning
		}
		s = s[n:]
	}
	return nil
}

// firstPiece is a small piece of s, of whole escape sequences if it can be: a shell
// may print between two pieces, and would spoil a sequence that was cut.
func firstPiece(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	if at := strings.LastIndexByte(s[:most+1], '\x1b'); at > 0 {
		return s[:at]
	}
	return s[:most]
}
