package library

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"goalproof/arimaa"
)

// found reports whether a row was found.
func found(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// view is a library as it is at one moment: all that is asked of it comes from one transaction.
type view struct {
	*Library
	c *sql.Conn
}

// view begins a transaction that reads, and ends it when use returns.
func (l *Library) view(ctx context.Context, use func(*view) error) error {
	c, err := l.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer c.ExecContext(context.Background(), "ROLLBACK") // there is nothing to commit
	return use(&view{l, c})
}

// yielded yields the values of a question, all from one transaction, and its error, if there is one.
func yielded[Value any](ctx context.Context, l *Library, ask func(v *view, yield func(*Value) bool) error) iter.Seq2[*Value, error] {
	return func(yield func(*Value, error) bool) {
		err := l.view(ctx, func(v *view) error {
			return ask(v, func(value *Value) bool { return yield(value, nil) })
		})
		if err != nil {
			yield(nil, l.explain(err))
		}
	}
}

// rows calls each for every row of a query, until it returns false.
func (v *view) rows(ctx context.Context, text string, values []any, each func(*sql.Rows) (more bool, err error)) error {
	rows, err := v.c.QueryContext(ctx, text, values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if more, err := each(rows); !more || err != nil {
			return err
		}
	}
	return rows.Err()
}

// asking asks for a row, and reports whether there is one.
type asking func(ctx context.Context, text string, values []any, to ...any) (bool, error)

// query asks for a row, and reports whether there is one.
func (v *view) query(ctx context.Context, text string, values []any, to ...any) (bool, error) {
	return found(v.c.QueryRowContext(ctx, text, values...).Scan(to...))
}

// representative returns the first position of the index under a half of a key; nil if there is
// none.
func (l *Library) representative(ctx context.Context, ask asking, h int64) (*arimaa.Position, error) {
	var game, sum int64
	var at int
	var m moves
	there, err := ask(ctx, `SELECT p.game, p.at, g.digest, r.start, r.turns FROM position p CROSS JOIN game g ON g.id = p.game
		CROSS JOIN record r ON r.game = p.game WHERE p.key = ? ORDER BY p.game, p.at LIMIT 1`, []any{h}, &game, &at, &sum, &m.start, &m.turns)
	if err != nil || !there {
		return nil, err
	}
	p, err := m.position(sum, at)
	if err != nil {
		return nil, l.damaged(fmt.Errorf("game %d: %w", game, err))
	}
	return p, nil
}

// lookUp returns the half of a position's key if the index has the position under it, perhaps among
// others: then each game that is found there must be replayed.
func (v *view) lookUp(ctx context.Context, p *arimaa.Position) (h int64, there, mixed bool, err error) {
	h = half(p.Key())
	first, err := v.representative(ctx, v.query, h)
	if err != nil || first == nil {
		return h, false, false, err
	}
	if mixed, err = v.query(ctx, "SELECT key FROM collision WHERE key = ?", []any{h}, new(int64)); mixed || err != nil {
		return h, true, mixed, err
	}
	return h, first.Board == p.Board && first.Side() == p.Side(), false, nil
}
