package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"reprise/agent"
)

// ErrNotAdopted says that the process is not the one that registered the instance.
var ErrNotAdopted = errors.New("not the instance of this process")

// Handover is the instance and the descriptor of its lock file, for Adopt in the
// next image of this process (exec). The descriptor stays the DB's and is
// close-on-exec: whoever executes the next image lets it through, while no child is
// being started, for a child that has it would be this instance for as long as it
// lives. The DB is not closed before: what is closed has left.
func (d *DB) Handover() (id agent.InstanceID, fd int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lock == nil {
		return "", -1, fmt.Errorf("hand over the instance: %w", ErrNotAdopted)
	}
	return d.self, int(d.lock.file.Fd()), nil
}

// Adopt makes this process go on, under another build, as the instance that an
// earlier image of it registered: instead of Register. It owns the descriptor from
// then on. Its workspaces are still its own; what the image before was doing is
// found by Orphans. ErrNotAdopted: it was another process, or the instance was given
// up; after any error Register begins anew, and the sweep mends what was left.
func (d *DB) Adopt(ctx context.Context, build string, id agent.InstanceID, fd int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lock != nil {
		return fmt.Errorf("adopt instance %s: this one is %s", id, d.self)
	}
	held, err := inheritLock(d.lockFile(id), fd)
	if err != nil {
		return fmt.Errorf("adopt instance %s: %w: %w", id, ErrNotAdopted, err)
	}
	if err := d.write(ctx, func(tx *sql.Tx) error { return d.adopt(ctx, tx, build, id) }); err != nil {
		return errors.Join(fmt.Errorf("adopt instance %s: %w", id, err), held.drop())
	}
	d.self, d.lock = id, held
	return nil
}

func (d *DB) adopt(ctx context.Context, tx *sql.Tx, build string, id agent.InstanceID) error {
	i, err := scanInstance(tx.QueryRowContext(ctx, `SELECT `+instanceColumns+` FROM instances i WHERE i.id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotAdopted
	}
	if err != nil {
		return err
	}
	self := d.process()
	// Start and boot are not known everywhere; the lock proves the rest.
	if i.swept || i.process.PID != self.PID || self.Start != 0 && i.process.Start != 0 && i.process != self {
		return ErrNotAdopted
	}
	if err := d.noteStores(ctx, tx); err != nil {
		return err
	}
	// Agents that the image before has started go on calling its binary.
	if _, err := tx.ExecContext(ctx, `INSERT INTO builds (instance, build)
		SELECT id, build FROM instances WHERE id = ? ON CONFLICT DO NOTHING`, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE instances SET build = ? WHERE id = ?`, build, id)
	return err
}
