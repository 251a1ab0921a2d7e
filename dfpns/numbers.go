package dfpns

import "goalproof/tables"

// numbers are a proof and a disproof number. (0, infinity) is proved, (infinity, 0) disproved. Sums
// of the numbers of open nodes stay below infinity.
type numbers struct{ proof, disproof uint32 }

var (
	proved    = numbers{0, tables.Infinity}
	disproved = numbers{tables.Infinity, 0}
	unvisited = numbers{} // of no node
)

// unlimited is the threshold of a root.
var unlimited = numbers{tables.Infinity, tables.Infinity}

// Initial numbers of a child (heuristic initialisation: Nagai and Imai 2002). A turn that threatens
// to win at once leaves few replies, a quiet one most. The numbers only decide the order of the
// search.
var (
	fresh  = numbers{1, 1}
	threat = numbers{10, 1}
	quiet  = numbers{1000, 1}
)

func (n numbers) solved() bool { return n == proved || n == disproved }

// turned exchanges the numbers at an AND node. They are then as the side to move sees them: the
// number that it minimises, and the one that sums over its children (phi and delta, Nagai 2002).
func (n numbers) turned(and bool) numbers {
	if and {
		return numbers{n.disproof, n.proof}
	}
	return n
}

// outcome is the state of a node: its numbers and, if it is solved, a bound. If it is proved, the
// attacker wins within that many turns. If it is disproved, he does not; in the threat tree only
// threats do not win within so many. (A win may also end with two turns that threaten nothing. It
// is found where a search comes to it, and no disproof rules it out.)
type outcome struct {
	numbers
	bound uint8
	turn  uint32 // code of a turn that solves the node, or of the one that was searched last; 0: none
}

// never is the greatest number of turns for which a table can say that threats do not win: that
// there is no such win at all.
const never = tables.Unproved - 1

// failed is the outcome of a node in which the attacker has run out of threats.
var failed = outcome{numbers: disproved, bound: never}

// fact returns what is true of a node for good, once it is solved.
func (o outcome) fact() tables.Fact {
	f := tables.Nothing
	switch o.numbers {
	case proved:
		f.ProvedWithin, f.Turn = o.bound, o.turn
	case disproved:
		f.RefutedUpTo = o.bound
	}
	return f
}

// solved returns the outcome of a node that its children solve: the child best alone, or all of
// them.
func (f *frame) solved(and bool, best int, total numbers) (got outcome) {
	got.numbers = total
	switch {
	case !and && total == proved:
		got.bound, got.turn = f.children[best].bound+1, f.children[best].turn.Code()
	case !and:
		got.bound = never
		for i := range f.children {
			got.bound = min(got.bound, f.children[i].bound+1)
		}
	case total == proved:
		got.bound = 1
		for i := range f.children {
			got.bound = max(got.bound, f.children[i].bound)
		}
	default:
		got.turn = f.children[best].turn.Code()
		for i := range f.children {
			if c := &f.children[i]; c.numbers == disproved {
				got.bound = max(got.bound, c.bound)
			}
		}
	}
	return got
}
