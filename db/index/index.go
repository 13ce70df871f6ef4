// Package index keeps what was read of the agents' own stores, so that a person's
// past sessions are listed at once and no store is read twice. It is a cache: its file
// may be removed at any time, is made anew if it is damaged or of another version, and
// holds nothing that must survive. It is apart from the program's database, which
// stays small.
//
// Concurrency: an Index is safe for concurrent use, also by several processes.
package index

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	_ "modernc.org/sqlite" // the driver

	"reprise/agent"
	"reprise/agent/past"
	"reprise/db"
)

// File is the index's name in the cache folder.
const File = "past.db"

// version is the schema's, and that of what is read of a store: change it when either
// changes, and every index is made anew.
const version = 5

//go:embed schema.sql
var schema string

// Index is an open index.
type Index struct {
	pool   *sql.DB
	folder string
}

var _ past.Index = (*Index)(nil)

// Open opens the index in a folder, which is made if it is not there, readable for the
// person alone. One that is damaged, or of another version, is made anew; whatever
// else is wrong is an error, and nothing is lost by it.
func Open(ctx context.Context, folder string) (*Index, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the index of sessions: %w", err)
	}
	path := filepath.Join(folder, File)
	x, err := open(ctx, path)
	if db.Damaged(err) || errors.Is(err, errOther) {
		if err := Remove(folder); err != nil {
			return nil, err
		}
		x, err = open(ctx, path)
	}
	if err != nil {
		return nil, fmt.Errorf("open the index of sessions %s: %w", path, err)
	}
	return x, nil
}

// Remove removes the index of a folder, if there is one. Who has it open keeps what it
// has until it is closed.
func Remove(folder string) error {
	for _, name := range []string{File, File + "-wal", File + "-shm", lockFile} {
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the index of sessions: %w", err)
		}
	}
	return nil
}

// errOther says that the file is of another version.
var errOther = errors.New("another version's index")

// open opens the file at path, and makes it if it is not there.
func open(ctx context.Context, path string) (_ *Index, err error) {
	// SQLite gives its mode to -wal and -shm. One that is there is not opened here: closed
	// again, it would take the locks of this process's other connections with it.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	q := url.Values{
		"mode": {"rw"}, "_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {"OFF"},
		"_busy_timeout": {"5000"}, "_foreign_keys": {"1"}, "_dqs": {"0"},
	}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(4)
	x := &Index{pool: pool, folder: filepath.Dir(path)}
	defer func() {
		if err != nil {
			_ = pool.Close()
		}
	}()
	return x, x.make(ctx)
}

// make makes the tables of an empty file, and refuses one of another version.
func (x *Index) make(ctx context.Context) error {
	var is int
	if err := x.pool.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&is); err != nil || is == version {
		return err
	}
	tx, err := x.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	// Another process may have been faster.
	if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&is); err != nil || is == version {
		return err
	}
	var tables int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return err
	}
	if is != 0 || tables != 0 {
		return errOther
	}
	if _, err := tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}

// Close closes the index.
func (x *Index) Close() error { return x.pool.Close() }

// write runs fn in a transaction, after which Changes tells another number.
func (x *Index) write(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := x.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := fn(tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE changes SET n = n + 1`); err != nil {
		return err
	}
	return tx.Commit()
}

// Changes is a number that is another one whenever what the index holds may be: of
// two equal ones nothing changed between.
func (x *Index) Changes(ctx context.Context) (n int64, err error) {
	if err := x.pool.QueryRowContext(ctx, `SELECT n FROM changes`).Scan(&n); err != nil {
		return 0, fmt.Errorf("look whether past sessions have changed: %w", err)
	}
	return n, nil
}

// Marks are the marks of all files that were read: see past.Index.
func (x *Index) Marks(ctx context.Context) (map[string]past.Mark, error) {
	rows, err := x.pool.QueryContext(ctx, `SELECT path, size, time, kind, home, form FROM files`)
	if err != nil {
		return nil, fmt.Errorf("look what was read of the agents' stores: %w", err)
	}
	defer func() { _ = rows.Close() }()
	marks := map[string]past.Mark{}
	for rows.Next() {
		var path string
		var m past.Mark
		if err := rows.Scan(&path, &m.Size, &m.Time, &m.Kind, &m.Home, &m.Form); err != nil {
			return nil, err
		}
		marks[path] = m
	}
	return marks, rows.Err()
}

// Put takes in files: see past.Index.
func (x *Index) Put(ctx context.Context, files []past.File) error {
	err := x.write(ctx, func(tx *sql.Tx) error {
		for _, f := range files {
			if err := put(ctx, tx, f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep what was read of the agents' stores: %w", err)
	}
	return nil
}

func put(ctx context.Context, tx *sql.Tx, f past.File) error {
	var file int64
	if err := tx.QueryRowContext(ctx, `INSERT INTO files (path, size, time, kind, home, form) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (path) DO UPDATE SET size = excluded.size, time = excluded.time, kind = excluded.kind, home = excluded.home,
			form = excluded.form RETURNING id`,
		f.Path, f.Mark.Size, f.Mark.Time, f.Mark.Kind, f.Mark.Home, f.Mark.Form).Scan(&file); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE file = ?`, file); err != nil {
		return err
	}
	for _, s := range f.Sessions {
		r, err := tx.ExecContext(ctx, `INSERT INTO sessions (file, kind, home, session, dir, first, last, own, begun, used)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			file, s.Kind, s.Home, string(s.Session), s.Dir, s.First, s.Last, s.Own, nanos(s.Begun), s.Used.UnixNano())
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			continue
		}
		id, err := r.LastInsertId()
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO words (rowid, text) VALUES (?, ?)`, id, s.Words+"\n"+s.Dir); err != nil {
			return err
		}
	}
	return nil
}

func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// Drop forgets files: see past.Index.
func (x *Index) Drop(ctx context.Context, paths []string) error {
	err := x.write(ctx, func(tx *sql.Tx) error {
		for _, p := range paths {
			if _, err := tx.ExecContext(ctx, `DELETE FROM files WHERE path = ?`, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget what is gone from the agents' stores: %w", err)
	}
	return nil
}

// List lists sessions without their Words, the last used first, at most limit of them.
// A session that is in several files is listed once, as the one that was used last.
func (x *Index) List(ctx context.Context, limit int) ([]past.Conversation, error) {
	rows, err := x.pool.QueryContext(ctx, `SELECT kind, home, session, dir, first, last, own, coalesce(begun, 0), used
		FROM sessions ORDER BY used DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("list past sessions: %w", err)
	}
	defer func() { _ = rows.Close() }()
	seen := map[agent.Identity]bool{}
	var all []past.Conversation
	for rows.Next() {
		var s past.Conversation
		var id string
		var begun, used int64
		if err := rows.Scan(&s.Kind, &s.Home, &id, &s.Dir, &s.First, &s.Last, &s.Own, &begun, &used); err != nil {
			return nil, fmt.Errorf("list past sessions: %w", err)
		}
		if s.Session = agent.SessionID(id); seen[s.Identity] {
			continue
		}
		seen[s.Identity] = true
		if s.Used = time.Unix(0, used); begun != 0 {
			s.Begun = time.Unix(0, begun)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list past sessions: %w", err)
	}
	return all, nil
}

// Saying are the sessions in whose words, or directory, a word begins as the given one
// does; case and accents do not count. nil: the word has no letter or digit.
func (x *Index) Saying(ctx context.Context, word string) (map[agent.Identity]bool, error) {
	q := match(word)
	if q == "" {
		return nil, nil
	}
	rows, err := x.pool.QueryContext(ctx, `SELECT kind, home, session FROM sessions WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?)`, q)
	if err != nil {
		return nil, fmt.Errorf("look for past sessions: %w", err)
	}
	defer func() { _ = rows.Close() }()
	found := map[agent.Identity]bool{}
	for rows.Next() {
		var one agent.Identity
		var id string
		if err := rows.Scan(&one.Kind, &one.Home, &id); err != nil {
			return nil, fmt.Errorf("look for past sessions: %w", err)
		}
		one.Session = agent.SessionID(id)
		found[one] = true
	}
	return found, rows.Err()
}

// match is a word as a query of FTS5: each run of letters and digits in it is the
// beginning of a word (https://www.sqlite.org/fts5.html §3).
func match(word string) string {
	var parts []string
	for _, w := range strings.FieldsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		parts = append(parts, `"`+w+`"*`)
	}
	return strings.Join(parts, " AND ")
}
