package library

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"goalproof/review"
)

// Verify checks the whole file: SQLite's own check of its pages and indices; every game replayed by the
// rules, with its header, positions and material compared to what the tables hold; every puzzle. It
// calls each with the number of games checked. The error wraps [ErrDamaged] and says what is wrong, or
// is that of the context.
func (l *Library) Verify(ctx context.Context, each func(games int)) error {
	if err := l.intact(ctx); err != nil {
		return l.explain(err)
	}
	n, positions, stretches := 0, 0, 0
	for g, err := range l.Games(ctx, &Filter{}, Sort{}) {
		if err != nil {
			return err
		}
		e, err := g.again()
		if err == nil {
			err = l.sameRows(ctx, g, e)
		}
		if err != nil {
			return l.wrong(ctx, fmt.Errorf("game %d: %w", g.ID, err))
		}
		n++
		positions += len(e.keys)
		stretches += len(e.stretches)
		each(n)
	}
	for table, want := range map[string]int{"game": n, "record": n, "position": positions, "stretch": stretches} {
		var got int
		if err := l.db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&got); err != nil {
			return l.explain(err)
		}
		if got != want {
			return l.damaged(fmt.Errorf("the table %s has %d rows, and %d belong there", table, got, want))
		}
	}
	for _, err := range l.Puzzles(ctx, &PuzzleFilter{}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// wrong says that the file is damaged, unless the context is done.
func (l *Library) wrong(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.damaged(err)
}

// intact asks SQLite to check the file.
func (l *Library) intact(ctx context.Context) error {
	err := l.rows(ctx, "PRAGMA integrity_check(1)", nil, func(rows *sql.Rows) (bool, error) {
		var text string
		if err := rows.Scan(&text); err != nil || text == "ok" {
			return true, err
		}
		return false, l.damaged(errors.New(strings.Join(strings.Fields(text), " ")))
	})
	if err != nil {
		return err
	}
	return l.rows(ctx, "PRAGMA foreign_key_check", nil, func(rows *sql.Rows) (bool, error) {
		var table, parent string
		var row sql.NullInt64
		var key int
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return false, err
		}
		return false, l.damaged(fmt.Errorf("row %d of the table %s names a row of %s that is not there", row.Int64, table, parent))
	})
}

// again makes the rows of a game once more, from its record.
func (g *Game) again() (*entry, error) {
	w, err := g.moves.written(&g.Header)
	if err != nil {
		return nil, err
	}
	r := review.FromTags(g.Name, w.Game.Tags, w.Game.Main)
	return newEntry(g.Name, &r, w.Game.Tags, g.moves.annotated)
}

// sameRows compares the rows of a game with those that it should have.
func (l *Library) sameRows(ctx context.Context, g *Game, want *entry) error {
	switch {
	case g.Header != want.Header:
		return errors.New("its header is not that of its record")
	case g.digest != want.digest || !bytes.Equal(g.moves.turns, want.turns):
		return errors.New("its turns have changed")
	}
	var identity []byte
	var equal int
	err := l.db.QueryRowContext(ctx, "SELECT identity, (SELECT count(*) FROM game o WHERE o.digest = g.digest) FROM game g WHERE id = ?", g.ID).
		Scan(&identity, &equal)
	if err != nil {
		return err
	}
	same := false
	for n := 0; n < equal && !same; n++ {
		same = bytes.Equal(identity, want.identity(n))
	}
	if !same {
		return errors.New("it is not the game that was imported")
	}
	halves := make([]int64, len(want.keys))
	for i, k := range want.keys {
		halves[i] = half(k)
	}
	keys, err := json.Marshal(halves)
	if err != nil {
		return err
	}
	var found int
	err = l.db.QueryRowContext(ctx, `SELECT count(*) FROM json_each(?) j CROSS JOIN position p ON p.key = j.value AND p.game = ? AND p.at = j.key`,
		string(keys), g.ID).Scan(&found)
	if err != nil {
		return err
	}
	if found != len(want.keys) {
		return fmt.Errorf("the index has %d of its %d positions", found, len(want.keys))
	}
	for _, s := range want.stretches {
		var last int
		err := l.db.QueryRowContext(ctx, "SELECT last FROM stretch WHERE material = ? AND game = ? AND first = ?", int64(s.material), g.ID, s.first).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) || err == nil && last != s.last {
			return fmt.Errorf("the material after %d turns is not in the index", s.first)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
