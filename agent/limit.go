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

// take takes a slot. Who is refused is asked again when one is free: because none
// is, or because another coordinator waits with something more urgent.
func (l *Limit) take(who *Coordinator, u urgency) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	after := slices.ContainsFunc(l.waiting, func(w waiter) bool { return w.who != who && w.urgency < u })
	if l.busy < l.most && !after {
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

// give gives a slot back and lets who waits have it. The caller holds no lock:
// other coordinators' are taken.
func (l *Limit) give() {
	l.mu.Lock()
	l.busy--
	l.mu.Unlock()
	for {
		next := l.next()
		if next == nil {
			return
		}
		next.retry()
	}
}

// next takes the most urgent waiter out of the line, the longest waiting of equal
// ones; nil if there is none, or nothing for it. One that is not served is in the
// line again when it has been asked.
func (l *Limit) next() *Coordinator {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy >= l.most || len(l.waiting) == 0 {
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
