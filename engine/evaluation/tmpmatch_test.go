package evaluation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"goalproof/arimaa"
)

func play(gen *arimaa.Generator, w [2]*Evaluator, rnd *rand.Rand, maxTurns int) (winner int, plies int) {
	var b arimaa.Board
	army := []arimaa.Kind{6, 5, 4, 4, 3, 3, 2, 2}
	for side := range arimaa.Side(2) {
		rnd.Shuffle(len(army), func(i, j int) { army[i], army[j] = army[j], army[i] })
		for i := range 8 {
			front, back := 8+i, i
			if side == arimaa.Silver {
				front, back = 48+i, 56+i
			}
			b.Put(arimaa.Square(front), arimaa.NewPiece(side, army[i]))
			b.Put(arimaa.Square(back), arimaa.NewPiece(side, arimaa.Rabbit))
		}
	}
	p := arimaa.NewPosition(b, arimaa.Gold)
	for t := range maxTurns {
		me := p.Side()
		n := gen.Generate(&p)
		best, bi := 1<<30, -1
		for i := range n {
			nb := gen.Board(i)
			o := nb.Ended(me)
			s := 0
			if o.Over() {
				if o.Winner == me {
					return int(me), t
				}
				s = 1 << 25
			} else {
				s = w[me].Score(nb, me.Other())*8 + rnd.IntN(8)
			}
			if s < best {
				best, bi = s, i
			}
		}
		if bi < 0 {
			return int(me.Other()), t
		}
		nb := *gen.Board(bi)
		p = arimaa.NewPosition(nb, me.Other())
	}
	s := New(&Weights{Material: 1}).Score(&p.Board, arimaa.Gold)
	if s > 100 {
		return 0, maxTurns
	} else if s < -100 {
		return 1, maxTurns
	}
	return -1, maxTurns
}

func TestMatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3))
	var gen arimaa.Generator
	def := New(&Default)
	match := func(name string, w Weights, limit time.Duration) {
		o := New(&w)
		win, loss, draw, plies := 0, 0, 0, 0
		start := time.Now()
		for i := 0; time.Since(start) < limit; i++ {
			e := [2]*Evaluator{def, o}
			me := 0
			if i%2 == 1 {
				e = [2]*Evaluator{o, def}
				me = 1
			}
			r, n := play(&gen, e, rnd, 100)
			plies += n
			switch r {
			case me:
				win++
			case -1:
				draw++
			default:
				loss++
			}
		}
		fmt.Fprintf(os.Stdout, "default v %-24s +%d -%d =%d (mean plies %d)\n", name, win, loss, draw, plies/max(1, win+loss+draw))
	}
	for _, f := range []Feature{PieceSquare, Frame, Alignment} {
		w := Default
		w[f] = 0
		match("without "+f.String(), w, 60*time.Second)
	}
}
