package games

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// Game is a published game and its record.
type Game struct {
	*arimaa.Game
	Record *notation.Record
}

// Of returns the games of an archive that today's rules allow, or skips the test.
func Of(t testing.TB, file string) (games []Game) {
	t.Helper()
	records, err := notation.ReadArchive(file, published.Read(t, "games/"+file))
	require.NoError(t, err)
	for _, r := range records {
		if g, err := r.Game(); err == nil {
			games = append(games, Game{g, r})
		}
	}
	return games
}

// Last returns the last turns of a game as a game of its own.
func Last(t testing.TB, g *arimaa.Game, turns int) *arimaa.Game {
	t.Helper()
	first := max(g.Len()-turns, 0)
	last := arimaa.NewGame(g.Position(first), g.Number(first))
	for i := first; i < g.Len(); i++ {
		require.NoError(t, last.Play(g.Turn(i)))
	}
	return last
}
