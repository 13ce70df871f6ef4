package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"reprise/agent"
	"reprise/panes"
)

// Pane follows a pane's pointer: see agent.Panes.
func (d *DB) Pane(ctx context.Context, p panes.PaneID) (agent.PaneRecord, error) {
	rec := agent.PaneRecord{Pane: p}
	if err := d.follow(ctx, &rec); err != nil {
		d.ground.heed(err)
		return agent.PaneRecord{}, fmt.Errorf("read pane %s: %w", p, err)
	}
	return rec, nil
}

// snapshot begins a transaction that only reads: all of it from one moment.
func (d *DB) snapshot(ctx context.Context) (*sql.Tx, error) {
	return d.r.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
}

// follow reads what a pane shows. Panes are read often, each time something happens in
// one, and to compile the query takes longer than to run it.
func (d *DB) follow(ctx context.Context, rec *agent.PaneRecord) error {
	compiled, err := d.shown.get(ctx, d.r.DB)
	if err != nil {
		return err
	}
	tx, err := d.snapshot(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only read
	stmt := tx.StmtContext(ctx, compiled)
	defer func() { _ = stmt.Close() }() // the one for this transaction
	var r terminalRow
	var bound bool
	err = stmt.QueryRowContext(ctx, sql.Named("p", rec.Pane)).Scan(append(r.dest(), &bound, &rec.Candidate)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	t := r.value()
	rec.Terminal = &t
	if !bound {
		rec.Left, err = leftIn(ctx, tx, t.ID)
		return err
	}
	if rec.Binding, err = binding(ctx, tx, t.ID); err != nil {
		return err
	}
	rec.HeldBy, err = holderOf(ctx, tx, rec.Binding.Origin, rec.Binding.Session, t.ID)
	return err
}

// leftIn is the last agent that was typed in a shell, has died alone there and may be
// resumed; nil: there is none.
func leftIn(ctx context.Context, q querier, shell panes.TerminalID) (*agent.Binding, error) {
	all, err := collect(ctx, q, func(s scanner) (b agent.Binding, err error) {
		err = s.Scan(bindingDest(&b)...)
		return b, err
	}, `SELECT `+bindingColumns+` FROM terminals t JOIN bindings b ON b.terminal_id = t.id
		WHERE t.shell = ? AND `+candidate+` ORDER BY t.created_at DESC, t.id DESC LIMIT 1`, shell)
	if len(all) == 0 {
		return nil, err
	}
	return &all[0], err
}

// compiled is a statement that is compiled when it is first needed.
type compiled struct {
	query string
	mu    sync.Mutex // guards stmt
	stmt  *sql.Stmt
}

func (c *compiled) get(ctx context.Context, pool *sql.DB) (*sql.Stmt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stmt == nil {
		stmt, err := pool.PrepareContext(ctx, c.query)
		if err != nil {
			return nil, fmt.Errorf("compile a query: %w", err)
		}
		c.stmt = stmt
	}
	return c.stmt, nil
}

// holderOf is another terminal than t that has a session, alive or claimed; nil: none
// has.
func holderOf(ctx context.Context, q querier, o agent.Origin, s agent.SessionID, t panes.TerminalID) (*agent.Holder, error) {
	args := append(identity(agent.Identity{Kind: o.Kind, Home: o.Home, Session: s}), sql.Named("t", t))
	others, err := holders(ctx, q, isSession+` AND b.terminal_id <> :t AND (`+isLive+` OR `+isResuming+`)`, args...)
	if len(others) == 0 {
		return nil, err
	}
	return &others[0], err
}

// shown is the terminal at the end of the chain from pane :p, whether it has a
// binding, and whether that is a candidate. No row: the pane points nowhere.
const shown = `WITH RECURSIVE chain (id) AS (
		SELECT terminal_id FROM panes WHERE id = :p UNION ` + successor + `)
	SELECT ` + terminalColumns + `, b.terminal_id IS NOT NULL, coalesce(` + candidate + `, 0)
	FROM chain JOIN terminals t ON t.id = chain.id LEFT JOIN bindings b ON b.terminal_id = t.id
	WHERE b.end_reason IS NOT 'resumed'`

// Repoint moves a pane's pointer along its chain of successors: see agent.Panes.
func (d *DB) Repoint(ctx context.Context, p panes.PaneID, to panes.TerminalID) (bool, error) {
	ok, err := d.change(ctx, `WITH RECURSIVE before (id) AS (
			SELECT :to UNION SELECT b.terminal_id FROM before JOIN bindings b ON b.successor = before.id
			WHERE b.end_reason = 'resumed')
		UPDATE panes SET terminal_id = :to WHERE id = :p AND terminal_id IN (SELECT id FROM before)`, // [P2]
		sql.Named("p", p), sql.Named("to", to))
	if err != nil {
		return false, fmt.Errorf("point pane %s at %s: %w", p, to, err)
	}
	return ok, nil
}

// ForgetPane drops the pointer of a pane that was closed. What it pointed at stays.
func (d *DB) ForgetPane(ctx context.Context, p panes.PaneID) error {
	if _, err := d.change(ctx, `DELETE FROM panes WHERE id = ?`, p); err != nil {
		return fmt.Errorf("forget pane %s: %w", p, err)
	}
	return nil
}
