package library

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// Game is a game of a library.
type Game struct {
	Header
	ID     int64
	Source string
	Line   int   // of the source, from 1
	Twin   int64 // the first game with the same turns; 0: there is none before it
	// At is the first position of which the filter holds, by the number of turns before it; -1 if the
	// filter asks nothing of a board.
	At int

	meant   [2]bool // whether the filter means Gold, and Silver
	library *Library
	moves   moves
	digest  int64
}

// Orders returns the values of [Sort.By].
func Orders() []string {
	return []string{"id", "date", "rating", "turns", "event", "gold", "silver"}
}

// orders are expressions in SQL. The rating is the mean of both.
var orders = map[string]string{
	"id": "g.id", "date": "g.date", "rating": "g.gold_rating + g.silver_rating", "turns": "g.turns", "event": "g.event COLLATE NOCASE",
	"gold": "gp.name COLLATE NOCASE", "silver": "sp.name COLLATE NOCASE",
}

// Sort is an order of games; the zero Sort is that in which they were imported. What is not known
// comes last.
type Sort struct {
	By      string // one of [Orders]
	Falling bool
}

// clause returns the order as a clause. The first of several rows of one game is that with the
// fewest turns.
func (s Sort) clause(q *question) (string, error) {
	direction, id, at := "", "g.id", ""
	if s.Falling {
		direction = " DESC"
	}
	switch { // by a column of the first table, whose order may be that of its key: nothing is sorted then
	case q.index != "":
		id, at = "h.game", ", "+q.at
	case q.findings:
		id = "f.game"
	}
	by, ok := orders[s.By]
	switch {
	case s.By == "" || s.By == "id":
		return "\nORDER BY " + id + direction + at, nil
	case !ok:
		return "", meaningless("order %q: it is one of %s", s.By, strings.Join(Orders(), ", "))
	}
	return "\nORDER BY " + by + direction + " NULLS LAST, " + id + direction + at, nil
}

// The columns of a [Game], and where they come from.
const (
	gameColumns = `g.id, s.name, g.line, g.name, COALESCE(gp.name, ''), COALESCE(sp.name, ''), COALESCE(g.gold_rating, 0),
	COALESCE(g.silver_rating, 0), COALESCE(g.date, ''), COALESCE(g.event, ''), COALESCE(g.time_control, ''),
	COALESCE(g.result, ''), COALESCE(g.ending, ''), g.turns, COALESCE(gs.squares, ''), COALESCE(ss.squares, ''),
	COALESCE(g.twin, 0), g.digest, r.start, r.number, r.turns, r.ended, COALESCE(r.tags, ''), COALESCE(r.annotated, '')`
	gameTables = `
	CROSS JOIN record r ON r.game = g.id LEFT JOIN source s ON s.id = g.source
	LEFT JOIN player gp ON gp.id = g.gold LEFT JOIN player sp ON sp.id = g.silver
	LEFT JOIN setup gs ON gs.id = g.gold_setup LEFT JOIN setup ss ON ss.id = g.silver_setup`
)

// columns returns the columns that [Game.scan] reads.
func (q *question) columns() string {
	at := "-1"
	if q.index != "" {
		at = q.at
	}
	return gameColumns + ", " + q.meant[0].all() + " IS 1, " + q.meant[1].all() + " IS 1, " + at
}

// parameters returns the values of a statement with the columns and the conditions.
func (q *question) parameters() []any {
	return slices.Concat(q.meant[0].values, q.meant[1].values, q.values)
}

// scan reads a row with the columns of a game, At, and perhaps more.
func (g *Game) scan(rows *sql.Rows, more ...any) error {
	m := &g.moves
	err := rows.Scan(append([]any{&g.ID, &g.Source, &g.Line, &g.Name, &g.Gold, &g.Silver, &g.GoldRating, &g.SilverRating,
		&g.Date, &g.Event, &g.TimeControl, &g.Result, &g.Ending, &g.Turns, &g.GoldSetup, &g.SilverSetup,
		&g.Twin, &g.digest, &m.start, &m.number, &m.turns, &m.ended, &m.tags, &m.annotated, &g.meant[0], &g.meant[1], &g.At}, more...)...)
	if err == nil && g.At > len(m.turns)/4 {
		err = g.damaged(fmt.Errorf("it has no turn %d", g.At))
	}
	return err
}

// Games yields the games that a filter selects, as they are at the beginning, whatever is imported
// meanwhile. An error ends them: that of the context, of the filter ([*FilterError]), or of the
// file.
func (l *Library) Games(ctx context.Context, f *Filter, order Sort) iter.Seq2[*Game, error] {
	return yielded(ctx, l, func(v *view, yield func(*Game) bool) error { return v.games(ctx, f, order, yield) })
}

// games calls yield for every game until it returns false.
func (v *view) games(ctx context.Context, f *Filter, order Sort, yield func(*Game) bool) error {
	q, err := v.question(ctx, f)
	if err != nil {
		return err
	}
	by, err := order.clause(q)
	if err != nil {
		return err
	}
	last := int64(0)
	return v.rows(ctx, "SELECT "+q.columns()+q.tables()+gameTables+q.where()+by, q.parameters(), func(rows *sql.Rows) (bool, error) {
		g := &Game{library: v.Library}
		if err := g.scan(rows); err != nil || g.ID == last {
			return true, err
		}
		last = g.ID
		if q.replay {
			if err := v.find(g, &q.board); err != nil || g.At < 0 {
				return true, err
			}
		}
		return yield(g), nil
	})
}

// Game returns the game with a number. The error says that there is none, or is that of
// [Library.Games].
func (l *Library) Game(ctx context.Context, id int64) (*Game, error) {
	for g, err := range l.Games(ctx, &Filter{ID: id}, Sort{}) {
		return g, err
	}
	return nil, meaningless("there is no game %d", id)
}

// find replays a game up to the first board that the filter asks for.
func (l *Library) find(g *Game, b *boardFilter) error {
	g.At = -1
	err := g.moves.replay(g.digest, func(at int, p *arimaa.Position) bool {
		if b.matches(p) {
			g.At = at
		}
		return g.At < 0
	})
	return g.damaged(err)
}

// Count returns the number of games that a filter selects. Its errors are those of [Library.Games].
func (l *Library) Count(ctx context.Context, f *Filter) (n int, err error) {
	err = l.view(ctx, func(v *view) error {
		rows := *f
		rows.perFinding = f.Finding != ""
		q, err := v.question(ctx, &rows)
		if err != nil {
			return err
		}
		if q.replay {
			return v.games(ctx, f, Sort{}, func(*Game) bool {
				n++
				return true
			})
		}
		what, tables := "count(DISTINCT g.id)", q.tables()  // a game may have several rows
		switch game := strings.Contains(q.where(), "g."); { // something is asked of the game itself
		case q.index == "" && !q.findings:
			what = "count(*)"
		case game || q.index != "" && q.findings:
		case q.findings:
			what, tables = "count(DISTINCT f.game)", "\nFROM finding f"
		default:
			what, tables = "count(DISTINCT h.game)", "\nFROM "+q.index+" h"
		}
		_, err = v.query(ctx, "SELECT "+what+tables+q.where(), q.values, &n)
		return err
	})
	return n, l.explain(err)
}

// Written returns the game as it can be written in any form. The error is that of a damaged file.
func (g *Game) Written() (w notation.Written, err error) {
	if err = g.moves.unchanged(g.digest); err == nil {
		w, err = g.moves.written(&g.Header)
	}
	return w, g.damaged(err)
}

// Played returns the game, for its positions and turns. The error is that of a damaged file.
func (g *Game) Played() (p *arimaa.Game, err error) {
	if err = g.moves.unchanged(g.digest); err == nil {
		p, err = g.moves.game()
	}
	return p, g.damaged(err)
}

// Called returns the name of the game, or its number if it has none.
func (g *Game) Called() string { return cmp.Or(g.Name, strconv.FormatInt(g.ID, 10)) }

// damaged says that the file is damaged, because of an error of the game.
func (g *Game) damaged(err error) error {
	if err == nil {
		return nil
	}
	return g.library.damaged(fmt.Errorf("game %d: %w", g.ID, err))
}

// Label returns the label of the turn that comes after some turns, such as 12g.
func (g *Game) Label(at int) string { return arimaa.LabelAfter(g.moves.number, g.first(), at) }

// first returns the side to move at the beginning.
func (g *Game) first() arimaa.Side {
	if len(g.moves.start) > 0 && g.moves.start[0] == arimaa.Silver.Letter() {
		return arimaa.Silver
	}
	return arimaa.Gold
}

// Totals counts what a library holds.
type Totals struct {
	Games, Twins, Positions, Players, Setups, Puzzles, Sources int
	Reviewed, Findings                                         int    // games with a review, and findings of their latest ones
	Mined, Ideas                                               int    // puzzles that were mined, and the ideas that these show
	From, To                                                   string // the dates of the games; "" if none has one
}

// Totals counts what the library holds.
func (l *Library) Totals(ctx context.Context) (t Totals, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM game), (SELECT count(twin) FROM game), (SELECT COALESCE(sum(turns + 1), 0) FROM game),
		(SELECT count(*) FROM player), (SELECT count(*) FROM setup), (SELECT count(*) FROM puzzle), (SELECT count(*) FROM source),
		(SELECT count(*) FROM review WHERE latest), (SELECT count(*) FROM finding), (SELECT count(*) FROM origin), (SELECT count(*) FROM origin WHERE idea IS NULL),
		(SELECT COALESCE(min(date), '') FROM game), (SELECT COALESCE(max(date), '') FROM game)`).Scan(
		&t.Games, &t.Twins, &t.Positions, &t.Players, &t.Setups, &t.Puzzles, &t.Sources, &t.Reviewed, &t.Findings, &t.Mined, &t.Ideas, &t.From, &t.To)
	return t, l.explain(err)
}
