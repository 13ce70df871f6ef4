// Package db keeps what must survive the program: terminals, bindings, claims,
// the ledger, workspaces and what hooks told, in one SQLite file. It is the only
// SQL of the program and implements agent.Store.
//
// Contract: every method is one transaction. What it wrote is there for all processes
// when it returns, and survives a power cut where a session depends on it (ground.go: a
// person's kill does, the record of a shell may not). A move of a binding is
// one conditional UPDATE, so that any number of processes may race. The package
// has no clock: times come in as arguments. Who is alive is asked of lock files,
// never of times or pids.
//
// Concurrency: a DB is safe for concurrent use. Writes queue inside the process on
// one connection and wait for other processes up to the busy timeout.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"reprise/agent"
	"reprise/panes"
)

// File is the database's name in the state folder.
const File = "reprise.db"

const (
	busyTimeout = 5 * time.Second // how long a write waits for other processes
	patience    = 6               // busy timeouts until a write gives up
	readers     = 4               // connections that read
)

// Options join a DB to the rest of the program. The zero Options work.
type Options struct {
	// Self is this process, recorded for the case that its lock file is lost.
	// Zero: the pid alone is recorded.
	Self panes.ProcessID
	// Alive tells whether a process still runs. It is asked only for instances
	// whose lock file is missing; nil: they count as alive.
	Alive func(panes.ProcessID) bool
	// Kinds tells how many processes of its own a kind has between a hook and
	// its terminal; nil: one.
	Kinds agent.Registry
	// Judge is agent.Judge unless a test puts another in its place.
	Judge func(e agent.HookEvent, t agent.Terminal, b agent.Binding, own int) agent.Verdict
	// Log is told what went wrong beside who asked for it; nil: nobody is.
	Log *slog.Logger
}

// DB is an open database.
type DB struct {
	// SetAside is the new name of a damaged database in whose place this one was
	// started empty; "": there was none.
	SetAside string

	dir string
	opt Options
	w   pool // one connection: writes queue here in order, not in SQLite's polling
	r   pool

	ground   *ground
	unground func() error // leaves it, once
	fresh    atomic.Bool  // the log was empty when we came, and nothing in it was waited for
	later    atomic.Bool  // what was written soon is about to be put on the disk
	shown    compiled
	written  atomic.Int64 // how many writes have ended

	mu          sync.Mutex // guards what follows
	self        agent.InstanceID
	lock        *lock
	unsweptOnes unsweptOnes
}

var _ agent.Store = (*DB)(nil)

// Open opens the database of a state folder; folder and file are made if they are
// not there, readable for the person alone. An older database is migrated, after
// a copy beside it; of a newer one it says so (ErrNewer); a damaged one is set
// aside and named in SetAside. It is looked through for damage unless that was done
// within the last week, and it is as it was left since, or open in this process.
func Open(ctx context.Context, dir string, opt Options) (*DB, error) {
	if opt.Judge == nil {
		opt.Judge = agent.Judge
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make state folder: %w", err)
	}
	path := filepath.Join(dir, File)
	// Of several starting programs one alone may migrate or set aside.
	door := flock.New(filepath.Join(dir, "open.lock"))
	if _, err := door.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return nil, fmt.Errorf("lock state folder %s: %w", dir, err)
	}
	defer func() { _ = door.Unlock() }()
	defer keepGround(path)() // until it is ours
	d := &DB{dir: dir, opt: opt, shown: compiled{query: shown}}
	var err error
	checked := checkedAt(path)
	if checked.IsZero() {
		checked = lastCheck(path, time.Now())
	}
	if d.w.DB, d.SetAside, err = prepare(ctx, path, !checked.IsZero()); err != nil {
		return nil, err
	}
	if checked.IsZero() || d.SetAside != "" {
		checked = time.Now()
		_ = os.Remove(checkedFile(path)) // what was doubted has been looked into
	}
	if d.r.DB, err = connect(path, readers, reading); err != nil {
		return nil, errors.Join(err, d.w.Close())
	}
	if d.ground, err = groundOf(path, checked); err != nil {
		return nil, errors.Join(err, d.w.Close(), d.r.Close())
	}
	d.w.ground, d.r.ground = d.ground, d.ground
	d.unground = sync.OnceValue(func() error {
		err := d.ground.leave()
		if !d.ground.doubted.Load() {
			vouch(path, d.ground.checked)
		}
		return err
	})
	st, err := os.Stat(d.logFile())
	d.fresh.Store(errors.Is(err, fs.ErrNotExist) || err == nil && st.Size() == 0)
	// A connection of d.w stays open from here on, which spares hook commands the
	// checkpoint that the last one to close makes.
	return d, nil
}

// Close gives back the instance's workspaces and lock, and closes the database.
// It disposes nothing: what the instance leaves is swept by the next one.
func (d *DB) Close() error {
	return errors.Join(d.leave(), d.w.Close(), d.r.Close(), d.unground())
}

// Dir is the state folder.
func (d *DB) Dir() string { return d.dir }

// settings of a connection. They stand in the DSN, where every new connection of a
// pool gets them.
var (
	writing = url.Values{
		"_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"},
		"_busy_timeout": {strconv.FormatInt(busyTimeout.Milliseconds(), 10)},
	}
	reading = url.Values{
		"_txlock": {"deferred"}, "_query_only": {"1"},
		"_busy_timeout": {strconv.FormatInt(busyTimeout.Milliseconds(), 10)},
	}
)

// driverName is the driver of all connections; tests have one that listens.
var driverName = "sqlite"

// connect makes a pool of connections to the file at path, which has to be there:
// prepare alone makes it.
func connect(path string, conns int, settings url.Values) (*sql.DB, error) {
	q := maps.Clone(settings)
	if !q.Has("mode") {
		q.Set("mode", "rw")
	}
	q.Set("_foreign_keys", "1")
	q.Set("_dqs", "0")
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	dsn := (&url.URL{Scheme: "file", Path: abs, RawQuery: q.Encode()}).String()
	pool, err := sql.Open(driverName, dsn)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	return pool, nil
}

// change runs one statement in a transaction and reports whether it changed a row.
func (d *DB) change(ctx context.Context, query string, args ...any) (ok bool, err error) {
	err = d.write(ctx, func(tx *sql.Tx) error {
		ok, err = changed(ctx, tx, query, args...)
		return err
	})
	return ok, err
}

// beginner begins transactions: a pool, or one connection of it.
type beginner interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// beginTx waits for the write lock. SQLite polls for it, without a queue: among many
// busy processes one can be out of luck for a whole busy timeout. Nothing has
// happened then, so it tries again.
func beginTx(ctx context.Context, on beginner) (*sql.Tx, error) {
	for try := 1; ; try++ {
		tx, err := on.BeginTx(ctx, nil)
		if !Busy(err) || try == patience {
			return tx, err
		}
	}
}

func writeOn(ctx context.Context, on beginner, fn func(*sql.Tx) error) error {
	tx, err := beginTx(ctx, on)
	if err != nil {
		return unsaved(err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := fn(tx); err != nil {
		return unsaved(err)
	}
	return unsaved(tx.Commit())
}

// Version changes with what this handle writes, but for writeAside and writeSoon, and with
// whatever anybody else does: see agent.Instances. SQLite tells a connection of the commits
// of others.
func (d *DB) Version(ctx context.Context) (agent.Version, error) {
	v := agent.Version{Own: d.written.Load()}
	if err := d.w.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&v.Others); err != nil {
		return agent.Version{}, fmt.Errorf("read the database's version: %w", err)
	}
	return v, nil
}
