package db

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Errors that callers branch on.
var (
	// ErrNewer: the database was written by a newer version of the program.
	ErrNewer = errors.New("database of a newer reprise")
	// ErrNoTerminal: no such terminal is recorded.
	ErrNoTerminal = errors.New("no such terminal")
	// ErrOwned: another living process owns the workspace; see OwnedError.
	ErrOwned = errors.New("workspace is open in another process")
	// ErrNotOwner: the workspace is not owned by the instance that wants to change it.
	ErrNotOwner = errors.New("workspace is not owned by this process")
	// ErrNoWorkspace: there is no workspace of that name.
	ErrNoWorkspace = errors.New("no such workspace")
	// ErrBadName: a workspace's name has 1 to MaxName bytes, none of them of a control
	// character.
	ErrBadName = fmt.Errorf("a workspace's name has 1 to %d bytes, none of them of a control character", MaxName)
	// ErrNameTaken: another workspace has the name.
	ErrNameTaken = errors.New("another workspace has this name")
	// ErrHolds: the workspace holds sessions; see HoldsError.
	ErrHolds = errors.New("workspace holds sessions")
	// ErrEmptyLayout: nothing would have been saved over a layout.
	ErrEmptyLayout = errors.New("refusing to save an empty layout")
	// ErrSpoolFull: the spool folder holds as many events as it may.
	ErrSpoolFull = errors.New("hook spool is full")
	// ErrBadEvent: a hook event is not one that can be recorded.
	ErrBadEvent = errors.New("unusable hook event")
)

// NewerError says which database is newer than the program. It is an ErrNewer.
type NewerError struct {
	Path           string
	Version, Known int // schema versions: of the file, and the newest that we know
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the database %s belongs to a newer reprise (schema %d, this one knows %d). Update reprise, or set REPRISE_HOME to another folder",
		e.Path, e.Version, e.Known)
}

// Unwrap makes errors.Is(err, ErrNewer) true.
func (e *NewerError) Unwrap() error { return ErrNewer }

// OwnedError says where a workspace is open. It is an ErrOwned.
type OwnedError struct {
	Name string
	Dir  string
	PID  int // of the owning process; 0: not known
}

func (e *OwnedError) Error() string {
	return fmt.Sprintf("workspace %s (%s) is open in process %d", e.Name, e.Dir, e.PID)
}

// Unwrap makes errors.Is(err, ErrOwned) true.
func (e *OwnedError) Unwrap() error { return ErrOwned }

// HoldsError says how many sessions would lose their pane with a workspace. It is an
// ErrHolds.
type HoldsError struct {
	Name     string
	Sessions int // that live or can be resumed
}

func (e *HoldsError) Error() string {
	return fmt.Sprintf("workspace %s holds %d sessions that can be resumed", e.Name, e.Sessions)
}

// Unwrap makes errors.Is(err, ErrHolds) true.
func (e *HoldsError) Unwrap() error { return ErrHolds }

// result is SQLite's primary result code of an error, 0 if it has none. Texts of
// SQLite's errors change between versions; codes do not
// (https://www.sqlite.org/rescode.html).
func result(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// Busy reports whether an error means that another process kept the database
// locked for longer than the busy timeout: worth another try.
func Busy(err error) bool {
	code := result(err)
	return code == lib.SQLITE_BUSY || code == lib.SQLITE_LOCKED
}

// Damaged reports whether an error means that the file is not a usable database.
func Damaged(err error) bool {
	code := result(err)
	return code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB
}
