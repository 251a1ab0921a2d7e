package pns

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"goalproof/arimaa"
)

// Evaluation is when the end of a turn is evaluated.
type Evaluation uint8

const (
	// Immediate: before its node is made. A decided turn takes no node.
	Immediate Evaluation = iota
	// Delayed: when the search first comes to its node (Allis 1994), which makes nodes faster, and
	// more of them.
	Delayed
)

// String returns the name: immediate or delayed.
func (e Evaluation) String() string { return nameOf(evaluationNames, uint8(e)) }

var evaluationNames = []string{Immediate: "immediate", Delayed: "delayed"}

// ParseEvaluation reads a name.
func ParseEvaluation(name string) (Evaluation, error) {
	e, err := parseName(evaluationNames, name)
	return Evaluation(e), err
}

// Start is how the initial numbers of a turn are chosen, before its options are listed.
type Start uint8

const (
	// One: both numbers are 1 (Allis 1994).
	One Start = iota
	// Mobility: the disproof number of a turn of the attacker, and the proof number of a turn of
	// the defender, is the number of options (Allis 1994).
	Mobility
	// Distance: the proof number is the number of ranks between the attacker's most advanced rabbit
	// and its goal, and the disproof number falls as it rises: initialisation by an evaluation
	// function (Winands and Schadd 2010).
	Distance
)

// String returns the name: one, mobility or distance.
func (s Start) String() string { return nameOf(startNames, uint8(s)) }

var startNames = []string{One: "one", Mobility: "mobility", Distance: "distance"}

// ParseStart reads a name.
func ParseStart(name string) (Start, error) {
	s, err := parseName(startNames, name)
	return Start(s), err
}

func nameOf(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return strconv.Itoa(int(i))
}

func parseName(names []string, name string) (uint8, error) {
	i := slices.Index(names, name)
	if i < 0 {
		return 0, fmt.Errorf("%.40q: it is one of %s", name, strings.Join(slices.Sorted(slices.Values(names)), ", "))
	}
	return uint8(i), nil
}

// Parameters control a search. They change the nodes and time that it takes, never its verdict.
type Parameters struct {
	Evaluation Evaluation
	Start      Start
	// Widening is how many open children of a node count at a time, the first in the order of
	// options (dynamic widening, Yoshizoe 2008); 0: all.
	Widening int
	// Killers is how many options that decided a node lately are tried first at others of its level
	// (Majerech 2012, section 4.3.2), 0 to MaxKillers.
	Killers int
	// High is the number of nodes at which the garbage collector starts, or the number that the
	// memory holds if that is less. Low is the number down to which it drops open turns; 0: three
	// fifths of High, the ratio of Majerech 2012 (section 4.4 and chapter 6). If High is 0, the
	// collector starts when the memory is full and drops no open turn, and the search ends if that
	// makes no room.
	High, Low int
}

// Defaults returns the parameters that a new solver has.
func Defaults() Parameters { return Parameters{Killers: 2} }

// MaxKillers is the greatest number of killers of a level.
const MaxKillers = 8

// Check returns an error if a parameter is out of range.
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

// Tune sets the parameters of the searches that follow. The error is that of [Parameters.Check].
func (s *Solver) Tune(p Parameters) error {
	if err := p.Check(); err != nil {
		return err
	}
	s.parameters = p
	return nil
}

// Parameters returns the parameters of the present search, or of the next one.
func (s *Solver) Parameters() Parameters { return s.parameters }

// width is the number of open children that count.
func (p *Parameters) width() int {
	if p.Widening == 0 {
		return math.MaxInt
	}
	return p.Widening
}

// marks returns the high and the low mark of the collector.
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

// initial returns the initial numbers of a turn at p.
func (s *Solver) initial(p *arimaa.Position, defends bool) (pn, dn uint32) {
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

// ranksToGoal returns the number of ranks between a side's most advanced rabbit and its goal, 1 to
// 7; 7 if there is no rabbit.
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
