package solve

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/internal/recent"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
	"goalproof/tables/store"
)

// defended asks which turns hold, without a limit of time, and checks that the numbers of the
// answer agree.
func defended(t rapid.TB, s *Solver, q Question) Defence {
	t.Helper()
	a, err := s.Defend(context.Background(), q, nil)
	if err != nil {
		t.Fatalf("%v: %v", q.Position, err)
	}
	want := answer.Disproved
	if len(a.Hold) > 0 {
		want = answer.Proved
	}
	if a.Verdict != want || a.Undecided != 0 || a.Stop != answer.Finished || a.Lost+len(a.Hold) != a.Turns || a.Wins > len(a.Hold) {
		t.Fatalf("%v: %+v", q.Position, a)
	}
	return a
}

// checkHolding compares the turns that hold with their boards by the referee, and the turns by the
// plain rules.
func checkHolding(t rapid.TB, p arimaa.Position, a Defence, turns int, holds map[referee.Board]bool) {
	t.Helper()
	if a.Turns != turns || len(a.Hold) != len(holds) {
		t.Fatalf("%v: %d of %d turns hold, the referee says %d of %d", p, len(a.Hold), a.Turns, len(holds), turns)
	}
	st := stateOf(t, p)
	wins := 0
	for _, h := range a.Hold {
		end := played(t, st, p, h.Turn)
		if !holds[end.Board] {
			t.Fatalf("%v: %s does not hold", p, p.Notation(h.Turn))
		}
		delete(holds, end.Board)
		if _, _, over := referee.Outcome(end.Board, st.Side); over {
			wins++
		}
	}
	if simplest := a.Simplest(); slices.ContainsFunc(a.Hold, func(h dfpns.Solution) bool { return h.Turn.Len() < simplest.Len() }) {
		t.Fatalf("%v: %v is not the simplest turn", p, simplest)
	}
	if wins != a.Wins {
		t.Fatalf("%v: %d turns win at once, the referee says %d", p, a.Wins, wins)
	}
}

// holding returns the boards after turns that win at once, or leave the opponent no win, and the
// number of all turns, by enumeration. Boards that are believed to hold are not looked at.
func holding(st referee.State, believed map[referee.Board]bool, wins func(referee.State) bool) (holds map[referee.Board]bool, turns int) {
	holds = map[referee.Board]bool{}
	for b := range referee.Ends(st) {
		turns++
		winner, _, over := referee.Outcome(b, st.Side)
		if over && winner == st.Side || !over && (believed[b] || !wins(referee.NewState(b, st.Side.Other()))) {
			holds[b] = true
		}
	}
	return holds, turns
}

// TestDefendAsReferee compares the turns that hold with complete enumeration by the referee on
// small boards, and the distance of a loss.
func TestDefendAsReferee(t *testing.T) {
	s := newSolver(t)
	most, tally := [...]int{1: 800, 2: 100}, map[string]int{}
	if boards.Large {
		most = [...]int{1: 2000, 2: 250}
	}
	positions := rapid.OneOf(boards.Few(2), boards.Few(4), boards.Position())
	boards.Check(t, 40, 300, func(t *rapid.T) {
		p := drawn(t, positions)
		if p.Ended(p.Side().Other()).Over() {
			if _, err := s.Defend(context.Background(), Question{Position: p, Deepest: 1}, nil); !errors.Is(err, ErrOver) {
				t.Fatalf("%v: %v, but the game is over", p, err)
			}
			return
		}
		st, other := stateOf(t, p), p.EndTurn()
		work := max(referee.Distinct(st), referee.Distinct(stateOf(t, other)))
		for n := 1; n <= 2 && work <= most[n]; n++ {
			a := defended(t, s, Question{Position: p, Deepest: n})
			holds, turns := holding(st, nil, func(st referee.State) bool { return referee.WinIn(st, n) })
			checkHolding(t, p, a, turns, holds)
			tally[a.Verdict.String()+" in "+string(rune('0'+n))]++
			if p.Undefended() != 0 {
				tally["not settled"]++
			}
			if a.Wins > 0 && a.Wins < len(a.Hold) {
				tally["wins and holds"]++
			}
			if a.Verdict == answer.Disproved {
				if a.Within != n || a.Refuted != n-1 {
					t.Fatalf("%v: a loss in %d: %+v", p, n, a)
				}
				break
			}
			if threat := p.Undefended() == 0 && !other.Ended(p.Side()).Over() && referee.WinIn(stateOf(t, other), n); threat != (a.Threat.Within > 0) {
				t.Fatalf("%v: the threat takes %d turns, but a win in %d after a pass is %v", p, a.Threat.Within, n, threat)
			}
		}
	})
	for _, kind := range []string{"proved in 1", "proved in 2", "disproved in 1", "not settled", "wins and holds"} {
		if tally[kind] == 0 {
			t.Errorf("%s: there was none (%v)", kind, tally)
		}
	}
	t.Log(tally)
}

// killers are turns that have won lately, for the referee to try first.
type killers []string

// wins reports whether the side to move has a win in one, by the referee alone.
func (k *killers) wins(st referee.State) bool {
	for i, turn := range *k {
		_, end, err := st.ReadTurn(turn)
		if err != nil || !end.MayStop() {
			continue
		}
		if winner, _, over := referee.Outcome(end.Board, st.Side); over && winner == st.Side {
			recent.Raise(*k, i)
			return true
		}
	}
	for b := range referee.Ends(st) {
		if winner, _, over := referee.Outcome(b, st.Side); over && winner == st.Side {
			steps, _ := referee.TurnTo(st, b)
			text := ""
			for _, step := range steps { // without captures
				text += " " + step.String()
			}
			*k = recent.Add(*k, text[1:], 30)
			return true
		}
	}
	return false
}

// mostHold is how many turns that hold are looked at, if there are more: the referee needs all
// turns of the opponent for each.
const mostHold = 25

// TestDefendInGames compares with the referee where the other side threatens to win with its next
// turn in the published games, either side to move: on a few positions among those in which the
// fewest turns hold.
func TestDefendInGames(t *testing.T) {
	s := newSolver(t)
	compared, apart := boards.Sized(3, 100), boards.Sized(6, 1)
	type threatened struct {
		p arimaa.Position
		a Defence
	}
	var all []threatened
	for i, p := range games.Positions(t) {
		if !boards.Large && i%7 != 0 {
			continue
		}
		for _, p := range []arimaa.Position{p, p.EndTurn()} {
			if p.Ended(p.Side().Other()).Over() {
				continue
			}
			if threat, err := s.Threatened(t.Context(), p, 1); err != nil {
				t.Fatal(err)
			} else if threat.Within == 1 {
				all = append(all, threatened{p, defended(t, s, Question{Position: p, Deepest: 1})})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b threatened) int { return len(a.a.Hold) - len(b.a.Hold) })
	if len(all) < compared*apart {
		t.Fatalf("%d positions with a threat, want %d", len(all), compared*apart)
	}
	lost, partly := 0, 0
	for i := range compared {
		at := all[i*apart]
		believed := map[referee.Board]bool{}
		for k, h := range at.a.Hold {
			if each := len(at.a.Hold)/mostHold + 1; k%each != 0 {
				believed[stateOf(t, h.After).Board] = true
			}
		}
		if len(believed) > 0 {
			partly++
		}
		holds, turns := holding(stateOf(t, at.p), believed, new(killers).wins)
		if len(holds) == 0 {
			lost++
		}
		checkHolding(t, at.p, at.a, turns, holds)
	}
	t.Logf("%d threats of a win in one, %d compared, %d in part, of which %d are lost; at most %d turns hold",
		len(all), compared, partly, lost, len(all[(compared-1)*apart].a.Hold))
}

// TestDefendWithHistory asks in games in which both sides step to and fro. Turns that the third
// repetition forbids are left out, and a turn that loses does so by the full rule, as the referee
// enumerates it.
func TestDefendWithHistory(t *testing.T) {
	s := newSolver(t)
	forbidden, lost := 0, 0
	boards.Check(t, 150, 20_000, func(t *rapid.T) {
		p := drawn(t, boards.Few(2))
		if p.Ended(p.Side().Other()).Over() {
			return
		}
		g := arimaa.NewGame(p, arimaa.FirstTurn)
		for range rapid.IntRange(3, 9).Draw(t, "turns") {
			if !shuttle(g) {
				return
			}
		}
		p = g.Last()
		st := stateOf(t, p)
		if g.Outcome().Over() || referee.Distinct(st)*referee.Distinct(stateOf(t, p.EndTurn())) > 4000 {
			return
		}
		for n := 1; n <= 2; n++ {
			a := defended(t, s, Question{Position: p, Deepest: n, Game: g})
			holds := map[referee.Board]bool{}
			for _, turn := range a.Hold {
				holds[stateOf(t, turn.After).Board] = true
			}
			turns := 0
			for b := range referee.Ends(st) {
				if !historyOf(t, g).Allowed(b, st.Side.Other()) {
					forbidden++
					if holds[b] {
						t.Fatalf("%v: a turn that is forbidden holds", p)
					}
					continue
				}
				if turns++; holds[b] {
					continue
				}
				lost++
				h := historyOf(t, g)
				winner, _, over := h.Outcome(b, st.Side)
				h.Add(b, st.Side.Other())
				if over && winner == st.Side || !over && !h.WinIn(referee.NewState(b, st.Side.Other()), n) {
					t.Fatalf("%v, %d turns: a turn that is said to lose holds:\n%v", p, n, b)
				}
			}
			if turns != a.Turns {
				t.Fatalf("%v: %d turns, the referee has %d", p, a.Turns, turns)
			}
		}
	})
	t.Logf("%d turns were forbidden, and %d lost", forbidden, lost)
	if forbidden == 0 || lost == 0 {
		t.Error("too few to say much")
	}
}

// shuttle plays a turn back to the position two turns ago, with the side to move exchanged, or any
// single step.
func shuttle(g *arimaa.Game) bool {
	p := g.Last()
	var turns arimaa.Generator
	for i := range turns.Generate(&p) {
		if g.Len() >= 2 && turns.Position(i, p.Side()).Board == g.Position(g.Len()-1).Board {
			continue
		}
		if g.Len() >= 3 && !slices.ContainsFunc([]int{1, 3}, func(back int) bool {
			return turns.Position(i, p.Side()) == g.Position(g.Len()-back)
		}) {
			continue
		}
		if g.Play(turns.Turn(i)) == nil && !g.Outcome().Over() {
			return true
		}
	}
	return false
}

// TestDefendLoss checks the bounds of a loss in two, and of one in three by threats.
func TestDefendLoss(t *testing.T) {
	s := newSolver(t)
	p := exampleOf(t, "win-in-3.txt")
	win := solved(t, s, t.Context(), Question{Position: p, Deepest: 3, NoLine: true})
	lost := p.AfterTurn(win.Line[0].Turn)
	for n := 1; n <= 4; n++ {
		a := defended(t, newSolver(t), Question{Position: lost, Deepest: n})
		if n == 1 && (a.Verdict != answer.Proved || a.Wins != 0) || n > 1 && (a.Within != 2 || a.Refuted != 1) {
			t.Errorf("%d turns: %+v", n, a)
		}
	}
}

// TestDefendInterrupted ends the time at once: what holds against a win in one is known, and
// nothing more.
func TestDefendInterrupted(t *testing.T) {
	p := exampleOf(t, "win-in-3.txt")
	p = p.EndTurn()
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	one := defended(t, newSolver(t), Question{Position: p, Deepest: 1})
	a, err := newSolver(t).Defend(ctx, Question{Position: p, Deepest: 3}, nil)
	if err != nil || a.Undecided == 0 || a.Undecided+a.Wins != len(one.Hold) || a.Lost != one.Lost || a.Stop != answer.Time || a.Within != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestDefendAgrees asks solvers with endgame tables, with a store that fills up, and with several
// threads about random endings, for up to three turns: the turns that hold are the same.
func TestDefendAgrees(t *testing.T) {
	facts, err := store.Open(t.TempDir(), store.Options{Memory: 4 << 20})
	require.NoError(t, err)
	defer func() {
		if err := facts.Close(); err != nil {
			t.Error(err)
		}
	}()
	var solvers []*Solver
	for _, o := range []Options{{Threads: 1}, {Threads: 3}, {Threads: 1, Endgames: openEndgames(t)}, {Threads: 2, Store: facts}, {Threads: 1, Store: facts}} {
		o.Memory = 32 << 20
		s := solverWith(t, o)
		solvers = append(solvers, s)
	}
	lost, held := 0, 0
	boards.Check(t, 40, 600, func(t *rapid.T) {
		p := drawn(t, boards.Few(2))
		if p.Ended(p.Side().Other()).Over() || referee.Distinct(stateOf(t, p)) > 400 {
			return
		}
		q := Question{Position: p, Deepest: rapid.IntRange(1, 3).Draw(t, "turns")}
		first := defended(t, solvers[0], q)
		for i, s := range solvers[1:] {
			a := defended(t, s, q)
			if !slices.Equal(a.Hold, first.Hold) || a.Turns != first.Turns || a.Wins != first.Wins || a.Threat.Within != first.Threat.Within {
				t.Fatalf("%v, %d turns: solver %d has\n%+v, the first\n%+v", p, q.Deepest, i+1, a, first)
			}
			if a.Within > 0 && (a.Within < first.Refuted+1 || first.Within < a.Refuted+1) {
				t.Fatalf("%v: a loss in %d, not in %d, and in %d, not in %d", p, a.Within, a.Refuted, first.Within, first.Refuted)
			}
		}
		if len(first.Hold) == 0 {
			lost++
		} else if first.Lost > 0 && q.Deepest == 3 {
			held++
		}
	})
	if lost == 0 || held == 0 {
		t.Errorf("%d positions are lost, and %d hold against wins in 3", lost, held)
	}
}

// TestCertificateOfLoss writes down the losses of random small boards, with a game and without, and
// checks them by the plain rules. Where a turn holds there is no certificate.
func TestCertificateOfLoss(t *testing.T) {
	s := newSolver(t)
	tally := map[string]int{}
	boards.Check(t, 120, 2000, func(t *rapid.T) {
		p := drawn(t, rapid.OneOf(boards.Few(2), boards.Few(3)))
		if p.Ended(p.Side().Other()).Over() || referee.Distinct(stateOf(t, p)) > 400 {
			return
		}
		q := Question{Position: p, Deepest: 2}
		if g := arimaa.NewGame(p, arimaa.FirstTurn); rapid.Bool().Draw(t, "game") {
			for range rapid.IntRange(1, 5).Draw(t, "turns") {
				if !shuttle(g) {
					return
				}
			}
			q.Game, q.Position = g, g.Last()
		}
		a := defended(t, s, q)
		c, err := s.CertificateOfLoss(t.Context(), q, 2)
		switch {
		case a.Verdict == answer.Proved:
			if !errors.Is(err, ErrNoCertificate) {
				t.Fatalf("%v: a certificate of a loss, though a turn holds: %v", q.Position, err)
			}
			tally["holds"]++
		case errors.Is(err, ErrNoCertificate) && q.Game != nil && repeated(q.Game):
			tally["none"]++
		case err != nil:
			t.Fatalf("%v: %v", q.Position, err)
		default:
			if err := c.Check(t.Context(), nil); err != nil || !c.Loss || c.Turns != 2 {
				t.Fatalf("%v: %v", q.Position, err)
			}
			if tally["lost"]++; q.Game != nil {
				tally["lost in a game"]++
			}
		}
	})
	if tally["holds"] == 0 || tally["lost"] == 0 || tally["lost in a game"] == 0 {
		t.Errorf("there were only %v", tally)
	}
	t.Log(tally)
}
