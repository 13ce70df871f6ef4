package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"reprise/panes"
)

const (
	// lookAfter is how long a Keeper waits after it was woken: a flood wakes it a
	// thousand times a second.
	lookAfter = time.Second
	// quiet is how long a pane must not have changed to be saved, and busy how
	// often one is saved that does not stop changing.
	quiet = 2 * time.Second
	busy  = 10 * time.Second
	// retry is how long a pane rests that could not be saved.
	retry = time.Minute
	// restFactor times as long as saving took, at most maxRest, is rested after
	// it: however many panes change, a Keeper takes at most a twentieth of a core.
	restFactor = 20
	maxRest    = time.Minute
)

// Host is what a Keeper asks of a panes.Host.
type Host interface {
	Subscribe() (wake <-chan struct{}, cancel func())
	Layout() panes.Layout
	Shown(p panes.PaneID) *panes.Terminal
}

// KeeperOptions say what a Keeper keeps where.
type KeeperOptions struct {
	Host  Host
	Store *Store
	// Text is a terminal's scrollback and main screen, as Record.Text is.
	Text func(t *panes.Terminal) []byte
	// Told takes the first error of saving, and nil when all is saved again; nil:
	// nowhere. It must not block.
	Told func(err error)
}

// Keeper saves what the panes of a host show, as it changes. A pane that shows
// nothing yet never replaces what is saved of it; one that was cleared does. The
// files of panes that were closed stay (Store.Prune).
type Keeper struct {
	o    KeeperOptions
	seed maphash.Seed
	one  chan struct{} // full while panes are looked at: one text at a time; guards the rest
	kept map[panes.PaneID]*kept
	bad  bool // Told knows of an error
}

// kept is what a Keeper knows of a pane.
type kept struct {
	terminal *panes.Terminal // the one it shows; nil: none yet
	seen     uint64          // its Seq at the last look
	had      bool            // it had text since it is shown
	sum      uint64          // of the text on disk; 0: not known
	since    time.Time       // when the first change that is not saved was seen; zero: all is saved
	changed  time.Time       // when the last one was
	notYet   time.Time       // it is not saved again before
	err      error           // of its last save
}

// NewKeeper makes a Keeper; Run lets it work.
func NewKeeper(o KeeperOptions) *Keeper {
	if o.Told == nil {
		o.Told = func(error) {}
	}
	return &Keeper{o: o, seed: maphash.MakeSeed(), one: make(chan struct{}, 1), kept: map[panes.PaneID]*kept{}}
}

// Run saves panes until ctx ends: each 2 s after it became quiet, and every 10 s
// if it does not, or less often if saving is slow. While nothing changes it sleeps
// without a clock. What is not saved when it ends is Flush's.
func (k *Keeper) Run(ctx context.Context) {
	wake, cancel := k.o.Host.Subscribe()
	defer cancel()
	woken := wake
	var next, rest time.Time // when to look again; zero: when woken
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-woken:
			woken = nil // until the next look, which sees it all
			next = sooner(next, later(time.Now().Add(lookAfter), rest))
		case <-timer.C:
			began := time.Now()
			next, _ = k.look(ctx, kept.due)
			rest = time.Now().Add(min(restFactor*time.Since(began), maxRest))
			if !next.IsZero() {
				next = later(next, rest)
			}
			woken = wake
		}
		if !next.IsZero() {
			timer.Reset(time.Until(next))
		}
	}
}

// Flush saves everything that is not saved yet. It returns when ctx ends at the
// latest, even if the disk hangs. It may be called while Run runs and after it;
// terminals that were retired before cannot be saved any more.
func (k *Keeper) Flush(ctx context.Context) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("save scrollback: %v", r)
			}
		}()
		_, err := k.look(ctx, func(k kept) time.Time { return k.since })
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("save scrollback: %w", ctx.Err())
	}
}

// look saves every pane whose time has come and returns when the next one's will
// have; zero: all is saved.
func (k *Keeper) look(ctx context.Context, due func(kept) time.Time) (next time.Time, err error) {
	select {
	case k.one <- struct{}{}:
		defer func() { <-k.one }()
	case <-ctx.Done():
		return time.Time{}, fmt.Errorf("save scrollback: %w", ctx.Err())
	}
	k.see(time.Now())
	var errs []error
	for p, e := range k.kept {
		if e.since.IsZero() {
			continue
		}
		if ctx.Err() != nil {
			errs = append(errs, fmt.Errorf("save scrollback: %w", ctx.Err()))
			break
		}
		if !due(*e).After(time.Now()) {
			if e.err = k.save(p, e); e.err != nil {
				errs = append(errs, e.err)
			}
		}
		if !e.since.IsZero() {
			next = sooner(next, e.due())
		}
	}
	k.tell()
	return next, errors.Join(errs...)
}

// see notes which panes there are and which of them have changed.
func (k *Keeper) see(now time.Time) {
	layout := k.o.Host.Layout()
	here := make(map[panes.PaneID]bool, len(k.kept))
	for _, p := range layout.Panes() {
		here[p] = true
		e := k.kept[p]
		if e == nil {
			e = &kept{}
			k.kept[p] = e
		}
		t := k.o.Host.Shown(p)
		if t == nil {
			e.terminal, e.since, e.err = nil, time.Time{}, nil
			continue
		}
		if t != e.terminal {
			e.terminal, e.seen, e.had = t, 0, false
		}
		if seq := t.Seq(); seq != e.seen {
			e.seen, e.changed = seq, now
			if e.since.IsZero() {
				e.since = now
			}
		}
	}
	for p := range k.kept {
		if !here[p] {
			delete(k.kept, p)
		}
	}
}

// save saves one pane, if there is something that is not on disk.
func (k *Keeper) save(p panes.PaneID, e *kept) error {
	seq := e.terminal.Seq() // before the text, which may be newer
	r := Record{At: time.Now(), Cols: e.terminal.Size().Cols, Text: k.o.Text(e.terminal)}
	if len(bytes.TrimSpace(r.Text)) == 0 {
		r.Text = nil
	}
	sum := maphash.Bytes(k.seed, r.Text) | 1 // never 0
	// Programs redraw what was there, and on the alternate screen nothing of it is
	// kept: most changes end here.
	e.had = e.had || len(r.Text) > 0
	if sum != e.sum && e.had {
		if err := k.o.Store.Save(p, r); err != nil {
			e.notYet = time.Now().Add(retry)
			return err
		}
		e.sum = sum
	}
	e.seen, e.since, e.notYet = seq, time.Time{}, time.Time{}
	return nil
}

// due is when the pane shall be saved, if it does not change until then.
func (e kept) due() time.Time {
	return later(sooner(e.changed.Add(quiet), e.since.Add(busy)), e.notYet)
}

// tell tells of trouble once, and of its end.
func (k *Keeper) tell() {
	var bad error
	for _, e := range k.kept {
		if e.err != nil {
			bad = e.err
		}
	}
	if (bad != nil) != k.bad {
		k.bad = bad != nil
		k.o.Told(bad)
	}
}

// sooner is the earlier time; zero is none.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
