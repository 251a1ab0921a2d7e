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

// Setups are sound setups of both sides ([engine.Setup]), some three hundred: each once, in an order
// that the seed decides, and then all again in another order.
func Setups(seed uint64) Openings {
	all := soundSetups()
	return func(pair int) *arimaa.Game {
		order := rand.New(rand.NewPCG(seed, uint64(pair/len(all)))).Perm(len(all))
		return arimaa.NewGame(arimaa.NewPosition(all[order[pair%len(all)]], arimaa.Gold), 2)
	}
}

// soundSetups lists the sound setups of both sides, always in the same order. They are drawn until
// nothing new has come for so long that nothing is missing.
func soundSetups() (all []arimaa.Board) {
	const vain = 3000 // draws; each of 312 setups has the same chance
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

// OwnSetups lets the players set up, who must be a [Setter].
func OwnSetups(int) *arimaa.Game { return nil }

// ReadOpenings reads openings, which are played in turn: positions, a game, or the games of an
// archive, each up to its last turn. The error names the one in which there is nothing left to
// play by the rules, or is a [*arimaa.ParseError].
func ReadOpenings(file, text string, r Rules) (Openings, error) {
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
		if last := r.turns(); last > 0 && g.Diagram(g.Len()).Number > last {
			return nil, fmt.Errorf("%s: opening %d: turn %s comes after the last, %d", file, i+1, g.Label(g.Len()), last)
		}
	}
	return func(pair int) *arimaa.Game { return games[pair%len(games)] }, nil
}
