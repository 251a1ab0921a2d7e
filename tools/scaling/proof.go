//go:build unix

package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// proofs shows what more workers do for one position: a manager keeps a tree of positions, has the
// most-proving leaf searched by a worker that has nothing to do, and takes back that it is proved,
// disproved, or neither; then its children are leaves. A leaf that is being searched counts as more
// to prove and to disprove (virtual loss), so that others are taken.
//
// The trees are synthetic. Of many random ones those are taken whose proof takes one worker about
// as many jobs as proofs by hand did: 28, 820 and 2700.
func (s *scaling) proofs(x sample, counts []int) {
	fmt.Printf("one position, jobs of %s, medians of %d trees:\n\n", x.name, treesOfSize)
	fmt.Println("| jobs of one worker | workers | times as fast | jobs | manager busy |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: |")
	for _, jobs := range []int{28, 820, 2700} {
		seeds := treesOf(jobs)
		for _, workers := range counts {
			var fast, more, busy []float64
			for _, seed := range seeds {
				one, many := s.prove(seed, x, 1), s.prove(seed, x, workers)
				fast = append(fast, one.elapsed.Seconds()/many.elapsed.Seconds())
				more = append(more, float64(many.jobs))
				busy = append(busy, 100*many.busy.Seconds()/many.elapsed.Seconds())
			}
			fmt.Printf("| %d | %d | %.3g | %.0f | %.0f %% |\n", jobs, workers, median(fast), median(more), median(busy))
		}
	}
	fmt.Println()
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

const (
	treesOfSize = 5
	// unlimited is a number of what can be proved no more.
	unlimited = 1 << 30
	// virtualLoss is added to both numbers of a leaf for the time in which it is searched.
	virtualLoss = 2
	// deepest is the depth at which all leaves are decided.
	deepest = 9
	// decided is how many leaves in a hundred are proved or disproved at once.
	decided = 10
)

// node is a position of the tree. At even depth one child must be proved, at odd depth all.
type node struct {
	seed           uint64
	depth          int
	parent         *node
	children       []*node
	proof, refute  int
	atWork         bool
	proved, solved bool
}

// treesOf returns the seeds of trees whose proof takes one worker about so many jobs.
func treesOf(jobs int) (seeds []uint64) {
	for seed := uint64(1); len(seeds) < treesOfSize; seed++ {
		if n := leaf(seed, 0, nil).alone(jobs * 11 / 10); n >= jobs*9/10 && n <= jobs*11/10 {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

func leaf(seed uint64, depth int, parent *node) *node {
	return &node{seed: seed, depth: depth, parent: parent, proof: 1, refute: 1}
}

// evaluate gives a leaf what a worker finds: it is decided, or has children. That depends on the
// tree alone.
func (n *node) evaluate() {
	r := rand.New(rand.NewPCG(n.seed, 1))
	n.atWork = false
	if n.depth > 0 && (n.depth == deepest || r.IntN(100) < decided) {
		n.solved, n.proved = true, r.IntN(2) == 0
		return
	}
	for range 2 + r.IntN(12) {
		n.children = append(n.children, leaf(r.Uint64(), n.depth+1, n))
	}
}

// update gives a node its numbers, and its ancestors theirs.
func (n *node) update() {
	for ; n != nil; n = n.parent {
		switch {
		case n.solved && n.proved:
			n.proof, n.refute = 0, unlimited
		case n.solved:
			n.proof, n.refute = unlimited, 0
		case n.children == nil:
			n.proof, n.refute = 1, 1
			if n.atWork {
				n.proof, n.refute = 1+virtualLoss, 1+virtualLoss
			}
		default:
			least, sum := unlimited, 0
			for _, c := range n.children {
				a, b := c.numbers(n.depth)
				least, sum = min(least, a), min(sum+b, unlimited)
			}
			n.proof, n.refute = least, sum
			if n.depth%2 == 1 {
				n.proof, n.refute = sum, least
			}
			n.solved, n.proved = n.proof == 0 || n.refute == 0, n.proof == 0
		}
	}
}

// numbers returns those of a child of which a node at a depth has the least and the sum.
func (n *node) numbers(depth int) (least, sum int) {
	if depth%2 == 0 {
		return n.proof, n.refute
	}
	return n.refute, n.proof
}

// next returns the most-proving leaf among those that are not searched, nil if there is none.
func (n *node) next() *node {
	if n.solved || n.atWork {
		return nil
	}
	if n.children == nil {
		return n
	}
	order := slices.Clone(n.children)
	slices.SortStableFunc(order, func(a, b *node) int {
		x, _ := a.numbers(n.depth)
		y, _ := b.numbers(n.depth)
		return cmp.Compare(x, y)
	})
	for _, c := range order {
		if found := c.next(); found != nil {
			return found
		}
	}
	return nil
}

// alone returns how many jobs one worker takes to decide a root, or one more than the most.
func (n *node) alone(most int) (jobs int) {
	for !n.solved && jobs <= most {
		next := n.next()
		next.evaluate()
		next.update()
		jobs++
	}
	return jobs
}

// proving is how a search went.
type proving struct {
	elapsed, busy time.Duration
	jobs          int
}

// prove simulates a search by so many workers. The manager handles one answer at a time, with all
// that the server and the coordinator do for a question.
func (s *scaling) prove(seed uint64, x sample, workers int) (p proving) {
	type running struct {
		done time.Duration
		n    *node
	}
	random, root := rand.New(rand.NewPCG(seed, 2)), leaf(seed, 0, nil)
	c := s.costs
	cost := c.ServerGroup + c.ServerQuestion + c.Group + c.Question + c.Commit + c.Keep
	var all []running
	for {
		for len(all) < workers {
			n := root.next()
			if n == nil {
				break
			}
			n.atWork = true
			n.update()
			takes := x.times[random.IntN(len(x.times))]
			all = append(all, running{p.elapsed + cost/2 + takes + c.WorkerGroup + c.WorkerQuestion + 2*s.roundTrip, n})
			p.elapsed += cost / 2
			p.busy += cost / 2
		}
		first := 0
		for i, r := range all {
			if r.done < all[first].done {
				first = i
			}
		}
		r := all[first]
		all = slices.Delete(all, first, first+1)
		p.elapsed = max(p.elapsed, r.done) + cost/2
		p.busy += cost / 2
		p.jobs++
		r.n.evaluate()
		r.n.update()
		if root.solved {
			return p
		}
	}
}
