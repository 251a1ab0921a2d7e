package dfpns

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
)

// crowded draws a corner full of pieces, for wins by immobilisation, zugzwang, and replies that
// lose at once. Pieces may stand on traps without a defender.
func crowded() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		squares := []byte(strings.Repeat(" ", 64))
		width := rapid.IntRange(2, 4).Draw(t, "width")
		height := rapid.IntRange(2, 4).Draw(t, "height")
		top := rapid.SampledFrom([]int{0, 8 - height}).Draw(t, "top")
		pieces := rapid.SampledFrom([]string{
			"  rrRRCcDdHE", " rrRRCcde", "  rrRRcdhHD", " rrcCCDDe", "rRcCdDhHmMeE ",
		}).Draw(t, "pieces")
		for rank := top; rank < top+height; rank++ {
			for file := range width {
				c := rapid.SampledFrom([]byte(pieces)).Draw(t, "piece")
				if c == 'R' && rank == 0 || c == 'r' && rank == 7 {
					c = ' '
				}
				squares[8*rank+file] = c
			}
		}
		// A rabbit for a side without one, out of the way.
		for i, rabbit := range []byte("Rr") {
			if at := 8*(6-5*i) + 7; !strings.Contains(string(squares), string(rabbit)) {
				squares[at] = rabbit
			}
		}
		return rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side") + " [" + string(squares) + "]"
	})
}

// smallBoards draws positions that the referee can enumerate.
func smallBoards() *rapid.Generator[string] {
	return rapid.OneOf(boards.Few(0), boards.Few(2), boards.Few(3), crowded(), crowded())
}

// size is about the work of a complete enumeration of a win in one: the results of a turn of the
// side that has more.
func size(g *arimaa.Generator, p arimaa.Position) int {
	other := p.EndTurn()
	return max(g.Generate(&p), g.Generate(&other))
}

// affordable is the size up to which the referee answers for 1, 2 and 3 turns.
var affordable = func() [4]int {
	if boards.Large {
		return [...]int{1: 2_000, 2: 300, 3: 80}
	}
	return [...]int{1: 1_000, 2: 120, 3: 40}
}()

// solutions are the boards after a first turn that keeps a win in n, and the fewest steps to each,
// as the rules define them: the turn wins at once, or every reply either loses at once or leaves a
// win in n-1.
func solutions(st referee.State, n int) map[referee.Board]int {
	keep := map[referee.Board]int{}
	known := map[referee.Board]bool{} // whether the attacker, to move, wins in n-1
	for _, first := range referee.Results(st) {
		winner, _, over := referee.Outcome(first.Board, st.Side)
		kept := over && winner == st.Side
		if !over && n > 1 {
			kept = true
			for _, reply := range referee.Results(referee.NewState(first.Board, st.Side.Other())) {
				winner, _, over := referee.Outcome(reply.Board, st.Side.Other())
				if !over {
					wins, asked := known[reply.Board]
					if !asked {
						wins = referee.WinIn(referee.NewState(reply.Board, st.Side), n-1)
						known[reply.Board] = wins
					}
					over, winner = wins, st.Side
				}
				if kept = over && winner == st.Side; !kept {
					break
				}
			}
		}
		if kept {
			keep[first.Board] = len(first.Turn)
		}
	}
	return keep
}

// onward returns which solutions lie on the way to a board: for each solution it goes to all the
// points of the turn at which its board stands, and on to all the results that the turn can reach
// from there. The second half of a pull may come next, where the solution ended with the first.
func onward(st referee.State, keep map[referee.Board]int) (behind map[referee.Board]map[referee.Board]bool) {
	behind = map[referee.Board]map[referee.Board]bool{}
	seen := map[referee.State]bool{st: true}
	points := []referee.State{st}
	for i := 0; i < len(points); i++ {
		at := points[i]
		if _, ok := keep[at.Board]; ok && at.MayStop() {
			for _, end := range referee.Results(at) {
				if behind[end.Board] == nil {
					behind[end.Board] = map[referee.Board]bool{}
				}
				behind[end.Board][at.Board] = true
			}
		}
		for _, step := range at.Steps() {
			next, _, err := at.Play(step)
			if err == nil && !seen[next] {
				seen[next] = true
				points = append(points, next)
			}
		}
	}
	return behind
}

// TestAsReferee compares verdicts and lists of solutions with complete enumeration by the referee
// on small boards: for each N that it can afford, asked in growing order.
func TestAsReferee(t *testing.T) {
	alone(t)
	var g arimaa.Generator
	s := newSolver(1<<20, 1)
	tally := map[string]int{}
	drawings := smallBoards()
	boards.Check(t, 60, 700, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		st := load.State(t, p)
		work := size(&g, p)
		for n := 1; n <= 3 && work <= affordable[n]; n++ {
			want := verdict(referee.WinIn(st, n))
			if got := ask(t, s, p, n); got.Verdict != want {
				t.Fatalf("%v: a win in %d is %v, the referee says %v", p, n, got.Verdict, want)
			} else if want == answer.Disproved {
				tally["no win in "+string(rune('0'+n))]++
				continue
			} else if after, ok := p.Try(got.Turn); !ok {
				t.Fatalf("%v: the first turn %v is not legal", p, got.Turn)
			} else if _, ok := solutions(st, n)[load.State(t, after).Board]; !ok {
				t.Fatalf("%v: %v does not keep a win in %d", p, got.Turn, n)
			}
			tally["win in "+string(rune('0'+n))]++
			checkSolutions(t, s, p, n, tally)
			break
		}
	})
	boards.ExpectAll(t, tally, "no win in 1", "win in 1", "no win in 2", "win in 2", "no win in 3",
		"a cook", "not essential", "essential with more steps")
}

// checkSolutions compares the list of solutions, and which of them are essential, with the
// referee's.
func checkSolutions(t rapid.TB, s *Solver, p arimaa.Position, n int, tally map[string]int) {
	t.Helper()
	st := load.State(t, p)
	want := solutions(st, n)
	got := list(t, s, p, n)
	check(t, p, got)
	if len(got) != len(want) {
		t.Fatalf("%v: %d solutions in %d, enumeration finds %d", p, len(got), n, len(want))
	}
	behind := onward(st, want)
	for _, g := range got {
		board := load.State(t, g.After).Board
		steps, ok := want[board]
		if !ok {
			t.Fatalf("%v: %v does not keep a win in %d", p, g.Turn, n)
		}
		if g.Turn.Len() != steps {
			t.Fatalf("%v: %v has %d steps, %d are enough", p, g.Turn, g.Turn.Len(), steps)
		}
		essential := true
		for before := range behind[board] {
			if want[before] < steps {
				essential = false
			}
		}
		if g.Essential != essential {
			t.Fatalf("%v: %v is essential: %t, enumeration says %t", p, g.Turn, g.Essential, essential)
		}
		switch {
		case !essential:
			tally["not essential"]++
		case steps > got[0].Turn.Len():
			tally["essential with more steps"]++
		}
	}
	if len(got) > 1 {
		tally["a cook"]++
	}
}

// TestThree compares wins in three, which are rare among positions drawn at random, and the lists
// of their solutions with complete enumeration by the referee.
func TestThree(t *testing.T) {
	alone(t)
	s := newSolver(0, 2)
	tally := map[string]int{}
	const race = "s [  r                                                       R     ]"
	for _, text := range []string{race, boards.Swap(race)} {
		p := boards.Parse(t, text)
		for n := 1; n <= 3; n++ {
			want := verdict(referee.WinIn(load.State(t, p), n))
			if got := ask(t, s, p, n); got.Verdict != want {
				t.Fatalf("%v: a win in %d is %v, the referee says %v", p, n, got.Verdict, want)
			}
			tally[want.String()+" in "+string(rune('0'+n))]++
		}
		checkSolutions(t, s, p, 3, tally)
	}
	boards.ExpectAll(t, tally, "disproved in 2", "proved in 3", "a cook")
}

// TestSecondPull asks about positions with turns in which one pull follows another, and the second
// puller steps onto the square that the first pulled piece has left.
func TestSecondPull(t *testing.T) {
	alone(t)
	s := newSolver(0, 1)
	const text = "g [rrr     rCr     R C     Rrr                                     ]"
	for _, image := range []string{text, boards.Swap(text)} {
		p := boards.Parse(t, image)
		for n := 1; n <= 2; n++ {
			want := verdict(referee.WinIn(load.State(t, p), n))
			if got := ask(t, s, p, n); got.Verdict != want {
				t.Errorf("%v: a win in %d is %v, the referee says %v", p, n, got.Verdict, want)
			}
		}
	}
}

// TestAskedAtOnce asks for the greatest N first, of a solver that knows nothing yet: a win in fewer
// turns is a win in N as well.
func TestAskedAtOnce(t *testing.T) {
	alone(t)
	var g arimaa.Generator
	tally := map[string]int{}
	drawings := rapid.OneOf(boards.Few(0), boards.Few(3), crowded())
	boards.Check(t, 40, 600, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		st := load.State(t, p)
		work := size(&g, p)
		for n := 3; n >= 2; n-- {
			if work > affordable[n] {
				continue
			}
			s := newSolver(1<<20, 1)
			want := verdict(referee.WinIn(st, n))
			got := ask(t, s, p, n)
			if got.Verdict != want {
				t.Fatalf("%v: a win in %d, asked at once, is %v, the referee says %v", p, n, got.Verdict, want)
			}
			if want == answer.Disproved {
				tally["no win"]++
				break
			}
			after, ok := p.Try(got.Turn)
			if _, keeps := solutions(st, n)[load.State(t, after).Board]; !ok || !keeps {
				t.Fatalf("%v: %v does not keep a win in %d", p, got.Turn, n)
			}
			for least := 1; least <= n; least++ {
				if referee.WinIn(st, least) {
					tally[string(rune('0'+n))+" asked, "+string(rune('0'+least))+" needed"]++
					break
				}
			}
			break
		}
	})
	boards.ExpectAll(t, tally, "no win", "3 asked, 1 needed", "3 asked, 2 needed", "2 asked, 1 needed")
}
