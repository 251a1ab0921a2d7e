package engine

import (
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// minimax is the reference: all options to a depth in steps, then the static evaluation. Start is
// the board at the root of the turn, ply the number of steps from the root.
func minimax(w *worker, p arimaa.Position, start arimaa.Board, depth, ply int) int {
	if p.StepsLeft() == arimaa.StepsPerTurn {
		start = p.Board
	}
	end := func(p arimaa.Position, depth, ply int) int {
		switch o := p.Ended(p.Side()); {
		case p.Board == start:
			return illegal
		case o.Over() && o.Winner == p.Side():
			return win - ply
		case o.Over():
			return ply - win
		}
		next := p.EndTurn()
		if depth <= 0 {
			return -w.static(&next)
		}
		return -minimax(w, next, next.Board, depth, ply+p.StepsLeft())
	}
	if depth <= 0 {
		return end(p, 0, ply)
	}
	best := end(p, depth-p.StepsLeft(), ply)
	for _, o := range p.Options(nil) {
		score := 0
		if after := p.After(o); after.StepsLeft() == 0 {
			score = end(after, depth-o.Steps(), ply+o.Steps())
		} else {
			score = minimax(w, after, start, depth-o.Steps(), ply+o.Steps())
		}
		best = max(best, score)
	}
	if best == illegal && p.StepsLeft() == arimaa.StepsPerTurn {
		return ply - win
	}
	return best
}

// exact are the techniques that change scores, without which the search is minimax. (Hybrid is one
// because whole captures may be longer than the depth.)
const exact = Probe | Goal | Futility | Ordering | Reductions | Horizon | Hybrid

// TestMinimax compares the search with minimax: move ordering, the transposition table, principal
// variation search and several workers must not change scores.
func TestMinimax(t *testing.T) {
	plain := newWorker(newEngine(t, Options{}))
	random := rand.New(rand.NewPCG(1, 2))
	n, deepest := boards.Sized(3, 60), boards.Sized(5, 6)
	for i := range n {
		p := sparse(random, 2+i%5)
		if p.Board.Ended(p.Side().Other()).Over() || p.Undefended() != 0 {
			continue
		}
		for depth := 1; depth <= deepest; depth++ {
			want := minimax(plain, p, p.Board, depth, 0)
			for _, without := range []Part{exact, exact | Killers} {
				for threads := 1; threads <= 3; threads++ {
					e := newEngine(t, Options{Without: without, Threads: threads, Memory: LeastMemory})
					got := search(t, e, p, Limits{Depth: depth})
					if got.Depth < depth && got.Score < Won && got.Score > -Won {
						t.Fatalf("%v, depth %d, %d threads: only %d", p, depth, threads, got.Depth)
					}
					if got.Depth == depth && got.Score != want {
						t.Fatalf("%v, depth %d, without %v, %d threads: score %d, want %d", p, depth, without, threads, got.Score, want)
					}
				}
			}
		}
	}
}

// TestDeferred marks all first options as being searched by another worker: they are deferred, and
// none is lost.
func TestDeferred(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	plain := newWorker(newEngine(t, Options{}))
	deferred := 0
	for range 10 {
		p := sparse(random, 3)
		if p.Board.Ended(p.Side().Other()).Over() || p.Undefended() != 0 {
			continue
		}
		e := newEngine(t, Options{Without: exact, Threads: 2})
		const depth = 4
		r := newRun(arimaa.NewGame(p, 2), Limits{Depth: depth})
		w := e.workers[0]
		w.run = r
		w.startTurn(&p, 0)
		for _, o := range p.Options(nil) {
			after := p.After(o)
			w.mark(&child{p: &after, depth: minMarkedDepth})
		}
		w.deepen(r)
		deferred += len(w.stack[0].deferred)
		if want := minimax(plain, p, p.Board, depth, 0); r.shared.best.Score != want {
			t.Errorf("%v: score %d, want %d", p, r.shared.best.Score, want)
		}
	}
	if deferred == 0 {
		t.Error("nothing is deferred")
	}
}

// sparse returns a random position with a number of pieces on each side, at least one rabbit among
// them.
func sparse(random *rand.Rand, pieces int) arimaa.Position {
	var b arimaa.Board
	squares := random.Perm(64)
	for side := range arimaa.Side(2) {
		for i := range pieces {
			kind := arimaa.Rabbit
			if i > 0 {
				kind = arimaa.Kind(1 + random.IntN(6))
			}
			b.Put(arimaa.Square(squares[0]), arimaa.NewPiece(side, kind))
			squares = squares[1:]
		}
	}
	return arimaa.NewPosition(b, arimaa.Side(random.IntN(2)))
}

// TestCachedScore enters scores at the horizon into the cache, each with the static score of the
// turn's end, and asks for them with other windows: an answer is a cutoff that the score entered
// last allows, for a position with as many steps left.
func TestCachedScore(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	w := newWorker(newEngine(t, Options{}))
	cutoffs, none := 0, 0
	for range 3000 {
		p := sparse(random, 1+random.IntN(5))
		if options := p.Options(nil); len(options) > 0 && random.IntN(2) == 0 {
			p = p.After(options[random.IntN(len(options))])
		}
		next := p.EndTurn()
		static := w.static(&next)
		key, ply := p.Key().Lo, random.IntN(20)
		alpha := random.IntN(200)
		score := random.IntN(200)
		w.cacheScore(&p, key, ply, score, alpha, alpha+1)
		for range 20 {
			low := random.IntN(200)
			high := low + 1 + random.IntN(2)
			got, ok := w.cachedScore(&p, key, ply, low, high)
			want := high == low+1 && (score > alpha && score >= high || score <= alpha && score <= low)
			if ok != want || ok && got != score {
				t.Fatalf("%v: %d in the window from %d, then %d (%v) in that from %d to %d", p, score, alpha, got, ok, low, high)
			}
			if ok {
				cutoffs++
			} else {
				none++
			}
		}
		if _, ok := w.cachedScore(&p, key+1, ply, score-1, score); ok {
			t.Fatalf("%v: the score of another key", p)
		}
		if s := w.static(&next); s != static {
			t.Fatalf("%v: a static score of %d, then of %d", next, static, s)
		}
	}
	if cutoffs < 1000 || none < 1000 {
		t.Errorf("%d cutoffs, %d times none: too few", cutoffs, none)
	}
}

// TestCache asks about the roots of turns again and again, in another order each time: the answers
// stay those of package goal and of the evaluation. A small share of the boards has a win and no
// goal.
func TestCache(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	w := newWorker(newEngine(t, Options{}))
	var d goal.Detector
	goals, others := 0, 0
	for range 3000 {
		p := sparse(random, 1+random.IntN(5))
		distance, _ := d.Goal(&p, &p.Board)
		_, wins := d.CanWin(&p, &p.Board)
		score := w.evaluator.Score(&p.Board, p.Side())
		switch {
		case distance != goal.None:
			goals++
		case wins:
			others++
		}
		for range 6 {
			switch random.IntN(3) {
			case 0:
				if _, ok := w.canWin(&p); ok != wins {
					t.Fatalf("%v: canWin says %v, package goal %v", p, ok, wins)
				}
			case 1:
				if ok := w.hasGoal(&p); ok != (distance != goal.None) {
					t.Fatalf("%v: hasGoal says %v, package goal %v", p, ok, distance)
				}
			default:
				if s := w.static(&p); s != score {
					t.Fatalf("%v: a static score of %d, then of %d", p, score, s)
				}
			}
		}
	}
	if goals < 100 || others < 20 {
		t.Errorf("%d boards have a goal, %d another win: too few", goals, others)
	}
}

// threatened returns n positions of the published games in which the side to move has no win, must
// stop one by the opponent's next turn, and can.
func threatened(t testing.TB, n int) (all []arimaa.Position) {
	var d goal.Detector
	positions := gamePositions(t)
	rand.New(rand.NewPCG(300, 1)).Shuffle(len(positions), func(i, j int) {
		positions[i], positions[j] = positions[j], positions[i]
	})
	for _, p := range positions {
		if len(all) == n {
			break
		}
		passed := p.EndTurn()
		if _, wins := d.CanWin(&p, &p.Board); wins || p.Undefended() != 0 {
			continue
		}
		if _, wins := d.CanWin(&passed, &passed.Board); !wins {
			continue
		}
		if _, holds := d.Defence(&p); holds {
			all = append(all, p)
		}
	}
	return all
}

// TestStopsGoals lets the engine play where it must stop a win and can. The detector, and a listing
// of every reply, confirm that it does.
func TestStopsGoals(t *testing.T) {
	n := boards.Sized(2, 300)
	positions := threatened(t, n)
	if len(positions) < n {
		t.Fatalf("only %d positions", len(positions))
	}
	e := newEngine(t, Options{})
	var d goal.Detector
	var g arimaa.Generator
	for _, p := range positions {
		e.Forget()
		r := search(t, e, p, Limits{Nodes: 20_000})
		after, _ := p.Try(r.Turn)
		if o := after.Board.Ended(p.Side()); o.Over() {
			t.Errorf("%v: %v ends the game: %v", p, r.Turn, o)
			continue
		}
		if win, ok := d.CanWin(&after, &after.Board); ok {
			t.Errorf("%v: %v does not stop %v", p, r.Turn, win)
		}
		for i := range g.Generate(&after) {
			if o := g.Board(i).Ended(after.Side()); o.Over() && o.Winner == after.Side() {
				t.Errorf("%v: %v does not stop %v", p, r.Turn, g.Turn(i))
				break
			}
		}
	}
}

// TestUnchanged asks at the horizon about points where the board is that of the turn root: the
// score is illegal, as the turn must not end there.
func TestUnchanged(t *testing.T) {
	w := newWorker(newEngine(t, Options{}))
	w.run, w.depth = newRun(arimaa.NewGame(arimaa.Position{}, 2), Limits{}), 1
	for i, p := range gamePositions(t) {
		if i%5 != 0 || p.Undefended() != 0 {
			continue
		}
		for left := 1; left < arimaa.StepsPerTurn; left++ {
			w.startTurn(&p, 0)
			at := &w.stack[1]
			at.clear()
			at.position = p.WithStepsLeft(left)
			if score := w.pointAtHorizon(&at.position, 0, 1, -infinite, infinite); score != illegal {
				t.Fatalf("%v with %d steps left: score %d", p, left, score)
			}
		}
	}
}

// TestTurnAtHorizon asks for the score of roots of turns at which the opponent threatens a goal and
// the side to move has no win. It is that of a loss exactly if the opponent can win after each
// turn, of those that are listed one by one.
func TestTurnAtHorizon(t *testing.T) {
	w := newWorker(newEngine(t, Options{}))
	w.run, w.depth = newRun(arimaa.NewGame(arimaa.Position{}, 2), Limits{}), 1
	var d goal.Detector
	var g arimaa.Generator
	lost, held := 0, 0
	for _, p := range gamePositions(t) {
		if _, wins := d.CanWin(&p, &p.Board); wins || !w.threatensGoal(&p, 1) {
			continue
		}
		if held >= 10 && lost >= 10 {
			break
		}
		want := true
		for i := range g.Generate(&p) {
			after := arimaa.NewPosition(*g.Board(i), p.Side().Other())
			if after.Board.Ended(p.Side()).Over() {
				continue
			}
			if _, wins := d.CanWin(&after, &after.Board); !wins {
				want = false
				break
			}
		}
		if got := w.turnAtHorizon(&p, 0, 1) <= -Won; got != want {
			t.Fatalf("%v: a score of a loss: %v, but each turn loses: %v", p, got, want)
		}
		if want {
			lost++
		} else {
			held++
		}
	}
	if lost < 3 || held < 3 {
		t.Errorf("%d positions are lost, %d are not: too few", lost, held)
	}
}

// TestPlaysGoals lets the engine play every published position with a goal in this turn.
func TestPlaysGoals(t *testing.T) {
	apart := boards.Sized(10, 1)
	with, without := newEngine(t, Options{}), newEngine(t, Options{Without: Probe})
	for _, file := range []string{"composed.tsv", "from-games.tsv"} {
		played := 0
		for i, row := range published.Rows(t, "goal-this-turn/"+file) {
			if row[1] == "0" || i%apart != 0 {
				continue
			}
			p := boards.Parse(t, row[0])
			for _, e := range []*Engine{with, without} {
				r := search(t, e, p, Limits{Depth: 4})
				after, _ := p.Try(r.Turn)
				if o := after.Board.Ended(p.Side()); !o.Over() || o.Winner != p.Side() || r.Score < Won {
					t.Errorf("%v: %v, score %d, does not win", p, r.Turn, r.Score)
				}
			}
			played++
		}
		if played == 0 {
			t.Errorf("%s: no row with a goal", file)
		}
		t.Logf("%s: %d rows with a goal", file, played)
	}
}

// TestThirdRepetition searches where the best turn would repeat a position for the third time, with
// a table filled by searches without that history.
func TestThirdRepetition(t *testing.T) {
	p := boards.Parse(t, "g [  r  r     e         h   m                     E     R    R  M  ]")
	e := newEngine(t, Options{})
	forbidden := map[arimaa.Turn]bool{}
	g := arimaa.NewGame(p, 2)
	for range 8 {
		r := newRun(g, Limits{Depth: 5})
		for turn := range forbidden {
			after, _ := p.Try(turn)
			r.past = append(r.past, occurrence{after.Board, after.Side(), 2})
		}
		for i := range r.filter {
			r.filter[i] = ^uint64(0)
		}
		e.workers[0].deepen(r)
		turn := r.shared.best.Turn
		after, ok := p.Try(turn)
		if !ok || r.occurrences(&after) >= 2 {
			t.Errorf("%v is not allowed", turn)
		}
		forbidden[turn] = true
	}
}

// TestForbiddenWhenLost excludes turns one by one, and forbids them by repetition, in lost
// positions: there the search prunes what cannot stop the opponent, and must not end a turn that is
// forbidden.
func TestForbiddenWhenLost(t *testing.T) {
	for _, text := range []string{
		"g [                                 r                 R            ]",
		"g [        R          r                       h                    ]",
	} {
		p := boards.Parse(t, text)
		for threads, depth := range []int{4, 6} {
			used := newEngine(t, Options{Without: Probe, Threads: threads + 1})
			l := Limits{Depth: depth}
			for range 6 {
				r := search(t, used, p, l)
				after, _ := p.Try(r.Turn)
				for _, old := range l.Exclude {
					if before, _ := p.Try(old); before == after {
						t.Fatalf("%v, depth %d: %v again, as %v", p, depth, old, r.Turn)
					}
				}
				fresh := search(t, newEngine(t, Options{Without: Probe}), p, l)
				if r.Score != fresh.Score && (r.Score >= Won || fresh.Score >= Won) {
					t.Errorf("%v, depth %d, without %v: score %d by %v, by a new engine %d by %v", p, depth, l.Exclude, r.Score, r.Turn, fresh.Score, fresh.Turn)
				}
				l.Exclude = append(l.Exclude, r.Turn)
			}
		}
	}
}

// TestForbiddenMidTurn searches where every single step of Silver would repeat a position for the
// third time, but two steps are allowed: Silver is not without a turn.
func TestForbiddenMidTurn(t *testing.T) {
	g := arimaa.NewGame(boards.Parse(t, "g [ e      E                D   Mh  r   C D              HrR       ]"), 2)
	for _, text := range []string{"Dh4w", "eb8w", "Dg4e", "ea8e", "Dh4w", "eb8w"} {
		require.NoError(t, notation.Play(g, text))
	}
	r, err := newEngine(t, Options{}).Search(t.Context(), g, Limits{Depth: 6}, nil)
	if err != nil || r.Score >= Won || r.Depth < 6 {
		t.Errorf("%v: score %d, depth %d, %v", r.Turn, r.Score, r.Depth, err)
	}
}

// TestForbiddenForgotten searches a position whose best turn is excluded, or forbidden by
// repetition, and then the same position freely: the table must not hide that turn.
func TestForbiddenForgotten(t *testing.T) {
	p := boards.Parse(t, "g [ c  rr  r d  rdr h  E h      R       e r HDD  HR RRR RC  C    R ]")
	o, l := Options{Without: Probe | Network}, Limits{Depth: 5}
	fresh := search(t, newEngine(t, o), p, l)
	excepted := newEngine(t, o)
	search(t, excepted, p, Limits{Depth: l.Depth, Exclude: []arimaa.Turn{fresh.Turn}})
	g := arimaa.NewGame(boards.Parse(t, "s [ cd rr  r E  rdr h    h      R       e r HDD  HR RRR RC  C    R ]"), 2)
	for _, text := range []string{"ef4w", "Ec7e dc8s Ed7s Ed6e", "ee4e", "Ee6w Ed6n dc7n Ed7w", "ef4w", "Ec7e dc8s Ed7s Ed6e", "ee4e"} {
		require.NoError(t, notation.Play(g, text))
	}
	repeated := newEngine(t, o)
	r, err := repeated.Search(t.Context(), g, l, nil)
	if err != nil || g.Last() != p || r.Turn == fresh.Turn {
		t.Fatalf("%v, %v in the game", r.Turn, err)
	}
	for name, e := range map[string]*Engine{"excepted": excepted, "repeated": repeated} {
		if again := search(t, e, p, l); again.Score != fresh.Score {
			t.Errorf("%s: %v %d, by a new engine %v %d", name, again.Turn, again.Score, fresh.Turn, fresh.Score)
		}
	}
}

// TestPrefix compares the search of turns with a prefix with minimax.
func TestPrefix(t *testing.T) {
	plain := newWorker(newEngine(t, Options{}))
	random := rand.New(rand.NewPCG(1, 4))
	searches := 0
	for i := range 60 {
		p := sparse(random, 2+i%4)
		if p.Board.Ended(p.Side().Other()).Over() || p.Undefended() != 0 {
			continue
		}
		var begins arimaa.Turn
		at := p
		for range 1 + i%3 {
			if options := at.Options(nil); len(options) > 0 {
				o := options[random.IntN(len(options))]
				begins, at = begins.WithOption(o), at.After(o)
			}
		}
		for threads := 1; threads <= 2; threads++ {
			for _, o := range []Options{{Without: exact, Threads: threads}, {Threads: threads}} {
				l := Limits{Depth: 5, Prefix: begins}
				r, err := newEngine(t, o).Search(t.Context(), arimaa.NewGame(p, 2), l, nil)
				_, legal := p.Try(r.Turn)
				want := illegal
				if begins.Len() > 0 {
					want = minimax(plain, at, p.Board, l.Depth-begins.Len(), begins.Len())
				}
				switch {
				case begins.Len() == 0:
				case want == illegal && err != ErrNoTurn:
					t.Errorf("%v, %v: %v, %v, though it cannot be completed", p, begins, r.Turn, err)
				case want == illegal:
				case err != nil || !legal || !strings.HasPrefix(r.Turn.String(), begins.String()):
					t.Errorf("%v, %v: %v, %v", p, begins, r.Turn, err)
				case o.Without == exact && r.Score != want && (r.Depth == l.Depth || r.Score < Won):
					t.Errorf("%v, %v: %v, score %d, want %d", p, begins, r.Turn, r.Score, want)
				case want >= Won && o.Without == 0 && r.Score < want:
					t.Errorf("%v, %v: %v, score %d, and there is a win with %d", p, begins, r.Turn, r.Score, want)
				}
				searches++
			}
		}
	}
	if searches < 100 {
		t.Errorf("%d searches", searches)
	}
}

// TestGoalZone looks for the options that may belong to a threat of a goal by the rabbit on h4.
func TestGoalZone(t *testing.T) {
	p := boards.Parse(t, "rh4 hg2 ea7 Ch2 Ra1 Rb5 s")
	z := newGoalZone(&p.Board, p.Side())
	urgent := map[string]bool{}
	for _, o := range p.Options(nil) {
		if z.has(o) {
			urgent[o.String()] = true
		}
	}
	for o, want := range map[string]bool{"rh4w": true, "Ch2s hg2e": true, "hg2w": false, "ea7e": false} {
		if urgent[o] != want {
			t.Errorf("%s is urgent: %t", o, urgent[o])
		}
	}
	p = boards.Parse(t, "rh5 hg3 ea7 Ch3 Ra1 s")
	if z := newGoalZone(&p.Board, p.Side()); z.rabbits != 0 {
		t.Errorf("a rabbit four ranks from its goal is advanced: %v", z.rabbits)
	}
}
