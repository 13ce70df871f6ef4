// Package stores reads the databases of other programs: those in which agents keep
// their conversations, and those of other multiplexers.
//
// Contract: such a database is another program's, may be of any version, damaged or
// hostile, and in use meanwhile. Nothing is written into it, nor into its log; what is
// read is bounded in size and time; what is not of the form that was seen is an error.
package stores

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"time"

	"modernc.org/sqlite" // the driver, too
	lib "modernc.org/sqlite/lib"
)

// maxValue bounds a value that a query makes, in bytes: a view in a hostile database
// could have one of any size. It is more than any that is read.
const maxValue = 2 << 20

// readTime bounds one reading: a view in a hostile database could have no end.
const readTime = 20 * time.Second

// errNoFile says that a database's name is that of a folder, a pipe or a device.
var errNoFile = errors.New("not a regular file")

// read opens another program's database for reading and lets fn read it, in one
// transaction.
func read(path string, fn func(ctx context.Context, tx *sql.Tx) error) (err error) {
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = errNoFile
	}
	if err != nil {
		return fmt.Errorf("read the database %s: %w", path, err)
	}
	q := url.Values{
		// mode=ro, unlike query_only, keeps a connection that closes from writing what is in
		// the log into the file.
		"mode": {"ro"}, "_txlock": {"deferred"}, "_query_only": {"1"}, "_busy_timeout": {"1000"}, "_dqs": {"0"},
		"_pragma": {"trusted_schema(0)", "cell_size_check(1)"},
	}
	if none(path+"-wal") && none(path+"-journal") {
		// Nobody is writing it: without this SQLite would make a log.
		q.Set("immutable", "1")
	}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return fmt.Errorf("read the database %s: %w", path, err)
	}
	defer func() { _ = pool.Close() }()
	pool.SetMaxOpenConns(1)
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	if err := within(ctx, pool, fn); err != nil {
		return fmt.Errorf("read the database %s: %w", path, err)
	}
	return nil
}

// within runs fn in a transaction in which no value is larger than maxValue.
func within(ctx context.Context, pool *sql.DB, fn func(ctx context.Context, tx *sql.Tx) error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := sqlite.Limit(conn, lib.SQLITE_LIMIT_LENGTH, maxValue); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing was changed
	return fn(ctx, tx)
}

// none reports whether there is no file of that name.
func none(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// millis is a time as JavaScript has it; zero for none, and for one whose nanoseconds
// are more than can be counted.
func millis(n number) time.Time {
	const last = math.MaxInt64 / 1_000_000 // in the year 2262
	if n <= 0 || n > last {
		return time.Time{}
	}
	return time.UnixMilli(int64(n))
}

// nanos is the same in nanoseconds since 1970; 0 for none.
func nanos(n number) int64 {
	if at := millis(n); !at.IsZero() {
		return at.UnixNano()
	}
	return 0
}
