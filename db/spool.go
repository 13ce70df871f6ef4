package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"reprise/agent"
)

// Bounds of the spool.
const (
	maxSpoolFile  = 64 << 10 // bytes of one file
	maxSpoolFiles = 4_000
	spoolBatch    = 500 // files taken in by one transaction
)

const (
	spoolExt  = ".json"
	unfinishd = ".tmp"
)

// spooled is a hook event as a file.
type spooled struct {
	Version int             `json:"version"` // 1
	Nonce   string          `json:"nonce"`
	Kind    string          `json:"kind"`
	What    agent.HookWhat  `json:"what"`
	Session agent.SessionID `json:"session,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Certain bool            `json:"certain,omitempty"`
	FiredAt int64           `json:"fired_at"` // nanoseconds since 1970
	Depth   int             `json:"depth"`
}

func spoolDir(dir string) string { return filepath.Join(dir, "spool") }

// Spool keeps a hook event as a file in the state folder, for an event that the
// database did not take in time. The next ApplyHooks of any process takes it in.
func Spool(dir string, e agent.HookEvent) error {
	if err := spool(spoolDir(dir), e); err != nil {
		return fmt.Errorf("spool hook: %w", err)
	}
	return nil
}

func spool(dir string, e agent.HookEvent) error {
	e, err := checked(e)
	if err != nil {
		return err
	}
	b, err := json.Marshal(spooled{
		Version: 1, Nonce: e.Nonce, Kind: e.Kind, What: e.What, Session: e.Session, Reason: e.Reason,
		Certain: e.Certain, FiredAt: e.FiredAt.UnixNano(), Depth: e.Depth,
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if names, err := listSpool(dir, maxSpoolFiles); err != nil {
		return err
	} else if len(names) >= maxSpoolFiles {
		return ErrSpoolFull
	}
	// Readers see whole files only: written aside, then renamed.
	name := filepath.Join(dir, fmt.Sprintf("%020d-%s", e.FiredAt.UnixNano(), rand.Text()))
	if err := os.WriteFile(name+unfinishd, b, 0o600); err != nil {
		return errors.Join(err, os.Remove(name+unfinishd))
	}
	return os.Rename(name+unfinishd, name+spoolExt)
}

// listSpool lists at most n names of the folder, none if there is no folder.
func listSpool(dir string, n int) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(n)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, errors.Join(err, f.Close())
}

// takeSpool moves spooled events into hook_events. What is not an event is
// removed, and the ledger says so. The lock keeps two processes from taking one
// file twice; after a crash between commit and removal one is taken again, which
// does no harm: the same event at the same time moves nothing twice.
func (d *DB) takeSpool(ctx context.Context) error {
	dir := spoolDir(d.dir)
	names, err := listSpool(dir, spoolBatch)
	if err != nil || len(names) == 0 {
		return err
	}
	lock := flock.New(filepath.Join(d.dir, "spool.lock"))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return err // someone else is at it
	}
	defer func() { _ = lock.Unlock() }() // closing the file is all that can fail
	if names, err = listSpool(dir, spoolBatch); err != nil {
		return err
	}
	var done []string
	err = d.write(ctx, func(tx *sql.Tx) error {
		for _, name := range names {
			path := filepath.Join(dir, name)
			if strings.HasSuffix(name, unfinishd) && !stale(path) {
				continue
			}
			if err := takeFile(ctx, tx, path); err != nil {
				return err
			}
			done = append(done, path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var faults []error
	for _, path := range done {
		faults = append(faults, os.RemoveAll(path)) // garbage may be a folder
	}
	return errors.Join(faults...)
}

// stale reports that the writer of an unfinished file was killed over it. Both
// times are the file system's and the machine's, outside of any policy.
func stale(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) > time.Minute
}

// takeFile inserts one file's event, or notes why it is none.
func takeFile(ctx context.Context, tx *sql.Tx, path string) error {
	e, at, err := readSpooled(path)
	if err == nil {
		return insertEvent(ctx, tx, e)
	}
	return note(ctx, tx, agent.Note{At: at, What: "hook", Why: "spool file " + filepath.Base(path) + " removed: " + err.Error()})
}

func readSpooled(path string) (e agent.HookEvent, at time.Time, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return e, minTime, err
	}
	at = info.ModTime()
	if !info.Mode().IsRegular() || info.Size() > maxSpoolFile {
		return e, at, fmt.Errorf("%w: not a small file", ErrBadEvent)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return e, at, err
	}
	var s spooled
	if err := json.Unmarshal(b, &s); err != nil {
		return e, at, fmt.Errorf("%w: not JSON", ErrBadEvent)
	}
	if s.Version != 1 {
		return e, at, fmt.Errorf("%w: version %d", ErrBadEvent, s.Version)
	}
	e, err = checked(agent.HookEvent{
		Nonce: s.Nonce, Kind: s.Kind, What: s.What, Session: s.Session, Reason: s.Reason,
		Certain: s.Certain, FiredAt: time.Unix(0, s.FiredAt), Depth: s.Depth,
	})
	return e, at, err
}
