package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Report is what an inspection found in a state folder.
type Report struct {
	Exists bool
	Bytes  int64 // of the database and its log
	// Schema is the file's version, Known the newest that this program knows. An older
	// one is migrated when it is opened.
	Schema, Known int
	// Damage is what is wrong with the file, in SQLite's words; "": it is sound.
	Damage string
	Aside  []string // names of damaged databases that were set aside

	Workspaces int
	// Hooks are events that no server has taken in yet, in the database and in the
	// spool; Claims are resumes under way; Unsure are goodbyes that are not settled;
	// Ending are programs that a person ended and whose end was not seen; Candidates are
	// sessions that can come back.
	Hooks, Claims, Unsure, Ending, Candidates int
}

// looking is how an inspection waits for others, which it rather gives up on.
const looking = time.Second

// Inspect looks at the database of a state folder and changes nothing: it makes no
// file, migrates nothing and sets nothing aside. Servers may use the database
// meanwhile. An error says that it could not be looked at; a damaged file is no error.
func Inspect(ctx context.Context, dir string) (r Report, err error) {
	path := filepath.Join(dir, File)
	todo, err := steps()
	if err != nil {
		return r, fmt.Errorf("read migrations: %w", err)
	}
	r.Known = len(todo)
	r.Aside = setAsideIn(dir)
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("look at the database: %w", err)
	}
	r.Exists, r.Bytes = true, st.Size()
	// mode=ro, unlike query_only, keeps the last connection that closes from making a
	// checkpoint.
	settings := url.Values{"mode": {"ro"}, "_query_only": {"1"}, "_busy_timeout": {strconv.FormatInt(looking.Milliseconds(), 10)}}
	if log, err := os.Stat(path + "-wal"); err == nil {
		r.Bytes += log.Size()
	} else {
		// Nobody uses it: without this SQLite would make a log. Who begins to use it
		// just now writes into a log, not into the file that we read.
		settings.Set("immutable", "1")
	}
	pool, err := connect(path, 1, settings)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	r.Schema, err = schema(ctx, pool, path, len(todo), false)
	switch {
	case errors.Is(err, errUnusable), Damaged(err):
		r.Damage = err.Error()
		return r, nil
	case err != nil:
		return r, err
	case r.Schema == 0:
		return r, nil
	}
	err = pool.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM workspaces), (SELECT count(*) FROM hook_events),
		(SELECT count(*) FROM bindings WHERE end_reason = 'resuming'),
		(SELECT count(*) FROM bindings WHERE unsure = 1),
		(SELECT count(*) FROM terminals WHERE status = 'active' AND dispose_requested_at IS NOT NULL),
		(SELECT count(*) FROM bindings b WHERE `+candidate+`)`).
		Scan(&r.Workspaces, &r.Hooks, &r.Claims, &r.Unsure, &r.Ending, &r.Candidates)
	if err != nil {
		return r, fmt.Errorf("read database %s: %w", path, err)
	}
	events, err := listSpool(spoolDir(dir), maxSpoolFiles)
	r.Hooks += len(events)
	if err != nil {
		return r, fmt.Errorf("look at the hook spool: %w", err)
	}
	return r, nil
}

// setAsideIn lists the databases of a folder that were set aside, without their logs.
func setAsideIn(dir string) (names []string) {
	all, _ := os.ReadDir(dir) // what is wrong with the folder the database says, too
	for _, e := range all {
		n, ok := strings.CutPrefix(e.Name(), File+".damaged-")
		if _, err := strconv.Atoi(n); ok && err == nil {
			names = append(names, e.Name())
		}
	}
	return names
}
