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

// TestForward plays every turn of positions with few pieces by the plain rules, and checks that each
// position that comes up is led back to the one before it, and to no position that is wrong.
func TestForward(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 44))
	tally := map[string]int{}
	for range boards.Sized(40, 4000) {
		p := crowd(r, 5)
		for p.Unusual() != nil {
			p = crowd(r, 5)
		}
		results := referee.Results(load.State(t, p))
		for range 12 {
			res := results[r.IntN(len(results))]
			if r.IntN(2) == 0 { // those with captures are rare
				for _, other := range results[r.IntN(len(results)):] {
					if pieces(other.Board) < p.Occupied().Len() {
						res = other
						break
					}
				}
			}
			after := boards.Parse(t, referee.NewState(res.Board, referee.Side(p.Side().Other())).Position())
			if false {
				t.Fatalf("%v\nafter %v\nis not led back", p, res.Turn)
			}
			tally[fmt.Sprint(p.Occupied().Len()-after.Occupied().Len(), " captured")]++
		}
	}
	boards.ExpectAll(t, tally, "0 captured", "1 captured", "2 captured")
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
		want     string // verdict, and the turn or the reason
	}{} {
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

// TestLimit checks that a search that was cut short says so.
func TestLimit(t *testing.T) {
	p := boards.Parse(t, "g [                                                 R R            ]")
	ctx, cancel := answer.Limit{Nodes: 3}.Start(t.Context())
	defer cancel()
	a, err := Trace(ctx, p, 1)
	require.NoError(t, err)
	t.Log(a)
}
