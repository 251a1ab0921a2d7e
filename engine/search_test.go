package engine

import (
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/boards"
	"goalproof/internal/published"
)

// minimax is the search without anything: all options to the given depth in steps, and the
// evaluation behind it. Start is the board at the start of the turn, gone the steps since the root.
func minimax(w *worker, p arimaa.Position, start arimaa.Board, depth, gone int) int {
	if p.StepsLeft() == arimaa.StepsPerTurn {
		start = p.Board
	}
	end := func(p arimaa.Position, depth, gone int) int {
		switch o := p.Ended(p.Side()); {
		case p.Board == start:
			return illegal
		case o.Over() && o.Winner == p.Side():
			return win - gone
		case o.Over():
			return gone - win
		}
		next := p.EndTurn()
		if depth <= 0 {
			return -w.static(&next)
		}
		return -minimax(w, next, next.Board, depth, gone+p.StepsLeft())
	}
	if depth <= 0 {
		return end(p, 0, gone)
	}
	best := end(p, depth-p.StepsLeft(), gone)
	for _, o := range p.Options(nil) {
		score := 0
		if after := p.After(o); after.StepsLeft() == 0 {
			score = end(after, depth-o.Steps(), gone+o.Steps())
		} else {
			score = minimax(w, after, start, depth-o.Steps(), gone+o.Steps())
		}
		best = max(best, score)
	}
	if best == illegal && p.StepsLeft() == arimaa.StepsPerTurn {
		return gone - win
	}
	return best
}

// TestMinimax holds the search against minimax where nothing that changes scores is on: orders, the table and
// principal variation search must not, nor what several workers leave for later. (Whole captures may be longer than the depth.)
func TestMinimax(t *testing.T) {
	const exact = Probe | Goal | GoalRelevance | NullMove | Reductions | Extensions | Quiescence | Hybrid
	plain := newWorker(newEngine(t, Options{}))
	random := rand.New(rand.NewPCG(1, 2))
	n, deepest := 20, 5
	if boards.Large {
		n, deepest = 60, 6
	}
	for i := range n {
		p := sparse(random, 2+i%5)
		if p.Board.Ended(p.Side().Other()).Over() || p.Undefended() != 0 {
			continue
		}
		for depth := 1; depth <= deepest; depth++ {
			want := minimax(plain, p, p.Board, depth, 0)
			for _, without := range []Part{exact, exact | Killers, exact | History} {
				for threads := 1; threads <= 3; threads++ {
					e := newEngine(t, Options{Without: without, Threads: threads})
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

// TestDeferred searches with marks that stand for another worker, at all that can be played first: those moves are left for
// later, and none is left out.
func TestDeferred(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	plain := newWorker(newEngine(t, Options{}))
	deferred := 0
	for range 10 {
		p := sparse(random, 3)
		if p.Board.Ended(p.Side().Other()).Over() || p.Undefended() != 0 {
			continue
		}
		e := newEngine(t, Options{Without: Probe | Goal | GoalRelevance | NullMove | Reductions | Extensions | Quiescence | Hybrid, Threads: 2})
		const depth = 4
		r := newRun(arimaa.NewGame(p, 2), Limits{Depth: depth})
		w := e.workers[0]
		w.run = r
		w.begin(&p, 0)
		for _, o := range p.Options(nil) {
			after := p.After(o)
			w.mark(&after, 0, false)
		}
		w.deepen(r)
		deferred += len(w.points[0].deferred)
		if want := minimax(plain, p, p.Board, depth, 0); r.news.known.Score != want {
			t.Errorf("%v: score %d, want %d", p, r.news.known.Score, want)
		}
	}
	if deferred == 0 {
		t.Error("nothing is deferred")
	}
}

// sparse returns a random position with so many pieces on each side, a rabbit among them.
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

// threatened returns positions of the published games in which the side to move must stop a win of the opponent's
// next turn, can, and has no win itself: so many, spread over all.
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
		if _, holds := d.Holds(&p); holds {
			all = append(all, p)
		}
	}
	return all
}

// TestStopsGoals lets the engine play where it must stop a win and can. That it does is confirmed by the detector and
// by listing every turn of the opponent.
func TestStopsGoals(t *testing.T) {
	n := 40
	if boards.Large {
		n = 300
	}
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

// TestUnchanged judges points at which the turn has led back to where it began, and may not end: something must be played
// then, or the score is illegal.
func TestUnchanged(t *testing.T) {
	w := newWorker(newEngine(t, Options{}))
	w.run, w.depth = newRun(arimaa.NewGame(arimaa.Position{}, 2), Limits{}), 1
	illegals, goes := 0, 0
	for i, p := range gamePositions(t) {
		if i%5 != 0 || p.Undefended() != 0 {
			continue
		}
		for left := 1; left < arimaa.StepsPerTurn; left++ {
			w.begin(&p, 0)
			at := &w.points[1]
			at.clear()
			at.position = p.WithStepsLeft(left)
			score := w.settle(&at.position, 0, 1, 0, -infinite, infinite)
			after, ok := at.position.TryPart(at.rest)
			switch {
			case score == illegal:
				illegals++
			case !ok || after.Board == p.Board:
				t.Fatalf("%v with %d steps left: score %d by %v", p, left, score, at.rest)
			default:
				goes++
			}
		}
	}
	if illegals == 0 || goes == 0 {
		t.Errorf("%d points without anything to play, %d others", illegals, goes)
	}
}

// TestRelevance plays, where a win must be stopped, every sequence of the options that the search tries, and wants every
// turn that stops it to be among the results.
func TestRelevance(t *testing.T) {
	n := 4
	if boards.Large {
		n = 20
	}
	w := newWorker(newEngine(t, Options{}))
	w.run = newRun(arimaa.NewGame(arimaa.Position{}, 2), Limits{})
	var d goal.Detector
	for _, p := range threatened(t, n) {
		results := map[arimaa.Board]bool{}
		passed := p.EndTurn()
		b := w.begin(&p, 0)
		b.threat, b.wins = d.CanWin(&passed, &passed.Board)
		cut := 0
		var play func(p arimaa.Position)
		seen := map[arimaa.Position]bool{}
		play = func(p arimaa.Position) {
			if seen[p] {
				return
			}
			seen[p] = true
			if p.StepsLeft() == 0 {
				results[p.Board] = true
				return
			}
			l := lister{w: w, p: &p, stage: optionStage}
			l.options()
			if l.cut {
				cut++
			}
			for _, m := range append([]move(nil), w.points[0].moves...) {
				if m.turn.Len() == 0 {
					results[p.Board] = true
					continue
				}
				after, ok := p.TryPart(m.turn)
				if !ok {
					t.Fatalf("%v: %v is illegal", p, m.turn)
				}
				play(after)
			}
		}
		play(p)
		stops := 0
		d.Defences(&p, func(b *arimaa.Board, turn arimaa.Turn) bool {
			stops++
			if !results[*b] {
				t.Fatalf("%v: %v stops the win and is not tried", p, turn)
			}
			return true
		})
		if stops == 0 || cut == 0 {
			t.Errorf("%v: %d turns stop the win, options left out at %d points", p, stops, cut)
		}
	}
}

// TestPlaysGoals lets the engine play every published position with a goal in this turn.
func TestPlaysGoals(t *testing.T) {
	apart := 10
	if boards.Large {
		apart = 1
	}
	with, without := newEngine(t, Options{}), newEngine(t, Options{Without: Probe})
	for _, file := range []string{"composed.tsv", "from-games.tsv"} {
		played := 0
		for i, row := range published.Rows(t, "goal-this-turn/"+file) {
			if row[1] == "0" || i%apart != 0 {
				continue
			}
			p := mustParse(t, row[0])
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

// TestThirdRepetition searches where the best turn would create a position for the third time, with a table that
// knows the search without that history.
func TestThirdRepetition(t *testing.T) {
	p := mustParse(t, "g [  r  r     e         h   m                     E     R    R  M  ]")
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
		turn := r.news.known.Turn
		after, ok := p.Try(turn)
		if !ok || r.occurrences(&after) >= 2 {
			t.Errorf("%v is not allowed", turn)
		}
		forbidden[turn] = true
	}
}

// TestForbiddenWhenLost excepts turns, one by one, or has their positions stand twice already, in positions that are lost: there
// the search leaves out what cannot stop the opponent, and must not end a turn where that was.
func TestForbiddenWhenLost(t *testing.T) {
	for _, text := range []string{
		"g [                                 r                 R            ]",
		"g [        R          r                       h                    ]",
	} {
		p := mustParse(t, text)
		for threads, depth := range []int{4, 6} {
			used := newEngine(t, Options{Without: Probe, Threads: threads + 1})
			l := Limits{Depth: depth}
			for range 6 {
				r := search(t, used, p, l)
				after, _ := p.Try(r.Turn)
				for _, old := range l.Except {
					if before, _ := p.Try(old); before == after {
						t.Fatalf("%v, depth %d: %v again, as %v", p, depth, old, r.Turn)
					}
				}
				fresh := search(t, newEngine(t, Options{Without: Probe}), p, l)
				if r.Score != fresh.Score && (r.Score >= Won || fresh.Score >= Won) {
					t.Errorf("%v, depth %d, without %v: score %d by %v, by a new engine %d by %v", p, depth, l.Except, r.Score, r.Turn, fresh.Score, fresh.Turn)
				}
				l.Except = append(l.Except, r.Turn)
			}
		}
	}
}

// TestForbiddenMidTurn has a game in which each first step of Silver leads where a position would stand for the third time,
// though two steps are allowed. The search must not take that for a side without a turn.
func TestForbiddenMidTurn(t *testing.T) {
	g := arimaa.NewGame(mustParse(t, "g [ e      E                D   Mh  r   C D              HrR       ]"), 2)
	for _, text := range []string{"Dh4w", "eb8w", "Dg4e", "ea8e", "Dh4w", "eb8w"} {
		if err := g.PlayText(text); err != nil {
			t.Fatal(err)
		}
	}
	r, err := newEngine(t, Options{}).Search(t.Context(), g, Limits{Depth: 6}, nil)
	if err != nil || r.Score >= Won || r.Depth < 6 {
		t.Errorf("%v: score %d, depth %d, %v", r.Turn, r.Score, r.Depth, err)
	}
}

// TestForbiddenForgotten searches a position with its best turn excepted, or forbidden by the third repetition, and then freely:
// what the table has from before must not hide that turn.
func TestForbiddenForgotten(t *testing.T) {
	p := mustParse(t, "g [ c  rr  r d  rdr h  E h      R       e r HDD  HR RRR RC  C    R ]")
	o, l := Options{Without: Probe}, Limits{Depth: 5}
	fresh := search(t, newEngine(t, o), p, l)
	excepted := newEngine(t, o)
	search(t, excepted, p, Limits{Depth: l.Depth, Except: []arimaa.Turn{fresh.Turn}})
	g := arimaa.NewGame(mustParse(t, "s [ cd rr  r E  rdr h    h      R       e r HDD  HR RRR RC  C    R ]"), 2)
	for _, text := range []string{"ef4w", "Ec7e dc8s Ed7s Ed6e", "ee4e", "Ee6w Ed6n dc7n Ed7w", "ef4w", "Ec7e dc8s Ed7s Ed6e", "ee4e"} {
		if err := g.PlayText(text); err != nil {
			t.Fatal(err)
		}
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

// TestBegins holds the search of turns that begin with some steps against minimax, and checks that they do.
func TestBegins(t *testing.T) {
	const exact = Probe | Goal | GoalRelevance | NullMove | Reductions | Extensions | Quiescence | Hybrid
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
				l := Limits{Depth: 5, Begins: begins}
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
