package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// applicationID stands in the file's header (PRAGMA application_id): "rprs". It
// tells our database from another program's.
const applicationID = 0x72707273

//go:embed migrations/*.sql
var migrations embed.FS

// steps are the migrations in order; the schema's version is their number.
func steps() ([]string, error) { return stepsOf(migrations) }

func stepsOf(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := make([]string, len(names))
	for i, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all[i] = string(b)
	}
	return all, nil
}

// blank is a new database of the present schema. To make one by the migrations
// would cost a person most of the time before the first prompt. A test compares it
// with what the migrations make, and writes it: go test -run TestBlank -update .
//
//go:embed blank.db
var blank []byte

// prepare leaves a sound database of the present schema at path and opens it for
// writing. It returns the name under which a damaged one was set aside. sound: it was
// looked through before, and nobody else has changed it.
func prepare(ctx context.Context, path string, sound bool) (pool *sql.DB, aside string, err error) {
	todo, err := steps()
	if err != nil {
		return nil, "", fmt.Errorf("read migrations: %w", err)
	}
	if pool, err = opened(ctx, path, todo, sound); err == nil || !Damaged(err) && !errors.Is(err, errUnusable) {
		return pool, "", err
	}
	aside, asideErr := setAside(path)
	if asideErr != nil {
		return nil, "", fmt.Errorf("set aside the damaged database %s: %w (%w)", path, asideErr, err)
	}
	pool, err = opened(ctx, path, todo, false)
	return pool, aside, err
}

// opened opens the database at path, a blank one if there is none.
func opened(ctx context.Context, path string, todo []string, sound bool) (*sql.DB, error) {
	made, err := ensure(path)
	switch {
	case err != nil:
		return nil, err
	case made: // what migrate would leave: there is nothing to check
		pool, err := connect(path, 1, writing)
		if err == nil {
			err = pool.PingContext(ctx)
		}
		return pool, err
	}
	return migrate(ctx, path, todo, sound)
}

// ensure puts a blank database at path if there is none: made beside it, and moved
// there when it is whole. After a power cut it may be half there all the same, until its
// ground is settled: it is damaged then, and holds nothing.
func ensure(path string) (made bool, err error) {
	if st, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) && (err != nil || st.Size() > 0) {
		return false, refused(path, errors.Join(err, private(path, st)))
	}
	// A log that is left of a file that somebody removed must not be taken for the
	// new one's.
	for _, part := range []string{path + "-wal", path + "-shm"} {
		if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("make database %s: %w", path, err)
		}
	}
	beside := path + ".new"
	if err = os.WriteFile(beside, blank, 0o600); err == nil { // SQLite gives the same mode to -wal and -shm
		err = os.Rename(beside, path)
	}
	if err != nil {
		_ = os.Remove(beside)
		return false, refused(path, err)
	}
	return true, nil
}

// errUnusable: SQLite reads the file, but it is not a sound database of ours.
var errUnusable = errors.New("not a sound database of reprise")

// migrate opens the database at path, checks it and brings it to the newest schema.
func migrate(ctx context.Context, path string, todo []string, sound bool) (_ *sql.DB, err error) {
	pool, err := connect(path, 1, writing)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = pool.Close()
		}
	}()
	version, err := schema(ctx, pool, path, len(todo), sound)
	if err != nil || version == len(todo) {
		return pool, err
	}
	if version > 0 {
		if err := copyBeside(ctx, pool, path, version); err != nil {
			return nil, err
		}
	}
	return pool, run(ctx, pool, path, version, todo)
}

// run brings a database from a version of the schema to the newest, or leaves it
// as it was.
func run(ctx context.Context, pool *sql.DB, path string, version int, todo []string) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migrate database %s: %w", path, err)
	}
	defer func() { _ = tx.Rollback() }()
	for i, step := range todo[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("migrate database %s to schema %d: %w", path, version+i+1, err)
		}
	}
	header := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(todo))
	if _, err := tx.ExecContext(ctx, header); err != nil {
		return fmt.Errorf("migrate database %s: %w", path, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("migrate database %s: %w", path, err)
	}
	return nil
}

// private makes sure that a database that exists is ours and nobody else's. It is not
// opened for that: see groundOf.
func private(path string, st fs.FileInfo) error {
	switch {
	case st == nil:
		return nil // it cannot be looked at
	case st.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: unix.EISDIR}
	}
	if st.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return err
		}
	}
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}

// refused says in plain words that a database's file cannot be used.
func refused(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("the database %s cannot be opened. Make it yours (chown, chmod 600), or set REPRISE_HOME to another folder: %w", path, err)
	}
	if err != nil {
		return fmt.Errorf("open database %s: %w; move what is there away, or set REPRISE_HOME to another folder", path, err)
	}
	return nil
}

// schema checks that the database is ours and, unless that is known, or it is about to be
// migrated, sound; it returns its version.
func schema(ctx context.Context, pool *sql.DB, path string, known int, sound bool) (int, error) {
	var tables, app, version int
	err := pool.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema), a.application_id, v.user_version
		FROM pragma_application_id a, pragma_user_version v`).Scan(&tables, &app, &version)
	if err != nil {
		return 0, fmt.Errorf("read database %s: %w", path, err)
	}
	switch {
	case tables == 0 && app == 0:
		return 0, nil
	case app != applicationID:
		return 0, fmt.Errorf("read database %s: %w", path, errUnusable)
	case version > known:
		return 0, &NewerError{Path: path, Version: version, Known: known}
	}
	if sound && version == known {
		return version, nil
	}
	var verdict string
	if err := pool.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return 0, fmt.Errorf("check database %s: %w", path, err)
	}
	if verdict != "ok" {
		return 0, fmt.Errorf("check database %s: %w: %s", path, errUnusable, verdict)
	}
	return version, nil
}

// copyBeside keeps the database as it was before a migration.
func copyBeside(ctx context.Context, pool *sql.DB, path string, version int) error {
	name, err := freeName(fmt.Sprintf("%s.schema-%d", path, version))
	if err == nil {
		// VACUUM INTO takes an empty file as it is, and so its mode.
		err = os.WriteFile(name, nil, 0o600)
	}
	if err == nil {
		_, err = pool.ExecContext(ctx, `VACUUM INTO ?`, name)
	}
	if err != nil {
		return fmt.Errorf("copy database before its migration: %w", err)
	}
	return nil
}

// setAside renames a damaged database, with its log, and returns its new name.
func setAside(path string) (string, error) {
	name, err := freeName(path + ".damaged")
	if err != nil {
		return "", err
	}
	// The log first: a new database must never meet the log of the old one.
	for _, part := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+part, name+part); err != nil && (part == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", err
		}
	}
	return filepath.Base(name), nil
}

// freeName is the first of base-1, base-2 … that is not taken.
func freeName(base string) (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s-%d", base, n)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", err
		}
	}
}
