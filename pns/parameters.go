package pns

import (
	"fmt"
	"math"

	"goalproof/arimaa"
)

// Evaluation is when the end of a turn is judged.
type Evaluation uint8

const (
	// Immediate judges it when its node would be made: what is decided takes no node.
	Immediate Evaluation = iota
	// Delayed judges it when the search first comes to its node (Allis 1994), which makes
	// nodes faster, and more of them.
	Delayed
)

// Start is what the numbers of a turn begin with, before its options are listed.
type Start uint8

const (
	// One: both numbers are 1 (Allis 1994).
	One Start = iota
	// Mobility: the number that sums, the disproof number of a turn of the attacker and the
	// proof number of one of the defender, is the number of options (Allis 1994).
	Mobility
	// Distance: the proof number is the number of ranks that the attacker's most advanced
	// rabbit is away from its goal, and the disproof number falls as it rises: numbers by an
	// evaluation, as Winands and Schadd (2010) have them.
	Distance
)

// Parameters are how a search goes about a question. They change what it takes, and never a
// verdict.
type Parameters struct {
	Evaluation Evaluation
	Start      Start
	// Widening is how many open children of a node count at a time, the first in the
	// order of options (dynamic widening, Yoshizoe 2008); 0: all.
	Widening int
	// Killers is how many options that decided a node lately are tried first at others
	// of its level (Majerech 2012, section 4.3.2), 0 to MaxKillers.
	Killers int
	// High is the number of nodes at which the garbage collector begins, as many as the memory
	// holds if that is less, and Low the one down to which it drops open turns, three fifths of
	// High if it is 0 (Majerech 2012, section 4.4; the ratio is that of the experiments of chapter 6, and on
	// the 101 published wins in two, with a High of 100,000, it takes two thirds of the time of four
	// fifths). With a High of 0 it begins when the memory is full and drops none, and the search ends
	// when that makes no room.
	High, Low int
}

// Defaults returns the parameters that a new solver has.
func Defaults() Parameters { return Parameters{Killers: 2} }

// MaxKillers is the greatest number of killers of a level.
const MaxKillers = 8

// Check says what is wrong with parameters.
func (p Parameters) Check() error {
	switch {
	case p.Evaluation > Delayed:
		return fmt.Errorf("there is no evaluation %d", p.Evaluation)
	case p.Start > Distance:
		return fmt.Errorf("there is no start %d", p.Start)
	case p.Widening < 0:
		return fmt.Errorf("widening %d: the number of children that count is 1 or more, or 0 for all", p.Widening)
	case p.Killers < 0 || p.Killers > MaxKillers:
		return fmt.Errorf("%d killers a level: it is 0 to %d", p.Killers, MaxKillers)
	case p.High < 0 || p.Low < 0 || p.Low > p.High-p.High/10:
		return fmt.Errorf("the collector cannot go from %d nodes down to %d: it is to delete a tenth at least", p.High, p.Low)
	}
	return nil
}

// Tune sets the parameters of the searches that follow. The error is that of Check.
func (s *Solver) Tune(p Parameters) error {
	if err := p.Check(); err != nil {
		return err
	}
	s.parameters = p
	return nil
}

// width is how many children count.
func (p *Parameters) width() int {
	if p.Widening == 0 {
		return math.MaxInt
	}
	return p.Widening
}

// marks returns the numbers of nodes between which the collector works.
func (s *Solver) marks() (high, low int) {
	if s.parameters.High == 0 {
		return s.maxNodes, s.maxNodes
	}
	high, low = min(s.parameters.High, s.maxNodes), s.parameters.Low
	if low == 0 || low > high-high/10 {
		low = high / 5 * 3
	}
	return high, low
}

// first returns the numbers that a turn begins with. p has the side to move in it.
func (s *Solver) first(p *arimaa.Position, defends bool) (pn, dn uint32) {
	switch s.parameters.Start {
	case Mobility:
		s.options = p.Options(s.options[:0])
		sum := uint32(max(1, len(s.options)))
		if defends {
			return sum, 1
		}
		return 1, sum
	case Distance:
		ranks := uint32(ranksToGoal(&p.Board, s.attacker))
		return ranks, 8 - ranks
	}
	return 1, 1
}

// ranksToGoal returns how many ranks the most advanced rabbit of a side is away from its goal,
// 1 to 7; 7 where there is none.
func ranksToGoal(b *arimaa.Board, side arimaa.Side) int {
	rabbits := b.Rabbits(side)
	if rabbits == 0 {
		return 7
	}
	ranks := 7 - int(rabbits.Last()>>3)
	if side == arimaa.Silver {
		ranks = int(rabbits.First() >> 3)
	}
	return max(1, ranks)
}
