package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"goalproof/internal/files"
)

// record is what a run has found out, in a directory of its own: the answers that were accepted.
// What has been added is on the disk.
type record struct {
	dir     string
	lock    *os.File
	db      *sql.DB
	run     string // name of the run
	secret  string // which answers are given twice depends on it
	started time.Time
	have    map[string]kept // by id of the question
	dropped map[string]bool // ids of answers that do not count any more, but were delivered, or may have been
	shut    map[string]string
}

// kept says of an answer in the record whose it is.
type kept struct {
	worker    string // empty: the coordinator's own
	confirmed bool   // two agreed on it, or the coordinator answered it itself
	early     bool   // it was there when the record was opened, and may have been delivered then
}

// isDropped stands in place of whether an answer is confirmed if it does not count any more.
const isDropped = 2

// ErrOtherRun is in the error of a directory that has the answers to other questions.
var ErrOtherRun = errors.New("has answers to another command")

// recordSchema is the layout of the file. It must not change: add a version.
const recordSchema = `
CREATE TABLE run (name TEXT NOT NULL, about TEXT NOT NULL, secret TEXT NOT NULL, started INTEGER NOT NULL);
CREATE TABLE answer (id TEXT PRIMARY KEY, question BLOB NOT NULL, worker TEXT NOT NULL, confirmed INTEGER NOT NULL,
	seconds REAL NOT NULL, failed TEXT NOT NULL, bytes BLOB, digest BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE shut (worker TEXT PRIMARY KEY, why TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1`

// openRecord opens the record in a directory, or makes it. About says what the run is about: kind,
// options and version. The error wraps [ErrOtherRun] if the directory is about something else, and
// [files.ErrInUse] if a process has it open.
func openRecord(ctx context.Context, dir, about string) (r *record, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	r = &record{dir: dir, have: map[string]kept{}, dropped: map[string]bool{}, shut: map[string]string{}}
	if r.lock, err = files.LockDir(dir, false); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.close()
			r, err = nil, (&record{dir: dir}).explain(err)
		}
	}()
	path, err := filepath.Abs(r.path())
	if err != nil {
		return r, err
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"}
	if r.db, err = sql.Open("sqlite", u.String()); err != nil {
		return r, err
	}
	r.db.SetMaxOpenConns(1)
	var version int
	if err := r.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return r, err
	}
	switch version {
	case 0:
		err = r.begin(ctx, about)
	case 1:
	default:
		err = fmt.Errorf("its files are of version %d, and this program knows version 1: use a newer one", version)
	}
	if err != nil {
		return r, err
	}
	return r, r.read(ctx, about)
}

// explain names the directory, and says of a disk that is full or fails what the system would say.
func (r *record) explain(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			err = fmt.Errorf("%w: make room, and the same command goes on", syscall.ENOSPC)
		case sqlite3.SQLITE_IOERR:
			err = fmt.Errorf("%w: %w", syscall.EIO, e)
		}
	}
	return fmt.Errorf("the run in %s: %w", r.dir, err)
}

func (r *record) path() string { return filepath.Join(r.dir, "run.db") }

// begin makes the record of a new run.
func (r *record) begin(ctx context.Context, about string) error {
	return r.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, recordSchema); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO run VALUES (?, ?, ?, ?)", randomName(), about, randomName(), time.Now().Unix())
		return err
	})
}

// read reads which answers there are, and which workers were shut out.
func (r *record) read(ctx context.Context, about string) error {
	var was string
	var started int64
	if err := r.db.QueryRowContext(ctx, "SELECT name, about, secret, started FROM run").Scan(&r.run, &was, &r.secret, &started); err != nil {
		return err
	}
	r.started = time.Unix(started, 0)
	if was != about {
		return fmt.Errorf("it %w: name another directory with --run, or remove it", ErrOtherRun)
	}
	err := each(ctx, r.db, "SELECT worker, why FROM shut", func(rows *sql.Rows) error {
		var worker, why string
		err := rows.Scan(&worker, &why)
		r.shut[worker] = why
		return err
	})
	if err != nil {
		return err
	}
	return each(ctx, r.db, "SELECT id, worker, confirmed FROM answer", func(rows *sql.Rows) error {
		var id string
		var confirmed int
		k := kept{early: true}
		err := rows.Scan(&id, &k.worker, &confirmed)
		if k.confirmed = confirmed == 1; confirmed == isDropped {
			r.dropped[id] = true
		} else {
			r.have[id] = k
		}
		return err
	})
}

// each calls do for each row of a query.
func each(ctx context.Context, db *sql.DB, query string, do func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *record) transaction(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// entry is an answer to be recorded.
type entry struct {
	id       string
	question []byte
	kept
	took   time.Duration
	failed string
	bytes  []byte
}

// add adds answers, and has them on the disk when it returns. An answer that is there is replaced.
func (r *record) add(ctx context.Context, entries []entry) error {
	err := r.transaction(ctx, func(tx *sql.Tx) error {
		for _, e := range entries {
			digest := sha256.Sum256(e.bytes)
			_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				e.id, e.question, e.worker, e.confirmed, e.took.Seconds(), e.failed, e.bytes, digest[:])
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return r.explain(err)
	}
	for _, e := range entries {
		r.have[e.id] = e.kept
		delete(r.dropped, e.id)
	}
	return nil
}

// get returns an answer that is there, or was dropped.
func (r *record) get(ctx context.Context, id string) (e entry, err error) {
	var seconds float64
	var digest []byte
	err = r.db.QueryRowContext(ctx, "SELECT question, worker, confirmed = 1, seconds, failed, bytes, digest FROM answer WHERE id = ?", id).
		Scan(&e.question, &e.worker, &e.confirmed, &seconds, &e.failed, &e.bytes, &digest)
	if err != nil {
		return e, r.explain(err)
	}
	e.id, e.took = id, time.Duration(seconds*float64(time.Second))
	if sum := sha256.Sum256(e.bytes); e.failed == "" && !bytes.Equal(sum[:], digest) {
		return e, fmt.Errorf("the run in %s is damaged: remove it, and the questions are asked again", r.dir)
	}
	return e, nil
}

// shutOut notes that a worker was shut out, and drops its answers that nobody confirmed. It returns
// their ids and questions. Those that may have been delivered stay, as dropped.
func (r *record) shutOut(ctx context.Context, worker, why string, delivered func(id string) bool) (all []entry, err error) {
	for id, k := range r.have {
		if k.worker == worker && !k.confirmed {
			all = append(all, entry{id: id})
		}
	}
	err = r.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO shut VALUES (?, ?, ?)", worker, why, time.Now().Unix()); err != nil {
			return err
		}
		for i, d := range all {
			drop := "DELETE FROM answer WHERE id = ? RETURNING question"
			if delivered(d.id) {
				drop = fmt.Sprintf("UPDATE answer SET confirmed = %d WHERE id = ? RETURNING question", isDropped)
			}
			if err := tx.QueryRowContext(ctx, drop, d.id).Scan(&all[i].question); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, r.explain(err)
	}
	r.shut[worker] = why
	for _, d := range all {
		if delivered(d.id) {
			r.dropped[d.id] = true
		}
		delete(r.have, d.id)
	}
	return all, nil
}

// dropUnconfirmed drops the answers that nobody confirmed, all of an earlier process.
func (r *record) dropUnconfirmed(ctx context.Context) error {
	if _, err := r.db.ExecContext(ctx, "UPDATE answer SET confirmed = ? WHERE confirmed = 0", isDropped); err != nil {
		return r.explain(err)
	}
	for id, k := range r.have {
		if !k.confirmed {
			delete(r.have, id)
			r.dropped[id] = true
		}
	}
	return nil
}

// keepFalse keeps an answer that was dropped and is false under another id, so that the one that
// replaces it does not have it forgotten: if this process is killed, the next one counts it among
// those that may have been delivered.
func (r *record) keepFalse(ctx context.Context, id string) error {
	if _, err := r.db.ExecContext(ctx, "UPDATE answer SET id = ? WHERE id = ?", id+" "+randomName(), id); err != nil {
		return r.explain(err)
	}
	return nil
}

// forget forgets the answers that were dropped.
func (r *record) forget(ctx context.Context) error {
	if _, err := r.db.ExecContext(ctx, "DELETE FROM answer WHERE confirmed = ?", isDropped); err != nil {
		return r.explain(err)
	}
	clear(r.dropped)
	return nil
}

func (r *record) close() error {
	var errs []error
	if r.db != nil {
		errs = append(errs, r.db.Close())
	}
	return errors.Join(append(errs, r.lock.Close())...)
}

// remove closes the record and removes it: the run is over. Other files in the directory stay.
func (r *record) remove() error {
	err := r.db.Close()
	for _, ending := range []string{"", "-wal", "-shm"} {
		if e := os.Remove(r.path() + ending); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	err = errors.Join(err, r.lock.Close())
	os.Remove(r.dir) // if that was all
	return err
}

// idOf returns the id of a question: what its answer is kept under.
func idOf(question []byte) string {
	sum := sha256.Sum256(question)
	return hex.EncodeToString(sum[:16])
}
