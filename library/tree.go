package library

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"

	"goalproof/arimaa"
)

// Score counts games and how they ended, with the mean rating of a side.
type Score struct {
	Games, Gold, Silver int // all, and those that each side won
	From, To            string
	Proofs              [2]Proofs // of the position there, that Gold wins, and Silver
	rated, ratings      int
}

// Proofs counts the games in whose latest review a win from a position is proved, with the history
// of the game.
type Proofs struct {
	Games int
	Turns int  // of the winner, the fewest; 0: the game is over there
	Exact bool // no fewer turns suffice; otherwise it takes at most so many
}

// add counts a game.
func (p *Proofs) add(turns int, exact bool) {
	switch {
	case p.Games == 0 || turns < p.Turns:
		p.Turns, p.Exact = turns, exact
	case turns == p.Turns:
		p.Exact = p.Exact || exact
	}
	p.Games++
}

// Rating returns the mean rating of the players, 0 if none has one.
func (s *Score) Rating() int {
	if s.rated == 0 {
		return 0
	}
	return (s.ratings + s.rated/2) / s.rated
}

// add counts a game.
func (s *Score) add(result, date string, rating int) {
	s.Games++
	switch result {
	case "gold":
		s.Gold++
	case "silver":
		s.Silver++
	}
	if rating > 0 {
		s.rated++
		s.ratings += rating
	}
	if date != "" && (s.From == "" || date < s.From) {
		s.From = date
	}
	s.To = max(s.To, date)
}

// Branch is a turn that was played, or a setup that was chosen. The rating is that of those who
// did.
type Branch struct {
	Score
	Turn  arimaa.Turn
	After arimaa.Position // with the opponent to move; it counts as one turn, however it was reached
	Setup string          // instead of both: see [Filter.Setup]
}

// Tree is what was played from a position, or in place of it what was set up.
type Tree struct {
	Score             // of all games with the position; the rating is that of the side to move
	Ended    int      // games that went no further
	Branches []Branch // the most frequent first
}

// Tree returns what was played from a position in the games that a filter selects. A game counts
// once, with the first such position that it had. Of what the filter asks of a board only Mirrored
// and Exchanged count: then turns and results are those of the images. Errors are those of
// [Library.Games].
func (l *Library) Tree(ctx context.Context, p *arimaa.Position, f *Filter) (*Tree, error) {
	t := grower{tree: &Tree{}, branches: map[arimaa.Board]int{}, position: p,
		images: boardFilter{position: p, mirrored: f.Mirrored, exchanged: f.Exchanged}}
	err := l.view(ctx, func(v *view) error {
		q, err := v.question(ctx, f.ofHeader())
		if err != nil {
			return err
		}
		q.board = t.images
		if err := v.askPosition(ctx, q); err != nil {
			return err
		}
		// One row for each proof of the position and of the next one of the game, or one without any.
		return v.rows(ctx, `SELECT h.game, h.at, COALESCE(g.result, ''), COALESCE(g.date, ''), COALESCE(g.gold_rating, 0),
			COALESCE(g.silver_rating, 0), g.digest, r.start, r.turns, p.at, p.winner, p.turns, p.exact`+q.tables()+`
			CROSS JOIN record r ON r.game = h.game LEFT JOIN proof p ON p.game = h.game AND p.at BETWEEN h.at AND h.at + 1`+q.where()+`
			ORDER BY h.game, h.at`, q.values, func(rows *sql.Rows) (bool, error) {
			return true, t.add(l, rows)
		})
	})
	if err != nil {
		return nil, l.explain(err)
	}
	return t.sorted(), nil
}

// ofHeader returns the filter without what it asks of a board.
func (f *Filter) ofHeader() *Filter {
	out := *f
	out.Position, out.Material, out.Class, out.Pattern = nil, "", "", nil
	return &out
}

// grower makes a tree of the rows of games.
type grower struct {
	tree     *Tree
	branches map[arimaa.Board]int
	position *arimaa.Position
	images   boardFilter
	last     counted
}

// counted is a position of a game, and where it was counted.
type counted struct {
	game      int64
	at        int
	exchanged bool
	branch    int // -1: the game went no further
}

// add counts the game of a row, unless it has been, or the row leads to another position, and what
// the row proves.
func (t *grower) add(l *Library, rows *sql.Rows) error {
	var game, sum int64
	var at int
	var result, date string
	var ratings [2]int
	var m moves
	var p proved
	if err := rows.Scan(&game, &at, &result, &date, &ratings[0], &ratings[1], &sum, &m.start, &m.turns,
		&p.at, &p.winner, &p.turns, &p.exact); err != nil {
		return err
	}
	if game == t.last.game {
		if at == t.last.at {
			t.prove(&p)
		}
		return nil
	}
	found, err := m.position(sum, at)
	if err != nil {
		return l.damaged(fmt.Errorf("game %d: %w", game, err))
	}
	image, ok := t.image(found)
	if !ok {
		return nil
	}
	t.last = counted{game, at, image.exchanged, -1}
	if image.exchanged {
		result = map[string]string{"gold": "silver", "silver": "gold"}[result]
		ratings[0], ratings[1] = ratings[1], ratings[0]
	}
	rating := ratings[t.position.Side()]
	t.tree.add(result, date, rating)
	if 4*at >= len(m.turns) {
		t.tree.Ended++
		t.prove(&p)
		return nil
	}
	turn, _, ok := found.Decode(binary.BigEndian.Uint32(m.turns[4*at:]))
	if !ok {
		return l.damaged(fmt.Errorf("game %d: turn %d is not legal", game, at+1))
	}
	if image.mirrored {
		turn = turn.Mirrored()
	}
	if image.exchanged {
		turn = turn.Swapped()
	}
	after := t.position.AfterTurn(turn)
	if t.symmetric() { // then a turn and its mirror image are one: that with the lesser board after it
		if other := mirrored(&after); other.String() < after.String() {
			turn, after = turn.Mirrored(), other
		}
	}
	i, known := t.branches[after.Board]
	if !known {
		i = len(t.tree.Branches)
		t.branches[after.Board] = i
		t.tree.Branches = append(t.tree.Branches, Branch{Turn: turn, After: after})
	}
	t.tree.Branches[i].add(result, date, rating)
	t.last.branch = i
	t.prove(&p)
	return nil
}

// proved is what is proved of a position of a game, if anything is.
type proved struct {
	at     sql.NullInt64
	winner sql.NullString
	turns  sql.NullInt64
	exact  sql.NullBool
}

// prove counts what is proved of the position that was counted last, or of the one after it.
func (t *grower) prove(p *proved) {
	score := &t.tree.Score
	switch {
	case !p.winner.Valid:
		return
	case int(p.at.Int64) > t.last.at:
		if t.last.branch < 0 {
			return // only a damaged file has it
		}
		score = &t.tree.Branches[t.last.branch].Score
	}
	side := 0
	if (p.winner.String == "silver") != t.last.exchanged {
		side = 1
	}
	score.Proofs[side].add(int(p.turns.Int64), p.exact.Bool)
}

// symmetric reports whether mirror images count, and the position is its own.
func (t *grower) symmetric() bool {
	return t.images.mirrored && mirrored(t.position).Board == t.position.Board
}

// image is how a position of a game became that of the tree.
type image struct{ mirrored, exchanged bool }

// image returns how a position becomes that of the tree; ok is false if it does not.
func (t *grower) image(p *arimaa.Position) (i image, ok bool) {
	for _, i := range []image{{}, {mirrored: true}, {exchanged: true}, {true, true}} {
		if i.mirrored && !t.images.mirrored || i.exchanged && !t.images.exchanged {
			continue
		}
		other := *p
		if i.mirrored {
			other = mirrored(&other)
		}
		if i.exchanged {
			other = swapped(&other)
		}
		if other.Board == t.position.Board && other.Side() == t.position.Side() {
			return i, true
		}
	}
	return image{}, false
}

// sorted returns the tree with the most frequent turn first; of equals the one whose name comes
// first.
func (t *grower) sorted() *Tree {
	slices.SortFunc(t.tree.Branches, func(a, b Branch) int {
		return cmp.Or(b.Games-a.Games, cmp.Compare(a.Setup, b.Setup), cmp.Compare(a.Turn.String(), b.Turn.String()))
	})
	return t.tree
}

// Setups returns how Gold set up in the games that a filter selects; with a setup of Gold, how
// Silver did then. What the filter asks of a board does not count, but Mirrored does: then mirror
// images are one setup. Errors are those of [Library.Games].
func (l *Library) Setups(ctx context.Context, gold string, f *Filter) (*Tree, error) {
	t, branches := grower{tree: &Tree{}}, map[string]int{}
	add := func(rows *sql.Rows) (bool, error) {
		var goldSetup, silverSetup sql.NullString
		var result, date string
		var ratings [2]int
		if err := rows.Scan(&goldSetup, &silverSetup, &result, &date, &ratings[0], &ratings[1]); err != nil {
			return false, err
		}
		setup, rating := chosen(goldSetup.String, silverSetup.String, gold, f.Mirrored), ratings[0]
		if gold != "" {
			rating = ratings[1]
		}
		i, known := branches[setup]
		if !known {
			i = len(t.tree.Branches)
			branches[setup] = i
			t.tree.Branches = append(t.tree.Branches, Branch{Setup: setup})
		}
		t.tree.add(result, date, rating)
		t.tree.Branches[i].add(result, date, rating)
		return true, nil
	}
	err := l.view(ctx, func(v *view) error {
		q, err := v.question(ctx, f.ofHeader())
		if err != nil {
			return err
		}
		q.add("g.gold_setup IS NOT NULL")
		if gold != "" {
			q.add("g.silver_setup IS NOT NULL")
			if err := q.setup("g.gold_setup", &Filter{Setup: gold, Mirrored: f.Mirrored}); err != nil {
				return err
			}
		}
		return v.rows(ctx, `SELECT gs.squares, ss.squares, COALESCE(g.result, ''), COALESCE(g.date, ''), COALESCE(g.gold_rating, 0), COALESCE(g.silver_rating, 0)
			FROM game g LEFT JOIN setup gs ON gs.id = g.gold_setup LEFT JOIN setup ss ON ss.id = g.silver_setup`+q.where()+" ORDER BY g.id", q.values, add)
	})
	if err != nil {
		return nil, l.explain(err)
	}
	return t.sorted(), nil
}

// chosen returns the setup by which a game counts: Gold's, or Silver's beside one of Gold. Where
// mirror images are one, it is the lesser of Gold's two, and Silver's as seen beside that of Gold
// that is asked for.
func chosen(gold, silver, asked string, mirrors bool) string {
	switch {
	case asked == "" && mirrors:
		return min(gold, mirroredSetup(gold))
	case asked == "":
		return gold
	case !mirrors, fits(asked, gold) && !fits(asked, mirroredSetup(gold)):
		return silver
	case fits(asked, gold): // both do: the lesser of the two images counts
		if image := mirroredSetup(gold); gold < image || gold == image && silver < mirroredSetup(silver) {
			return silver
		}
	}
	return mirroredSetup(silver)
}

// fits reports whether a setup is one that was asked for, perhaps with ? for any square.
func fits(asked, setup string) bool {
	text, err := parseSetup(asked)
	if err != nil || len(setup) != len(text) {
		return false
	}
	for i := range len(text) {
		if text[i] != '?' && text[i] != setup[i] {
			return false
		}
	}
	return true
}
