package describe

import (
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// described solves a position and describes its win.
func described(t testing.TB, s *solve.Solver, p arimaa.Position, deepest int) *Puzzle {
	t.Helper()
	a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: deepest, All: true, NoLine: true})
	require.NoError(t, err)
	d := Describer{Solver: s}
	z, ok, err := d.Win(t.Context(), p, &a)
	require.NoError(t, err)
	if !ok {
		return nil
	}
	return z
}

// plain finds by enumeration with the referee what describe counts of a win in two.
type plain struct {
	threats, near, single, replies, longest int
	endings                                 map[referee.Board]Themes // of each solution's result
	quiet                                   map[referee.Board]bool
	tries                                   map[referee.Board]map[referee.Board]bool // the near tries, and their defences
}

// atOnce tells how the side to move can win with one turn: 0 for not at all, and otherwise the
// first of goal, elimination and immobilisation that is possible.
func atOnce(st referee.State) (how Themes) {
	for b := range referee.Ends(st) {
		if winner, reason, over := referee.Outcome(b, st.Side); over && winner == st.Side {
			if e := plainEnding(reason); how == 0 || e < how {
				how = e
			}
		}
	}
	return how
}

func plainEnding(r referee.Reason) Themes {
	switch r {
	case referee.Goal, referee.OpponentGoal:
		return Goal
	case referee.Elimination, referee.SelfElimination:
		return Elimination
	}
	return Immobilisation
}

// enumerate looks at a position with a win in two.
func enumerate(st referee.State) (all plain) {
	all.endings, all.quiet, all.tries = map[referee.Board]Themes{}, map[referee.Board]bool{}, map[referee.Board]map[referee.Board]bool{}
	for first := range referee.Ends(st) {
		if _, _, over := referee.Outcome(first, st.Side); over {
			continue
		}
		threat := atOnce(referee.NewState(first, st.Side)) != 0
		defences, wins := 0, false
		replies, last := 0, 0
		var how Themes
		holds := map[referee.Board]bool{}
		for reply := range referee.Ends(referee.NewState(first, st.Side.Other())) {
			replies++
			winner, reason, over := referee.Outcome(reply, st.Side.Other())
			if over {
				if winner != st.Side {
					wins, defences = true, defences+1
				} else {
					how |= plainEnding(reason)
				}
				continue
			}
			last++
			if by := atOnce(referee.NewState(reply, st.Side)); by == 0 {
				defences++
				holds[reply] = true
			} else {
				how |= by
			}
			if wins && defences > Few {
				break
			}
		}
		switch {
		case defences == 0:
			if how &^= Goal; how == 0 {
				how = Goal
			}
			all.endings[first], all.quiet[first] = how, !threat
			if all.replies == 0 {
				all.replies, all.longest = replies, last
			}
			continue
		case threat:
			all.threats++
		}
		if !wins && defences <= Few {
			all.near++
			all.tries[first] = holds
			if defences == 1 {
				all.single++
			}
		}
	}
	return all
}

// TestWinReferee compares the description of wins in two with enumeration by the referee.
func TestWinReferee(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(3, 3))
	s := newSolver(t, 1)
	most := boards.Sized(2, 12)
	quiet, near, ways := 0, 0, Themes(0)
	for done := 0; done < most; {
		p, v := endings.Draw(t, ts, classes[random.IntN(len(classes))], random)
		if v != endgame.WinIn(2) {
			continue
		}
		st := load.State(t, p)
		z := described(t, s, p, 2)
		if z == nil || z.N != 2 {
			t.Fatalf("%v: %+v, the table says %v", p, z, v)
		}
		if z.Themes&Quiet == 0 && done < most/2 {
			continue // half of them are quiet
		}
		done++
		want := enumerate(st)
		if z.Winning != len(want.endings) || z.Threats != want.threats || z.NearTries != want.near || z.SingleDefence != want.single {
			t.Errorf("%v: %+v\nby enumeration %d solutions, %+v", p, z, len(want.endings), want)
		}
		if len(z.Solutions) == 1 && z.Winning == 1 && (z.Replies != want.replies || z.Longest != want.longest) {
			t.Errorf("%v: %d replies, %d longest; by enumeration %d, %d", p, z.Replies, z.Longest, want.replies, want.longest)
		}
		for _, e := range z.Solutions {
			b := load.State(t, e.After)
			how, known := want.endings[b.Board]
			const endings = Goal | Elimination | Immobilisation
			if got := e.Themes & endings; !known || got != how && len(z.Solutions) <= mostEndings {
				t.Errorf("%v: %v: %v, by enumeration %v (%v)", p, e.Turn, got, how, known)
			}
			isQuiet := want.quiet[b.Board]
			if isQuiet != (e.Themes&Quiet != 0) || isQuiet != (e.Themes&InZugzwang != 0) ||
				isQuiet == (e.Themes&Threat != 0) || isQuiet == (e.Threatens == 1) {
				t.Errorf("%v: %v: %v, quiet by enumeration: %v", p, e.Turn, e.Themes, isQuiet)
			}
			ways |= e.Themes & endings
		}
		checkTries(t, s, p, want.tries)
		if z.Themes&Quiet != 0 {
			quiet++
		}
		near += z.NearTries
	}
	t.Logf("%d quiet, %d near tries, %v", quiet, near, ways)
	if quiet == 0 || near == 0 {
		t.Errorf("%d quiet, %d near tries: the comparison is empty", quiet, near)
	}
}

// checkTries compares the list of near tries of a win in two, and their defences, with those found
// by enumeration. A try is not essential if its turn passes by another one.
func checkTries(t *testing.T, s *solve.Solver, p arimaa.Position, want map[referee.Board]map[referee.Board]bool) {
	t.Helper()
	a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 2, All: true, NoLine: true})
	require.NoError(t, err)
	d := Describer{Solver: s}
	all, ok := d.NearTries(t.Context(), p, a.Solutions)
	if !ok || len(all) != len(want) {
		t.Errorf("%v: %d near tries, by enumeration %d", p, len(all), len(want))
	}
	for i, try := range all {
		if p.AfterTurn(try.Turn) != try.After || i > 0 && try.Essential && !all[i-1].Essential {
			t.Errorf("%v: %+v", p, try)
		}
		st := load.State(t, p)
		steps, _, err := st.ReadTurn(try.Turn.String())
		require.NoError(t, err)
		for k, step := range steps {
			st, _, err = st.Play(step)
			require.NoError(t, err)
			if end, err := st.Stop(); err == nil && k < len(steps)-1 && want[end.Board] != nil && try.Essential {
				t.Errorf("%v: %v is essential, and passes by a near try after %d steps", p, try.Turn, k+1)
			}
		}
		holds := want[load.State(t, try.After).Board]
		if len(holds) == 0 || len(holds) != len(try.Defences) {
			t.Errorf("%v: %v leaves %v, by enumeration %d", p, try.Turn, try.Defences, len(holds))
		}
		for _, reply := range try.Defences {
			if after, ok := try.After.Try(reply); !ok || !holds[load.State(t, after).Board] {
				t.Errorf("%v: %v is no defence after %v", p, reply, try.Turn)
			}
		}
	}
}

// TestThreatTables compares what the solutions of wins in three threaten with endgame tables, and
// the number of replies that hold out longest.
func TestThreatTables(t *testing.T) {
	ts, classes := endings.Open(t)
	s := newSolver(t, 1)
	var replies arimaa.Generator
	seen := map[int]int{}
	few, random := endgame.Classes(3), rand.New(rand.NewPCG(5, 3))
	most := boards.Sized(150, 250)
	for done := 0; done < most; {
		from := few // those of the normal run first
		if done >= 150 {
			from = classes
		}
		p, v := endings.Draw(t, ts, from[random.IntN(len(from))], random)
		n, wins := v.Win()
		if !wins || n < 3 || n > 4 {
			continue
		}
		done++
		z := described(t, s, p, 4)
		if z == nil || z.N != n {
			t.Fatalf("%v: %+v, the table says %v", p, z, v)
		}
		for _, e := range z.Solutions {
			pass, ok := ts.Probe(&e.After.Board, p.Side())
			if !ok {
				t.Fatalf("%v: the table does not know the position after %v", p, e.Turn)
			}
			k, threatens := pass.Win()
			threatens = threatens && k < n
			if threatens != (e.Threatens > 0) || threatens && k != e.Threatens || threatens == (e.Themes&InZugzwang != 0) ||
				(threatens && k == 1) != (e.Themes&Threat != 0) {
				t.Errorf("%v: %v: %v, threatens in %d; after a pass the table says %v", p, e.Turn, e.Themes, e.Threatens, pass)
			}
			seen[e.Threatens]++
		}
		longest := 0
		after := z.Solutions[0].After
		for i := range replies.Generate(&after) {
			b := replies.Board(i)
			if v, ok := ts.Probe(b, p.Side()); ok && v == endgame.WinIn(n-1) {
				longest++
			}
		}
		if longest != z.Longest {
			t.Errorf("%v: %d replies hold out longest, the table says %d", p, z.Longest, longest)
		}
	}
	t.Log(seen)
	for _, k := range []int{0, 1, 2} {
		if seen[k] == 0 {
			t.Errorf("no solution that threatens to win in %d was met (0: zugzwang)", k)
		}
	}
}

// TestExamples tests the themes of composed positions.
func TestExamples(t *testing.T) {
	s := newSolver(t, 1)
	for _, test := range []struct {
		file      string
		n         int
		with, not Themes
	}{
		{"goal-in-4-steps-by-sacrifice.txt", 1, Sacrifice | Goal, Threat | Quiet | InZugzwang},
		{"immobilisation.txt", 1, Immobilisation, Goal | Elimination},
		{"elimination.txt", 1, Elimination | Capture, Goal},
		{"zugzwang-in-2.txt", 2, Quiet | InZugzwang, Threat | Capture},
		{"win-in-2.txt", 2, 0, 0},
	} {
		z := described(t, s, load.Example(t, test.file), test.n)
		if z == nil || z.N != test.n || z.Themes&test.with != test.with || z.Themes&test.not != 0 {
			t.Errorf("%s: %+v; want a win in %d with %v and without %v", test.file, z, test.n, test.with, test.not)
		}
	}
}
