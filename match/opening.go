package match

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"goalproof/arimaa"
	"goalproof/engine"
)

// Openings returns how the n-th pair of games begins, from 0; nil lets the players set up.
type Openings func(pair int) *arimaa.Game

// Setups are sound setups of both sides, others for each pair of games, and all others with another
// seed ([engine.Setup]).
func Setups(seed uint64) Openings {
	return func(pair int) *arimaa.Game {
		random := rand.New(rand.NewPCG(seed, uint64(pair)))
		var b arimaa.Board
		for side := range arimaa.Side(2) {
			for _, p := range engine.Setup(side, b, random) {
				b.Put(p.Square, p.Piece)
			}
		}
		return arimaa.NewGame(arimaa.NewPosition(b, arimaa.Gold), 2)
	}
}

// OwnSetups lets the players set up, who must be a [Setter].
func OwnSetups(int) *arimaa.Game { return nil }

// ReadOpenings reads openings, which are played in turn: positions, a game, or the games of an
// archive, each up to its last turn. The error names the one in which there is nothing left to
// play, or is a [*arimaa.ParseError].
func ReadOpenings(file, text string) (Openings, error) {
	doc, err := arimaa.Read(file, text)
	if err != nil {
		return nil, err
	}
	var games []*arimaa.Game
	for _, d := range doc.Positions {
		if err := d.Position.Unusual(); err != nil {
			return nil, fmt.Errorf("%s:%d: %s", file, d.Line, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		games = append(games, arimaa.NewGame(d.Position, d.Number))
	}
	if doc.Game != nil {
		games = append(games, doc.Game)
	}
	for _, r := range doc.Archive {
		g, err := r.Game()
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	if len(games) == 0 {
		return nil, errors.New(file + ": there is no opening in it")
	}
	for i, g := range games {
		if o := g.Outcome(); o.Over() {
			return nil, fmt.Errorf("%s: opening %d: the game is over: %v has won (%v)", file, i+1, o.Winner, o.Reason)
		}
	}
	return func(pair int) *arimaa.Game { return games[pair%len(games)] }, nil
}
