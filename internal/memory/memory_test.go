package memory_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/internal/memory"
)

const mib = 1 << 20

// TestTables compares sizes of tables with numbers worked out by hand: bench counts the same nodes
// on every machine because of them.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		share   uint64
		threads int
		each    uint64 // of the two tables of a solver
		engine  uint64
	}{
		{512 * mib, 1, (512 - 64 - 12 - 8) * mib / 2, (512 - 64 - 16 - 8) * mib},
		{512 * mib, 4, (512 - 64 - 12 - 32) * mib / 2, (512 - 64 - 16 - 32) * mib},
		{64 * mib, 1, (64 - 8 - 12 - 8) * mib / 2, 32 * mib},
		{64 * mib, 2, 32 * mib / 2, 32 * mib}, // at least half
		{2 * mib, 1024, mib / 2, mib},
		{0, 1, 0, 0},
	} {
		facts, numbers := memory.SolverTables(c.share, c.threads)
		if facts != c.each || numbers != c.each {
			t.Errorf("a solver with %d MiB and %d threads: %d and %d, want %d", c.share/mib, c.threads, facts, numbers, c.each)
		}
		if got := memory.EngineTables(c.share, c.threads); got != c.engine {
			t.Errorf("an engine with %d MiB and %d threads: %d, want %d", c.share/mib, c.threads, got, c.engine)
		}
	}
}

// TestParts compares the other parts with numbers worked out by hand, for a budget of the usual
// size and a small one.
func TestParts(t *testing.T) {
	second := func(_, b uint64) uint64 { return b }
	first := func(a, _ uint64) uint64 { return a }
	for name, c := range map[string]struct{ got, want uint64 }{
		"managed":                  {memory.Managed(512 * mib), 502 * mib},
		"managed, small":           {memory.Managed(8 * mib), 6 * mib},
		"beside a store":           {memory.BesideStore(512 * mib), 464 * mib},
		"beside a store, small":    {memory.BesideStore(64 * mib), 32 * mib},
		"share":                    {memory.Share(512*mib, 3), 512 * mib / 3},
		"beside evaluation":        {memory.BesideEvaluation(512 * mib), 504 * mib},
		"beside evaluation, small": {memory.BesideEvaluation(4 * mib), 2 * mib},
		"beside a graph":           {first(memory.BesideGraph(512 * mib)), 256 * mib},
		"graph":                    {second(memory.BesideGraph(512 * mib)), 256 * mib},
		"scores":                   {first(memory.EngineParts(512 * mib)), 448 * mib},
		"solver of an engine":      {second(memory.EngineParts(512 * mib)), 64 * mib},
		"beside endgames":          {memory.BesideEndgames(512*mib, 50*mib), 462 * mib},
		"beside many endgames":     {memory.BesideEndgames(512*mib, 5000*mib), 448 * mib},
		"beside endgames, small":   {memory.BesideEndgames(8*mib, 50*mib), 8 * mib},
		"one node":                 {memory.ForNodes(1), 16 * mib},
		"a million nodes":          {memory.ForNodes(1_000_000), 64 * mib},
		"most nodes":               {memory.ForNodes(memory.MostNodes), 4 << 30},
		"process of a solver":      {memory.SolverProcess(128*mib, 2), (128 + 16 + 12 + 16) * mib},
		"cache of endgames":        {memory.EndgameCache(8 << 30), 256 * mib},
		"beside lines":             {first(memory.BesideLines(512 * mib)), 480 * mib},
		"lines":                    {second(memory.BesideLines(512 * mib)), 32 * mib},
		"lines, small":             {second(memory.BesideLines(64 * mib)), 16 * mib},
		"process of an engine":     {memory.EngineProcess(64*mib, 2), (64 + 8 + 16 + 16) * mib},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", name, c.got, c.want)
		}
	}
}

// TestSums checks that parts never exceed the whole, whatever the budget, and that nothing wraps
// around.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.Uint64Range(0, 1<<45).Draw(t, "budget")
		threads := rapid.IntRange(-1, 1024).Draw(t, "threads")
		workers := rapid.IntRange(1, 1024).Draw(t, "workers")
		share := memory.Share(memory.BesideStore(budget), workers)
		if share*uint64(workers) > budget {
			t.Errorf("%d shares of %d", workers, share)
		}
		solver := memory.BesideEvaluation(share)
		if facts, numbers := memory.SolverTables(solver, threads); facts+numbers > solver || facts+numbers+1 < solver/2 {
			t.Errorf("tables of %d and %d in %d", facts, numbers, solver)
		}
		if a, b := memory.BesideGraph(budget); a+b > budget {
			t.Errorf("%d and %d beside a graph", a, b)
		}
		engine, lines := memory.BesideLines(budget)
		if engine+lines != budget {
			t.Errorf("%d for the engine, %d for lines", engine, lines)
		}
		tables := memory.EngineTables(engine, threads)
		if scores, solver := memory.EngineParts(tables); tables > engine || scores+solver != tables {
			t.Errorf("tables of %d: %d and %d", tables, scores, solver)
		}
		// Where the budget is not too small, the process stays within it.
		if process := memory.EngineProcess(tables, max(threads, 0)); tables > engine/2 && process > engine {
			t.Errorf("a process of %d for a budget of %d", process, engine)
		}
		if memory.Managed(budget) > budget {
			t.Error("more is managed than there is")
		}
	})
}

// TestBudget reads values of --memory.
func TestBudget(t *testing.T) {
	if n, err := memory.Budget("64MiB"); err != nil || n != 64*mib {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := memory.Budget("10MB"); err != nil || n != 10_000_000 {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := memory.Budget(""); err != nil || n == 0 || n > 2<<30 || memory.Machine() > 0 && n > memory.Machine()/4 {
		t.Errorf("%d, %v", n, err)
	}
	for bad, want := range map[string]string{
		"much": "write a number of bytes", "-1": "write a number of bytes", "9EiB": "write a number of bytes", "7EiB": "this machine has",
	} {
		if strings.HasPrefix(want, "this machine") && memory.Machine() == 0 {
			continue // it does not say how much it has
		}
		if _, err := memory.Budget(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}
