// Command randomgames writes games of two players who move at random, except that they win when
// they can win at once, do not let the opponent win at once if they can help it, and prefer to
// advance rabbits and to capture: an archive as the game room's, for goalproof mine.
//
//	go run ./tools/randomgames -games 10 > examples/games.tsv
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
)

func main() {
	games := flag.Int("games", 100, "number of games")
	seed := flag.Uint64("seed", 1, "another seed writes other games")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	write(out, *games, *seed)
}

// write writes an archive of games.
func write(out io.Writer, games int, seed uint64) {
	fmt.Fprintln(out, "id\tresult\ttermination\tmovelist")
	for i := range games {
		p := player{random: rand.New(rand.NewPCG(seed, uint64(i)))}
		g := p.game()
		result, termination := "", ""
		if o := g.Outcome(); o.Over() {
			result, termination = string("wb"[o.Winner]), terminations[o.Reason.String()]
		}
		fmt.Fprintf(out, "random-%d-%d\t%s\t%s\t%s\n", seed, i+1, result, termination, strings.ReplaceAll(strings.TrimSpace(notation.Turns(g)), "\n", `\n`))
	}
}

// terminations are the codes of the game room's archive for how a game ended.
var terminations = map[string]string{"goal": "g", "elimination": "e", "immobilisation": "m", "repetition": "p"}

// player plays both sides.
type player struct {
	random   *rand.Rand
	detector goal.Detector
	turns    arimaa.Generator
}

// game plays a game of at most 60 turns of each side.
func (p *player) game() *arimaa.Game {
	g := arimaa.NewGame(p.setup(), 2)
	for g.Len() < 120 && !g.Outcome().Over() {
		if err := g.Play(p.choose(g)); err != nil {
			break // the third repetition
		}
	}
	return g
}

// setup puts both armies on their two home ranks at random.
func (p *player) setup() arimaa.Position {
	kinds := []arimaa.Kind{arimaa.Elephant, arimaa.Camel, arimaa.Horse, arimaa.Horse, arimaa.Dog, arimaa.Dog, arimaa.Cat, arimaa.Cat}
	for len(kinds) < 16 {
		kinds = append(kinds, arimaa.Rabbit)
	}
	var b arimaa.Board
	for side, first := range [...]int{arimaa.Gold: 0, arimaa.Silver: 48} {
		for i, at := range p.random.Perm(16) {
			b.Put(arimaa.Square(first+at), arimaa.NewPiece(arimaa.Side(side), kinds[i]))
		}
	}
	return arimaa.NewPosition(b, arimaa.Gold)
}

// choose returns a turn for the side to move.
func (p *player) choose(g *arimaa.Game) arimaa.Turn {
	position := g.Last()
	if t, wins := p.detector.CanWin(&position, &position.Board); wins {
		return t
	}
	n := p.turns.Generate(&position)
	side := position.Side()
	best, turn := -1<<30, p.turns.Turn(0)
	for range 40 {
		i := p.random.IntN(n)
		next := p.turns.Position(i, side)
		if o := next.Board.Ended(side); o.Over() {
			continue // it has not won, so it has lost
		}
		worth := score(&next.Board, side) + p.random.IntN(8)
		if worth <= best {
			continue
		}
		if _, loses := p.detector.CanWin(&next, &next.Board); loses {
			worth -= 1 << 20
		}
		if worth > best {
			best, turn = worth, p.turns.Turn(i)
		}
	}
	return turn
}

// score counts pieces, and how far the rabbits have come.
func score(b *arimaa.Board, side arimaa.Side) int {
	sum := 4 * (b.Of(side).Len() - b.Of(side.Other()).Len())
	for rest := b.Rabbits(side); rest != 0; rest = rest.Rest() {
		rank := int(rest.First()) >> 3
		if side == arimaa.Silver {
			rank = 7 - rank
		}
		sum += rank
	}
	return sum
}
