package pns

import (
	"context"
	"testing"
	"time"
	"unsafe"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
)

// reachable returns a copy of every node that hangs under the root.
func reachable(s *Solver) map[ref]node {
	nodes := map[ref]node{}
	stack := []ref{s.root}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		nodes[r] = *s.slab.at(r)
		for c := s.slab.at(r).child; c != 0; c = s.slab.at(c).sibling {
			stack = append(stack, c)
		}
	}
	return nodes
}

// checkTree checks what must hold between two expansions: each node's numbers follow from its
// children, all live nodes hang under the root, the index holds them all, and steps and turns go
// down along the edges.
func checkTree(t *testing.T, s *Solver) {
	t.Helper()
	nodes := reachable(s)
	if len(nodes) != s.slab.live || s.index.n != s.slab.live {
		t.Fatalf("%d nodes hang under the root, %d live, %d in the index", len(nodes), s.slab.live, s.index.n)
	}
	for r, n := range nodes {
		if s.update(r) {
			t.Fatalf("the numbers of node %d do not follow from its children: %d/%d, now %d/%d",
				r, n.pn, n.dn, s.slab.at(r).pn, s.slab.at(r).dn)
		}
		if n.is(proved) && n.is(disproved) {
			t.Fatalf("node %d is proved and disproved", r)
		}
		board := n.board
		if s.index.find(&s.slab, n.turn, &board, board.PiecesKey()) != r {
			t.Fatalf("the index does not find node %d", r)
		}
		if r == s.root {
			continue
		}
		p, ok := nodes[n.parent]
		switch {
		case !ok:
			t.Fatalf("the parent of node %d is not there", r)
		case n.turn == r && (n.is(defends) == p.is(defends) || n.left() != 4 || n.option != 0):
			t.Fatalf("node %d does not begin a turn", r)
		case n.turn != r && (n.turn != p.turn || n.turns != p.turns || n.is(defends) != p.is(defends)):
			t.Fatalf("node %d does not go on with its parent's turn", r)
		case n.turn != r && n.left() > p.left()-n.option.Steps():
			t.Fatalf("node %d has %d steps left, its parent %d", r, n.left(), p.left())
		case n.turn != r && n.left() < p.left()-n.option.Steps() && p.is(expanded) && !p.solved():
			// Allowed only while the parent has been moved and waits to be expanded again.
			t.Fatalf("node %d has %d steps left, its expanded parent %d", r, n.left(), p.left())
		}
	}
}

// TestCollect stops searches from time to time, collects, and checks which nodes were deleted and
// which were kept.
func TestCollect(t *testing.T) {
	s := fresh(t, 64)
	s.maxNodes = 1 << 30 // Collections are made by hand.
	collections, kept, gone := 0, 0, 0
	for _, f := range quick() {
		p := boards.Parse(t, f.board)
		prepare(s, p, f.n, 0)
		for i := 1; !s.slab.at(s.root).solved(); i++ {
			s.expand(s.mostProving())
			if i%587 != 0 || s.slab.live > 20_000 {
				continue
			}
			before := reachable(s)
			// A node goes when it belongs to a solved turn or to one below such a turn.
			dead := map[ref]bool{}
			var goes func(r ref) bool
			goes = func(r ref) bool {
				if r == 0 {
					return false
				}
				if d, ok := dead[r]; ok {
					return d
				}
				first := before[before[r].turn]
				dead[r] = first.solved() || goes(first.parent)
				return dead[r]
			}
			for r := range before {
				goes(r)
			}
			s.collect(s.maxNodes, s.maxNodes)
			collections++
			after := reachable(s)
			for r, was := range before {
				is, ok := after[r]
				if ok == dead[r] {
					t.Fatalf("%s: a node of %d steps left, turn solved: %v, stayed: %v",
						f.name, was.left(), dead[r], ok)
				}
				if !ok {
					gone++
					continue
				}
				kept++
				is.child, is.sibling, was.child, was.sibling = 0, 0, 0, 0
				if is != was {
					t.Fatalf("%s: a node that stays has changed", f.name)
				}
			}
			if len(after) > len(before) {
				t.Fatalf("%s: %d nodes before, %d after", f.name, len(before), len(after))
			}
			checkTree(t, s)
		}
		if got := s.slab.at(s.root); got.is(proved) != (f.verdict == answer.Proved) || s.Nodes() != f.nodes {
			t.Errorf("%s: proved %v with %d nodes after collections, want %v with %d",
				f.name, got.is(proved), s.Nodes(), f.verdict, f.nodes)
		}
	}
	t.Logf("%d collections, %d nodes kept, %d gone", collections, kept, gone)
	if collections == 0 || kept == 0 || gone == 0 {
		t.Error("nothing was collected")
	}
}

// TestTreeHolds checks the tree between expansions of searches without collections.
func TestTreeHolds(t *testing.T) {
	s := fresh(t, 64)
	for _, f := range quick() {
		prepare(s, boards.Parse(t, f.board), f.n, 0)
		for i := 1; !s.slab.at(s.root).solved() && s.slab.live < 10_000; i++ {
			s.expand(s.mostProving())
			if i%293 == 0 || i < 10 {
				checkTree(t, s)
			}
		}
	}
}

// TestLittleMemory searches with so little memory that it must be collected or does not suffice.
// The search itself does not change: a solved turn is of no further use.
func TestLittleMemory(t *testing.T) {
	const largestExpansion = 2 * 200 // options, and a pass edge for each
	collected, full, enough := 0, 0, 0
	large := fresh(t, 64)
	for _, f := range quick() {
		q := Question{Position: boards.Parse(t, f.board), N: f.n}
		want := ask(large, q)
		for _, maxNodes := range []int{0, 1_000, 10_000} {
			s := fresh(t, 1)
			if maxNodes > 0 {
				s.maxNodes = maxNodes
			}
			got := ask(s, q)
			// Nodes given back are handed out again first, so this is the greatest number that were
			// in use at a time.
			peak := s.slab.used - 1
			if peak > s.maxNodes+largestExpansion {
				t.Errorf("%s: %d nodes in use, %d allowed", f.name, peak, s.maxNodes)
			}
			if peak < int(got.Nodes) {
				collected++
			}
			if got.Verdict == answer.Unknown {
				full++
				if got.Stop != answer.Memory || got.ProofNumber == 0 || got.DisproofNumber == 0 {
					t.Errorf("%s with %d nodes: %+v", f.name, s.maxNodes, got)
				}
				continue
			}
			if peak < int(got.Nodes) {
				enough++
			}
			if got != want {
				t.Errorf("%s with %d nodes: %+v, with much memory %+v", f.name, s.maxNodes, got, want)
			}
		}
	}
	t.Logf("%d searches collected nodes, %d of them came to an end; %d filled the memory", collected, enough, full)
	if enough == 0 || full == 0 {
		t.Error("the memory was always too little or always enough")
	}
}

// TestMemoryInBytes checks what a search takes altogether: what it was given, and one chunk of
// nodes that has been begun.
func TestMemoryInBytes(t *testing.T) {
	for _, mebibytes := range []uint64{1, 3} {
		s := fresh(t, mebibytes)
		for _, f := range quick() {
			ask(s, Question{Position: boards.Parse(t, f.board), N: f.n})
		}
		const nodeSize, slotSize = int(unsafe.Sizeof(node{})), int(unsafe.Sizeof(s.index.slots[0]))
		if nodeSize != 64 {
			t.Fatalf("a node takes %d bytes", nodeSize)
		}
		taken := len(s.slab.chunks)<<chunkBits*nodeSize + len(s.index.slots)*slotSize + int(mebibytes<<20)/8 // the proof table
		if limit := int(mebibytes<<20) + nodeSize<<chunkBits; taken > limit {
			t.Errorf("%d MiB: %d bytes are taken, at most %d may be", mebibytes, taken, limit)
		}
	}
	if _, err := New(1<<20 - 1); err == nil {
		t.Error("less than a MiB is accepted")
	}
}

// TestReused compares a solver that has answered other questions with fresh ones.
func TestReused(t *testing.T) {
	reused := fresh(t, 2)
	for _, f := range quick() {
		for n := 1; n <= f.n; n++ {
			q := Question{Position: boards.Parse(t, f.board), N: n}
			if got, want := ask(reused, q), ask(fresh(t, 2), q); got != want {
				t.Errorf("%s: %+v, a fresh solver says %+v", f.name, got, want)
			}
		}
	}
}

// TestDropLeastProving stops searches now and then, drops open turns down to half of the nodes and
// looks at which have gone: none that is nearer to the most-proving node than one that stays, and
// never the way to that node.
func TestDropLeastProving(t *testing.T) {
	s := fresh(t, 64)
	drops, gone := 0, 0
	for _, f := range quick() {
		prepare(s, boards.Parse(t, f.board), f.n, 0)
		for i := 1; i < 2_000 && !s.slab.at(s.root).solved(); i++ {
			s.expand(s.mostProving())
			if i%587 != 0 {
				continue
			}
			s.collect(s.maxNodes, s.maxNodes) // solved turns go first
			before, way := reachable(s), []ref{}
			distance, above := map[ref]int{}, map[ref]int{}
			s.walk(func(link *ref, a, d int) bool {
				above[*link], distance[*link] = a, d
				return true
			})
			for r := s.mostProving(); r != 0; r = before[r].parent {
				way = append(way, r)
			}
			next := s.mostProving()
			low := s.slab.live / 2
			s.dropLeastProving(low)
			s.index.rebuild(s)
			checkTree(t, s)
			after := reachable(s)
			farthestLeft, nearestGone := 0, farthest+1
			for r, was := range before {
				is, ok := after[r]
				if !ok {
					gone++
					nearestGone = min(nearestGone, above[r])
					continue
				}
				if is.pn != was.pn || is.dn != was.dn || is.flags|expanded != was.flags|expanded {
					t.Fatalf("%s: a node that stays has changed: %+v, it was %+v", f.name, is, was)
				}
				if is.turn == r && is.child != 0 && r != s.root {
					farthestLeft = max(farthestLeft, distance[r])
				}
			}
			// At one distance some may go and others stay.
			if farthestLeft > nearestGone {
				t.Fatalf("%s: a turn at distance %d is gone, one at %d stays", f.name, nearestGone, farthestLeft)
			}
			for _, r := range way {
				if _, ok := after[r]; !ok || above[r] != 0 {
					t.Fatalf("%s: a node on the way to the most-proving one is gone, or at distance %d", f.name, above[r])
				}
			}
			if s.mostProving() != next {
				t.Fatalf("%s: the most-proving node has changed", f.name)
			}
			if len(after) < len(before) {
				drops++
			}
			if s.slab.live > low && farthestLeft > 0 {
				t.Fatalf("%s: %d nodes are left, %d wanted, and a turn at distance %d stays", f.name, s.slab.live, low, farthestLeft)
			}
		}
	}
	t.Logf("%d drops, %d nodes gone", drops, gone)
	if drops == 0 {
		t.Error("nothing was dropped")
	}
}

// TestMarks searches with few nodes, so that open turns must be dropped. The verdicts are the same,
// and the nodes stay below the high mark, but for one expansion.
func TestMarks(t *testing.T) {
	const largestExpansion = 2 * 200
	dropped, decided := 0, 0
	for i, f := range quick() {
		for k, p := range []Parameters{{High: 8_000}, {High: 12_000, Low: 2_000, Killers: 2}, {High: 20_000, Evaluation: Delayed}} {
			if i%3 != k && !boards.Large {
				continue
			}
			s := fresh(t, 4)
			require.NoError(t, s.Tune(p))
			ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
			got := s.Solve(ctx, Question{Position: boards.Parse(t, f.board), N: f.n})
			cancel()
			if got.Verdict != answer.Unknown && got.Verdict != f.verdict {
				t.Errorf("%s, %+v: %v", f.name, p, got.Verdict)
			}
			if got.Verdict != answer.Unknown {
				decided++
				if s.dropped > 0 {
					dropped++
				}
			}
			if peak := s.slab.used - 1; peak > p.High+largestExpansion {
				t.Errorf("%s, %+v: %d nodes in use", f.name, p, peak)
			}
		}
	}
	t.Logf("%d searches were decided, %d of them after open turns were dropped", decided, dropped)
	if dropped == 0 {
		t.Error("no search was decided after open turns had been dropped")
	}
}
