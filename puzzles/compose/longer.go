package compose

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve"
)

const (
	mostDefences = 20  // replies are told apart by the number of defences up to this
	turnsFor     = 200 // turns of the attacker before a reply about which the solver is asked
)

// Longer looks for puzzles whose win takes a turn more and leads to a puzzle: the solution, then a
// turn of the defender, lead to its position. It takes back a turn of the defender, then one of
// the attacker. It asks the solver about at most so many positions as there are rounds; with the same
// seed, and a limit in nodes, it finds the same. When the context is done before the end, the error
// is that of the context, and v has what was found until then.
//
// Let the puzzle at P be a win in exactly N. At Q, from which the defender may play to P, he is
// proved to lose within N; so a turn to Q wins within N+1. The solver proves that the position
// before that turn is a win in exactly N+1 with one essential solution, and that is the turn to Q.
// Then the play to P is a longest defence, since after it the win takes N turns, and no defence
// lasts longer. Only those Q are looked at in which the attacker would win at once if the defender
// passed; quiet solutions are not found.
func (c *Composer) Longer(ctx context.Context, z Puzzle, rounds int, seed uint64) (v Variants, err error) {
	if z.Turns == solve.MaxTurns {
		return v, nil
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for _, q := range c.replies(random, &z.Position, &v) {
		if rounds <= 0 || len(v.Found) == mostVariants {
			return v, ctx.Err()
		}
		rounds--
		c.progress.Rounds++
		verdict, err := c.loses(ctx, q.before, z.Turns)
		switch {
		case err != nil:
			return v, err
		case verdict == answer.Unknown:
			v.refuse(Undecided)
		case verdict == answer.Disproved:
			v.refuse(Holds)
		default:
			if err := c.before(ctx, random, &z, &q, &rounds, &v); err != nil {
				return v, err
			}
		}
	}
	return v, ctx.Err()
}

// replies draws turns of the defender that lead to a position, where he must prevent a win; those
// first where he has few defences.
func (c *Composer) replies(random *rand.Rand, p *arimaa.Position, v *Variants) (all []taken) {
	for _, back := range takeBack(random, p) {
		if _, threat := c.detector.Threat(&back.before); !threat {
			v.refuse(NoThreat)
			continue
		}
		if _, wins := c.detector.CanWin(&back.before, &back.before.Board); wins {
			v.refuse(Holds)
			continue
		}
		back.defences = c.detector.CountDefences(&back.before, mostDefences)
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
func (c *Composer) before(ctx context.Context, random *rand.Rand, z *Puzzle, q *taken, rounds *int, v *Variants) error {
	asked := 0
	for _, back := range takeBack(random, &q.before) {
		first := back.before
		if *rounds <= 0 || asked == turnsFor {
			return nil
		}
		if _, sooner := c.detector.CanWin(&first, &first.Board); sooner {
			v.refuse(Sooner)
			continue
		}
		*rounds--
		c.progress.Rounds++
		asked++
		found, _, why, err := c.look(ctx, first, z.Turns+1)
		if err != nil {
			return err
		}
		if why == NumReasons {
			if after, legal := first.Try(found.Solution); !legal || after != q.before {
				why = Elsewhere
			}
		}
		if why == NumReasons {
			v.Tried++
			v.Found = append(v.Found, Variant{Puzzle: puzzleOf(found), Mined: found, Reply: q.turn})
			return nil
		}
		v.refuse(why)
	}
	return nil
}
