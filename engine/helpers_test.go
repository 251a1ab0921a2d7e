package engine

import (
	"context"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/internal/testkit/published/games"
)

// gamePositions returns the positions of the published games that are not over.
func gamePositions(t testing.TB) (all []arimaa.Position) {
	t.Helper()
	for _, p := range games.Positions(t) {
		if !p.Board.Ended(p.Side().Other()).Over() {
			all = append(all, p)
		}
	}
	return all
}

func newEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	o.Threads = max(1, o.Threads)
	if o.Memory == 0 {
		o.Memory = 16 << 20
	}
	e, err := New(o)
	require.NoError(t, err)
	return e
}

// search searches a position without a history.
func search(t testing.TB, e *Engine, p arimaa.Position, l Limits) Report {
	t.Helper()
	r, err := e.Search(context.Background(), arimaa.NewGame(p, 2), l, nil)
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	if _, ok := p.Try(r.Turn); !ok {
		t.Fatalf("%v: the turn %v is illegal", p, r.Turn)
	}
	return r
}
