package puzzles

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// TestMine looks for puzzles in the positions of the example game: what Look says agrees with the
// solver's own list, and the figures are those that a plain count finds.
func TestMine(t *testing.T) {
	data, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	game, err := notation.ReadGame("game.turns", string(data))
	require.NoError(t, err)
	s, err := solve.New(solve.Options{Memory: 32 << 20, Threads: 1})
	require.NoError(t, err)
	m := Miner{Solver: s, Turns: 2}
	var positions []arimaa.Position
	mined, apart := boards.Sized(1, 10), boards.Sized(16, 1)
	for i := game.Len() - 1; i >= 2; i -= apart {
		positions = append(positions, game.Position(i))
	}
	for _, p := range readAll(t, "../examples/mined")[:mined] {
		positions = append(positions, p.Position)
	}
	// Solutions that are not essential: the elephant's two steps, and two steps of anything.
	positions = append(positions, boards.Parse(t, "g [r       Rr     r   E dr      r             e           RR  RR  R]"))
	found, more, wins := 0, 0, map[int]int{}
	for _, p := range positions {
		if p.Unusual() != nil {
			continue
		}
		puzzle, j, err := m.Look(t.Context(), p)
		least, verdict := j.Least, j.Verdict
		require.NoError(t, err)
		a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 2, All: true})
		require.NoError(t, err)
		if verdict != a.Verdict || least != a.Within {
			t.Fatalf("%v: %v, win in %d; the solver says %v, %d", p, verdict, least, a.Verdict, a.Within)
		}
		wins[least]++
		if is := a.Within == 2 && a.Essential() == 1; is != (puzzle != nil) {
			t.Fatalf("%v: win in %d with %d essential solutions, puzzle: %t", p, a.Within, a.Essential(), puzzle != nil)
		}
		if puzzle != nil {
			found++
			if len(a.Solutions) > 1 {
				more++
			}
			checkMined(t, puzzle, a.Solutions)
			describer := describe.Describer{Solver: s}
			z, ok, err := describer.Win(t.Context(), p, &a)
			if err != nil || !ok {
				t.Fatalf("%v: %v, %v", p, ok, err)
			}
			if d, _ := z.Difficulty(); d != puzzle.Difficulty() || d == 0 || z.Themes != puzzle.Themes || z.Turns != puzzle.First {
				t.Errorf("%v: difficulty %v, %v of %d turns; described as %v, %v of %d", p, puzzle.Difficulty(), puzzle.Themes, puzzle.First, d, z.Themes, z.Turns)
			}
		}
	}
	if found < mined || more == 0 || wins[0] == 0 || wins[1] == 0 {
		t.Errorf("%d puzzles, %d of them with solutions that are not essential, positions by win: %v: too few to say much", found, more, wins)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if puzzle, j, err := m.Look(ctx, positions[len(positions)-1]); puzzle != nil || j.Verdict != answer.Unknown || j.Stop != answer.Interrupted || err != nil {
		t.Errorf("interrupted: %v, %v, %v", puzzle, j, err)
	}
}

// TestMiningVersion mines the example game with few nodes. A library mines no game twice with the
// same version: if this test finds something else, raise [MiningVersion].
func TestMiningVersion(t *testing.T) {
	data, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	game, err := notation.ReadGame("game.turns", string(data))
	require.NoError(t, err)
	for nodes, want := range map[uint64]string{
		20_000: "21s 0 open, 22s 0 open, 23s 0 open, 24g 0 open, 24s 2 open, 25g 0 open, 25s 1, 26s 1",
		50_000: "24s 2\ts [r  r rr d r  c r c  H rd    HR       E     e   R rD C   RR   RR ]\t2\ted3s Dc2n Dc3x ed2w ec2e\tgame 24s" +
			"\t24\t9987\t86\tno\t4.3\t1\tthreat, capture, push, freeing, goal, 25s 1, 26s 1",
	} {
		o := solve.Options{Memory: 64 << 20}.ForNodes(nodes, 1)
		s, err := solve.New(o)
		require.NoError(t, err)
		limit := answer.Limit{Nodes: nodes}
		m := Miner{Solver: s, Turns: 2, Limit: limit, Listing: limit}
		var all []string
		for i, p := range PlacesOf("game", game) {
			found, j, err := m.Look(t.Context(), p.Position)
			require.NoError(t, err)
			if j.Verdict == answer.Disproved {
				continue
			}
			text := fmt.Sprint(game.Label(i), " ", j.Least)
			if found != nil {
				text += "\t" + found.Row(p.Name)
			}
			if j.Verdict == answer.Unknown {
				text += " open"
			}
			all = append(all, text)
		}
		if got := strings.Join(all, ", "); got != want || MiningVersion != 2 {
			t.Errorf("%d nodes, version %d:\n%q, want of version 2\n%q", nodes, MiningVersion, got, want)
		}
	}
}

// checkMined counts again what a puzzle says about itself.
func checkMined(t *testing.T, m *Mined, solutions []dfpns.Solution) {
	t.Helper()
	var d goal.Detector
	var g, replies arimaa.Generator
	p := m.Position
	if m.Solutions != len(solutions) || m.Turns != 2 || m.Pieces != p.Occupied().Len() {
		t.Errorf("%v: %+v", p, m)
	}
	right, legal := p.Try(m.Solution)
	if !legal {
		t.Fatalf("%v: %v is not legal", p, m.Solution)
	}
	solves := map[arimaa.Position]bool{}
	for _, s := range solutions {
		solves[s.After] = true
		if s.Essential != (s.After == right) {
			t.Errorf("%v: the solution is %v, and %v is essential: %t", p, m.Solution, s.Turn, s.Essential)
		}
	}
	if n := replies.Generate(&right); n != m.Replies {
		t.Errorf("%v: %d replies, counted %d", p, m.Replies, n)
	}
	tries := 0
	for i := range g.Generate(&p) {
		after, _ := p.Try(g.Turn(i))
		if o := after.Board.Ended(p.Side()); o.Over() {
			continue
		}
		again := after.EndTurn()
		_, wins := d.CanWin(&again, &again.Board)
		switch {
		case !solves[after] && wins:
			tries++
		case after == right && wins == m.Quiet:
			t.Errorf("%v: quiet %t, and it threatens: %t", p, m.Quiet, wins)
		}
	}
	if tries != m.Tries {
		t.Errorf("%v: %d tries, counted %d", p, m.Tries, tries)
	}
}
