package jobs

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/cluster"
	"goalproof/engine/match"
	"goalproof/internal/testkit/require"
)

// wanderer plays one step at random, the same ones in each game.
type wanderer struct{ random *rand.Rand }

func (w *wanderer) Begin(context.Context, *arimaa.Game) error {
	w.random = rand.New(rand.NewPCG(1, 2))
	return nil
}

func (w *wanderer) Turn(_ context.Context, g *arimaa.Game, _ *clock.Clock) (string, error) {
	p := g.Last()
	options := p.Options(nil)
	return p.Notation(arimaa.Turn{}.WithOption(options[w.random.IntN(len(options))])), nil
}

func (w *wanderer) End() {}

// TestMatchPair has pairs played as a worker does, and reads the answers: they are the games of one
// machine. What cannot be a game of the pair is refused.
func TestMatchPair(t *testing.T) {
	m := &match.Match{New: make([]func() (match.Player, error), 2), Openings: match.Setups(3), Rules: match.Rules{Turns: 12}, Games: 8}
	for i := range m.New {
		m.New[i] = func() (match.Player, error) { return new(wanderer), nil }
	}
	q := &Match{Match: m}
	worker := matchPlayer{rules: m.Rules, players: []match.Player{new(wanderer), new(wanderer)}}
	for number := range 4 {
		question, err := q.Question(number)
		require.NoError(t, err)
		answer, err := worker.Answer(t.Context(), question)
		require.NoError(t, err)
		require.NoError(t, q.Check(t.Context(), question, answer))
		games, err := q.Result(number, cluster.Answer{Bytes: answer})
		require.NoError(t, err)
		for i, r := range games {
			want, err := m.Rules.Play(t.Context(), m.Opening(2*number+i), [2]match.Player{new(wanderer), new(wanderer)}, nil)
			require.NoError(t, err)
			if r.Winner != want.Winner || r.Ending != want.Ending || r.Detail != want.Detail || !slices.Equal(lineOf(r.Game).Turns, lineOf(want.Game).Turns) {
				t.Errorf("pair %d, game %d: %+v, want %+v", number, i, r, want)
			}
		}
		for what, change := range map[string]func(*outcome){
			"another opening": func(o *outcome) { o.Start = "g [" + "R" + o.Start[4:] },
			"no turns":        func(o *outcome) { o.Turns = []uint32{1 << 30} },
			"goal":            func(o *outcome) { o.Ending = match.Goal },
			"no ending":       func(o *outcome) { o.Ending = "boredom" },
			"no winner":       func(o *outcome) { o.Winner = 2 },
		} {
			var lie [2]outcome
			require.NoError(t, unpack(answer, &lie))
			change(&lie[1])
			text, err := pack(lie)
			require.NoError(t, err)
			if err := q.Check(t.Context(), question, text); err == nil {
				t.Errorf("pair %d: %s is believed", number, what)
			}
		}
	}
	// Two pairs with the same opening are two questions.
	one, err := q.Question(0)
	require.NoError(t, err)
	later := 0
	for m.Opening(2*later) == nil || later == 0 || lineOf(m.Opening(2*later)).Start != lineOf(m.Opening(0)).Start {
		later++
	}
	again, err := q.Question(later)
	require.NoError(t, err)
	if slices.Equal(one, again) {
		t.Error("two pairs are one question")
	}
}

// TestOurs checks which programs workers start.
func TestOurs(t *testing.T) {
	for text, want := range map[string]bool{
		"goalproof aei": true, "/usr/bin/goalproof aei --threads 1 hash=16": true, "goalproof.exe aei --without=killers": true,
		"goalproof": false, "goalproof solve": false, "sh -c true": false, "goalproof aei --endgames /tmp": false, "goalproof aei --manifest": false,
	} {
		c, err := match.ParseCommand(text)
		require.NoError(t, err)
		if err := Ours(c); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
