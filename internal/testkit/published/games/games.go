// Package games gives tests the published games (package published).
package games

import (
	"testing"

	"goalproof/arimaa"
)

// All returns the published games that today's rules allow, or skips the test. Two of the old ones
// hold a step of a frozen piece.
func All(t testing.TB) (games []*arimaa.Game) {
	t.Helper()
	for _, file := range []string{"archive-2026.tsv", "archive-2002.tsv"} {
		for _, g := range Of(t, file) {
			games = append(games, g.Game)
		}
	}
	return games
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
