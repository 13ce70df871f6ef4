package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"reprise/agent"
)

// RenameWorkspace gives a workspace another name, which is taken as it is:
// ErrBadName if it cannot be. ErrNoWorkspace, ErrNameTaken; an OwnedError says that
// another living process than the instance has it open.
func (d *DB) RenameWorkspace(ctx context.Context, name, to string, inst agent.InstanceID) error {
	err := d.write(ctx, func(tx *sql.Tx) error {
		if to != clip(to, MaxName) || !validName(to) {
			return ErrBadName
		}
		if err := d.free(ctx, tx, name, inst); err != nil || to == name {
			return err
		}
		switch _, err := d.workspace(ctx, tx, to); {
		case err == nil:
			return ErrNameTaken
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE workspaces SET name = ? WHERE name = ?`, to, name); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE panes SET workspace = ? WHERE workspace = ?`, to, name)
		return err
	})
	if err != nil {
		return fmt.Errorf("rename workspace %s: %w", name, err)
	}
	return nil
}

// RemoveWorkspace forgets a workspace, its layouts and its panes. ErrNoWorkspace; an
// OwnedError says that another living process than the instance has it open; a
// HoldsError, unless forced, that panes of it lead to sessions that live or can be
// resumed. Forced, those stay in the list of candidates, without a pane.
func (d *DB) RemoveWorkspace(ctx context.Context, name string, inst agent.InstanceID, force bool) error {
	err := d.write(ctx, func(tx *sql.Tx) error {
		if err := d.free(ctx, tx, name, inst); err != nil {
			return err
		}
		holds := &HoldsError{Name: name}
		err := tx.QueryRowContext(ctx, `WITH RECURSIVE chain (id) AS (
				SELECT terminal_id FROM panes WHERE workspace = ? UNION `+successor+`)
			SELECT count(*) FROM chain JOIN bindings b ON b.terminal_id = chain.id
			WHERE `+isLive+` OR `+isResuming+` OR `+isUnsure+` OR `+candidate, name).Scan(&holds.Sessions)
		if err != nil {
			return err
		}
		if holds.Sessions > 0 && !force {
			return holds
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM panes WHERE workspace = ?`, name); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM workspaces WHERE name = ?`, name)
		return err
	})
	if err != nil {
		return fmt.Errorf("remove workspace %s: %w", name, err)
	}
	return nil
}

// free makes sure that a workspace is there and that no other living process has it
// open.
func (d *DB) free(ctx context.Context, q querier, name string, inst agent.InstanceID) error {
	ws, err := d.workspace(ctx, q, name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNoWorkspace
	case err != nil:
		return err
	case ws.Live && ws.Owner != inst:
		return &OwnedError{Name: ws.Name, Dir: ws.Dir, PID: ws.PID}
	}
	return nil
}
