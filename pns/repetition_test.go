package pns

import (
	"fmt"
	"slices"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
	"goalproof/tables/endgame"
)

// forcedReturn is a board on which a turn of gold leaves silver a single turn, and that turn brings
// the board back.
const forcedReturn = `
	3 .r......
	2 cEdR....
	1 .cC.....`

// returns draws forcedReturn, mirrored or turned over.
func returns(t testing.TB) *rapid.Generator[string] {
	text := drawn(t, arimaa.Gold, forcedReturn).String()
	return rapid.SampledFrom([]string{text, boards.Mirror(text), boards.Swap(text), boards.Swap(boards.Mirror(text))})
}

// TestWinByRepetition follows the board on which the rule of the third repetition decides: gold has
// no win in two by itself, but takes silver's only reply away.
func TestWinByRepetition(t *testing.T) {
	root := drawn(t, arimaa.Gold, forcedReturn)
	there := turn(t, "ca2s Eb2w Ea2e")
	s := fresh(t, 16)
	check := func(name string, g *arimaa.Game, n int, want answer.Verdict) {
		t.Helper()
		q := Question{Position: root, N: n, Game: g}
		if got := ask(s, q); got.Verdict != want {
			t.Errorf("%s: a win in %d is %v (%v), want %v", name, n, got.Verdict, got.Stop, want)
		}
	}
	check("without a history", nil, 1, answer.Disproved)
	check("without a history", nil, 2, answer.Disproved)

	g := arimaa.NewGame(root, 0)
	check("at the game's beginning", g, 1, answer.Disproved)
	check("at the game's beginning", g, 2, answer.Proved)

	back, ok := root.Try(there)
	if !ok {
		t.Fatal("the turn is not legal")
	}
	var replies arimaa.Generator
	if n := replies.Generate(&back); n != 1 || *replies.Board(0) != root.Board {
		t.Fatalf("%d replies, want one that restores the board", n)
	}
	for _, t1 := range []arimaa.Turn{there, replies.Turn(0)} {
		require.NoError(t, g.Play(t1))
	}
	// The root stands for the second time: the same reply would be the third.
	check("after one return", g, 1, answer.Proved)
	check("after one return", g, 2, answer.Proved)
	if got := ask(s, Question{Position: root, N: 1, Game: g}); got.Turn.Len() > 0 {
		require.NoError(t, g.Play(got.Turn))
		if o := g.Outcome(); o.Winner != arimaa.Gold || o.Reason != arimaa.Repetition {
			t.Errorf("after %v: %v by %v", got.Turn, o.Winner, o.Reason)
		}
	}
}

// shuffled draws a short game from a position: turns at random, and turns by which a side puts its
// pieces back to where they stood before its last turn, so that positions come again.
func shuffled(t *rapid.T, start arimaa.Position) *arimaa.Game {
	game := arimaa.NewGame(start, 0)
	var g arimaa.Generator
	own := func(b *arimaa.Board, side arimaa.Side) arimaa.Board {
		only := *b
		for rest := b.Of(side.Other()); rest != 0; rest = rest.Rest() {
			only.Put(rest.First(), arimaa.Empty)
		}
		return only
	}
	length := rapid.IntRange(0, 10).Draw(t, "turns")
	for i := range length {
		p := game.Last()
		n := g.Generate(&p)
		if n == 0 || game.Outcome().Over() {
			break
		}
		choice := rapid.IntRange(0, n-1).Draw(t, "turn")
		if i >= 2 && rapid.IntRange(0, 7).Draw(t, "back") > 0 {
			before := game.Position(i - 2)
			for j := range n {
				if own(g.Board(j), p.Side()) == own(&before.Board, p.Side()) {
					choice = j
					break
				}
			}
		}
		if game.Play(g.Turn(choice)) != nil {
			break // a third repetition
		}
		if game.Outcome().Over() {
			require.NoError(t, game.TakeBack())
			break
		}
	}
	return game
}

// TestGamesAsReferee compares the verdicts after short games with complete enumeration under the
// full rule.
func TestGamesAsReferee(t *testing.T) { withAndWithoutTables(t, gamesAsReferee) }

func gamesAsReferee(t *testing.T, ts *endgame.Tables) {
	var g arimaa.Generator
	s, bare := fresh(t, 16), fresh(t, 16)
	s.UseEndgames(ts)
	tally := map[string]int{}
	drawings := rapid.OneOf(small(), jammed(), jammed(), jammed(), returns(t))
	if ts != nil {
		drawings = rapid.OneOf(drawings, boards.Few(0), boards.Few(1), edge(), edge(), edge())
	}
	boards.Check(t, 280, 3_000, func(t *rapid.T) {
		start := boards.Parse(t, drawings.Draw(t, "position"))
		if work(&g, start, 1) > affordableCounted[1] {
			return
		}
		game := shuffled(t, start)
		var occurred []referee.State
		for i := range game.Len() + 1 {
			occurred = append(occurred, load.State(t, game.Position(i)))
		}
		compareWithHistory(t, s, bare, Question{Position: game.Last(), Game: game}, occurred, tally)
	})
	boards.ExpectAll(t, tally, "no win in 1", "win in 1", "no win in 2", "win in 2", "win in 2 by repetition")
}

// TestTooLateToLose takes every reply away but one that loses at once. That is not a win in one,
// because it is not the attacker's turn that wins, but a win in two.
func TestTooLateToLose(t *testing.T) {
	root := drawn(t, arimaa.Gold, `
		5 ..r.....
		2 R.......
		1 .......C`)
	after, ok := root.Try(turn(t, "Ch1w"))
	if !ok {
		t.Fatal("the turn is not legal")
	}
	var counts history
	counts.record(root)
	occurred := []referee.State{load.State(t, root)}
	suicides := 0
	var g arimaa.Generator
	for i := range g.Generate(&after) {
		if o := g.Board(i).Ended(arimaa.Silver); o.Over() {
			if o.Winner != arimaa.Gold {
				t.Fatal("silver can win")
			}
			suicides++
			continue
		}
		reply := g.Position(i, arimaa.Silver)
		counts.record(reply)
		counts.record(reply)
		occurred = append(occurred, load.State(t, reply), load.State(t, reply))
	}
	if suicides != 1 {
		t.Fatalf("%d replies lose at once, want 1", suicides)
	}
	s := fresh(t, 16)
	s.evaluator = &counted{s.evaluator, s, counts}
	for n, want := range []answer.Verdict{1: answer.Disproved, 2: answer.Proved} {
		if n == 0 {
			continue
		}
		q := Question{Position: root, N: n, Game: arimaa.NewGame(root, 0)}
		if got := ask(s, q); got.Verdict != want {
			t.Errorf("a win in %d is %v, want %v", n, got.Verdict, want)
		}
		if got := verdict(historyOf(occurred...).WinIn(load.State(t, root), n)); got != want {
			t.Errorf("a win in %d: the referee says %v, want %v", n, got, want)
		}
	}
}

// counted is a judge that puts made-up counts in the place of those of a game.
type counted struct {
	evaluator
	s      *Solver
	counts history
}

func (c *counted) begin(attacker arimaa.Side) {
	c.s.history = c.counts
	c.evaluator.begin(attacker)
}

// TestCountsAsReferee compares the verdicts with made-up histories in which many positions within
// reach have occurred before: no game is that unlucky, but each count may occur in one.
func TestCountsAsReferee(t *testing.T) { withAndWithoutTables(t, countsAsReferee) }

func countsAsReferee(t *testing.T, ts *endgame.Tables) {
	var g arimaa.Generator
	s, bare := fresh(t, 16), fresh(t, 16)
	s.UseEndgames(ts)
	evaluator := s.evaluator
	tally := map[string]int{}
	drawings := rapid.OneOf(small(), jammed(), jammed(), jammed(), returns(t))
	if ts != nil {
		drawings = rapid.OneOf(drawings, boards.Few(0), boards.Few(1), edge(), edge(), edge())
	}
	boards.Check(t, 100, 3_000, func(t *rapid.T) {
		root := boards.Parse(t, drawings.Draw(t, "position"))
		if work(&g, root, 1) > affordableCounted[1] {
			return
		}
		if _, ok := evaluator.winsNow(&root); ok && rapid.IntRange(0, 4).Draw(t, "won") > 0 {
			return // no repetition changes that
		}
		counts, occurred := unlucky(t, &g, root, evaluator)
		s.evaluator = &counted{evaluator, s, counts}
		// The game only says that there is a history.
		compareWithHistory(t, s, bare, Question{Position: root, Game: arimaa.NewGame(root, 0)}, occurred, tally)
	})
	boards.ExpectAll(t, tally, "no win in 1", "win in 1", "no win in 2", "win in 2", "win in 1 by repetition",
		"win in 2 by repetition", "no win in 2 by repetition")
}

// unlucky draws a made-up history in which many positions within reach of a root have occurred.
func unlucky(t *rapid.T, g *arimaa.Generator, root arimaa.Position, evaluator evaluator) (counts history, occurred []referee.State) {
	counts.record(root)
	occurred = append(occurred, load.State(t, root))
	add := func(p arimaa.Position, times int) {
		// No game continues after a win.
		if p.Board.Ended(p.Side().Other()).Over() {
			return
		}
		for ; times > 0; times-- {
			counts.record(p)
			occurred = append(occurred, load.State(t, p))
		}
	}
	add(root, rapid.IntRange(0, 1).Draw(t, "root"))
	// Some lines of four turns are looked at: of the positions after each of their first three
	// turns so many of eight have occurred, all of them twice or some. The key of a position is as
	// good as a throw of dice.
	throw := rapid.IntRange(0, 50).Draw(t, "throw")
	for range rapid.IntRange(1, 3).Draw(t, "lines") {
		p := root
		for i := range 3 {
			n := g.Generate(&p)
			if n == 0 {
				break
			}
			// The defender's replies count most.
			share := rapid.SampledFrom([][]int{{0, 0, 1, 7, 8}, {0, 6, 8, 8}, {0, 0, 1, 4}}[i]).Draw(t, "share")
			always := rapid.IntRange(0, 3).Draw(t, "always twice") > 0
			on := g.Position(rapid.IntRange(0, n-1).Draw(t, "on"), p.Side())
			if i == 0 && rapid.IntRange(0, 3).Draw(t, "narrow") > 0 {
				on = fewestReplies(g, p, evaluator)
			}
			for j := range n {
				next := g.Position(j, p.Side())
				dice := next.PiecesKey().Hi >> throw
				if counts.count[next] == 0 && int(dice&7) < share {
					if always || dice>>3&1 != 0 {
						add(next, 1)
					}
					add(next, 1)
				}
			}
			if p = on; p.Board.Ended(p.Side().Other()).Over() {
				break
			}
		}
	}
	return counts, occurred
}

// fewestReplies returns what a turn leads to after which the other side has the fewest turns, and
// none that wins: where that side comes nearest to having no turn at all. The generator holds the
// results of the turn.
func fewestReplies(g *arimaa.Generator, p arimaa.Position, j evaluator) arimaa.Position {
	var replies arimaa.Generator
	best, fewest := g.Position(0, p.Side()), 1<<30
	for i := range g.Len() {
		next := g.Position(i, p.Side())
		if next.Board.Ended(p.Side()).Over() {
			continue
		}
		if n := replies.Generate(&next); n < fewest {
			if _, ok := j.winsNow(&next); !ok {
				best, fewest = next, n
			}
		}
	}
	return best
}

// TestStepsBetween checks that no way between two boards is shorter than the bound.
func TestStepsBetween(t *testing.T) {
	const limit = 8
	reached := 0
	boards.Check(t, 400, 10_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		start, steps := p.Board, 0
		var options []arimaa.Option
		for steps < limit {
			if p.StepsLeft() == 0 || rapid.IntRange(0, 9).Draw(t, "end") == 0 {
				p = p.EndTurn()
			}
			if options = p.Options(options[:0]); len(options) == 0 {
				break
			}
			o := rapid.SampledFrom(options).Draw(t, "option")
			p = p.After(o)
			steps += o.Steps()
			bound := stepsBetween(&start, &p.Board, limit)
			if bound > steps {
				t.Fatalf("%v is %d steps away, at least %d", p, steps, bound)
			}
			if bound == limit {
				reached++
			}
		}
	})
	if reached == 0 {
		t.Error("no board was as far away as steps can lead")
	}

	for _, tt := range []struct {
		from, to string
		want     int
	}{
		{"1 R......r", "1 R......r", 0},
		{"1 R......r", "1 .R.....r", 1},
		{"1 R......r", "1 ....R..r", 4},
		{"1 RR.....r", "1 .R.R...r", 2}, // either rabbit may have gone there
		{"1 RC.....r", "1 CR.....r", 2},
		{"1 RC.....r", "1 R......r", 0}, // a piece less
		{"1 R......r", "1 RC.....r", limit + 1},
		{"1 R......r", "1 r......r", limit + 1},
		{"1 R......r", "1 R......R", limit + 1},
	} {
		from, to := drawn(t, arimaa.Gold, tt.from), drawn(t, arimaa.Gold, tt.to)
		if got := stepsBetween(&from.Board, &to.Board, limit); got != tt.want {
			t.Errorf("from %q to %q: %d, want %d", tt.from, tt.to, got, tt.want)
		}
	}
}

// TestRepetitionOutOfReach asks a question after a game in which positions have occurred twice,
// with a piece more than now: the search is the same as without the game.
func TestRepetitionOutOfReach(t *testing.T) {
	g := arimaa.NewGame(drawn(t, arimaa.Gold, `
		8 r....c..
		4 ..hE....
		3 R......r
		2 .......C`), 0)
	for _, text := range []string{
		"Ch2w", "cf8w", "Cg2e", "ce8e", // and all is as it was
		"hc4s Ed4w", "cf8w", // the horse is captured
	} {
		require.NoError(t, g.Play(turn(t, text)))
	}
	if len(g.Twice(arimaa.Gold)) != 1 {
		t.Fatal("no position has occurred twice")
	}
	s := fresh(t, 16)
	for n := 1; n <= 2; n++ {
		with := ask(s, Question{Position: g.Last(), N: n, Game: g})
		without := ask(s, Question{Position: g.Last(), N: n})
		if with != without || n == 2 && with.Nodes < 100 {
			t.Errorf("a win in %d: %+v, without the game %+v", n, with, without)
		}
	}
}

// historyOf counts positions that have occurred, the first one of the game first.
func historyOf(occurred ...referee.State) *referee.History {
	h := referee.NewHistory(occurred[0])
	for _, st := range occurred[1:] {
		h.Add(st.Board, st.Side)
	}
	return h
}

// compareWithHistory compares the verdicts for up to three turns with the referee's, and counts
// those that the rule of the third repetition has changed, as bare, which is not asked with a
// history, finds.
func compareWithHistory(t rapid.TB, s, bare *Solver, q Question, occurred []referee.State, tally map[string]int) {
	t.Helper()
	var g arimaa.Generator
	st := load.State(t, q.Position)
	cost := work(&g, q.Position, 1)
	for n := 1; n <= 3 && cost <= affordableCounted[n]; n++ {
		q.N = n
		want := verdict(historyOf(occurred...).WinIn(st, n))
		got := ask(s, q)
		if got.Verdict != want {
			t.Fatalf("%v: a win in %d is %v (%v), the referee says %v", q.Position, n, got.Verdict, got.Stop, want)
		}
		if s.Probes() > 0 {
			tally["by endgame tables"]++
		}
		name := fmt.Sprintf("no win in %d", n)
		if want == answer.Proved {
			name = fmt.Sprintf("win in %d", n)
			checkWinWithHistory(t, q.Position, got.Turn, n, occurred)
		}
		tally[name]++
		if ask(bare, Question{Position: q.Position, N: n}).Verdict != want {
			tally[name+" by repetition"]++
		}
	}
}

// checkWinWithHistory checks with the referee that a first turn keeps a win in n under the full
// rule.
func checkWinWithHistory(t rapid.TB, p arimaa.Position, first arimaa.Turn, n int, occurred []referee.State) {
	t.Helper()
	st, h := load.State(t, p), historyOf(occurred...)
	_, end, err := st.ReadTurn(first.String())
	if err != nil {
		t.Fatalf("%v: the first turn: %v", p, err)
	}
	next, err := h.Stop(end)
	if err != nil {
		t.Fatalf("%v: the first turn %v: %v", p, first, err)
	}
	if winner, reason, over := h.Outcome(next.Board, st.Side); over {
		if winner != st.Side {
			t.Fatalf("%v: %v loses by %v", p, first, reason)
		}
		return
	}
	if n == 1 {
		t.Fatalf("%v: %v does not win in 1", p, first)
	}
	for _, reply := range referee.Results(next) {
		h := historyOf(append(slices.Clip(occurred), next)...)
		if !h.Allowed(reply.Board, st.Side) {
			continue
		}
		winner, reason, over := h.Outcome(reply.Board, next.Side)
		if over && winner != st.Side {
			t.Fatalf("%v: after %v the reply %v wins by %v", p, first, reply.Turn, reason)
		}
		h.Add(reply.Board, st.Side)
		if !over && !h.WinIn(referee.NewState(reply.Board, st.Side), n-1) {
			t.Fatalf("%v: %v leaves no win in %d after %v", p, first, n-1, reply.Turn)
		}
	}
}
