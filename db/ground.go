package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// What waits for the disk, and when, stands in this file (docs/adr/0012). Two rules:
//
//   - write: when it returns, what it wrote survives a power cut. For that the log must
//     be on the disk, with all that was written before (SQLite does it at the commit), and
//     what the log lies on: the database's own file and its name (ground). A log is
//     worth nothing beside a file that is empty or half there.
//   - writeSoon: it waits for nothing. What it wrote survives the end of this process, and
//     a power cut after the next write that lasts, or after settleAfter.

// settleAfter is when what was written soon is put on the disk, if nothing else did it.
const settleAfter = 50 * time.Millisecond

// maxUnsynced bounds a log, in bytes, that is written with no care for the disk at all.
// One write adds at most two layouts; SQLite empties the log at 1000 pages of 4 KiB
// (sqlite.org/pragma.html#pragma_wal_autocheckpoint), which must not be done carelessly.
const maxUnsynced = 1 << 20

// ground is a database's own file, and its name in its folder.
type ground struct {
	file  *os.File // see groundOf
	id    fileID
	users int // guarded by grounds
	// checked is when the database was looked through for damage.
	checked time.Time
	sync    func(*os.File) error // (*os.File).Sync unless a test counts; guarded by mu

	settled atomic.Bool
	doubted atomic.Bool // something said that it is not sound
	mu      sync.Mutex  // held while the disk is waited for
	err     error       // guarded by mu
}

// grounds are those of all databases that this process has open.
var grounds = struct {
	sync.Mutex
	all map[fileID]*ground
}{all: map[fileID]*ground{}}

// fileID is one file, whatever its name.
type fileID struct{ device, inode uint64 }

// groundOf is what the database at path, looked through at checked, lies on; leave it when no connection is open any
// more. One file serves all of this process: to close any descriptor of it takes the
// locks with it by which others of its connections hold it (fcntl(2);
// sqlite.org/howtocorrupt.html §2.2).
func groundOf(path string, checked time.Time) (*ground, error) {
	id, err := fileAt(path)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	grounds.Lock()
	defer grounds.Unlock()
	if g := grounds.all[id]; g != nil {
		g.users++
		return g, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	g := &ground{file: f, id: id, users: 1, checked: checked, sync: (*os.File).Sync}
	grounds.all[id] = g
	return g, nil
}

// keepGround keeps what the file at path is the ground of in this process, if it has it
// open, until let is called. Whoever is about to make connections calls it first: the last
// of the others that leaves would take the locks of those connections along.
func keepGround(path string) (let func()) {
	grounds.Lock()
	defer grounds.Unlock()
	id, err := fileAt(path)
	g := grounds.all[id]
	if err != nil || g == nil {
		return func() {}
	}
	g.users++
	return func() { _ = g.leave() } // that of a database that was set aside, at most
}

// checkedAt is when the database at path was looked through, if this process has it open;
// else zero.
func checkedAt(path string) time.Time {
	grounds.Lock()
	defer grounds.Unlock()
	id, err := fileAt(path)
	if g := grounds.all[id]; err == nil && g != nil {
		return g.checked
	}
	return time.Time{}
}

func fileAt(path string) (id fileID, err error) {
	st, err := os.Stat(path)
	if err != nil {
		return id, err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		id = fileID{uint64(sys.Dev), sys.Ino} //nolint:unconvert // Dev is smaller on other systems
	}
	return id, nil
}

// leave closes it when nobody uses it.
func (g *ground) leave() error {
	grounds.Lock()
	defer grounds.Unlock()
	if g.users--; g.users > 0 {
		return nil
	}
	delete(grounds.all, g.id)
	return g.file.Close()
}

// settle waits until the ground is on the disk. An earlier process may have died before
// it was, so each sees to it once. A failure is for good: what the disk did not take then
// it does not tell again (fsync(2)).
func (g *ground) settle() error {
	if g.settled.Load() {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil && !g.settled.Load() {
		g.err = errors.Join(g.flush(g.file), g.put(filepath.Dir(g.file.Name())))
		g.settled.Store(g.err == nil)
	}
	return g.err
}

// put waits until a file, or the names in a folder, are on the disk; mu is held.
func (g *ground) put(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(g.flush(f), f.Close())
}

// flush waits until a file is on the disk; mu is held. What the disk did not take may be
// half there: who reads it later may find anything.
func (g *ground) flush(f *os.File) error {
	err := g.sync(f)
	if err != nil {
		g.doubt()
	}
	return err
}

// write runs fn in a transaction that no other writer, of any process, overlaps, and
// returns when it will survive a power cut. An error of fn undoes everything. An error of
// the commit leaves the outcome unknown. An UnsavedError says that others will fail, too.
func (d *DB) write(ctx context.Context, fn func(*sql.Tx) error) error {
	defer d.written.Add(1) // after it: who sees the number sees the write
	return d.writeAside(ctx, fn)
}

// writeAside is write of what no pane hangs on, which is where things are shown: Version
// does not tell of it, or each change of the focus would have all panes read again.
func (d *DB) writeAside(ctx context.Context, fn func(*sql.Tx) error) error {
	if !d.ground.settled.Load() {
		go d.guarded("settle the database", func() { _ = d.ground.settle() }) // beside the commit
	}
	err := writeOn(ctx, d.w, fn)
	d.ground.heed(err)
	d.fresh.Store(false)
	if err != nil {
		return err
	}
	return unsaved(d.ground.settle())
}

// writeSoon is writeAside that does not wait for the disk. No session depends on it, and so
// no other pane than the one that it is written for.
func (d *DB) writeSoon(ctx context.Context, fn func(*sql.Tx) error) error {
	conn, err := d.w.Conn(ctx)
	if err != nil {
		return unsaved(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, `PRAGMA synchronous = `+d.care()); err != nil {
		return unsaved(err)
	}
	err = writeOn(ctx, conn, fn)
	d.ground.heed(err)
	// Whatever became of ctx: what the connection writes later is to last.
	if _, back := conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA synchronous = FULL`); back != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // the pool makes another
	}
	if err == nil {
		d.settleLater()
	}
	return err
}

// none reports whether a query that asks for something to be there surely says no.
func (d *DB) none(ctx context.Context, query string, args ...any) bool {
	there := true
	return d.r.QueryRowContext(ctx, query, args...).Scan(&there) == nil && !there
}

// care is SQLite's word for how a write that need not last yet treats the disk. NORMAL
// waits when the log begins anew, so that what an earlier one had is not taken for
// newer than the database. A log that is new altogether, and far from being emptied,
// needs no care.
func (d *DB) care() string {
	if d.fresh.Load() {
		if st, err := os.Stat(d.logFile()); err == nil && st.Size() < maxUnsynced {
			return "OFF"
		}
		d.fresh.Store(false)
	}
	return "NORMAL"
}

// logFile is the database's write-ahead log.
func (d *DB) logFile() string { return filepath.Join(d.dir, File+"-wal") }

// settleLater puts on the disk what was written, a little later.
func (d *DB) settleLater() {
	if !d.later.CompareAndSwap(false, true) {
		return
	}
	time.AfterFunc(settleAfter, func() { d.guarded("settle what was written soon", d.settleSoon) })
}

func (d *DB) settleSoon() {
	d.later.Store(false) // before: what comes now has its own turn
	// What fails here was promised to nobody, and fails again for who is.
	_ = d.ground.settle()
	d.ground.mu.Lock()
	defer d.ground.mu.Unlock()
	_ = errors.Join(d.ground.put(d.logFile()), d.ground.put(d.dir))
}

// guarded does what nobody waits for. A fault in it is logged, and ends nothing else: the
// process has others' agents.
func (d *DB) guarded(what string, work func()) {
	defer func() {
		if r := recover(); r != nil {
			d.opt.Log.Error("panic", "in", what, "value", r, "stack", string(debug.Stack()))
		}
	}()
	work()
}
