package studio

import (
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/tables/endgame"
)

const asideWords = " (the third repetition set aside)"

// TestTabledWords checks that what an endgame table says without the third repetition is said so,
// and nothing else is.
func TestTabledWords(t *testing.T) {
	tables, err := endgame.Open("", 16<<20)
	require.NoError(t, err)
	defer tables.Close()
	s := &Server{options: Options{Endgames: tables}}
	table := func(g *arimaa.Game) string {
		says := s.table(g)
		if says == nil {
			t.Fatalf("no table knows %v", g.Last())
		}
		return *says
	}
	// Silver's rabbit goes to and fro until a position has occurred twice.
	p, err := notation.ParsePosition("g [             r                    E             R               ]")
	require.NoError(t, err)
	g := arimaa.NewGame(p, 2)
	before := table(g)
	for _, turn := range []string{"Ec4e", "rf7e", "Ed4w", "rg7w"} {
		require.NoError(t, notation.Play(g, turn))
	}
	if !endgame.HistoryMatters(g) {
		t.Fatal("no position has occurred twice")
	}
	if got := table(g); got != before+asideWords || !strings.Contains(before, "wins in") {
		t.Errorf("%q, and where a position has occurred twice %q", before, got)
	}
	p, err = notation.ParsePosition("s [                            r               R        E          ]")
	require.NoError(t, err)
	if got, want := table(arimaa.NewGame(p, 2)), "neither side can force a win"+asideWords; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
