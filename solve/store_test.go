package solve

import (
	"context"
	"slices"
	"testing"

	"goalproof/answer"
	"goalproof/internal/testkit/require"
	"goalproof/pns"
	"goalproof/tables"
	"goalproof/tables/store"
)

// TestStoreOfBoth answers questions by one algorithm with an empty store, then by each with the
// store that is there: the answers are the same, and warm ones take next to no nodes.
func TestStoreOfBoth(t *testing.T) {
	questions := map[string]struct{ deepest, least int }{
		"win-in-2-for-silver.txt": {4, 2},
		"no-win-in-2.txt":         {3, 0},
		"win-in-3.txt":            {3, 3},
	}
	for _, first := range []Algorithm{DFPNS, PNS} {
		for name, want := range questions {
			q := Question{Position: exampleOf(t, name), Deepest: want.deepest}
			dir := t.TempDir()
			answers := func(by Algorithm) Answer {
				t.Helper()
				facts, err := store.Open(dir, store.Options{Memory: 4 << 20})
				require.NoError(t, err)
				defer func() {
					if err := facts.Close(); err != nil {
						t.Error(err)
					}
				}()
				threads := 1
				if by == DFPNS {
					threads = 2
				}
				s := solverWith(t, Options{Algorithm: by, Memory: 64 << 20, Threads: threads, Store: facts})
				return solved(t, s, context.Background(), q)
			}
			cold := answers(first)
			for _, second := range []Algorithm{DFPNS, PNS} {
				warm := answers(second)
				if warm.Verdict != cold.Verdict || warm.Bounds != cold.Bounds || warm.Within != want.least || len(warm.Line) != len(cold.Line) {
					t.Errorf("%s, %d and then %d: %+v, it was %+v", name, first, second, warm, cold)
				}
				if warm.Verdict == answer.Proved {
					checkLine(t, q.Position, warm)
				}
				if cold.Nodes > 1_000 && warm.Nodes > 10 {
					t.Errorf("%s, %d and then %d: %d nodes, it took %d", name, first, second, warm.Nodes, cold.Nodes)
				}
			}
		}
	}
}

// TestStoreOfList lists the solutions of questions that take little and much work: the store has
// the answer afterwards, and line and list are the same as without one.
func TestStoreOfList(t *testing.T) {
	for name, deepest := range map[string]int{"win-in-2.txt": 2, "no-win-in-2.txt": 2, "win-in-3.txt": 3} {
		facts, err := store.Open(t.TempDir(), store.Options{Memory: 4 << 20})
		require.NoError(t, err)
		defer facts.Close()
		ask := func(all bool, facts tables.Store) Answer {
			s := solverWith(t, Options{Memory: 64 << 20, Threads: 1, Store: facts})
			return solved(t, s, context.Background(), Question{Position: exampleOf(t, name), Deepest: deepest, All: all})
		}
		listed := ask(true, facts)
		require.NoError(t, facts.Sync())
		if bare := ask(true, nil); bare.Verdict != listed.Verdict || !slices.Equal(bare.Line, listed.Line) || !slices.Equal(bare.Solutions, listed.Solutions) {
			t.Errorf("%s: %+v, and %+v without a store", name, listed, bare)
		}
		if again := ask(false, facts); again.Verdict != listed.Verdict || again.Bounds != listed.Bounds || again.Nodes > uint64(deepest) {
			t.Errorf("%s: %+v, and then %+v", name, listed, again)
		}
	}
}

// TestStoreOfSearchThatStops stops a search for want of memory: what it found out helps the next.
func TestStoreOfSearchThatStops(t *testing.T) {
	dir := t.TempDir()
	q := Question{Position: exampleOf(t, "no-win-in-2.txt"), Deepest: 3}
	nodes := map[string]uint64{}
	for _, run := range []struct {
		name   string
		memory uint64
		stored bool
		want   answer.Verdict
	}{
		{"without a store", 64 << 20, false, answer.Disproved},
		{"that stops", pns.LeastMemory, true, answer.Unknown},
		{"after it", 64 << 20, true, answer.Disproved},
	} {
		o := Options{Algorithm: PNS, Memory: run.memory, Threads: 1}
		var facts *store.Store
		if run.stored {
			var err error
			facts, err = store.Open(dir, store.Options{Memory: 4 << 20})
			require.NoError(t, err)
			defer facts.Close()
			o.Store = facts
		}
		s := solverWith(t, o)
		a := solved(t, s, context.Background(), q)
		if a.Verdict != run.want {
			t.Errorf("%s: %+v", run.name, a)
		}
		if run.stored {
			require.NoError(t, facts.Close())
		}
		nodes[run.name] = a.Nodes
	}
	if nodes["after it"] >= nodes["without a store"] {
		t.Error("what the search that stopped has found out does not help: ", nodes)
	}
}
