package library

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Limits are those of a statement in SQL.
type Limits struct {
	Rows   int           // 0: all
	Time   time.Duration // 0: none
	Memory int64         // bytes that SQLite may use in this process; 0: [DefaultMemory]
}

// DefaultMemory is the usual limit of a statement, in bytes.
const DefaultMemory = 128 << 20

// What ends a statement before its last row.
var (
	ErrRows   = errors.New("there are more rows")
	ErrTime   = errors.New("the time is up")
	ErrMemory = errors.New("the memory is full")
)

// Select runs a statement that reads: it begins with SELECT, WITH, VALUES or EXPLAIN, and attaches
// no file, calls no pragma and loads no extension. The first row that is yielded holds the names of
// the columns, as strings; the others hold nil, int64, float64, string or []byte. An error ends the
// rows: one that wraps [ErrRows], [ErrTime] or [ErrMemory], that of the context, of the statement,
// or of the file.
func (l *Library) Select(ctx context.Context, statement string, limits Limits) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		if err := checkStatement(statement); err != nil {
			yield(nil, err)
			return
		}
		if limits.Time > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, limits.Time, ErrTime)
			defer cancel()
		}
		if err := l.run(ctx, statement, limits, func(row []any) bool { return yield(row, nil) }); err != nil {
			yield(nil, l.unselected(ctx, err, limits))
		}
	}
}

// run calls yield for the names of the columns, and then for every row, until it returns false.
func (l *Library) run(ctx context.Context, statement string, limits Limits, yield func([]any) bool) error {
	c, err := l.limited(ctx, limits)
	if err != nil {
		return err
	}
	defer c.Close()
	rows, err := c.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	row := make([]any, len(columns))
	for i, name := range columns {
		row[i] = name
	}
	for n := 0; yield(row) && rows.Next(); n++ {
		if limits.Rows > 0 && n == limits.Rows {
			return fmt.Errorf("%w than %d", ErrRows, n)
		}
		row = make([]any, len(columns))
		to := make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// connection is a connection with a database of its own.
type connection struct {
	*sql.Conn
	db *sql.DB
}

func (c *connection) Close() {
	c.Conn.Close()
	c.db.Close()
}

// limited opens a connection on which only reading is allowed.
func (l *Library) limited(ctx context.Context, limits Limits) (*connection, error) {
	most := limits.Memory
	if most <= 0 {
		most = DefaultMemory
	}
	reader := Library{path: l.path, real: l.real}
	if err := reader.openReader(ctx); err != nil {
		reader.Close()
		return nil, err
	}
	reader.db.SetMaxOpenConns(1)
	c, err := reader.db.Conn(ctx)
	if err != nil {
		reader.db.Close()
		return nil, err
	}
	out := &connection{c, reader.db}
	// What a statement sorts stays in memory, which is limited; files of it would not be.
	if _, err := c.ExecContext(ctx, "PRAGMA temp_store = MEMORY"); err != nil {
		out.Close()
		return nil, err
	}
	if err := restrict(c, most); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// restrict limits what statements may do on a connection, and the memory that SQLite may use.
func restrict(c *sql.Conn, memory int64) error {
	if uncounted != nil {
		return uncounted
	}
	limitMemory(memory)
	for id, most := range map[int]int{
		sqlite3.SQLITE_LIMIT_LENGTH: maxLength, sqlite3.SQLITE_LIMIT_SQL_LENGTH: maxLength, sqlite3.SQLITE_LIMIT_ATTACHED: 0,
		sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: maxPattern,
	} {
		if _, err := sqlite.Limit(c, id, most); err != nil {
			return err
		}
	}
	return c.Raw(func(driver any) error {
		a, ok := driver.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("the driver of SQLite cannot restrict statements")
		}
		return a.RegisterAuthorizer(onlyReading)
	})
}

// onlyReading allows what a SELECT needs.
func onlyReading(action sqlite.AuthorizerActionCode, _, name, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		if name := strings.ToLower(name); name != "load_extension" && name != "fts3_tokenizer" {
			return sqlite.AuthorizerOK
		}
	}
	return sqlite.AuthorizerDeny
}

// unselected says why a statement was ended.
func (l *Library) unselected(ctx context.Context, err error, limits Limits) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	switch {
	case errors.Is(err, ErrRows):
		return err
	case errors.Is(context.Cause(ctx), ErrTime):
		return fmt.Errorf("%w after %v", ErrTime, limits.Time)
	case ctx.Err() != nil:
		return ctx.Err()
	case !ok:
		return fmt.Errorf("SQL: %w", err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOMEM:
		return ErrMemory
	case sqlite3.SQLITE_AUTH:
		return errors.New("the statement does more than read: it begins with SELECT or WITH, and uses tables and functions alone")
	case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
		text := strings.TrimSuffix(err.Error(), fmt.Sprintf(" (%d)", e.Code()))
		return fmt.Errorf("SQL: %s", strings.TrimPrefix(text, "SQL logic error: "))
	}
	return l.explain(err)
}

// checkStatement refuses what is no single statement that reads.
func checkStatement(text string) error {
	rest := strings.ToUpper(withoutComments(text))
	begin := strings.TrimSpace(rest)
	letters := len(begin) - len(strings.TrimLeft(begin, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	switch word := begin[:letters]; {
	case strings.Trim(begin, "; \t\r\n") == "":
		return errors.New("there is no statement")
	case word == "":
		return errors.New("a statement begins with SELECT, WITH, VALUES or EXPLAIN")
	case !slices.Contains([]string{"SELECT", "WITH", "VALUES", "EXPLAIN"}, word):
		return fmt.Errorf("%s is not allowed: a statement begins with SELECT, WITH, VALUES or EXPLAIN", word)
	}
	if i := strings.IndexByte(rest, ';'); i >= 0 && strings.Trim(rest[i:], "; \t\r\n") != "" {
		return errors.New("there is more than one statement")
	}
	return nil
}

// withoutComments returns a statement with blanks in place of its comments, and without what stands
// in quotation marks.
func withoutComments(text string) string {
	var b strings.Builder
	for text != "" {
		end := 1
		switch closing := map[byte]string{'\'': "'", '"': "\"", '`': "`", '[': "]"}[text[0]]; {
		case closing != "":
			if i := strings.Index(text[1:], closing); i >= 0 {
				end = i + 2
			} else {
				end = len(text)
			}
			b.WriteByte('"')
		case strings.HasPrefix(text, "--"):
			if end = strings.IndexByte(text, '\n'); end < 0 {
				end = len(text)
			}
			b.WriteByte(' ')
		case strings.HasPrefix(text, "/*"):
			if end = strings.Index(text[2:], "*/"); end < 0 {
				end = len(text)
			} else {
				end += 4
			}
			b.WriteByte(' ')
		default:
			b.WriteByte(text[0])
		}
		text = text[end:]
	}
	return b.String()
}
