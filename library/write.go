package library

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// How long to wait for another process to write: an import for the end of a checkpoint, say, in ms;
// others, with work to be kept that took long, a turn after the other, in ms, until they are out of
// patience.
const (
	busy     = 5_000
	turn     = 500
	patience = 2 * time.Minute
)

// begin begins to write, which one at a time may do, and end ends it. Wait is how long SQLite waits
// for other processes, in ms.
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

// transaction runs statements of which all have an effect, or none. The context ends only waiting for
// another process: an interruption must not come between the statements.
func (l *Library) transaction(ctx context.Context, do func(*writer) error) error {
	w := &writer{c: l.write}
	for began := time.Now(); ; w.err = nil {
		w.exec("BEGIN IMMEDIATE")
		e, ok := errors.AsType[*sqlite.Error](w.err)
		if !ok || e.Code()&0xff != sqlite3.SQLITE_BUSY || time.Since(began) > patience {
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if w.err != nil {
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
