// Package memory divides the memory that a process may take among what takes it. Every amount is in
// bytes, and every constant of the division stands here.
//
// The budget is the value of --memory, or a quarter of the machine's memory and at most 2 GiB
// ([Budget]).
//
// # A process that searches
//
//	budget
//	├─ Program, at most a quarter: what Go does not manage. The rest is the limit of Go's collector (Managed).
//	└─ the budget again, since the collector's limit is only a limit:
//	   ├─ endgame tables, as much as there is of them and at most an eighth (BesideEndgames)
//	   ├─ Store, at most half, if a store is open (BesideStore)
//	   └─ an equal share for each worker of a batch (Share)
//	      ├─ Evaluation, at most half, if review evaluates turns (BesideEvaluation)
//	      └─ a solver: the solver's process and threads and an eighth for the collector, at most half; the rest is
//	         two tables of equal size, for proved facts and for proof numbers (SolverTables); package dfpns takes parts
//	         of them for threats and for points within turns
//
// With a limit in nodes a solver has ForNodes, whatever the budget: how far it comes must not
// depend on the machine. Half of that is for the two tables, half for the graph of best-first
// search beside them. The engine of analyze has as much, and Lines beside it.
//
// A solver that needs best-first search beside depth-first search gives half of its share to the
// graph (BesideGraph). A solver with best-first search alone gives the graph all of it.
//
// # A process that plays
//
//	budget
//	├─ endgame tables, as above
//	├─ Lines, at most a quarter, if analyze prolongs proved wins or play watches for those that are let go (BesideLines)
//	└─ the engine's process and threads and an eighth for the collector, at most half; the rest is the engine's:
//	   an eighth for its solver, and a table of scores (EngineTables, EngineParts)
//
// # Others
//
// Each search of an experiment has a budget of its own, and the process takes Experiment besides.
// Building an endgame table may take all of the budget; package endgame computes from a table's
// layout what it needs. The commands that show endgame tables keep Endgames of them in memory.
//
// Where a part is "at most half", a small budget is shared evenly, and the process may take more
// than it.
package memory

import (
	"fmt"
	"math"
	"math/bits"
	"runtime/debug"

	"github.com/dustin/go-humanize"
	"github.com/pbnjay/memory"
)

const (
	// Small is a budget below which the process may take more than it.
	Small = 64 << 20
	// Program is the memory of a process beside that which Go manages, its code above all.
	Program = 10 << 20
	// Store is the memory of an open store, with StoreBuffers.
	Store = 48 << 20
	// StoreBuffers is the memory of a store's buffers, [goalproof/tables/store.Options].
	StoreBuffers = 8 << 20
	// Evaluation is the memory of the engine with which review evaluates turns.
	Evaluation = 8 << 20
	// Lines is the memory in which analyze finds the lines of proved wins, and play watches over
	// them.
	Lines = 32 << 20
	// Sample is the most that proving facts of a store again takes. Tables are emptied for each
	// fact, and large ones take longer than most facts.
	Sample = 256 << 20
	// Experiment is the memory of an experiment beside its searches.
	Experiment = 64 << 20
	// Endgames is how much of the endgame tables is kept in memory at most, unless all of a table
	// is read.
	Endgames = 256 << 20
)

// The memory of a solver or an engine besides its tables.
const (
	solverProcess = 12 << 20
	engineProcess = 16 << 20
	perThread     = 8 << 20
	// One part in this many is room for the collector, which otherwise never rests below the limit
	// of the process.
	collector = 8
)

// Machine returns the memory of the machine, 0 where the system does not say.
func Machine() uint64 { return memory.TotalMemory() }

// Budget reads the value of --memory, such as 512MiB, or 2GB; "" is the default. The error is that
// of a text that is no number of bytes, or more than the machine has.
func Budget(text string) (uint64, error) {
	total := Machine()
	if text == "" {
		if total == 0 {
			return 512 << 20, nil
		}
		return min(total/4, 2<<30), nil
	}
	n, err := humanize.ParseBytes(text)
	if err != nil || n > math.MaxInt64 {
		return 0, fmt.Errorf("--memory %q: write a number of bytes such as 512MiB or 2GB", text)
	}
	if total > 0 && n > total {
		return 0, fmt.Errorf("--memory %s: this machine has %s", text, humanize.IBytes(total))
	}
	return n, nil
}

// Limit sets the limit of Go's collector, which reuses free memory before the heap grows beyond it.
func Limit(bytes uint64) { debug.SetMemoryLimit(int64(bytes)) }

// Managed returns what Go may manage in a process that searches.
func Managed(budget uint64) uint64 { return budget - min(budget/4, Program) }

// EndgameCache returns how much of the endgame tables may be kept in memory.
func EndgameCache(budget uint64) uint64 { return min(budget/8, Endgames) }

// BesideEndgames returns the budget less the size of the endgame tables, in bytes. A budget below
// [Small] is returned as it is.
func BesideEndgames(budget, tables uint64) uint64 {
	if budget < Small {
		return budget
	}
	return budget - min(tables, EndgameCache(budget))
}

// BesideStore returns what is left for searching beside an open store.
func BesideStore(budget uint64) uint64 { return budget - min(budget/2, Store) }

// Share returns the share of each of the workers that search at the same time.
func Share(budget uint64, workers int) uint64 { return budget / uint64(workers) }

// BesideEvaluation returns what a worker of review has to prove with beside the engine that
// evaluates.
func BesideEvaluation(share uint64) uint64 { return share - min(share/2, Evaluation) }

// SolverTables returns the sizes of the tables of a depth-first solver that may take a share of the
// memory: that of facts and that of proof numbers.
func SolverTables(share uint64, threads int) (facts, numbers uint64) {
	tables := besideProcess(share, solverProcess, threads)
	return tables / 2, tables / 2
}

// A solver with a limit in nodes has perNode bytes for each of them, from leastForNodes to
// mostForNodes. A node of the graph of best-first search takes more: a solver with that search
// alone has twice as much.
const (
	perNode       = 64
	leastForNodes = 16 << 20
	mostForNodes  = 4 << 30
	// MostNodes is the greatest limit in nodes.
	MostNodes = 1 << 40
)

// ForNodes returns what a solver has for its tables and its graph that may search this number of
// nodes, up to MostNodes: a power of two.
func ForNodes(nodes uint64) uint64 {
	bytes := min(max(nodes*perNode, leastForNodes), mostForNodes)
	return 1 << bits.Len64(bytes-1)
}

// SolverProcess returns what a process takes whose solver has tables of this size.
func SolverProcess(tables uint64, threads int) uint64 {
	return tables + tables/collector + solverProcess + perThread*uint64(threads)
}

// BesideGraph divides a share between depth-first search and the graph of best-first search.
func BesideGraph(share uint64) (depthFirst, graph uint64) { return share / 2, share / 2 }

// EngineTables returns what the tables of an engine may take of the memory of a process that plays.
func EngineTables(budget uint64, threads int) uint64 {
	return besideProcess(budget, engineProcess, threads)
}

// EngineProcess returns what a process takes whose engine has tables of this size.
func EngineProcess(tables uint64, threads int) uint64 {
	return tables + tables/collector + engineProcess + perThread*uint64(threads)
}

// EngineParts divides the tables of an engine: the table of scores, and its solver.
func EngineParts(tables uint64) (scores, solver uint64) { return tables - tables/8, tables / 8 }

// BesideLines divides the budget of analyze between the engine and the search for the lines of
// proved wins.
func BesideLines(budget uint64) (engine, lines uint64) {
	lines = min(budget/4, Lines)
	return budget - lines, lines
}

// besideProcess returns what is left of an amount for tables. It is at least half.
func besideProcess(bytes, process uint64, threads int) uint64 {
	overhead := process + perThread*uint64(max(threads, 0)) + bytes/collector
	return max(bytes-min(bytes, overhead), bytes/2)
}
