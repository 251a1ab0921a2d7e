package library

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What can be wrong with a file. The errors that wrap these name the file, and what to do.
var (
	ErrForeign = errors.New("it is no library")
	ErrDamaged = errors.New("it is damaged")
	ErrNewer   = errors.New("it was made by a newer version of this program")
	ErrOlder   = errors.New("it was made by an older version of this program")
	ErrInUse   = errors.New("another process writes to it")
)

// FilterError is the error of a question that means nothing.
type FilterError struct{ Err error }

// Error says which condition means nothing.
func (e *FilterError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *FilterError) Unwrap() error { return e.Err }

// meaningless makes a *FilterError of a reason.
func meaningless(format string, values ...any) error {
	return &FilterError{fmt.Errorf(format, values...)}
}

// explain names the file in an error, and gives those of SQLite that users can do something about a
// sentence: a full disk or one that failed wraps the error of the system.
func (l *Library) explain(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	switch {
	case err == nil, errors.Is(err, ErrDamaged), errors.Is(err, ErrForeign), errors.Is(err, ErrNewer):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case !ok && strings.HasPrefix(err.Error(), "sql: Scan error"): // a value of another type than the schema allows
		return l.damaged(err)
	case !ok: // not of SQLite
		return err
	}
	if e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // no room for the memory that processes share
		return fmt.Errorf("%s: %w", l.path, syscall.ENOSPC)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_INTERRUPT:
		return context.Canceled
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return l.damaged(err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%s: %w; try again when it has ended", l.path, ErrInUse)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s: %w; what was said to be in the library is there", l.path, syscall.ENOSPC)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%s: %w (%v)", l.path, syscall.EIO, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%s: %w (%v)", l.path, syscall.EACCES, err)
	}
	return fmt.Errorf("%s: %w", l.path, err)
}

// damaged says that the file is damaged, and in what.
func (l *Library) damaged(why error) error {
	return fmt.Errorf("%s: %w: %v; take an earlier copy of this one, or import the games into a new file, where reviews and mined puzzles are to be made again", l.path, ErrDamaged, why)
}
