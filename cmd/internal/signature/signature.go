// Package signature says which programs answer alike: the fixed questions of the command bench, how
// many nodes they take, and the signature by which the machines of a cluster know each other. Two
// programs that differ in version, rules or search have different signatures. What a machine
// computes otherwise than it should shows at these questions, too.
package signature

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/engine"
	"goalproof/review"
	"goalproof/solve"
)

// Nodes that the questions take on one thread: those of the solver, and those of the engine, which
// gets its own and the solver's. They change only when the search does.
const (
	SolverNodes = 179_036
	EngineNodes = 227_437
)

// checkMemory is the memory of the solver and of the engine at the questions, in bytes. The nodes do
// not depend on it.
const checkMemory = 64 << 20

// Version is what programs that answer alike have in common.
func Version() string { return cli.ReadBuild().Version }

// Of returns the signature of this program, in hex. Processors of another kind may round otherwise,
// which would show in the chances of a review, so the kind is part of it.
var Of = sync.OnceValue(func() string {
	b := cli.ReadBuild()
	build := ""
	if b.Commit != nil && b.Dirty != nil && !*b.Dirty {
		build = *b.Commit
	} else {
		build = program()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %s %s %d %d %d", b.Version, build, runtime.GOARCH, solve.StoreKeys, solve.StoreRules, review.Version, SolverNodes, EngineNodes))
	return hex.EncodeToString(sum[:8])
})

// program returns a digest of the program's file, for builds that no commit names. Where it cannot
// be read there is none.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Check answers the questions on this machine, which takes about a second. The error says that it
// computes otherwise than it should, or is that of the context.
func Check(ctx context.Context) error {
	s, err := solve.New(solve.Options{Algorithm: solve.DFPNS, Threads: 1, Memory: checkMemory})
	if err != nil {
		return err
	}
	e, err := engine.New(engine.Options{Threads: 1, Memory: checkMemory, Without: engine.Probe})
	if err != nil {
		return err
	}
	var solver, engines uint64
	for _, q := range Solver {
		p, err := notation.ParsePosition(q.Board)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		s.Forget()
		a, err := s.Solve(ctx, solve.Question{Position: p, Deepest: q.Turns, NoLine: true})
		if err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		solver += a.Nodes
	}
	for _, q := range append(append([]Question{}, Engine...), Solver...) {
		p, err := notation.ParsePosition(q.Board)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		e.Forget()
		r, err := e.Search(ctx, arimaa.NewGame(p, 2), engine.Limits{Depth: EngineDepth}, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		engines += r.Nodes
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if solver != SolverNodes || engines != EngineNodes {
		return fmt.Errorf("this machine computes otherwise than it should: the questions of goalproof bench take %d and %d nodes on it, in place of %d and %d",
			solver, engines, SolverNodes, EngineNodes)
	}
	return nil
}
