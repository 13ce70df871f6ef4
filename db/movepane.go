package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// ErrResuming says that a session of the pane is being resumed just now.
var ErrResuming = errors.New("a session of the pane is being resumed")

// PaneMove takes a pane out of one open workspace and into another.
type PaneMove struct {
	Pane panes.PaneID
	// Terminals are those of From's instance that ran in the pane and that its process
	// still knows.
	Terminals []panes.TerminalID
	From, To  PaneHome
	At        time.Time
}

// PaneHome is an open workspace on one side of a move: who has it open, and its
// layout as it is afterwards; nil: From has no pane left.
type PaneHome struct {
	Name     string
	Instance agent.InstanceID
	Layout   []byte
}

// blob is the layout as the database has it.
func (h PaneHome) blob() any {
	if len(h.Layout) == 0 {
		return nil
	}
	return h.Layout
}

// MovePane does a move in one transaction: both layouts, the terminals' instance and
// the pane's workspace change together or not at all, so that whatever dies, one
// instance answers for a terminal and one layout has the pane. ErrNotOwner: one of
// the instances has not what it is said to have. ErrResuming: a claim of From's is
// open. ErrEmptyLayout: To would have no pane. From is left without a layout if the
// pane was its last one: opened again it would begin anew. Whoever has it open removes it.
func (d *DB) MovePane(ctx context.Context, m PaneMove) error {
	err := m.check()
	if err == nil {
		err = d.write(ctx, func(tx *sql.Tx) error { return m.apply(ctx, tx) })
	}
	if err != nil && m.done(ctx, d.w) {
		return nil // it is the answer that was lost
	}
	if err != nil {
		return fmt.Errorf("move pane %s from workspace %s to %s: %w", m.Pane, m.From.Name, m.To.Name, err)
	}
	return nil
}

func (m PaneMove) check() error {
	if m.From.Name == m.To.Name || m.From.Instance == m.To.Instance {
		return errors.New("it is there already")
	}
	if len(m.To.Layout) == 0 {
		return ErrEmptyLayout
	}
	if n := max(len(m.From.Layout), len(m.To.Layout)); n > MaxLayout {
		return fmt.Errorf("a layout has %d bytes, at most %d can be saved", n, MaxLayout)
	}
	return nil
}

func (m PaneMove) apply(ctx context.Context, tx *sql.Tx) error {
	for _, h := range []PaneHome{m.From, m.To} {
		// The layout before the last pane went has it still: it is not to come back there.
		ok, err := changed(ctx, tx, `UPDATE workspaces SET layout = ?3, layout_prev = iif(?3 IS NULL, NULL, layout_prev)
			WHERE name = ?1 AND owner = ?2`, h.Name, h.Instance, h.blob())
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("workspace %s: %w", h.Name, ErrNotOwner)
		}
	}
	if err := m.rests(ctx, tx); err != nil {
		return err
	}
	for _, t := range m.Terminals {
		if err := m.rehome(ctx, tx, t); err != nil {
			return err
		}
	}
	// None if nothing was ever started in it.
	_, err := tx.ExecContext(ctx, `UPDATE panes SET workspace = ?2 WHERE id = ?1`, m.Pane, m.To.Name)
	return err
}

// rests makes sure that nothing of the pane is between two terminals: its claim names
// an owner, which is not to change under it.
func (m PaneMove) rests(ctx context.Context, tx *sql.Tx) error {
	var busy bool
	err := tx.QueryRowContext(ctx, `WITH RECURSIVE chain (id) AS (
			SELECT terminal_id FROM panes WHERE id = :p UNION `+successor+`)
		SELECT EXISTS (SELECT 1 FROM chain JOIN bindings b ON b.terminal_id = chain.id WHERE `+isResuming+` AND b.owner = :from)`,
		sql.Named("p", m.Pane), sql.Named("from", m.From.Instance)).Scan(&busy)
	if err == nil && busy {
		err = ErrResuming
	}
	return err
}

// rehome gives a terminal to the other instance. One of which there is no record any
// more needs none.
func (m PaneMove) rehome(ctx context.Context, tx *sql.Tx, t panes.TerminalID) error {
	ok, err := changed(ctx, tx, `UPDATE terminals SET instance = ?3 WHERE id = ?1 AND instance = ?2`, t, m.From.Instance, m.To.Instance)
	if err != nil {
		return err
	}
	if ok {
		return note(ctx, tx, agent.Note{At: m.At, Terminal: t, What: "move", Why: fmt.Sprintf("from session %s to %s", m.From.Name, m.To.Name)})
	}
	var others bool
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM terminals WHERE id = ?)`, t).Scan(&others)
	if err == nil && others {
		err = fmt.Errorf("terminal %s: %w", t, ErrNotOwner)
	}
	return err
}

// done reads back whether the move was made although it seemed to fail. A layout that
// has the pane is in the database only by it.
func (m PaneMove) done(ctx context.Context, q querier) bool {
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM workspaces
		WHERE (name = ?1 AND owner = ?2 AND layout IS ?3) OR (name = ?4 AND owner = ?5 AND layout = ?6)`,
		m.From.Name, m.From.Instance, m.From.blob(), m.To.Name, m.To.Instance, m.To.Layout).Scan(&n)
	return err == nil && n == 2
}
