package library

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// How long to wait for another process to write, in ms: for the end of a checkpoint, say; and with
// work to be kept that took long.
const (
	busy     = 5_000
	patience = 120_000
)

// begin begins to write, which one at a time may do, and end ends it. Wait is how long each
// transaction waits for other processes, in ms.
func (l *Library) begin(wait int) error {
	switch {
	case l.write == nil:
		return fmt.Errorf("%s was opened for reading", l.path)
	case !l.writing.CompareAndSwap(false, true):
		return fmt.Errorf("%s: %w", l.path, ErrInUse)
	}
	_, err := l.write.ExecContext(context.Background(), fmt.Sprintf("PRAGMA busy_timeout = %d", wait))
	if err != nil {
		l.writing.Store(false)
	}
	return l.explain(err)
}

// end ends writing. The error is that with which it ended, or that of the file.
func (l *Library) end(err error) error {
	if err == nil {
		_, err = l.write.ExecContext(context.Background(), "PRAGMA optimize")
		e, ok := errors.AsType[*sqlite.Error](err)
		if ok && (e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_FULL) {
			err = nil // it makes questions faster, and another time will do
		}
	}
	l.writing.Store(false)
	return l.explain(err)
}

// transaction runs statements of which all have an effect, or none. Nothing that writes has a
// context: an interruption must not come between them.
func (l *Library) transaction(do func(*writer) error) error {
	w := &writer{c: l.write}
	if w.exec("BEGIN IMMEDIATE"); w.err != nil {
		return w.err
	}
	if w.err = do(w); w.err == nil {
		w.exec("COMMIT")
	}
	if w.err != nil {
		l.write.ExecContext(context.Background(), "ROLLBACK") // SQLite may have done so itself
	}
	return w.err
}

// writer runs the statements of a transaction until one fails.
type writer struct {
	c       *sql.Conn
	err     error
	changed int64 // rows, by the last statement
}

// exec runs a statement, and returns the id of the row that it added last.
func (w *writer) exec(text string, values ...any) (id int64) {
	if w.err != nil {
		return 0
	}
	result, err := w.c.ExecContext(context.Background(), text, values...)
	if err == nil {
		w.changed, err = result.RowsAffected()
	}
	if err == nil {
		id, err = result.LastInsertId()
	}
	w.err = err
	return id
}

// found reports whether a question has an answer.
func (w *writer) found(text string, values ...any) (there bool) {
	if w.err == nil {
		there, w.err = found(w.c.QueryRowContext(context.Background(), text, values...).Scan(new(int)))
	}
	return there
}
