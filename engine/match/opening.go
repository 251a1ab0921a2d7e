package match

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
)

// Openings returns the opening of a round, counted from 0; nil lets the players set up.
type Openings func(round int) *arimaa.Game

// Setups returns the sound setups of both sides ([engine.Setup]), some three hundred: each once, in
// an order that depends on the seed, then all again in another order.
func Setups(seed uint64) Openings {
	all := soundSetups()
	return func(round int) *arimaa.Game {
		order := rand.New(rand.NewPCG(seed, uint64(round/len(all)))).Perm(len(all))
		return arimaa.NewGame(arimaa.NewPosition(all[order[round%len(all)]], arimaa.Gold), 2)
	}
}

// soundSetups lists the sound setups of both sides, always in the same order. It draws at random
// until nothing new has appeared for so long that none is missing.
func soundSetups() (all []arimaa.Board) {
	const vain = 3000 // draws without a new setup; each of 312 has the same chance
	random := rand.New(rand.NewPCG(1, 1))
	seen := map[arimaa.Board]bool{}
	for last := 0; last < vain; last++ {
		var b arimaa.Board
		for side := range arimaa.Side(2) {
			for _, p := range engine.Setup(side, b, random) {
				b.Put(p.Square, p.Piece)
			}
		}
		if !seen[b] {
			seen[b], last = true, 0
			all = append(all, b)
		}
	}
	return all
}

// OwnSetups lets the players set up, each of which must be a [Setter].
func OwnSetups(int) *arimaa.Game { return nil }

// maxPositions bounds the positions of all openings together, which take some 100 MB.
const maxPositions = 100_000

// ReadOpenings reads openings to be played in turn: positions, a game, or the games of an archive.
// A game continues after its last turn; one that is over continues after half of its turns. The
// error is that of [notation.Read], or names a position in which the game is already over.
func ReadOpenings(text *notation.Lines, r Rules) (Openings, error) {
	var games []*arimaa.Game
	positions := 0
	for e := range notation.Parts(text) {
		g, err := e.Played()
		switch {
		case err != nil:
			return nil, err
		case e.Position != nil:
			if unusual := e.Position.Position.Unusual(); unusual != nil {
				err = fmt.Errorf("%s:%d: %s", text.File(), e.Position.Line, strings.ReplaceAll(unusual.Error(), "\n", "; "))
			}
			g = arimaa.NewGame(e.Position.Position, e.Position.Number)
		}
		if err != nil {
			return nil, err
		}
		if g.Outcome().Over() || g.End() != "" {
			g = g.At(g.Len() / 2)
		}
		games = append(games, g)
		if err := r.open(g); err != nil {
			return nil, fmt.Errorf("%s: opening %d: %w", text.File(), len(games), err)
		}
		if positions += 1 + g.Len(); positions > maxPositions {
			return nil, fmt.Errorf("%s:%d: the openings have more than %d positions", text.File(), text.Number(), maxPositions)
		}
	}
	if len(games) == 0 {
		return nil, errors.New(text.File() + ": no opening in the file")
	}
	return func(round int) *arimaa.Game { return games[round%len(games)] }, nil
}

// open returns an error if an opening leaves nothing to play.
func (r Rules) open(g *arimaa.Game) error {
	if o := g.Outcome(); o.Over() {
		return fmt.Errorf("the game is over: %v has won (%v)", o.Winner, o.Reason)
	}
	if last := r.turns(); last > 0 && g.Number(g.Len()) > last {
		return fmt.Errorf("turn %s is beyond the limit of %d turns", g.Label(g.Len()), last)
	}
	return nil
}
