package db

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
	lib "modernc.org/sqlite/lib"

	"reprise/agent"
)

// UnsavedError says that nothing can be saved now, and why: the disk is full, the
// state folder cannot be written. What was saved before is safe. It is an
// agent.Unsaved.
type UnsavedError struct {
	Why, Todo string // clauses for the person
	err       error
}

var _ agent.Unsaved = (*UnsavedError)(nil)

func (e *UnsavedError) Error() string { return fmt.Sprintf("%s: %v", e.Why, e.err) }
func (e *UnsavedError) Unwrap() error { return e.err }

// Unsaved is what a person is told.
func (e *UnsavedError) Unsaved() (why, todo string) { return e.Why, e.Todo }

// cause is a reason for which nothing can be saved.
type cause struct{ why, todo string }

var (
	full     = cause{"the disk that holds reprise's state folder is full", "Free some room on it"}
	readOnly = cause{"reprise's state folder cannot be written", "Make it writable again"}
	failing  = cause{"the disk that holds reprise's state folder fails", "See what the system's log says of it"}
	lost     = cause{"reprise's database cannot be opened any more", "See that its state folder is there and yours"}
	damaging = cause{"reprise's database is damaged", "Start reprise again: it sets the database aside"}
	locked   = cause{"another process keeps reprise's database locked", "End that process"}
)

// By SQLite's primary result codes, and by what the system says of other files.
var (
	byCode = map[int]cause{
		lib.SQLITE_FULL: full, lib.SQLITE_READONLY: readOnly, lib.SQLITE_PERM: readOnly, lib.SQLITE_IOERR: failing,
		lib.SQLITE_CANTOPEN: lost, lib.SQLITE_CORRUPT: damaging, lib.SQLITE_NOTADB: damaging,
		lib.SQLITE_BUSY: locked, lib.SQLITE_LOCKED: locked,
	}
	byErrno = map[unix.Errno]cause{
		unix.ENOSPC: full, unix.EDQUOT: full, unix.EROFS: readOnly, unix.EACCES: readOnly, unix.EPERM: readOnly, unix.EIO: failing,
	}
)

// unsaved tells errors that mean that nothing can be saved from all others.
func unsaved(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	c, ok := byCode[result(err)]
	var no unix.Errno
	if !ok && errors.As(err, &no) {
		c, ok = byErrno[no]
	}
	if !ok {
		return err
	}
	return &UnsavedError{Why: c.why, Todo: c.todo, err: err}
}
