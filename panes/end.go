package panes

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// ErrAlive says that a process outlived every signal (it hangs in the kernel, or
// belongs to another user).
var ErrAlive = errors.New("it still runs")

// endPoll is how often EndProcess looks whether they are gone.
const endPoll = 10 * time.Millisecond

// endSignals are tried in this order. A stopped process takes HUP and TERM only
// once it goes on.
var endSignals = [][]unix.Signal{
	{unix.SIGHUP, unix.SIGCONT},
	{unix.SIGTERM, unix.SIGCONT},
	{unix.SIGKILL},
}

// EndProcess ends a process with its group and session, and returns nil once all
// of them were seen gone: HUP, TERM and KILL, with at most grace between two and
// after the last. It signals only processes whose identity matches and that
// belong to id, as Group defines it (those seen while the leader lived stay
// known by their own identity). A process that is gone already is no error.
// ErrAlive: something outlived it all. Any error means that they were not seen
// gone. When ctx ends it stops where it is.
func EndProcess(ctx context.Context, id ProcessID, nonce string, grace time.Duration) error {
	e := ending{id: id, nonce: nonce, known: map[ProcessID]bool{}}
	for _, signals := range endSignals {
		gone, err := e.try(ctx, signals, grace)
		if err != nil {
			return fmt.Errorf("end process %d: %w", id.PID, err)
		}
		if gone {
			return nil
		}
	}
	left, err := e.living()
	switch {
	case err != nil:
		return fmt.Errorf("end process %d: %w", id.PID, err)
	case len(left) == 0:
		return nil
	case e.failed != nil:
		return fmt.Errorf("end process %d: %w: %w", left[0].PID, ErrAlive, e.failed)
	}
	return fmt.Errorf("end process %d: %w", left[0].PID, ErrAlive)
}

// ending is one EndProcess.
type ending struct {
	id     ProcessID
	nonce  string
	known  map[ProcessID]bool
	failed error // the last signal that could not be sent
}

// try sends one round of signals and waits for the end of all.
func (e *ending) try(ctx context.Context, signals []unix.Signal, grace time.Duration) (gone bool, err error) {
	tick := time.NewTicker(endPoll)
	defer tick.Stop()
	living, err := e.living()
	if err != nil {
		return false, err
	}
	e.signal(living, signals)
	for deadline := time.Now().Add(grace); len(living) > 0 && time.Now().Before(deadline); {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-tick.C:
		}
		if living, err = e.living(); err != nil {
			return false, err
		}
		// Who was born meanwhile gets the next round: an agent that is told to
		// hang up runs its hooks. After the last there is none.
		if signals[0] == unix.SIGKILL {
			e.signal(living, signals)
		}
	}
	return len(living) == 0, nil
}

func (e *ending) signal(to []ProcessID, signals []unix.Signal) {
	for _, p := range to {
		for _, sig := range signals {
			if err := signalProcess(p, sig); err != nil {
				e.failed = err
			}
		}
	}
}

// living lists who must be gone, and remembers them: a leader that dies first
// must not take the proof with it that its children are ours to end.
func (e *ending) living() ([]ProcessID, error) {
	kin, err := kinOf(e.id, e.nonce)
	if err != nil {
		return nil, err
	}
	for _, p := range kin {
		e.known[p] = true
	}
	var living []ProcessID
	for p := range e.known {
		if p.Alive() {
			living = append(living, p)
		}
	}
	return living, nil
}
