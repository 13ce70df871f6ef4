package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// Settle makes an unsure goodbye sure: see agent.Marks.
func (d *DB) Settle(ctx context.Context, t panes.TerminalID, at time.Time) (moved bool, err error) {
	settle := askSure
	settle.from, settle.twins = isUnsure, isUnsure // a live one has not said goodbye
	err = d.write(ctx, func(tx *sql.Tx) error {
		var twins []panes.TerminalID
		moved, twins, err = settle.apply(ctx, tx, t, at)
		if err != nil || !moved {
			return err
		}
		if err := note(ctx, tx, agent.Note{At: at, Terminal: t, What: "goodbye", Why: "settled"}); err != nil {
			return err
		}
		return notes(ctx, tx, at, "goodbye", "twin of "+string(t), twins)
	})
	if err != nil {
		return false, fmt.Errorf("settle goodbye of %s: %w", t, err)
	}
	return moved, nil
}

// Unsettle takes back the unsure goodbyes of a stopping instance: see agent.Marks.
func (d *DB) Unsettle(ctx context.Context, owner agent.InstanceID, at time.Time) (int, error) {
	var taken []panes.TerminalID
	err := d.write(ctx, func(tx *sql.Tx) (err error) {
		taken, err = column[panes.TerminalID](ctx, tx, `UPDATE bindings AS b SET `+askBack.set+`
			WHERE `+isUnsure+` AND b.terminal_id IN (SELECT id FROM terminals WHERE instance = :owner) RETURNING terminal_id`,
			sql.Named("owner", owner), sql.Named("at", nanos(at)))
		if err != nil {
			return err
		}
		return notes(ctx, tx, at, "exit", "look-back of a stopping server: the goodbye was not sure yet", taken)
	})
	if err != nil {
		return 0, fmt.Errorf("look back at goodbyes: %w", err)
	}
	return len(taken), nil
}

// Proven sets the attempts back to 0.
func (d *DB) Proven(ctx context.Context, t panes.TerminalID) error {
	if _, err := d.change(ctx, `UPDATE bindings SET `+proven+` WHERE terminal_id = ?`, t); err != nil {
		return fmt.Errorf("reset attempts of %s: %w", t, err)
	}
	return nil
}

// proven ends a row of early deaths.
const proven = `attempts = 0, first_death = NULL, next_attempt = NULL`

// Dismiss marks or unmarks a candidate as dismissed.
func (d *DB) Dismiss(ctx context.Context, t panes.TerminalID, at time.Time) error {
	if _, err := d.change(ctx, `UPDATE bindings AS b SET dismissed_at = ? WHERE b.terminal_id = ? AND `+isExited, nanos(at), t); err != nil {
		return fmt.Errorf("dismiss %s: %w", t, err)
	}
	return nil
}
