package retro

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// replay plays a line by the plain rules and checks that it leads from turn to turn to p, that no
// game was over on the way, and that no board on the way is impossible.
func replay(t rapid.TB, line []Ply, p arimaa.Position) {
	t.Helper()
	for i := range line {
		after := p
		if i+1 < len(line) {
			after = line[i+1].Before
		}
		before := line[i].Before
		if err := before.Unusual(); err != nil {
			t.Fatalf("before turn %d of %d: %v\n%v", i+1, len(line), err, before)
		}
		st := load.State(t, before)
		_, end, err := st.ReadTurn(before.Notation(line[i].Turn))
		if err == nil {
			end, err = end.Stop()
		}
		if err != nil || end.Position() != after.String() {
			t.Fatalf("turn %d of %d, %v, from %v: %v\ngot  %s\nwant %v", i+1, len(line), line[i].Turn, before, err, end.Position(), after)
		}
	}
}

// crowd draws up to most pieces, close together around a trap, so that captures, pushes, pulls and
// freezing are frequent. No army has too many of a kind.
func crowd(r *rand.Rand, most int) arimaa.Position {
	for {
		var b arimaa.Board
		trap := []arimaa.Square{18, 21, 42, 45}[r.IntN(4)]
		for range 1 + r.IntN(most) {
			at := trap
			for range r.IntN(5) {
				if next, ok := at.Next(arimaa.Direction(r.IntN(4))); ok {
					at = next
				}
			}
			kind := arimaa.Kind(1 + r.IntN(6))
			if r.IntN(3) == 0 {
				kind = arimaa.Rabbit
			}
			b.Put(at, arimaa.NewPiece(arimaa.Side(r.IntN(2)), kind))
		}
		p := arimaa.NewPosition(b, arimaa.Side(r.IntN(2)))
		if p.Impossible() == nil {
			return p
		}
	}
}

// TestForward plays turns of positions with few pieces by the plain rules, and checks that each
// position that comes up is led back to the one before it.
func TestForward(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 44))
	tally := map[string]int{}
	for i := range boards.Sized(10, 10000) {
		p := crowd(r, 5)
		for p.Unusual() != nil {
			p = crowd(r, 5)
		}
		byLength := [arimaa.StepsPerTurn + 1][]referee.Result{}
		for _, result := range referee.Results(load.State(t, p)) {
			n := len(result.Turn)
			byLength[n] = append(byLength[n], result)
		}
		for n, times := range []int{0, 8, 8, 2, i & 3 / 3} {
			for range times {
				if len(byLength[n]) > 0 {
					leadsBack(t, r, p, byLength[n], tally)
				}
			}
		}
	}
	boards.ExpectAll(t, tally, "0 captured in 1 steps", "1 captured in 1 steps", "1 captured in 2 steps", "1 captured in 3 steps",
		"2 captured in 3 steps")
}

// leadsBack checks that one of the results of p, with a capture if there is one among a few, leads
// back to p.
func leadsBack(t *testing.T, r *rand.Rand, p arimaa.Position, results []referee.Result, tally map[string]int) {
	result := results[r.IntN(len(results))]
	for range 50 {
		if other := results[r.IntN(len(results))]; pieces(other.Board) < pieces(result.Board) {
			result = other
		}
	}
	after := boards.Parse(t, referee.NewState(result.Board, referee.Side(p.Side().Other())).Position())
	w := newWalk(p.Side())
	w.found = func() bool { return w.points[len(w.points)-1].board != p.Board }
	if w.back(&after.Board) {
		t.Fatalf("%v\nafter %v\nis not led back", p, result.Turn)
	}
	replay(t, []Ply{w.ply(len(w.points) - 1)}, after)
	tally[fmt.Sprintf("%d captured in %d steps", p.Occupied().Len()-after.Occupied().Len(), len(result.Turn))]++
}

func pieces(b referee.Board) (n int) {
	for _, c := range b {
		if c != referee.Empty {
			n++
		}
	}
	return n
}

// TestPlayed checks that positions of all sizes in which a legal turn has been played are possible.
func TestPlayed(t *testing.T) {
	boards.Check(t, 400, 40000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		var g arimaa.Generator
		if p.Unusual() != nil || g.Generate(&p) == 0 {
			t.SkipNow()
		}
		after := g.Position(rapid.IntRange(0, g.Len()-1).Draw(t, "turn"), p.Side())
		a, err := Trace(t.Context(), after, 1)
		require.NoError(t, err)
		if a.Verdict != Possible {
			t.Fatalf("%v: %v, %s", after, a.Verdict, a.Reason(after.Side()))
		}
		replay(t, a.Line, after)
	})
}

// TestHandMade asks about positions whose last turn is known.
func TestHandMade(t *testing.T) {
	for name, c := range map[string]struct {
		position string
		back     int
		want     string // verdict, and the last turn or the reason
	}{
		"a pull alone, as nothing else of gold could have moved": {"2s 8/2r2r2/2r2r2/8/2r2r2/2r2r2/d7/ERh5", 1, "possible: Ea2s db2w"},
		"no pull by a weaker piece": {
			"2s 8/2r2r2/2r2r2/8/2r2r2/2r2r2/d7/CRh5", 1, "impossible: gold has no legal last turn: no step, push or pull can be taken back"},
		"a capture, without which the game would have been over": {"2s 8/8/8/8/3E4/8/8/R7", 1, "x"},
		"a rabbit whose ways were frozen": {
			"2s 8/2r2r2/2r2r2/8/2r2r1R/2r2rd1/8/8", 1, "impossible: gold has no legal last turn: no step, push or pull can be taken back"},
		"the same beside a rabbit": {"2s 8/2r2r2/2r2r2/8/2r2d1R/2r2rr1/8/8", 1, "possible: Rh3n"},
		"a silver rabbit between gold pieces on its own goal's far side": {
			"2g 3RrR2/2R2R2/2R2R2/8/2R2R2/2C2C2/8/8", 1, "impossible: silver has no legal last turn"},
		"a rabbit that had stood on the goal rank": {
			"2s R7/rrrr4/2h2h2/5m2/2c2d2/2c2d2/8/8", 1, "impossible: gold has no legal last turn: wherever a turn could have begun (boards: 4), the game was over"},
		"a rabbit at the goal, just now": {"2s R7/1rrr4/2h2h2/5m2/2c2d2/2c2d2/8/8", 1, "possible: Ra7n"},
		"an undefended piece on a trap":  {"2s 8/2r2r2/2r5/8/8/8/8/R7", 1, "possible"},
		"too many":                       {"2s 8/8/8/8/3E4/3E4/8/R6r", 1, "impossible: gold has 2 elephants, a full army has 1"},
		"after the setups":               {"2g rrrrrrrr/hdcemcdh/8/8/8/8/RRRRRRRR/HDCMECDH", 3, "possible: "},
		"gold has not moved":             {"2s rrrrrrrr/hdcemcdh/8/8/8/8/RRRRRRRR/HDCMECDH", 3, "impossible: gold has no legal last turn: no step"},
		"gold had not moved before": {
			"2g rrrrrrrr/hdc1mcdh/4e3/8/8/8/RRRRRRRR/HDCMECDH", 3, "impossible: every last turn leads back to a position that has none, or none but from here"},
	} {
		p, err := notation.ParsePosition(c.position)
		require.NoError(t, err)
		a, err := Trace(context.Background(), p, max(c.back, 1))
		require.NoError(t, err)
		got := a.Verdict.String() + ": " + a.Reason(p.Side())
		if len(a.Line) > 0 {
			replay(t, a.Line, p)
			got += a.Line[0].Before.Notation(a.Line[0].Turn)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestSetups says which positions come up while a game is set up.
func TestSetups(t *testing.T) {
	for position, want := range map[string]Setup{
		"2g rrrrrrrr/hdcemcdh/8/8/8/8/RRRRRRRR/HDCMECDH":  BothSetUp,
		"2g rrrrrrrr/hdcemcd1/8/8/8/8/RRRRRRRR/HDCMECDH":  HandicapBoth,
		"2g rrrrrrrr/hdcemcd1/7h/8/8/8/RRRRRRRR/HDCMECDH": Played,
		"2s rrrrrrrr/hdcemcdh/8/8/8/8/RRRRRRRR/HDCMECDH":  Played,
		"2s 8/8/8/8/8/8/RRRRRRRR/HDCMECDH":                GoldSetUp,
		"2s 8/8/8/8/8/8/RRRRRRRR/HDCMEC2":                 HandicapGold,
		"2g 8/8/8/8/8/8/RRRRRRRR/HDCMECDH":                Played,
		"2g 8/e7/8/8/8/8/RRRRRRRR/HDCMECDH":               Played,
	} {
		p, err := notation.ParsePosition(position)
		require.NoError(t, err)
		a, err := Trace(t.Context(), p, 1)
		require.NoError(t, err)
		if got := setupOf(&p); got != want || want != Played && (a.Verdict != Possible || a.Line != nil || !a.Whole() || a.Nodes != 0) {
			t.Errorf("%s: got %d, want %d; %+v", position, got, want, a)
		}
	}
}

// TestTrace checks lines of several turns, and that one that arrives at the setups ends there.
func TestTrace(t *testing.T) {
	for moves, want := range map[string]int{"Ee2n": 1, "Ee2n / ed7s ed6s / Ee3n Ee4n Ha2n": 3} {
		g := arimaa.NewGame(boards.Parse(t, "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"), 2)
		for _, text := range strings.Split(moves, " / ") {
			st := arimaa.NewState(g.Last())
			turn, err := notation.PlaySteps(&st, text)
			require.NoError(t, err)
			require.NoError(t, g.Play(turn))
		}
		a, err := Trace(t.Context(), g.Last(), 4)
		require.NoError(t, err)
		if a.Verdict != Possible || !a.Whole() || len(a.Line) != want {
			t.Errorf("after %s: %+v", moves, a)
		}
		replay(t, a.Line, g.Last())
	}
	boards.Check(t, 30, 3000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Few(4).Draw(t, "position"))
		if p.Impossible() != nil {
			t.SkipNow()
		}
		const back = 7
		a, err := Trace(t.Context(), p, back)
		require.NoError(t, err)
		if a.Verdict != Possible || len(a.Line) != back && !a.Whole() {
			t.Fatalf("%v: %+v", p, a)
		}
		replay(t, a.Line, p)
		met := map[arimaa.Position]bool{p: true}
		for _, ply := range a.Line {
			if met[ply.Before] {
				t.Fatalf("%v occurs twice", ply.Before)
			}
			met[ply.Before] = true
		}
	})
}

// TestLimit checks that a search that was cut short says so, and keeps the line that it has found.
func TestLimit(t *testing.T) {
	p, err := notation.ParsePosition("2g rrrrrrrr/hdc1mcdh/4e3/8/8/8/RRRRRRRR/HDCMECDH")
	require.NoError(t, err)
	ctx, cancel := answer.Limit{Nodes: 50}.Start(t.Context())
	defer cancel()
	a, err := Trace(ctx, p, 2)
	require.NoError(t, err)
	if a.Verdict != Open || a.Stop != answer.Nodes || a.Nodes != 50 || len(a.Line) != 1 || a.Reason(p.Side()) != "" {
		t.Errorf("got %+v", a)
	}
	if _, err := Trace(ctx, arimaa.Position{}, 1); err == nil {
		t.Error("an empty board is no position")
	}
}
