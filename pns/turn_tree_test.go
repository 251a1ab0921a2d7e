package pns

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// An order is a way to choose the next leaf of a turn to be expanded. It returns zero when there is
// none.
type order struct {
	name string
	// start begins with the turn's first node and returns the chooser.
	start func(s *Solver, first ref) func() ref
}

var orders = []order{
	{"most proving first", mostProvingWithin},
	{"last found first", func(s *Solver, first ref) func() ref {
		return fromPool(s, first, func(n int) int { return n - 1 })
	}},
	{"first found first", func(s *Solver, first ref) func() ref {
		return fromPool(s, first, func(int) int { return 0 })
	}},
	{"at random", func(s *Solver, first ref) func() ref {
		random := rand.New(rand.NewPCG(1, 2))
		return fromPool(s, first, random.IntN)
	}},
}

// fromPool keeps a pool of leaves and takes the one that pick says. A node becomes a leaf only when
// it is made or moved, as a child of the node expanded last.
func fromPool(s *Solver, first ref, pick func(n int) int) func() ref {
	pool, last := []ref{first}, ref(0)
	return func() ref {
		if last != 0 {
			for c := s.slab.at(last).child; c != 0; c = s.slab.at(c).sibling {
				if s.slab.at(c).turn == first {
					pool = append(pool, c)
				}
			}
		}
		for len(pool) > 0 {
			i := pick(len(pool))
			last = pool[i]
			pool[i] = pool[len(pool)-1]
			pool = pool[:len(pool)-1]
			if s.slab.at(last).leaf() {
				return last
			}
		}
		return 0
	}
}

// mostProvingWithin descends as Solver.mostProving does, but stays in the turn: it passes over pass
// edges and over subtrees without a leaf.
func mostProvingWithin(s *Solver, first ref) func() ref {
	done := map[ref]bool{}
	return func() ref {
		for r := first; ; {
			n := s.slab.at(r)
			best, least := ref(0), uint32(Infinity+1)
			if n.leaf() {
				least = 2
			}
			for c := n.child; c != 0; c = s.slab.at(c).sibling {
				k := s.slab.at(c)
				if k.turn == first && (k.leaf() || !done[c]) && k.least(n) < least {
					best, least = c, k.least(n)
				}
			}
			switch {
			case best != 0:
				r = best
			case n.leaf():
				delete(done, r) // it may have been done before it was moved
				return r
			case r == first:
				return 0
			default:
				done[r] = true
				r = first
			}
		}
	}
}

// picky is a judge that leaves one result in N open, chosen by its key, and calls the others bad
// for the side that made the turn; zero leaves none open.
type picky struct {
	silent
	oneIn uint64
}

func (j picky) leavesOpen(p *arimaa.Position) bool {
	return j.oneIn != 0 && p.PiecesKey().Lo%j.oneIn == 0
}

func (j picky) afterAttack(p *arimaa.Position, _ int, _ line) answer.Verdict {
	if j.leavesOpen(p) {
		return answer.Unknown
	}
	return answer.Disproved
}

func (j picky) afterReply(p *arimaa.Position, _ int, _ line) answer.Verdict {
	if j.leavesOpen(p) {
		return answer.Unknown
	}
	return answer.Proved
}

// expandTurn expands the turn of the side to move at p completely and returns how many nodes were
// moved to another parent on the way.
func expandTurn(s *Solver, p arimaa.Position, flags uint8, j picky, o order) (moved int) {
	s.evaluator = j
	first := prepare(s, p, 2, flags)
	next := o.start(s, first)
	for r := next(); r != 0; r = next() {
		s.expand(r)
		moved += len(s.moved)
	}
	return moved
}

// checkTurnTree compares the tree of a turn that is completely expanded with the generator's list
// of results.
func checkTurnTree(t rapid.TB, s *Solver, p arimaa.Position, j picky, g *arimaa.Generator) {
	t.Helper()
	results, opened := g.Generate(&p), 0
	for i := range results {
		if end := g.Position(i, p.Side()); j.leavesOpen(&end) {
			opened++
		}
	}
	first := s.slab.at(s.root)

	// The sum at the first node counts each distinct result once; one is enough for the side to
	// move.
	sum, least := first.dn, first.pn
	if first.is(defends) {
		sum, least = first.pn, first.dn
	}
	if opened == 0 {
		if sum != 0 || least != Infinity || !first.is(first.bad()) {
			t.Fatalf("%v has no open turn: sum %d, least %d", p, sum, least)
		}
	} else if int(sum) != opened || least != 1 || first.solved() {
		t.Fatalf("%v: sum %d, least %d at the turn's start, %d distinct results are open", p, sum, least, opened)
	}

	// Every result is a node that keeps the most steps left.
	for i := range results {
		b := g.Board(i)
		r := s.index.find(&s.slab, s.root, b, g.Key(i))
		if r == 0 {
			t.Fatalf("%v: no node for the result of %v", p, g.Turn(i))
		}
		if got, want := s.slab.at(r).left(), arimaa.StepsPerTurn-g.Steps(i); got != want {
			t.Fatalf("%v: %d steps left after %v, want %d", p, got, g.Turn(i), want)
		}
	}

	// Going down the tree: the edges are legal options, lead to the boards and use up the steps;
	// each node but the first has its pass edge if that is open, and hangs in one place.
	nodes, passes := 0, 0
	var walk func(r ref, at arimaa.Position)
	walk = func(r ref, at arimaa.Position) {
		n := s.slab.at(r)
		nodes++
		if n.board != at.Board || n.left() != at.StepsLeft() || n.turn != s.root || n.leaf() {
			t.Fatalf("%v: the node of %v is wrong", p, at)
		}
		legal := map[arimaa.Option]bool{}
		for _, o := range at.Options(nil) {
			legal[o] = true
		}
		ends := 0
		for c := n.child; c != 0; c = s.slab.at(c).sibling {
			k := s.slab.at(c)
			if k.parent != r {
				t.Fatalf("%v: a child of %v has another parent", p, at)
			}
			if k.turn != c {
				if !legal[k.option] {
					t.Fatalf("%v: %v is not legal at %v", p, k.option, at)
				}
				walk(c, at.After(k.option))
				continue
			}
			ends++
			if next := at.EndTurn(); s.position(k) != next || k.option != 0 || k.is(defends) == n.is(defends) {
				t.Fatalf("%v: the turn that follows %v is wrong", p, at)
			}
			if turns := int(n.turns) - 1; n.is(defends) && k.turns != n.turns || !n.is(defends) && int(k.turns) != turns {
				t.Fatalf("%v: %d turns are left after %v with %d", p, k.turns, at, n.turns)
			}
		}
		next := at.EndTurn()
		if want := r != s.root && j.leavesOpen(&next); ends > 1 || (ends == 1) != want {
			t.Fatalf("%v: %d pass edges at %v", p, ends, at)
		}
		passes += ends
	}
	walk(s.root, p)
	if nodes != results+1 || passes != opened || s.slab.live != nodes+passes || s.index.n != s.slab.live ||
		int(s.Nodes()) != s.slab.live {
		t.Fatalf("%v: %d results, %d nodes and %d pass edges, %d live, %d in the index, %d counted",
			p, results, nodes, passes, s.slab.live, s.index.n, s.Nodes())
	}
}

// TestSumCountsResultsOnce expands whole turns in several orders and compares the sum at their
// start with the published number of results.
func TestSumCountsResultsOnce(t *testing.T) {
	var g arimaa.Generator
	s := fresh(t, 64)
	for k, row := range published.Rows(t, "perft.tsv") {
		if k%2 > 0 && !boards.Large {
			continue
		}
		p := boards.Parse(t, row[0])
		want, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		everything := picky{oneIn: 1}
		for i, o := range orders {
			if i != k/2%len(orders) && !boards.Large {
				continue
			}
			flags := uint8(i) % 2 * defends // the attacker's turn and the defender's by turns
			moved := expandTurn(s, p, flags, everything, o)
			first := s.slab.at(s.root)
			if got := max(first.pn, first.dn); int(got) != want {
				t.Errorf("%v, %s: the sum is %d, want %d", p, o.name, got, want)
			}
			// Where there is much to do some board is first reached the long way round.
			if moved == 0 && want > 1000 {
				t.Errorf("%v, %s: no node was moved to another parent", p, o.name)
			}
			checkTurnTree(t, s, p, everything, &g)
		}
	}
}

// TestSumOnRandomBoards does the same on random positions, those with undefended pieces on traps
// included, for both sides, and with some results already decided.
func TestSumOnRandomBoards(t *testing.T) {
	var g arimaa.Generator
	s := fresh(t, 64)
	moved := 0
	boards.Check(t, 30, 1_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		o := orders[rapid.IntRange(0, len(orders)-1).Draw(t, "order")]
		j := picky{oneIn: rapid.SampledFrom([]uint64{0, 1, 2, 30}).Draw(t, "one open in")}
		for _, flags := range []uint8{0, defends} {
			moved += expandTurn(s, p, flags, j, o)
			checkTurnTree(t, s, p, j, &g)
		}
	})
	if moved == 0 {
		t.Error("no node was ever moved to another parent")
	}
}

// TestMoveToMoreSteps follows one node that is found the long way round and moved.
func TestMoveToMoreSteps(t *testing.T) {
	// The cat goes from b2 to c2 in one step, or round about over b1 and c1 in three.
	p := drawn(t, arimaa.Gold, `
		8 r.......
		2 .C......
		1 ........`)
	s := fresh(t, 1)
	s.evaluator = silent{}
	root := prepare(s, p, 2, 0)
	// find returns the node of the board after a turn, however it was reached.
	find := func(text string) ref {
		end := p.AfterTurn(turn(t, text))
		return s.index.find(&s.slab, root, &end.Board, end.PiecesKey())
	}
	s.expand(root)
	near, down := find("Cb2e"), find("Cb2s")
	if near == 0 || down == 0 || s.slab.at(near).left() != 3 || s.slab.at(down).left() != 3 {
		t.Fatal("the single steps are not nodes with three steps left")
	}
	// Forget the near node, as if the step had not been listed: the root is a leaf again.
	s.unlink(near)
	s.slab.giveBack(s.slab.at(near).child)
	s.slab.giveBack(near)
	s.index.rebuild(s)
	s.slab.at(root).flags &^= expanded

	s.expand(down)
	s.expand(find("Cb2s Cb1e"))
	far := find("Cb2e")
	if far == 0 || s.slab.at(far).left() != 1 {
		t.Fatal("the way round does not reach c2 with one step left")
	}
	s.expand(far)
	if k := s.slab.at(far); k.leaf() || !k.is(expanded) {
		t.Fatal("the node has not been expanded")
	}
	sum := s.slab.at(root).dn

	s.expand(root)
	k := s.slab.at(far)
	if k.parent != root || k.left() != 3 || !k.leaf() || k.option != arimaa.SingleStep(turn(t, "Cb2e").Step(0)) {
		t.Errorf("after the root's expansion: %d steps left, option %v, a leaf: %v", k.left(), k.option, k.leaf())
	}
	for c := s.slab.at(find("Cb2s Cb1e")).child; c != 0; c = s.slab.at(c).sibling {
		if c == far {
			t.Error("the old parent still has the node")
		}
	}
	// One more for the options that the node has now and has not listed yet, one less for those of
	// the root.
	if got := s.slab.at(root).dn; got != sum {
		t.Errorf("the sum at the root went from %d to %d", sum, got)
	}
}
