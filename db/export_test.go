package db

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"reprise/agent"
	"reprise/panes"
)

// Look reads one terminal and its binding.
func Look(ctx context.Context, d *DB, id panes.TerminalID) (agent.Terminal, *agent.Binding, error) {
	t, err := terminal(ctx, d.r, id)
	if err != nil {
		return t, nil, err
	}
	b, err := binding(ctx, d.r, id)
	return t, b, err
}

// DropLock lets go of the instance's lock, as the death of its process does.
func DropLock(d *DB) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.lock.drop()
	d.lock = nil
	return err
}

// LoseLock closes the instance's lock file, as the end of an image of its process
// does; the lock is held by whoever has the same open file.
func LoseLock(d *DB) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.lock.file.Close()
	d.lock = nil
	return err
}

// Exec changes the database behind the back of its methods.
func Exec(ctx context.Context, d *DB, query string, args ...any) error {
	defer d.written.Add(1)
	_, err := d.w.ExecContext(ctx, query, args...)
	return err
}

// Count reads one number.
func Count(ctx context.Context, d *DB, query string, args ...any) (n int, err error) {
	err = d.r.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

// Migrate applies other migrations than the program's own.
func Migrate(ctx context.Context, path string, todo []string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return err
		}
	}
	pool, err := migrate(ctx, path, todo, false)
	if err != nil {
		return err
	}
	return pool.Close()
}

// Steps are the program's own migrations.
var Steps = steps

// CandidateSQL is the predicate, for a binding b.
const CandidateSQL = candidate

// Bounds of the spool.
const (
	MaxSpoolFile  = maxSpoolFile
	MaxSpoolFiles = maxSpoolFiles
)

// CountWriting reads one number on the connection that writes.
func CountWriting(ctx context.Context, d *DB, query string) (n int, err error) {
	err = d.w.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}

// CountIn reads one number of a file.
func CountIn(ctx context.Context, path, query string) (n int, err error) {
	pool, err := connect(path, 1, reading)
	if err != nil {
		return 0, err
	}
	err = pool.QueryRowContext(ctx, query).Scan(&n)
	return n, errors.Join(err, pool.Close())
}

// TextsIn reads a column of a file.
func TextsIn(ctx context.Context, path, query string) ([]string, error) {
	pool, err := connect(path, 1, reading)
	if err != nil {
		return nil, err
	}
	all, err := column[string](ctx, pool, query)
	return all, errors.Join(err, pool.Close())
}

// ExecIn changes a file.
func ExecIn(ctx context.Context, path, query string) error {
	pool, err := connect(path, 1, writing)
	if err != nil {
		return err
	}
	_, err = pool.ExecContext(ctx, query)
	return errors.Join(err, pool.Close())
}

// HoldWriteLock keeps every other writer out until release is called.
func HoldWriteLock(ctx context.Context, d *DB) (release func(), err error) {
	tx, err := beginTx(ctx, d.w)
	if err != nil {
		return nil, err
	}
	return func() { _ = tx.Rollback() }, nil
}

// Terminals lists the recorded terminals.
func Terminals(ctx context.Context, d *DB) ([]panes.TerminalID, error) {
	return column[panes.TerminalID](ctx, d.r, `SELECT id FROM terminals`)
}

// Unsaved tells errors that mean that nothing can be saved.
var Unsaved = unsaved

// OnSync puts a function in the place of fsync for what the database lies on, its log
// and its folder, as far as this package sees to it.
func OnSync(d *DB, do func(name string) error) {
	d.ground.mu.Lock()
	defer d.ground.mu.Unlock()
	d.ground.sync = func(f *os.File) error { return do(f.Name()) }
}

// Settled reports whether what the database lies on is on the disk.
func Settled(d *DB) bool { return d.ground.settled.Load() }

// MaxUnsynced bounds a log that is written without care.
const MaxUnsynced = maxUnsynced
