package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	lib "modernc.org/sqlite/lib"
)

// checkedFor is how long a database that was looked through, and changed by nobody but us
// since, is not looked through again: that takes the longer the more it holds, and a start
// must not. What nobody wrote may still go bad on the disk.
const checkedFor = 7 * 24 * time.Hour

// left is what stands beside a database whose last user closed it in order: which file
// that was, as nobody else can leave it, and when it was looked through.
type left struct {
	id   fileID
	size int64
	time int64 // of its last change, in nanoseconds since 1970
	when int64 // seconds since 1970
}

// checkedForm is how it is written down.
const checkedForm = "%d %d %d %d %d\n"

func checkedFile(path string) string { return path + ".checked" }

// lastCheck is when the database at path was looked through, if it is as it was left by
// who closed it in order, and that is not long ago; zero: it is to be looked through
// before anything in it is relied upon.
func lastCheck(path string, now time.Time) (when time.Time) {
	var was left
	b, err := os.ReadFile(checkedFile(path))
	if err != nil {
		return when
	}
	if _, err = fmt.Sscanf(string(b), checkedForm, &was.id.device, &was.id.inode, &was.size, &was.time, &was.when); err != nil {
		return when
	}
	is, closed := closedAt(path)
	is.when = was.when
	at := time.Unix(was.when, 0)
	if !closed || is != was || now.Before(at) || now.Sub(at) > checkedFor {
		return when
	}
	return at
}

// closedAt is how the database at path lies there; false: somebody has it open, or did not
// close it in order.
func closedAt(path string) (c left, closed bool) {
	// A log is there as long as somebody has it open; a journal is none of ours.
	for _, log := range []string{"-wal", "-journal"} {
		if _, err := os.Lstat(path + log); !errors.Is(err, fs.ErrNotExist) {
			return c, false
		}
	}
	st, err := os.Stat(path)
	if err != nil {
		return c, false
	}
	if c.id, err = fileAt(path); err != nil {
		return c, false
	}
	c.size, c.time = st.Size(), st.ModTime().UnixNano()
	return c, true
}

// vouch writes down how the database at path was left, if nobody has it open any more:
// when it was looked through. Its time is set back: the next change cannot have the same
// one, however soon it comes. What goes wrong costs the next start a look, and so does a
// doubt, whosever it is.
func vouch(path string, when time.Time) {
	c, closed := closedAt(path)
	if !closed || when.IsZero() {
		return
	}
	if st, err := os.Stat(checkedFile(path)); err == nil && st.Size() == 0 {
		return
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(0, c.time).Add(-time.Second)); err != nil {
		return
	}
	if c, closed = closedAt(path); !closed {
		return
	}
	name := checkedFile(path)
	beside := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d", filepath.Base(name), os.Getpid()))
	err := os.WriteFile(beside, fmt.Appendf(nil, checkedForm, c.id.device, c.id.inode, c.size, c.time, when.Unix()), 0o600)
	if err == nil {
		err = os.Rename(beside, name)
	}
	if err != nil {
		_ = os.Remove(beside)
	}
}

// distrust has the database at path looked through by whoever opens it next: an empty mark
// stays until then. It is made at once, as who has a doubt may die of it.
func distrust(path string) {
	if err := os.WriteFile(checkedFile(path), nil, 0o600); err != nil {
		_ = os.Remove(checkedFile(path))
	}
}

// heed takes an error that says that the database, or the disk below it, is not sound for
// a doubt in it.
func (g *ground) heed(err error) {
	if Damaged(err) || result(err) == lib.SQLITE_IOERR {
		g.doubt()
	}
}

// doubt is for good, as long as this process has it open.
func (g *ground) doubt() {
	if !g.doubted.Swap(true) {
		distrust(g.file.Name())
	}
}

// pool is connections that heed what they are told.
type pool struct {
	*sql.DB
	ground *ground
}

// QueryContext is sql.DB's. Of what goes wrong after the first row collect tells.
func (p pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := p.DB.QueryContext(ctx, query, args...)
	p.ground.heed(err)
	return rows, err //nolint:sqlclosecheck // it is the caller's
}

// QueryRowContext is sql.DB's.
func (p pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	row := p.DB.QueryRowContext(ctx, query, args...)
	p.ground.heed(row.Err())
	return row
}
