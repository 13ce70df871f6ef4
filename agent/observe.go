package agent

import (
	"time"

	"reprise/panes"
)

// Doer is a Kind whose program writes down what a process of it does. It reads only.
type Doer interface {
	// Does is what the process does and since when, as the program says; "": it cannot
	// be told.
	Does(home string, p panes.ProcessID) (Doing, time.Time)
}

// observeEvery is the time between two looks at what agents write down or show.
const observeEvery = time.Second

// screenRows is how many rows of text, from the last one up, a screen is judged by.
const screenRows = 24

// lookout is how a life's screen looked last.
type lookout struct {
	seq    uint64
	like   Doing
	worked bool // it has looked like work: how that looks is known
}

// observed is an agent to be looked at.
type observed struct {
	life    *life
	home    string
	process panes.ProcessID
	screen  panes.TerminalID
	doer    Doer       // nil: what it writes down is not asked for
	shows   Expressive // nil: nor how its screen looks
	last    lookout
}

// observe looks at agents of which nothing better is known: at what they write down while
// no hook tells, or the last one told that they wait (the end of which no hook may tell);
// at their screens while nothing else tells, and while nothing else would tell that the
// turn was interrupted of which the last hook told.
func (c *Coordinator) observe(now time.Time) {
	c.mu.Lock()
	var all []observed
	if now.Sub(c.beat.observed) >= observeEvery {
		all = c.toObserve(now)
		c.beat.observed, c.beat.observing = now, len(all) > 0
	}
	c.mu.Unlock()
	for _, o := range all {
		c.observeOne(o, now)
	}
}

// toObserve lists whom to look at, and drops what was seen of the others. mu is held.
func (c *Coordinator) toObserve(now time.Time) (all []observed) {
	for _, l := range c.lives {
		k, known := c.kind(l.kind)
		if l.kind == "" || !known || !l.gateOpen || l.ended || l.ending {
			continue
		}
		o := observed{life: l, process: l.process, screen: l.id, last: l.lookout}
		if l.typed != nil {
			o.screen = l.typed.shell
		}
		if b := c.placeOf(l.pane).rec.Binding; b != nil {
			o.home = b.Home
		}
		hook := l.evidence[ByHook].Doing
		if hook == "" || hook.Waits() {
			o.doer, _ = k.(Doer)
		}
		if (hook == "" || hook == Working) && l.evidence.told() == 0 {
			o.shows, _ = k.(Expressive)
		}
		if o.doer == nil {
			l.evidence.says(ByRecord, "", now)
		}
		if o.shows == nil {
			l.evidence.says(ByScreen, "", now)
			l.lookout = lookout{worked: l.worked}
		}
		if o.doer != nil || o.shows != nil {
			all = append(all, o)
		}
	}
	return all
}

// observeOne looks at an agent. A screen counts once two looks have found the same: what
// is being drawn is not judged.
func (c *Coordinator) observeOne(o observed, now time.Time) {
	var (
		written, like Doing
		since         time.Time
		settled       bool
	)
	if o.doer != nil {
		written, since = o.doer.Does(o.home, o.process)
	}
	if t := c.cfg.Host.Terminal(o.screen); t != nil && o.shows != nil {
		seq := t.Seq()
		if like = o.last.like; seq != o.last.seq {
			like = o.shows.Screen(t.LastLines(screenRows))
		}
		settled = like == o.last.like
		o.last = lookout{seq, like, o.last.worked || like == Working}
	}
	if since.After(now) || since.IsZero() {
		since = now
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all := &o.life.evidence
	changed := all.says(ByRecord, written, since)
	if o.life.lookout = o.last; settled {
		if like == "" && all[ByHook].Doing == Working && (o.last.worked || all[ByScreen].Doing == Quiet) {
			like = Quiet
		}
		changed = all.says(ByScreen, like, now) || changed
	}
	if changed {
		c.works(o.life)
		c.publish(c.placeOf(o.life.pane))
	}
}
