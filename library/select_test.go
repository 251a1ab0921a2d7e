package library

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// selected returns the number of rows that a statement gives, and its error.
func selected(t *testing.T, l *Library, statement string, limits Limits) (rows int, err error) {
	for _, err := range l.Select(t.Context(), statement, limits) {
		if err != nil {
			return max(rows-1, 0), err
		}
		rows++
	}
	return rows - 1, nil
}

// TestSelectAllowed runs statements that read, however they are written.
func TestSelectAllowed(t *testing.T) {
	l := importText(t, 1, "[Gold \"a;b\"]\n\n"+short)
	for statement, rows := range map[string]int{
		"SELECT 1":          1,
		"select\n1":         1,
		"  SELECT 1 ; ; ":   1,
		"SELECT(1)":         1,
		"SELECT*FROM games": 1,
		"VALUES(1),(2)":     2,
		"-- a comment; with a semicolon\nSELECT 1":       1,
		"/* a comment; */ SELECT 1 /* ; DELETE */":       1,
		"/*/ ; */ SELECT 1":                              1,
		"SELECT 1; -- the end":                           1,
		"SELECT 1 /* open":                               1,
		"SELECT 'it''s; -- /* text'":                     1,
		"SELECT ';'';' AS \"x;\"\"y\"":                   1,
		"SELECT 1 AS [x;y], 2 AS `x;y`":                  1,
		"SELECT * FROM games WHERE gold = 'a;b'":         1,
		"SELECT * FROM json_each('[1, 2, 3]')":           3,
		"WITH x(y) AS (VALUES (1), (2)) SELECT * FROM x": 2,
		"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 50) SELECT x FROM c":              50,
		"SELECT name FROM players UNION SELECT squares FROM setup":                                                  3,
		"SELECT gold, row_number() OVER (ORDER BY id), group_concat(name) FILTER (WHERE id > 0) OVER () FROM games": 1,
	} {
		if got, err := selected(t, l, statement, Limits{}); err != nil || got != rows {
			t.Errorf("%s: %d rows, want %d: %v", statement, got, rows, err)
		}
	}
	for _, statement := range []string{"EXPLAIN SELECT * FROM games", "EXPLAIN QUERY PLAN SELECT * FROM games", "explain\tselect 1"} {
		if got, err := selected(t, l, statement, Limits{}); err != nil || got == 0 {
			t.Errorf("%s: %d rows: %v", statement, got, err)
		}
	}
}

// TestSelectRefused refuses statements that do more than read, whatever stands before and in them,
// and leaves the file and its directory as they are.
func TestSelectRefused(t *testing.T) {
	l := importText(t, 1, short)
	path := l.path
	require.NoError(t, l.Close())
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	l = opened(t, path)
	const more, begins = "does more than read", "a statement begins with"
	for statement, want := range map[string]string{
		"":                                  "there is no statement",
		" ;; ":                              "there is no statement",
		"-- SELECT 1":                       "there is no statement",
		"/* SELECT 1":                       "there is no statement",
		"/*/ SELECT 1":                      "there is no statement",
		"SELECT 1; SELECT 2":                "more than one statement",
		"SELECT 1; DELETE FROM game":        "more than one statement",
		"SELECT 1 -- x\n; DELETE FROM game": "more than one statement",
		"SELECT 1 /* '; */ ; DELETE FROM game -- '": "more than one statement",
		"SELECT '/*' ; DELETE FROM game -- */":      "more than one statement",
		"SELECT 1 AS \"--\" ; DELETE FROM game":     "more than one statement",
		"SELECT 1 AS [']; DELETE FROM game -- ']":   "more than one statement",
		"; SELECT 1":                            begins,
		"'SELECT'":                              begins,
		"(SELECT 1)":                            begins,
		"DELETE FROM game":                      begins,
		"/*/ SELECT 1 /*/ DELETE FROM game":     begins,
		"ATTACH 'other' AS o":                   begins,
		"DETACH main":                           begins,
		"PRAGMA user_version = 7":               begins,
		"VACUUM INTO 'other'":                   begins,
		"CREATE TEMP TABLE x (y)":               begins,
		"BEGIN":                                 begins,
		"SAVEPOINT x":                           begins,
		"REINDEX":                               begins,
		"WITH x AS (SELECT 1) DELETE FROM game": more,
		"WITH x AS (SELECT 1) UPDATE game SET name = 'x'":                     more,
		"WITH x AS (SELECT 1) INSERT INTO source VALUES (9, 'x') RETURNING *": more,
		"WITH x AS (SELECT 1) REPLACE INTO source VALUES (1, 'x')":            more,
		"EXPLAIN DELETE FROM game":                                            more,
		"EXPLAIN ATTACH 'other' AS o":                                         more,
		"EXPLAIN PRAGMA user_version = 7":                                     more,
		"SELECT * FROM pragma_user_version":                                   more,
		"SELECT * FROM pragma_table_info('game')":                             more,
		"SELECT (SELECT name FROM pragma_database_list)":                      more,
		"SELECT load_extension('x')":                                          "not authorized",
		"SELECT Load_Extension('x', 'y')":                                     "not authorized",
		"SELECT writefile('other', 'x')":                                      "no such function",
		"SELECT readfile('other')":                                            "no such function",
		"SELECT 'a":                                                           "unrecognized token",
		"SELECT \"a; DELETE FROM game":                                        "unrecognized token",
		"SELECT `a":                                                           "unrecognized token",
		"SELECT [a":                                                           "unrecognized token",
		"SELECT \"no such column\"":                                           "no such column",
		"SELECT":                                                              "incomplete input",
		"WITH":                                                                "incomplete input",
		"EXPLAIN":                                                             "incomplete input",
		"SELECT ?":                                                            "missing argument",
		"SELECT :name":                                                        "missing named argument",
	} {
		if got, err := selected(t, l, statement, Limits{Time: 10 * time.Second}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d rows, %v, want %q", statement, got, err, want)
		}
	}
	require.NoError(t, l.Close())
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	if string(before) != string(after) {
		t.Error("the file has changed")
	}
	if _, err := os.Stat("other"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is another file: %v", err)
	}
}

// TestSelectLimits ends statements by each limit, and does what is in the limits after that.
func TestSelectLimits(t *testing.T) {
	l := importText(t, 1, short)
	const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
	for statement, c := range map[string]struct {
		limits Limits
		want   error
	}{
		endless + "SELECT x FROM c":                                    {Limits{Rows: 10}, ErrRows},
		endless + "SELECT count(*) FROM c":                             {Limits{Time: 100 * time.Millisecond}, ErrTime},
		endless + "SELECT x FROM c ORDER BY -x":                        {Limits{Memory: 4 << 20, Time: time.Minute}, ErrMemory},
		endless + "SELECT count(DISTINCT hex(randomblob(500))) FROM c": {Limits{Memory: 4 << 20, Time: time.Minute}, ErrMemory},
	} {
		if n, err := selected(t, l, statement, c.limits); !errors.Is(err, c.want) {
			t.Errorf("%s: %d rows, %v, want %v", statement, n, err, c.want)
		}
	}
	for _, statement := range []string{
		"SELECT zeroblob(2000000000)", "SELECT length(randomblob(1000000000))", "SELECT printf('%.*c', 1000000000, 'x')",
		"SELECT hex(zeroblob(500000000))", "SELECT replace(hex(zeroblob(1000000)), '0', '0123456789')",
		"SELECT group_concat(x, '') FROM (SELECT zeroblob(1000000) x FROM json_each('[1,2,3,4,5,6,7,8,9]'))",
	} {
		if n, err := selected(t, l, statement, Limits{}); err == nil || !strings.Contains(err.Error(), "too big") {
			t.Errorf("%s: %d rows, %v", statement, n, err)
		}
	}
	if n, err := selected(t, l, "SELECT length(zeroblob(4000000)), count(*) FROM games", Limits{}); n != 1 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}
