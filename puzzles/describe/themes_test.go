package describe

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// isFrozen tells by the plain rule whether the piece on a square of a referee's board is frozen.
func isFrozen(b *referee.Board, square int) bool {
	const strength = "rcdhme"
	lower := func(c byte) byte { return c | 0x20 }
	isGold := func(c byte) bool { return c < 'a' }
	piece, stronger := b[square], false
	for _, d := range [][2]int{{0, 1}, {0, -1}, {1, 0}, {-1, 0}} {
		rank, file := square/8+d[0], square%8+d[1]
		if rank < 0 || rank > 7 || file < 0 || file > 7 || b[8*rank+file] == referee.Empty {
			continue
		}
		other := b[8*rank+file]
		if isGold(other) == isGold(piece) {
			return false
		}
		stronger = stronger || strings.IndexByte(strength, lower(other)) > strings.IndexByte(strength, lower(piece))
	}
	return stronger
}

// plainThemes returns the themes of the steps of a turn by their definitions: it plays the turn
// with the referee and follows each piece.
func plainThemes(t testing.TB, st referee.State, turn string) (all Themes) {
	t.Helper()
	steps, _, err := st.ReadTurn(turn)
	require.NoError(t, err)
	own := func(piece byte) bool { return (piece < 'a') == (st.Side == referee.Gold) }
	var from [64]int // the square on which the piece began the turn, and 1; 0: no piece
	var frozen, stepped [64]bool
	for s, piece := range st.Board {
		if piece != referee.Empty {
			from[s] = s + 1
			frozen[s] = own(piece) && isFrozen(&st.Board, s)
		}
	}
	for _, step := range steps {
		next, captured, err := st.Play(step)
		require.NoError(t, err)
		from[step.To], from[step.From] = from[step.From], 0
		if own(step.Piece) {
			stepped[from[step.To]-1] = true
		} else if next.Unfinished() {
			all |= Push
		} else {
			all |= Pull
		}
		for _, c := range captured {
			from[c.Square] = 0
			if own(c.Piece) {
				all |= Sacrifice
			} else {
				all |= Capture
			}
		}
		st = next
	}
	for s := range frozen {
		stays := frozen[s] && from[s] == s+1 && !isFrozen(&st.Board, s)
		if frozen[s] && stepped[s] || stays {
			all |= Freeing
		}
	}
	return all
}

// TestThemesOfSteps compares the themes of random turns with their plain definitions.
func TestThemesOfSteps(t *testing.T) {
	seen := map[Themes]int{}
	var turns arimaa.Generator
	boards.Check(t, 300, 20_000, func(rt *rapid.T) {
		p := boards.Parse(rt, boards.Position().Draw(rt, "position"))
		st := load.State(rt, p)
		n := turns.Generate(&p)
		if n == 0 {
			return
		}
		for k := range 8 {
			i := rapid.IntRange(0, n-1).Draw(rt, "turn")
			if k == 0 {
				i = n - 1 - i%100 // long turns are last
			}
			turn, after := turns.Turn(i), turns.Position(i, p.Side())
			got, want := themesOfSteps(&p, &after, turn), plainThemes(t, st, p.Notation(turn))
			if got != want {
				rt.Fatalf("%v: %v: themes %v, by definition %v", p, p.Notation(turn), got, want)
			}
			for theme := Threat; theme <= Immobilisation; theme <<= 1 {
				if got&theme != 0 {
					seen[theme]++
				}
			}
		}
	})
	t.Log(seen)
	for _, theme := range []Themes{Capture, Sacrifice, Push, Pull, Freeing} {
		if seen[theme] < 20 {
			t.Errorf("%v was met %d times", theme, seen[theme])
		}
	}
}
