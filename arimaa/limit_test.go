package arimaa_test

import (
	"testing"
	"unicode"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/proof/referee"
)

// lead counts the pieces that Gold has more than Silver.
func lead(p arimaa.Position) (n int) {
	for _, c := range p.String()[3:67] {
		switch {
		case unicode.IsUpper(c):
			n++
		case unicode.IsLower(c):
			n--
		}
	}
	return n
}

// TestMorePieces plays random games with both implementations of the rules. After each turn they
// must agree on who would win at a limit: the side that led most recently. So must a game that
// continues from there, and one with turns taken back.
func TestMorePieces(t *testing.T) {
	evened := 0 // positions with equal numbers after Gold was ahead
	boards.Check(t, 150, 5_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		r, err := referee.ParsePosition(p.String())
		require.NoError(t, err)
		g, h, want := arimaa.NewGame(p, 2), referee.NewHistory(r), arimaa.Silver
		for range 12 {
			last := g.Last()
			switch n := lead(last); {
			case n > 0:
				want = arimaa.Gold
			case n < 0:
				want = arimaa.Silver
			case want == arimaa.Gold:
				evened++
			}
			if got, plain := g.MorePieces(), arimaa.Side(h.Score()); got != want || plain != want || g.At(g.Len()).MorePieces() != want {
				t.Fatalf("%v wins, referee %v, want %v after\n%s", got, plain, want, notation.Turns(g))
			}
			var generator arimaa.Generator
			if n := generator.Generate(&last); g.Outcome().Over() || n == 0 {
				return
			} else if err := g.Play(generator.Turn(rapid.IntRange(0, n-1).Draw(t, "turn"))); err != nil {
				return
			}
			if r, err = playTurn(r, last.Notation(g.Turn(g.Len()-1)), h); err != nil {
				t.Fatal(err)
			}
		}
		for g.Len() > 0 {
			whole := g.At(g.Len() - 1).MorePieces()
			if err := g.TakeBack(); err != nil || g.MorePieces() != whole {
				t.Fatalf("%v, %v wins after a turn was taken back, want %v", err, g.MorePieces(), whole)
			}
		}
	})
	if evened == 0 {
		t.Error("Gold was never ahead before the numbers were equal")
	}
}

// playTurn lets the referee play a turn.
func playTurn(r referee.State, turn string, h *referee.History) (referee.State, error) {
	_, after, err := r.ReadTurn(turn)
	if err == nil {
		after, err = h.Stop(after)
	}
	return after, err
}

// TestMorePiecesPublished looks at the game that was made to show the rule: Gold has lost its lead,
// and wins.
func TestMorePiecesPublished(t *testing.T) {
	g, err := notation.ReadGame("07-limit.txt", published.Read(t, "pastes/07-limit.txt"))
	require.NoError(t, err)
	if last := g.Last(); lead(last) != 0 || g.MorePieces() != arimaa.Gold {
		t.Errorf("gold leads by %d, and %v wins", lead(last), g.MorePieces())
	}
}
