package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/disk"
)

// MaxLayout bounds a saved layout, in bytes.
const MaxLayout = 1 << 20

// Workspace is a name, the directory it was started in, and a layout.
type Workspace struct {
	Name string
	Dir  string // real path
	// Layout is the saved layout; Previous the one that was found at the last
	// start. nil: none. Package panes encodes and decodes them.
	Layout, Previous []byte
	Focus            panes.PaneID // the pane that was looked at last; "": not known
	Used             time.Time    // when someone last looked at it; zero: not known
	// Owner is the instance that has it open; "": none. PID is its process, and
	// Live whether it lives.
	Owner agent.InstanceID
	PID   int
	Live  bool
}

// OpenWorkspace opens a workspace for an instance. With a name it is that one, made
// for the directory if it is not there. Without, it is the directory's first one,
// or a new one named for the directory's base (NAME, or NAME-2 … where the name
// belongs to another directory). An OwnedError says that a living process has it
// open. A dead owner's workspace is taken over. The layout that is found is kept
// as the previous one.
func (d *DB) OpenWorkspace(ctx context.Context, name, dir string, inst agent.InstanceID) (Workspace, error) {
	var ws Workspace
	dir = realPath(dir)
	err := d.writeSoon(ctx, func(tx *sql.Tx) error {
		var err error
		if name == "" {
			if name, err = d.defaultName(ctx, tx, dir); err != nil {
				return err
			}
		}
		if name = clip(name, MaxName); !validName(name) {
			return ErrBadName
		}
		if ws, err = d.workspace(ctx, tx, name); errors.Is(err, sql.ErrNoRows) {
			ws = Workspace{Name: name, Dir: dir}
			_, err = tx.ExecContext(ctx, `INSERT INTO workspaces (name, dir, born, owner)
				VALUES (?, ?, (SELECT coalesce(max(born), 0) + 1 FROM workspaces), ?)`, name, dir, inst)
			return err
		}
		if err != nil {
			return err
		}
		if ws.Live && ws.Owner != inst {
			return &OwnedError{Name: ws.Name, Dir: ws.Dir, PID: ws.PID}
		}
		if ws.Layout != nil {
			ws.Previous = ws.Layout
		}
		_, err = tx.ExecContext(ctx, `UPDATE workspaces SET owner = ?, layout_prev = coalesce(layout, layout_prev) WHERE name = ?`, inst, name)
		return err
	})
	if err != nil {
		return Workspace{}, fmt.Errorf("open workspace: %w", err)
	}
	ws.Owner, ws.Live = inst, true
	return ws, nil
}

// MaxName bounds a workspace's name, in bytes.
const MaxName = 64

func validName(s string) bool { return s != "" && s != "." && s != "/" }

// realPath follows links as far as the directory exists.
func realPath(dir string) string {
	if real, err := disk.Real(dir, disk.Glance); err == nil {
		dir = real
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return dir
}

// defaultName is the directory's first workspace, else a free name for it.
func (d *DB) defaultName(ctx context.Context, q querier, dir string) (name string, err error) {
	err = q.QueryRowContext(ctx, `SELECT name FROM workspaces WHERE dir = ? ORDER BY born LIMIT 1`, dir).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return d.freeName(ctx, q, baseName(dir), dir)
	}
	return name, err
}

func baseName(dir string) string {
	if base := clip(filepath.Base(dir), MaxName-8); validName(base) {
		return base
	}
	return "root"
}

// FreeName is the first of NAME, NAME-2, NAME-3 … that can be opened for a
// directory: one that is not there yet, or is the same directory's and not open
// in a living process.
func (d *DB) FreeName(ctx context.Context, base, dir string) (string, error) {
	name, err := d.freeName(ctx, d.r, clip(base, MaxName-8), realPath(dir))
	if err != nil {
		return "", fmt.Errorf("find a name for workspace %s: %w", base, err)
	}
	return name, nil
}

// UnusedName is a name for another workspace of a directory: that of the directory, or
// NAME-2, NAME-3 …, which no workspace has.
func (d *DB) UnusedName(ctx context.Context, dir string) (string, error) {
	name, err := d.freeName(ctx, d.r, baseName(realPath(dir)), anyDir)
	if err != nil {
		return "", fmt.Errorf("find a name for a workspace in %s: %w", dir, err)
	}
	return name, nil
}

// anyDir is no workspace's directory: a name is not free if any has it.
const anyDir = ""

func (d *DB) freeName(ctx context.Context, q querier, base, dir string) (string, error) {
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		ws, err := d.workspace(ctx, q, name)
		if errors.Is(err, sql.ErrNoRows) || err == nil && ws.Dir == dir && !ws.Live {
			return name, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// Workspaces lists all workspaces by name, without their layouts.
func (d *DB) Workspaces(ctx context.Context) ([]Workspace, error) {
	all, err := collect(ctx, d.r, func(s scanner) (ws Workspace, err error) {
		err = s.Scan(ws.dest()...)
		return ws, err
	}, `SELECT `+workspaceColumns+` FROM workspaces ORDER BY name`)
	owners := map[agent.InstanceID]Workspace{} // a process may have many
	for i := 0; err == nil && i < len(all); i++ {
		ws := &all[i]
		if known, ok := owners[ws.Owner]; ok {
			ws.PID, ws.Live = known.PID, known.Live
			continue
		}
		err = d.findOwner(ctx, d.r, ws)
		owners[ws.Owner] = *ws
	}
	if err != nil {
		return nil, fmt.Errorf("list workspaces: %w", err)
	}
	return all, nil
}

// Workspace reads one, with its layouts. ErrNoWorkspace: there is none.
func (d *DB) Workspace(ctx context.Context, name string) (Workspace, error) {
	ws, err := d.workspace(ctx, d.r, name)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoWorkspace
	}
	if err != nil {
		return Workspace{}, fmt.Errorf("read workspace %s: %w", name, err)
	}
	return ws, nil
}

const workspaceColumns = `name, dir, owner, focus, used_at`

func (ws *Workspace) dest() []any {
	return []any{&ws.Name, &ws.Dir, textOf(&ws.Owner), textOf(&ws.Focus), into{&ws.Used}}
}

// workspace reads one and looks whether its owner lives.
func (d *DB) workspace(ctx context.Context, q querier, name string) (Workspace, error) {
	var ws Workspace
	err := q.QueryRowContext(ctx, `SELECT `+workspaceColumns+`, layout, layout_prev FROM workspaces WHERE name = ?`, name).
		Scan(append(ws.dest(), &ws.Layout, &ws.Previous)...)
	if err != nil {
		return ws, err
	}
	return ws, d.findOwner(ctx, q, &ws)
}

// findOwner looks who has a workspace open and whether it lives.
func (d *DB) findOwner(ctx context.Context, q querier, ws *Workspace) error {
	if ws.Owner == "" {
		return nil
	}
	i, err := scanInstance(q.QueryRowContext(ctx, `SELECT `+instanceColumns+` FROM instances i WHERE i.id = ?`, ws.Owner))
	if err != nil {
		return err
	}
	dead, unlock, err := d.dead(i)
	if unlock != nil {
		unlock()
	}
	ws.PID, ws.Live = i.process.PID, !dead
	return err
}

// SaveLayout saves the layout of a workspace that the instance owns: ErrNotOwner if
// it does not, ErrEmptyLayout if there is nothing to save.
func (d *DB) SaveLayout(ctx context.Context, name string, inst agent.InstanceID, layout []byte) error {
	return d.saveLayout(ctx, d.writeAside, name, inst, layout)
}

// SaveLayoutSoon is SaveLayout before a launch: the disk is waited for once, when that is
// recorded.
func (d *DB) SaveLayoutSoon(ctx context.Context, name string, inst agent.InstanceID, layout []byte) error {
	return d.saveLayout(ctx, d.writeSoon, name, inst, layout)
}

func (d *DB) saveLayout(ctx context.Context, write func(context.Context, func(*sql.Tx) error) error, name string, inst agent.InstanceID, layout []byte) error {
	err := ErrEmptyLayout
	switch {
	case len(layout) > MaxLayout:
		err = fmt.Errorf("%d bytes, at most %d can be saved", len(layout), MaxLayout)
	case len(layout) > 0:
		err = write(ctx, func(tx *sql.Tx) error {
			ok, err := changed(ctx, tx, `UPDATE workspaces SET layout = ?3 WHERE name = ?1 AND owner = ?2`, name, inst, layout)
			if err == nil && !ok {
				err = ErrNotOwner
			}
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("save layout of workspace %s: %w", name, err)
	}
	return nil
}

// MarkUsed records that someone looks at a workspace that the instance owns, and at
// which pane ("": leaves the one of before): ErrNotOwner if it does not own it.
func (d *DB) MarkUsed(ctx context.Context, name string, inst agent.InstanceID, focus panes.PaneID, at time.Time) error {
	err := d.owned(ctx, `UPDATE workspaces SET focus = coalesce(?3, focus), used_at = ?4 WHERE name = ?1 AND owner = ?2`,
		name, inst, null(focus), nanos(at))
	if err != nil {
		return fmt.Errorf("record the use of workspace %s: %w", name, err)
	}
	return nil
}

// Release gives a workspace up, for others to open.
func (d *DB) Release(ctx context.Context, name string, inst agent.InstanceID) error {
	if err := d.owned(ctx, `UPDATE workspaces SET owner = NULL WHERE name = ?1 AND owner = ?2`, name, inst); err != nil {
		return fmt.Errorf("release workspace %s: %w", name, err)
	}
	return nil
}

func (d *DB) owned(ctx context.Context, query string, args ...any) error {
	return d.writeAside(ctx, func(tx *sql.Tx) error {
		ok, err := changed(ctx, tx, query, args...)
		if err == nil && !ok {
			err = ErrNotOwner
		}
		return err
	})
}
