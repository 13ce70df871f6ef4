package db

import (
	"context"
	"database/sql"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// pointTyped lets a pane point at an agent that was typed in its shell. What it
// pointed at is that shell, or another agent that was typed there; of any other pane,
// or where a person has closed it, nothing is recorded.
func pointTyped(ctx context.Context, tx *sql.Tx, t agent.Terminal) error {
	ok, err := changed(ctx, tx, `UPDATE panes SET terminal_id = :t WHERE id = :pane
		AND (terminal_id = :shell OR terminal_id IN (SELECT id FROM terminals WHERE shell = :shell))
		AND EXISTS (SELECT 1 FROM terminals s WHERE s.id = :shell AND s.pane = :pane AND s.instance = :owner
			AND s.status = 'active' AND s.dispose_requested_at IS NULL)`,
		sql.Named("t", t.ID), sql.Named("pane", t.Pane), sql.Named("shell", t.Shell), sql.Named("owner", t.Instance))
	if err == nil && !ok {
		err = agent.ErrNoShell
	}
	return err
}

// leaveShell gives a pane back to the shell in which an agent was typed that has
// ended, or to the last of the others that run there (suspended ones do). What may
// still be resumed of it waits for a person: a session that comes back beside a
// living shell, or later instead of it, is nobody's wish.
func leaveShell(ctx context.Context, tx *sql.Tx, e agent.Ending) error {
	if _, err := tx.ExecContext(ctx, `UPDATE bindings AS b SET dismissed_at = :at WHERE b.terminal_id = :t AND `+isExited+` AND b.dismissed_at IS NULL`,
		sql.Named("t", e.Terminal), sql.Named("at", nanos(e.At))); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE panes SET terminal_id = (
			SELECT coalesce((SELECT o.id FROM terminals o WHERE o.shell = t.shell AND o.status = 'active' AND o.id <> t.id
				ORDER BY o.created_at DESC, o.id DESC LIMIT 1), t.shell)
			FROM terminals t WHERE t.id = :t)
		WHERE terminal_id = :t AND EXISTS (SELECT 1 FROM terminals t JOIN terminals s ON s.id = t.shell WHERE t.id = :t)`,
		sql.Named("t", e.Terminal))
	return err
}

// disposeBeside ends, in the transaction that disposes of a terminal, what shares its
// pty: the shell in which it was typed, and agents that were typed there.
func disposeBeside(ctx context.Context, tx *sql.Tx, t panes.TerminalID, at time.Time) ([]panes.TerminalID, error) {
	beside, err := column[panes.TerminalID](ctx, tx, `SELECT o.id FROM terminals t
		JOIN terminals o ON coalesce(o.shell, o.id) = coalesce(t.shell, t.id) AND o.id <> t.id
		WHERE t.id = ? AND t.status = 'active' AND o.status = 'active' ORDER BY o.created_at, o.id`, t)
	all := beside
	for _, id := range beside {
		if err != nil {
			break
		}
		var twins []panes.TerminalID
		_, twins, err = askDisposed.apply(ctx, tx, id, at)
		all = append(all, twins...)
	}
	return all, err
}
