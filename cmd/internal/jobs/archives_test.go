package jobs

import (
	"os"
	"slices"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cluster"
	"goalproof/engine/learn"
	"goalproof/internal/testkit/require"
)

// TestArchive has a game searched as a worker does, and reads the answer: it has the scores of one
// machine. What is another game is refused.
func TestArchive(t *testing.T) {
	play := learn.SelfPlay{Nodes: 10, Threads: 1}
	text, err := os.ReadFile("../../../examples/game.turns")
	require.NoError(t, err)
	game, err := notation.ReadGame("game.turns", string(text))
	require.NoError(t, err)
	f := learn.Finished{Game: game, Winner: arimaa.Silver}
	q := &Archives{Games: Games{Play: play}, All: []learn.Finished{f}}
	p, err := play.Player()
	require.NoError(t, err)
	question, err := q.Question(0)
	require.NoError(t, err)
	answer, err := student{p}.Answer(t.Context(), question)
	require.NoError(t, err)
	require.NoError(t, q.Check(t.Context(), question, answer))
	got, err := q.Result(0, cluster.Answer{Bytes: answer})
	require.NoError(t, err)
	for want, err := range (learn.Study{Player: play}).Games(t.Context(), q.All) {
		require.NoError(t, err)
		if !slices.Equal(got.Append(nil), want.Append(nil)) || len(got.Turns) != f.Game.Len() {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for what, change := range map[string]func(*learn.Game){
		"another winner": func(g *learn.Game) { g.Winner = arimaa.Gold },
		"a turn less":    func(g *learn.Game) { g.Turns = g.Turns[:len(g.Turns)-1] },
		"no turns":       func(g *learn.Game) { g.Turns = nil },
		"another turn":   func(g *learn.Game) { g.Turns = append(slices.Clone(g.Turns[:len(g.Turns)-1]), learn.Scored{Code: 1}) },
		"another beginning": func(g *learn.Game) {
			g.Start = arimaa.NewPosition(g.Start.Board, g.Start.Side().Other())
			g.Turns = nil
		},
	} {
		lie := *got
		change(&lie)
		if q.Check(t.Context(), question, lie.Append(nil)) == nil {
			t.Errorf("%s is believed", what)
		}
	}
	for _, cut := range []int{0, 1, len(answer) - 1} {
		if q.Check(t.Context(), question, answer[:cut]) == nil {
			t.Errorf("%d bytes of %d are believed", cut, len(answer))
		}
	}
}
