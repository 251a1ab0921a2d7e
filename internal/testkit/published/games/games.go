// Package games gives tests the published games (package published).
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

// Of returns the games of an archive that today's rules allow, or skips the test. Two of the old ones
// hold a step of a frozen piece.
func Of(t testing.TB, file string) (games []Game) {
	t.Helper()
	records, err := notation.ReadArchive(file, published.Read(t, "games/"+file))
	require.NoError(t, err)
	for i := range records {
		if g, err := records[i].Game(); err == nil {
			games = append(games, Game{g, records[i]})
		}
	}
	return games
}

// All returns the published games that today's rules allow, or skips the test.
func All(t testing.TB) (games []*arimaa.Game) {
	t.Helper()
	for _, file := range []string{"archive-2026.tsv", "archive-2002.tsv"} {
		for _, g := range Of(t, file) {
			games = append(games, g.Game)
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

// Positions returns all positions of the games, before each turn and after the last one.
func Positions(t testing.TB) (all []arimaa.Position) {
	t.Helper()
	for _, g := range All(t) {
		for i := range g.Len() + 1 {
			all = append(all, g.Position(i))
		}
	}
	return all
}
