package agent

import (
	"slices"
	"sync"
)

// Limit bounds how many resumes of a process start at once (resume.parallel). The
// coordinators of its workspaces share one. Safe for concurrent use.
type Limit struct {
	mu   sync.Mutex // after a Coordinator's mu
	most int
	busy int
	// waiting are the coordinators that were refused, the longest waiting first.
	waiting []waiter
}

// waiter is a coordinator that has something to start.
type waiter struct {
	who     *Coordinator
	urgency urgency // of the best that it has
}

// urgency orders the resumes of different workspaces, whose panes cannot be
// compared otherwise.
type urgency int

const (
	urgentFocused urgency = iota
	urgentVisible
	urgentHidden
)

// NewLimit makes a limit of n resumes at once, at least 1.
func NewLimit(n int) *Limit { return &Limit{most: max(n, 1)} }

// take takes a slot if one is free, which none is while somebody waits. Who is
// refused is served when one is.
func (l *Limit) take(who *Coordinator, u urgency) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy < l.most {
		l.drop(who)
		l.busy++
		return true
	}
	if at := slices.IndexFunc(l.waiting, func(w waiter) bool { return w.who == who }); at >= 0 {
		l.waiting[at].urgency = u
	} else {
		l.waiting = append(l.waiting, waiter{who, u})
	}
	return false
}

// leave tells that a coordinator has nothing to start any more.
func (l *Limit) leave(who *Coordinator) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(who)
}

// drop forgets a waiter; mu is held.
func (l *Limit) drop(who *Coordinator) {
	l.waiting = slices.DeleteFunc(l.waiting, func(w waiter) bool { return w.who == who })
}

// give passes a slot on to who waits, or frees it. It is never free in between, so
// that nobody comes first who is not. The caller holds no lock: other coordinators'
// are taken.
func (l *Limit) give() {
	for {
		next := l.next()
		if next == nil || next.serve() {
			return
		}
	}
}

// next takes the most urgent waiter out of the line, the longest waiting of equal
// ones: the caller's slot is its own. nil: nobody waits, and the slot is free.
func (l *Limit) next() *Coordinator {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		l.busy--
		return nil
	}
	best := slices.MinFunc(l.waiting, func(a, b waiter) int { return int(a.urgency - b.urgency) })
	l.drop(best.who)
	return best.who
}

// taken counts the slots that are taken.
func (l *Limit) taken() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.busy
}
