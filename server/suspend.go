package server

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// suspend stops this process, the terminal being as it was found, and goes on when
// it is continued in the foreground. messy: modes must be reset by us.
func (c *client) suspend(messy bool, signals chan os.Signal) *event {
	c.takeBack(askTime)
	c.release(messy, true)
	if err := c.send(kindSuspended, nil); err != nil {
		return &event{tidy: true, err: err}
	}
	if stoppable() {
		if end := c.stop(signals); end != nil {
			return end
		}
	}
	return c.wake(false)
}

// release lets go of the terminal: nothing reads or writes it afterwards. messy: its
// modes are reset. back: its settings become those it was found with.
func (c *client) release(messy, back bool) {
	c.deaf.Store(true)
	c.tty.interrupt()
	c.typing.Wait()
	timeout := time.NewTimer(resetTime)
	defer timeout.Stop()
	select {
	case c.showing <- struct{}{}:
		defer func() { <-c.showing }()
	case <-timeout.C: // a terminal that takes nothing, and that we could not open again
	}
	c.tty.resume()
	if messy {
		_ = writeWithin(c.tty.out, c.reset+c.question(), resetTime)
	}
	if back && c.tty.foreground() { // reading it in the background would stop us
		c.drain()
		c.tty.restore()
	}
}

// stop stops this process until it is in the foreground again. What it returns
// ends the client: it was told to end, and the terminal is not ours.
func (c *client) stop(signals chan os.Signal) *event {
	// Who waits for us in our group, a script for example, shall stop as well. Only
	// SIGSTOP stops a Go program that has caught SIGTSTP once: not even signal.Reset
	// takes Go's handler away.
	signal.Ignore(syscall.SIGTSTP)
	defer signal.Notify(signals, syscall.SIGTSTP)
	for {
		for len(signals) > 0 { // a SIGCONT from before would be taken for the one to come
			if end := ending(<-signals); end != nil {
				return end
			}
		}
		_ = unix.Kill(0, unix.SIGTSTP)
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
		for s := range signals {
			if end := ending(s); end != nil {
				return end
			}
			if s == syscall.SIGCONT {
				break
			}
		}
		if c.tty.foreground() {
			return nil
		}
		// "bg", or "kill" of a stopped job: its signal comes beside SIGCONT.
		select {
		case s := <-signals:
			if end := ending(s); end != nil {
				return end
			}
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// ending is how a signal ends a client whose terminal is somebody else's.
func ending(s os.Signal) *event {
	switch s {
	case syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM:
		return &event{tidy: true, farewell: Farewell{Status: 128 + int(s.(syscall.Signal))}}
	}
	return nil
}

// wake takes the terminal again, whatever was done to it meanwhile. stopped: from
// outside, with our modes set.
func (c *client) wake(stopped bool) *event {
	c.takeBack(askTime)
	if !c.tty.foreground() {
		return nil
	}
	if stopped {
		c.release(true, false)
	}
	if err := c.tty.raw(); err != nil {
		return &event{err: err}
	}
	// Until the server says that it knows, its output is meant for the client before.
	if err := c.start(kindResumed); err != nil {
		return &event{err: err}
	}
	return nil
}

// stoppable reports whether something would continue us: a shell with job control,
// which runs us in a process group of our own. In the group of the session's leader
// (started by a terminal or by ssh itself), or after the shell's end, nothing does.
func stoppable() bool {
	session, err := unix.Getsid(0)
	if err != nil || session == unix.Getpgrp() {
		return false
	}
	parent := unix.Getppid()
	theirs, err := unix.Getsid(parent)
	return err == nil && theirs == session
}

// leave puts the terminal right and says goodbye. Nothing it does waits long.
func (c *client) leave(tidy bool) {
	close(c.over)
	messy := !tidy && !c.deaf.Load()
	c.takeBack(0)
	// What the server still has to say is nothing to us; a sender is freed.
	_ = c.conn.SetReadDeadline(time.Now())
	_ = c.conn.SetWriteDeadline(time.Now().Add(askTime))
	c.release(messy, true)
	within(resetTime, &c.loops)
	c.sending.Lock()
	defer c.sending.Unlock()
	_ = c.conn.SetWriteDeadline(time.Now().Add(askTime))
	_, _ = c.conn.Write(appendFrame(nil, kindBye, nil))
}

// drain reads what the terminal still sends: answers to questions, which would be
// typed into the shell. It waits for the answers that are known to come and then
// for a moment of quiet.
func (c *client) drain() {
	c.fenced.Lock()
	defer c.fenced.Unlock()
	buf := make([]byte, 4<<10)
	now := time.Now()
	for {
		wait := min(quietTime, time.Until(now.Add(drainTime)))
		if c.fence.open() {
			wait = time.Until(now.Add(answerTime))
		}
		if wait <= 0 || !ready(c.tty.in, wait) {
			break
		}
		n, err := unix.Read(c.tty.in, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n < 1 {
			break
		}
		c.fence.typed(buf[:n])
	}
	c.fence = fence{}
}
