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
// ErrAlive: something outlived it all. When ctx ends it stops where it is.
func EndProcess(ctx context.Context, id ProcessID, nonce string, grace time.Duration) error {
	known := map[ProcessID]bool{}
	tick := time.NewTicker(endPoll)
	defer tick.Stop()
	var failed error
	for _, signals := range endSignals {
		living := livingKin(id, nonce, known)
		for _, p := range living {
			for _, sig := range signals {
				if err := signalProcess(p, sig); err != nil {
					failed = err
				}
			}
		}
		deadline := time.Now().Add(grace)
		for len(living) > 0 && time.Now().Before(deadline) {
			select {
			case <-ctx.Done():
				return fmt.Errorf("end process %d: %w", id.PID, ctx.Err())
			case <-tick.C:
			}
			living = livingKin(id, nonce, known)
		}
		if len(living) == 0 {
			return nil
		}
	}
	living := livingKin(id, nonce, known)
	if len(living) == 0 {
		return nil
	}
	if failed != nil {
		return fmt.Errorf("end process %d: %w: %w", living[0].PID, ErrAlive, failed)
	}
	return fmt.Errorf("end process %d: %w", living[0].PID, ErrAlive)
}

// livingKin lists who must be gone, and remembers them: a leader that dies first
// must not take the proof with it that its children are ours to end.
func livingKin(id ProcessID, nonce string, known map[ProcessID]bool) []ProcessID {
	for _, p := range Group(id, nonce) {
		known[p] = true
	}
	var living []ProcessID
	for p := range known {
		if p.Alive() {
			living = append(living, p)
		}
	}
	return living
}
