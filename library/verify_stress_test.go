//go:build stress

package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"goalproof/internal/testkit/require"
)

// unseen are columns of which nothing else in the file says what they must be; those of about are
// compared when a file is opened.
var unseen = []string{"about.name", "about.value", "source.name", "game.source", "game.line", "puzzle.id", "puzzle.line", "collision.key",
	"reviewing.version", "reviewing.win_in", "reviewing.nodes", "reviewing.effort", "reviewing.defence_nodes", "reviewing.algorithm", "reviewing.endgames",
	"review.id", "review.ms", "mining.version", "mining.nodes", "mined.game", "mined.open"}

// TestVerifyNotices changes a value of one row, in each column of each table, and takes a row away:
// Verify notices each.
func TestVerifyNotices(t *testing.T) {
	text := "[Gold \"ann\"]\n[GoldRating \"1500\"]\n[SilverRating \"1400\"]\n[Silver \"bob\"]\n[Date \"2020-01-01\"]\n[Event \"e\"]\n[TimeControl \"1/1\"]\n[Annotator \"x\"]\n\n" +
		short + "3s resigns\n"
	l := importText(t, 1, text+"\n"+text)
	addText(t, l, 1, "puzzles", "position\tclaim\tsolution\tauthor\ng [r       Rr     r   E dr                    e  r        RR  RR  R]\t2\tEe5n\tme\n")
	addReview(t, l)
	addText(t, l, 1, "mined", archive(gamesToMine(t, 2)))
	_, _, err := mineInto(t.Context(), l, Filter{Source: "mined"}, minedNodes, 1, unread)
	require.NoError(t, err)
	ctx := context.Background()
	require.NoError(t, l.Verify(ctx, func(int) {}))
	exec := func(text string) {
		t.Helper()
		if _, err := l.write.ExecContext(ctx, text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	rows, err := l.db.Query("SELECT m.name, c.name, c.pk FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'")
	require.NoError(t, err)
	var changes []string
	for rows.Next() {
		var table, column string
		var key int
		require.NoError(t, rows.Scan(&table, &column, &key))
		if slices.Contains(unseen, table+"."+column) {
			continue
		}
		changes = append(changes, fmt.Sprintf(`UPDATE %[1]s SET %[2]s = CASE typeof(%[2]s) WHEN 'integer' THEN %[2]s + 1 WHEN 'null' THEN 1 WHEN 'text' THEN %[2]s || 'x'
			ELSE CAST(%[2]s || 'x' AS BLOB) END WHERE (%[2]s) IN (SELECT max(%[2]s) FROM %[1]s) OR (SELECT max(%[2]s) FROM %[1]s) IS NULL`, table, column))
		if key == 1 {
			changes = append(changes, fmt.Sprintf("DELETE FROM %s WHERE %[2]s = (SELECT max(%[2]s) FROM %[1]s)", table, column))
		}
	}
	require.NoError(t, rows.Err())
	for _, change := range changes {
		path := t.TempDir() + "/copy"
		exec("VACUUM INTO '" + path + "'")
		c, err := Create(ctx, path)
		require.NoError(t, err)
		if _, err := c.write.ExecContext(ctx, "PRAGMA foreign_keys = OFF; "+change); err != nil {
			t.Logf("%.60s: %v", change, err)
		} else if err := c.Verify(ctx, func(int) {}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%.60s: %v", change, err)
		}
		require.NoError(t, c.Close())
	}
}
