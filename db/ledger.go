package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// maxWhy bounds the words of one ledger row, in bytes: part of them comes from
// agents and hooks.
const maxWhy = 1024

// note appends to the ledger, inside the transaction of what it tells. The
// session is looked up if the note does not name it.
func note(ctx context.Context, q querier, n agent.Note) error {
	_, err := q.ExecContext(ctx, `INSERT INTO ledger (at, terminal, session, what, why)
		VALUES (?1, ?2, coalesce(?3, (SELECT session_id FROM bindings WHERE terminal_id = ?2)), ?4, ?5)`,
		n.At.UnixNano(), null(n.Terminal), null(n.Session), clip(n.What, 64), clip(n.Why, maxWhy))
	return err
}

// notes appends one row for each terminal.
func notes(ctx context.Context, q querier, at time.Time, what, why string, terminals []panes.TerminalID) error {
	for _, t := range terminals {
		if err := note(ctx, q, agent.Note{At: at, Terminal: t, What: what, Why: why}); err != nil {
			return err
		}
	}
	return nil
}

// clip makes a text valid UTF-8 of at most n bytes, without control characters:
// the ledger is shown on terminals.
func clip(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// AddNote appends to the ledger.
func (d *DB) AddNote(ctx context.Context, n agent.Note) error {
	if err := d.write(ctx, func(tx *sql.Tx) error { return note(ctx, tx, n) }); err != nil {
		return fmt.Errorf("note %s: %w", n.What, err)
	}
	return nil
}

// Notes lists the ledger's last rows, newest first: of one terminal, or of all
// with t "". The ledger keeps the last 200,000.
func (d *DB) Notes(ctx context.Context, t panes.TerminalID, limit int) ([]agent.Note, error) {
	all, err := collect(ctx, d.r, scanNote, `SELECT at, terminal, session, what, why FROM ledger WHERE ?1 = '' OR terminal = ?1 ORDER BY id DESC LIMIT ?2`, t, limit)
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	return all, nil
}

// Story lists the ledger's last rows of a terminal and of those that it was resumed
// from, newest first.
func (d *DB) Story(ctx context.Context, t panes.TerminalID, limit int) ([]agent.Note, error) {
	all, err := collect(ctx, d.r, scanNote, `WITH RECURSIVE lives (id) AS (SELECT ?1
			UNION SELECT b.predecessor FROM lives JOIN bindings b ON b.terminal_id = lives.id WHERE b.predecessor IS NOT NULL)
		SELECT at, terminal, session, what, why FROM ledger WHERE terminal IN (SELECT id FROM lives) ORDER BY id DESC LIMIT ?2`, t, limit)
	if err != nil {
		return nil, fmt.Errorf("read ledger of %s: %w", t, err)
	}
	return all, nil
}

func scanNote(s scanner) (n agent.Note, err error) {
	err = s.Scan(into{&n.At}, textOf(&n.Terminal), textOf(&n.Session), &n.What, &n.Why)
	return n, err
}
