package db

import (
	"context"
	"database/sql"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// What a binding b is, as conditions.
const (
	isLive     = `b.end_reason IS NULL`
	isUnsure   = `(b.end_reason = 'detached' AND b.unsure = 1)`
	isDetached = `b.end_reason = 'detached'`
	isExited   = `b.end_reason = 'terminal-exited'`
	isResuming = `b.end_reason = 'resuming'`
)

// move is what is asked of a binding: the rows that it may move, and what
// becomes of them. A row that from does not name refuses.
type move struct {
	from string
	set  string
	// twins names the rows whose end ends their session: then all dead twins,
	// the terminal-exited rows of the same session in the same store, get the same
	// end in the same transaction. "": never.
	twins string
}

// The table of moves (resume.md §3), a move for each of its columns: in the table
// "terminal-exited" is two, because look-back and sweep may do what the waiter of a
// process may not. ended_at keeps the first time.
var (
	askSure = move{
		from:  isLive + ` OR ` + isUnsure, // [P6] a terminal-exited row refuses
		set:   `end_reason = 'detached', unsure = 0, ended_at = coalesce(b.ended_at, :at)`,
		twins: isLive + ` OR ` + isUnsure, // [P12]
	}
	askUnsure = move{
		from: isLive,
		set:  `end_reason = 'detached', unsure = 1, ended_at = :at`,
	}
	askExited = move{
		from: isLive, // [P6] a detached row refuses
		set:  `end_reason = 'terminal-exited', unsure = 0, ended_at = :at`,
	}
	askBack = move{
		from: isLive + ` OR ` + isUnsure, // [P7]
		set:  `end_reason = 'terminal-exited', unsure = 0, ended_at = coalesce(b.ended_at, :at)`,
	}
	askDisposed = move{
		from:  isLive + ` OR ` + isDetached + ` OR ` + isExited + ` OR ` + isResuming, // resuming: a person's kill wins
		set:   `end_reason = 'disposed', unsure = 0, ended_at = coalesce(b.ended_at, :at)`,
		twins: isLive + ` OR ` + isResuming, // [P12] closing a dead duplicate ends only itself
	}
)

// apply asks terminal t's binding to move, in one conditional UPDATE. It returns
// the dead twins that got the same end.
func (m move) apply(ctx context.Context, tx *sql.Tx, t panes.TerminalID, at time.Time) (moved bool, twins []panes.TerminalID, err error) {
	id, when := sql.Named("t", t), sql.Named("at", nanos(at))
	if m.twins != "" {
		// Before the row itself, because what it was decides.
		twins, err = column[panes.TerminalID](ctx, tx, `WITH ended (kind, home, session_id) AS (
				SELECT b.kind, b.home, b.session_id FROM bindings b WHERE b.terminal_id = :t AND (`+m.twins+`))
			UPDATE bindings AS b SET `+m.set+`
			WHERE b.terminal_id <> :t AND `+isExited+` AND b.session_id = (SELECT session_id FROM ended) AND EXISTS (SELECT 1 FROM ended o WHERE `+inOneStore+`)
			RETURNING terminal_id`, id, when)
		if err != nil {
			return false, nil, err
		}
	}
	moved, err = changed(ctx, tx, `UPDATE bindings AS b SET `+m.set+` WHERE b.terminal_id = :t AND (`+m.from+`)`, id, when)
	return moved, twins, err
}

// candidate is the predicate of resume.md §2 over a binding b. It is the only
// one: list, find and claim all use it, so that they cannot drift apart. A
// dispose request counts even when it is fulfilled: nothing that a person ended
// comes back. The session id is SessionID.Valid's; GLOB stops at a NUL byte.
const candidate = `(b.ended_at IS NOT NULL AND ` + isExited + `
	AND b.first_failed = 0
	AND b.session_id GLOB '[A-Za-z0-9]*' AND b.session_id NOT GLOB '*[^A-Za-z0-9._:-]*'
	AND length(CAST(b.session_id AS BLOB)) <= 128 AND instr(CAST(b.session_id AS BLOB), x'00') = 0
	AND NOT EXISTS (SELECT 1 FROM terminals d WHERE d.id = b.terminal_id AND d.dispose_requested_at IS NOT NULL)
	AND NOT EXISTS (SELECT 1 FROM bindings o WHERE o.session_id = b.session_id AND ` + inOneStore + `
		AND o.terminal_id <> b.terminal_id AND (o.end_reason IS NULL OR o.end_reason = 'resuming')))`

// reason reads a binding's end reason; Live if there is no binding.
func reason(ctx context.Context, q querier, t panes.TerminalID) (r agent.EndReason, err error) {
	err = q.QueryRowContext(ctx, `SELECT (SELECT b.end_reason FROM bindings b WHERE b.terminal_id = ?)`, t).Scan(textOf(&r))
	return r, err
}
