package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"reprise/panes"
)

const (
	// pruneBatch is how many terminals one transaction forgets. Others wait for it,
	// and an agent's hook no longer than 40 ms.
	pruneBatch = 100
	pruneRest  = 10 * time.Millisecond // between two
)

// Prune forgets what is over and from before a time: ledger rows, hook events, and
// terminals with their bindings and the pointers of panes that no saved layout has.
// What may still be resumed is never forgotten, nor what a living process owns, nor
// what a saved layout leads to. It works in batches, so that others get their turn,
// and is done after them all or when ctx ends: what is left is for the next time.
func (d *DB) Prune(ctx context.Context, before time.Time) error {
	for _, table := range []struct{ name, at string }{{"ledger", "at"}, {"hook_events", "fired_at"}} {
		for more := true; more; {
			n, err := d.pruneRows(ctx, `DELETE FROM `+table.name+` WHERE id IN (SELECT id FROM `+table.name+` WHERE `+table.at+` < ? LIMIT ?)`,
				before.UnixNano(), 10*pruneBatch)
			if err != nil {
				return fmt.Errorf("prune %s: %w", table.name, err)
			}
			more = n > 0
		}
	}
	if err := d.pruneTerminals(ctx, before); err != nil {
		return fmt.Errorf("prune terminals: %w", err)
	}
	if _, err := d.pruneRows(ctx, `DELETE FROM stores AS s WHERE NOT EXISTS (SELECT 1 FROM bindings b WHERE b.kind = s.kind AND b.home = s.home)`); err != nil {
		return fmt.Errorf("prune stores: %w", err)
	}
	return nil
}

func (d *DB) pruneRows(ctx context.Context, query string, args ...any) (n int64, err error) {
	// No pane shows what is forgotten here.
	err = d.writeAside(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, query, args...)
		if err != nil {
			return err
		}
		n, err = r.RowsAffected()
		return err
	})
	return n, err
}

// over is what may be forgotten of a terminal t and its binding b: it ended before
// :before, its instance is dead and swept, its process was seen gone if a person
// ended it, and its binding has ended for good. A binding that has no session, or
// whose first launch failed, was never a candidate. Other lives of a session that may
// go on are kept for pre-flight, which looks whether a process of theirs is left.
const over = `t.ended_at < :before AND t.status <> 'active'
	AND (t.dispose_requested_at IS NULL OR t.status = 'disposed')
	AND EXISTS (SELECT 1 FROM instances i WHERE i.id = t.instance AND i.swept = 1)
	AND (b.terminal_id IS NULL OR b.end_reason IN ('resumed', 'disposed') OR (` + isDetached + ` AND b.unsure = 0)
		OR (` + isExited + ` AND (b.session_id IS NULL OR b.first_failed = 1)))
	AND NOT EXISTS (SELECT 1 FROM bindings o WHERE o.session_id = b.session_id AND ` + inOneStore + `
		AND o.terminal_id <> t.id AND (o.end_reason IS NULL OR o.end_reason IN ('resuming', 'terminal-exited')
			OR (o.end_reason = 'detached' AND o.unsure = 1)))`

// pruneTerminals forgets terminals. Which may be is asked for once, without keeping
// anybody waiting, and again for each where it is forgotten.
func (d *DB) pruneTerminals(ctx context.Context, before time.Time) error {
	// The oldest first: what a terminal was resumed from comes before it.
	old, err := column[panes.TerminalID](ctx, d.r, `SELECT t.id FROM terminals t
		WHERE t.ended_at < ? AND t.status <> 'active' AND t.instance IN (SELECT id FROM instances WHERE swept = 1)
		ORDER BY t.created_at, t.id`, before.UnixNano())
	if err != nil {
		return err
	}
	for len(old) > 0 {
		batch := old[:min(pruneBatch, len(old))]
		old = old[len(batch):]
		if err := d.write(ctx, func(tx *sql.Tx) error { return forget(ctx, tx, batch, before) }); err != nil {
			return err
		}
		// SQLite has no queue: who polls for the lock must find it free for a while.
		select {
		case <-time.After(pruneRest):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// forget forgets those of a batch that are over and that nothing leads to which
// stays: neither a life that was resumed into it nor a pane of a saved layout.
func forget(ctx context.Context, tx *sql.Tx, batch []panes.TerminalID, before time.Time) error {
	saved, err := named(ctx, tx)
	if err != nil {
		return err
	}
	// Prepared once: that takes longer than the work itself.
	look, err := tx.PrepareContext(ctx, `SELECT coalesce(pane.id, ''), coalesce(former.terminal_id, '') FROM terminals t
		LEFT JOIN bindings b ON b.terminal_id = t.id
		LEFT JOIN panes pane ON pane.terminal_id = t.id LEFT JOIN bindings former ON former.successor = t.id
		WHERE t.id = :t AND `+over)
	if err != nil {
		return err
	}
	defer func() { _ = look.Close() }()
	gone := map[panes.TerminalID]bool{}
	var list []string
	for _, id := range batch {
		leads, err := leadsTo(ctx, look, id, before)
		if err != nil {
			return err
		}
		stays := func(l lead) bool { return saved[l.pane] || l.former != "" && !gone[l.former] }
		if len(leads) > 0 && !slices.ContainsFunc(leads, stays) {
			gone[id], list = true, append(list, string(id))
		}
	}
	for _, query := range []string{
		`DELETE FROM panes WHERE terminal_id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM bindings WHERE terminal_id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM terminals WHERE id IN (SELECT value FROM json_each(?))`,
	} {
		if _, err := tx.ExecContext(ctx, query, array(list)); err != nil {
			return err
		}
	}
	return nil
}

// lead is what leads to a terminal: a pane, the life that was resumed into it, both
// or none.
type lead struct {
	pane   string
	former panes.TerminalID
}

// leadsTo lists what leads to a terminal that is over, at least one row; none if it
// is not over.
func leadsTo(ctx context.Context, look *sql.Stmt, t panes.TerminalID, before time.Time) ([]lead, error) {
	rows, err := look.QueryContext(ctx, sql.Named("t", t), sql.Named("before", before.UnixNano()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	var all []lead
	for rows.Next() {
		var l lead
		if err := rows.Scan(&l.pane, &l.former); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, rows.Err()
}

// named are the words of all saved layouts, panes' ids among them. A layout is not
// decoded for it: whatever its form, what it names is kept.
func named(ctx context.Context, q querier) (map[string]bool, error) {
	layouts, err := column[string](ctx, q, `SELECT CAST(layout AS TEXT) FROM workspaces WHERE layout IS NOT NULL
		UNION ALL SELECT CAST(layout_prev AS TEXT) FROM workspaces WHERE layout_prev IS NOT NULL`)
	words := map[string]bool{}
	for _, l := range layouts {
		for word := range strings.FieldsFuncSeq(l, func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			words[word] = true
		}
	}
	return words, err
}
