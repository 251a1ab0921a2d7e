package library

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Library is an open file. Its methods may be called from several goroutines, but one import,
// review or mining runs at a time.
type Library struct {
	path    string
	real    string    // where links lead; the log is beside that file
	db      *sql.DB   // for reading
	write   *sql.Conn // nil: opened for reading alone
	own     *sql.DB   // of write
	writing atomic.Bool
	still   os.FileInfo // of a file that is read as one that nobody changes; nil: it may change
}

// Create opens a library for reading and writing, and makes it if there is no such file. The error
// wraps [ErrForeign], [ErrNewer], [ErrDamaged] or [ErrInUse], or is that of the system.
func Create(ctx context.Context, path string) (*Library, error) { return open(ctx, path, true, true) }

// Edit opens a library that is there for reading and writing. Its errors are those of [Create], and
// os.ErrNotExist.
func Edit(ctx context.Context, path string) (*Library, error) { return open(ctx, path, true, false) }

// Open opens a library for reading, and brings one of an older version up to date. Its errors are
// those of [Create], [ErrOlder] and os.ErrNotExist.
func Open(ctx context.Context, path string) (*Library, error) { return open(ctx, path, false, false) }

func open(ctx context.Context, path string, write, create bool) (l *Library, err error) {
	if strings.HasSuffix(filepath.ToSlash(path), "/") || path == "" {
		return nil, fmt.Errorf("%q is no name of a file", path)
	}
	version, err := kind(path)
	if err != nil {
		return nil, err
	}
	fresh := version == 0
	if fresh && !create {
		if _, err := os.Lstat(path); err == nil {
			return nil, errEmpty(path)
		}
		return nil, fmt.Errorf("%s: %w; goalproof library import makes a library", path, syscall.ENOENT)
	}
	if fresh {
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return nil, err
		}
	}
	l = &Library{path: path, real: path}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		l.real = real
	}
	defer func() {
		if err != nil {
			l.Close()
			l, err = nil, l.explain(err)
		}
	}()
	switch {
	case write:
		err = l.openWriter(ctx)
	case version < Version:
		err = l.update(ctx)
	}
	if err != nil {
		return l, err
	}
	return l, l.openReader(ctx)
}

// update brings an older file up to date, to be read.
func (l *Library) update(ctx context.Context) error {
	err := l.openWriter(ctx)
	if e, ok := errors.AsType[*sqlite.Error](err); ok && refused(e) {
		return fmt.Errorf("%s: %w, and cannot be brought up to date, because nothing can be written there: copy it to where that is allowed", l.path, ErrOlder)
	}
	return cmp.Or(err, l.closeWriter())
}

// refused reports whether an error says that nothing may be written.
func refused(e *sqlite.Error) bool {
	code := e.Code() & 0xff
	return code == sqlite3.SQLITE_CANTOPEN || code == sqlite3.SQLITE_READONLY
}

// errEmpty is the error of an empty file, which an import takes for a new library.
func errEmpty(path string) error {
	return fmt.Errorf("%s: %w: it is empty; goalproof library import makes a library", path, ErrForeign)
}

// pageCache is that of a connection, in KiB: the games with a position lie all over the file, and
// sorted positions come to pages all over the index.
const pageCache = 32 << 10

// Of a statement of a user: the greatest length of it and of a value, and that of a pattern of
// LIKE, in bytes. Longer ones keep functions busy that nothing interrupts.
const (
	maxLength  = 4 << 20
	maxPattern = 1000
)

// dsn names the file for the driver. The name is escaped, so that nothing in it is an option.
func (l *Library) dsn(options string, pragmas ...string) (string, error) {
	path, err := filepath.Abs(l.real)
	if err != nil {
		return "", err
	}
	slash := filepath.ToSlash(path)
	if !strings.HasPrefix(slash, "/") { // C:/...
		slash = "/" + slash
	}
	u := url.URL{Scheme: "file", Path: slash, RawQuery: options}
	for _, p := range pragmas {
		u.RawQuery += "&_pragma=" + url.QueryEscape(p)
	}
	return u.String(), nil
}

// openWriter opens the connection that writes, makes the schema or brings it up to date.
func (l *Library) openWriter(ctx context.Context) error {
	dsn, err := l.dsn("mode=rwc&_defensive=1&_dqs=0", fmt.Sprintf("busy_timeout(%d)", busy), fmt.Sprintf("cache_size(-%d)", pageCache),
		"synchronous(FULL)", "trusted_schema(OFF)", "temp_store(MEMORY)")
	if err != nil {
		return err
	}
	if l.own, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	l.own.SetMaxOpenConns(1)
	if l.write, err = l.own.Conn(ctx); err != nil {
		return err
	}
	if err := migrate(ctx, l.write); err != nil {
		return err
	}
	// Only now, so that a file has its schema before it needs a second file.
	_, err = l.write.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	return err
}

// openReader opens the connections that read. Where nothing can be written beside it, a file
// without a log is read as one that nobody changes.
func (l *Library) openReader(ctx context.Context) error {
	err := l.reader(ctx, "mode=rw") // though it writes nothing: so the last one to close it takes the log away
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok || !refused(e) {
		return err
	}
	for _, log := range []string{"-wal", "-journal"} {
		if info, err := os.Stat(l.real + log); err == nil && info.Size() > 0 {
			return fmt.Errorf("%s: %w: an import that was interrupted has left %s, which cannot be read without writing there: "+
				"import again where that is allowed", l.path, syscall.EACCES, l.path+log)
		}
	}
	l.db.Close()
	if l.still, err = os.Stat(l.path); err != nil {
		return err
	}
	return l.reader(ctx, "mode=ro&immutable=1")
}

func (l *Library) reader(ctx context.Context, mode string) error {
	dsn, err := l.dsn(mode+"&_defensive=1&_dqs=0", fmt.Sprintf("busy_timeout(%d)", busy), fmt.Sprintf("cache_size(-%d)", pageCache),
		"query_only(ON)", "trusted_schema(OFF)")
	if err != nil {
		return err
	}
	if l.db, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	l.db.SetMaxIdleConns(2)
	c, err := l.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	version, err := userVersion(ctx, c)
	if err != nil {
		return err
	}
	if version == 0 { // its making was interrupted, which has just been undone
		return errEmpty(l.path)
	}
	if err := checkVersion(l.path, version); err != nil {
		return err
	}
	return l.checkConstants(ctx, c)
}

// Path returns the name of the file, as it was opened.
func (l *Library) Path() string { return l.path }

// Changed returns an error, which wraps [ErrInUse], if what was read may be wrong, because the file
// changed where a reader cannot know of it: in a directory in which it may not write. Who keeps a
// library open asks this after each answer.
func (l *Library) Changed() error {
	if l.still == nil {
		return nil
	}
	now, err := os.Stat(l.path)
	if err == nil && (now.Size() != l.still.Size() || !now.ModTime().Equal(l.still.ModTime())) {
		err = fmt.Errorf("%s: %w, and what was read may be wrong: ask again", l.path, ErrInUse)
	}
	return err
}

// Close closes the file. The log of a writer goes into the file. The error is perhaps that of
// [Library.Changed].
func (l *Library) Close() error {
	errs := []error{l.Changed()}
	if l.db != nil {
		errs = append(errs, l.db.Close())
	}
	return l.explain(errors.Join(append(errs, l.closeWriter())...))
}

// closeWriter closes the connection that writes.
func (l *Library) closeWriter() error {
	var errs []error
	if l.write != nil {
		errs = append(errs, l.write.Close())
	}
	if l.own != nil {
		errs = append(errs, l.own.Close())
	}
	l.write, l.own = nil, nil
	return errors.Join(errs...)
}
