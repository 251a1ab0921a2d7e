package describe

import (
	"context"
	"slices"

	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/engine"
	"goalproof/solve"
)

// SightNodes and SightDepth limit the engine's search for a solution, in nodes and in steps. The
// memory is that of its tables, in bytes: it changes the nodes, so it is fixed.
const (
	SightNodes  = 1_000_000
	SightDepth  = 16
	sightMemory = 16 << 20
)

// Sight is when the engine sees a solution.
type Sight struct {
	Seen  bool   // its turn was a solution when the search ended
	Depth int    // steps searched when its turn became one for good
	Nodes uint64 // nodes until then; those of the whole search if it saw none
}

// Eye is an engine without the proof search that otherwise precedes its own: alpha-beta search,
// which sees a win in one with package goal, and longer ones only as deep as it searches. It has
// one thread, so the same question takes the same nodes on every machine.
type Eye struct{ engine *engine.Engine }

// Parts of an engine without which it sees less: what it has learned, and its detectors, so that it
// sees a win only as deep as it searches.
const (
	Learned   = engine.Network | engine.Ordering
	Detectors = engine.Goal | engine.Horizon | engine.Futility
)

// NewEye returns an engine for [Eye.See], without some parts of its search.
func NewEye(without engine.Part) *Eye {
	e, err := engine.New(engine.Options{
		Threads: 1, Memory: sightMemory, Without: engine.Probe | without,
	})
	if err != nil {
		panic(err) // the options are those of this file
	}
	return &Eye{e}
}

// See searches p, deeper and deeper, until the limits, and returns when the engine's turn became a
// solution for good. Without solutions it sees none. The error is that of the context if it was
// done before that was known.
func (y *Eye) See(ctx context.Context, p arimaa.Position, a *solve.Answer) (s Sight, err error) {
	y.engine.Forget()
	solves := func(t arimaa.Turn) bool {
		after, ok := p.Try(t)
		return ok && slices.ContainsFunc(a.Solutions, func(s dfpns.Solution) bool { return s.After == after })
	}
	game, limits := arimaa.NewGame(p, arimaa.FirstTurn), engine.Limits{Depth: SightDepth, Nodes: SightNodes}
	last, err := y.engine.Search(ctx, game, limits, func(r engine.Report) {
		switch seen := solves(r.Turn); {
		case !seen:
			s = Sight{}
		case !s.Seen:
			s = Sight{Seen: true, Depth: r.Depth, Nodes: r.Nodes}
			if r.Deeper {
				s.Depth++
			}
		}
	})
	if err != nil {
		return Sight{}, err
	}
	if ctx.Err() != nil {
		return Sight{}, ctx.Err()
	}
	if !s.Seen {
		s.Nodes = last.Nodes
	}
	return s, nil
}
