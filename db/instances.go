package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"github.com/google/uuid"

	"reprise/agent"
	"reprise/panes"
)

// Register makes this process an instance: a row, and a lock file that it holds
// for its life. Once per DB. The lock is taken before the row is written, so that
// no row is ever seen without its lock.
func (d *DB) Register(ctx context.Context, build string) (agent.InstanceID, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lock != nil {
		return d.self, nil
	}
	if err := os.MkdirAll(filepath.Join(d.dir, "instances"), 0o700); err != nil {
		return "", fmt.Errorf("register instance: %w", err)
	}
	id := agent.InstanceID(uuid.Must(uuid.NewV7()).String())
	held, err := takeLock(d.lockFile(id))
	if err != nil {
		return "", fmt.Errorf("register instance: %w", err)
	}
	self := d.process()
	// After a power cut it would be dead, and swept.
	err = d.writeSoon(ctx, func(tx *sql.Tx) error {
		if err := d.noteStores(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO instances (id, build, pid, start, boot) VALUES (?, ?, ?, ?, ?)`,
			id, build, self.PID, int64(self.Start), self.Boot)
		return err
	})
	if err != nil {
		return "", errors.Join(fmt.Errorf("register instance: %w", err), held.drop())
	}
	d.self, d.lock = id, held
	return id, nil
}

// process is this process, as far as it is known.
func (d *DB) process() panes.ProcessID {
	self := d.opt.Self
	if self.PID == 0 {
		self.PID = os.Getpid()
	}
	return self
}

// leave ends what Register began.
func (d *DB) leave() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lock == nil {
		return nil
	}
	var clean bool
	ctx := context.Background() // the last thing a process does is not to be cancelled
	err := d.write(ctx, func(tx *sql.Tx) (err error) {
		if _, err := tx.ExecContext(ctx, `UPDATE workspaces SET owner = NULL WHERE owner = ?`, d.self); err != nil {
			return err
		}
		clean, err = markSwept(ctx, tx, d.self)
		return err
	})
	if err != nil {
		err = fmt.Errorf("leave instance: %w", err)
	}
	if clean { // nobody asks for its lock again; the file is its own to remove
		err = errors.Join(err, os.Remove(d.lock.path()))
	}
	err = errors.Join(err, d.lock.drop())
	d.lock = nil
	return err
}

func (d *DB) lockFile(id agent.InstanceID) string {
	return filepath.Join(d.dir, "instances", string(id)+".lock")
}

// instance is a row of instances.
type instance struct {
	id      agent.InstanceID
	process panes.ProcessID
	swept   bool
}

const instanceColumns = `i.id, i.pid, i.start, i.boot, i.swept`

func scanInstance(s scanner) (i instance, err error) {
	err = s.Scan(&i.id, &i.process.PID, ticks{&i.process.Start}, &i.process.Boot, &i.swept)
	return i, err
}

// dead reports whether an instance is dead, by its lock file. The lock that proves
// it is shared: it excludes the owner, but not others who look at the same time,
// so that a dead instance never passes for living because someone else just tries
// or sweeps it (two sweepers do each move once, by the guards of the moves).
// unlock is nil where no lock was needed.
func (d *DB) dead(i instance) (dead bool, unlock func(), err error) {
	d.mu.Lock()
	own := i.id == d.self && d.lock != nil
	d.mu.Unlock()
	if own {
		return false, nil, nil
	}
	// Without O_CREATE: a missing file is no proof of death.
	lock := flock.New(d.lockFile(i.id), flock.SetFlag(os.O_RDONLY))
	ok, err := lock.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// A pid alone says nothing: it may be someone else's by now.
		known := d.opt.Alive != nil && i.process.Start != 0
		return i.swept || known && !d.opt.Alive(i.process), nil, nil
	case err != nil:
		return false, nil, fmt.Errorf("try lock of instance %s: %w", i.id, err)
	case !ok:
		return false, nil, nil
	}
	return true, func() { _ = lock.Unlock() }, nil // closing the file is all that can fail
}

// leftover is what a dead instance :dead left to be swept, over a terminal t and
// its binding b (all NULL if it has none). A disposed terminal counts until its
// process was seen gone [P8].
const leftover = `((t.instance = :dead AND (t.status = 'active'
		OR (t.dispose_requested_at IS NOT NULL AND t.status <> 'disposed')
		OR (b.terminal_id IS NOT NULL AND ` + isLive + `)
		OR ` + isUnsure + `))
	OR (b.owner = :dead AND ` + isResuming + `))`

const leftovers = ` FROM terminals t LEFT JOIN bindings b ON b.terminal_id = t.id WHERE ` + leftover

// markSwept marks an instance as swept if nothing of it is left. Hook events of its
// terminals can move nothing then: whoever comes by takes them in.
func markSwept(ctx context.Context, q querier, id agent.InstanceID) (bool, error) {
	return changed(ctx, q, `UPDATE instances SET swept = 1 WHERE id = :dead
		AND NOT EXISTS (SELECT 1`+leftovers+`)`, sql.Named("dead", id))
}

// Dead lists the dead instances that left something: see agent.Instances. Two
// processes may get the same one.
func (d *DB) Dead(ctx context.Context) (dead []agent.InstanceID, release func(), err error) {
	all, err := d.unswept(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("list instances: %w", err)
	}
	var held []func()
	release = func() {
		for _, unlock := range held {
			unlock()
		}
		held = nil
	}
	var faults []error
	for _, i := range all {
		gone, unlock, err := d.dead(i)
		if unlock != nil {
			held = append(held, unlock)
		}
		faults = append(faults, err)
		if !gone {
			continue
		}
		var swept bool
		err = d.write(ctx, func(tx *sql.Tx) (err error) {
			swept, err = markSwept(ctx, tx, i.id)
			return err
		})
		if err != nil {
			faults = append(faults, fmt.Errorf("mark instance %s as swept: %w", i.id, err))
		} else if !swept {
			dead = append(dead, i.id)
		}
	}
	if err := errors.Join(faults...); err != nil && len(dead) == 0 {
		release()
		return nil, nil, err
	}
	return dead, release, nil // one lock that cannot be tried does not keep the others' sessions down
}

// unsweptOnes are the instances that do not count as swept, as of a version.
type unsweptOnes struct {
	at    agent.Version
	known bool
	all   []instance
}

// unswept lists the instances that do not count as swept. It is asked every few seconds
// for ever, and asks the database only if something was written.
func (d *DB) unswept(ctx context.Context) ([]instance, error) {
	now, err := d.Version(ctx) // before the list, which may be newer
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	last := d.unsweptOnes
	d.mu.Unlock()
	if last.known && last.at == now {
		return last.all, nil
	}
	all, err := collect(ctx, d.r, scanInstance, `SELECT `+instanceColumns+` FROM instances i WHERE i.swept = 0 ORDER BY i.id`)
	if err == nil {
		d.mu.Lock()
		d.unsweptOnes = unsweptOnes{now, true, all}
		d.mu.Unlock()
	}
	return all, err
}

// Orphans lists what a dead instance left: see agent.Instances.
func (d *DB) Orphans(ctx context.Context, dead agent.InstanceID) ([]agent.Orphan, error) {
	tx, err := d.snapshot(ctx)
	if err != nil {
		return nil, fmt.Errorf("list orphans of %s: %w", dead, err)
	}
	defer func() { _ = tx.Rollback() }() // it only read
	orphans, err := collect(ctx, tx, func(s scanner) (agent.Orphan, error) {
		var r terminalRow
		err := s.Scan(r.dest()...)
		return agent.Orphan{Terminal: r.value()}, err
	}, `SELECT `+terminalColumns+leftovers+` ORDER BY t.created_at, t.id`, sql.Named("dead", dead))
	for i := 0; err == nil && i < len(orphans); i++ {
		orphans[i].Binding, err = binding(ctx, tx, orphans[i].Terminal.ID)
	}
	if err != nil {
		d.ground.heed(err)
		return nil, fmt.Errorf("list orphans of %s: %w", dead, err)
	}
	return orphans, nil
}
