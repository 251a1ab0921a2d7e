// Package player defines the interfaces of a player, which is asked for a turn, for its best lines,
// or for a proof. They stand between programs that need turns (a protocol, a terminal, an analysis)
// and an engine. It also says what a turn that was found is worth, in words and in JSON.
package player

import (
	"context"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/solve"
)

// Player finds turns to play.
type Player interface {
	// Search returns the best turn in the last position of a game. When the context is done it
	// returns at once, with the best turn known. It calls report whenever it knows more. The error
	// says why there is no turn.
	Search(ctx context.Context, g *arimaa.Game, l engine.Limits, report func(engine.Report)) (engine.Report, error)
	// Forget prepares for another game. It must not be called during a search.
	Forget()
}

// Prover is a player that can also be asked for a proof.
type Prover interface {
	// Prove answers whether the side to move in the last position of a game wins within n turns;
	// see [engine.Engine.Prove].
	Prove(ctx context.Context, g *arimaa.Game, n int) (solve.Answer, error)
}

// Settings are the settings of a new player.
type Settings struct {
	Threads int
	Memory  uint64 // of the tables, in bytes
	Without string // what to switch off or change (engine.Options.Vary)
}
