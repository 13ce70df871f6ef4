package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"sync"
	"testing"
)

// listener is the driver, and what it was asked: each query with the arguments of one
// call.
type listener struct {
	driver.Driver
	mu    sync.Mutex
	heard map[string][]driver.NamedValue // guarded by mu
	care  []string                       // guarded by mu: PRAGMA synchronous at each commit
	once  func()                         // guarded by mu: see WhileOpening

	checks int // guarded by mu
}

var (
	ears   = &listener{}
	listen = sync.OnceFunc(func() {
		pool, err := sql.Open("sqlite", "")
		if err != nil {
			panic(err)
		}
		ears.Driver = pool.Driver()
		sql.Register("listening", ears)
	})
)

func (l *listener) hear(query string, args []driver.NamedValue) {
	l.mu.Lock()
	l.heard[query] = args
	do := func() {}
	if strings.HasPrefix(query, "PRAGMA quick_check") {
		l.checks++
	}
	if strings.HasPrefix(query, "SELECT (SELECT count(*) FROM sqlite_schema)") && l.once != nil {
		do, l.once = l.once, nil
	}
	l.mu.Unlock()
	do()
}

// WhileOpening has something done once, when the next database that is there already is
// being opened and has its first connection. Listen comes first.
func WhileOpening(do func()) {
	ears.mu.Lock()
	defer ears.mu.Unlock()
	ears.once = do
}

// Open is driver.Driver's.
func (l *listener) Open(name string) (driver.Conn, error) {
	c, err := l.Driver.Open(name)
	if err != nil {
		return nil, err
	}
	return &hearing{connection: c.(connection), l: l, care: "FULL"}, nil // by the DSN
}

// connection is what the driver's connections are.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

type hearing struct {
	connection
	l    *listener
	care string
}

// BeginTx is driver.ConnBeginTx's.
func (h *hearing) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := h.connection.BeginTx(ctx, opts)
	return committing{tx, h}, err
}

type committing struct {
	driver.Tx
	h *hearing
}

// Commit is driver.Tx's.
func (c committing) Commit() error {
	c.h.l.mu.Lock()
	c.h.l.care = append(c.h.l.care, c.h.care)
	c.h.l.mu.Unlock()
	return c.Tx.Commit()
}

// Cares is how the disk was treated at each commit since it was last asked.
func Cares() []string {
	ears.mu.Lock()
	defer ears.mu.Unlock()
	all := ears.care
	ears.care = nil
	return all
}

func (h *hearing) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	h.l.hear(query, args)
	if care, ok := strings.CutPrefix(query, "PRAGMA synchronous = "); ok {
		h.care = care
	}
	return h.connection.ExecContext(ctx, query, args)
}

func (h *hearing) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	h.l.hear(query, args)
	return h.connection.QueryContext(ctx, query, args)
}

// Listen hears what databases are asked that are opened from now on, until the test's
// end: the statements that have a plan.
func Listen(t testing.TB) (heard func() map[string][]driver.NamedValue) {
	listen()
	ears.mu.Lock()
	ears.heard, ears.care, ears.checks = map[string][]driver.NamedValue{}, nil, 0
	ears.mu.Unlock()
	was := driverName
	driverName = "listening"
	t.Cleanup(func() { driverName = was })
	return func() map[string][]driver.NamedValue {
		ears.mu.Lock()
		defer ears.mu.Unlock()
		planned := map[string][]driver.NamedValue{}
		for q, args := range ears.heard {
			switch verb, _, _ := strings.Cut(strings.TrimSpace(q), " "); verb {
			case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH":
				planned[q] = args
			}
		}
		return planned
	}
}

// Checks is how often a database was looked through for damage since Listen.
func Checks() int {
	ears.mu.Lock()
	defer ears.mu.Unlock()
	return ears.checks
}

// Plan is how a query would be carried out, in SQLite's words (sqlite.org/eqp.html).
func Plan(ctx context.Context, d *DB, query string, args []driver.NamedValue) (steps []string, err error) {
	var all []any
	for _, a := range args {
		if a.Name != "" {
			all = append(all, sql.Named(a.Name, a.Value))
		} else {
			all = append(all, a.Value)
		}
	}
	rows, err := d.r.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, all...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, rows.Err()
}
