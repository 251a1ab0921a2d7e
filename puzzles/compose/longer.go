package compose

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/puzzles"
	"goalproof/solve"
)

const (
	mostDefences = 200  // that a reply may leave out: with more, one of them most likely is better
	mostFirsts   = 5000 // turns of the attacker that are taken back before a reply
	turnsFor     = 100  // of these, about how many the solver is asked
)

// Longer looks for puzzles whose win takes a turn more and leads to a puzzle: the solution, then a
// turn of the defender, lead to its position, or to the puzzle with one piece added, which keeps it.
// It takes back a turn of the defender, then one of the attacker. It asks the solver about at most
// so many positions as there are rounds; with the same seed, and a limit in nodes, it finds the
// same. When the context is done before the end, the error is that of the context, and v has what
// was found until then.
//
// Let the puzzle at P be a win in exactly N. The solver proves that a position is a win in exactly
// N+1 with one essential solution, and that the defender may then play to P is seen by listing his
// turns. The play to P is a longest defence, since after it the win takes N turns, and no defence
// lasts longer. Nothing else has to be true of the positions on the way; they are chosen where
// such a win is likely:
//
//   - At Q, from which the defender plays to P, he loses within N: then a turn to Q wins within N+1.
//     Those Q come first that leave him few replies that prevent a win at once; of a win in one, only
//     those that leave none.
//   - Before that turn the attacker has no win at once, and those positions come first in which the
//     defender threatens one: there is no time for other ways.
//   - Where there are several essential solutions, a piece is put in the way of one that does not
//     lead to Q, here and at P.
//
// What limits it: of most wins in two no such Q is found, as the defender nearly always has a reply
// that is better than the one that leads to a puzzle with a single solution; and where there is one,
// a turn earlier there nearly always is a win in two as well. Of a win in one there often is such a
// Q, and then nearly all that is refused has several essential solutions.
func (c *Composer) Longer(ctx context.Context, z Puzzle, rounds int, seed uint64) (v Variants, err error) {
	if z.Turns == solve.MaxTurns {
		return v, nil
	}
	l := lengthening{Composer: c, z: &z, random: rand.New(rand.NewPCG(seed, 0)), rounds: rounds - rounds/2, v: &v, asked: map[arimaa.Position]bool{}}
	if err = l.direct(ctx); err == nil {
		l.rounds += rounds / 2
		err = l.repair(ctx)
	}
	return v, cmp.Or(err, ctx.Err())
}

// lengthening is a call of Longer under way.
type lengthening struct {
	*Composer
	z      *Puzzle
	random *rand.Rand
	rounds int // left
	v      *Variants
	asked  map[arimaa.Position]bool // two ways may lead back to a position
	forks  []fork
}

// fork is a position in which a turn leads to the position before a reply, as it should, and another
// one is an essential solution as well.
type fork struct {
	first taken
	reply arimaa.Turn
	other arimaa.Turn
}

// over reports whether enough was found or asked.
func (l *lengthening) over() bool { return l.rounds <= 0 || len(l.v.Found) == mostVariants }

// round counts a round.
func (l *lengthening) round() {
	l.rounds--
	l.progress.Rounds++
}

// direct looks for puzzles that lead to the puzzle as it is.
func (l *lengthening) direct(ctx context.Context) error {
	for _, q := range l.replies(ctx) {
		if l.over() {
			return nil
		}
		l.round()
		verdict, err := l.loses(ctx, q.before, l.z.Turns)
		switch {
		case err != nil:
			return err
		case verdict == answer.Unknown:
			l.v.refuse(Undecided)
		case verdict == answer.Disproved:
			l.v.refuse(Holds)
		default:
			if err := l.before(ctx, &q); err != nil {
				return err
			}
		}
	}
	return nil
}

// replies draws turns of the defender that lead to the puzzle; those first that leave out few
// defences.
func (l *lengthening) replies(ctx context.Context) (all []taken) {
	most := mostDefences
	if l.z.Turns == 1 { // a defence is a better reply
		most = 0
	}
	for _, back := range takeBack(l.random, &l.z.Position) {
		if ctx.Err() != nil {
			return nil
		}
		if _, wins := l.detector.CanWin(&back.before, &back.before.Board); wins {
			l.v.refuse(Holds)
			continue
		}
		if back.defences = l.detector.CountDefences(&back.before, most+1); back.defences > most {
			l.v.refuse(Defended)
			continue
		}
		all = append(all, back)
	}
	slices.SortStableFunc(all, func(a, b taken) int { return cmp.Compare(a.defences, b.defences) })
	return all
}

// loses decides whether the side to move loses within a number of turns of its opponent.
func (c *Composer) loses(ctx context.Context, p arimaa.Position, turns int) (answer.Verdict, error) {
	if err := c.begin(ctx); err != nil {
		return answer.Unknown, err
	}
	limited, cancel := c.miner.Solver.Start(ctx, c.miner.Limit)
	defer cancel()
	a, err := c.miner.Solver.Loss(limited, solve.Question{Position: p, Deepest: turns, Any: true, NoLine: true})
	c.cut = c.cut || answer.Cut(limited)
	if err == nil {
		err = ctx.Err()
	}
	return a.Verdict, err
}

// before draws turns of the attacker that lead to the position before a reply, until one makes a
// puzzle.
func (l *lengthening) before(ctx context.Context, q *taken) error {
	for _, first := range l.firsts(ctx, q) {
		if l.over() {
			return nil
		}
		j, why, err := l.first(ctx, first.before, l.z, Change{})
		if err != nil || why == NumReasons {
			return err
		}
		for i := range j.Solutions {
			if s := &j.Solutions[i]; why == Several && s.Essential && s.After != q.before {
				l.forks = append(l.forks, fork{first, q.turn, s.Turn})
				break
			}
		}
	}
	return nil
}

// firsts draws turns of the attacker that lead to the position before a reply, where he has no win
// at once; those first where the defender threatens one.
func (l *lengthening) firsts(ctx context.Context, q *taken) (all []taken) {
	var calm []taken
	for i, back := range takeBack(l.random, &q.before) {
		if i == mostFirsts || ctx.Err() != nil {
			break
		}
		p := &back.before
		if l.asked[*p] {
			continue
		}
		if _, sooner := l.detector.CanWin(p, &p.Board); sooner {
			l.v.refuse(Sooner)
		} else if _, threat := l.detector.Threat(p); threat {
			all = append(all, back)
		} else {
			calm = append(calm, back)
		}
	}
	all = append(all, calm...)
	return all[:min(len(all), turnsFor)]
}

// first judges a position as one from which the win leads to a puzzle z, in a turn more: the puzzle
// itself, or what a change makes of it. The reason is NumReasons if it is one, and then it is among
// those found.
func (l *lengthening) first(ctx context.Context, first arimaa.Position, z *Puzzle, change Change) (j puzzles.Judgement, why Reason, err error) {
	l.round()
	l.asked[first] = true
	found, j, why, err := l.look(ctx, first, z.Turns+1)
	if err != nil {
		return j, why, err
	}
	if why == NumReasons {
		if reply, leads := l.reply(&first, found.Solution, &z.Position); leads {
			l.v.Tried++
			l.v.Found = append(l.v.Found, Variant{Puzzle: puzzleOf(found), Mined: found, Change: change, Reply: reply})
			return j, why, nil
		}
		why = Elsewhere
	}
	l.v.refuse(why)
	return j, why, nil
}

// reply returns the turn of the defender that leads to a position after a solution, if there is one.
func (c *Composer) reply(first *arimaa.Position, solution arimaa.Turn, to *arimaa.Position) (reply arimaa.Turn, leads bool) {
	after := first.AfterTurn(solution)
	for i := range c.turns.Generate(&after) {
		if *c.turns.Board(i) == to.Board {
			return c.turns.Turn(i), true
		}
	}
	return reply, false
}

// repair puts pieces in the way of second solutions.
func (l *lengthening) repair(ctx context.Context) error {
	for i := range l.forks {
		f := &l.forks[i]
		for _, change := range l.obstacles(f) {
			if l.over() {
				return nil
			}
			made, err := l.obstruct(ctx, f, change)
			if err != nil {
				return err
			}
			if made {
				break
			}
		}
	}
	return nil
}

// obstruct adds a piece to a position with several essential solutions and to the puzzle, and reports
// whether that makes one that leads to the other.
func (l *lengthening) obstruct(ctx context.Context, f *fork, change Change) (made bool, err error) {
	first, odd := change.Apply(f.first.before)
	if odd != nil || l.asked[first] {
		return false, nil
	}
	l.round()
	z, _, kept, _, err := l.try(ctx, l.z, change, false)
	if err != nil || !kept || l.over() {
		return false, err
	}
	_, why, err := l.first(ctx, first, &z, change)
	return why == NumReasons, err
}

// obstacles lists pieces that may stand in the way of the other solution of a fork, and not of what
// leads to the puzzle.
func (l *lengthening) obstacles(f *fork) (all []Change) {
	used := squares(f.first.turn) | squares(f.reply) | squares(l.z.Solution)
	free := ^(f.first.before.Occupied() | l.z.Position.Occupied() | used)
	for rest := squares(f.other) & free; rest != 0; rest = rest.Rest() {
		for _, kind := range []arimaa.Kind{arimaa.Rabbit, arimaa.Cat, arimaa.Horse} {
			for side := range arimaa.Side(2) {
				all = append(all, add(arimaa.NewPiece(side, kind), rest.First()))
			}
		}
	}
	return all
}

// squares are those that the steps of a turn leave and reach.
func squares(t arimaa.Turn) (set arimaa.Bitboard) {
	for i := range t.Len() {
		set |= t.Step(i).From().Set() | t.Step(i).To().Set()
	}
	return set
}
