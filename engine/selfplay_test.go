package engine

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/proof/referee"
)

// fullGames is the number of games of TestSelfPlay and TestRandomMover; 100 take minutes.
var fullGames = flag.Int("games", 0, "games of TestSelfPlay and of TestRandomMover, at 0.1 s a turn (default: few, of a fixed number of nodes)")

// player chooses turns.
type player interface {
	choose(t testing.TB, g *arimaa.Game) arimaa.Turn
}

// choose searches within the limits of the tests.
func (e *Engine) choose(t testing.TB, g *arimaa.Game) arimaa.Turn {
	l := Limits{Nodes: 5_000}
	if *fullGames > 0 {
		l = Limits{Time: 100 * time.Millisecond}
	}
	r, err := e.Search(context.Background(), g, l, nil)
	require.NoError(t, err)
	if over := r.Time - l.Time; l.Time > 0 && over > 250*time.Millisecond {
		t.Errorf("a turn took %v more than its time, which loses a game with a clock", over)
	}
	return r.Turn
}

// mover plays uniformly random turns.
type mover struct {
	random *rand.Rand
	turns  arimaa.Generator
}

func (m *mover) choose(t testing.TB, g *arimaa.Game) arimaa.Turn {
	p := g.Last()
	for n := m.turns.Generate(&p); ; {
		if turn := m.turns.Turn(m.random.IntN(n)); g.At(g.Len()).Play(turn) == nil {
			return turn
		}
	}
}

// play plays a game of at most most turns, each of which package referee checks.
func play(t testing.TB, random *rand.Rand, players [2]player, most int) *arimaa.Game {
	var b arimaa.Board
	for side := range arimaa.Side(2) {
		for _, p := range Setup(side, b, random) {
			b.Put(p.Square, p.Piece)
		}
	}
	g := arimaa.NewGame(arimaa.NewPosition(b, arimaa.Gold), 2)
	for g.Len() < most && !g.Outcome().Over() {
		p := g.Last()
		turn := players[p.Side()].choose(t, g)
		if err := g.Play(turn); err != nil {
			t.Fatalf("%v: %v: %v", p, turn, err)
		}
		checkByReferee(t, p, turn, g.Last())
	}
	return g
}

// checkByReferee checks a turn by the plain rules.
func checkByReferee(t testing.TB, p arimaa.Position, turn arimaa.Turn, after arimaa.Position) {
	t.Helper()
	before, err := referee.ParsePosition(p.String())
	require.NoError(t, err)
	_, got, err := before.ReadTurn(p.Notation(turn))
	if err == nil {
		got, err = got.Stop()
	}
	if err != nil {
		t.Fatalf("%v: the referee refuses %v: %v", p, turn, err)
	}
	if got.Position() != after.String() {
		t.Fatalf("%v: %v leads to %v, by the referee to %v", p, turn, after, got.Position())
	}
}

// TestSelfPlay plays the engine against itself.
func TestSelfPlay(t *testing.T) {
	n, most := boards.Sized(1, 6), boards.Sized(20, 300)
	if *fullGames > 0 {
		n, most = *fullGames, 400
	}
	e := newEngine(t, Options{Memory: 64 << 20})
	turns, over := 0, 0
	for i := range n {
		e.Forget()
		g := play(t, rand.New(rand.NewPCG(1, uint64(i))), [2]player{e, e}, most)
		turns += g.Len()
		if g.Outcome().Over() {
			over++
		}
	}
	t.Logf("%d games, %d turns, %d games ended by the board", n, turns, over)
}

// TestRandomMover plays the engine against random turns: it wins every game.
func TestRandomMover(t *testing.T) {
	n := boards.Sized(2, 6)
	if *fullGames > 0 {
		n = *fullGames
	}
	e := newEngine(t, Options{Memory: 64 << 20})
	turns := 0
	for i := range n {
		e.Forget()
		random := rand.New(rand.NewPCG(2, uint64(i)))
		players := [2]player{e, &mover{random: random}}
		side := arimaa.Side(i % 2)
		if side == arimaa.Silver {
			players[0], players[1] = players[1], players[0]
		}
		g := play(t, random, players, 400)
		turns += g.Len()
		if o := g.Outcome(); !o.Over() || o.Winner != side {
			t.Errorf("game %d: %+v after %d turns", i, o, g.Len())
		}
	}
	t.Logf("%d games, %d turns", n, turns)
}
