// Package alert keeps what happened in a session that a person may want to know of:
// bells and notifications of programs, what became of agents, what monitors saw.
// One Log serves all clients of a session, so each thing is told once, and seen by
// one client it is seen.
package alert

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"reprise/panes"
)

// Kind is what happened.
type Kind uint8

// Kinds of alerts.
const (
	Bell     Kind = iota // a program rang
	Message              // a program sent a notification
	Done                 // an agent's turn ended
	Waiting              // an agent waits for a permission or an answer
	Exit                 // an agent ended
	Failure              // an agent could not be resumed, or its turn failed
	Activity             // a monitored pane printed something
	Silence              // a monitored pane printed nothing for a while
	NumKinds
)

// Kinds is a set of kinds.
type Kinds uint16

// Set is the set of k alone.
func (k Kind) Set() Kinds { return 1 << k }

// Has reports whether k is in the set.
func (s Kinds) Has(k Kind) bool { return s&k.Set() != 0 }

// Alert is one thing that happened.
type Alert struct {
	N    uint64       `json:"n"` // its number, from 1, in the order in which things happened
	Pane panes.PaneID `json:"pane"`
	At   time.Time    `json:"at"` // zero: now
	Kind Kind         `json:"kind"`
	Name string       `json:"name,omitempty"` // who did it, if that is known better than by the pane
	// Title and Words are what a program or an agent says. They may hold any text:
	// whoever shows them cleans them.
	Title string `json:"title,omitempty"`
	Words string `json:"words,omitempty"`
	Guess bool   `json:"guess,omitempty"` // it looks like that
	Seen  bool   `json:"seen,omitempty"`  // the pane was in sight of a person when it happened
}

// Keep is how many alerts a Log keeps; of more, the oldest bells go, then the oldest
// of all.
const Keep = 200

// limits says how many alerts of a kind one pane may make in which time; more are
// dropped. Programs make the first two, and what an agent's hooks say is not to be
// trusted either.
var limits = [NumKinds]limit{
	Bell:     {1, time.Second},
	Message:  {5, 10 * time.Second},
	Done:     {5, 10 * time.Second},
	Waiting:  {5, 10 * time.Second},
	Exit:     {5, 10 * time.Second},
	Failure:  {5, 10 * time.Second},
	Activity: {1, time.Second},
	Silence:  {1, time.Second},
}

type limit struct {
	n   int
	per time.Duration
}

// source is what a limit is for.
type source struct {
	pane panes.PaneID
	kind Kind
}

// window counts the alerts of a source since a time.
type window struct {
	since time.Time
	n     int
}

// Log keeps the last alerts of a session and what of them nobody has seen. The zero
// Log is ready. Safe for concurrent use; no method blocks.
type Log struct {
	seq atomic.Uint64

	watch panes.Watch

	mu       sync.Mutex // only the watch's lock is taken under it
	last     uint64     // number of the newest alert
	all      []Alert    // the last Keep, in order
	unseen   map[panes.PaneID]Kinds
	monitors map[panes.PaneID]Kinds
	counts   map[source]window
	sights   map[panes.ClientID][]panes.PaneID
}

// Seq changes whenever anything that a Log tells may have changed. It takes no lock.
func (l *Log) Seq() uint64 { return l.seq.Load() }

// Subscribe returns a channel of capacity one that is signalled when Seq changed.
func (l *Log) Subscribe() (wake <-chan struct{}, cancel func()) { return l.watch.Subscribe() }

// changed tells whoever subscribed; mu is held.
func (l *Log) changed() {
	l.seq.Add(1)
	l.watch.Wake()
}

// Add takes in what happened; N and Seen are filled in. Too many of one kind from
// one pane are dropped, and so is a monitor's alert whose like nobody has seen yet.
func (l *Log) Add(a Alert) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if a.At.IsZero() {
		a.At = now
	}
	a.Seen = l.inSight(a.Pane)
	monitored := a.Kind == Activity || a.Kind == Silence
	if monitored && (a.Seen || l.unseen[a.Pane].Has(a.Kind)) || !l.passes(a, now) {
		return
	}
	l.last++
	a.N = l.last
	if len(l.all) == Keep { // bells go first: there may be one a second
		gone := max(0, slices.IndexFunc(l.all, func(a Alert) bool { return a.Kind == Bell }))
		l.all = slices.Delete(l.all, gone, gone+1)
	}
	l.all = append(l.all, a)
	if !a.Seen {
		if l.unseen == nil {
			l.unseen = map[panes.PaneID]Kinds{}
		}
		l.unseen[a.Pane] |= a.Kind.Set()
	}
	l.changed()
}

// Called takes in what a program called for.
func (l *Log) Called(c panes.Call) {
	switch {
	case !c.Notice:
		l.Add(Alert{Pane: c.Pane, Kind: Bell})
	case c.Title != "" || c.Body != "":
		l.Add(Alert{Pane: c.Pane, Kind: Message, Title: c.Title, Words: c.Body})
	}
}

// passes counts an alert and reports whether it is within its limit; mu is held.
func (l *Log) passes(a Alert, now time.Time) bool {
	from, most := source{a.Pane, a.Kind}, limits[a.Kind]
	w := l.counts[from]
	if now.Sub(w.since) >= most.per {
		w = window{since: now}
	}
	w.n++
	if l.counts == nil {
		l.counts = map[source]window{}
	}
	l.counts[from] = w
	return w.n <= most.n
}

// Last is the number of the newest alert, 0 if there is none.
func (l *Log) Last() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// After are the alerts with numbers after n that are still kept, in order.
func (l *Log) After(n uint64) []Alert {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := len(l.all)
	for at > 0 && l.all[at-1].N > n {
		at--
	}
	return slices.Clone(l.all[at:])
}

// Unseen is what happened in a pane since a person last had it in sight.
func (l *Log) Unseen(p panes.PaneID) Kinds {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unseen[p]
}

// Sight tells which panes the person at a client has in sight: none while its
// terminal has not the focus. What happened in them is seen by that. It keeps the
// slice.
func (l *Log) Sight(c panes.ClientID, shown []panes.PaneID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(shown) == 0 {
		delete(l.sights, c)
		return
	}
	if l.sights == nil {
		l.sights = map[panes.ClientID][]panes.PaneID{}
	}
	l.sights[c] = shown
	seen := false
	for _, p := range shown {
		seen = seen || l.unseen[p] != 0
		delete(l.unseen, p)
	}
	if seen {
		l.changed()
	}
}

// inSight reports whether a person has a pane in sight; mu is held.
func (l *Log) inSight(p panes.PaneID) bool {
	for _, shown := range l.sights {
		if slices.Contains(shown, p) {
			return true
		}
	}
	return false
}

// Monitor lets Activity or Silence of panes be told, or no more.
func (l *Log) Monitor(k Kind, on bool, of ...panes.PaneID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.monitors == nil {
		l.monitors = map[panes.PaneID]Kinds{}
	}
	for _, p := range of {
		l.monitors[p] &^= k.Set()
		if on {
			l.monitors[p] |= k.Set()
		}
		if l.monitors[p] == 0 {
			delete(l.monitors, p)
		}
	}
	l.changed()
}

// Monitored is what of a pane is monitored.
func (l *Log) Monitored(p panes.PaneID) Kinds {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.monitors[p]
}

// Forget drops what is known of panes that has does not name: they are closed.
func (l *Log) Forget(has func(panes.PaneID) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.unseen {
		if !has(p) {
			delete(l.unseen, p)
		}
	}
	for p := range l.monitors {
		if !has(p) {
			delete(l.monitors, p)
		}
	}
	for s := range l.counts {
		if !has(s.pane) {
			delete(l.counts, s)
		}
	}
}
