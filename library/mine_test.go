package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// minedNodes decide some positions of [gamesToMine], and not others; moreNodes decide more.
const minedNodes, moreNodes = 1_500, 6_000

// gamesToMine returns games of a few random turns of one step, which begin with a puzzle.
func gamesToMine(t testing.TB, many int) (all []plain) {
	random := rand.New(rand.NewPCG(5, 6))
	var g arimaa.Generator
	const goal = "g [r       Rr     r   E dr                    e  r        RR  RR  R]"
	for i := range many {
		p := boards.Parse(t, []string{
			goal, "g [r       Rr     r   E dr      r             e           RR  RR  R]", boards.Mirror(goal), boards.Swap(goal),
			"g [r       Rr     r   E dr      c   h         e           RR  RR   ]",
		}[i%5])
		game := arimaa.NewGame(p, 20+i)
		for range 3 + i%3 {
			last := game.Last()
			var short []arimaa.Turn
			for k := range g.Generate(&last) {
				if turn := g.Turn(k); turn.Len() == 1 {
					short = append(short, turn)
				}
			}
			if len(short) == 0 || game.Play(short[random.IntN(len(short))]) != nil {
				break
			}
		}
		name := fmt.Sprintf("game-%d", i)
		if i%5 == 4 {
			name = ""
		}
		all = append(all, plain{id: name, result: "u", ending: "a"}.with(game))
	}
	return all
}

// minedRow is a mined puzzle with all that a library has of it, and the row that the command
// prints.
type minedRow struct {
	Puzzle
	Origin
	row string
}

// minePlainly mines games by the package puzzles alone.
func minePlainly(t testing.TB, games []plain, nodes uint64) (all []minedRow) {
	t.Helper()
	s, err := solve.New(solve.Options{}.ForNodes(nodes, 1))
	require.NoError(t, err)
	limit := answer.Limit{Nodes: nodes}
	m := puzzles.Miner{Solver: s, Turns: 2, Limit: limit, Listing: limit}
	var ideas puzzles.Ideas
	var sieve puzzles.Sieve
	firsts := map[int]int64{}
	for i, p := range games {
		for at, place := range puzzles.PlacesOf(cmp.Or(p.id, strconv.Itoa(i+1)), game(t, p.row)) {
			z, _, err := m.Look(t.Context(), place.Position)
			require.NoError(t, err)
			if z == nil {
				continue
			}
			id := int64(len(all) + 1)
			r := minedRow{Puzzle{
				ID: id, Source: "test", Line: i + 2, Name: place.Name, Position: z.Position, Number: place.Number, Claim: 2, Solution: z.Position.Notation(z.Solution),
			}, Origin{
				int64(i + 1), at, 0, z.Pieces, z.Replies, z.Tries, z.Quiet, z.Solutions, z.First, z.Difficulty(), z.Themes,
			}, z.Row(place.Name)}
			idea, first := ideas.Add(z.Position, 2, z.Solution)
			if first != sieve.Keep(z) {
				t.Errorf("%s: a new idea: %t, and the sieve says otherwise", place.Name, first)
			}
			if first {
				firsts[idea] = id
			} else {
				r.Idea = firsts[idea]
			}
			all = append(all, r)
		}
	}
	if len(all) < len(games)/2 || sieve.Again == 0 || sieve.Found-sieve.Again < 2 {
		t.Errorf("%d puzzles of %d games, %d ideas: too few to say much", len(all), len(games), sieve.Found-sieve.Again)
	}
	return all
}

// mineInto mines games of a library, and returns the rows of what is new.
func mineInto(ctx context.Context, l *Library, f Filter, nodes uint64, workers int, each func(game int64)) (m *Miner, rows []minedRow, err error) {
	return mineWith(ctx, l, Mining{f, 2, nodes}, workers, each)
}

// mineWith is mineInto with all options.
func mineWith(ctx context.Context, l *Library, with Mining, workers int, each func(game int64)) (m *Miner, rows []minedRow, err error) {
	m, err = l.Mine(ctx, with)
	if err != nil {
		return nil, nil, err
	}
	start := func() (*solve.Solver, error) { return solve.New(solve.Options{}.ForNodes(with.Nodes, 1)) }
	err = m.Run(ctx, m.Here(workers, start), func(*Looked) {}, func(g *Game, found []Found) error {
		for _, p := range found {
			rows = append(rows, minedRow{*p.Puzzle, *p.Origin, p.Mined.Row(p.Name)})
		}
		each(g.ID)
		return nil
	})
	return m, rows, cmp.Or(err, m.Close())
}

// unread does nothing with a game.
func unread(int64) {}

// minedTables are all rows that mining writes.
func minedTables(t testing.TB, l *Library) string {
	t.Helper()
	var b strings.Builder
	for _, table := range []string{"puzzle", "origin", "theme", "mining", "mined"} {
		for row, err := range l.Select(context.Background(), "SELECT * FROM "+table+" ORDER BY 1, 2", Limits{}) {
			require.NoError(t, err)
			fmt.Fprintln(&b, table, row)
		}
	}
	return b.String()
}

// puzzlesOf returns the puzzles that a filter selects.
func puzzlesOf(t testing.TB, l *Library, f PuzzleFilter, order Sort) (all []minedRow) {
	t.Helper()
	for p, err := range l.Puzzles(context.Background(), &f, order) {
		require.NoError(t, err)
		all = append(all, minedRow{Puzzle: *p, Origin: *p.Origin})
	}
	return all
}

// sameMined compares rows, with the printed ones if the first has them.
func sameMined(t testing.TB, what string, got, want []minedRow) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d puzzles, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		a, b := got[i], want[i]
		a.Puzzle.Origin, b.Puzzle.Origin = nil, nil
		if a.row == "" {
			b.row = ""
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: puzzle %d\n%+v, want\n%+v", what, i, a, b)
		}
	}
}

// TestMine compares what is mined, with one worker and with several, with plain mining of the same
// games. Mining them again finds nothing; with more nodes it finds more, and no puzzle twice.
func TestMine(t *testing.T) {
	games := gamesToMine(t, 12)
	want := minePlainly(t, games, minedNodes)
	first := ""
	for _, workers := range []int{1, 3} {
		l := importText(t, 1, archive(games))
		m, got, err := mineInto(t.Context(), l, Filter{}, minedNodes, workers, unread)
		require.NoError(t, err)
		sameMined(t, "mined", got, want)
		sameMined(t, "there", puzzlesOf(t, l, PuzzleFilter{All: true}, Sort{}), want)
		if m.Games != len(games) || m.Before != 0 || m.Known != 0 {
			t.Errorf("%+v", m)
		}
		tables := minedTables(t, l)
		if first = cmp.Or(first, tables); tables != first {
			t.Errorf("with %d workers the tables are\n%s\nand with one\n%s", workers, tables, first)
		}
		m, got, err = mineInto(t.Context(), l, Filter{}, minedNodes, workers, unread)
		require.NoError(t, err)
		if m.Games != 0 || m.Before != len(games) || len(got) > 0 || minedTables(t, l) != tables {
			t.Errorf("again: %+v, %d puzzles", m, len(got))
		}
		require.NoError(t, l.Verify(t.Context(), func(int) {}))
		n, err := l.Totals(t.Context())
		require.NoError(t, err)
		if ideas := len(puzzlesOf(t, l, PuzzleFilter{}, Sort{})); n.Mined != len(want) || n.Puzzles != n.Mined || n.Ideas != ideas {
			t.Errorf("%+v, %d ideas", n, ideas)
		}
		if workers > 1 {
			mineMore(t, l, games, want)
		}
	}
}

// mineMore mines again with more nodes.
func mineMore(t *testing.T, l *Library, games []plain, before []minedRow) {
	t.Helper()
	m, found, err := mineInto(t.Context(), l, Filter{}, moreNodes, 2, unread)
	require.NoError(t, err)
	more := minePlainly(t, games, moreNodes)
	if m.Games != len(games) || len(found) == 0 || len(found)+m.Known != len(more) {
		t.Errorf("%d games; %d puzzles are new, %d were there, and there are %d", m.Games, len(found), m.Known, len(more))
	}
	there := map[[2]int64]bool{}
	for _, p := range slices.Concat(before, found) {
		place := [2]int64{p.Game, int64(p.At)}
		if there[place] {
			t.Errorf("%s is there twice", p.Name)
		}
		there[place] = true
	}
	require.NoError(t, l.Verify(t.Context(), func(int) {}))
}

// TestMineInterrupted interrupts minings after some games or positions, and goes on: whole games
// are there, and in the end the tables are those of a mining that was not interrupted.
func TestMineInterrupted(t *testing.T) {
	games := gamesToMine(t, 7)
	whole := importText(t, 1, archive(games))
	_, _, err := mineInto(t.Context(), whole, Filter{}, minedNodes, 2, unread)
	require.NoError(t, err)
	want := minedTables(t, whole)
	for _, after := range []int{1, 2, 5} {
		l := importText(t, 1, archive(games))
		runs, there := 0, 0
		for err := context.Canceled; err != nil; runs++ {
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			var m *Miner
			m, _, err = mineInto(ctx, l, Filter{}, minedNodes, 2, func(int64) {
				if n++; n == after {
					cancel()
				}
			})
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if m.Before != there {
				t.Errorf("%d games are said to be mined, and %d were", m.Before, there)
			}
			there += n
		}
		if runs < 2 || minedTables(t, l) != want {
			t.Errorf("%d runs, each cut after %d games: other tables", runs, after)
		}
	}
}

// TestMineCut interrupts a mining within the search of the only position of a game, which would
// take for ever, when the end of the game has been met as well: the game does not count as mined.
func TestMineCut(t *testing.T) {
	setups, _, _ := strings.Cut(short, "2g ")
	l := importText(t, 1, setups)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m, err := l.Mine(ctx, Mining{WinIn: 9, Nodes: math.MaxInt64})
	require.NoError(t, err)
	var started atomic.Int32
	err = m.Run(ctx, m.Here(2, func() (*solve.Solver, error) {
		if started.Add(1) == 2 { // one worker has the position, the other one the end of the game
			cancel()
		}
		return solve.New(solve.Options{Memory: 16 << 20, Threads: 1})
	}), func(*Looked) {}, func(g *Game, _ []Found) error {
		t.Errorf("game %d is said to be mined", g.ID)
		return nil
	})
	if !errors.Is(err, context.Canceled) || m.Positions != 1 {
		t.Errorf("the mining of %d positions ended with %v", m.Positions, err)
	}
	require.NoError(t, m.Close())
	if tables := minedTables(t, l); strings.Contains(tables, "mined [1") {
		t.Errorf("the game counts as mined:\n%s", tables)
	}
}

// TestTwoMiners has two processes mine: in the middle of the first the second mines all games. None
// is mined twice, and the first knows the ideas of the second.
func TestTwoMiners(t *testing.T) {
	games := gamesToMine(t, 7)
	for _, nodes := range []uint64{minedNodes, moreNodes} {
		l := importText(t, 1, archive(games))
		other, err := Edit(t.Context(), l.path)
		require.NoError(t, err)
		defer other.Close()
		m, _, err := mineInto(t.Context(), l, Filter{}, minedNodes, 2, func(game int64) {
			if game == 2 {
				_, _, err := mineInto(t.Context(), other, Filter{}, nodes, 2, unread)
				require.NoError(t, err)
			}
		})
		require.NoError(t, err)
		if (m.Before > 0) != (nodes == minedNodes) || (m.Known > 0) == (nodes == minedNodes) {
			t.Errorf("%+v", m)
		}
		var ideas puzzles.Ideas
		firsts := map[int]int64{}
		for _, p := range puzzlesOf(t, l, PuzzleFilter{All: true}, Sort{}) {
			state := arimaa.NewState(p.Position)
			turn, err := notation.PlaySteps(&state, p.Solution)
			require.NoError(t, err)
			idea, first := ideas.Add(p.Position, p.Claim, turn)
			if first {
				firsts[idea] = p.ID
			} else if firsts[idea] != p.Idea {
				t.Errorf("puzzle %d shows the idea of %d, and is said to show that of %d", p.ID, firsts[idea], p.Idea)
			}
			if first != (p.Idea == 0) {
				t.Errorf("puzzle %d: a new idea: %t", p.ID, first)
			}
		}
		require.NoError(t, l.Verify(t.Context(), func(int) {}))
	}
}

// minedLibrary returns a library with mined puzzles, and two imported ones.
func minedLibrary(t testing.TB, games int) *Library {
	t.Helper()
	l := importText(t, 1, archive(gamesToMine(t, games)))
	puzzle := "g [r       Rr     r   E dr                    e  r        RR  RR  R]"
	addText(t, l, 1, "puzzles", "position\tclaim\n"+puzzle+"\t2\n"+boards.Mirror(puzzle)+"\t3\n")
	_, _, err := mineInto(context.Background(), l, Filter{}, minedNodes, 2, unread)
	require.NoError(t, err)
	return l
}

// TestPuzzleFilter compares filters of puzzles with plain conditions on all of them.
func TestPuzzleFilter(t *testing.T) {
	l := minedLibrary(t, 12)
	// The second game has a puzzle with many winning turns.
	_, _, err := mineInto(t.Context(), l, Filter{ID: 2}, moreNodes, 2, unread)
	require.NoError(t, err)
	var every []*Puzzle
	for p, err := range l.Puzzles(t.Context(), &PuzzleFilter{All: true}, Sort{}) {
		require.NoError(t, err)
		every = append(every, p)
	}
	if !slices.ContainsFunc(every, func(p *Puzzle) bool { return p.Origin != nil && p.Origin.Winning > 1 }) {
		t.Error("every puzzle has a single winning turn")
	}
	shown := func(p *Puzzle) float64 { return math.Round(p.Origin.Difficulty*10) / 10 }
	var difficulties []float64
	for _, p := range every {
		if p.Origin != nil {
			difficulties = append(difficulties, shown(p))
		}
	}
	slices.Sort(difficulties)
	middle := difficulties[len(difficulties)/2]
	text, above := fmt.Sprintf("%.1f", middle), fmt.Sprintf("%.2f", middle+0.05)
	for name, c := range map[string]struct {
		f    PuzzleFilter
		is   func(p *Puzzle) bool // of a mined one
		also bool                 // imported ones
	}{
		"all":      {PuzzleFilter{}, func(*Puzzle) bool { return true }, true},
		"theme":    {PuzzleFilter{Themes: describe.Push}, func(p *Puzzle) bool { return p.Origin.Themes&describe.Push != 0 }, false},
		"themes":   {PuzzleFilter{Themes: describe.Goal | describe.Threat}, func(p *Puzzle) bool { return strings.HasPrefix(p.Origin.Themes.String(), "threat") }, false},
		"none":     {PuzzleFilter{Themes: describe.Goal | describe.Quiet | describe.Elimination}, func(*Puzzle) bool { return false }, false},
		"easy":     {PuzzleFilter{Difficulty: Range{To: text}}, func(p *Puzzle) bool { return shown(p) <= middle }, false},
		"hard":     {PuzzleFilter{Difficulty: Range{From: above}}, func(p *Puzzle) bool { return shown(p) > middle }, false},
		"just":     {PuzzleFilter{Difficulty: ParseRange(text)}, func(p *Puzzle) bool { return shown(p) == middle }, false},
		"unique":   {PuzzleFilter{Unique: true}, func(p *Puzzle) bool { return p.Origin.Winning == 1 }, false},
		"game":     {PuzzleFilter{Game: 5}, func(p *Puzzle) bool { return p.Origin.Game == 5 }, false},
		"claim":    {PuzzleFilter{Claim: Range{"2", "2"}, Unique: true}, func(p *Puzzle) bool { return p.Origin.Winning == 1 }, false},
		"together": {PuzzleFilter{Themes: describe.Push, Difficulty: Range{From: "5.2"}}, func(p *Puzzle) bool { return p.Origin.Themes&describe.Push != 0 && shown(p) >= 5.2 }, false},
	} {
		for _, all := range []bool{false, true} {
			for _, falling := range []bool{false, true} {
				c.f.All = all
				var want, got []int64
				for _, p := range every {
					if o := p.Origin; o == nil && c.also || o != nil && c.is(p) && (all || o.Idea == 0) {
						want = append(want, p.ID)
					}
				}
				for p, err := range l.Puzzles(t.Context(), &c.f, Sort{Falling: falling}) {
					require.NoError(t, err)
					got = append(got, p.ID)
				}
				if falling {
					slices.Reverse(want)
				}
				if !slices.Equal(got, want) || all && len(want) == 0 && name != "none" {
					t.Errorf("%s, all: %t: %v, want %v", name, all, got, want)
				}
			}
		}
	}
	last := math.Inf(-1)
	for _, p := range puzzlesOf(t, l, PuzzleFilter{All: true, Claim: ParseRange("2"), Source: "test"}, Sort{By: "difficulty"}) {
		if p.Difficulty < last {
			t.Errorf("difficulty %v behind %v", p.Difficulty, last)
		}
		last = p.Difficulty
	}
	for _, refused := range []struct {
		f     PuzzleFilter
		order Sort
		want  string
	}{
		{PuzzleFilter{Difficulty: Range{From: "hard"}}, Sort{}, `"hard" is no number`},
		{PuzzleFilter{Difficulty: Range{To: "NaN"}}, Sort{}, `"NaN" is no number`},
		{PuzzleFilter{Difficulty: Range{"6.5", "6"}}, Sort{}, "nothing is between 6.5 and 6"},
		{PuzzleFilter{Claim: Range{From: "2.5"}}, Sort{}, `"2.5" is no whole number`},
		{PuzzleFilter{}, Sort{By: "date"}, `order "date": it is one of id, difficulty`},
	} {
		for _, err := range l.Puzzles(t.Context(), &refused.f, refused.order) {
			if !errors.As(err, new(*FilterError)) || !strings.Contains(err.Error(), refused.want) {
				t.Errorf("%+v: %v, want %s", refused, err, refused.want)
			}
		}
	}
}

// TestMineSome mines the games that a filter selects, then all games for longer wins, then the
// games that remain, and says who else writes.
func TestMineSome(t *testing.T) {
	l := importText(t, 1, archive(gamesToMine(t, 5)))
	var mined []int64
	note := func(game int64) { mined = append(mined, game) }
	_, _, err := mineInto(t.Context(), l, Filter{Turns: Range{From: "5"}}, minedNodes, 2, note)
	require.NoError(t, err)
	longer, _, err := mineWith(t.Context(), l, Mining{WinIn: 3, Nodes: minedNodes}, 2, note)
	require.NoError(t, err)
	others, _, err := mineInto(t.Context(), l, Filter{}, minedNodes, 2, note)
	require.NoError(t, err)
	if !slices.Equal(mined, []int64{3, 1, 2, 3, 4, 5, 1, 2, 4, 5}) || longer.Before != 0 || others.Before != 1 {
		t.Errorf("mined: %v; %d games are said to be mined for longer wins, and then %d for others", mined, longer.Before, others.Before)
	}
	require.NoError(t, l.Verify(t.Context(), func(int) {}))
	if _, err := l.Mine(t.Context(), Mining{Games: Filter{Result: "green"}, WinIn: 2, Nodes: 1}); !errors.As(err, new(*FilterError)) {
		t.Errorf("a filter that means nothing: %v", err)
	}
	m, err := l.Mine(t.Context(), Mining{WinIn: 2, Nodes: 1})
	require.NoError(t, err)
	if _, err := l.Mine(t.Context(), Mining{WinIn: 2, Nodes: 1}); !errors.Is(err, ErrInUse) {
		t.Errorf("a second mining: %v", err)
	}
	require.NoError(t, m.Close())
	reader := opened(t, l.path)
	if _, err := reader.Mine(t.Context(), Mining{WinIn: 2, Nodes: 1}); err == nil {
		t.Error("a library that was opened for reading can be mined")
	}
	if _, err := Edit(t.Context(), l.path+"-none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a library that is not there: %v", err)
	}
}

// TestVerifyMined changes the rows of a mined puzzle: Verify says that the library is damaged, of
// some changes even if the digests of the puzzles fit what they have become.
func TestVerifyMined(t *testing.T) {
	l := minedLibrary(t, 3)
	const last = "(SELECT max(puzzle) FROM origin)"
	for _, c := range []struct {
		change string
		fits   bool // the digests are made again
	}{
		{"UPDATE puzzle SET solution = 'Ed6n' WHERE id = " + last, false},
		{"UPDATE puzzle SET solution = 'Ed6n Ed6n' WHERE id = " + last, true},
		{"UPDATE puzzle SET line = line + 1 WHERE id = " + last, false},
		{"UPDATE puzzle SET line = line + 1 WHERE id = " + last, true},
		{"UPDATE puzzle SET number = number + 1 WHERE id = " + last, true},
		{"UPDATE origin SET difficulty = difficulty + 1", false},
		{"UPDATE origin SET at = at + 1 WHERE idea IS NULL", false},
		{"UPDATE origin SET at = at + 1 WHERE idea IS NULL", true},
		{"UPDATE origin SET idea = NULL", false},
		{"UPDATE origin SET idea = 1 WHERE idea IS NOT NULL", false},
		// This one was imported.
		{"UPDATE origin SET idea = 1 WHERE idea IS NOT NULL", true},
		// This one is not the first that shows its idea.
		{"UPDATE origin SET idea = (SELECT max(puzzle) - 1 FROM origin) WHERE puzzle = " + last, true},
		// This one comes later.
		{"UPDATE origin SET idea = iif(puzzle = " + last + ", NULL, " + last + ")", true},
		{"UPDATE theme SET name = 'quiet' WHERE name = 'threat'", false},
		{"UPDATE theme SET name = 'beauty' WHERE name = 'threat'", false},
		{"DELETE FROM theme WHERE name = 'goal'", false},
		{"INSERT INTO theme VALUES ('goal', 1)", false},
		{"DELETE FROM mined", false},
	} {
		_, err := l.write.ExecContext(t.Context(), "BEGIN")
		require.NoError(t, err)
		result, err := l.write.ExecContext(t.Context(), c.change)
		require.NoError(t, err)
		if n, _ := result.RowsAffected(); n == 0 {
			t.Errorf("%s changes nothing", c.change)
		}
		v := &view{l, l.write}
		if c.fits {
			identify(t, v)
		}
		err = v.verify(t.Context(), func(int) {})
		if !errors.Is(err, ErrDamaged) || c.fits && strings.Contains(err.Error(), "it is not the puzzle that was added") {
			t.Errorf("%s, digests that fit: %t: %v", c.change, c.fits, err)
		}
		_, err = l.write.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
	}
	require.NoError(t, l.Verify(t.Context(), func(int) {}))
}

// identify makes the digests of mined puzzles again, from what the tables say.
func identify(t testing.TB, v *view) {
	t.Helper()
	var mined []*Puzzle
	require.NoError(t, v.puzzles(t.Context(), &PuzzleFilter{All: true}, Sort{}, func(p *Puzzle) bool {
		if p.Origin != nil {
			mined = append(mined, p)
		}
		return true
	}))
	for _, p := range mined {
		_, err := v.c.ExecContext(t.Context(), "UPDATE puzzle SET identity = ? WHERE id = ?", p.identity(0), p.ID)
		require.NoError(t, err)
	}
}
