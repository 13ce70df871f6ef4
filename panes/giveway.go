package panes

import (
	"sync/atomic"
	"time"
)

// A flooding program, the kernel's thread that moves what it prints, and our reader keep
// two processors without a pause, as our reader is the fastest of them. A key then waits
// for a turn at each of its hand-overs, the first of which is before we hear of it. While
// somebody types, a flood therefore leaves the processors free about half of the time: its
// program stops at its pty, as it does with a slower terminal.
const (
	// typingTime is how long after a key another one makes somebody type, and how long
	// after that one it is taken to go on. A key alone (a command, a "q") is none: nobody
	// notices that its echo was late, and a flood in another tab would lose a third of a
	// second's speed.
	typingTime = 300 * time.Millisecond
	// floodShare is what a flood may print between two rests of floodRest: some 20 MB/s.
	floodShare = 8 << 10
	floodRest  = 200 * time.Microsecond
)

// Typing is when a person last typed to any terminal of the hosts that share it. The zero
// Typing is ready.
type Typing struct {
	key  atomic.Int64 // the last one, in Unix nanoseconds; 0: none
	last atomic.Int64 // the last one that had another before it
}

// typed notes that a person types to the terminal now.
func (t *Terminal) typed() {
	now := time.Now().UnixNano()
	t.keyAt.Store(now)
	typing := t.owner.Load().typing
	if now-typing.key.Swap(now) < int64(typingTime) {
		typing.last.Store(now)
	}
}

// givesWay reports whether the terminal's flood is to leave room for keys: for those that
// are typed elsewhere. What its own keys bring is not held up.
func (t *Terminal) givesWay() bool {
	last := t.owner.Load().typing.last.Load()
	return time.Now().UnixNano()-last < int64(typingTime) && last-t.keyAt.Load() > int64(typingTime)
}
