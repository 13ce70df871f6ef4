package panes

import (
	"errors"
	"os"
	"time"
)

// runReader takes in the program's output until the process has ended and the
// pty is empty, or drainTime has gone by since.
func (t *Terminal) runReader() {
	defer close(t.read)
	tty := t.proc.TTY()
	came := 0 // since the last rest
	take := func(b []byte) { came += len(b); t.take(b) }
	for {
		var err error
		t.halt.step(func() { err = tty.Read(take) })
		if err == nil {
			if came >= floodShare {
				came = 0
				if t.givesWay() {
					time.Sleep(floodRest)
				}
			}
			continue
		}
		// A program may close its terminal and open it again later: only its
		// death is an end.
		select {
		case <-t.died:
			return
		default:
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			continue // a pause
		}
		select {
		case <-t.died:
			return
		case <-time.After(reopenTime):
		}
	}
}

// take gives output to the emulator and tells of it, unless it belongs to an
// update that is still open.
func (t *Terminal) take(b []byte) {
	t.mu.Lock()
	open, rang := false, false
	var was, now Told
	t.guarded("write", func(e Emulator) {
		before := e.State()
		_, _ = e.Write(b) // the contract: it takes all
		st := e.State()
		open, rang = st.Modes.Synchronized, st.Bells != before.Bells
		was, now = t.toldIn(before), t.toldIn(st)
	})
	show := t.show(open)
	calls := t.takeCalls(rang)
	t.mu.Unlock()
	o := t.owner.Load()
	if show {
		t.wake()
	}
	if o.told != nil && was != now {
		o.told(now)
	}
	if o.call != nil {
		for _, c := range calls {
			o.call(c)
		}
	}
}

// show decides whether what came is shown now, and then moves seq. t.mu is held.
func (t *Terminal) show(open bool) bool {
	switch {
	case !open:
		t.update.held, t.update.forced = false, false
		if t.update.timer != nil {
			t.update.timer.Stop()
		}
	case t.update.forced:
	case t.update.held:
		return false
	default:
		t.update.held = true
		if t.update.timer == nil {
			t.update.timer = time.AfterFunc(syncHold, func() { t.guard("update timer", t.force) })
		} else {
			t.update.timer.Reset(syncHold)
		}
		return false
	}
	t.seq.Add(1)
	return true
}

// force shows an update that has been open for too long.
func (t *Terminal) force() {
	t.mu.Lock()
	show := t.update.held && !t.update.forced
	if show {
		t.update.forced = true
		t.seq.Add(1)
	}
	t.mu.Unlock()
	if show {
		t.wake()
	}
}

// Flush gives the program what waits for it, as far as its pty takes it at once: a key
// then wakes none of our goroutines. The rest is left to the writer. It does not block.
func (t *Terminal) Flush() {
	now, ok := t.proc.TTY().(interface{ TryWrite(p []byte) int })
	if !ok || !t.halt.begin() {
		t.input.wake()
		return
	}
	defer t.halt.end()
	if p, ok := t.input.take(); ok {
		n := 0
		defer func() { t.input.done(n) }()
		n = now.TryWrite(p.b)
	}
}

// runWriter writes what waits for the program.
func (t *Terminal) runWriter() {
	tty := t.proc.TTY()
	for {
		p, ok := t.input.next()
		if !ok {
			return
		}
		t.halt.step(func() {
			n, err := tty.Write(p.b)
			if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				// Nobody has the other side open: what is typed meanwhile is for
				// nobody. When the process ends, the queue is closed.
				n = len(p.b)
			}
			t.input.done(n)
		})
	}
}

// runWaiter sees the process end, lets the reader take its last output and then
// says so.
func (t *Terminal) runWaiter() {
	exit := t.proc.Wait()
	at := time.Now()
	t.removeScratch()
	if err := t.spec.removeFolder(); err != nil {
		t.log.Warn("remove a program's files", "terminal", t.spec.ID, "err", err)
	}
	close(t.died)
	tty := t.proc.TTY()
	if err := tty.StopReading(at.Add(drainTime)); err != nil {
		t.log.Warn("terminal cannot be drained", "terminal", t.spec.ID, "err", err)
		_ = tty.Close()
	}
	select {
	case <-t.read:
	case <-time.After(2 * drainTime):
		// Where a read cannot be ended, it ends when the pty is closed.
	}
	t.input.close()
	if err := tty.Close(); err != nil {
		t.log.Debug("close a pty", "terminal", t.spec.ID, "err", err)
	}
	t.mu.Lock()
	t.exit, t.endedAt = exit, at
	t.update.held, t.update.forced = false, false
	if t.update.timer != nil {
		t.update.timer.Stop()
	}
	t.seq.Add(1)
	then := t.then
	t.then = nil
	close(t.done)
	t.mu.Unlock()
	for _, f := range then {
		f()
	}
	t.wake()
}
