package dfpns

import (
	"goalproof/answer"
	"goalproof/arimaa"
)

// two decides whether the attacker, to move at p, wins within two turns, given that he
// does not in one. It tries the turns of four steps first: most wins take all of them, and
// those that do not also win with an idle step or two. The verdict is unknown when the
// search is to stop.
func (w *worker) two(p *arimaa.Position, g *arimaa.Generator) (answer.Verdict, arimaa.Turn) {
	for _, t := range w.wins.turns[:w.wins.n] {
		if next, ok := p.Try(t); ok && w.keeps(&next) {
			w.wins.add(t)
			return answer.Proved, t
		}
	}
	verdict, turn := answer.Disproved, arimaa.Turn{}
	g.Longest(p, promise(p.Side()), func(from, to int) bool {
		for i := from; i < to; i++ {
			if w.run.stop.Load() {
				verdict = answer.Unknown
				return false
			}
			next := g.Position(i, p.Side())
			if w.keeps(&next) {
				verdict, turn = answer.Proved, g.Turn(i)
				w.wins.add(turn)
				return false
			}
		}
		return true
	})
	return verdict, turn
}

// keeps tells whether the attacker's turn that led to p, which has not won, keeps a win in
// one more turn whatever the defender replies.
func (w *worker) keeps(p *arimaa.Position) bool {
	w.look()
	if lost(p) {
		return false
	}
	_, holds := w.detector.Holds(p)
	return !holds
}

// lost tells whether the attacker has lost with the turn that led to p, which has not won.
func lost(p *arimaa.Position) bool {
	defender := p.Side()
	return p.Rabbits(defender)&arimaa.GoalRank(defender) != 0 || p.Rabbits(defender.Other()) == 0
}

// shorten leaves out steps of a turn that keeps a win in 2 from p, one or two at a time,
// while the rest still does.
func (w *worker) shorten(p *arimaa.Position, t arimaa.Turn) arimaa.Turn {
	for size := 1; size <= 2; size++ {
		for i := 0; i+size <= t.Len(); {
			less := without(t, i, size)
			if after, ok := p.Try(less); ok && w.keeps(&after) {
				t, i = less, 0
				continue
			}
			i++
		}
	}
	return t
}

// without returns a turn without n steps from the i-th on.
func without(t arimaa.Turn, i, n int) (less arimaa.Turn) {
	for k := range t.Len() {
		if k < i || k >= i+n {
			less = less.With(t.Step(k))
		}
	}
	return less
}

// promise returns how much to expect of turns of side that pass by a board: first the rank of its
// most advanced rabbit counts, then pieces, then frozen pieces.
//
// On the published positions that are won in two this finds a winning turn among 600 on the
// average, half the time among 31; the order of the generator takes 2,260 and 711.
func promise(side arimaa.Side) func(*arimaa.Board) int {
	other := side.Other()
	return func(b *arimaa.Board) int {
		rank := 0
		if rabbits := b.Rabbits(side); rabbits == 0 {
			rank = -1
		} else if side == arimaa.Gold {
			rank = int(rabbits.Last() >> 3)
		} else {
			rank = 7 - int(rabbits.First()>>3)
		}
		pieces := b.Of(side).Len() - b.Of(other).Len()
		frozen := b.Frozen(other).Len() - b.Frozen(side).Len()
		return (rank*64+pieces)*64 + frozen
	}
}
