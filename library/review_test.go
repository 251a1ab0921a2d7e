package library

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/review"
	"goalproof/solve"
)

// Of the reviews that tests make.
var (
	quick    = Reviewing{WinIn: 2, Nodes: 300, Algorithm: "dfpns"}
	thorough = Reviewing{WinIn: 3, Nodes: 300, Effort: 20, Algorithm: "dfpns"}
)

// reviewer reviews games for tests.
type reviewer struct {
	solvers []*solve.Solver
	engine  *engine.Engine
}

func newReviewer(t testing.TB) reviewer {
	s, err := solve.New(solve.Options{Memory: 16 << 20, Threads: 1})
	require.NoError(t, err)
	e, err := engine.New(engine.Options{Threads: 1, Memory: 8 << 20, Without: engine.Probe})
	require.NoError(t, err)
	return reviewer{[]*solve.Solver{s}, e}
}

// of reviews a game of a library.
func (r reviewer) of(t testing.TB, g *Game, with *Reviewing) *review.Review {
	record, err := g.Record()
	require.NoError(t, err)
	o := review.Options{WinIn: with.WinIn, Limit: answer.Limit{Nodes: with.Nodes}, Effort: with.Effort}
	if with.Effort > 0 {
		o.Engine = r.engine
	}
	v, err := review.Game(context.Background(), r.solvers, record, o)
	require.NoError(t, err)
	v.Time = v.Time.Truncate(time.Millisecond)
	return v
}

// keep adds reviews to a library.
func keep(t testing.TB, l *Library, with Reviewing, games []*Game, make func(g *Game) *review.Review) {
	t.Helper()
	r, err := l.Reviews(with)
	require.NoError(t, err)
	for _, g := range games {
		if v := make(g); v != nil {
			require.NoError(t, r.Add(context.Background(), g, v))
		}
	}
	require.NoError(t, r.Close())
}

// invented returns a review of a game with findings of all kinds that no search has found.
func invented(t testing.TB, random *rand.Rand, g *Game) *review.Review {
	record, err := g.Record()
	require.NoError(t, err)
	v := &review.Review{Record: record, WinIn: 3, Examined: g.Turns + 1, Nodes: random.Uint64N(1e6)}
	none := review.Fact{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 3}}
	marks := []review.Mark{review.None, review.Keeps, review.Delays, review.Misses, review.ThrowsAway, review.Loses, review.Allows}
	for i := range g.Turns + 1 {
		s := review.Standing{Win: none, Threat: none, Loss: none}
		if i == g.Turns {
			v.Standings = append(v.Standings, s)
			break
		}
		j := review.Judgement{}
		if turn := record.Game.Turn(i); random.IntN(4) == 0 {
			s.Win, s.Turn = review.Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 1 + random.IntN(4)}}, turn
			j.Mark, j.Gives = marks[random.IntN(len(marks))], random.IntN(4)
			if random.IntN(2) == 0 {
				s.Saving = append(s.Saving, review.Saving{Turn: turn, Holds: 2})
			}
			if j.Gives > 0 {
				j.Stops = review.Stops{Hold: random.IntN(3), Turns: 5, Undecided: random.IntN(2), Simplest: turn}
			}
		}
		v.Standings, v.Judgements = append(v.Standings, s), append(v.Judgements, j)
	}
	if random.IntN(2) == 0 {
		v.Decision = &review.Decision{Winner: arimaa.Side(random.IntN(2)), From: random.IntN(g.Turns + 1), Last: -1, Turns: random.IntN(5)}
	}
	return v
}

// reviewedGames is a library with reviews, and what these say.
type reviewedGames struct {
	*Library
	games    []plain
	findings map[string][]review.Finding // by the ids of games, of the latest review
}

// newReviewedGames reviews some games, by a search or by invention: some once, some with other
// options as well, some not at all.
func newReviewedGames(t *testing.T) *reviewedGames {
	all := plainGames(t)
	r := &reviewedGames{findings: map[string][]review.Finding{}}
	for i := range all {
		if i%3 == 0 || len(all[i].turns) < 30 {
			r.games = append(r.games, all[i])
		}
	}
	r.Library = importText(t, 1<<10, archive(r.games))
	var games []*Game
	for g, err := range r.Games(context.Background(), &Filter{}, Sort{}) {
		require.NoError(t, err)
		games = append(games, g)
	}
	random, by := rand.New(rand.NewPCG(1, 2)), newReviewer(t)
	add := func(part, of int, with Reviewing, make func(*Game) *review.Review) {
		n := -1
		keep(t, r.Library, with, games, func(g *Game) *review.Review {
			if n++; n%of != part {
				return nil
			}
			v := make(g)
			r.findings[g.Name] = v.Findings()
			return v
		})
	}
	add(1, 10, quick, func(g *Game) *review.Review { return by.of(t, g, &quick) })
	inventing := func(g *Game) *review.Review { return invented(t, random, g) }
	add(0, 2, thorough, inventing)
	add(1, 3, Reviewing{WinIn: 3, Nodes: 1, Algorithm: "dfpns"}, inventing)
	return r
}

// named reports whether a name is that which a filter has.
func named(pattern, name string) bool {
	if begin, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(strings.ToLower(name), strings.ToLower(begin))
	}
	return strings.EqualFold(pattern, name)
}

// within reports whether a number is in a range.
func within(r Range, n int) bool {
	from, err := strconv.Atoi(r.From)
	to, none := strconv.Atoi(r.To)
	return (err != nil || n >= from) && (none != nil || n <= to)
}

// wanted returns the findings of a side that a filter asks for.
func wanted(f *Filter, all []review.Finding, side arimaa.Side) (some []review.Finding) {
	for _, one := range all {
		kind := string(one.Kind)
		missing := kind == "delays" || kind == "misses" || kind == "throws-away"
		if one.Side == side && (f.Finding == "any" || f.Finding == kind || f.Finding == "missed" && missing) && within(f.WinIn, one.Turns) {
			some = append(some, one)
		}
	}
	return some
}

// setUpSo reports whether a side set up as a filter asks.
func setUpSo(f *Filter, p *plain, side arimaa.Side) bool {
	have := setupText(p.positions[0], side == arimaa.Gold)
	return f.Setup == "" || fitsText(f.Setup, have) || f.Mirrored && fitsText(mirrorText(f.Setup), have)
}

// means reports whether a filter means a side of a game.
func (r *reviewedGames) means(f *Filter, p *plain, side arimaa.Side) bool {
	own, other, rating, won, lost := p.gold, p.silver, p.goldRating, "w", "b"
	if side == arimaa.Silver {
		own, other, rating, won, lost = p.silver, p.gold, p.silverRating, "b", "w"
	}
	switch {
	case !setUpSo(f, p, side),
		f.Finding != "" && len(wanted(f, r.findings[p.id], side)) == 0,
		(f.Player != "" || f.Finding != "") && f.Rating != (Range{}) && (rating == 0 || !within(f.Rating, rating)):
		return false
	case f.Player == "":
		return f.Gold == "" && f.Silver == "" || f.Gold != "" && f.Silver != "" || f.Gold != "" && side == arimaa.Gold || f.Silver != "" && side == arimaa.Silver
	}
	return named(f.Player, own) && (f.Opponent == "" || named(f.Opponent, other)) &&
		(f.Result != "won" || p.result == won) && (f.Result != "lost" || p.result == lost)
}

// selects reports whether a filter selects a game, but for what it says of a board.
func (r *reviewedGames) selects(f *Filter, p *plain) bool {
	rated := func(n int) bool { return n > 0 && within(f.Rating, n) }
	twins := 0
	for i := range r.games {
		if slices.Equal(r.games[i].positions, p.positions) {
			twins++
		}
	}
	switch {
	case f.Gold != "" && !named(f.Gold, p.gold), f.Silver != "" && !named(f.Silver, p.silver),
		f.Date != (Range{}) && (p.date < f.Date.From || p.date[:len(f.Date.To)] > f.Date.To),
		f.Event != "" && !strings.Contains(strings.ToLower(p.event), strings.ToLower(f.Event)),
		f.Ending != "" && notation.EndingName(p.ending) != f.Ending,
		(f.Result == "gold" || f.Result == "silver" || f.Result == "undecided") && p.result != map[string]string{"gold": "w", "silver": "b", "undecided": "u"}[f.Result],
		!within(f.Turns, len(p.turns)),
		f.Twins && twins < 2,
		f.Player == "" && f.Finding == "" && f.Rating != (Range{}) && !(rated(p.goldRating) && rated(p.silverRating)):
		return false
	}
	return r.means(f, p, arimaa.Gold) || r.means(f, p, arimaa.Silver)
}

// TestFindings asks random questions about reviews, and compares the answers with what the reviews
// say.
func TestFindings(t *testing.T) {
	r := newReviewedGames(t)
	require.NoError(t, r.Verify(context.Background(), func(int) {}))
	met := map[string]int{}
	boards.Check(t, 400, 20_000, func(t *rapid.T) { r.ask(t, met) })
	boards.ExpectAll(t, met, append(FindingNames(), "several games", "player", "gold", "silver", "rating", "setup", "board", "win in", "pattern", "stats of findings")...)
}

// ask compares the answers to one question.
func (r *reviewedGames) ask(t *rapid.T, met map[string]int) {
	f, says := aFilter(t, r.games)
	if rapid.IntRange(0, 3).Draw(t, "without a board") > 0 {
		f.Position, f.Material, f.Class, f.Pattern = nil, "", "", nil
	}
	board := f.Position != nil || f.Material != "" || f.Class != "" || f.Pattern != nil
	if rapid.IntRange(0, 5).Draw(t, "about findings") > 0 {
		f.Finding = rapid.SampledFrom(FindingNames()).Draw(t, "finding")
		bound := func(name string) string { return rapid.SampledFrom([]string{"", "", "0", "1", "2"}).Draw(t, name) }
		if f.WinIn = (Range{bound("from"), bound("to")}); f.WinIn.From > f.WinIn.To && f.WinIn.To != "" {
			f.WinIn.To = f.WinIn.From
		}
	}
	want := map[string]int{}
	listed := f
	if listed.Finding == "" {
		listed.Finding = "any"
	}
	found, seats := map[string][]review.Finding{}, map[string][2]bool{}
	for i := range r.games {
		p := &r.games[i]
		at := -1
		if board {
			if at = slices.IndexFunc(p.positions, says.board); at < 0 {
				continue
			}
		}
		if r.selects(&f, p) {
			want[p.id] = at
			seats[p.id] = [2]bool{r.means(&f, p, arimaa.Gold), r.means(&f, p, arimaa.Silver)}
		}
		if !r.selects(&listed, p) {
			continue
		}
		var some []review.Finding
		for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
			if r.means(&listed, p, side) {
				some = append(some, wanted(&listed, r.findings[p.id], side)...)
			}
		}
		slices.SortFunc(some, func(a, b review.Finding) int { return cmp.Or(a.At-b.At, cmp.Compare(a.Kind, b.Kind)) })
		found[p.id] = some
	}
	order := Sort{By: rapid.SampledFrom(Orders()).Draw(t, "order"), Falling: rapid.Bool().Draw(t, "falling")}
	r.askGames(t, &f, order, want)
	r.askFindings(t, &f, order, found)
	r.askStats(t, &f, seats)
	for name, is := range map[string]bool{
		f.Finding: true, "several games": len(want) > 1, "player": f.Player != "" && f.Finding != "", "gold": f.Gold != "" && f.Silver == "", "silver": f.Gold == "" && f.Silver != "",
		"rating": f.Finding != "" && f.Rating != (Range{}), "setup": f.Setup != "" && f.Finding != "", "board": board && f.Finding != "",
		"win in": f.WinIn != (Range{}), "pattern": f.Pattern != nil, "stats of findings": f.Finding != "",
	} {
		if is && len(found) > 0 && len(want) > 0 {
			met[name]++
		}
	}
}

// askGames compares the games that a filter selects with those that it is to select, and where.
func (r *reviewedGames) askGames(t *rapid.T, f *Filter, order Sort, want map[string]int) {
	t.Helper()
	n := 0
	var last *Game
	for g, err := range r.Games(context.Background(), f, order) {
		require.NoError(t, err)
		if at, ok := want[g.Name]; !ok || at != g.At {
			t.Fatalf("%+v: game %s is found at %d, want %v", *f, g.Name, g.At, want)
		}
		if last != nil && !inOrder(order, last, g) {
			t.Fatalf("%+v: game %d comes before game %d", order, last.ID, g.ID)
		}
		last = g
		n++
	}
	if n != len(want) {
		t.Fatalf("%+v: %d games are found, want %v", *f, n, want)
	}
	if n, err := r.Count(context.Background(), f); err != nil || n != len(want) {
		t.Fatalf("%+v: counted %d, %v; found %d", *f, n, err, len(want))
	}
}

// askFindings compares findings with those that the reviews have.
func (r *reviewedGames) askFindings(t *rapid.T, f *Filter, order Sort, want map[string][]review.Finding) {
	t.Helper()
	got := map[string][]*Finding{}
	var last *Finding
	for one, err := range r.Findings(context.Background(), f, order) {
		require.NoError(t, err)
		if last != nil && last.Game.ID != one.Game.ID && (len(got[one.Game.Name]) > 0 || !inOrder(order, last.Game, one.Game)) {
			t.Fatalf("%+v: findings of game %d come before those of game %d", order, last.Game.ID, one.Game.ID)
		}
		got[one.Game.Name] = append(got[one.Game.Name], one)
		last = one
	}
	if len(got) != len(want) {
		t.Fatalf("%+v: findings of %d games, want those of %d", *f, len(got), len(want))
	}
	for i := range r.games {
		p := &r.games[i]
		if len(got[p.id]) != len(want[p.id]) {
			t.Fatalf("%+v: game %s has the findings %v, want %v", *f, p.id, got[p.id], want[p.id])
		}
		for n, one := range got[p.id] {
			w := want[p.id][n]
			played, better := "", ""
			if w.At < len(p.turns) {
				played = p.turns[w.At]
			}
			if w.Better.Len() > 0 {
				position := boards.Parse(t, p.positions[w.At])
				better = position.Notation(w.Better)
			}
			name, rating := p.gold, p.goldRating
			if w.Side == arimaa.Silver {
				name, rating = p.silver, p.silverRating
			}
			said := []any{one.Kind, one.At, one.Side, one.Turns, one.Played, one.Better, one.Player(), one.Rating, one.Label}
			if is := []any{string(w.Kind), w.At, w.Side.String(), w.Turns, played, better, name, rating, one.Game.Label(w.At)}; !slices.Equal(said, is) {
				t.Fatalf("%+v: game %s: %v, want %v", *f, p.id, said, is)
			}
		}
	}
}

// askStats compares statistics with counting.
func (r *reviewedGames) askStats(t *rapid.T, f *Filter, selected map[string][2]bool) {
	t.Helper()
	by := rapid.SampledFrom([]string{"all", "player", "opponent", "side", "year", "setup"}).Draw(t, "by")
	type count struct{ games, won, lost int }
	want := map[string]count{}
	for i := range r.games {
		p := &r.games[i]
		meant, ok := selected[p.id]
		if !ok {
			continue
		}
		if f.Player == "" && f.Setup == "" && f.Finding == "" && (by == "all" || by == "year") {
			meant = [2]bool{true, false} // results are Gold's
		}
		for side, is := range meant {
			if !is {
				continue
			}
			own, other, won, lost := p.gold, p.silver, "w", "b"
			if side == 1 {
				own, other, won, lost = p.silver, p.gold, "b", "w"
			}
			key := map[string]string{"all": "all", "player": own, "opponent": other, "side": arimaa.Side(side).String(), "year": p.date[:4],
				"setup": setupText(p.positions[0], side == 0)}[by]
			c := want[key]
			c.games++
			switch p.result {
			case won:
				c.won++
			case lost:
				c.lost++
			}
			want[key] = c
		}
	}
	groups, err := r.Stats(context.Background(), f, by)
	require.NoError(t, err)
	for _, g := range groups {
		if got := (count{g.Games, g.Won, g.Lost}); got != want[g.Name] {
			t.Fatalf("%+v by %s: %s has %v, want %v", *f, by, g.Name, got, want[g.Name])
		}
	}
	if len(groups) != len(want) {
		t.Fatalf("%+v by %s: %d groups, want %v", *f, by, len(groups), want)
	}
}

// threeGames is a library of three games, two of which are the same, without reviews.
func threeGames(t *testing.T) (l *Library, games []*Game) {
	one := "[Gold \"ann\"]\n[Silver \"bob\"]\n\n" + short
	record := plainGames(t)[3]
	l = importText(t, 1, one+"\n"+one)
	addText(t, l, 1, "archive", archive([]plain{record}))
	return l, all(t, l, &Filter{})
}

// same fails the test unless a review is another.
func same(t *testing.T, got, want *review.Review) {
	t.Helper()
	if got == nil || want == nil {
		t.Fatalf("there is no review: %v, %v", got, want)
	}
	a, err := got.Encode()
	require.NoError(t, err)
	b, err := want.Encode()
	require.NoError(t, err)
	if !bytes.Equal(a, b) || got.Annotated() != want.Annotated() || got.Headline() != want.Headline() || got.Time != want.Time || got.Nodes != want.Nodes {
		t.Errorf("another review:\n%s\nwant\n%s", got.Annotated(), want.Annotated())
	}
}

// TestReviews keeps reviews of games, and reads them again: each is the one that was kept, and the
// latest one is that which filters mean.
func TestReviews(t *testing.T) {
	ctx := context.Background()
	l, games := threeGames(t)
	by := newReviewer(t)
	count := func(want ...int) {
		t.Helper()
		require.NoError(t, l.Verify(ctx, func(int) {}))
		totals, err := l.Totals(ctx)
		require.NoError(t, err)
		n, err := l.Count(ctx, &Filter{Finding: "any"})
		require.NoError(t, err)
		var rows int
		require.NoError(t, l.db.QueryRow("SELECT count(*) FROM review").Scan(&rows))
		if got := []int{totals.Reviewed, totals.Findings, n, rows}; !slices.Equal(got, want) {
			t.Errorf("%v games with a review, findings, games with findings, reviews; want %v", got, want)
		}
	}
	count(0, 0, 0, 0)
	quickly, thoroughly := map[int64]*review.Review{}, map[int64]*review.Review{}
	found := 0
	keep(t, l, quick, games, func(g *Game) *review.Review {
		quickly[g.ID] = by.of(t, g, &quick)
		found += len(quickly[g.ID].Findings())
		return quickly[g.ID]
	})
	count(3, found, 1, 3)
	if quickly[1].Record.Name != "1" || quickly[2].Record.Name != "2" || quickly[3].Record.Name != games[2].Name {
		t.Errorf("the names of the games: %q, %q, %q", quickly[1].Record.Name, quickly[2].Record.Name, quickly[3].Record.Name)
	}
	r, err := l.Reviews(quick)
	require.NoError(t, err)
	other := *quickly[3]
	other.Nodes++
	require.NoError(t, r.Add(context.Background(), games[2], &other)) // the review that is there stays
	count(3, found, 1, 3)
	interrupted, cancel := context.WithCancel(ctx)
	cancel()
	v, err := review.Game(interrupted, by.solvers, other.Record, review.Options{WinIn: 2, Limit: answer.Limit{Nodes: 300}})
	require.NoError(t, err)
	if err := r.Add(context.Background(), games[0], v); err == nil || !strings.Contains(err.Error(), "not complete") {
		t.Errorf("an interrupted review is kept: %v", err)
	}
	if _, err := l.Reviews(thorough); !errors.Is(err, ErrInUse) {
		t.Errorf("two at the same time: %v", err)
	}
	for _, g := range games {
		v, _, err := r.Review(ctx, g)
		require.NoError(t, err)
		same(t, v, quickly[g.ID])
	}
	require.NoError(t, r.Close())
	keep(t, l, thorough, games[2:], func(g *Game) *review.Review {
		v := invented(t, rand.New(rand.NewPCG(5, 6)), g)
		thoroughly[g.ID] = v
		return v
	})
	later := thoroughly[3].Findings()
	count(3, len(later), 1, 4)
	n := 0
	for one, err := range l.Findings(ctx, &Filter{}, Sort{}) {
		require.NoError(t, err)
		if one.Kind != string(later[n].Kind) && one.At != later[n].At {
			t.Errorf("finding %d is %+v, want %+v", n, one, later[n])
		}
		n++
	}
	if n != len(later) {
		t.Errorf("%d findings, want %d", n, len(later))
	}
	for with, want := range map[Reviewing]map[int64]*review.Review{quick: quickly, thorough: thoroughly, {WinIn: 1, Nodes: 300, Algorithm: "dfpns"}: nil,
		{WinIn: 2, Nodes: 300, Algorithm: "pns"}: nil, {WinIn: 2, Nodes: 300, Algorithm: "dfpns", Endgames: "R-r"}: nil, {WinIn: 2, Nodes: 300, Defence: 1, Algorithm: "dfpns"}: nil} {
		r, err := l.Reviews(with)
		require.NoError(t, err)
		for _, g := range games {
			v, _, err := r.Review(ctx, g)
			require.NoError(t, err)
			if want[g.ID] != nil {
				same(t, v, want[g.ID])
			} else if v != nil {
				t.Errorf("game %d has a review with other options", g.ID)
			}
		}
		require.NoError(t, r.Close())
	}
	// Quick reviews that are asked for again count again. A library that is read has them, and takes none.
	count(3, len(thoroughly[3].Findings())+len(quickly[1].Findings())+len(quickly[2].Findings()), 1, 4)
	reader, err := opened(t, l.path).Reviews(quick)
	require.NoError(t, err)
	v, latest, err := reader.Review(ctx, games[2])
	require.NoError(t, err)
	if latest {
		t.Error("game 3: the review that was made first is the latest")
	}
	if err := reader.Add(ctx, games[2], v); err == nil {
		t.Error("a library that was opened for reading takes reviews")
	}
	require.NoError(t, reader.Close())
	again, err := l.Reviews(quick)
	require.NoError(t, err)
	require.NoError(t, again.Add(ctx, games[2], v))
	require.NoError(t, again.Close())
	count(3, found, 1, 4)
}

// TestFindingsOnce lists the findings of a game that comes to a position twice, and to its mirror
// image: each finding once.
func TestFindingsOnce(t *testing.T) {
	ctx := context.Background()
	setup, _, _ := strings.Cut(short, "2g ")
	setup = strings.NewReplacer("ed7", "ee7", "me7", "md7").Replace(setup) // symmetric but for elephants and camels
	l := importText(t, 1, setup+"2g Ee2n\n2s ee7s\n3g Ee3s\n3s ee6n\n4g Ee2n\n4s ee7s\n5g Ee3s\n")
	games := all(t, l, &Filter{})
	random := rand.New(rand.NewPCG(1, 2))
	keep(t, l, quick, games, func(g *Game) *review.Review { return invented(t, random, g) })
	played, err := games[0].Played()
	require.NoError(t, err)
	list := func(f *Filter) (all []string) {
		for one, err := range l.Findings(ctx, f, Sort{}) {
			require.NoError(t, err)
			all = append(all, fmt.Sprint(one.Game.ID, one.At, one.Kind))
		}
		return all
	}
	want := list(&Filter{})
	pattern, err := ParsePattern("Ee2")
	require.NoError(t, err)
	for i := range played.Len() + 1 {
		p := played.Position(i)
		for _, f := range []Filter{{Position: &p}, {Position: &p, Mirrored: true, Exchanged: true}, {Position: &p, Finding: "any"}, {Position: &p, Material: "EMHHDDCCR8-emhhddccr8"}, {Pattern: pattern}} {
			if got := list(&f); !slices.Equal(got, want) || len(want) < 2 {
				t.Errorf("%+v: %v, want %v", f, got, want)
			}
		}
	}
}

// TestTwoReviews has two open libraries review the same game with the same options: the first
// review stays, and nothing is there twice.
func TestTwoReviews(t *testing.T) {
	l, games := threeGames(t)
	second, err := Edit(context.Background(), l.path)
	require.NoError(t, err)
	defer second.Close()
	a, err := l.Reviews(quick)
	require.NoError(t, err)
	b, err := second.Reviews(quick)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 1))
	v, w := invented(t, random, games[2]), invented(t, random, games[2])
	require.NoError(t, a.Add(context.Background(), games[2], v))
	require.NoError(t, b.Add(context.Background(), games[2], w))
	for _, r := range []*Reviews{a, b} {
		got, _, err := r.Review(context.Background(), games[2])
		require.NoError(t, err)
		same(t, got, v)
	}
	require.NoError(t, errors.Join(a.Close(), b.Close()))
	require.NoError(t, l.Verify(context.Background(), func(int) {}))
}

// TestReviewsDamaged changes rows about reviews: Verify says so.
func TestReviewsDamaged(t *testing.T) {
	ctx := context.Background()
	l, games := threeGames(t)
	random := rand.New(rand.NewPCG(3, 4))
	keep(t, l, quick, games, func(g *Game) *review.Review { return invented(t, random, g) })
	evaluated := newReviewer(t).of(t, games[2], &thorough)
	keep(t, l, thorough, games[2:], func(g *Game) *review.Review { return evaluated })
	require.NoError(t, l.Verify(ctx, func(int) {}))
	answers, err := evaluated.Encode()
	require.NoError(t, err)
	require.NoError(t, l.Close())
	data, err := os.ReadFile(l.path)
	require.NoError(t, err)
	const first = "WHERE (game, at, kind) = (SELECT game, at, kind FROM finding WHERE game = 3 ORDER BY at LIMIT 1)"
	changes := []string{
		"DELETE FROM finding " + first,
		"DELETE FROM finding WHERE game = 3",
		"INSERT INTO finding VALUES (3, 1000, 'misses', 'gold', NULL, 1, 1, '1g', '', '')",
		"INSERT INTO finding VALUES (1, 0, 'misses', 'gold', NULL, 1, 1, '2g', '', '')",
		"INSERT INTO finding VALUES (99, 0, 'misses', 'gold', NULL, 1, 1, '2g', '', '')",
		"UPDATE finding SET kind = 'nothing' " + first,
		"UPDATE finding SET at = at + 1000 " + first,
		"UPDATE finding SET side = CASE side WHEN 'gold' THEN 'silver' ELSE 'gold' END " + first,
		"UPDATE finding SET turns = turns + 1 " + first,
		"UPDATE finding SET label = '1g' " + first,
		"UPDATE finding SET played = played || 'x' " + first,
		"UPDATE finding SET better = better || 'x' " + first,
		"UPDATE finding SET rating = COALESCE(rating, 0) + 1 " + first,
		"UPDATE finding SET game = 2, at = at + 1000 " + first,
		"DELETE FROM proof WHERE game = 3",
		"INSERT INTO proof VALUES (3, 1000, 'gold', 1, 1)",
		"INSERT INTO proof VALUES (99, 0, 'gold', 1, 1)",
		"UPDATE proof SET winner = CASE winner WHEN 'gold' THEN 'silver' ELSE 'gold' END WHERE game = 3",
		"UPDATE proof SET turns = turns + 1 WHERE game = 3",
		"UPDATE proof SET exact = 1 - exact WHERE game = 3",
		"UPDATE finding SET exact = 1 - exact " + first,
		"UPDATE review SET latest = 1 WHERE id = 3",
		"UPDATE review SET latest = 0 WHERE id = 4",
		"UPDATE review SET latest = 1 - latest WHERE game = 3",
		"UPDATE review SET latest = 2 WHERE id = 1",
		"UPDATE review SET open = open + 1 WHERE id = 1",
		"UPDATE review SET nodes = nodes + 1 WHERE id = 1",
		"UPDATE review SET chances = '[0.5]' WHERE id = 1",
		"UPDATE review SET chances = NULL WHERE id = 4",
		"UPDATE review SET chances = replace(chances, '0.4', '0.3') WHERE id = 4",
		"UPDATE review SET answers = x'' WHERE id = 1",
		"UPDATE review SET answers = substr(answers, 1, length(answers) - 1) WHERE id = 1",
		"UPDATE review SET answers = (SELECT answers FROM review WHERE id = 3) WHERE id = 1",
		"UPDATE review SET answers = (SELECT answers FROM review WHERE id = 4) WHERE id = 3",
		"UPDATE review SET game = 99 WHERE id = 1",
		"UPDATE review SET reviewing = 99 WHERE id = 1",
		"UPDATE review SET game = 3, reviewing = 3 WHERE id = 1",
		"DELETE FROM reviewing WHERE id = 1",
		"DELETE FROM review WHERE id = 4",
		"UPDATE record SET turns = (SELECT turns FROM record WHERE game = 1) WHERE game = 3",
	}
	for range boards.Sized(20, 200) {
		at, bit := random.IntN(len(answers)), random.IntN(8)
		changed := bytes.Clone(answers)
		changed[at] ^= 1 << bit
		changes = append(changes, fmt.Sprintf("UPDATE review SET answers = x'%x' WHERE id = 4", changed))
	}
	for i, change := range changes {
		path := filepath.Join(t.TempDir(), strconv.Itoa(i))
		require.NoError(t, os.WriteFile(path, data, 0o666))
		l, err := Edit(ctx, path)
		require.NoError(t, err)
		_, err = l.write.ExecContext(ctx, "PRAGMA foreign_keys = OFF; "+change)
		require.NoError(t, err)
		if err := l.Verify(ctx, func(int) {}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%.150s: %v", change, err)
		}
		if err := readRows(t, l); err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%.150s: rows: %v", change, err)
		}
		require.NoError(t, l.Close())
	}
}

// readRows makes the rows and the written positions of all findings, and of the games with the
// usual material, and returns the last error.
func readRows(t *testing.T, l *Library) (last error) {
	t.Helper()
	for f, err := range l.Findings(t.Context(), &Filter{}, Sort{}) {
		if err == nil {
			_, rowErr := f.Row()
			_, writtenErr := f.Written()
			err = errors.Join(rowErr, writtenErr)
		}
		last = cmp.Or(err, last)
	}
	for g, err := range l.Games(t.Context(), &Filter{Material: "EMH2D2C2R8-emh2d2c2r8"}, Sort{}) {
		if err == nil {
			_, _, err = g.Row()
		}
		last = cmp.Or(err, last)
	}
	return last
}

// TestPlacesDamaged changes the places of positions that were found: whoever reads them is told so.
func TestPlacesDamaged(t *testing.T) {
	for _, change := range []string{"UPDATE finding SET at = at + 5000", "UPDATE finding SET at = -1 - at", "UPDATE stretch SET first = 5000"} {
		l, games := threeGames(t)
		random := rand.New(rand.NewPCG(3, 4))
		keep(t, l, quick, games, func(g *Game) *review.Review { return invented(t, random, g) })
		require.NoError(t, readRows(t, l))
		_, err := l.write.ExecContext(t.Context(), change)
		require.NoError(t, err)
		if err := readRows(t, l); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// TestProofs keeps a review with facts that are given, and reads who is proved to win from which
// position, and which wins a finding claims: in a number of turns only where no fewer suffice.
func TestProofs(t *testing.T) {
	l, games := threeGames(t)
	g := games[2]
	record, err := g.Record()
	require.NoError(t, err)
	proved := func(within, refuted int) review.Fact {
		return review.Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: within, Refuted: refuted}}
	}
	none := review.Fact{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 3}}
	facts := []review.Standing{{Win: none, Loss: none}, {Win: proved(2, 1)}, {Win: none, Loss: proved(3, 2)}, {Win: proved(4, 1)}, {Loss: proved(2, 0)}, {Threat: proved(1, 0)}}
	want := []proof{{1, "silver", 2, true}, {2, "silver", 3, true}, {3, "silver", 4, false}, {4, "silver", 2, false}}
	for _, last := range []review.Standing{{Loss: proved(0, 0)}, {Win: proved(0, 0)}} {
		v := &review.Review{Record: record, WinIn: 3, Examined: g.Turns + 1, Standings: make([]review.Standing, g.Turns+1), Judgements: make([]review.Judgement, g.Turns)}
		copy(v.Standings, facts)
		v.Standings[1].Turn, v.Standings[3].Turn = record.Game.Turn(1), record.Game.Turn(3)
		v.Judgements[1].Mark, v.Judgements[3].Mark = review.Misses, review.Misses
		v.Judgements[0] = review.Judgement{Mark: review.Allows, Gives: 2, Stops: review.Stops{Hold: 1, Turns: 5, Simplest: record.Game.Turn(0)}}
		v.Decision = &review.Decision{Winner: arimaa.Silver, From: 2, Last: -1, Turns: 2}
		v.Standings[g.Turns] = last
		end := record.Game.Position(g.Turns)
		winner := end.Side()
		if last.Loss.Proved() {
			winner = winner.Other()
		}
		keep(t, l, Reviewing{WinIn: 3, Nodes: uint64(1 + winner), Algorithm: "dfpns"}, games[2:], func(*Game) *review.Review { return v })
		var row reviewRow
		require.NoError(t, l.view(t.Context(), func(o *view) error { return o.found(t.Context(), g.ID, &row) }))
		if all := append(want[:len(want):len(want)], proof{g.Turns, winner.String(), 0, true}); !slices.Equal(row.proofs, all) {
			t.Errorf("proved is %v, want %v", row.proofs, all)
		}
		claims := map[string]int{}
		for f, err := range l.Findings(t.Context(), &Filter{}, Sort{}) {
			require.NoError(t, err)
			w, err := f.Written()
			require.NoError(t, err)
			if (w.Solution != "") != (w.Claim > 0) || w.Claim > 0 && w.Solution != f.Better {
				t.Errorf("%s: claim %d, solution %q", f.Kind, w.Claim, w.Solution)
			}
			claims[fmt.Sprint(f.At, " ", f.Kind)] = w.Claim
		}
		if is := map[string]int{"0 allows": 0, "0 only-defence": 0, "1 first-win": 2, "1 misses": 2, "2 decided": 0, "3 misses": 0}; !maps.Equal(claims, is) {
			t.Errorf("claims %v, want %v", claims, is)
		}
	}
}
