package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// Begin records a first launch: see agent.Launches. The pane counts to the workspace
// that the terminal's instance opened last. The disk is waited for where a session
// depends on it: an agent's launch, or one in a pane that shows an agent's terminal.
func (d *DB) Begin(ctx context.Context, t agent.Terminal, b *agent.Binding) error {
	write := d.write
	if b == nil && d.none(ctx, `SELECT EXISTS (SELECT 1 FROM panes p JOIN bindings b ON b.terminal_id = p.terminal_id WHERE p.id = ?)`, t.Pane) {
		write = d.writeSoon
	}
	err := write(ctx, func(tx *sql.Tx) error {
		if b != nil {
			if err := d.noteStore(ctx, tx, b.Kind, b.Home); err != nil {
				return err
			}
		}
		return begin(ctx, tx, t, b)
	})
	if err != nil {
		return fmt.Errorf("record terminal %s: %w", t.ID, err)
	}
	return nil
}

func begin(ctx context.Context, tx *sql.Tx, t agent.Terminal, b *agent.Binding) error {
	if err := insertTerminal(ctx, tx, t); err != nil {
		return err
	}
	what := "a program"
	if b != nil {
		first := *b
		first.Terminal, what = t.ID, b.Kind
		if first.Started.IsZero() {
			first.Started = t.Created
		}
		if err := insertBinding(ctx, tx, first); err != nil {
			return err
		}
	}
	if err := point(ctx, tx, t); err != nil {
		return err
	}
	return note(ctx, tx, agent.Note{At: t.Created, Terminal: t.ID, What: "launch", Why: what + " in pane " + string(t.Pane)})
}

// point lets a terminal's pane point at it.
func point(ctx context.Context, tx *sql.Tx, t agent.Terminal) error {
	if t.Shell != "" {
		return pointTyped(ctx, tx, t)
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO panes (id, terminal_id, workspace)
		VALUES (?, ?, (SELECT name FROM workspaces WHERE owner = ? ORDER BY born DESC LIMIT 1))
		ON CONFLICT (id) DO UPDATE SET terminal_id = excluded.terminal_id, workspace = coalesce(excluded.workspace, workspace)`,
		t.Pane, t.ID, t.Instance)
	return err
}

// GateOpened records that the program was let run: see agent.Lives. The disk is waited for
// if it is an agent.
func (d *DB) GateOpened(ctx context.Context, t panes.TerminalID) (disposed bool, err error) {
	write := d.write
	if d.none(ctx, `SELECT EXISTS (SELECT 1 FROM bindings WHERE terminal_id = ?)`, t) {
		write = d.writeSoon
	}
	err = write(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `UPDATE terminals SET gate_open = 1 WHERE id = ? RETURNING dispose_requested_at IS NOT NULL`, t).Scan(&disposed)
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoTerminal
	}
	if err != nil {
		return false, fmt.Errorf("record open gate of %s: %w", t, err)
	}
	return disposed, nil
}

// End records a terminal's end: see agent.Lives. Detached is asked for in vain of a
// terminal whose gate was never opened: it becomes TerminalExited. A second End of
// a disposed terminal says that its process was seen gone.
func (d *DB) End(ctx context.Context, e agent.Ending) (agent.EndReason, error) {
	var after agent.EndReason
	err := d.write(ctx, func(tx *sql.Tx) error {
		gate, err := endTerminal(ctx, tx, e.Terminal, "", e.At, e.Exit)
		if err != nil {
			return err
		}
		if !gate {
			e.Asked = agent.TerminalExited // [P11]
		}
		if err := endBinding(ctx, tx, e); err != nil {
			return err
		}
		if e.Alone {
			if err := leaveShell(ctx, tx, e); err != nil {
				return err
			}
		}
		after, err = reason(ctx, tx, e.Terminal)
		return err
	})
	if err != nil {
		return agent.Live, fmt.Errorf("record end of %s: %w", e.Terminal, err)
	}
	return after, nil
}

// endTerminal ends a terminal's row: exited, or disposed where a person asked for
// that, also later than its exit. With an instance it leaves other instances'
// terminals alone. It reports whether the program was ever let run.
func endTerminal(ctx context.Context, tx *sql.Tx, t panes.TerminalID, owner agent.InstanceID, at time.Time, exit *panes.Exit) (gate bool, err error) {
	var status, signal any
	if exit != nil {
		status, signal = exit.Status, exit.Signal
	}
	_, err = tx.ExecContext(ctx, `UPDATE terminals SET
			status = CASE WHEN dispose_requested_at IS NULL THEN 'exited' ELSE 'disposed' END,
			ended_at = coalesce(ended_at, :at), exit_status = coalesce(exit_status, :status), exit_signal = coalesce(exit_signal, :signal)
		WHERE id = :t AND (:owner = '' OR instance = :owner)
			AND (status = 'active' OR (status = 'exited' AND dispose_requested_at IS NOT NULL))`,
		sql.Named("t", t), sql.Named("owner", owner), sql.Named("at", nanos(at)), sql.Named("status", status), sql.Named("signal", signal))
	if err != nil {
		return false, err
	}
	err = tx.QueryRowContext(ctx, `SELECT gate_open FROM terminals WHERE id = ?`, t).Scan(&gate)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoTerminal
	}
	return gate, err
}

// endBinding asks a binding to move as an ending says, and writes what goes with
// the move.
func endBinding(ctx context.Context, tx *sql.Tx, e agent.Ending) error {
	m, what := askExited, "exit"
	if e.Asked == agent.Detached {
		m, what = askSure, "goodbye"
		if e.Unsure {
			m = askUnsure
		}
	}
	moved, twins, err := m.apply(ctx, tx, e.Terminal, e.At)
	if err != nil || !moved {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE bindings SET first_failed = ?, attempts = ?, first_death = ?, next_attempt = ? WHERE terminal_id = ?`,
		e.FirstFailed, e.Attempts, nanos(e.FirstDeath), nanos(e.NextAttempt), e.Terminal); err != nil {
		return err
	}
	if e.Attempts > 0 {
		what = "early-death"
	}
	if err := note(ctx, tx, agent.Note{At: e.At, Terminal: e.Terminal, What: what, Why: e.Why}); err != nil {
		return err
	}
	return notes(ctx, tx, e.At, what, "twin of "+string(e.Terminal), twins)
}

// successor is the step from the last terminals of a table chain to what they were
// resumed into. UNION before it drops what was seen, so that even a ring, which no
// move can make, ends.
const successor = `SELECT n.successor FROM chain JOIN bindings n ON n.terminal_id = chain.id
	WHERE n.end_reason = 'resumed' AND n.successor IS NOT NULL`

// last is the end of the chain of successors of terminal :t, no row if it is not
// recorded.
const last = `WITH RECURSIVE chain (id) AS (SELECT :t UNION ` + successor + `)
	SELECT t.id FROM chain JOIN terminals t ON t.id = chain.id LEFT JOIN bindings b ON b.terminal_id = t.id
	WHERE b.end_reason IS NOT 'resumed'`

// Dispose stamps a person's end: see agent.Lives. It returns the live end of the
// chain, then the dead twins that were ended with it; also those that have exited,
// for a process can outlive its pty. Whoever sees one gone says so with End or
// Sweep; until then it is an orphan for the next sweep.
func (d *DB) Dispose(ctx context.Context, t panes.TerminalID, at time.Time) ([]agent.Terminal, error) {
	var ended []agent.Terminal
	err := d.write(ctx, func(tx *sql.Tx) error {
		var live panes.TerminalID
		err := tx.QueryRowContext(ctx, last, sql.Named("t", t)).Scan(&live)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoTerminal
		}
		if err != nil {
			return err
		}
		_, twins, err := askDisposed.apply(ctx, tx, live, at)
		if err != nil {
			return err
		}
		beside, err := disposeBeside(ctx, tx, live, at)
		if err != nil {
			return err
		}
		for _, id := range slices.Concat([]panes.TerminalID{live}, beside, twins) {
			if err := stamp(ctx, tx, id, at); err != nil {
				return err
			}
			record, err := terminal(ctx, tx, id)
			if err != nil {
				return err
			}
			ended = append(ended, record)
		}
		if err := note(ctx, tx, agent.Note{At: at, Terminal: live, What: "dispose", Why: "ended by a person"}); err != nil {
			return err
		}
		return notes(ctx, tx, at, "dispose", "twin of "+string(live), twins)
	})
	if err != nil {
		return nil, fmt.Errorf("dispose %s: %w", t, err)
	}
	return ended, nil
}

// stamp writes the dispose request. If the terminal's instance counts as swept, it
// has something to be swept again: the process may be a survivor [P8].
func stamp(ctx context.Context, tx *sql.Tx, t panes.TerminalID, at time.Time) error {
	if _, err := tx.ExecContext(ctx, `UPDATE terminals SET dispose_requested_at = coalesce(dispose_requested_at, ?) WHERE id = ?`, nanos(at), t); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE instances SET swept = 0 WHERE swept = 1
		AND id = (SELECT instance FROM terminals WHERE id = ? AND status <> 'disposed')`, t)
	return err
}

// Sweep mends one terminal of a dead instance: see agent.Lives.
func (d *DB) Sweep(ctx context.Context, r agent.SweepRequest) error {
	err := d.write(ctx, func(tx *sql.Tx) error {
		if _, err := endTerminal(ctx, tx, r.Terminal, r.Instance, r.At, nil); err != nil {
			return err
		}
		moved, err := sweepBinding(ctx, tx, r)
		if err != nil || !moved {
			return err
		}
		return note(ctx, tx, agent.Note{At: r.At, Terminal: r.Terminal, What: "sweep", Why: "its process and its owner " + string(r.Instance) + " are gone"})
	})
	if err != nil {
		return fmt.Errorf("sweep %s: %w", r.Terminal, err)
	}
	return nil
}

// sweepBinding moves what the dead instance owned: the terminal, or the claim.
func sweepBinding(ctx context.Context, tx *sql.Tx, r agent.SweepRequest) (moved bool, err error) {
	back, err := changed(ctx, tx, `UPDATE bindings AS b SET end_reason = 'terminal-exited', owner = NULL, token = NULL, claimed_at = NULL
		WHERE b.terminal_id = ? AND `+isResuming+` AND b.owner = ?`, r.Terminal, r.Instance)
	if err != nil || back {
		return back, err
	}
	var own bool
	if err := tx.QueryRowContext(ctx, `SELECT instance = ? FROM terminals WHERE id = ?`, r.Instance, r.Terminal).Scan(&own); err != nil || !own {
		return false, err
	}
	moved, _, err = askBack.apply(ctx, tx, r.Terminal, r.At)
	return moved, err
}
