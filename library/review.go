package library

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/review"
)

// Reviewing says with what games are reviewed. A game is reviewed once with each; the latest review
// of a game, the one that was added or asked for last, is that which filters and findings mean.
type Reviewing struct {
	WinIn     int    // the longest wins looked for, in turns
	Nodes     uint64 // for each turn
	Effort    uint64 // nodes for each search of an evaluation; 0: no evaluations
	Defence   uint64 // nodes for each turn that gives a win in two or more
	Algorithm string
	Endgames  string // which endgame tables there were
}

// Reviews reads and writes the reviews of one [Reviewing].
type Reviews struct {
	l    *Library
	with Reviewing
}

// Reviews begins to review games, which must be closed. A library that is open for reading alone
// gives the reviews that it has. The error wraps [ErrInUse] if something else writes to the library.
func (l *Library) Reviews(with Reviewing) (*Reviews, error) {
	r := &Reviews{l, with}
	if l.write == nil {
		return r, nil
	}
	return r, l.begin(turn)
}

// Close ends the reviewing. The error is that of the file.
func (r *Reviews) Close() error {
	if r.l.write == nil {
		return nil
	}
	return r.l.end(nil)
}

// which is the condition that a row of the table reviewing is the one asked for.
const which = "version = ? AND win_in = ? AND nodes = ? AND effort = ? AND defence_nodes = ? AND algorithm = ? AND endgames = ?"

// ofGame finds the review of a game with a row of the table reviewing.
const ofGame = " FROM review WHERE game = ? AND reviewing = (SELECT id FROM reviewing WHERE " + which + ")"

// values are those of [which].
func (w *Reviewing) values() []any {
	return []any{review.Version, w.WinIn, int64(w.Nodes), int64(w.Effort), int64(w.Defence), w.Algorithm, w.Endgames}
}

// Review returns the review of a game, nil if it has none, and whether it is the latest one. The
// error is that of the context, or of the file.
func (r *Reviews) Review(ctx context.Context, g *Game) (v *review.Review, latest bool, err error) {
	return r.kept(ctx, r.l.db, g)
}

// kept asks a connection for the review of a game.
func (r *Reviews) kept(ctx context.Context, c interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, g *Game) (v *review.Review, latest bool, err error) {
	var data []byte
	var ms int64
	there, err := found(c.QueryRowContext(ctx, "SELECT answers, ms, latest"+ofGame, append([]any{g.ID}, r.with.values()...)...).Scan(&data, &ms, &latest))
	if !there || err != nil {
		return nil, false, r.l.explain(err)
	}
	v, err = g.decode(data, ms)
	return v, latest, err
}

// decode reads a review of the game.
func (g *Game) decode(data []byte, ms int64) (*review.Review, error) {
	record, err := g.Record()
	if err != nil {
		return nil, err
	}
	v, err := review.Decode(record, data)
	if err != nil {
		return nil, g.damaged(err)
	}
	v.Time = time.Duration(ms) * time.Millisecond
	return v, nil
}

// Record returns the game as package review takes it. The error is that of a damaged file.
func (g *Game) Record() (r review.Record, err error) {
	w, err := g.Written()
	if err == nil {
		r = review.FromTags(g.Called(), w.Game.Tags, w.Game.Main)
	}
	return r, err
}

// Add adds a review of a game, wholly or not at all, and makes it the latest one. If the game has
// one already, that one stays, and becomes the latest. It is there for good when no error is
// returned. The error is that of the context, while another process writes, that of the file, or that
// the review is not complete.
func (r *Reviews) Add(ctx context.Context, g *Game, v *review.Review) error {
	if r.l.write == nil {
		return fmt.Errorf("%s was opened for reading", r.l.path)
	}
	data, err := v.Encode()
	if err != nil {
		return err
	}
	return r.l.explain(r.l.transaction(ctx, func(w *writer) error { return r.add(w, g, v, data) }))
}

func (r *Reviews) add(w *writer, g *Game, v *review.Review, data []byte) error {
	there, _, err := r.kept(context.Background(), w.c, g)
	if err != nil {
		return err
	}
	if there != nil {
		v = there
	}
	values, row := append([]any{g.ID}, r.with.values()...), rowOf(&g.Header, v)
	if there == nil {
		w.exec("INSERT OR IGNORE INTO reviewing (version, win_in, nodes, effort, defence_nodes, algorithm, endgames) VALUES (?, ?, ?, ?, ?, ?, ?)", values[1:]...)
		w.exec("INSERT INTO review (game, reviewing, latest, open, nodes, ms, chances, answers) SELECT ?, id, 0, ?, ?, ?, ?, ? FROM reviewing WHERE "+which,
			append([]any{g.ID, row.open, row.nodes, v.Time.Milliseconds(), null(row.chances), data}, values[1:]...)...)
	}
	w.exec("UPDATE review SET latest = 0 WHERE game = ? AND latest", g.ID)
	w.exec("UPDATE review SET latest = 1 WHERE id = (SELECT id"+ofGame+")", values...)
	w.exec("DELETE FROM finding WHERE game = ?", g.ID)
	w.exec("DELETE FROM proof WHERE game = ?", g.ID)
	for _, f := range row.findings {
		w.exec("INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", g.ID, f.At, f.Kind, f.Side, null(f.Rating), f.Turns, f.Exact, f.Label, f.Played, f.Better)
	}
	for _, p := range row.proofs {
		w.exec("INSERT INTO proof VALUES (?, ?, ?, ?, ?)", g.ID, p.at, p.winner, p.turns, p.exact)
	}
	return w.err
}

// reviewRow is what the tables hold of a review besides the whole of it.
type reviewRow struct {
	open     int
	nodes    int64
	chances  string // JSON; "" without evaluations
	findings []Finding
	proofs   []proof
}

// proof is a row of the table.
type proof struct {
	at     int
	winner string
	turns  int
	exact  bool
}

// rowOf returns the rows of a review of a game.
func rowOf(h *Header, v *review.Review) (row reviewRow) {
	row.open, row.nodes = v.Summary().Undecided, int64(v.Nodes)
	if v.Evaluations != nil {
		all := make([]string, len(v.Evaluations))
		for i := range all {
			all[i] = strconv.FormatFloat(v.GoldChance(i), 'f', 4, 64)
		}
		row.chances = "[" + strings.Join(all, ",") + "]"
	}
	g := v.Record.Game
	for _, f := range v.Findings() {
		p := g.Position(f.At)
		one := Finding{Kind: string(f.Kind), At: f.At, Side: f.Side.String(), Rating: h.seats()[f.Side].rating, Turns: f.Turns, Exact: f.Exact, Label: g.Label(f.At)}
		if f.At < g.Len() {
			one.Played = p.Notation(g.Turn(f.At))
		}
		if f.Better.Len() > 0 {
			one.Better = p.Notation(f.Better)
		}
		row.findings = append(row.findings, one)
	}
	for i := range v.Standings {
		p := g.Position(i)
		switch s := &v.Standings[i]; {
		case s.Win.Proved():
			row.proofs = append(row.proofs, proof{i, p.Side().String(), s.Win.Within, s.Win.Least()})
		case s.Loss.Proved():
			row.proofs = append(row.proofs, proof{i, p.Side().Other().String(), s.Loss.Within, s.Loss.Least()})
		}
	}
	return row
}

// Finding is a finding of the latest review of a game.
type Finding struct {
	Game   *Game
	Kind   string // one of review.Kinds
	At     int    // turns before it
	Label  string // of the turn: 34g
	Side   string // whose finding it is: gold or silver
	Rating int    // of that side; 0: not known
	Turns  int    // of the win in question; 0: the game is over
	Exact  bool   // no fewer turns suffice; otherwise it takes at most so many
	Played string // the turn; "" at the end of the game
	Better string // a turn that wins, or holds; "" if none is known
}

// Player returns the name of the player whose finding it is, "" if it is not known.
func (f *Finding) Player() string {
	if f.Side == "gold" {
		return f.Game.Gold
	}
	return f.Game.Silver
}

// before returns the position before the turn. The error is that of a damaged file.
func (f *Finding) before() (*arimaa.Position, error) {
	p, err := f.Game.moves.position(f.Game.digest, f.At)
	return p, f.Game.damaged(err)
}

// Written returns the position before the turn as it can be written in any form, with the win that
// its side has there, if the finding is about one and its length is known. The error is that of a
// damaged file.
func (f *Finding) Written() (w notation.Written, err error) {
	position, err := f.before()
	if err != nil {
		return w, err
	}
	w = notation.Written{Game: notation.Line(arimaa.NewGame(*position, f.Game.moves.number+(int(f.Game.first())+f.At)/2)), Name: f.Game.Called() + " " + f.Label}
	if f.Exact && (f.Kind == string(review.FirstWin) || slices.Contains(missed, f.Kind)) {
		w.Claim, w.Solution = f.Turns, f.Better
	}
	return w, nil
}

// missed are the kinds of turns that did not keep the shortest win, as reviews count them.
var missed = []string{string(review.IsDelayed), string(review.IsMissed), string(review.IsThrown)}

// FindingNames returns the values of [Filter.Finding]: any, missed for turns that did not keep the
// shortest proved win, and the kinds.
func FindingNames() []string {
	all := []string{"any", "missed"}
	for _, k := range review.Kinds() {
		all = append(all, string(k))
	}
	return all
}

// kindsOf returns the kinds of findings that a name means, nil for any.
func kindsOf(name string) ([]string, error) {
	switch all := FindingNames(); {
	case name == "any":
		return nil, nil
	case name == "missed":
		return missed, nil
	case !slices.Contains(all, name):
		return nil, meaningless("finding %q: it is one of %s", name, strings.Join(all, ", "))
	}
	return []string{name}, nil
}

// found adds the conditions that a row f of the table finding is one that a filter asks for.
func (c *conditions) found(f *Filter) error {
	kinds, err := kindsOf(f.Finding)
	if err != nil {
		return err
	}
	if len(kinds) > 0 {
		values := make([]any, len(kinds))
		for i, k := range kinds {
			values[i] = k
		}
		c.add("f.kind IN (?"+strings.Repeat(", ?", len(kinds)-1)+")", values...)
	}
	return c.between("f.turns", f.WinIn)
}

// finding adds the condition that there is a finding of a side, or of any with "". With the table
// of findings in the question, it is about its row f.
func (c *conditions) finding(f *Filter, side string) error {
	about := &conditions{}
	if side == "" || !f.perFinding {
		if err := about.found(f); err != nil {
			return err
		}
	}
	if side != "" {
		about.add("f.side = ?", side)
	}
	all := about.all()
	if !f.perFinding {
		all = "g.id IN (SELECT f.game FROM finding f WHERE " + all + ")"
	}
	c.add(all, about.values...)
	return nil
}

// Findings yields the findings of the latest reviews of the games that a filter selects: those that
// the filter asks for, or all of the players whom it names. They come in the order of the games,
// and in each game in that of its turns. Errors are those of [Library.Games].
func (l *Library) Findings(ctx context.Context, filter *Filter, order Sort) iter.Seq2[*Finding, error] {
	f := *filter
	f.perFinding = true
	if f.Finding == "" {
		f.Finding = "any"
	}
	return yielded(ctx, l, func(v *view, yield func(*Finding) bool) error { return v.findings(ctx, &f, order, yield) })
}

func (v *view) findings(ctx context.Context, filter *Filter, order Sort, yield func(*Finding) bool) error {
	q, err := v.question(ctx, filter)
	if err != nil {
		return err
	}
	by, err := order.clause(q)
	if err != nil {
		return err
	}
	const columns = ", f.kind, f.at, f.label, f.side, COALESCE(f.rating, 0), f.turns, f.exact, f.played, f.better"
	var game *Game
	var last int // of the rows of the index, with one of which all findings are there
	return v.rows(ctx, "SELECT "+q.columns()+columns+q.tables()+gameTables+q.where()+by+", f.at, f.kind", q.parameters(),
		func(rows *sql.Rows) (bool, error) {
			g, f := &Game{library: v.Library}, &Finding{}
			if err := g.scan(rows, &f.Kind, &f.At, &f.Label, &f.Side, &f.Rating, &f.Turns, &f.Exact, &f.Played, &f.Better); err != nil {
				return false, err
			}
			if game == nil || game.ID != g.ID {
				if last = g.At; q.replay {
					if err := v.find(g, &q.board); err != nil {
						return false, err
					}
				}
				game = g
			} else if g.At != last {
				return true, nil
			}
			if q.replay && game.At < 0 {
				return true, nil
			}
			f.Game = game
			return yield(f), nil
		})
}

// Latest is the latest review of a game.
type Latest struct {
	Reviewing
	Open     int        // positions with an open question
	Findings []*Finding // in the order of the turns
}

// Latest returns the latest review of a game, nil if it has none. The error is that of the context,
// or of the file.
func (l *Library) Latest(ctx context.Context, g *Game) (latest *Latest, err error) {
	err = l.view(ctx, func(v *view) error {
		r := &Latest{}
		there, err := v.query(ctx, `SELECT o.win_in, o.nodes, o.effort, o.defence_nodes, o.algorithm, o.endgames, r.open
			FROM review r JOIN reviewing o ON o.id = r.reviewing WHERE r.game = ? AND r.latest`, []any{g.ID},
			&r.WinIn, &r.Nodes, &r.Effort, &r.Defence, &r.Algorithm, &r.Endgames, &r.Open)
		if !there || err != nil {
			return err
		}
		latest = r
		return v.findings(ctx, &Filter{ID: g.ID, Finding: "any", perFinding: true}, Sort{}, func(f *Finding) bool {
			r.Findings = append(r.Findings, f)
			return true
		})
	})
	return latest, l.explain(err)
}
