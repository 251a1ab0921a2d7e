package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
)

// Each game is one of the engine against itself, with one thread and without proofs in the search, from
// a sound setup of both sides drawn from the seed and the number of the game. So a game depends on
// nothing but these two, the limits, and the engine.
//
// There are some three hundred pairs of setups, and as many games from setups alone. In later games
// the first turns are drawn as well, each from those that the engine likes best.
const (
	nodesATurn = 50_000
	longest    = 240 // turns of both sides; then the game is left as it is
	hash       = 16 << 20

	fromSetups   = 610 // games that vary in their setups alone
	firstTurns   = 6   // of both sides, which vary in the others
	varyingTurns = 4   // turns of which one is drawn
	varyingNodes = 10_000
)

// newEngine returns the engine that plays.
func newEngine() (*engine.Engine, error) {
	return engine.New(engine.Options{Threads: 1, Memory: hash, Without: engine.Probe})
}

// play plays the game of a number.
func play(ctx context.Context, e *engine.Engine, seed uint64, number int) (*arimaa.Game, error) {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	var b arimaa.Board
	for side := range arimaa.Side(2) {
		for _, p := range engine.Setup(side, b, random) {
			b.Put(p.Square, p.Piece)
		}
	}
	e.Forget()
	g := arimaa.NewGame(arimaa.NewPosition(b, arimaa.Gold), arimaa.FirstTurn)
	for g.Len() < longest && !g.Outcome().Over() {
		limits := engine.Limits{Nodes: nodesATurn}
		if number >= fromSetups && g.Len() < firstTurns {
			var err error
			if limits, err = varying(ctx, e, g, random); err != nil {
				return nil, err
			}
		}
		r, err := e.Search(ctx, g, limits, nil)
		if err == nil {
			err = ctx.Err() // what an interrupted search returns depends on the time
		}
		if err == nil {
			err = g.Play(r.Turn)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// varying returns limits with which the engine plays one of the turns that it likes best.
func varying(ctx context.Context, e *engine.Engine, g *arimaa.Game, random *rand.Rand) (engine.Limits, error) {
	limits := engine.Limits{Nodes: varyingNodes}
	for range random.IntN(varyingTurns) {
		r, err := e.Search(ctx, g, limits, nil)
		if err != nil {
			return limits, err
		}
		limits.Exclude = append(limits.Exclude, r.Turn)
	}
	return limits, nil
}

// archiveColumns is the header of an archive of such games.
const archiveColumns = "id\tresult\ttermination\tmovelist"

// terminations are the codes of the game room's archive for how a game ended.
var terminations = map[string]string{"goal": "g", "elimination": "e", "immobilisation": "m", "repetition": "p"}

// row is the row of a game in an archive.
func row(id string, g *arimaa.Game) string {
	result, termination := "", ""
	if o := g.Outcome(); o.Over() {
		result, termination = string("wb"[o.Winner]), terminations[o.Reason.String()]
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s", id, result, termination, strings.ReplaceAll(strings.TrimSpace(notation.Turns(g)), "\n", `\n`))
}
