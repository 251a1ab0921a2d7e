package library

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/review"
)

// Verify checks the whole file: SQLite's own check of its pages and indices; every game replayed by
// the rules, with its header, positions and material compared to what the tables hold; every
// puzzle, and if it was mined, its game; every review of this version ([review.Version]) against the
// rows about it. What was proved is not proved again. From which file and line a game came, whether one has been taken away wholly,
// with which limits a review was made and how long it took, nothing else says. It calls each with
// the number of games checked. The error wraps [ErrDamaged] and says what is wrong, or is that of
// the context.
func (l *Library) Verify(ctx context.Context, each func(games int)) error {
	return l.explain(l.view(ctx, func(v *view) error { return v.verify(ctx, each) }))
}

func (v *view) verify(ctx context.Context, each func(games int)) error {
	if err := v.intact(ctx); err != nil {
		return err
	}
	n, positions, stretches := 0, 0, 0
	var wrong error
	err := v.games(ctx, &Filter{}, Sort{}, func(g *Game) bool {
		e, err := g.again()
		if err == nil {
			err = v.sameRows(ctx, g, e)
		}
		if err != nil {
			wrong = v.wrong(ctx, fmt.Errorf("game %d: %w", g.ID, err))
			return false
		}
		n++
		positions += len(e.keys)
		stretches += len(e.stretches)
		each(n)
		return true
	})
	if err := cmp.Or(wrong, err); err != nil {
		return err
	}
	for table, want := range map[string]int{"game": n, "record": n, "position": positions, "stretch": stretches} {
		var got int
		if _, err := v.query(ctx, "SELECT count(*) FROM "+table, nil, &got); err != nil {
			return err
		}
		if got != want {
			return v.damaged(fmt.Errorf("the table %s has %d rows, and %d belong there", table, got, want))
		}
	}
	if err := cmp.Or(v.verifyPlayers(ctx), v.verifyMaterials(ctx), v.verifyTwins(ctx), v.verifyReviews(ctx)); err != nil {
		return err
	}
	err = v.puzzles(ctx, &PuzzleFilter{All: true}, Sort{}, func(p *Puzzle) bool {
		if wrong = v.samePuzzle(ctx, p); wrong == nil && p.Origin != nil {
			wrong = v.sameOrigin(ctx, p)
		}
		return wrong == nil
	})
	return cmp.Or(wrong, err, v.verifyThemes(ctx))
}

// verifyPlayers checks the names by which players are found.
func (v *view) verifyPlayers(ctx context.Context) error {
	return v.rows(ctx, "SELECT name, folded FROM player", nil, func(rows *sql.Rows) (bool, error) {
		var name, lower string
		if err := rows.Scan(&name, &lower); err != nil {
			return false, v.wrong(ctx, err)
		}
		if lower != folded(name) {
			return false, v.damaged(fmt.Errorf("the player %q is not found by %q", name, lower))
		}
		return true, nil
	})
}

// verifyMaterials checks what the table material says of its ids.
func (v *view) verifyMaterials(ctx context.Context) error {
	return v.rows(ctx, "SELECT id, gold, silver, pieces, COALESCE(class, '') FROM material", nil, func(rows *sql.Rows) (bool, error) {
		var id int64
		var gold, silver, class string
		var pieces int
		if err := rows.Scan(&id, &gold, &silver, &pieces, &class); err != nil {
			return false, v.wrong(ctx, err)
		}
		m := material(id)
		if gold != m.pieces(arimaa.Gold) || silver != m.pieces(arimaa.Silver) || pieces != len(gold)+len(silver) || class != m.class() {
			return false, v.damaged(fmt.Errorf("the material %d is not %s against %s", id, gold, silver))
		}
		return true, nil
	})
}

// verifyTwins checks which games are said to have the turns of another one.
func (v *view) verifyTwins(ctx context.Context) error {
	var id int64
	there, err := v.query(ctx, `SELECT g.id FROM game g JOIN record m ON m.game = g.id WHERE g.twin IS NOT (SELECT min(o.id) FROM game o
		JOIN record r ON r.game = o.id WHERE o.digest = g.digest AND o.id < g.id AND r.start = m.start AND r.turns = m.turns)`, nil, &id)
	if there {
		return v.damaged(fmt.Errorf("game %d: it is not said rightly whether another game has its turns", id))
	}
	return err
}

// verifyReviews checks that what the tables say of reviews is what these say.
func (v *view) verifyReviews(ctx context.Context) error {
	var id int64
	there, err := v.query(ctx, `SELECT game FROM review GROUP BY game HAVING sum(latest) <> 1
		UNION ALL SELECT game FROM (SELECT game FROM finding UNION SELECT game FROM proof) WHERE game NOT IN (SELECT game FROM review)`, nil, &id)
	if err != nil {
		return err
	}
	if there {
		return v.damaged(fmt.Errorf("game %d: it is not said rightly which review is the latest", id))
	}
	return v.rows(ctx, `SELECT r.game, r.latest, r.open, r.nodes, r.ms, COALESCE(r.chances, ''), r.answers, o.version FROM review r
		JOIN reviewing o ON o.id = r.reviewing ORDER BY r.id`, nil, func(rows *sql.Rows) (bool, error) {
		var game, ms int64
		var latest bool
		var version int
		var has reviewRow
		var data []byte
		if err := rows.Scan(&game, &latest, &has.open, &has.nodes, &ms, &has.chances, &data, &version); err != nil {
			return false, v.wrong(ctx, err)
		}
		if version != review.Version {
			return true, nil // other findings may have been made of it
		}
		if err := v.sameReview(ctx, game, ms, latest, &has, data); err != nil {
			return false, v.wrong(ctx, fmt.Errorf("a review of game %d: %w", game, err))
		}
		return true, nil
	})
}

// sameReview compares what the tables say of a review with what it says.
func (v *view) sameReview(ctx context.Context, game, ms int64, latest bool, has *reviewRow, data []byte) error {
	var want reviewRow
	decoding := errors.New("there is no such game")
	err := v.games(ctx, &Filter{ID: game}, Sort{}, func(g *Game) bool {
		var r *review.Review
		if r, decoding = g.decode(data, ms); decoding == nil {
			want = rowOf(&g.Header, r)
		}
		return false
	})
	if err := cmp.Or(err, decoding); err != nil {
		return err
	}
	if !latest {
		want.findings, want.proofs = nil, nil
	} else if err := v.found(ctx, game, has); err != nil {
		return err
	}
	slices.SortFunc(want.findings, func(a, b Finding) int { return cmp.Or(a.At-b.At, cmp.Compare(a.Kind, b.Kind)) })
	if want.open != has.open || want.nodes != has.nodes || want.chances != has.chances || !slices.Equal(want.findings, has.findings) || !slices.Equal(want.proofs, has.proofs) {
		return errors.New("the tables do not say what it says")
	}
	return nil
}

// found adds what the tables say that the latest review of a game found out.
func (v *view) found(ctx context.Context, game int64, row *reviewRow) error {
	err := v.rows(ctx, "SELECT kind, at, side, COALESCE(rating, 0), turns, exact, label, played, better FROM finding WHERE game = ? ORDER BY at, kind", []any{game}, func(rows *sql.Rows) (bool, error) {
		var f Finding
		err := rows.Scan(&f.Kind, &f.At, &f.Side, &f.Rating, &f.Turns, &f.Exact, &f.Label, &f.Played, &f.Better)
		row.findings = append(row.findings, f)
		return true, err
	})
	if err != nil {
		return err
	}
	return v.rows(ctx, "SELECT at, winner, turns, exact FROM proof WHERE game = ? ORDER BY at", []any{game}, func(rows *sql.Rows) (bool, error) {
		var p proof
		err := rows.Scan(&p.at, &p.winner, &p.turns, &p.exact)
		row.proofs = append(row.proofs, p)
		return true, err
	})
}

// samePuzzle compares the row of a puzzle with that which it should have.
func (v *view) samePuzzle(ctx context.Context, p *Puzzle) error {
	var identity []byte
	var key int64
	var equal int
	_, err := v.query(ctx, "SELECT identity, key, (SELECT count(*) FROM puzzle o WHERE o.key = p.key) FROM puzzle p WHERE id = ?",
		[]any{p.ID}, &identity, &key, &equal)
	if err != nil {
		return err
	}
	for n := 0; n < equal && key == half(p.Position.Key()); n++ {
		if bytes.Equal(identity, p.identity(n)) {
			return nil
		}
	}
	return v.damaged(fmt.Errorf("puzzle %d: it is not the puzzle that was added", p.ID))
}

// sameOrigin holds a mined puzzle against its game and the first puzzle of its idea.
func (v *view) sameOrigin(ctx context.Context, p *Puzzle) error {
	o, wrong := p.Origin, func(format string, values ...any) error {
		return v.damaged(fmt.Errorf("puzzle %d: %w", p.ID, fmt.Errorf(format, values...)))
	}
	var m moves
	var digest int64
	var source string
	var line int
	var mined bool
	there, err := v.query(ctx, `SELECT g.digest, s.name, g.line, r.start, r.number, r.turns,
		EXISTS (SELECT 1 FROM mined d JOIN mining i ON i.id = d.mining WHERE d.game = g.id AND i.win_in = ?)
		FROM game g JOIN source s ON s.id = g.source JOIN record r ON r.game = g.id WHERE g.id = ?`, []any{p.Claim, o.Game},
		&digest, &source, &line, &m.start, &m.number, &m.turns, &mined)
	if err != nil {
		return err
	}
	if !there || !mined {
		return wrong("game %d was not mined", o.Game)
	}
	at, err := m.position(digest, o.At)
	if err != nil {
		return wrong("game %d: %w", o.Game, err)
	}
	first, _ := arimaa.UnpackPosition(m.start)
	label := arimaa.LabelAfter(m.number, first.Side(), o.At)
	state := arimaa.NewState(p.Position)
	turn, err := notation.PlaySteps(&state, p.Solution)
	switch _, legal := p.Position.Try(turn); {
	case *at != p.Position || p.Label() != label:
		return wrong("it is not the position of game %d before %s", o.Game, label)
	case source != p.Source || line != p.Line:
		return wrong("it is not from the file of game %d", o.Game)
	case err != nil || !legal:
		return wrong("%q is no legal turn", p.Solution)
	case o.Idea == 0:
		return nil
	}
	there, err = v.query(ctx, "SELECT 1 FROM origin o JOIN puzzle p ON p.id = o.puzzle WHERE p.id = ? AND p.id < ? AND o.idea IS NULL AND p.claim = ?",
		[]any{o.Idea, p.ID, p.Claim}, new(int))
	if err == nil && !there {
		err = wrong("puzzle %d is not the first that shows an idea", o.Idea)
	}
	return err
}

// verifyThemes checks that only mined puzzles have themes.
func (v *view) verifyThemes(ctx context.Context) error {
	var id int64
	there, err := v.query(ctx, "SELECT puzzle FROM theme WHERE puzzle NOT IN (SELECT puzzle FROM origin)", nil, &id)
	if there {
		return v.damaged(fmt.Errorf("puzzle %d: it has themes, and was not mined", id))
	}
	return err
}

// wrong says that the file is damaged, unless the context is done.
func (l *Library) wrong(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.damaged(err)
}

// intact asks SQLite to check the file.
func (v *view) intact(ctx context.Context) error {
	err := v.rows(ctx, "PRAGMA integrity_check(1)", nil, func(rows *sql.Rows) (bool, error) {
		var text string
		if err := rows.Scan(&text); err != nil || text == "ok" {
			return true, err
		}
		return false, v.damaged(errors.New(strings.Join(strings.Fields(text), " ")))
	})
	if err != nil {
		return err
	}
	return v.rows(ctx, "PRAGMA foreign_key_check", nil, func(rows *sql.Rows) (bool, error) {
		var table, parent string
		var row sql.NullInt64
		var key int
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return false, err
		}
		return false, v.damaged(fmt.Errorf("row %d of the table %s names a row of %s that is not there", row.Int64, table, parent))
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
func (v *view) sameRows(ctx context.Context, g *Game, want *entry) error {
	switch {
	case g.Header != want.Header:
		return errors.New("its header is not that of its record")
	case g.digest != want.digest || !bytes.Equal(g.moves.turns, want.turns):
		return errors.New("its turns have changed")
	}
	var identity []byte
	var equal int
	err := v.c.QueryRowContext(ctx, "SELECT identity, (SELECT count(*) FROM game o WHERE o.digest = g.digest) FROM game g WHERE id = ?", g.ID).
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
	err = v.c.QueryRowContext(ctx, `SELECT count(*) FROM json_each(?) j CROSS JOIN position p ON p.key = j.value AND p.game = ? AND p.at = j.key`,
		string(keys), g.ID).Scan(&found)
	if err != nil {
		return err
	}
	if found != len(want.keys) {
		return fmt.Errorf("the index has %d of its %d positions", found, len(want.keys))
	}
	for _, s := range want.stretches {
		var last int
		err := v.c.QueryRowContext(ctx, "SELECT last FROM stretch WHERE material = ? AND game = ? AND first = ?", int64(s.material), g.ID, s.first).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) || err == nil && last != s.last {
			return fmt.Errorf("the material after %d turns is not in the index", s.first)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
